"""The sidebar of a board: both clocks, the consequence of inaction, adjournments, presence, ratings."""

from __future__ import annotations

from barpoint.game import Phase
from barpoint.server.domain.matches import SeatKind
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.live.seat_presence import SeatPresence
from barpoint.server.protocol.match_view import side_of
from barpoint.server.protocol.sidebar import (
    AdjournmentShown,
    ClockShown,
    ClockSide,
    DueShown,
    PresenceShown,
    RatingShown,
    RatingsShown,
    SeatPresenceShown,
)


def clock_shown(live_match: LiveMatch, near: int, now: int) -> ClockShown | None:
    """Both clocks at `now`, ms since 1970; None without a time control. near: the viewer's seat."""
    time_control = live_match.clock.time_control
    if not time_control.timed:
        return None
    adjourned = live_match.header.adjournment.adjourned_at
    now = now if adjourned is None else adjourned
    clock = live_match.clock
    running = None if adjourned is not None or clock.running is None else clock.running.player

    def side(seat: int) -> ClockSide:
        return ClockSide(clock.reserve(seat, now), running == seat, clock.free_ms_of(seat, now))

    return ClockShown(
        name=live_match.header.time_control,
        delay_ms=time_control.delay_ms,
        free_ms=clock.free_ms(now),
        near=side(near),
        far=side(1 - near),
    )


def due_shown(live_match: LiveMatch, near: int, now: int) -> DueShown | None:
    """What happens at the deadline; None if there is none. near: the viewer's seat."""
    if live_match.deadline_at is None or live_match.match.over:
        return None
    game = live_match.match.game
    if game.phase is Phase.PROVISIONAL_END:
        kind = "keep"
    elif live_match.header.adjournment.claimed_by is not None:
        kind = "claim"
    elif not live_match.header.ready:
        kind = "seeds"
    else:
        kind = "next" if game.over else "timeout"
    return DueShown(kind, max(0, live_match.deadline_at - now), side_of(game.actor, near))


def adjournment_shown(live_match: LiveMatch, near: int, may: tuple[str, ...]) -> AdjournmentShown:
    """The requests outside the events. near: the viewer's seat; may: the requests open to them."""
    adjournment = live_match.header.adjournment
    return AdjournmentShown(
        adjourned=adjournment.adjourned_at is not None,
        asked_by=side_of(adjournment.asked_by, near),
        claimed_by=side_of(adjournment.claimed_by, near),
        may=may,
    )


def presence_shown(live_match: LiveMatch, near: int, presence: SeatPresence, now: int) -> PresenceShown:
    """Whether the players are connected at `now`, ms since 1970. near: the viewer's seat."""

    def shown(seat: int) -> SeatPresenceShown | None:
        if live_match.header.seats[seat].kind is not SeatKind.GUEST:
            return None
        connected = presence.of(live_match.header.id, seat)
        return SeatPresenceShown(connected.here, None if connected.left_at is None else now - connected.left_at)

    return PresenceShown(shown(near), shown(1 - near))


def ratings_shown(live_match: LiveMatch, near: int) -> RatingsShown | None:
    """The players' ratings, if the match is rated or somebody has a rating in its pool. near: the viewer's seat."""
    standings = live_match.outcome.standings
    if standings is None or not (live_match.header.rated or any(place.matches for place in standings)):
        return None
    first, second = (
        RatingShown(
            value=place.rating.value,
            provisional=place.glicko.provisional,
            before=change.before if change else None,
            after=change.after if change else None,
        )
        for place, change in zip(standings, live_match.outcome.changes, strict=True)
    )
    return RatingsShown(first, second) if near == 0 else RatingsShown(second, first)
