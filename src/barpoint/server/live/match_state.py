"""The state of a match for a viewer, sent by WebSocket and by the HTTP API."""

from __future__ import annotations

from barpoint.server.domain.agreement_form import describe_agreement
from barpoint.server.domain.matches import MatchSeat
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.live.seat_presence import SeatPresence
from barpoint.server.live.sidebar import adjournment_shown, clock_shown, due_shown, presence_shown, ratings_shown
from barpoint.server.protocol.matches import PROTOCOL, MatchShown, MatchState, SeatShown


def _seat_shown(seat: MatchSeat) -> SeatShown:
    """A seat as everybody may see it. The server's own seed appears only in the dice report."""
    told = seat.client_seed if seat.by_player else ""
    return SeatShown(seat.kind.value, seat.shown_name, seat.bot, seat.by_player, seat.commitment, told or None)


def match_state(
    live_match: LiveMatch,
    seat: int | None,
    after: int | None,
    now: int,
    may: tuple[str, ...] = (),
    presence: SeatPresence | None = None,
) -> MatchState:
    """The full state of a match for one viewer, with the events after a given one. presence: of its players, to tell."""
    header, near = live_match.header, 1 if seat == 1 else 0
    first, second = header.seats
    shown = MatchShown(
        id=header.id,
        variant=header.rules.name,
        title=variant_title(header.rules),
        terms=describe_agreement(header.agreement),
        length=header.terms.length,
        seats=(_seat_shown(first), _seat_shown(second)),
        commitment=header.seeds.commitment,
        rematch=header.rematch,
        rated=header.rated,
        fee=header.fee,
    )
    return MatchState(
        protocol=PROTOCOL,
        match=shown,
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
    )
