"""What a viewer is told about time: both clocks, and what happens when nobody does anything."""

from __future__ import annotations

from barpoint.game import Phase
from barpoint.server.room import Room
from barpoint.server.wire import ClockShown, Due, Side


def clock_shown(room: Room, near: int, now: int) -> ClockShown | None:
    """Both clocks as they stand at `now`, ms since 1970; None where none is used. near: the viewer's seat."""
    pace = room.clock.pace
    if not pace.timed:
        return None
    adjourned = room.entry.recess.adjourned_at
    now = now if adjourned is None else adjourned
    running = None if adjourned is not None or room.clock.running is None else room.clock.running.player
    return ClockShown(
        name=room.entry.pace,
        delay_ms=pace.delay_ms,
        free_ms=room.clock.free_ms(now),
        near=Side(room.clock.reserve(near, now), running == near),
        far=Side(room.clock.reserve(1 - near, now), running == 1 - near),
    )


def due_shown(room: Room, near: int, now: int) -> Due | None:
    """What time will do at the deadline; None where there is none. near: the viewer's seat."""
    if room.deadline_at is None or room.match.over:
        return None
    game = room.match.game
    kind = "keep" if game.phase is Phase.PROVISIONAL_END else "next" if game.over else "timeout"
    by = None if game.actor is None else "near" if game.actor == near else "far"
    return Due(kind, max(0, room.deadline_at - now), by)
