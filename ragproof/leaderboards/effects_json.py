"""The effects of a sweep's factors as JSON values; differences are oriented so that + is better."""

from __future__ import annotations

from pydantic import JsonValue

from ragproof.leaderboards.board import Board
from ragproof.leaderboards.effects import Effects
from ragproof.leaderboards.factorial import NoDesign
from ragproof.leaderboards.interactions import FactorPair
from ragproof.statistics.interval import Interval
from ragproof.statistics.simple_effects import SimpleEffect


def interval_json(interval: Interval) -> dict[str, JsonValue]:
    """Return an interval as JSON values; ends that do not exist are null, and `flag` says why."""
    return {
        "low": interval.low,
        "high": interval.high,
        "confidence": interval.confidence,
        "method": interval.method,
        "flag": None if interval.flag is None else interval.flag.value,
    }


def effects_json(board: Board) -> JsonValue:
    """Return a board's effects; null when they were not asked for, a reason when there are none."""
    found = board.effects
    if found is None:
        return None
    if isinstance(found, NoDesign):
        return {"reason": found.reason, "names": [*found.names]}
    design = found.design
    return {
        "reason": None,
        "factors": {name: [*levels] for name, levels in zip(design.factors, design.levels, strict=True)},
        "constant": {**design.constant},
        "cells": [board.runs[place].id for place in design.places],
        "cases": found.cases,
        "dropped": found.dropped,
        "documents": found.documents,
        "levels": [
            {
                "factor": design.factors[each.factor],
                "level": design.levels[each.factor][each.level],
                "mean": each.mean,
                "interval": interval_json(each.interval),
            }
            for each in found.means
        ],
        "main": [
            {
                "factor": design.factors[each.factor],
                "level": design.levels[each.factor][each.levels[1]],
                "against": design.levels[each.factor][each.levels[0]],
                "difference": each.difference,
                "interval": interval_json(each.interval),
                "p": None if each.unresolvable else each.p,
                "p_raw": None if each.unresolvable else each.p_raw,
                "unresolvable": each.unresolvable,
                "conditional": found.conditional(each.factor),
            }
            for each in found.contrasts
        ],
        "interactions": [_pair(found, each) for each in found.pairs],
    }


def _pair(found: Effects, pair: FactorPair) -> dict[str, JsonValue]:
    first, second = (found.design.levels[factor] for factor in pair.factors)
    test = pair.test
    return {
        "factors": [found.design.factors[factor] for factor in pair.factors],
        "p": None if pair.unresolvable else test.p,
        "p_holm": None if pair.unresolvable else pair.p,
        "unresolvable": pair.unresolvable,
        "stands": pair.stands,
        "partial_eta2": test.partial_eta2,
        "f": test.f,
        "df": [*test.df],
        "p_greenhouse_geisser": test.p_gg,
        "detectable": pair.detectable,
        "cell_means": [[*row] for row in pair.means],
        "cell_effects": [[*row] for row in test.cell_effects],
        "differences_in_differences": [
            {
                "first": [first[level] for level in each.levels_a],
                "second": [second[level] for level in each.levels_b],
                "difference": each.mean,
                "interval": interval_json(each.interval),
                "p": each.p,
                "p_raw": each.p_raw,
            }
            for each in pair.corners
        ],
        "simple_effects": [
            *(_simple(each, found, *pair.factors) for each in pair.given_second),
            *(_simple(each, found, *pair.factors[::-1]) for each in pair.given_first),
        ],
    }


def _simple(each: SimpleEffect, found: Effects, of: int, given: int) -> dict[str, JsonValue]:
    design = found.design
    return {
        "factor": design.factors[of],
        "level": design.levels[of][each.levels[1]],
        "against": design.levels[of][each.levels[0]],
        "given": {design.factors[given]: design.levels[given][each.given]},
        "difference": each.mean,
        "interval": interval_json(each.interval),
    }
