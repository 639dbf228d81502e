"""What the players of a chouette are told they may do is what is accepted, also while a resignation is pending."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from barpoint.chouette import BOX, TEAM, Act, Ask, Chouette, ChouetteEvent, Leave, May, Waive, may
from barpoint.error import IllegalEvent
from barpoint.game import Accept, Beaver, Double, Pass, Reject, Resign, Roll, Take
from tests.support.chouettes import answer, begun, double, side_of, take, turn

ANSWERS = {"accept": Accept, "reject": Reject, "double": Double, "take": Take, "pass": Pass, "beaver": Beaver}


def events_of(chouette: Chouette, player: int, item: May) -> Iterator[ChouetteEvent]:
    """Every event that a line of the list stands for; plays and rerolls apart."""
    side, kind = side_of(chouette, player), item.what.kind
    if kind in ANSWERS:
        yield Act(ANSWERS[kind](side), player)
    elif kind == "resign":
        yield from (Act(Resign(side, level), player) for level in item.what.levels)
    elif kind == "roll":
        yield Act(Roll(side, (2, 1)), player)
    elif kind in ("waive", "leave"):
        yield Waive(player) if kind == "waive" else Leave(player)
    elif kind == "ask":
        yield Ask(player, on=player not in chouette.asks)


def check(chouette: Chouette) -> set[tuple[int, str]]:
    """Applies everything listed; returns who may do what."""
    for player in chouette.present:
        for item in may(chouette, player):
            for event in events_of(chouette, player, item):
                chouette.apply(event)
    return {(player, item.what.kind) for player in chouette.present for item in may(chouette, player)}


STAGES = {
    "the team may double": lambda one: begun(4, one_cube=one),
    "the box may double": lambda one: turn(begun(4, one_cube=one)),
    "the team has a roll": lambda one: begun(4, one_cube=one).apply(Act(Roll(TEAM, (2, 1)), 1)),
    "a cube is turned": lambda one: turn(turn(take(double(begun(4, one_cube=one), 1), 0))),
}


@pytest.mark.parametrize("one_cube", [False, True])
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("resigning", [(1,), (2,), (2, 3), (3, 1), (0,), (2, 0)])
def test_all_that_is_listed_is_accepted_while_resignations_are_pending_and_after_they_are_rejected(
    stage: str, one_cube: bool, resigning: tuple[int, ...]
) -> None:
    chouette = STAGES[stage](one_cube)
    check(chouette)
    for level, player in enumerate(resigning, 1):
        chouette = chouette.apply(Act(Resign(side_of(chouette, player), level), player))
        check(chouette)
    while chouette.must_answer:
        player = chouette.must_answer[0]
        chouette = chouette.apply(Act(Reject(side_of(chouette, player)), player))
        check(chouette)


@pytest.mark.parametrize(("stage", "doubler"), [("the team may double", 1), ("the box may double", 0)])
def test_the_one_cube_is_not_turned_before_a_pending_resignation_is_answered(stage: str, doubler: int) -> None:
    chouette = STAGES[stage](True)
    assert (doubler, "double") in check(chouette)
    pending = chouette.apply(Act(Resign(TEAM, 1), 3))
    assert (doubler, "double") not in check(pending)
    with pytest.raises(IllegalEvent):
        double(pending, doubler)
    takers = (0,) if doubler else (1, 2, 3)
    after = take(double(answer(pending, "reject"), doubler), *takers)
    assert {pair.game.cube.value for pair in after.running} == {2}


def test_a_cube_of_ones_own_may_be_turned_while_another_resigns() -> None:
    pending = begun(4).apply(Act(Resign(TEAM, 1), 3))
    assert (2, "double") in check(pending)


def test_the_box_resigns_again_only_to_those_who_have_not_rejected_that_level() -> None:
    chouette = begun(4).apply(Act(Resign(BOX, 1), 0))
    chouette = chouette.apply(Act(Reject(TEAM), 1)).apply(Act(Accept(TEAM), 2)).apply(Act(Accept(TEAM), 3))
    assert [pair.player for pair in chouette.running] == [1]
    again = begun(4).apply(Act(Resign(BOX, 1), 0, (1,))).apply(Act(Reject(TEAM), 1)).apply(Act(Resign(BOX, 1), 0))
    assert again.must_answer == (2, 3)
    with pytest.raises(IllegalEvent, match="players 2, 3"):
        begun(4).apply(Act(Resign(BOX, 1), 0, (1,))).apply(Act(Reject(TEAM), 1)).apply(Act(Resign(BOX, 1), 0, (1, 2)))
