"""A decision with its analysis as text."""

from __future__ import annotations

import re
from dataclasses import replace

import barpoint as bp
from barpoint.analysis.decision_board import DecisionBoard
from barpoint.analysis.decision_text import decision_text
from barpoint.analysis.findings import CubeEquities, Decision, DecisionOption
from barpoint.analysis.judge import SHOWN
from barpoint.analysis.position import CubeAnswer, PositionAnswer
from barpoint.analysis.position_rollout import RolledChoice, RolloutAnswer
from barpoint.analysis.words import CUBE_ROWS
from barpoint.game import Opening, Roll
from barpoint.match.situation import Offer
from barpoint.record import parse_xgid

PLAY = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:5:0:7:10"
CUBE = "XGID=-b---BC-B---cE---d-e----B-:1:1:1:00:2:5:0:7:10"


def answered(xgid: str) -> tuple[DecisionBoard, PositionAnswer]:
    situation = parse_xgid(xgid)
    return DecisionBoard.of(situation), bp.analyse(situation, 0)


def test_a_play_is_told_with_its_id_the_best_five_and_the_one_that_was_made() -> None:
    shown, answer = answered(PLAY)
    made = answer.plays[9]
    text = decision_text(shown, answer, made=made.text)
    assert f"backgammon. Match to 7, 2-5. Cube 1.\nPips: X 167, O 167.\nX to play 3-1.\n{PLAY}\n" in text
    told = re.findall(r"^([ *]) +(\d+)\. (.+?)  +([-+]\S+)  +(?:\((\S+)\))? +(\S+)$", text, re.MULTILINE)
    expected = [*enumerate(answer.plays[:SHOWN], 1), (10, made)]
    assert told == [
        (
            "*" if one is made else " ",
            str(rank),
            one.text,
            f"{one.equity:+.3f}",
            f"{-one.loss:.3f}" if one.loss else "",
            "0-ply",
        )
        for rank, one in expected
    ]
    win, gammon, backgammon, lost_gammon, lost_backgammon = (f"{100 * share:.1f}%" for share in made.chances)
    lost = f"{100 * (1 - made.chances[0]):.1f}%"
    assert (
        f"X wins {win} (gammons {gammon}, backgammons {backgammon}); O wins {lost} (gammons {lost_gammon}, backgammons {lost_backgammon})"
        in text
    )
    assert "* what was played" in text
    assert f"net {answer.net}." in text
    assert "*" not in decision_text(shown, answer), "nothing was played"


def test_what_was_done_about_a_cube_that_was_rolled_out_is_told_by_the_rollout() -> None:
    shown, answer = answered(CUBE)
    equities = zip(CUBE_ROWS, (0.41, 1.06, 1.0), strict=True)
    choices = tuple(RolledChoice(text, equity, 0.01, 648) for text, equity in equities)
    rolled = RolloutAnswer("net", 1, "cube", 648, 648, choices, action="double/pass", over=True)
    for made, told in (("Take", "-1.060"), ("No double", "+0.410")):
        (line,) = re.findall(r"^\*.*$", decision_text(shown, answer, made=made, rolled=rolled), re.MULTILINE)[:1]
        assert told in line
        assert f"({-0.06 if made == 'Take' else -0.59:.3f})" in line
        assert "rolled out, 648 games" in line


def test_plays_that_were_rolled_out_come_first_with_their_games_and_errors() -> None:
    shown, answer = answered(PLAY)
    first, second, third = (one.text for one in answer.plays[:3])
    choices = (RolledChoice(third, 0.2, 0.004, 648), RolledChoice(first, 0.15, 0.005, 648))
    text = decision_text(shown, answer, rolled=RolloutAnswer("net", 1, "play", 648, 648, choices, over=True))
    lines = [line for line in text.splitlines() if re.match(r" +\d\.", line)]
    assert [line.split("  ")[1].strip() for line in lines[:3]] == [f"1. {third}", f"2. {first}", f"3. {second}"]
    assert "+0.200 ± 0.004" in lines[0]
    assert "(-0.050)  rolled out, 648 games" in lines[1]
    assert lines[2].endswith("0-ply")
    assert "1-ply games to the end" in text


def test_a_cube_is_told_with_three_equities_the_right_action_and_what_was_done() -> None:
    shown, answer = answered(CUBE)
    cube = answer.cube
    assert isinstance(cube, CubeAnswer)
    assert cube.action == "double/pass"
    text = decision_text(shown, answer, made="Take")
    assert "X to roll or double." in text
    assert "Right for X: Double, pass." in text
    for name, equity in (("No double", cube.no_double), ("Double, take", cube.double_take), ("Double, pass", 1.0)):
        assert re.search(rf"{name} +{re.escape(f'{equity:+.3f}')} ", text)
    assert re.search(rf"^\* +Take +{-cube.double_take:.3f} +\({-cube.answer_loss[0]:.3f}\)$", text, re.MULTILINE)


def test_a_decision_of_a_report_is_told_with_the_report_s_depth_and_as_an_answer_to_the_cube() -> None:
    cube = CubeEquities(
        0.9, 1.12, 1.0, "double/pass", win=0.7, take=0.2, double=0.7, cash=0.75, too_good=0.9, gammon=0.2
    )
    options = DecisionOption("Pass", -1.0, 0.0, -1.0), DecisionOption("Take", -1.12, 0.12, -1.12)
    decision = Decision(4, 1, 1, "take", "race", 1, options, 0.12, 0.12, True, "blunder", cube=cube)
    report = bp.analyse(bp.Match.start(5), plies=0)
    offered = replace(parse_xgid(CUBE), player=0, actor=1, owner=None, offer=Offer.DOUBLE)
    shown = replace(DecisionBoard.of(offered), names=("Anna", "Ben"))
    text = decision_text(shown, decision, report=report)
    assert text.startswith("X: Anna, O: Ben\n\n")
    assert "X is offered the cube at 4." in text
    assert ":D:" in text
    assert "Right for O: Double, pass." in text
    assert "O wins 70.0% (gammons 20.0%)" in text
    assert re.search(r"^      Double, take +\+1\.120  \(\+0\.120\)$", text, re.MULTILINE)
    assert re.search(r"^\* +Take +-1\.120 +\(-0\.120\) +0-ply$", text, re.MULTILINE)


def test_tokens_are_told_and_where_an_xgid_has_no_room_our_own_id_stands() -> None:
    game = bp.Match.start(3, "duodecagammon+roll-over").apply(Opening((12, 1))).apply(Roll(0, (12,)))
    shown = DecisionBoard.of(game)
    text = decision_text(shown, bp.analyse(game.game, 0))
    assert "Reroll tokens: X 1, O 1." in text
    assert "Position ID: " in text
    assert "XGID" not in text
