"""Changes of a match inside other transactions: creating one, or voiding one."""

from __future__ import annotations

import secrets
from dataclasses import replace

from sqlalchemy import Connection

from barpoint.error import StoreError
from barpoint.game import Abort
from barpoint.match import Match
from barpoint.rules import RULES_VERSION
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.dice import made_seed, new_server_seed
from barpoint.server.domain.limits import ID_LENGTH, ID_LETTERS
from barpoint.server.domain.matches import MatchHeader, MatchSeat, SeatKind
from barpoint.server.live.event_log import SERVER
from barpoint.server.live.live_match import logged, snapshot
from barpoint.server.storage import automatic as automatic_storage
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.event_log import MATCHES


def new_header(
    agreement: Agreement, seats: tuple[MatchSeat, MatchSeat], now: int, *, players_seed: bool = False
) -> MatchHeader:
    """The header of a match on agreed terms, not yet written.

    players_seed: the match waits for a dice seed from each person in it (`Adjournments.seal_seed`), and so for both.
    """
    match_id, server_seed = new_id(), new_server_seed()
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


def void_match(connection: Connection, match_id: str, now: int) -> None:
    """Voids a match, as an administrator or a tournament decides: no winner, fees refunded, no rating.

    Conflict if it has gone on meanwhile; StoreError if there is no such match, or it is over.
    """
    if match_storage.get_header(connection, match_id) is None:
        raise StoreError("no match is called %(match_id)r", match_id=match_id[:20])
    header, match = match_storage.read_match(connection, match_id)
    if match.over:
        raise StoreError("match %(match_id)s is over; only a running match can be voided", match_id=match_id)
    ended = match.apply(Abort(voided=True))
    event = replace(logged(ended.events[-1], len(ended.events), SERVER, None, now), pause_ms=header.pause_ms)
    known = {"pause_ms": header.pause_ms}
    row = {**snapshot(ended, None).row, "adjourned_at": None}
    log_storage.append(connection, MATCHES, match_id, len(match.events), [event], known, row)
    automatic_storage.forget_turns(connection, match_id)
    result_storage.conclude(connection, header, ended, now)


def new_id() -> str:
    """A new id for a match, a chouette or a tournament."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
