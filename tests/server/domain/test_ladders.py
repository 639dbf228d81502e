"""Ladders: who may challenge whom, and how places change."""

import pytest

from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ladders import Ladder, LadderChallenge, LadderPlan, taken

PEOPLE = tuple(Guest(name, name, registered=True) for name in "abcdef")
PLAN = LadderPlan("Ladder", "backgammon", 3, True, "Normal", False, 2, 1)


@pytest.mark.parametrize(
    ("challenger", "other", "order"),
    [
        ("d", "b", "adbcef"),
        ("b", "a", "bacdef"),
        ("f", "a", "fabcde"),
        ("a", "c", "abcdef"),
        ("f", "x", "abcdef"),
        ("x", "a", "abcdef"),
    ],
)
def test_who_wins_takes_the_place_and_everybody_from_there_on_moves_down(
    challenger: str, other: str, order: str
) -> None:
    assert "".join(taken("abcdef", challenger, other)) == order


def test_a_challenge_goes_to_somebody_above_within_reach_while_both_are_free() -> None:
    free = Ladder("l", "c", PLAN, PEOPLE, (), None)
    assert [one.id for one in PEOPLE if free.may_challenge("d", one.id)] == ["b", "c"]
    assert not free.may_challenge("x", "a")
    open_one = LadderChallenge("m", 1, PEOPLE[4], PEOPLE[2], 0, 1, None, begun=False)
    busy = Ladder("l", "c", PLAN, PEOPLE, (open_one,), None)
    assert [one.id for one in PEOPLE if busy.may_challenge("d", one.id)] == ["b"]
    assert not busy.may_challenge("e", "d")
    assert not Ladder("l", "c", PLAN, PEOPLE, (), 5).may_challenge("d", "c")
