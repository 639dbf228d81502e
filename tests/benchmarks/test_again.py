"""Judging the set of decisions again: in order, on executors, and on from a stop."""

from dataclasses import replace
from pathlib import Path

import pytest

from barpoint.engine import Engine
from barpoint.engine.executors import executor_named
from benchmarks.judged import again
from benchmarks.judged.store import Judged, read

KNOWN = read()[::240]


def judged_anew(_: Engine, old: Judged) -> Judged:
    """Stands for a rollout: every loss is a hundredth larger."""
    return replace(old, values={text: (round(loss + 0.01, 4), error) for text, (loss, error) in old.values.items()})


def test_only_what_is_wanted_is_judged_and_the_order_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(again, "judged_again", judged_anew)
    engine, kind = Engine("backgammon"), KNOWN[1].kind
    with executor_named("threads", 2) as executor:
        found = list(again.judge_all(engine, KNOWN, lambda old: old.kind == kind, executor))
    assert found == [judged_anew(engine, old) if old.kind == kind else old for old in KNOWN]


def test_a_stopped_run_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Judged] = []

    def counted(engine: Engine, old: Judged) -> Judged:
        asked.append(old)
        return judged_anew(engine, old)

    monkeypatch.setattr(again, "judged_again", counted)
    engine, file = Engine("backgammon"), tmp_path / "kept"
    next(again.judge_all(engine, KNOWN, lambda _: True, file=file))
    found = list(again.judge_all(engine, KNOWN, lambda _: True, file=file))
    assert found == [judged_anew(engine, old) for old in KNOWN]
    assert asked == KNOWN, "each is judged once"


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"no double": (0.5, 0.01), "double/take": (0.6, 0.01)}, False),  # both choices are clear
        ({"no double": (0.57, 0.01), "double/take": (0.6, 0.01)}, True),
        ({"no double": (0.57, 0.002), "double/take": (0.571, 0.002)}, False),  # known as well as is asked for
        ({"no double": (0.5, 0.01), "double/take": (0.97, 0.01)}, True),
        ({"no double": (0.97, 0.01), "double/take": (1.3, 0.1)}, True),  # the other side passes, so doubling is worth 1
        ({"no double": (0.9, 0.01), "double/take": (1.3, 0.05)}, False),
        ({"8/5 6/5": (0.0, 0.1)}, False),
    ],
)
def test_a_cube_is_unsettled_while_a_choice_is_neither_clear_nor_known_well(
    values: dict[str, tuple[float, float]], found: bool
) -> None:
    faces = () if "no double" in values else (3, 1)
    assert again.unsettled(replace(KNOWN[0], faces=faces, values=values)) == found
