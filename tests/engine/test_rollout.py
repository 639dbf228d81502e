"""Rollouts: right where the answer is known, the same however they are split, stopped and resumed without loss."""

from collections import Counter
from dataclasses import replace
from math import hypot
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from barpoint.board import Position, Side
from barpoint.chances import Margins
from barpoint.engine import CubeInfo, CubeState, Engine, Estimate, RolloutSettings, Score
from barpoint.engine.playout import Games, RolloutStart, Specification, play_block
from barpoint.error import ArgumentError, StakesError
from barpoint.game import Game, Stakes
from barpoint.native import core, core_rules
from barpoint.variants import variant

NOTHING = CubeInfo()
HYPER = variant("hypergammon")


def bear_off(*ours: int, theirs: tuple[int, ...] = (1,)) -> Position:
    """Both sides with these points left, fifteen checkers each."""

    def side(points: tuple[int, ...]) -> Side:
        return Side.of({0: 15 - len(points), **{point: points.count(point) for point in points}})

    return Position(side(ours), side(theirs))


def agree(one: Estimate, other: Estimate) -> bool:
    return abs(one.mean - other.mean) <= 3.5 * hypot(one.error, other.error) + 1e-6


@pytest.mark.parametrize(
    ("ours", "theirs", "win"),
    [
        ((1,) * 4, (1,) * 4, 0.8611111),
        ((1,) * 4, (1, 1), 0.1666667),
        ((5, 2), (1,), 0.5277778),
        ((6,), (6,), 0.75 + 0.25 * 0.25),
    ],
)
def test_bear_offs_without_a_choice_come_out_within_their_errors(
    ours: tuple[int, ...], theirs: tuple[int, ...], win: float
) -> None:
    """Rulings 9.6 and a checker each, played to the end and not by the tables: nothing depends on what the net knows."""
    found = Engine("backgammon").rollout(bear_off(*ours, theirs=theirs), trials=1296, tables=False, threads=1)
    assert agree(Estimate(found.chances.win, found.errors.win), Estimate(win, 1e-5))


@pytest.mark.parametrize(
    ("ours", "theirs", "win"),
    [
        ((1,) * 4, (1,) * 4, 0.8611111),
        ((1,) * 4, (1, 1), 0.1666667),
        ((5, 2), (1,), 0.5277778),
        ((6, 6), (6, 6), 0.7544944),
    ],
)
def test_bear_offs_that_a_table_knows_come_out_exactly(
    ours: tuple[int, ...], theirs: tuple[int, ...], win: float
) -> None:
    """Rulings 9.6."""
    known = Engine("backgammon").rollout(bear_off(*ours, theirs=theirs), trials=36, threads=1)
    assert known.chances.win == pytest.approx(win, abs=1e-6)
    assert known.errors.win == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("ours", "theirs", "owner", "equity"),
    [
        ((6, 6), (6, 6), None, 0.9612594),
        ((6, 6), (6, 6), "them", 0.4806297),
        ((5, 2), (1,), None, 0.1111111),
        ((4,) * 6, (4,) * 6, "us", 0.5571750),
    ],
)
def test_exact_values_with_a_cube_come_out(
    ours: tuple[int, ...], theirs: tuple[int, ...], owner: str | None, equity: float
) -> None:
    """Rulings 9.6: what the tables know ends the game."""
    position, cube = bear_off(*ours, theirs=theirs), CubeState(1, owner)  # type: ignore[arg-type]
    known = Engine("backgammon").rollout(position, cube=cube, trials=36, threads=1)
    assert known.equity.mean == pytest.approx(equity, abs=1e-6)
    assert known.equity.error == pytest.approx(0, abs=1e-9)


def test_cubes_turned_in_the_games_count() -> None:
    """Rulings 9.6, without the tables: decisions so clear that any net makes them."""

    def found(owner: Literal["them"] | None) -> Estimate:
        position, cube = bear_off(1, 1, 1, 1, theirs=(1,) * 4), CubeState(1, owner)
        return Engine("backgammon").rollout(position, cube=cube, trials=1296, tables=False, threads=1).equity

    assert found(None) == Estimate(1.0, 0.0)  # doubled, and passed
    assert agree(found("them"), Estimate(0.7222222, 1e-5))  # nobody can or should double


@pytest.mark.parametrize(
    ("tokens", "win"), [((0, 0), 11 / 36), ((1, 0), 671 / 1296), ((0, 1), 121 / 1296), ((1, 1), 5203 / 23328)]
)
def test_markers_at_a_last_chance_roll_have_their_closed_forms(tokens: tuple[int, int], win: float) -> None:
    """Rulings 2.7, p = 11/36: both sides call as the recursion does."""
    found = Engine("roll-over").rollout(bear_off(4, 4), tokens=tokens, trials=2592, tables=False, threads=1)
    assert agree(Estimate(found.chances.win, found.errors.win), Estimate(win, 1e-5))
    plain = Engine("roll-over").rollout(
        bear_off(4, 4), tokens=tokens, trials=2592, tables=False, threads=1, reduced=False
    )
    assert agree(Estimate(plain.chances.win, plain.errors.win), Estimate(win, 1e-5))


def test_a_game_that_any_roll_ends_is_exact() -> None:
    found = Engine("backgammon").rollout(bear_off(1), trials=36, tables=False, threads=1)
    assert (found.equity.mean, found.equity.error) == (pytest.approx(1.0), pytest.approx(0.0))


def test_a_game_that_is_over_is_exact() -> None:
    found = Engine("backgammon").rollout(Position(bear_off(1, 1).us, bear_off().us), trials=4, threads=1)
    assert (found.equity.mean, found.chances.win) == (-1.0, 0.0)


@pytest.mark.parametrize("cube", [None, CubeState()])
def test_taking_luck_off_leaves_the_means_and_narrows_the_errors(cube: CubeState | None) -> None:
    engine = Engine(HYPER)
    plain = engine.rollout(HYPER.start, trials=2592, reduced=False, cube=cube, threads=1)
    reduced = engine.rollout(HYPER.start, trials=432, cube=cube, threads=1)
    assert agree(plain.equity, reduced.equity)
    for name in ("win", "win_gammon", "lose_gammon"):
        assert agree(
            Estimate(getattr(plain.chances, name), getattr(plain.errors, name)),
            Estimate(getattr(reduced.chances, name), getattr(reduced.errors, name)),
        )
    assert reduced.cubeless.error < plain.cubeless.error


def raw(name: str, threads: int, cube_info: CubeInfo = NOTHING, count: int = 24, **changes: object) -> Games:
    """Every figure of every game, whatever the number of threads."""
    rules = variant(name)
    settings = replace(RolloutSettings(truncate=12), **changes)  # type: ignore[arg-type]
    head = 3 if rules.rerolls.tokens else 0
    specification = Specification(rules, (RolloutStart(rules.start, head, cube_info),), settings)
    if threads == 1:
        return play_block(specification, 0, count)
    from barpoint.engine.playout import finished_games, start_block

    block = start_block(specification, 0, count, threads)
    while not block.wait(0.5):
        pass
    return finished_games(block, 1)


@pytest.mark.parametrize(
    ("name", "cube_info"),
    [
        ("backgammon", CubeInfo(CubeState())),
        ("backgammon", CubeInfo(CubeState(2, "us"), Score(3, 5))),
        ("roll-over", CubeInfo(CubeState())),
        ("cancelgammon", CubeInfo(CubeState())),
        ("roll-over+duodecagammon", CubeInfo()),
    ],
)
def test_the_number_of_threads_changes_nothing(name: str, cube_info: CubeInfo) -> None:
    one = raw(name, 1, cube_info)
    assert np.isfinite(one).all()
    assert len(np.unique(one[:, 0])) > 1
    for threads in (2, 3):
        assert np.array_equal(one, raw(name, threads, cube_info))


def test_games_are_functions_of_their_number() -> None:
    rules = HYPER
    specification = Specification(rules, (RolloutStart(rules.start, 0, CubeInfo()),), RolloutSettings(seed=5))
    whole = play_block(specification, 0, 30)
    assert np.array_equal(whole[:, 10:20], play_block(specification, 10, 10))
    other = replace(specification, settings=RolloutSettings(seed=6))
    assert not np.array_equal(whole, play_block(other, 0, 30))


@pytest.mark.parametrize("name", ["backgammon", "duodecagammon"])
def test_strata_are_exact(name: str) -> None:
    rules = variant(name)
    wide = sum(row.weight for row in rules.dice.rows)
    compiled = core_rules(rules)

    def row(game: int, number: int) -> int:
        return core.rollout_row(compiled, 9, game, number, True)

    weights = [row.weight for row in rules.dice.rows]
    in_round = Counter((row(game, 0), row(game, 1)) for game in range(wide**2, 2 * wide**2))
    assert in_round == {(a, b): weights[a] * weights[b] for a in range(len(weights)) for b in range(len(weights))}
    for number in (0, 1):
        assert Counter(row(game, number) for game in range(wide)) == dict(enumerate(weights))
    plain = {core.rollout_row(compiled, 9, game, 0, False) for game in range(200)}
    assert len(plain) > len(weights) // 2


def test_games_that_pay_by_the_checker_have_margins() -> None:
    rules = variant("acey-deucey")
    found = Engine(rules).rollout(rules.start, trials=4, truncate=4, threads=1)
    assert isinstance(found.chances, Margins)
    assert found.equity.mean == pytest.approx(found.chances.equity, abs=1e-6)


def test_at_the_last_point_of_a_match_its_chance_is_that_of_the_game() -> None:
    found = Engine(HYPER).rollout(HYPER.start, trials=72, score=Score(1, 1), cube=CubeState(), threads=1)
    assert found.mwc is not None
    assert found.mwc.mean == pytest.approx(found.chances.win, abs=1e-6)
    assert found.equity.mean == pytest.approx(2 * found.chances.win - 1, abs=1e-5)


def test_plays_are_rolled_out_on_the_same_dice_best_first() -> None:
    engine = Engine("backgammon")
    found = engine.rollout_plays(engine.rules.start, (3, 1), candidates=3, trials=36, truncate=6, threads=1)
    assert [str(item.play) for item in found][:1] == ["8/5 6/5"]
    assert found[0].loss == Estimate(0.0, 0.0)
    for item in found[1:]:
        assert item.loss.mean == pytest.approx(found[0].rollout.equity.mean - item.rollout.equity.mean, abs=1e-9)
        assert item.loss.error > 0
    assert engine.rollout_plays(engine.rules.start, (3, 1), candidates=3, trials=36, truncate=6, threads=2) == found


def test_a_play_that_ends_the_game_is_known() -> None:
    engine = Engine("backgammon")
    found = engine.rollout_plays(bear_off(2, 1, theirs=(1,)), (2, 1), trials=4, threads=1)
    assert found[0].rollout.equity == Estimate(1.0, 0.0)


def test_cube_actions_are_rolled_out_together() -> None:
    engine = Engine("backgammon")
    pass_ = engine.rollout_cube(bear_off(1, 1, 1, 1, theirs=(1,) * 4), trials=36, threads=1)
    assert (pass_.action, pass_.double_pass) == ("double/pass", 1.0)
    stay = engine.rollout_cube(engine.rules.start, trials=36, truncate=8, threads=1)
    assert stay.action == "no double"
    assert stay.gain.mean == pytest.approx(stay.double_take.equity.mean - stay.no_double.equity.mean, abs=1e-9)
    foolish = bear_off(6, 5, 4, 3, theirs=(5, 4, 3, 2))
    taken, beavered = (
        engine.rollout_cube(foolish, trials=36, threads=1, stakes=Stakes(beavers=beavers)) for beavers in (0, 1)
    )
    assert -1 < taken.double_take.equity.mean < 0
    assert beavered.double_take.equity.mean == 2 * taken.double_take.equity.mean
    assert (beavered.action, beavered.gain.mean) == (
        "no double",
        pytest.approx(beavered.double_take.equity.mean - taken.no_double.equity.mean),
    )
    in_match = engine.rollout_cube(engine.rules.start, trials=12, truncate=4, threads=1, score=Score(2, 2))
    assert in_match.no_double.mwc is not None
    with pytest.raises(StakesError, match="may not double"):
        engine.rollout_cube(engine.rules.start, trials=4, cube=CubeState(2, "them"))


def test_a_game_is_rolled_out_for_what_it_is_played_for() -> None:
    engine = Engine(HYPER)
    game = Game.start(HYPER)
    assert engine.rollout(game, trials=36, threads=1) == engine.rollout(
        game.position, trials=36, threads=1, cube=CubeState(), tokens=None
    )


# -- stopping and going on


def test_a_rollout_that_is_stopped_goes_on_from_its_file(tmp_path: Path) -> None:
    engine, file = Engine(HYPER), tmp_path / "kept.rollout"
    whole = engine.rollout(HYPER.start, trials=300, threads=1)
    stopped = engine.rollout(HYPER.start, trials=300, threads=1, file=file, progress=lambda said: said.done < 40)
    assert 0 < stopped.trials < 300
    assert engine.rollout(HYPER.start, trials=300, threads=2, file=file) == whole
    assert engine.rollout(HYPER.start, trials=300, threads=1, file=file, progress=lambda _: False) == whole
    assert engine.rollout(HYPER.start, trials=150, threads=1, file=file).trials == 150


def test_progress_ends_a_rollout_with_any_false_bool_and_goes_on_without_one() -> None:
    engine = Engine("hypergammon")

    def games(said: Any) -> int:
        return engine.rollout(HYPER.start, trials=72, truncate=2, threads=1, progress=lambda _: said).trials

    assert max(games(False), games(np.bool_(False))) < 72
    assert games(None) == games(True) == games(np.bool_(True)) == 72


@pytest.mark.parametrize("said", [0, 1, "", [], np.int64(0)])
def test_progress_that_returns_no_bool_is_refused(said: Any) -> None:
    with pytest.raises(ArgumentError, match=r"what progress returned is .*; allowed: bool, NoneType$"):
        Engine("hypergammon").rollout(HYPER.start, trials=36, truncate=1, threads=1, progress=lambda _: said)
