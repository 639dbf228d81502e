"""What was found of a match before it was corrected is kept for what is the same, and nothing else."""

from __future__ import annotations

from barpoint.analysis import Study
from barpoint.analysis.earlier_findings import EarlierFindings
from barpoint.analysis.findings import Decision
from barpoint.game import Event
from barpoint.match import Match
from barpoint.record.turn_lines import read_lines

PLAYERS = ("Anna", "Ben")
FIRST = (
    "opening 3-1",
    "Anna: 8/5 6/5",
    "Ben: 64 24/18 13/9",
    "Anna: 52 13/11 13/8",
    "Ben: double",
    "Anna: pass",
    "next",
)
SECOND = ("opening 6-2", "Anna: 24/18 13/11", "Ben: 43 24/20 13/10", "Anna: resign 1", "Ben: accept")


class Counted(Study):
    """Notes at which events something is judged."""

    def _decisions(self, before: Match, event: Event, seq: int) -> list[Decision]:
        self.judged = [*getattr(self, "judged", []), seq]
        return super()._decisions(before, event, seq)


def match_of(*lines: str, rules: str = "backgammon") -> Match:
    begun = Match.start(length=5, rules=rules, manual=True)
    read = read_lines(begun, lines, PLAYERS, {})
    assert read.line is None, read.why
    return read.match


def test_only_what_differs_is_judged_and_the_report_is_that_of_the_whole_match() -> None:
    wrong = Study(match_of(*FIRST, *SECOND), plies=0)
    list(wrong)
    right = match_of(*FIRST[:3], "Anna: 52 13/11 6/1", *FIRST[4:], *SECOND)
    again, whole = Counted(right, plies=0, earlier=EarlierFindings(wrong.match, wrong.report())), Study(right, plies=0)
    list(again), list(whole)
    assert again.report() == whole.report()
    assert again.judged == [6, 7, 8, 9]  # the play that was changed, and what came after it in that game


def test_the_second_game_is_judged_again_where_the_first_leads_to_another_score() -> None:
    wrong = Study(match_of(*FIRST, *SECOND), plies=0)
    list(wrong)
    right = match_of(*FIRST[:4], "Ben: double", "Anna: take", "Anna: resign 1", "Ben: accept", "next", *SECOND)
    again = Counted(right, plies=0, earlier=EarlierFindings(wrong.match, wrong.report()))
    list(again)
    assert again.judged == list(range(8, len(right.events) + 1))


def test_a_resignation_that_is_now_rejected_is_judged_no_more() -> None:
    wrong = Study(match_of(*FIRST, *SECOND), plies=0)
    list(wrong)
    right = match_of(*FIRST, *SECOND[:-1], "Ben: reject")
    again, whole = Study(right, plies=0, earlier=EarlierFindings(wrong.match, wrong.report())), Study(right, plies=0)
    list(again), list(whole)
    assert "resign" in [one.kind for one in wrong.decisions]
    assert again.report() == whole.report()


def test_where_a_side_may_have_the_other_roll_again_that_is_judged_as_in_the_whole_match() -> None:
    wrong = Study(match_of(*FIRST[:4], rules="cancelgammon"), plies=0)
    list(wrong)
    right = match_of(*FIRST[:3], "Anna: 66 24/18(2) 13/7(2)", rules="cancelgammon")
    again, whole = Study(right, plies=0, earlier=EarlierFindings(wrong.match, wrong.report())), Study(right, plies=0)
    list(again), list(whole)
    assert again.report() == whole.report()


def test_a_roll_that_did_not_count_leaves_no_luck_behind() -> None:
    lines = ("opening 3-1", "Anna: 8/5 6/5", "Ben: 66", "Ben: void cocked", "Ben: 64 24/18 13/9")
    match = match_of(*lines)
    whole = Study(match, plies=0)
    list(whole)
    again = Study(match, plies=0, earlier=EarlierFindings(match, whole.report()))
    list(again)
    assert again.report() == whole.report()
    assert [one.faces for one in again.rolls] == [(3, 1), (6, 4)]
