"""Matches in the database: what was agreed, who sits there, and the state after the last event.

All functions take an open connection and run in the store's threads: `await store.write(...)`, `await store.read(...)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, and_, bindparam, exists, func, insert, select, update

from barpoint.game.event import event_from_json
from barpoint.match import Match, MatchTerms, log_of_payloads
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import Adjournment, MatchHeader, MatchSeat, SeatKind
from barpoint.server.storage.database import columns_of, insert_where_absent, values_of
from barpoint.server.storage.event_log import MATCHES, Conflict, change, get_events
from barpoint.server.storage.prepared import PreparedSelect
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.lobby import DIRECT_CHALLENGE
from barpoint.server.storage.schema.matches import EVENT, GUEST, MATCH, SEAT, SETTING
from barpoint.variants import variant

MAX_FORGOTTEN: Final = 200
"""Forgotten matches that one look handles."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Cached state after the last event. state: the match in JSON; to_act: the seat that must act, if just one."""

    seq: int
    state: str
    to_act: int | None
    over: bool
    deadline_at: int | None

    @property
    def row(self) -> dict[str, object]:
        """The columns of a match that change with an event; an event also clears a pending request."""
        changed = {"state": self.state, "to_act": self.to_act, "over": self.over, "deadline_at": self.deadline_at}
        return {**changed, "pause_ms": 0, "asked_by": None, "claimed_by": None}


def secret(connection: Connection, name: str, fresh: str) -> str:
    """A secret of the server, stored at its first start; `fresh` is the value to store if there is none."""
    insert_where_absent(connection, SETTING, name=name, value=fresh)
    return str(connection.scalar(select(SETTING.c.value).where(SETTING.c.name == name)))


def put_match(connection: Connection, header: MatchHeader, snapshot: Snapshot) -> None:
    """Adds a match without events."""
    named = {"variant": header.rules.name, "commitment": header.seeds.commitment, "acted_at": header.created_at}
    terms = msgspec.json.encode(header.terms).decode()
    values = {**values_of(MATCH, header), **values_of(MATCH, snapshot), **named, "terms": terms}
    connection.execute(insert(MATCH).values(**values))
    seats = [
        {**values_of(SEAT, seat), "kind": seat.kind.value, "guest_id": seat.guest, "match_id": header.id, "seat": index}
        for index, seat in enumerate(header.seats)
    ]
    connection.execute(insert(SEAT), seats)


def get_header(connection: Connection, match_id: str) -> MatchHeader | None:
    """The header of a match: everything except its events."""
    found = get_header_and_end(connection, match_id)
    return found[0] if found else None


def get_header_and_end(connection: Connection, match_id: str) -> tuple[MatchHeader, bool] | None:
    """The header of a match, and whether it is over."""
    rows = _SEATED.all(connection, match_id=match_id)
    if not rows:
        return None
    first, second = map(_seat, rows)
    row = rows[0]
    own = {name: getattr(row, name) for name in _OWN}
    known = own | {
        "rules": variant(row.variant),
        "terms": msgspec.json.decode(row.terms, type=MatchTerms),
        "server_seed": bytes(row.server_seed),
        "seats": (first, second),
        "adjournment": Adjournment(row.adjourned_at, row.asked_by, row.claimed_by),
    }
    return MatchHeader(**known), row.over


_OWN: Final = tuple(column.name for column in columns_of(MATCH, MatchHeader))
"""Columns of a match that are fields of its header."""

_OF_SEAT: Final = tuple((column.name, f"seat_{column.name}") for column in columns_of(SEAT, MatchSeat))
"""Columns of a seat that are its fields, and what they are called in a row of _SEATED."""

_SEATED: Final = PreparedSelect(
    select(
        *(column for column in MATCH.c if column.name not in ("state", "commitment")),
        *(column.label(f"seat_{column.name}") for column in SEAT.c),
        GUEST.c.bot.label("seat_bot"),
    )
    .join(SEAT, SEAT.c.match_id == MATCH.c.id)
    .outerjoin(GUEST, GUEST.c.id == SEAT.c.guest_id)
    .where(MATCH.c.id == bindparam("match_id"))
    .order_by(SEAT.c.seat)
)
"""Match :match_id, once with each of its seats."""


def _seat(row: Any) -> MatchSeat:
    """A seat in a row of _SEATED."""
    other = {"kind": SeatKind(row.seat_kind), "guest": row.seat_guest_id, "bot": is_bot(row.seat_kind, row.seat_bot)}
    return MatchSeat(**{name: getattr(row, label) for name, label in _OF_SEAT} | other)


def read_match(connection: Connection, match_id: str) -> tuple[MatchHeader, Match]:
    """A match, replayed from its log."""
    header, payloads = _payloads(connection, match_id)
    events = (event_from_json(payload) for payload in payloads)
    return header, Match.fold(header.rules, header.terms, events)


def read_match_log(connection: Connection, match_id: str) -> bytes:
    """A match as `write_log` writes it, not replayed."""
    header, payloads = _payloads(connection, match_id)
    return log_of_payloads(header.rules, header.terms, payloads)


def _payloads(connection: Connection, match_id: str) -> tuple[MatchHeader, list[str]]:
    """The header of a match, and its events in JSON."""
    header = get_header(connection, match_id)
    assert header is not None, "matches are never deleted"
    return header, [event.payload for event in get_events(connection, MATCHES, match_id)]


def is_bot(kind: str, marked: bool | None) -> bool:
    """Whether a program plays a seat: a bot of this server or a marked account. Never at a real board."""
    return kind == SeatKind.BOT.value or (bool(marked) and kind == SeatKind.GUEST.value)


def get_snapshot(connection: Connection, match_id: str) -> Snapshot | None:
    """The cached state of a match."""
    row = connection.execute(select(*columns_of(MATCH, Snapshot)).where(MATCH.c.id == match_id)).first()
    return Snapshot(*row) if row else None


def take_seat(connection: Connection, invitation: str, guest: Guest) -> str:
    """Seats a guest on the open seat of an invitation and returns the match id; Conflict if they cannot have it.

    The seat of a direct challenge is for whoever was challenged.
    """
    row = connection.execute(
        select(SEAT.c.match_id, SEAT.c.seat, MATCH.c.rated, MATCH.c.fee, DIRECT_CHALLENGE.c.other_id)
        .join(MATCH, MATCH.c.id == SEAT.c.match_id)
        .outerjoin(DIRECT_CHALLENGE, DIRECT_CHALLENGE.c.match_id == SEAT.c.match_id)
        .where(SEAT.c.invitation == invitation)
    ).first()
    if row is None:
        raise Conflict("no match is waiting behind this link")
    if row.other_id not in (None, guest.id):
        raise Conflict("this seat is kept for somebody else")
    registered = connection.scalar(select(ACCOUNT.c.id).where(ACCOUNT.c.id == guest.id))
    if (row.rated or row.fee) and registered is None:
        raise Conflict("rated matches, and those with an entry fee, are for players with an account")
    taken = connection.execute(
        update(SEAT)
        .where(and_(SEAT.c.invitation == invitation, SEAT.c.kind == SeatKind.OPEN.value))
        .values(kind=SeatKind.GUEST.value, guest_id=guest.id, name=guest.name)
    )
    if taken.rowcount != 1:
        raise Conflict("this seat is taken")
    return str(row.match_id)


def open_seat(connection: Connection, match_id: str) -> str | None:
    """The invitation of the seat that a match has still open."""
    waiting = and_(SEAT.c.match_id == match_id, SEAT.c.kind == SeatKind.OPEN.value)
    return connection.scalar(select(SEAT.c.invitation).where(waiting))


def find_invitation(connection: Connection, invitation: str) -> str | None:
    """The match that an invitation belongs to."""
    found = connection.scalar(select(SEAT.c.match_id).where(SEAT.c.invitation == invitation))
    return str(found) if found is not None else None


def forgotten(connection: Connection, before: int) -> list[str]:
    """Unfinished matches without an account, not adjourned, in which nothing has happened since before a time, the oldest first.

    The time of the event decides, since an older program does not write `acted_at`.
    """
    seated = and_(SEAT.c.match_id == MATCH.c.id, SEAT.c.guest_id == ACCOUNT.c.id)
    touched = func.coalesce(EVENT.c.at, MATCH.c.created_at)
    chosen = (
        select(MATCH.c.id)
        .outerjoin(EVENT, and_(EVENT.c.match_id == MATCH.c.id, EVENT.c.seq == MATCH.c.seq))
        .where(MATCH.c.over.is_(False), MATCH.c.acted_at < before, touched < before)
        .where(MATCH.c.adjourned_at.is_(None), ~exists().where(seated))
        .order_by(MATCH.c.acted_at, MATCH.c.id)
        .limit(MAX_FORGOTTEN)
    )
    return list(connection.scalars(chosen))


def set_tutored(connection: Connection, match_id: str, seat: int, tutored: bool) -> None:
    """Notes whether the holder of a seat wants a tutor."""
    connection.execute(update(SEAT).where(SEAT.c.match_id == match_id, SEAT.c.seat == seat).values(tutored=tutored))


def set_rematch(connection: Connection, match_id: str, rematch: str) -> None:
    """Records the rematch; Conflict if a different one is recorded."""
    change(connection, MATCHES, match_id, {"rematch": None}, {"rematch": rematch})


def drop_rematch(connection: Connection, match_id: str, rematch: str) -> None:
    """Forgets the rematch, so that it can be agreed on again; Conflict if a different one is recorded."""
    change(connection, MATCHES, match_id, {"rematch": rematch}, {"rematch": None})
