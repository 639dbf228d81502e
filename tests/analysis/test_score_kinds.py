"""Kinds of scores: every decision is of one kind, in the summary as in the table, and the Crawford game is known."""

from __future__ import annotations

import numpy as np
import pytest

from barpoint.analysis import analyse
from barpoint.analysis.decision_table import table_of
from barpoint.analysis.score_kinds import SCORE_KINDS, score_kind, score_kinds
from barpoint.analysis.summary import summarise
from barpoint.analysis.words import SCORE_WORDS
from barpoint.record import parse_mat

GAMES = """\
 3 point match

 Game 1
 Anna : 0                        Ben : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 21: 6/5 6/4                 Resigns
      Wins 2 points

 Game 2
 Anna : 2                        Ben : 0
  1)                             42: 8/4 6/4
  2) 31: 8/5 6/5                 64: 24/14
  3) Resigns                     Wins 1 point

 Game 3
 Anna : 2                        Ben : 1
  1) 31: 8/5 6/5                 64: 24/14
  2) Resigns                     Wins 1 point

 Game 4
 Anna : 2                        Ben : 2
  1) 31: 8/5 6/5                 64: 24/14
  2) 21: 6/5 6/4                 Resigns
"""


@pytest.mark.parametrize(
    ("score", "kind"),
    [
        ((0, 0, False), "money"),
        ((7, 7, False), "level"),
        ((3, 7, False), "ahead"),
        ((7, 3, False), "behind"),
        ((2, 2, False), "2-away"),
        ((2, 5, False), "2-away"),
        ((5, 2, False), "2-away"),
        ((1, 5, True), "crawford"),
        ((2, 1, True), "crawford"),
        ((1, 5, False), "post-crawford"),
        ((2, 1, False), "post-crawford"),
        ((1, 1, False), "dmp"),
    ],
)
def test_every_score_is_of_one_kind(score: tuple[int, int, bool], kind: str) -> None:
    assert score_kind(*score) == kind
    found = score_kinds(np.array([score[:2]], np.uint8), np.array([score[2]]))
    assert [SCORE_KINDS[one] for one in found] == [kind]
    assert kind in SCORE_WORDS


def test_a_summary_and_the_table_of_a_match_agree_about_its_scores() -> None:
    match = parse_mat(GAMES).match
    report = analyse(match, plies=0)
    found = summarise(report, match)
    assert found.crawford == 2
    table = table_of(match, report)
    kinds = score_kinds(table["away"], table["game"] == found.crawford)
    by_game = {int(game): SCORE_KINDS[kind] for game, kind in zip(table["game"], kinds, strict=True)}
    assert by_game == {1: "level", 2: "crawford", 3: "post-crawford", 4: "dmp"}
    for player in (0, 1):
        counted = table["counted"] & (table["player"] == player)
        expected = {SCORE_KINDS[kind]: int((kinds[counted] == kind).sum()) for kind in set(kinds[counted].tolist())}
        parts: dict[str, int] = {}
        for part in found.players[player].parts:
            parts[part.score] = parts.get(part.score, 0) + part.losses.decisions
        assert parts == expected
