"""A match that is new: its id, its seeds, and how it is written."""

from __future__ import annotations

import secrets
from dataclasses import replace

from sqlalchemy import Connection

from barpoint.match import Match
from barpoint.rules import RULES_VERSION
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.dice import made_seed, new_server_seed
from barpoint.server.domain.matches import MatchHeader, MatchSeat, SeatKind
from barpoint.server.live.live_match import snapshot
from barpoint.server.storage import matches as match_storage


def new_entry(
    agreement: Agreement, seats: tuple[MatchSeat, MatchSeat], now: int, *, players_seed: bool = False
) -> MatchHeader:
    """A match on what was agreed, not yet written anywhere.

    players_seed: it waits for a seed of the dice from each person at the table (`Adjournments.seal_seed`), so for both of them.
    """
    match_id, server_seed = _match_id(), new_server_seed()
    first, second = (
        replace(seat, by_player=True)
        if players_seed and seat.kind in (SeatKind.GUEST, SeatKind.OPEN)
        else replace(seat, client_seed=made_seed(server_seed, match_id, index))
        for index, seat in enumerate(seats)
    )
    return MatchHeader(
        id=match_id,
        rules=agreement.rules,
        terms=agreement.terms,
        rules_version=RULES_VERSION,
        server_seed=server_seed,
        seats=(first, second),
        created_at=now,
        time_control=agreement.time_control,
        rated=agreement.rated,
        fee=agreement.fee,
    )


def put_new(connection: Connection, header: MatchHeader) -> None:
    """Adds a match without events."""
    match_storage.put_match(connection, header, snapshot(Match.start(rules=header.rules, terms=header.terms), None))


def _match_id() -> str:
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(12))
