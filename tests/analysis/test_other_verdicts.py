"""What the program that wrote a file says of the decisions of its match, beside our own report."""

from __future__ import annotations

from dataclasses import replace

import pytest

from barpoint.analysis import Report, Study
from barpoint.analysis.findings import OtherVerdict
from barpoint.analysis.other_verdicts import disputed, equities_text, lines_on, other_findings, verdict_on, verdict_text
from barpoint.game import Double, PlayMade, Roll
from barpoint.game.event import Event
from barpoint.match.situation import Offer, Situation
from barpoint.record import Book, parse_mat, parse_xg, parse_xgid
from barpoint.record.annotation import AnnotatedPosition, Annotation, EvaluatedCube, EvaluatedPlay
from barpoint.record.log_notes import book_log, parse_book_log
from barpoint.variants import variant
from tests.record.test_annotation import xg_with_analysis

MATCH = """3 point match

 Game 1
 Anna : 0                             Ben : 0
  1) 31: 24/23 13/10                  64: 24/18 13/9
  2) 52: 13/8 10/8                     Doubles => 2
  3)  Drops                            Wins 1 point
"""
BOOK = parse_mat(MATCH)


def numbers_of(kind: type[Event]) -> list[int]:
    return [number for number, event in enumerate(BOOK.match.events, start=1) if isinstance(event, kind)]


FIRST = numbers_of(PlayMade)[0]
DOUBLE = numbers_of(Double)[0]
BEST = EvaluatedPlay(((6, 5), (8, 5)), 0.160, level="3-ply")
HIGHER = EvaluatedPlay(((24, 21), (24, 23)), 0.170, level="1-ply")
MADE = EvaluatedPlay(((24, 23), (13, 10)), 0.137, level="3-ply")


def noted(annotations: dict[int, Annotation], program: str = "eXtreme Gammon") -> Book:
    return replace(BOOK, annotations=annotations, program=program)


def verdicts(book: Book) -> dict[tuple[int, str], OtherVerdict]:
    found = other_findings(book)
    return {} if found is None else {(one.event, one.kind): one for one in found.verdicts}


def test_a_verdict_says_the_best_play_in_our_notation_the_level_and_the_error() -> None:
    found = verdicts(noted({FIRST: Annotation(plays=(BEST, HIGHER, MADE))}))
    assert list(found) == [(FIRST, "play")]
    one = found[FIRST, "play"]
    assert verdict_text("eXtreme Gammon", one) == "eXtreme Gammon, 3-ply: 8/5 6/5, error 0.023"
    assert equities_text(one, 1) == "8/5 6/5 +0.160; 24/23 13/10 +0.137"
    assert equities_text(one, 2) == "8/5 6/5 +0.160; 24/23 24/21 +0.170, 1-ply; 24/23 13/10 +0.137"
    right = verdicts(noted({FIRST: Annotation(plays=(MADE, BEST))}))[FIRST, "play"]
    assert verdict_text("", right) == "3-ply: 24/23 13/10"
    unlisted = verdicts(noted({FIRST: Annotation(plays=(BEST,))}))[FIRST, "play"]
    assert (unlisted.loss, verdict_text("", unlisted)) == (None, "3-ply: 8/5 6/5")


def test_a_cube_of_the_file_judges_the_double_and_its_answer() -> None:
    found = verdicts(noted({DOUBLE: Annotation(cube=EvaluatedCube(0.9, 0.8, 1.0, level="4-ply"))}))
    said = {key: verdict_text("", one) for key, one in found.items()}
    assert said == {
        (DOUBLE, "double"): "4-ply: No double, error 0.100",
        (DOUBLE + 1, "pass"): "4-ply: Take, error 0.200",
    }
    assert equities_text(found[DOUBLE, "double"], 3) == "no double +0.900, take +0.800, pass +1.000"
    too_good = verdicts(noted({DOUBLE: Annotation(cube=EvaluatedCube(1.1, 1.4, 1.0, level="4-ply"))}))
    assert {one.best.text: one.loss for one in too_good.values()} == {
        "No double": pytest.approx(0.1),
        "Pass": 0,
    }


def test_that_nobody_doubled_is_judged_at_the_roll_and_chances_become_equities() -> None:
    second = numbers_of(PlayMade)[1]
    roll = numbers_of(Roll)[0]
    assert roll < second
    even = EvaluatedCube(0.5, 0.55, mwc=True, level="2-ply")
    found = verdicts(noted({second: Annotation(cube=even), FIRST: Annotation(cube=even)}))
    assert list(found) == [(roll, "no double")], "the opening roll is no decision of the cube"
    stay, take, drop = found[roll, "no double"].cube
    assert (stay, drop) == (pytest.approx(0, abs=1e-4), 1)
    assert take == pytest.approx(0.5, abs=0.01), "a point is a tenth of this match"
    assert found[roll, "no double"].loss == pytest.approx(take)


@pytest.fixture(scope="module")
def report() -> Report:
    """Of the match as the file has it, whose best first play is ours and whose cube is not."""
    pass_is_wrong = EvaluatedCube(0.1, 0.2, 1.0, level="4-ply")
    book = noted({FIRST: Annotation(plays=(BEST, MADE)), DOUBLE: Annotation(cube=pass_is_wrong)})
    study = Study(book, plies=0)
    for _done in study:
        pass
    return study.report()


def test_a_report_has_the_verdicts_of_the_file_and_where_the_programs_disagree(report: Report) -> None:
    assert report.other
    assert [(one.event, one.kind) for one in report.other.verdicts] == [
        (FIRST, "play"),
        (DOUBLE, "double"),
        (DOUBLE + 1, "pass"),
    ]
    first = next(one for one in report.decisions if one.event == FIRST)
    assert first.best.text == "8/5 6/5", "as in the file"
    assert [one.kind for one, _other in disputed(report)] == ["double"]
    text = report.text()
    assert "  eXtreme Gammon, 3-ply: 8/5 6/5, error 0.023" in text
    _head, listed = text.split("\nWhere the programs disagree\n")
    assert "Best is No double." in listed
    assert "eXtreme Gammon, 4-ply: Double" in listed.splitlines()[-1]
    assert "eXtreme Gammon, 3-ply: 8/5 6/5, error 0.023" in report.html(BOOK)


def test_a_file_without_analyses_leaves_a_report_as_it_was(report: Report) -> None:
    assert other_findings(BOOK) is None
    assert other_findings(noted({1: Annotation("Well.")})) is None
    study = Study(BOOK, plies=0)
    for _done in study:
        pass
    bare = study.report()
    assert b'"other"' not in bare.json()
    assert disputed(bare) == ()
    assert bare.decisions == report.decisions
    assert b'"other":{"program":"eXtreme Gammon"' in report.json()


def test_xg_ranks_a_play_looked_at_more_deeply_above_one_with_a_greater_equity() -> None:
    book = parse_xg(xg_with_analysis())
    number = next(number for number, event in enumerate(book.match.events, 1) if isinstance(event, PlayMade))
    plays = (BEST, HIGHER)
    assert [one.text for one in book.annotations[number].plays] == ["8/5 6/5", "24/23 13/10"]
    again = parse_book_log(book_log(replace(BOOK, annotations={FIRST: Annotation(plays=plays)})))
    assert again.annotations[FIRST].plays == plays


def test_the_play_that_was_made_is_kept_however_many_are_better() -> None:
    book = noted({FIRST: Annotation(plays=(BEST, HIGHER, MADE))})
    kept = parse_book_log(book_log(book, 1))
    assert kept.annotations[FIRST].plays == (BEST, MADE)


BACKGAMMON = variant("backgammon")
ROLLED = parse_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
DOUBLES = parse_xgid("XGID=--BaBCCBAA------acccc-a--A:0:0:1:00:0:2:0:7:10")
CUBE = EvaluatedCube(0.735, 1.336, 1.0, level="XG Roller++")


def of_position(note: Annotation, situation: Situation = ROLLED) -> AnnotatedPosition:
    return AnnotatedPosition(situation, note, "eXtreme Gammon")


def test_the_analysis_of_a_position_names_its_plays_as_we_do() -> None:
    found = of_position(Annotation(plays=(BEST, HIGHER, MADE)))
    verdict = verdict_on(found, BACKGAMMON)
    assert verdict is not None
    assert [one.text for one in verdict.options] == ["8/5 6/5", "24/23 24/21", "24/23 13/10"]
    assert (verdict.kind, verdict.chosen) == ("play", None)
    assert lines_on(found, BACKGAMMON, 1) == ("eXtreme Gammon, 3-ply: 8/5 6/5", "8/5 6/5 +0.160")


def test_the_analysis_of_a_double_says_the_answer_too_and_what_a_player_answers_is_seen_by_them() -> None:
    found = of_position(Annotation(cube=CUBE), DOUBLES)
    assert lines_on(found, BACKGAMMON, 5) == (
        "eXtreme Gammon, XG Roller++: Double, pass",
        "no double +0.735, take +1.336, pass +1.000",
    )
    offered = replace(DOUBLES, offer=Offer.DOUBLE, actor=1 - DOUBLES.player)
    verdict = verdict_on(of_position(Annotation(cube=CUBE), offered), BACKGAMMON)
    assert verdict is not None
    assert [(one.text, one.equity) for one in verdict.options] == [("Pass", -1.0), ("Take", -1.336)]


def test_chances_to_win_the_match_become_equities_at_the_score() -> None:
    share = EvaluatedCube(0.5, 0.5, 0.6, mwc=True)
    verdict = verdict_on(of_position(Annotation(cube=share), DOUBLES), BACKGAMMON)
    assert verdict is not None
    assert verdict.cube[0] == verdict.cube[1] != 0.5
    plays = of_position(
        Annotation(plays=(replace(BEST, equity=0.5, mwc=True),)),
        replace(DOUBLES, position=ROLLED.position, dice=(3, 1)),
    )
    of_play = verdict_on(plays, BACKGAMMON)
    assert of_play is not None
    assert of_play.options[0].equity == verdict.cube[0]


def test_chances_to_win_a_match_say_nothing_of_a_game_for_money() -> None:
    money = replace(DOUBLES, score=(0, 0), length=0, crawford=False)
    assert verdict_on(of_position(Annotation(cube=CUBE), money), BACKGAMMON) is not None
    assert verdict_on(of_position(Annotation(cube=EvaluatedCube(0.5, 0.5, 0.6, mwc=True)), money), BACKGAMMON) is None
    share = replace(BEST, equity=0.5, mwc=True)
    verdict = verdict_on(of_position(Annotation(plays=(share, MADE))), BACKGAMMON)
    assert verdict is not None
    assert [one.text for one in verdict.options] == ["24/23 13/10"]
    assert verdict_on(of_position(Annotation(plays=(share,))), BACKGAMMON) is None


@pytest.mark.parametrize("offer", [Offer.BEAVER, Offer.RACCOON])
def test_nothing_is_said_of_the_answer_to_a_beaver_or_a_raccoon(offer: Offer) -> None:
    money = replace(DOUBLES, score=(0, 0), length=0, beavers=True, actor=1 - DOUBLES.player)
    assert verdict_on(of_position(Annotation(cube=CUBE), replace(money, offer=Offer.DOUBLE)), BACKGAMMON) is not None
    assert verdict_on(of_position(Annotation(cube=CUBE), replace(money, offer=offer)), BACKGAMMON) is None


def test_nothing_is_said_where_nobody_may_double_or_the_roll_is_none_of_the_game() -> None:
    crawford = replace(DOUBLES, score=(6, 0), crawford=True)
    assert verdict_on(of_position(Annotation(cube=CUBE), crawford), BACKGAMMON) is None
    assert verdict_on(of_position(Annotation(plays=(BEST,)), DOUBLES), BACKGAMMON) is None
    assert lines_on(of_position(Annotation("a comment")), BACKGAMMON, 5) == ()
    assert verdict_on(of_position(Annotation(plays=(BEST,))), variant("duodecagammon")) is None
