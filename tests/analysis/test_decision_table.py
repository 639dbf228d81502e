"""The decisions of a match as an array."""

from __future__ import annotations

import numpy as np
import pytest

import barpoint as bp
from barpoint import dice
from barpoint.analysis.decision_table import KINDS, MONEY, position_at, positions_of
from barpoint.error import ArgumentError
from barpoint.record import Book
from tests.support.games import AnythingAllowed


def played(rules: str = "backgammon", length: int = 3, events: int = 40) -> bp.Match:
    match = bp.Match.start(length, rules)
    states = bp.play_match(match, AnythingAllowed(1), AnythingAllowed(2), dice=dice.seeded(5))
    return next(state for state in states if len(state.events) == events)


MATCH = played()
REPORT = bp.analyse(MATCH, plies=0)
TABLE = REPORT.table(MATCH)


def test_a_report_gives_a_row_for_every_decision_with_what_it_found() -> None:
    assert len(TABLE) == len(REPORT.decisions)
    assert TABLE["event"].tolist() == [one.event for one in REPORT.decisions]
    assert [KINDS[kind] for kind in TABLE["kind"]] == [one.kind for one in REPORT.decisions]
    assert TABLE["loss"] == pytest.approx([one.loss for one in REPORT.decisions])


def test_a_row_says_the_position_and_the_score_of_whoever_decides() -> None:
    states = [before for before, _ in MATCH.history()]
    for row in TABLE:
        before, player = states[row["event"] - 1], int(row["player"])
        assert position_at(row) == before.game.seen_by(player)
        assert row["away"].tolist() == [before.away(player), before.away(1 - player)]
    money = played(length=0, events=12)
    assert (bp.analyse(money, plies=0).table(money)["away"] == MONEY).all()


@pytest.mark.parametrize("rules", ["backgammon", "plakoto"])
def test_its_positions_are_an_array_as_the_engine_takes_it(rules: str) -> None:
    match = played(rules)
    table = bp.analyse(match, plies=0).table(Book(match))
    array = positions_of(table)
    assert (array == bp.encode(map(position_at, table))).all()
    assert bp.Engine(rules).evaluate_array(array).shape == (len(table), 5)
    assert positions_of(table[:0]).shape == (0, 2, 32)
    assert (positions_of(table[::2]) == array[::2]).all()


def test_the_luck_of_a_roll_stands_beside_its_play_alone() -> None:
    plays = TABLE["kind"] == KINDS.index("play")
    assert np.isnan(TABLE["luck"][~plays]).all()
    lucks = {(one.event, one.player): one.luck for one in REPORT.rolls}
    assert [round(float(one), 5) for one in TABLE["luck"][plays]][:3] == pytest.approx(list(lucks.values())[:3])


def test_a_match_that_was_not_analysed_is_refused() -> None:
    other = played("nackgammon", events=40)
    with pytest.raises(ArgumentError, match="this report is of a match of backgammon with 40 events or more"):
        REPORT.table(other)
    with pytest.raises(ArgumentError, match="with 40 events or more"):
        REPORT.table(MATCH.undo())
    with pytest.raises(ArgumentError, match=r"match is .x\.mat"):
        REPORT.table("x.mat")  # type: ignore[arg-type]
