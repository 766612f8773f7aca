"""Variants: a pipeline section of its own file, laid over the configuration's."""

from __future__ import annotations

from tests.fakes.configs import BASE, faults, loaded

VARIANTS = {"baseline": "pipeline: {corpus_version: v2}", "reranked": "pipeline: {name: reranked-v2}"}


def test_a_variant_is_named_by_its_file_unless_it_says_another_name(tmp_path):
    """Else two variants of one base would be one series of results."""
    named_by_file = loaded(tmp_path, variants=VARIANTS, variant="baseline")
    assert (named_by_file.pipeline.name, named_by_file.pipeline.corpus_version) == ("baseline", "v2")
    named_itself = loaded(tmp_path, variants=VARIANTS, variant="reranked")
    assert (named_itself.pipeline.name, named_itself.variant) == ("reranked-v2", "reranked")


def test_a_base_may_leave_its_pipeline_to_its_variants(tmp_path):
    """Only what comes of both has to be whole."""
    bare = BASE[: BASE.index("pipeline:")]
    whole = {"one": 'pipeline: {adapter: {type: python, target: "m:f"}}'}
    assert loaded(tmp_path, bare, variants=whole, variant="one").pipeline.name == "one"
    assert faults(tmp_path, bare, variants=whole) == [
        "eval.yaml: pipeline: missing; expected 'pipeline.name' and 'pipeline.adapter'"
    ]


def test_an_unknown_variant_names_the_nearest_or_all(tmp_path):
    """And what else is wrong is told all the same, except of a pipeline that is not whole."""
    assert faults(tmp_path, variants=VARIANTS, variant="rerankd") == [
        "--variant: no variant is named 'rerankd'; did you mean 'reranked'?"
    ]
    assert faults(
        tmp_path, BASE[: BASE.index("pipeline:")] + "run: {k: 0}", variants=VARIANTS, variant="x"
    ) == [
        "eval.yaml:3:7: run.k: 0 is not allowed; expected a whole number from 1 to 10000",
        "--variant: no variant is named 'x'; expected 'baseline' or 'reranked'",
    ]


def test_without_variants_the_folder_is_named(tmp_path):
    """The user learns where one would belong."""
    assert faults(tmp_path, variant="x") == [
        f"--variant: no variant is named 'x': '{tmp_path / 'variants'}' holds no .yaml file"
    ]


def test_a_variant_is_a_name_and_never_a_path(tmp_path):
    """Whoever may choose a variant may not choose a file."""
    (tmp_path / "secret.yaml").write_text("pipeline: {name: x}", encoding="utf-8")
    for name in ("../secret", f"{tmp_path}/secret", "baseline.yaml", "", "."):
        (fault,) = faults(tmp_path, variants=VARIANTS, variant=name)
        assert fault.startswith("--variant: no variant is named "), name


def test_a_variant_holds_a_pipeline_alone(tmp_path):
    """What else it held would be applied or ignored in silence."""
    assert faults(tmp_path, variants={"x": "run: {k: 3}\npipeline: {version: v}"}, variant="x") == [
        "variants/x.yaml:1:1: 'run' is not a key of a variant; expected 'pipeline' alone"
    ]
    assert faults(tmp_path, variants={"x": "version: v"}, variant="x") == [
        "variants/x.yaml: pipeline: missing; expected a section laid over the configuration's own",
        "variants/x.yaml:1:1: 'version' is not a key of a variant; expected 'pipeline' alone",
    ]


def test_a_variant_that_is_no_yaml_is_told_with_its_place(tmp_path):
    """As the configuration's own faults are."""
    assert faults(tmp_path, variants={"x": "pipeline: ["}, variant="x") == [
        "variants/x.yaml:1:12: not valid YAML: expected the node content, but found '<stream end>'"
    ]
