"""A match played to its end on a running server, with its own dice."""

from __future__ import annotations

from barpoint.game import Event, Roll
from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.live.matches import seat_for
from barpoint.server.services import Services
from barpoint.variants import variant
from tests.support.scripted_bots import ChanceBot


async def play_match(services: Services, name: str = "roll-over", length: int = 1, events: int = 10_000) -> str:
    """The id of a match between two guests with random legal actions, after its end or after this many events."""
    first, second = await services.accounts.new_guest(), await services.accounts.new_guest()
    header = await services.matches.make(
        Agreement(variant(name), MatchTerms(length=length)), (seat_for(first), seat_for(second))
    )
    live_match, bot = await services.matches.live_match(header.id), ChanceBot(5)
    while not live_match.match.over and live_match.seq < events:
        game = live_match.match.game
        seat = game.actor if game.actor is not None else 0
        event: Event = bot.event(live_match.match, seat)
        if isinstance(event, Roll):
            event = Roll(seat)
        await services.matches.act(header.id, seat, f"c{live_match.seq}", live_match.seq, event)
    return header.id
