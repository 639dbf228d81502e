"""Values, rankings, cube decisions and calls; exact where a game ends within the plies looked ahead."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pytest
from msgspec.structs import replace

import barpoint as bp
from barpoint.board import Position, Side
from barpoint.chances import Chances, Margins
from barpoint.engine import CubeInfo, CubeState, DecisionPoint, Engine, Score
from barpoint.engine.net import find_net, load
from barpoint.error import ArgumentError, NetError, OptionError, PositionError, RollError, StakesError, UnsupportedRules
from barpoint.game import Cube, Double, Game, Opening, Stakes
from barpoint.match import Match
from barpoint.moves import legal_plays
from barpoint.native import core, core_rules, pack
from barpoint.rules import Rules
from barpoint.variants import variant


def bear_off(*ours: int, theirs: tuple[int, ...] = (1,)) -> Position:
    """Both sides with these points left, fifteen checkers each."""

    def side(points: tuple[int, ...]) -> Side:
        return Side.of({0: 15 - len(points), **{point: points.count(point) for point in points}})

    return Position(side(ours), side(theirs))


def exact(rules: Rules, position: Position, plies: int) -> list[float]:
    """Chance to win by token state (none, own, theirs, both), searched to the end of the game without a net."""
    packed = np.frombuffer(pack(position), np.uint8).reshape(1, 64)
    return [float(v) for v in core.Searcher(core_rules(rules), None).evaluate(packed, plies)[0, :, 0]]


LAST_CHANCES = [
    ((5, 5), 6 / 36),
    ((4, 4), 11 / 36),
    ((6, 2), 13 / 36),
    ((6,), 27 / 36),
    ((4,), 34 / 36),
]


@pytest.mark.parametrize(("points", "p"), LAST_CHANCES)
def test_markers_at_a_last_chance_roll_have_their_closed_forms(points: tuple[int, ...], p: float) -> None:
    """Rulings 2.7: f(0,0), f(1,0), f(0,1), f(1,1) = best two of three."""
    found = exact(variant("roll-over"), bear_off(*points), 2)
    assert found == pytest.approx([p, 1 - (1 - p) ** 2, p**2, 3 * p**2 - 2 * p**3], abs=1e-6)


@pytest.mark.parametrize(("points", "p"), LAST_CHANCES)
def test_in_cancelgammon_only_the_other_side_rerolls(points: tuple[int, ...], p: float) -> None:
    """The roller's token has no value on their last roll: the other side's next roll wins in any case."""
    found = exact(variant("cancelgammon"), bear_off(*points), 2)
    assert found == pytest.approx([p, p, p**2, p**2], abs=1e-6)


def test_a_final_roll_that_may_not_be_rerolled_stands() -> None:
    found = exact(variant("roll-over(final_roll_cancellable=false)"), bear_off(5, 5), 2)
    p = 1 / 6
    assert found == pytest.approx([p, 1 - (1 - p) ** 2, p, 1 - (1 - p) ** 2], abs=1e-6)


@pytest.mark.parametrize(
    ("ours", "theirs", "plies", "win"),
    [
        ((1,) * 4, (1,) * 4, 3, 0.8611111),
        ((1,) * 4, (1, 1), 2, 0.1666667),
        ((5, 2), (1,), 2, 0.5277778),
        ((6, 4), (1, 1), 2, 0.2222222),
        ((1,) * 6, (1,) * 4, 4, 0.2546296),
    ],
)
def test_the_search_is_exact_where_games_end_within_it(
    ours: tuple[int, ...], theirs: tuple[int, ...], plies: int, win: float
) -> None:
    """Exact two-sided bear-offs of rulings 9.6."""
    assert exact(variant("backgammon"), bear_off(*ours, theirs=theirs), plies)[0] == pytest.approx(win, abs=1e-6)


def test_a_twelve_sided_die_is_only_another_table() -> None:
    """6 checkers off with one roll: 12 rows, 9 of which bear off a checker on the 6 point in one roll."""
    rules = variant("duodecagammon")
    wins = sum(
        any(play.result.us.points[0] == 15 for play in legal_plays(rules, bear_off(6), row.faces))
        for row in rules.dice.rows
    )
    assert exact(rules, bear_off(6), 2)[0] == pytest.approx(wins / 12, abs=1e-6)


def test_a_line_that_goes_on_beyond_the_plies_needs_a_net() -> None:
    with pytest.raises(RuntimeError, match="goes on beyond the plies"):
        exact(variant("backgammon"), bear_off(6, 6, 6), 1)


OPENINGS = {(3, 1): "8/5 6/5", (4, 2): "8/4 6/4", (6, 1): "13/7 8/7", (5, 3): "8/3 6/3", (6, 5): "24/13"}


@pytest.mark.parametrize(("faces", "best"), OPENINGS.items())
def test_clear_openings_are_played_as_everybody_plays_them(faces: tuple[int, int], best: str) -> None:
    """Rulings 9.4: the openings with a clear single best play."""
    engine = Engine("backgammon")
    assert str(engine.rank(engine.rules.start, faces)[0].play) == best


def test_the_start_is_worth_what_rollouts_say() -> None:
    """The side on roll wins 52.5% with all rolls allowed, and gammons are some 27% of games (rulings 9.4)."""
    engine = Engine("backgammon", plies=1)
    found = engine.evaluate(engine.rules.start)
    assert isinstance(found, Chances)
    assert found.win == pytest.approx(0.525, abs=0.02)
    assert found.win_gammon + found.lose_gammon == pytest.approx(0.27, abs=0.05)


def test_hypergammon_is_near_its_exact_value() -> None:
    """+0.1107 for the side on roll, any roll (rulings 9.8)."""
    engine = Engine("hypergammon", plies=1)
    assert engine.evaluate(engine.rules.start).equity == pytest.approx(0.1107, abs=0.03)


@pytest.mark.parametrize("name", ["backgammon", "roll-over", "duodecagammon", "acey-deucey"])
def test_a_ranking_holds_every_play_once_best_first(name: str) -> None:
    engine = Engine(name)
    for row in engine.rules.dice.rows:
        ranked = engine.rank(engine.rules.start, row.faces)
        assert {(item.play.result, item.play.again) for item in ranked} == {
            (play.result, play.again) for play in legal_plays(engine.rules, engine.rules.start, row.faces)
        }
        assert ranked[0].loss == 0
        assert all(better.equity >= worse.equity for better, worse in pairwise(ranked))
        assert all(item.loss == pytest.approx(ranked[0].equity - item.equity, abs=1e-9) for item in ranked)


def test_each_play_says_how_deep_it_was_searched() -> None:
    searched = [Engine(plies=plies).rank(variant("backgammon").start, (2, 1)) for plies in range(4)]
    assert {one.plies for one in searched[3]} == {0, 1, 2, 3}
    worst = min(one.equity for one in searched[3] if one.deep)
    for one in searched[3]:
        assert one.deep == (one.plies == 3)
        assert one.plies is not None
        same = next(other for other in searched[one.plies] if other.play == one.play)
        assert one.equity == pytest.approx(same.equity if one.deep else min(same.equity, worst), abs=1e-6)


@pytest.mark.parametrize("name", ["backgammon", "acey-deucey"])
def test_asked_for_the_best_only_a_ranking_is_the_beginning_of_the_whole(name: str) -> None:
    engine = Engine(name)
    whole = engine.rank(engine.rules.start, (2, 1), cube=CubeState())
    some = engine.rank(engine.rules.start, (2, 1), cube=CubeState(), limit=3)
    assert some == whole[:3]


def test_the_outcome_follows_the_scoring() -> None:
    engine = Engine("acey-deucey")
    found = engine.evaluate(engine.rules.start)
    assert isinstance(found, Margins)
    assert found.equity == pytest.approx(found.won_points - found.lost_points)


def test_a_winning_play_is_worth_exactly_what_it_wins() -> None:
    engine = Engine("backgammon")
    won = engine.rank(bear_off(1, 1), (2, 1))[0]
    assert won.equity == 1
    gammon = Position(Side.of({0: 14, 1: 1}), Side.of({6: 15}))
    assert engine.rank(gammon, (2, 1))[0].equity == 2
    assert engine.rank(gammon, (2, 1), cube=CubeState(), stakes=Stakes(jacoby=True))[0].equity == 1


def test_a_lost_race_is_played_on_and_a_won_one_is_doubled_out() -> None:
    engine = Engine("backgammon")
    ahead = bear_off(1, 1, theirs=(6, 6, 6, 6))
    assert engine.cube(ahead).action == "double/pass"
    assert engine.cube(ahead, cube=CubeState(2, "them")).action == "no double"
    assert engine.cube(bear_off(6, 6, 6, 6, theirs=(1, 1))).action == "no double"


@pytest.mark.parametrize(
    ("source", "given", "reason"),
    [
        (bp.parse_id("XGID=-b----E-C---eE---c-e----B-:1:1:-1:00:3:4:0:7:10"), {}, "the other side owns the cube"),
        (bp.parse_id("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:4:0:7:10"), {}, None),
        (bp.variant().start, {}, None),
        (bp.variant().start, {"cube": CubeState(2, "them")}, "the other side owns the cube"),
        (bp.variant().start, {"score": Score(1, 3, crawford=True)}, "nobody may double in the Crawford game"),
        (
            DecisionPoint(bp.variant().start, CubeInfo(CubeState(), may_double=False)),
            {},
            "the player to act may not double this turn",
        ),
    ],
)
def test_a_cube_decision_says_why_nobody_may_double(source: Any, given: dict[str, Any], reason: str | None) -> None:
    found = Engine("backgammon").cube(source, **given)
    assert found.reason == reason
    assert found.action == "no double" or reason is None


def test_no_cube_was_agreed_so_there_is_no_cube_decision() -> None:
    with pytest.raises(StakesError, match="backgammon without a cube: no cube decision"):
        Engine("backgammon").cube(bp.variant().start, stakes=bp.Stakes(cube=False))


def test_nobody_doubles_out_of_a_certain_gammon() -> None:
    engine = Engine("backgammon")
    position = Position(Side.of({0: 12, 1: 3}), Side.of({6: 5, 5: 5, 13: 5}))
    assert engine.cube(position).action == "too good"
    assert engine.cube(position, stakes=Stakes(jacoby=True)).action == "double/pass"


def test_equities_at_a_score_come_with_match_chances() -> None:
    engine = Engine("backgammon")
    best = engine.rank(engine.rules.start, (3, 1), score=Score(3, 5), cube=CubeState())[0]
    assert best.mwc is not None
    assert 0.6 < best.mwc < 0.75
    assert engine.rank(engine.rules.start, (3, 1))[0].mwc is None


@pytest.mark.parametrize("owner", [None, "us", "them"])
def test_the_equity_for_money_is_the_same_with_the_highest_cube(owner: Literal["us", "them"] | None) -> None:
    engine = Engine("backgammon", plies=1)
    start = variant("backgammon").start
    low, high = (engine.cube(start, cube=CubeState(value, owner)) for value in (4, 2**61))
    assert high.action == low.action
    assert high.no_double == pytest.approx(low.no_double, abs=1e-6)
    assert high.double_take == pytest.approx(low.double_take, abs=1e-6)
    plays = [engine.rank(start, (3, 1), cube=CubeState(value, owner)) for value in (4, 2**62)]
    assert [item.play for item in plays[0]] == [item.play for item in plays[1]]


def test_in_a_match_the_highest_cube_is_dead() -> None:
    engine = Engine("backgammon", plies=0)
    low, high = (
        engine.rank(variant("backgammon").start, (3, 1), cube=CubeState(value, "us"), score=Score(5, 5))[0].equity
        for value in (8, 2**62)
    )
    assert high == pytest.approx(low, abs=1e-6)


def test_markers_are_worth_something() -> None:
    engine = Engine("roll-over")
    start = engine.rules.start
    both, own, other, none = (engine.evaluate(start, tokens=t).equity for t in ((1, 1), (1, 0), (0, 1), (0, 0)))
    assert own > both > other
    assert own > none > other


def test_the_worst_roll_is_rerolled_and_a_good_one_kept() -> None:
    engine = Engine("roll-over")
    last = bear_off(6, 6, theirs=(1, 1))
    assert engine.reroll(last, (2, 1), tokens=(1, 0)).action == "call"
    assert engine.reroll(last, (6, 6), tokens=(1, 0)).action == "keep"
    won = legal_plays(engine.rules, last, (6, 6))[0].result
    assert engine.reroll(last, (6, 6), tokens=(0, 1), caller="them", played=won).action == "call"
    lost = legal_plays(engine.rules, last, (2, 1))[0].result
    assert engine.reroll(last, (2, 1), tokens=(0, 1), caller="them", played=lost).action == "keep"


def test_a_call_without_a_marker_or_a_right_is_refused() -> None:
    with pytest.raises(StakesError, match="may not reroll"):
        Engine("roll-over").reroll(bear_off(6), (2, 1), tokens=(0, 1))
    with pytest.raises(StakesError, match="may not reroll"):
        Engine("cancelgammon").reroll(bear_off(6), (2, 1), tokens=(1, 1))
    with pytest.raises(StakesError, match="tokens 2 and 0"):
        Engine("roll-over").evaluate(bear_off(6), tokens=(2, 0))


def test_a_position_that_the_roll_cannot_lead_to_is_refused() -> None:
    engine = Engine("roll-over")
    with pytest.raises(PositionError, match="cannot lead"):
        engine.reroll(bear_off(6, 6), (2, 1), tokens=(0, 1), caller="them", played=bear_off(1))


def test_bad_input_is_refused() -> None:
    engine = Engine("backgammon")
    with pytest.raises(RollError):
        engine.rank(engine.rules.start, (7, 1))
    with pytest.raises(RollError, match=r"^a roll is needed, such as \(6, 6\)$"):
        engine.rank(engine.rules.start)
    with pytest.raises(PositionError):
        engine.evaluate(Position(Side.of({24: 1}), Side.of({24: 15})))
    with pytest.raises(OptionError, match="plies"):
        Engine("backgammon", plies=9)


@pytest.mark.parametrize("name", ["fevga", "plakoto", "roll-over", "duodecagammon", "acey-deucey"])
def test_a_match_of_another_game_is_refused(name: str) -> None:
    """Their positions may be possible in backgammon too, but not their plays."""
    engine, match = Engine("backgammon"), Match.start(3, name)
    for ask in (engine.evaluate, engine.rank, engine.cube, engine.equity, engine.reroll):
        for source in (match, match.game):
            with pytest.raises(UnsupportedRules, match=f"of {name}; this engine plays backgammon"):
                ask(source)  # type: ignore[operator]


def test_a_match_that_begins_in_another_way_is_no_other_game() -> None:
    match = Match.start(3, "nackgammon").apply(Opening((6, 2)))
    assert Engine("backgammon").rank(match)[0].play == Engine("nackgammon").rank(match)[0].play


@pytest.mark.parametrize(("name", "other"), [("backgammon", "plakoto"), ("plakoto", "fevga"), ("fevga", "backgammon")])
def test_a_net_that_sees_checkers_meet_in_another_way_is_refused(name: str, other: str) -> None:
    with pytest.raises(NetError, match=r"the net has inputs of version \d, the rules need version \d"):
        Engine(name, net=load(find_net(variant(other))))


def test_looking_a_roll_ahead_is_the_mean_over_rolls() -> None:
    """Without tokens the value at one ply is the weighted mean of the best plays at none."""
    rules = variant("backgammon")
    engine = Engine(rules, plies=1)
    flat = Engine(rules)
    position = bear_off(6, 5, 4, 4, theirs=(6, 6, 5))
    total = sum(row.weight * flat.rank(position, row.faces)[0].equity for row in rules.dice.rows)
    assert engine.evaluate(position).equity == pytest.approx(total / 36, abs=1e-5)


def test_a_game_or_match_says_by_itself_what_a_position_needs() -> None:
    engine = Engine("roll-over")
    game = Game.at(engine.rules, engine.rules.start, 1, faces=(3, 1), tokens=(1, 0), cube=Cube(2, 1))
    match = replace(Match.start(7, engine.rules), game=game)
    assert engine.evaluate(game) == engine.evaluate(engine.rules.start, tokens=(0, 1))
    ours = CubeState(2, "us")
    assert engine.rank(game) == engine.rank(engine.rules.start, (3, 1), cube=ours, tokens=(0, 1))
    assert engine.rank(match) == engine.rank(engine.rules.start, (3, 1), cube=ours, score=Score(7, 7), tokens=(0, 1))
    match = replace(match, game=Game.at(engine.rules, engine.rules.start, 1, tokens=(1, 0), cube=Cube(2, 1)))
    assert engine.cube(match) == engine.cube(engine.rules.start, cube=ours, score=Score(7, 7), tokens=(0, 1))


def test_one_engine_may_be_asked_from_many_threads() -> None:
    engine = Engine("roll-over", plies=1)
    rolls = [row.faces for row in engine.rules.dice.rows]
    alone = [engine.rank(engine.rules.start, faces)[0] for faces in rolls]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda faces: engine.rank(engine.rules.start, faces)[0], rolls)) == alone


def test_an_engine_is_shown_with_its_game_and_depth() -> None:
    assert repr(Engine("nackgammon", plies=1)) == "<Engine nackgammon, plies=1>"
    assert repr(Engine(time_ms=50)) == "<Engine backgammon, plies=0, time_ms=50>"
    assert repr(Engine(rollout=True)) == "<Engine backgammon, plies=2, with rollouts>"


def test_a_limit_of_no_plays_is_refused() -> None:
    engine, start = Engine("backgammon"), variant("backgammon").start
    assert len(engine.rank(start, (3, 1), limit=1)) == 1
    assert len(engine.rank(start, (3, 1), limit=100)) == len(engine.rank(start, (3, 1))) == 16
    for limit in (0, -1):
        with pytest.raises(OptionError, match=f"limit {limit}; 1 or more, or None for every play"):
            engine.rank(start, (3, 1), limit=limit)
    with pytest.raises(ArgumentError, match="limit is '3'"):
        engine.rank(start, (3, 1), limit="3")  # type: ignore[arg-type]


def test_after_the_roll_nobody_may_double_and_a_double_that_waits_is_the_doublers() -> None:
    match = Match.start(5).apply(Opening((3, 1)))
    engine = Engine("backgammon")
    rolled = engine.cube(match)
    assert (rolled.reason, rolled.action) == ("the roll is made already; a double comes before it", "no double")
    match = match.play("8/5 6/5").apply(Double(1))
    asked = engine.cube(match)
    assert (asked.reason, asked.takes, asked.doubles) == (None, True, False)
    assert not engine.cube(Position(Side.of({0: 12, 1: 3}), Side.of({6: 15}))).takes
