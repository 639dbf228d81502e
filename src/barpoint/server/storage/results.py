"""What match results change: ratings and play money, in the transaction of the event that causes it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    String,
    Table,
    and_,
    bindparam,
    cast,
    func,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from barpoint.match import Match
from barpoint.server.domain import ledger
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ledger import TICKETS, LedgerError, Transfer
from barpoint.server.domain.matches import MatchHeader, SeatKind
from barpoint.server.domain.ratings import Glicko, Rating, after_match, glicko_after_match
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage.database import columns_of, count, insert_where_absent
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.prepared import PreparedSelect
from barpoint.server.storage.schema.matches import EVENT, MATCH, SEAT
from barpoint.server.storage.schema.results import BALANCE, LEDGER_LINE, RATING, RATING_CHANGE, TRANSFER

WELCOME: Final = 1000
"""Tickets that everybody gets once, before their first payment."""


@dataclass(frozen=True, slots=True)
class RatingStanding:
    """A person's rating in a pool. matches: rated matches played there."""

    rating: Rating
    glicko: Glicko
    matches: int


NEW: Final = RatingStanding(Rating(), Glicko(), 0)
"""The rating everybody starts with."""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """How a match changed a person's rating in its pool. at: ms since 1970. experience, deviation: after the match."""

    number: int
    match_id: str
    other_id: str
    length: int
    won: bool
    at: int
    before: float
    after: float
    experience: int
    deviation: float


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The current ratings of a match's players in its pool, and the changes it caused; by seat."""

    standings: tuple[RatingStanding, RatingStanding] | None = None
    changes: tuple[RatingChange | None, RatingChange | None] = (None, None)


UNRATED: Final = MatchOutcome()
"""No ratings and no changes."""


def pool_of(header: MatchHeader) -> str:
    """The rating pool of a match: one for each variant with its options and modifiers."""
    return header.rules.name


def sit_down(connection: Connection, invitation: str, guest: Guest) -> str:
    """Seats a guest like `match_storage.take_seat`; Conflict also if they cannot pay the entry fee."""
    match_id = match_storage.take_seat(connection, invitation, guest)
    header = match_storage.get_header(connection, match_id)
    assert header is not None, "it has just been found"
    if header.fee > (have := tickets_of(connection, guest.id)):
        raise Conflict("an entry fee of %(fee)s tickets; you have %(have)s", fee=header.fee, have=have)
    return match_id


def begin(connection: Connection, header: MatchHeader, at: int) -> None:
    """Moves the entry fees into escrow at the first roll of a match. LedgerError if a player cannot pay."""
    players = players_of(header)
    if header.fee == 0 or players is None:
        return
    for player in sorted(players):
        welcome(connection, player, at)
    accounts = [ledger.account(player) for player in players]
    rows = connection.execute(
        select(BALANCE.c.account, BALANCE.c.amount)
        .where(BALANCE.c.account.in_(accounts))
        .order_by(BALANCE.c.account)
        .with_for_update()
    )
    balances = {row.account: int(row.amount) for row in rows}
    post(connection, ledger.hold(header.id, players, header.fee, balances), at, header.id)


def conclude(connection: Connection, header: MatchHeader, match: Match, at: int) -> None:
    """Pays the fees to the winner and updates the ratings at the end of a match. Idempotent."""
    players = players_of(header)
    if players is None:
        return
    if count(connection, TRANSFER, TRANSFER.c.key == f"hold:{header.id}"):
        if match.winner is None:
            end = ledger.refund(header.id, players, header.fee)
        else:
            end = ledger.settle(header.id, players[match.winner], header.fee)
        post(connection, end, at, header.id)
    if header.rated and match.winner is not None and match.length > 0:
        rate(connection, header, players[match.winner], players[1 - match.winner], at)


def players_of(header: MatchHeader) -> tuple[str, str] | None:
    """The two persons of a match; None if a bot of this server plays, since such matches count for nothing."""
    first, second = (seat.guest if seat.kind is SeatKind.GUEST else None for seat in header.seats)
    return None if first is None or second is None else (first, second)


def post(connection: Connection, transfer: Transfer, at: int, match_id: str | None = None) -> bool:
    """Writes a transfer with all its lines; False if its key exists. LedgerError if an account would be overdrawn."""
    if count(connection, TRANSFER, TRANSFER.c.key == transfer.key):
        return False
    connection.execute(
        insert(TRANSFER).values(key=transfer.key, reason=transfer.reason, match_id=match_id, at=at),
    )
    lines = [{"key": transfer.key, "account": line.account, "amount": line.amount} for line in transfer.lines]
    connection.execute(insert(LEDGER_LINE), lines)
    for line in sorted(transfer.lines, key=lambda line: line.account):  # always in the same order, to avoid deadlocks
        _add(connection, line.account, line.amount)
    return True


def _add(connection: Connection, account: str, amount: int) -> None:
    enough = BALANCE.c.amount + amount >= 0 if account != TICKETS else BALANCE.c.account == TICKETS
    changed = connection.execute(
        update(BALANCE).where(and_(BALANCE.c.account == account, enough)).values(amount=BALANCE.c.amount + amount)
    )
    if changed.rowcount == 1:
        return
    found = connection.scalar(select(BALANCE.c.amount).where(BALANCE.c.account == account))
    if found is not None or (amount < 0 and account != TICKETS):
        raise LedgerError(
            "%(account)s has %(held)s tickets; %(asked)s are asked for",
            account=account,
            held=found or 0,
            asked=-amount,
        )
    if not insert_where_absent(connection, BALANCE, account=account, amount=amount):
        _add(connection, account, amount)  # another process has just created it


def welcome(connection: Connection, guest_id: str, at: int) -> None:
    """Gives a person the starting tickets, once."""
    post(connection, ledger.grant(guest_id, WELCOME, f"welcome:{guest_id}"), at)


def tickets_of(connection: Connection, guest_id: str) -> int:
    """The tickets a person can spend, including starting tickets they have not received yet."""
    found = connection.scalar(select(BALANCE.c.amount).where(BALANCE.c.account == ledger.account(guest_id)))
    return WELCOME if found is None else int(found)


def transfers(connection: Connection) -> list[Transfer]:
    """Every transfer, in order."""
    rows = connection.execute(
        select(TRANSFER.c.key, TRANSFER.c.reason, LEDGER_LINE.c.account, LEDGER_LINE.c.amount)
        .join(LEDGER_LINE, LEDGER_LINE.c.key == TRANSFER.c.key)
        .order_by(TRANSFER.c.number)
    ).all()
    lines: dict[tuple[str, str], list[ledger.LedgerLine]] = {}
    for row in rows:
        lines.setdefault((row.key, row.reason), []).append(ledger.LedgerLine(row.account, int(row.amount)))
    return [Transfer(key, reason, tuple(found)) for (key, reason), found in lines.items()]


@dataclass(frozen=True, slots=True)
class TicketLine:
    """A line of a person's tickets. key, reason: of the transfer. at: ms since 1970."""

    key: str
    reason: str
    amount: int
    at: int


def tickets_moved(connection: Connection, guest_id: str, limit: int, offset: int = 0) -> list[TicketLine]:
    """What a person has paid and got, the latest first."""
    rows = connection.execute(
        select(TRANSFER.c.key, TRANSFER.c.reason, TRANSFER.c.at, LEDGER_LINE.c.amount)
        .join(LEDGER_LINE, LEDGER_LINE.c.key == TRANSFER.c.key)
        .where(LEDGER_LINE.c.account == ledger.account(guest_id))
        .order_by(TRANSFER.c.number.desc())
        .limit(limit)
        .offset(offset)
    )
    return [TicketLine(row.key, row.reason, int(row.amount), row.at) for row in rows]


def outcome(connection: Connection, header: MatchHeader) -> MatchOutcome:
    """The ratings of a match's players in its pool, and what the match changed."""
    players = players_of(header)
    if players is None:
        return UNRATED
    pool = pool_of(header)
    pair = {"first": players[0], "second": players[1]}
    standings = {row.guest_id: _standing(row) for row in _STANDINGS.all(connection, pool=pool, **pair)}
    changed = _CHANGED.all(connection, match_id=header.id, **pair) if header.rated else []
    changes = {row.guest_id: RatingChange(*row[1:]) for row in changed}
    mine, other = players
    return MatchOutcome((standings.get(mine, NEW), standings.get(other, NEW)), (changes.get(mine), changes.get(other)))


def _of_pair(table: Table) -> ColumnElement[bool]:
    """The rows of the persons :first and :second."""
    return or_(table.c.guest_id == bindparam("first"), table.c.guest_id == bindparam("second"))


_STANDINGS: Final = PreparedSelect(select(RATING).where(RATING.c.pool == bindparam("pool"), _of_pair(RATING)))
"""Their ratings in pool :pool."""

_CHANGED: Final = PreparedSelect(
    select(RATING_CHANGE.c.guest_id, *columns_of(RATING_CHANGE, RatingChange)).where(
        RATING_CHANGE.c.match_id == bindparam("match_id"), _of_pair(RATING_CHANGE)
    )
)
"""What match :match_id has changed of them."""


def standing(connection: Connection, guest_id: str, pool: str) -> RatingStanding:
    """A person's rating in a pool; the initial one for somebody new."""
    row = connection.execute(select(RATING).where(_in_pool(guest_id, pool))).first()
    return NEW if row is None else _standing(row)


def _standing(row: Any) -> RatingStanding:
    return RatingStanding(
        Rating(row.value, row.experience), Glicko(row.glicko, row.deviation, row.volatility), row.matches
    )


def standings_in(connection: Connection, places: Collection[tuple[str, str]]) -> dict[tuple[str, str], RatingStanding]:
    """Ratings by (person, pool), without people who are unrated in that pool."""
    table = RATING.c
    wanted, found = sorted(set(places)), dict[tuple[str, str], RatingStanding]()
    for start in range(0, len(wanted), 300):
        some = wanted[start : start + 300]
        rows = connection.execute(select(RATING).where(tuple_(table.guest_id, table.pool).in_(some)))
        found |= {(row.guest_id, row.pool): _standing(row) for row in rows}
    return found


def standings(connection: Connection, guest_id: str) -> dict[str, RatingStanding]:
    """A person's ratings, by pool."""
    rows = connection.execute(select(RATING).where(RATING.c.guest_id == guest_id).order_by(RATING.c.pool))
    return {row.pool: _standing(row) for row in rows}


def changes(connection: Connection, guest_id: str, pool: str) -> list[RatingChange]:
    """The history of a person's rating in a pool, in order."""
    return _changes(connection, and_(RATING_CHANGE.c.guest_id == guest_id, RATING_CHANGE.c.pool == pool))


def change_of(connection: Connection, match_id: str, guest_id: str) -> RatingChange | None:
    """How a match changed a person's rating."""
    found = _changes(connection, and_(RATING_CHANGE.c.match_id == match_id, RATING_CHANGE.c.guest_id == guest_id))
    return found[0] if found else None


def _changes(connection: Connection, condition: ColumnElement[bool]) -> list[RatingChange]:
    columns = columns_of(RATING_CHANGE, RatingChange)
    chosen = select(*columns).where(condition).order_by(RATING_CHANGE.c.number)
    return [RatingChange(*row) for row in connection.execute(chosen)]


def _in_pool(guest_id: str, pool: str) -> ColumnElement[bool]:
    return and_(RATING.c.guest_id == guest_id, RATING.c.pool == pool)


def rate(connection: Connection, header: MatchHeader, winner: str, loser: str, at: int) -> None:
    """Updates the ratings of both players of a match, in its pool; once."""
    if count(connection, RATING_CHANGE, RATING_CHANGE.c.match_id == header.id):
        return
    pool, length = pool_of(header), header.terms.length
    for guest_id in sorted((winner, loser)):  # always in the same order, to avoid deadlocks
        insert_where_absent(connection, RATING, guest_id=guest_id, pool=pool, **_values(NEW))
        connection.execute(select(RATING).where(_in_pool(guest_id, pool)).with_for_update())
    before = standing(connection, winner, pool), standing(connection, loser, pool)
    ratings = after_match(before[0].rating, before[1].rating, length)
    glickos = glicko_after_match(before[0].glicko, before[1].glicko)
    for index, guest_id in enumerate((winner, loser)):
        after = RatingStanding(ratings[index], glickos[index], before[index].matches + 1)
        connection.execute(update(RATING).where(_in_pool(guest_id, pool)).values(**_values(after)))
        connection.execute(
            insert(RATING_CHANGE).values(
                match_id=header.id,
                guest_id=guest_id,
                other_id=(loser, winner)[index],
                pool=pool,
                length=length,
                won=index == 0,
                at=at,
                before=before[index].rating.value,
                after=after.rating.value,
                experience=after.rating.experience,
                deviation=after.glicko.deviation,
            )
        )


def have_rated(connection: Connection, match_ids: Collection[str]) -> bool:
    """Whether one of these matches has changed ratings."""
    return bool(match_ids) and count(connection, RATING_CHANGE, RATING_CHANGE.c.match_id.in_(match_ids)) > 0


def _values(now: RatingStanding) -> dict[str, float | int]:
    return {
        "value": now.rating.value,
        "experience": now.rating.experience,
        "glicko": now.glicko.rating,
        "deviation": now.glicko.deviation,
        "volatility": now.glicko.volatility,
        "matches": now.matches,
    }


def roll_counts(connection: Connection, person_id: str, most: int) -> dict[tuple[int, ...], int]:
    """How often a person has rolled each roll with this server's dice; real dice that were entered do not count.

    most: how many of their matches count, the latest.
    """
    own = and_(SEAT.c.guest_id == person_id, SEAT.c.kind == SeatKind.GUEST.value)
    latest = (
        select(SEAT.c.match_id, cast(SEAT.c.seat, String).label("actor"))
        .join(MATCH, MATCH.c.id == SEAT.c.match_id)
        .where(own, MATCH.c.terms.not_like('%"manual":true%'))
        .order_by(MATCH.c.created_at.desc(), MATCH.c.id)
        .limit(most)
        .subquery()
    )
    rolled = and_(EVENT.c.match_id == latest.c.match_id, EVENT.c.actor == latest.c.actor, EVENT.c.kind == "roll")
    rows = connection.execute(
        select(EVENT.c.payload, func.count().label("times")).join(latest, rolled).group_by(EVENT.c.payload)
    )
    counted: Counter[tuple[int, ...]] = Counter()
    for row in rows:
        counted[tuple(sorted(json.loads(row.payload)["faces"], reverse=True))] += row.times
    return dict(counted)
