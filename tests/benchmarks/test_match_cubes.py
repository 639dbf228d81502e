"""Cube decisions at match scores: which are taken, the file of judged ones, and what is printed."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from barpoint.board import Position, Side
from barpoint.engine import Engine, Score
from barpoint.engine.cube_info import CubeInfo
from barpoint.engine.executors import executor_named
from benchmarks import match_cubes as report
from benchmarks.judged import scores
from benchmarks.judged.judge import NEAR, is_close
from benchmarks.judged.scores import (
    SCORES,
    JudgedCube,
    close_decision,
    format_line,
    info_at,
    judge_again,
    judge_more,
    parse_line,
    read,
)
from benchmarks.peer.cube_player import may_gain
from benchmarks.peer.player import CubeWorth

POSITION = Position(Side.of({24: 1, 13: 3, 8: 4, 6: 5, 5: 2}), Side.of({25: 1, 21: 1, 13: 5, 8: 3, 6: 5}))
ERRORS = (0.0011, 0.0015, 0.0008)


def judged_at(score: str, number: int, old: JudgedCube | None = None) -> JudgedCube:
    """Stands for a rollout."""
    return old or JudgedCube(score, POSITION, 1, number / 10, 0.9, ERRORS)


def test_there_are_twelve_scores_of_both_sides() -> None:
    assert len(SCORES) == 12
    assert SCORES["2-away 5-away"] == Score(2, 5)


def test_a_decision_is_a_close_one_of_the_side_that_needs_the_points_named_first() -> None:
    name = "4-away 2-away"
    position, cube = close_decision(name, 1, 0)
    info = info_at(name, cube)
    assert info.score == Score(4, 2)
    assert may_gain(info)
    assert is_close(Engine("backgammon", plies=2).cube(position, cube=info.cube, score=info.score))
    assert close_decision(name, 1, 0) == (position, cube) != close_decision(name, 1, 1)


def test_what_is_clear_or_the_same_is_not_close() -> None:
    engine, score = Engine("backgammon"), Score(5, 5)
    clear = engine.cube(engine.rules.start, score=score)
    assert clear.double_pass - clear.double_take > NEAR
    assert not is_close(clear)
    assert is_close(clear, near=1)
    won = engine.cube(Position(Side.of({0: 14, 1: 1}), Side.of({0: 14, 1: 1})), score=score)
    assert won.no_double == won.double_pass
    assert not is_close(won), "the game is won with and without a double"


def test_a_judged_decision_depends_on_score_and_number_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores, "SETTLED", {"trials": 36})
    first = scores.judge("3-away 3-away", 1)
    assert scores.judge("3-away 3-away", 1) == first
    assert (first.position, first.cube) == close_decision("3-away 3-away", scores.SEED, 1)
    assert scores.judge("3-away 3-away", 1, first) == first
    assert abs(first.no_double - min(first.double_take, 1.0)) < 0.5


def test_a_line_gives_back_what_was_judged() -> None:
    judged = JudgedCube("9-away 3-away", POSITION, 2, -0.1234, 1.0567, ERRORS)
    assert parse_line(format_line(judged)) == judged
    assert judged.info.cube is not None
    assert (judged.info.cube.owner, judged.info.score) == ("us", Score(9, 3))


@pytest.mark.parametrize(
    ("no_double", "double_take", "errors", "settled"),
    [
        (0.50, 0.60, (0.02, 0.02, 0.02), True),
        (0.50, 0.57, (0.02, 0.02, 0.02), False),  # doubling is not clear
        (0.50, 0.95, (0.01, 0.02, 0.02), False),  # taking is not
        (0.90, 1.20, (0.02, 0.02, 0.10), True),  # a double that is passed is compared with 1
        (0.98, 1.20, (0.02, 0.02, 0.01), False),
        (0.50, 0.501, (0.002, 0.002, 0.002), True),  # known as well as is asked for
    ],
)
def test_a_decision_is_settled_once_both_choices_are_clear_or_all_is_known_well(
    no_double: float, double_take: float, errors: tuple[float, float, float], settled: bool
) -> None:
    assert JudgedCube("2-away 2-away", POSITION, 1, no_double, double_take, errors).settled == settled


def test_what_is_not_settled_is_judged_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, score = tmp_path / "cubes", "2-away 2-away"
    rough = JudgedCube(score, POSITION, 1, 0.5, 0.51, (0.02, 0.02, 0.02))
    monkeypatch.setattr(scores, "judge", lambda *_: rough)
    assert list(judge_more(1, scores=(score,), path=path)) == [rough]
    monkeypatch.setattr(scores, "judge", lambda _score, _number, old: replace(old, errors=ERRORS))
    assert list(judge_more(1, scores=(score,), path=path)) == [replace(rough, errors=ERRORS)]
    assert list(judge_more(1, scores=(score,), path=path)) == []


def test_judging_goes_on_where_it_was_and_is_the_same_on_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scores, "judge", judged_at)
    whole, stopped, spread = (tmp_path / name for name in ("whole", "stopped", "spread"))
    assert len(list(judge_more(2, path=whole))) == 24
    next(judge_more(2, path=stopped))
    assert len(list(judge_more(2, path=stopped))) == 23
    with executor_named("threads", 2) as executor:
        list(judge_more(2, executor=executor, path=spread))
    assert whole.read_bytes() == stopped.read_bytes() == spread.read_bytes()
    assert list(judge_more(2, path=whole)) == []


def test_all_are_judged_anew_and_the_file_is_replaced_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scores, "judge", judged_at)
    path = tmp_path / "cubes"
    list(judge_more(1, scores=("2-away 2-away",), path=path))
    before = path.read_bytes()

    def twice_as_sure(score: str, number: int, old: JudgedCube | None = None) -> JudgedCube:
        assert old is not None
        return replace(old, errors=(0.001, 0.001, 0.001))

    monkeypatch.setattr(scores, "judge", twice_as_sure)
    found = judge_again(path=path)
    assert next(found).errors == (0.001, 0.001, 0.001)
    assert path.read_bytes() == before, "not before all are there"
    assert list(found) == []
    assert [each.errors for each in scores.read(path)] == [(0.001, 0.001, 0.001)]
    assert [file.name for file in tmp_path.iterdir()] == ["cubes"]


class Doubles:
    """Always doubles, always passes."""

    name = "doubles"

    def cube(self, position: Position, info: CubeInfo) -> CubeWorth:
        return 0.0, 1.5, 1.0

    def play_with_cube(self, position: Position, faces: Sequence[int], info: CubeInfo) -> Position:
        raise AssertionError("only cube decisions are asked for")


def absent(_: int) -> Doubles:
    raise FileNotFoundError("that program is not installed")


def test_a_player_loses_what_the_judge_says() -> None:
    assert report.losses(Doubles(), judged_at("2-away 2-away", 7)) == [0.0, pytest.approx(0.1)]
    too_good = JudgedCube("2-away 2-away", POSITION, 1, 1.2, 1.6, ERRORS)
    assert report.losses(Doubles(), too_good) == [pytest.approx(0.2), 0.0]


def test_a_program_that_is_not_installed_is_named_and_left_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "PLAYERS", (("absent", absent), ("doubles", lambda _: Doubles())))
    found = report.found_losses([judged_at("2-away 2-away", 7)], 1)
    assert list(found) == ["doubles 0-ply", "doubles 1-ply"]
    assert capsys.readouterr().out == "that program is not installed\n"


def test_the_report_has_a_line_for_each_score_and_player(capsys: pytest.CaptureFixture[str]) -> None:
    sample = [judged_at(score, number) for score in ("2-away 2-away", "7-away 7-away") for number in (7, 8)]
    found = {
        name: [[0.01, 0.03]] * 2 + [[0.0, 0.0]] * 2
        for name in ("Barpoint 0-ply", "constants 0-ply", "as for money 0-ply")
    }
    report.report(sample, found)
    printed = capsys.readouterr().out
    assert "4 cubes at 2 scores; the judge's error of double/take against no double: 0.8" in printed
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    assert "Barpoint 0-ply 10.0 +- 4.6, PR 5.00" in lines
    assert "2-away 2-away 20.0 +- 5.8 20.0 +- 5.8 20.0 +- 5.8" in lines
    assert "gained by the cube net, 0-ply: 0.00 +- 0.00" in printed


def test_the_kept_decisions_are_at_all_scores_and_may_gain() -> None:
    found = read()
    assert {each.score for each in found} == set(SCORES)
    assert all(may_gain(each.info) and max(each.errors) < 0.05 for each in found)
    assert scores.FILE.stat().st_size < 500_000
