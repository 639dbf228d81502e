"""The state of a match for a viewer, sent by WebSocket and by the HTTP API."""

from __future__ import annotations

from barpoint.server.live.live_match import LiveMatch
from barpoint.server.live.seat_presence import SeatPresence
from barpoint.server.live.sidebar import adjournment_shown, clock_shown, due_shown, presence_shown, ratings_shown
from barpoint.server.protocol.matches import PROTOCOL, MatchState
from barpoint.server.protocol.proposition_text import proposition_text


def match_state(
    live_match: LiveMatch,
    seat: int | None,
    after: int | None,
    now: int,
    may: tuple[str, ...] = (),
    presence: SeatPresence | None = None,
) -> MatchState:
    """The full state of a match for one viewer, with the events after a given one. presence: of its players, to tell."""
    near = 1 if seat == 1 else 0
    return MatchState(
        protocol=PROTOCOL,
        match=live_match.shown(),
        seat=seat,
        seq=live_match.seq,
        roll_seq=live_match.roll_seq,
        version=live_match.version,
        view=live_match.view(seat),
        log=live_match.lines(seat, after),
        over=live_match.match.over,
        clock=clock_shown(live_match, near, now),
        due=due_shown(live_match, near, now),
        adjournment=adjournment_shown(live_match, near, may),
        ratings=ratings_shown(live_match, near),
        presence=presence_shown(live_match, near, presence, now) if presence else None,
        proposition=proposition_text(live_match.match, live_match.names(seat)),
    )
