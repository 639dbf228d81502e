"""Hard families: what belongs to them, and the file of judged values."""

import random
from pathlib import Path

import pytest

from barpoint.board import Position, Side
from barpoint.engine.executors import executor_named
from benchmarks import families as report
from benchmarks.judged import values
from benchmarks.judged.families import FAMILIES, constructed, family_position, holder_of
from benchmarks.judged.values import JudgedValue, format_line, judge_again, judge_more, parse_line, read

HOME = {6: 3, 5: 3, 4: 2, 3: 2, 2: 2}
EXAMPLES = {
    "back game": (Side.of({24: 2, 22: 2, 13: 3, 8: 4, 6: 4}), Side.of({13: 2, 8: 3, 6: 4, 5: 3, 4: 3})),
    "massive back game": (Side.of({24: 3, 22: 3, 20: 3, 12: 6}), Side.of({8: 3, 6: 4, 4: 4, 2: 4})),
    "containment": (Side.of({9: 3, 8: 2, 7: 2, 6: 2, 5: 2, 4: 4}), Side.of({0: 11, 25: 1, 1: 3})),
    "snake": (Side.of({20: 2, 18: 3, 16: 4, 14: 4, 6: 2}), Side.of({0: 5, 24: 1, 2: 9})),
    "crashed board": (Side.of({24: 2, 6: 2, 3: 4, 2: 4, 1: 3}), Side.of({13: 2, 8: 3, 6: 4, 5: 3, 4: 3})),
    "deep prime": (Side.of({9: 3, 6: 2, 5: 3, 4: 3, 3: 2, 2: 2}), Side.of({24: 1, 13: 4, 8: 5, 6: 5})),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_an_example_belongs_to_its_family_and_says_who_holds_it(family: str) -> None:
    holder, other = EXAMPLES[family]
    assert holder_of(family, Position(holder, other)) == "us"
    assert holder_of(family, Position(other, holder)) == "them"
    for different in FAMILIES:
        if different != family:
            assert holder_of(different, Position(holder, other)) is None


@pytest.mark.parametrize("family", FAMILIES)
def test_a_race_and_the_start_belong_to_none(family: str) -> None:
    start = Side.of({24: 2, 13: 5, 8: 3, 6: 5})
    assert holder_of(family, Position(start, start)) is None
    assert holder_of(family, Position(Side.of({6: 15}), Side.of({5: 15}))) is None


@pytest.mark.parametrize("family", FAMILIES)
def test_constructed_positions_have_fifteen_checkers_and_nobody_shares_a_point(family: str) -> None:
    dice = random.Random(3)
    for _ in range(50):
        position = constructed(family, dice)
        assert position.us.total == position.them.total == 15
        assert not any(position.us.points[point] and position.them.points[25 - point] for point in range(1, 25))


def test_a_position_depends_on_family_seed_and_number_alone() -> None:
    first = family_position("deep prime", 1, 0)
    assert holder_of("deep prime", first)
    assert family_position("deep prime", 1, 0) == first != family_position("deep prime", 1, 1)


def test_a_line_gives_back_what_was_judged() -> None:
    judged = JudgedValue("snake", Position(*EXAMPLES["snake"]), -0.1234, 0.0056)
    assert parse_line(format_line(judged)) == judged


def test_judging_goes_on_where_it_was_and_is_the_same_on_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "ERROR", 0.1)
    whole, stopped, spread = (tmp_path / name for name in ("whole", "stopped", "spread"))
    kinds = ("crashed board", "deep prime")
    assert len(list(judge_more(1, kinds, path=whole))) == 2
    next(judge_more(1, kinds, path=stopped))
    assert len(list(judge_more(1, kinds, path=stopped))) == 1
    with executor_named("threads", 2) as executor:
        list(judge_more(1, kinds, executor, spread))
    assert whole.read_bytes() == stopped.read_bytes() == spread.read_bytes()
    assert list(judge_more(1, kinds, path=whole)) == []


def test_a_value_that_is_not_known_well_enough_is_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "ERROR", 0.1)
    path, position = tmp_path / "kept", Position(*EXAMPLES["deep prime"])
    poor, good = (JudgedValue("deep prime", position, 0.1, error) for error in (0.11, 0.1))
    path.write_text(f"{format_line(poor)}\n{format_line(good)}\n", encoding="utf-8")
    (again,) = judge_more(2, ["deep prime"], path=path)
    assert again.position == position
    assert again.error <= 0.1
    assert read(path) == [again, good]


def test_all_values_are_judged_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "ERROR", 0.1)
    path, positions = tmp_path / "kept", [Position(*EXAMPLES[family]) for family in ("deep prime", "crashed board")]
    old = [JudgedValue(*each, 3.0, 0.01) for each in zip(("deep prime", "crashed board"), positions, strict=True)]
    path.write_text("".join(f"{format_line(each)}\n" for each in old), encoding="utf-8")
    found = list(judge_again(path=path))
    assert [(each.family, each.position) for each in found] == [(each.family, each.position) for each in old]
    assert all(each.equity < 3 and each.error <= 0.1 for each in found)
    assert read(path) == found


def test_the_report_has_error_and_bias_for_the_holder(capsys: pytest.CaptureFixture[str]) -> None:
    holder, other = EXAMPLES["snake"]
    judged = [
        JudgedValue("snake", Position(holder, other), 0.5, 0.01),
        JudgedValue("snake", Position(other, holder), -0.5, 0.01),
    ]
    high = {judged[0].position: 0.6, judged[1].position: -0.6}  # both say 0.1 too much for the holder
    assert report.line("X", high.__getitem__, judged) == "snake, X: off by 0.100 +- 0.000, bias +0.100 +- 0.000"


def test_the_kept_values_belong_to_their_families() -> None:
    found = read()
    assert {each.family for each in found} == set(FAMILIES)
    assert all(holder_of(each.family, each.position) and 0 <= each.error < 0.2 for each in found)
