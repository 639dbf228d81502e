"""What a viewer is told beside the board: both clocks, what happens when nobody does anything, breaks, ratings."""

from __future__ import annotations

from barpoint.game import Phase
from barpoint.server.live.live_match import Room
from barpoint.server.protocol.sidebar import ClockShown, Due, RatingShown, RatingsShown, RecessShown, Side


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
    if game.phase is Phase.PROVISIONAL_END:
        kind = "keep"
    elif room.entry.recess.claimed_by is not None:
        kind = "claim"
    elif not room.entry.ready:
        kind = "seeds"
    else:
        kind = "next" if game.over else "timeout"
    return Due(kind, max(0, room.deadline_at - now), side(game.actor, near))


def recess_shown(room: Room, near: int, may: tuple[str, ...]) -> RecessShown:
    """What has been asked for around the events. near: the viewer's seat; may: what he may ask for."""
    recess = room.entry.recess
    return RecessShown(
        adjourned=recess.adjourned_at is not None,
        asked_by=side(recess.asked_by, near),
        claimed_by=side(recess.claimed_by, near),
        may=may,
    )


def ratings_shown(room: Room, near: int) -> RatingsShown | None:
    """What the players are rated where the match counts, or somebody has a rating there. near: the viewer's seat."""
    standings = room.outcome.standings
    if standings is None or not (room.entry.rated or any(place.matches for place in standings)):
        return None
    first, second = (
        RatingShown(
            value=place.rating.value,
            provisional=place.glicko.provisional,
            before=change.before if change else None,
            after=change.after if change else None,
        )
        for place, change in zip(standings, room.outcome.changes, strict=True)
    )
    return RatingsShown(first, second) if near == 0 else RatingsShown(second, first)


def side(seat: int | None, near: int) -> str | None:
    """A seat as the viewer calls it; None for nobody."""
    return None if seat is None else "near" if seat == near else "far"
