"""A match played to its end on a running server, with its own dice."""

from __future__ import annotations

from barpoint.game import Event, Roll
from barpoint.match import MatchTerms
from barpoint.server.bots.opponents import BotPlayer
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.live.matches import seat_for
from barpoint.server.services import Services
from barpoint.variants import variant
from tests.support.scripted_bots import ChanceBot


async def play_match(
    services: Services,
    name: str = "roll-over",
    length: int = 1,
    events: int = 10_000,
    people: tuple[Guest, Guest] | None = None,
) -> str:
    """The id of a match between these or two new guests with random legal actions, after its end or after this many events."""
    first, second = people or (await services.accounts.new_guest(), await services.accounts.new_guest())
    header = await services.matches.make(
        Agreement(variant(name), MatchTerms(length=length)), (seat_for(first), seat_for(second))
    )
    bot = ChanceBot(5)
    await play_on(services, header.id, (bot, bot), events)
    return header.id


async def play_on(
    services: Services, match_id: str, players: tuple[BotPlayer, BotPlayer], events: int = 10_000
) -> None:
    """Plays a match between people as these players would, up to its end or this many events."""
    live_match = await services.matches.live_match(match_id)
    while not live_match.match.over and live_match.seq < events:
        game = live_match.match.game
        seat = game.actor if game.actor is not None else 0
        event: Event | None = players[seat].event(live_match.match, seat)
        assert event is not None, "somebody must act"
        if isinstance(event, Roll):
            event = Roll(seat)
        await services.matches.act(match_id, seat, f"c{live_match.seq}", live_match.seq, event)
