"""What a player does in the opening: which plays are kept of a match, and by what they are judged."""

from __future__ import annotations

import pytest
from msgspec import structs

from barpoint.analysis import analyse
from barpoint.analysis.opening_habits import costliest_habits, opening_habits
from barpoint.analysis.opening_plays import OpeningMade
from barpoint.analysis.statistics import PlayedMatch
from barpoint.analysis.summary import AnalysedMatch, summarise
from barpoint.engine.opening_book import opening_book
from barpoint.record import parse_mat
from barpoint.variants import variant
from tests.analysis.test_score_kinds import GAMES
from tests.analysis.test_statistics import losses, summary

RULES = variant()
AFTER_31 = "3-1 8/5 6/5"


def played(*openings: OpeningMade) -> PlayedMatch:
    match: AnalysedMatch = structs.replace(summary(losses()), openings=openings)
    return PlayedMatch(match, 0, "/review/x/replay")


def test_a_summary_keeps_the_first_play_of_each_game_and_the_reply_to_it() -> None:
    match = parse_mat(GAMES).match
    found = summarise(analyse(match, plies=0), match).openings
    assert [(one.player, one.faces, one.made, one.before, one.stake) for one in found] == [
        (0, (3, 1), "8/5 6/5", "", ""),
        (1, (6, 4), "24/14", AFTER_31, ""),
        (1, (4, 2), "8/4 6/4", "", ""),
        (0, (3, 1), "8/5 6/5", "4-2 8/4 6/4", ""),
        (0, (3, 1), "8/5 6/5", "", ""),
        (1, (6, 4), "24/14", AFTER_31, ""),
        (0, (3, 1), "8/5 6/5", "", "dmp"),
        (1, (6, 4), "24/14", AFTER_31, "dmp"),
    ]


def test_a_play_is_judged_by_the_book_at_its_stake_and_else_by_the_analysis() -> None:
    second, loss = list(opening_book("backgammon", "money").losses(RULES.start, (2, 1)).items())[1]
    at_money = played(
        OpeningMade(1, 0, (1, 2), second, 0.3, "money"), OpeningMade(2, 0, (2, 1), "6/4 24/23", 0.3, "money")
    )
    at_score = played(OpeningMade(3, 0, (2, 1), second, 0.2))
    elsewhere = played(OpeningMade(4, 0, (2, 1), second, 0.1, "dmp"), OpeningMade(5, 1, (2, 1), second, 0.9, "money"))
    first, left_out = opening_habits(RULES, "money", [at_money, at_score, elsewhere])
    assert (first.faces, first.play, first.times) == ((2, 1), second, 2)
    assert [one.loss for one in first.moments] == [pytest.approx(loss), 0.2]
    assert left_out.lost == 0.3, "what the book leaves out loses what the analysis says"
    assert [one.times for one in opening_habits(RULES, "dmp", [at_money, elsewhere])] == [1]


def test_replies_are_those_to_a_position_whichever_roll_led_there() -> None:
    openings = [
        OpeningMade(2, 0, (2, 1), "13/11 6/5", 0.1, "money", before)
        for before in ("6-2 24/16", "5-3 24/16", "4-3 24/20 13/10")
    ]
    both, other = opening_habits(
        RULES, "money", [played(*openings, OpeningMade(9, 0, (2, 1), "24/1", 0.1, "", "6-2 1/7"))]
    )
    assert (both.times, both.before, other.times) == (2, "6-2 24/16", 1)


def test_the_costliest_habits_were_made_twice_and_cost_most_in_all() -> None:
    openings = [OpeningMade(1, 0, faces, play, loss) for faces, play, loss in (
        ((6, 5), "24/18 13/8", 0.05), ((6, 5), "24/18 13/8", 0.05), ((6, 4), "24/18 13/9", 0.03), ((6, 4), "24/18 13/9", 0.03),
        ((6, 4), "24/18 13/9", 0.03), ((6, 3), "24/18 13/10", 0.0), ((6, 3), "24/18 13/10", 0.0), ((6, 2), "13/5", 0.9),
    )]  # fmt: skip
    found = costliest_habits(opening_habits(RULES, "money", [played(*openings)]), 5)
    assert [(one.play, round(one.lost, 3)) for one in found] == [("24/18 13/8", 0.1), ("24/18 13/9", 0.09)]
    assert found[0].moments[0].address == "/review/x/replay#0"
