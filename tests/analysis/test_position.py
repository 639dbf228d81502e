"""Answers about positions are those of the engine."""

from __future__ import annotations

import pytest

import barpoint as bp
from barpoint.analysis.adviser import PositionQuestion, answer
from barpoint.analysis.inquiry import Inquiry
from barpoint.analysis.position import PositionAnswer, answer_position
from barpoint.analysis.roll_table import answer_plays, answer_rolls
from barpoint.analysis.score_matrix import answer_matrix
from barpoint.board import Position, Side
from barpoint.engine import CubeState, Engine, Score
from barpoint.error import PositionError, UnsupportedRules
from barpoint.game import Stakes
from barpoint.record import format_position, parse_position

START = "4HPwATDgc/ABMA"
BLITZ = "4HPwAVDYnoMDIA"


def test_plays_are_ranked_as_the_engine_ranks_them() -> None:
    engine = bp.Engine(plies=1)
    expected = engine.rank(engine.rules.start, (4, 1), cube=CubeState(2, "them"), score=Score(3, 5))
    found = answer_position(Inquiry("backgammon", START, (4, 1), cube=2, owner="them", away=(3, 5)), 1)
    assert found.count == len(expected)
    for one, item in zip(found.plays, expected, strict=False):
        assert one.text == str(item.play)
        assert one.equity == pytest.approx(item.equity, abs=1e-6)
        assert one.loss == pytest.approx(item.loss, abs=1e-6)
        assert one.mwc == pytest.approx(item.mwc, abs=1e-6)
        assert one.chances == pytest.approx(item.chances.probabilities, abs=1e-6)
        assert one.id == format_position(item.play.next)
        assert (one.deep, one.plies) == (item.deep, item.plies)
    assert {one.plies for one in found.plays if not one.deep} == {0}
    assert {one.plies for one in found.plays if one.deep} == {1}
    assert found.cube is None, "with a roll there is no cube action"
    assert (found.plies, found.source, found.net) == (1, "net", engine.entry.version)  # type: ignore[union-attr]


def test_the_cube_action_is_that_of_the_engine_with_what_each_choice_loses() -> None:
    position = parse_position(BLITZ)
    expected = bp.Engine(plies=2).cube(position, stakes=Stakes(jacoby=True))
    cube = answer_position(Inquiry("backgammon", BLITZ, jacoby=True), 2).cube
    assert cube is not None
    assert cube.action == expected.action
    equities = (expected.no_double, expected.double_take, expected.double_pass)
    assert (cube.no_double, cube.double_take, cube.double_pass) == pytest.approx(equities, abs=1e-6)
    doubled = min(equities[1:])
    best = max(equities[0], doubled)
    assert cube.loss == pytest.approx((best - equities[0], best - doubled), abs=2e-6)
    assert cube.answer_loss == pytest.approx((equities[1] - doubled, equities[2] - doubled), abs=2e-6)
    assert cube.relative == pytest.approx(tuple(equity - best for equity in equities), abs=2e-6)
    assert (cube.take, cube.cash) == pytest.approx((expected.take, expected.cash), abs=1e-6)


def test_it_says_why_nobody_may_double() -> None:
    crawford = answer_position(Inquiry("backgammon", START, away=(1, 3), crawford=True), 0).cube
    assert crawford is not None
    assert crawford.reason == "nobody may double in the Crawford game"
    theirs = answer_position(Inquiry("backgammon", START, cube=2, owner="them"), 0).cube
    assert theirs is not None
    assert theirs.reason == "the other side owns the cube"
    assert answer_position(Inquiry("backgammon", START, cube=0), 0).cube is None


def test_it_says_where_a_table_answers() -> None:
    few = Position(Side.of({0: 13, 3: 2}), Side.of({0: 12, 2: 3}))
    home = Position(Side.of({6: 5, 5: 5, 4: 5}), Side.of({6: 5, 5: 5, 4: 5}))
    assert answer_position(Inquiry("backgammon", format_position(few)), 0).source == "exact"
    assert answer_position(Inquiry("backgammon", format_position(home)), 0).source == "bear-off"


def test_a_token_can_be_spent_on_a_roll() -> None:
    engine: Engine[bp.Chances] = bp.Engine("roll-over")
    expected = engine.reroll(engine.rules.start, (2, 1), tokens=(1, 1), cube=CubeState())
    found = answer_position(Inquiry("roll-over", START, (2, 1), tokens=(1, 1)), 0).reroll
    assert found is not None
    assert (found.action, found.keep) == (expected.action, pytest.approx(expected.keep, abs=1e-6))
    assert found.reroll == pytest.approx(expected.call, abs=1e-6)
    assert answer_position(Inquiry("roll-over", START, (2, 1), tokens=(0, 1)), 0).reroll is None


def test_what_cannot_be_judged_is_refused() -> None:
    over = Position(Side.of({0: 15}), Side.of({1: 1, 0: 14}))
    with pytest.raises(PositionError, match="over"):
        answer_position(Inquiry("backgammon", format_position(over.flip())), 0)
    with pytest.raises(UnsupportedRules):
        answer_position(Inquiry("roll-over+plakoto", format_position(bp.variant("plakoto").start)), 0)


def test_the_rolls_are_those_of_the_dice_and_their_mean_is_the_equity_of_rolling() -> None:
    engine = bp.Engine()
    found = answer_rolls(Inquiry("backgammon", START, cube=0), 0)
    assert len(found.table) == 21
    assert sum(roll.weight for roll in found.table) == found.rolls == 36
    for roll in found.table:
        best = engine.rank(engine.rules.start, roll.faces)[0]
        assert (roll.text, roll.equity) == (str(best.play), pytest.approx(best.equity, abs=1e-6))
    assert found.mean == pytest.approx(bp.Engine(plies=1).evaluate(engine.rules.start).equity, abs=1e-4)
    assert len(answer_rolls(Inquiry("duodecagammon", START), 0).table) == 12


def test_the_plays_of_every_roll_are_the_few_that_are_near_the_best() -> None:
    engine = bp.Engine(plies=1)
    found = answer_plays(Inquiry("backgammon", START), 1)
    assert [row.faces for row in found.table] == [row.faces for row in engine.rules.dice.rows]
    for row in found.table:
        ranked = engine.rank(engine.rules.start, row.faces, cube=CubeState())
        near = [(str(item.play), pytest.approx(item.equity, abs=1e-6)) for item in ranked[:4] if item.loss <= 0.08]
        assert [(play.text, play.equity) for play in row.plays] == near


def test_the_matrix_has_the_cube_action_at_every_score() -> None:
    position = parse_position(BLITZ)
    engine = bp.Engine()
    found = answer_matrix(Inquiry("backgammon", BLITZ), 0, threads=2)
    assert found.kind == "cube"
    assert len(found.rows) == 9
    for us in range(1, 10):
        for them in range(1, 10):
            cell = found.rows[us - 1][them - 1]
            assert cell.away == (us, them)
            assert cell.crawford == (1 in (us, them))
            if 1 in (us, them):
                assert cell.choice == ""
                continue
            expected = engine.cube(position, score=Score(us, them))
            best = max(expected.no_double, min(expected.double_take, expected.double_pass))
            assert (cell.choice, cell.equity) == (expected.action, pytest.approx(best, abs=1e-6))
    assert found.after_them[3].away == (4, 1)
    assert found.after_them[3].choice == engine.cube(position, score=Score(4, 1)).action
    assert [cell.owner for cell in found.places] == ["", "us", "them"]
    assert found.places[2].choice == "", "the other side owns it"
    assert found.money.choice == engine.cube(position).action


def test_the_matrix_has_the_best_play_at_every_score() -> None:
    engine = bp.Engine()
    found = answer_matrix(Inquiry("backgammon", START, (6, 2)), 0)
    assert found.kind == "play"
    for us, them, crawford in ((2, 2, False), (5, 7, False), (1, 4, True)):
        best, second = engine.rank(
            engine.rules.start, (6, 2), cube=CubeState(), score=Score(us, them, crawford), limit=2
        )
        cell = found.rows[us - 1][them - 1]
        assert (cell.choice, cell.margin) == (str(best.play), pytest.approx(second.loss, abs=1e-6))


def test_the_process_answers_every_kind_of_question() -> None:
    inquiry = Inquiry("backgammon", START)
    assert isinstance(answer(PositionQuestion("position", inquiry)), PositionAnswer)
    assert answer(PositionQuestion("rolls", inquiry)) == answer_rolls(inquiry, 0)
    assert answer(PositionQuestion("plays", inquiry)) == answer_plays(inquiry, 0)
    assert answer(PositionQuestion("matrix", inquiry)) == answer_matrix(inquiry, 0)


def test_an_answer_gives_its_outcomes_and_positions_as_values_and_prints_them() -> None:
    rules = bp.variant("fevga")
    game = bp.Game.at(rules, rules.start, faces=(6, 5))
    found, best = bp.analyse(game, 0), Engine("fevga").rank(game)[0]
    first = found.plays[0]
    assert (found.outcome.equity, first.outcome.equity) == pytest.approx((found.cubeless, first.equity), abs=1e-5)
    assert (first.result, type(first.outcome)) == (best.play.result, bp.Chances)
    assert isinstance(bp.analyse(bp.variant("acey-deucey").start, 0, rules="acey-deucey").outcome, bp.Margins)
    lines = str(found).splitlines()
    assert lines[0] == f"before the roll {found.equity:+.3f} (net, 0-ply)"
    assert lines[1:3] == [str(found.outcome), f"{best.play}  {best.equity:+.3f}  {first.outcome}"]
    assert str(bp.analyse(bp.Game.at("backgammon", bp.variant().start), 0)).splitlines()[-1] == "right: no double"


def test_an_option_of_a_match_gives_its_outcome_and_position() -> None:
    match = bp.Match.start(1).apply(bp.game.Opening((3, 1))).play("24/20")
    (decision,) = bp.analyse(match, 0).decisions
    assert decision.made.result == bp.legal_plays(match.rules, match.rules.start, (3, 1)).find("24/20").result
    assert decision.made.outcome is not None
    assert decision.made.outcome.probabilities == decision.made.chances
