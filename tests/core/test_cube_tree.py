"""The cube down the tree: against a readable recursion, against exact tables, and the order of who holds it."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from barpoint.board import Position, Side
from barpoint.dice import seeded
from barpoint.engine import CubeInfo, CubeState, Engine, Score, bearoff
from barpoint.engine.net import DEFAULT_CUBE_EFFICIENCY, find_net, load
from barpoint.game import Stakes
from barpoint.moves import outcome
from barpoint.native import core, core_rules, pack
from barpoint.variants import variant

RULES = variant("backgammon")
CORE = core_rules(RULES)
# Neither tables nor pruning nor other probabilities for other cubes: what the recursion below can follow.
PLAIN = core.Searcher(CORE, load(find_net(RULES)).for_money())
BARE = core.Searcher(CORE, None)

Row = npt.NDArray[np.float64]
"""No double, double/take, double/pass, the best, whether a beaver is the answer."""


def position_of(*ours: int, theirs: tuple[int, ...] = (1,)) -> Position:
    """A bear-off with these points left, fifteen checkers each."""

    def side(points: tuple[int, ...]) -> Side:
        return Side.of({0: 15 - len(points), **{point: points.count(point) for point in points}})

    return Position(side(ours), side(theirs))


def played(count: int, every: int) -> list[Position]:
    """Some positions of games that the net plays."""
    engine, numbers = Engine("backgammon"), seeded(5)
    found, position = [], RULES.start
    while len(found) < count * every:
        found.append(position)
        row = next(numbers) % len(RULES.dice.rows)
        position = engine.rank(position, RULES.dice.rows[row].faces)[0].play.next
        if outcome(RULES, position) is not None:
            position = RULES.start
    return found[every - 1 :: every]


def row_of(search: core.Searcher, position: Position, plies: int, cube_info: CubeInfo, state: int = 0) -> Row:
    return search.cube(pack(position), plies, cube_info.core(), DEFAULT_CUBE_EFFICIENCY)[1][state]


def static(position: Position, probabilities: npt.NDArray[np.float32], cube_info: CubeInfo) -> Row:
    efficiency = core.cube_efficiency(pack(position), DEFAULT_CUBE_EFFICIENCY)
    return core.cube_values(CORE, np.ascontiguousarray(probabilities.reshape(1, 5)), [efficiency], cube_info.core())[0]


def merit(cube_info: CubeInfo) -> Callable[[npt.NDArray[np.float32]], float]:
    """What plays inside the tree are chosen by: the stake if the cube stays where it is, points for money."""
    value = cube_info.core()
    points = (1, 2, 3, -1, -2, -3)
    w1, w2, w3, l1, l2, l3 = (value.value(p * cube_info.cube_value) if cube_info.score else float(p) for p in points)

    def of(f: npt.NDArray[np.float32]) -> float:
        win, win_g, win_b, lose_g, lose_b = (float(x) for x in f)
        lose = 1 - win
        won = w1 * (win - win_g) + w2 * (win_g - win_b) + w3 * win_b
        return won + l1 * (lose - lose_g) + l2 * (lose_g - lose_b) + l3 * lose_b

    return of


def rolled(position: Position, cube_info: CubeInfo) -> float:
    """What rolling is worth: the mean over rolls of the best play, after which the other side may double."""
    judge, total = merit(cube_info), 0.0
    for row, roll in enumerate(RULES.dice.rows):
        results, _, ended, _, values = PLAIN.candidates(pack(position), row, 0)
        best = max(range(len(results)), key=lambda i: judge(values[i, 0]))
        win, win_g, win_b, lose_g, lose_b = values[best, 0]
        after = np.frombuffer(results[best].tobytes()[32:] + results[best].tobytes()[:32], np.uint8)
        if ended[best]:
            level = 1 + win_g + win_b if not cube_info.stakes.jacoby or (cube_info.cube and cube_info.cube.owner) else 1
            value = cube_info.core().value(float(level) * cube_info.cube_value)
        else:
            probabilities = np.array([1 - win, lose_g, lose_b, win_g, win_b], np.float32)
            efficiency = core.cube_efficiency(after.tobytes(), DEFAULT_CUBE_EFFICIENCY)
            other = core.cube_values(CORE, probabilities.reshape(1, 5), [efficiency], cube_info.flip().core())[0, 3]
            value = 1 - other if cube_info.score else -other
        total += roll.weight * value
    return total / sum(roll.weight for roll in RULES.dice.rows)


def reference(position: Position, cube_info: CubeInfo) -> tuple[float, float]:
    """No double and double/take one roll ahead; a beaver where it helps."""
    assert cube_info.cube is not None
    doubled = replace(cube_info, cube=CubeState(2 * cube_info.cube.value, "them"))
    take = rolled(position, doubled)
    if cube_info.stakes.beavers:  # beavered, the doubler may still give up the doubled cube
        take = min(take, max(2 * take, -2.0 * cube_info.cube.value))
    return rolled(position, cube_info), take


STAKES = [
    CubeInfo(CubeState()),
    CubeInfo(CubeState(), stakes=Stakes(jacoby=True)),
    CubeInfo(CubeState(), stakes=Stakes(jacoby=True, beavers=1)),
    CubeInfo(CubeState(4, "us")),
    CubeInfo(CubeState(2, "them")),
    CubeInfo(CubeState(), Score(7, 5)),
    CubeInfo(CubeState(2, "us"), Score(4, 6)),
    CubeInfo(CubeState(), Score(2, 3)),
    CubeInfo(CubeState(2, "us"), Score(2, 9)),
]


@pytest.mark.parametrize("cube_info", STAKES, ids=str)
def test_one_roll_ahead_the_cube_is_worth_what_a_readable_recursion_says(cube_info: CubeInfo) -> None:
    for position in [*played(3, 9), position_of(6, 6, 5, 4, theirs=(6, 5, 3))]:
        stay, take, *_ = row_of(PLAIN, position, 1, cube_info)
        assert (stay, take) == pytest.approx(reference(position, cube_info), abs=2e-5 * cube_info.cube_value)


@pytest.mark.parametrize("cube_info", STAKES, ids=str)
def test_without_a_roll_ahead_it_is_the_model_on_the_probabilities(cube_info: CubeInfo) -> None:
    for position in played(3, 9):
        probabilities = PLAIN.cube(pack(position), 0, cube_info.core(), DEFAULT_CUBE_EFFICIENCY)[0]
        assert row_of(PLAIN, position, 0, cube_info) == pytest.approx(
            static(position, probabilities, cube_info), abs=1e-9
        )


@pytest.fixture(scope="module")
def races() -> bearoff.TwoSided:
    return bearoff.build(RULES, 6)


LAST = [
    (position_of(5, 2), 2),
    (position_of(6, 4, theirs=(1, 1)), 2),
    (position_of(1, 1, 1, 1, theirs=(1, 1, 1, 1)), 3),
    (position_of(3, 2, theirs=(3, 1)), 4),
    (position_of(1, 1, 1, 1, 1, 1, theirs=(1, 1, 1, 1)), 4),
]


@pytest.mark.parametrize(("position", "plies"), LAST, ids=str)
def test_games_that_end_within_the_plies_have_their_exact_cube(
    races: bearoff.TwoSided, position: Position, plies: int
) -> None:
    """Rulings 9.6. No net, no table: all comes from the recursion."""
    exact = races.race(position)
    for owner, stay in (("us", exact.roll_owned), (None, exact.roll_centred), ("them", exact.theirs)):
        found = row_of(BARE, position, plies, CubeInfo(CubeState(1, owner)))  # type: ignore[arg-type]
        assert found[0] == pytest.approx(stay, abs=1e-6)
        assert found[1] == pytest.approx(exact.double_take, abs=1e-6)


@pytest.mark.parametrize("name", ["roll-over", "cancelgammon"])
def test_markers_and_the_cube_are_decided_together(name: str) -> None:
    """Who may reroll and who may double, to the end of the game without a net (rulings 2.7, 9.6)."""
    rules = variant(name)
    bare, table = core.Searcher(core_rules(rules), None), bearoff.build(rules, 2)
    for position in (position_of(5, 5), position_of(6, 2), position_of(4, 4, theirs=(1, 1))):
        for state, tokens in enumerate([(0, 0), (1, 0), (0, 1), (1, 1)]):
            exact = table.race(position, tokens)
            found = row_of(bare, position, 2, CubeInfo(CubeState()), state)
            assert found[:2] == pytest.approx((exact.roll_centred, exact.double_take), abs=1e-6)


def test_exact_races_come_nearer_with_every_roll_looked_ahead(races: bearoff.TwoSided) -> None:
    places = [(6, 5, 4), (5, 5, 2), (6, 3), (4, 4, 4), (6, 6, 5, 1)]
    positions = [position_of(*us, theirs=them) for us in places for them in places]
    missed = []
    for plies in (0, 1, 2, 3):
        rows = np.array([row_of(PLAIN, position, plies, CubeInfo(CubeState()))[:2] for position in positions])
        exact = np.array([[(r := races.race(p)).roll_centred, r.double_take] for p in positions])
        missed.append(float(np.abs(rows - exact).mean()))
    assert missed[3] < missed[2] < missed[1] < missed[0]
    assert missed[3] < missed[0] / 3


@pytest.mark.parametrize(("cube", "score"), [(1, Score(4, 4)), (1, Score(3, 5)), (2, Score(5, 7))])
def test_at_a_score_the_last_roll_is_its_own_closed_form(cube: int, score: Score) -> None:
    """27 of 36 rolls win; after a miss the other side wins, and needs no cube for that. Nothing is left to double for."""
    p = 27 / 36
    cube_info = CubeInfo(CubeState(cube, "us"), score)
    engine = Engine("backgammon", plies=2)
    found = engine.cube(position_of(6), cube=cube_info.cube, score=score)
    value = cube_info.core().value
    assert found.mwc is not None
    assert found.mwc[0] == pytest.approx(p * value(cube) + (1 - p) * value(-cube), abs=1e-6)
    assert found.mwc[1] == pytest.approx(p * value(2 * cube) + (1 - p) * value(-2 * cube), abs=1e-6)


@pytest.mark.parametrize("score", [None, Score(9, 9), Score(5, 3), Score(3, 11)])
@pytest.mark.parametrize("plies", [1, 2])
def test_who_holds_the_cube_is_never_worse_off(score: Score | None, plies: int) -> None:
    engine = Engine("backgammon", plies=plies)
    for position in played(4, 8):
        ours, centred, theirs = (
            engine.cube(position, cube=CubeState(1, owner), score=score).no_double  # type: ignore[arg-type]
            for owner in ("us", None, "them")
        )
        assert theirs <= centred + 1e-6
        assert centred <= ours + 1e-6


def test_a_doubled_game_is_played_for_what_it_is_about_then() -> None:
    """Two points from home no gammon helps the player doubled to two, so both sides' replies differ."""
    engine, score = Engine("backgammon", plies=2), Score(2, 4)
    unit = CubeInfo(CubeState(), score)
    for position in played(4, 10):
        seen = engine.cube(position, cube=CubeState(), score=score).double_take
        asked = engine.cube(position, cube=CubeState(2, "them"), score=score)
        assert asked.mwc is not None
        assert seen == pytest.approx(unit.to_equity(asked.mwc[0]), abs=0.05)


def test_plays_are_ranked_by_what_the_cube_makes_of_them_further_down() -> None:
    """A play is worth what the position after it is worth to the other side, searched as far."""
    cubes = CubeState(), CubeState(2, "us"), CubeState(2, "them")
    for plies, score, cube in product(range(3), (None, Score(5, 7)), cubes):
        engine, flipped = Engine("backgammon", plies=plies), score and Score(score.them, score.us)
        theirs = CubeInfo(cube).flip().cube
        for position in played(3, 11):
            ranked = engine.rank(position, (6, 3), cube=cube, score=score)
            assert ranked[0].deep
            for item in ranked[:3]:
                if not item.deep:
                    break
                assert item.equity == pytest.approx(
                    -engine.equity(item.play.next, cube=theirs, score=flipped), abs=1e-5
                )


def test_of_plays_after_which_the_other_side_cashes_the_best_one_comes_first() -> None:
    """They are all worth as much; yet whoever doubles late or not at all is played against."""
    position = position_of(6, 6, 5, 5, 4, 4, 3, 3, theirs=(3, 2, 2, 1, 1))
    for plies in (0, 1):
        ranked = Engine("backgammon", plies=plies).rank(position, (2, 1), cube=CubeState())
        cashed = [item for item in ranked if item.equity == -1 and item.deep]
        assert len(cashed) > 1
        worths = [item.chances.equity for item in cashed]
        assert worths == sorted(worths, reverse=True)


def test_threads_give_the_same_plays_with_a_cube() -> None:
    one, two = Engine("backgammon", plies=2), Engine("backgammon", plies=2, threads=2)
    position = played(1, 12)[0]
    score = Score(5, 3)
    assert one.rank(position, (4, 2), cube=CubeState()) == two.rank(position, (4, 2), cube=CubeState())
    assert one.rank(position, (4, 2), cube=CubeState(), score=score) == two.rank(
        position, (4, 2), cube=CubeState(), score=score
    )
    assert one.cube(position, score=score) == two.cube(position, score=score)


def test_with_markers_the_cube_is_judged_in_every_state_of_them() -> None:
    engine = Engine("roll-over", plies=1)
    values = {
        tokens: engine.cube(engine.rules.start, tokens=tokens).no_double for tokens in ((0, 0), (1, 0), (0, 1), (1, 1))
    }
    assert values[1, 0] > values[1, 1] > values[0, 1]
    assert values[1, 0] > values[0, 0] > values[0, 1]
