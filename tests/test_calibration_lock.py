"""The lock: it fits the prompts and the fixtures as they are, and says what was found about them."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ragproof.judge.calibration import lock
from ragproof.judge.calibration.calibrating import calibrate
from ragproof.judge.calibration.calibration import Calibration
from ragproof.judge.calibration.choosing import choose
from ragproof.judge.calibration.fixtures import fixture_hash, fixtures
from ragproof.judge.calibration.metrics import judged_metrics
from ragproof.judge.calibration.source import FIXTURES, source_of
from ragproof.judge.prompting import load, names
from tests.fakes.calibration_judges import CONFIG, Oracle

METRICS = judged_metrics()


def calibration(*prompts: str, name: str = FIXTURES, limit: int | None = None) -> Calibration:
    """Calibrate a judge that always says the opposite."""
    there = fixtures(METRICS, prompts)
    asked = choose(there, METRICS, limit=limit)
    judge = Oracle(asked, instead=lambda _, score: 1 - score)
    at = datetime(2026, 1, 31, 23, 59, tzinfo=UTC)
    source = source_of(name, asked, there)
    return asyncio.run(calibrate(judge, asked, METRICS, config=CONFIG, source=source, at=at))


def printed(found: Calibration) -> str:
    """Return what the command prints."""
    return json.dumps({"passed": False, "below": [], "calibration": found.model_dump(mode="json")})


def test_the_lock_fits_the_prompts_and_the_fixtures() -> None:
    """After a change: calibrate again, and record it; or record the change alone, as not calibrated."""
    changed = lock.stale(lock.read())
    assert not changed, (
        f"{'; '.join(changed)}: run `ragproof calibrate --json > calibration.json` and"
        f" `{lock.REFRESH} calibration.json`, or `{lock.REFRESH}` where there is no judge"
    )


@pytest.mark.parametrize("field", ["prompt", "fixtures"])
def test_a_change_is_noticed(field: str) -> None:
    """Of a template and of its fixtures, each by itself."""
    locked = lock.read()
    other = locked["refusal"].model_copy(update={field: "0" * 64})
    what = {"prompt": "the template", "fixtures": "the fixtures"}[field]
    assert lock.stale({**locked, "refusal": other}) == (
        f"{what} of prompt 'refusal' changed since the last recorded calibration",
    )


def test_a_prompt_that_joins_or_leaves_is_noticed() -> None:
    """By its name."""
    locked = lock.read()
    without = {name: each for name, each in locked.items() if name != "refusal"}
    assert lock.stale(without) == ("prompt 'refusal' is not in the lock",)
    assert lock.stale({**locked, "mood": locked["refusal"]}) == ("prompt 'mood' is in the lock alone",)


def test_a_lock_without_a_judge_says_so(tmp_path: Path) -> None:
    """Null, and not some number."""
    path = tmp_path / "lock.json"
    lock.write(path, None)
    written = json.loads(path.read_text("utf-8"))
    assert written == {
        name: {"prompt": load(name).prompt_hash, "fixtures": fixture_hash(name), "calibrated": None}
        for name in names()
    }
    assert lock.stale(lock.read(path)) == ()


def test_a_poor_judge_is_recorded_too(tmp_path: Path) -> None:
    """Below the bar satisfies the lock: it asks that one looked, not that one liked it."""
    path = tmp_path / "lock.json"
    lock.write(path, printed(calibration("refusal")))
    locked = lock.read(path)
    assert locked["refusal"].calibrated == lock.Calibrated(
        on="2026-01-31", judge="oracle-1", cases=18, exact=0, within_band=0, judge_errors=0
    )
    assert locked["groundedness"].calibrated is None
    assert lock.stale(locked) == ()


def test_what_is_known_of_unchanged_files_stays(tmp_path: Path) -> None:
    """And is forgotten where a file has changed."""
    path = tmp_path / "lock.json"
    lock.write(path, printed(calibration("refusal", "completeness")))
    before = lock.read(path)
    lock.write(path, None)
    assert lock.read(path) == before
    changed = {**before, "refusal": before["refusal"].model_copy(update={"prompt": "0" * 64})}
    after = lock.current(changed)
    assert after["refusal"].calibrated is None
    assert after["completeness"] == before["completeness"]


def test_only_a_whole_calibration_on_the_fixtures_is_recorded(tmp_path: Path) -> None:
    """Not a sample, not somebody's labels, not other texts, and nothing else."""
    path = tmp_path / "lock.json"
    whole = calibration("refusal")
    other = whole.model_copy(update={"prompts": {"refusal": "0" * 64}})
    for given, told in (
        (printed(calibration("refusal", limit=2)), "not of all fixtures"),
        (printed(calibration("refusal", name="ours.jsonl")), "not of all fixtures"),
        (printed(other), "another text of prompt 'refusal'"),
        ("{}", "no calibration is in there"),
        ("[]", "no calibration is in there"),
        ('{"calibration": {}}', "no calibration is in there"),
    ):
        with pytest.raises(ValueError, match=told):
            lock.write(path, given)
    assert not path.exists()
