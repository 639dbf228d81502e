"""Judging the set of decisions again: in order, on executors, and on from a stop."""

from dataclasses import replace
from pathlib import Path

import pytest

from barpoint.engine import Engine
from barpoint.engine.executors import executor_named
from benchmarks.judged import again
from benchmarks.judged.store import Judged, read

KNOWN = read()[::60]


def judged_anew(_: Engine, old: Judged) -> Judged:
    """Stands for a rollout: every loss is a hundredth larger."""
    return replace(old, values={text: (round(loss + 0.01, 4), error) for text, (loss, error) in old.values.items()})


def test_only_the_kinds_that_are_named_are_judged_and_the_order_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(again, "judged_again", judged_anew)
    engine, kind = Engine("backgammon"), KNOWN[1].kind
    with executor_named("threads", 2) as executor:
        found = list(again.judge_all(engine, KNOWN, [kind], executor))
    assert found == [judged_anew(engine, old) if old.kind == kind else old for old in KNOWN]


def test_a_stopped_run_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Judged] = []

    def counted(engine: Engine, old: Judged) -> Judged:
        asked.append(old)
        return judged_anew(engine, old)

    monkeypatch.setattr(again, "judged_again", counted)
    engine, file = Engine("backgammon"), tmp_path / "kept"
    next(again.judge_all(engine, KNOWN, [], file=file))
    found = list(again.judge_all(engine, KNOWN, [], file=file))
    assert found == [judged_anew(engine, old) for old in KNOWN]
    assert asked == KNOWN, "each is judged once"
