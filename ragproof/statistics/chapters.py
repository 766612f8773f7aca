"""What the package offers, by need: the table of contents of the API page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ragproof.statistics import (
    bca,
    bootstrap_intervals,
    clusters,
    design_effect,
    drift,
    effects,
    factor_cells,
    flips,
    gate_bounds,
    gate_rules,
    groups,
    interaction,
    interval,
    judge_correction,
    max_t,
    missing,
    multiplicity,
    paired_proportions,
    power,
    power_binary,
    power_trials,
    prediction_powered,
    proportions,
    rogan_gladen,
    sequential,
    sign_flip,
    simple_effects,
    student,
    studentised,
    trials,
    variance_components,
    verdicts,
)


@dataclass(frozen=True)
class Chapter:
    """One need, and what answers it.

    Attributes:
        need: a noun phrase, the heading.
        functions: what to call, the default first.
        results: the types that come back.
    """

    need: str
    functions: tuple[Callable[..., object], ...]
    results: tuple[type, ...] = ()


CHAPTERS: tuple[Chapter, ...] = (
    Chapter(
        "Two variants on the same cases",
        (
            sign_flip.sign_flip,
            sign_flip.sign_flips,
            student.paired_t,
            sign_flip.smallest_p,
            flips.monte_carlo_p,
        ),
        (sign_flip.SignFlip, sign_flip.FlipMethod, student.PairedT),
    ),
    Chapter(
        "Intervals",
        (
            studentised.studentised_interval,
            studentised.studentised_intervals,
            bca.bca_interval,
            bca.bca_intervals,
            bootstrap_intervals.bootstrap_intervals,
            proportions.wilson_interval,
            proportions.clopper_pearson_interval,
        ),
        (interval.Interval, interval.Flag, bca.Bootstrap, bootstrap_intervals.BootstrapIntervals),
    ),
    Chapter(
        "A binary metric",
        (
            paired_proportions.mcnemar,
            paired_proportions.newcombe_interval,
            paired_proportions.paired_table,
        ),
        (paired_proportions.McNemar, paired_proportions.PairedTable),
    ),
    Chapter("Effect sizes", (effects.effect_sizes, effects.hedges_factor), (effects.EffectSizes,)),
    Chapter("Missing cases", (missing.missingness,), (missing.Missingness,)),
    Chapter(
        "Several questions on one document",
        (
            clusters.cluster_sign_flip,
            clusters.cluster_interval,
            clusters.cluster_bootstrap_interval,
            clusters.cluster_sums,
            clusters.cluster_components,
        ),
        (clusters.Clustered, variance_components.Components),
    ),
    Chapter(
        "Repeated trials",
        (trials.case_means, trials.trial_variance, trials.paired_trial_variances),
        (trials.PairedTrials,),
    ),
    Chapter("Many variants", (max_t.max_t, max_t.all_pairs), (max_t.MaxT,)),
    Chapter("Many metrics", (multiplicity.holm, multiplicity.benjamini_hochberg)),
    Chapter("Leaderboard groups", (groups.indistinguishable_groups,), (groups.Groups,)),
    Chapter(
        "Sample size",
        (
            power.cases_for_effect,
            power.detectable_effect,
            power.power_of_paired_t,
            power_binary.cases_for_mcnemar,
            power_binary.detectable_binary_difference,
            power_binary.power_of_mcnemar,
            power_trials.cases_for_trials,
            power_trials.detectable_effect_with_trials,
            design_effect.design_effect,
            design_effect.effective_cases,
            design_effect.detectable_effect_factor,
        ),
        (power.SampleSize,),
    ),
    Chapter(
        "Interaction of two factors",
        (
            factor_cells.complete_blocks,
            interaction.interaction,
            simple_effects.differences_in_differences,
            simple_effects.corner_contrasts,
            simple_effects.simple_effects,
        ),
        (
            factor_cells.Blocks,
            interaction.Interaction,
            simple_effects.DifferenceInDifferences,
            simple_effects.SimpleEffect,
        ),
    ),
    Chapter(
        "Gate",
        (
            gate_rules.drop_verdict,
            gate_rules.level_verdict,
            gate_bounds.one_sided_bounds,
        ),
        (verdicts.RuleTest, verdicts.Verdict, gate_bounds.Bounds),
    ),
    Chapter(
        "Early stop",
        (sequential.fail_fast, sequential.betting_e_process),
        (sequential.FailFast, sequential.EProcess, sequential.Side),
    ),
    Chapter(
        "Human labels correct the judge",
        (
            judge_correction.corrected_mean,
            judge_correction.corrected_difference,
            prediction_powered.prediction_powered_mean,
            rogan_gladen.rogan_gladen,
        ),
        (judge_correction.Corrected, prediction_powered.PredictionPowered, rogan_gladen.Prevalence),
    ),
    Chapter(
        "Drift over nights",
        (drift.lower_cusum, drift.trial_noise_z, drift.change_point),
        (drift.Cusum, drift.ChangePoint),
    ),
)
