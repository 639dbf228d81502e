"""A match that a running server has seen to its end, with its own dice."""

from __future__ import annotations

from barpoint.game import Event, Roll
from barpoint.match import Terms
from barpoint.server.live.matches import seat_for
from barpoint.server.services import Service
from barpoint.variants import variant
from tests.support.scripted_bots import ChanceBot


async def play_match(service: Service, name: str = "roll-over", length: int = 1, events: int = 10_000) -> str:
    """The id of a match between two guests who do anything legal, after its end or after so many events."""
    first, second = await service.new_guest(), await service.new_guest()
    entry = await service.hall.create(variant(name), Terms(length=length), (seat_for(first), seat_for(second)))
    room, bot = await service.hall.room(entry.id), ChanceBot(5)
    while not room.match.over and room.seq < events:
        game = room.match.game
        seat = game.actor if game.actor is not None else 0
        event: Event = bot.event(room.match, seat)
        if isinstance(event, Roll):
            event = Roll(seat)
        await service.hall.act(entry.id, seat, f"c{room.seq}", room.seq, event)
    return entry.id
