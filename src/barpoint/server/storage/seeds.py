"""The seeds that players give for their dice: committed to first, then revealed, both before the first roll."""

from __future__ import annotations

from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, update

from barpoint.server.domain.dice import made_seed
from barpoint.server.domain.matches import MatchHeader, SeedState
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage.event_log import MATCHES, change, lock
from barpoint.server.storage.schema.matches import SEAT

REVEALING_MS: Final = 10_000
"""Time in ms to reveal a seed once both seats have committed; after it the server makes one instead."""

NOT_BEGUN: Final = {"seq": 0}
"""The condition for accepting a seed: the match has no events yet."""


def commit(connection: Connection, match_id: str, seat: int, commitment: str | None, now: int) -> None:
    """Stores the commitment to a seat's seed; only the first one counts. With None the server makes the seed."""
    header = _unbegun(connection, match_id)
    if header is None or header.seats[seat].seeding is not SeedState.AWAITED:
        return
    if commitment is None:
        _put(connection, header, seat, made_seed(header.server_seed, match_id, seat), by_player=False)
    else:
        connection.execute(update(SEAT).where(_place(match_id, seat)).values(commitment=commitment))
    header = match_storage.get_header(connection, match_id)
    if header is not None and header.all_committed and not header.ready:
        change(connection, MATCHES, match_id, NOT_BEGUN, {"deadline_at": now + REVEALING_MS})


def reveal(connection: Connection, match_id: str, seat: int, seed: str) -> None:
    """Stores a seed that was checked against its commitment; a second one changes nothing."""
    header = _unbegun(connection, match_id)
    if header is not None and header.seats[seat].seeding is SeedState.COMMITTED:
        _put(connection, header, seat, seed, by_player=True)


def fill(connection: Connection, match_id: str) -> None:
    """Makes the seeds that were committed to and not revealed in time."""
    header = _unbegun(connection, match_id)
    if header is None or not header.all_committed:
        return
    for index, seat in enumerate(header.seats):
        if seat.seeding is SeedState.COMMITTED:
            _put(connection, header, index, made_seed(header.server_seed, match_id, index), by_player=False)


def _unbegun(connection: Connection, match_id: str) -> MatchHeader | None:
    """The header of a match, which stays locked; None if it has begun or was cancelled."""
    return None if lock(connection, MATCHES, match_id) else match_storage.get_header(connection, match_id)


def _put(connection: Connection, header: MatchHeader, seat: int, seed: str, by_player: bool) -> None:
    connection.execute(update(SEAT).where(_place(header.id, seat)).values(client_seed=seed, by_player=by_player))
    now = match_storage.get_header(connection, header.id)
    if now is not None and now.ready:
        change(connection, MATCHES, header.id, NOT_BEGUN, {"deadline_at": None})


def _place(match_id: str, seat: int) -> ColumnElement[bool]:
    return and_(SEAT.c.match_id == match_id, SEAT.c.seat == seat)
