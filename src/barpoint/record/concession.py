"""Ends of games that a file gives only by the points won."""

from __future__ import annotations

from barpoint.error import FormatError
from barpoint.game import Accept, Event, Keep, Pass, Phase, Resign, Settle
from barpoint.match import Match


def concession(match: Match, winner: int, points: float) -> tuple[Event, ...]:
    """The events by which a player wins this many points before the last checker is off; () when there are none.

    FormatError when nothing has been rolled yet.
    """
    if match.game.phase is Phase.OPENING:
        raise FormatError("a game is won in which nothing was rolled")
    for item in match.legal_events():
        if item.kind != "resign" or item.player == winner:
            continue
        for level in item.levels:
            events = Resign(1 - winner, level), Accept(winner)
            result = match.apply(events[0]).apply(events[1]).game.result
            if result is not None and result.points == points:
                return events
    return (Settle(points if winner == 0 else -points),) if match.terms.money else ()


def won(match: Match, player: int, points: float) -> Match:
    """The match after its running game has ended as the file says: this player wins this many points.

    FormatError when the recorded play gives another result.
    """
    game = match.game
    if game.phase is Phase.PROVISIONAL_END:
        match = match.apply(Keep(1 - game.player))
    elif game.phase is Phase.DOUBLED:
        match = match.apply(Pass(1 - player))
    elif not game.over:
        for event in concession(match, player, points):
            match = match.apply(event)
    result = match.game.result
    if result is None or result.winner != player or (result.points != points and not match.over):
        raise FormatError(f"this player wins {points:g} points; by the moves it is {_result_text(match)}")
    return match


def _result_text(match: Match) -> str:
    result = match.game.result
    if result is None:
        return "not over"
    return "a draw" if result.winner is None else f"player {result.winner + 1} by {result.points:g}"
