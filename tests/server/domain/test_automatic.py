"""What is done for a player without a server: bearing off."""

from __future__ import annotations

import pytest

from barpoint.board import Position, Side
from barpoint.game import PlayMade
from barpoint.match import Match, MatchTerms, StartingPosition
from barpoint.server.domain.automatic import AutomaticTurns, automatic_event

FAR_HOME = Side.of({0: 5, 1: 10})


def moves(us: Side, faces: tuple[int, ...], them: Side = FAR_HOME, rules: str = "backgammon") -> object:
    """The moves that are made for whoever wants to bear off; None for none."""
    begins_at = StartingPosition.of(Position(us, them), 0, faces=faces)
    event = automatic_event(
        Match.start(rules=rules, terms=MatchTerms(begins_at=begins_at)), 0, AutomaticTurns(bears_off=True)
    )
    return event.moves if isinstance(event, PlayMade) else None


def test_the_play_that_bears_off_most_is_made() -> None:
    assert moves(Side.of({0: 11, 1: 2, 2: 2}), (2, 1)) in (((2, 0, 2), (1, 0, 1)), ((1, 0, 1), (2, 0, 2)))


@pytest.mark.parametrize(
    ("us", "them", "rules"),
    [
        ({0: 9, 6: 4, 5: 2}, FAR_HOME, "backgammon"),  # no checker is borne off with 2 and 1
        ({0: 11, 1: 2, 2: 1, 7: 1}, FAR_HOME, "backgammon"),  # one is not at home
        ({0: 11, 1: 2, 2: 2}, Side.of({0: 5, 1: 9, 25: 1}), "backgammon"),  # there is contact
        ({0: 11, 1: 2, 2: 2}, FAR_HOME, "misere"),  # it is not what wins
    ],
)
def test_nothing_is_borne_off_where_there_is_something_else_to_do(us: dict[int, int], them: Side, rules: str) -> None:
    assert moves(Side.of(us), (2, 1), them, rules) is None
