"""The end of a game that a file tells by its points alone."""

from __future__ import annotations

from barpoint.error import FormatError
from barpoint.game import Accept, Event, Phase, Resign, Settle
from barpoint.match import Match


def concession(match: Match, winner: int, points: float) -> tuple[Event, ...]:
    """The events by which a player wins so many points before the last checker is off; () where there are none.

    FormatError where nothing was thrown yet.
    """
    if match.game.phase is Phase.OPENING:
        raise FormatError("a game is won in which nothing was thrown")
    for item in match.legal_events():
        if item.kind != "resign" or item.player == winner:
            continue
        for level in item.levels:
            events = Resign(1 - winner, level), Accept(winner)
            result = match.apply(events[0]).apply(events[1]).game.result
            if result is not None and result.points == points:
                return events
    return (Settle(points if winner == 0 else -points),) if match.terms.money else ()
