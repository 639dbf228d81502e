"""Exact tables in evaluation, search, cube decisions and training: rulings 9.5, 9.6."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from barpoint.board import Position, Side
from barpoint.engine import CubeState, Engine, Score, bearoff
from barpoint.engine.net import find_net, load
from barpoint.game import Stakes
from barpoint.native import core, core_rules, pack, unpack
from barpoint.variants import variant


def home(*ours: int, theirs: tuple[int, ...], checkers: int = 15) -> Position:
    """A race with these points left."""

    def side(points: tuple[int, ...]) -> Side:
        return Side.of({0: checkers - len(points), **{point: points.count(point) for point in points}})

    return Position(side(ours), side(theirs))


FEW = (home(6, 5, 4, theirs=(6, 6, 5)), home(2, 1, 1, 1, theirs=(3, 3, 1)), home(6, 6, 6, 5, 5, 4, theirs=(6,)))
MANY = home(6, 5, 4, 4, 3, 2, 1, 1, theirs=(6, 6, 5, 5, 4, 4, 3))
GAMMONISH = home(4, 3, theirs=(6, 6, 6, 6, 6, 5, 5, 5, 4, 4, 4, 3, 3, 2, 1))


@pytest.fixture(scope="module")
def standard() -> bearoff.TwoSided:
    return bearoff.build(variant("backgammon"))


@pytest.mark.parametrize("plies", [0, 1, 2])
@pytest.mark.parametrize("position", FEW)
def test_races_of_few_checkers_have_their_exact_value_at_every_ply(
    standard: bearoff.TwoSided, position: Position, plies: int
) -> None:
    found = Engine("backgammon", plies=plies).evaluate(position)
    assert found.win == pytest.approx(standard.race(position).win, abs=1e-6)


@pytest.mark.parametrize("name", ["roll-over", "cancelgammon", "duodecagammon"])
def test_every_token_state_is_exact_and_every_dice_model_served(name: str) -> None:
    engine = Engine(name)
    table = bearoff.build(engine.rules, 3)
    states = [(0, 0), (1, 0), (0, 1), (1, 1)] if engine.rules.rerolls.tokens else [(0, 0)]
    for tokens in states:
        found = engine.evaluate(home(6, 5, 4, theirs=(6, 6, 5)), tokens)
        assert found.win == pytest.approx(table.race(home(6, 5, 4, theirs=(6, 6, 5)), tokens).win, abs=1e-6)


def test_three_checkers_a_side_keep_their_gammons() -> None:
    """With all three on the board a gammon can be lost, so no two-sided table has the position; one-sided tables do."""
    engine = Engine("hypergammon")
    position = home(1, 1, 1, theirs=(6, 6, 6), checkers=3)
    table = bearoff.OneSided.of(engine.rules)
    assert engine.evaluate(position).win_gammon == pytest.approx(table.win_gammon(position), abs=1e-6)


@pytest.mark.parametrize("position", [MANY, GAMMONISH])
def test_larger_races_have_the_figures_of_one_side_after_the_other(position: Position) -> None:
    found, table = Engine("backgammon").evaluate(position), bearoff.OneSided.of(variant("backgammon"))
    assert found.win == pytest.approx(table.win(position), abs=1e-6)
    gammon = table.win_gammon(position) if position.them.points[0] == 0 else 0.0
    assert found.win_gammon == pytest.approx(gammon, abs=1e-6)
    assert found.win_backgammon == found.lose_gammon == found.lose_backgammon == 0


def test_a_side_that_has_a_checker_out_is_left_to_the_net() -> None:
    rules = variant("backgammon")
    position = Position(Side.of({0: 13, 7: 1, 1: 1}), Side.of({0: 13, 6: 2}))
    packed = np.frombuffer(pack(position), np.uint8).reshape(1, 64)
    net = load(find_net(rules))
    with_tables, without = (core.Searcher(core_rules(rules), net, tables=t).evaluate(packed, 0) for t in (True, False))
    assert (with_tables == without).all()


@pytest.mark.parametrize("owner", ["us", None, "them"])
@pytest.mark.parametrize("position", FEW)
def test_cube_decisions_of_few_checkers_are_exact(
    standard: bearoff.TwoSided, position: Position, owner: str | None
) -> None:
    race = standard.race(position)
    found = Engine("backgammon").cube(position, cube=CubeState(2, owner))
    stay = {"us": race.roll_owned, None: race.roll_centred, "them": race.theirs}[owner]
    assert found.no_double == pytest.approx(stay, abs=1e-9)
    assert (found.double_take, found.double_pass) == (pytest.approx(race.double_take, abs=1e-9), 1)


def test_the_last_two_checkers_are_doubled_and_taken_as_the_books_say() -> None:
    """Rulings 9.6: 5 and 2 against an ace: 19 of 36 rolls bear both off, a double and a take; nobody beavers it."""
    engine = Engine("backgammon")
    position = home(5, 2, theirs=(1,))
    found = engine.cube(position, cube=CubeState(), stakes=Stakes(beavers=1))
    assert found.action == "double/take"
    assert found.double_take == pytest.approx(4 / 36, abs=1e-6)
    assert engine.cube(home(6, 3, theirs=(1,)), cube=CubeState(), stakes=Stakes(beavers=1)).action == "no double"


def test_a_wrong_double_is_beavered() -> None:
    position = home(6, 3, theirs=(1,))
    plain = Engine("backgammon").cube(position, cube=CubeState())
    beavered = Engine("backgammon").cube(position, cube=CubeState(), stakes=Stakes(beavers=1))
    assert beavered.double_take == pytest.approx(max(2 * plain.double_take, -2))


def test_plays_are_ranked_by_what_the_table_says_with_a_cube(standard: bearoff.TwoSided) -> None:
    engine = Engine("backgammon")
    for item in engine.rank(FEW[0], (2, 1), cube=CubeState()):
        after = item.play.result.flip()
        assert item.equity == pytest.approx(-standard.race(after).centred, abs=1e-9)


def test_at_a_score_the_chances_are_exact_and_the_cube_is_the_matchs(standard: bearoff.TwoSided) -> None:
    found = Engine("backgammon").cube(FEW[0], cube=CubeState(), score=Score(3, 3))
    assert found.mwc is not None
    assert found.chances.win == pytest.approx(standard.race(FEW[0]).win, abs=1e-6)


def test_the_first_questions_may_come_from_many_threads_at_once() -> None:
    """Nackgammon shares its tables with the standard game; CancelGammon's are made here, by whoever comes first."""
    engines = [Engine(name) for name in ("cancelgammon", "nackgammon") for _ in range(2)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda engine: engine.evaluate(FEW[0]), engines))
    assert found[0] == found[1]
    assert found[2] == found[3]


@pytest.mark.parametrize("tables", [True, False])
def test_self_play_labels_races_of_few_checkers_exactly(tables: bool) -> None:
    """Five checkers a side: games are short, and most end in a race."""
    rules = variant("hypergammon(checkers=5)")
    table = bearoff.build(rules, 4)
    job = core.start_labelling(
        load(find_net(rules)),
        starts=[(core_rules(rules), 1.0)],
        scatter=0.0,
        exploration=0.0,
        lambda_=0.6,
        longest=400,
        seed=4,
        first_game=0,
        games=30,
        threads=1,
        tables=tables,
    )
    while not job.wait(1.0):
        pass
    positions, targets = job.labels()
    found = [(unpack(p.tobytes()), t[0, 0]) for p, t in zip(positions, targets, strict=True)]
    errors = [abs(win - table.race(p).win) for p, win in found if table.covers(p)]
    assert errors
    assert (max(errors) < 1e-4) == tables


def test_the_best_play_of_a_race_loses_nothing(standard: bearoff.TwoSided) -> None:
    engine = Engine("backgammon", plies=1)
    for faces in ((6, 1), (4, 3), (2, 2)):
        ranked = engine.rank(FEW[2], faces)
        exact = {i.play.result: -standard.race(i.play.next).cubeless for i in ranked if standard.covers(i.play.next)}
        if exact:
            assert exact[ranked[0].play.result] == pytest.approx(max(exact.values()), abs=1e-6)


def test_races_in_which_rolls_follow_others_have_no_table() -> None:
    """Rulings 4.10: what a double is worth depends on the doubles after it."""
    rules = core_rules(variant("gioul"))
    for table, checkers in ((core.OneSided, 15), (core.TwoSided, 2)):
        with pytest.raises(ValueError, match="followed by"):
            table(rules, checkers)
