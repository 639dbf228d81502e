"""The end of a game that a file tells by its points alone."""

from __future__ import annotations

from barpoint.error import FormatError
from barpoint.game import Accept, Event, Keep, Pass, Phase, Resign, Settle
from barpoint.match import Match


def concession(match: Match, winner: int, points: float) -> tuple[Event, ...]:
    """The events by which a player wins so many points before the last checker is off; () where there are none.

    FormatError where nothing was rolled yet.
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
    """The match after its running game as a file tells its end: won by this player, with so many points.

    FormatError where what was played comes to something else.
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
