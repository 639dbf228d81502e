"""Challenges, who is online, and matches to watch or continue. All functions take an open connection."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, and_, delete, exists, func, insert, or_, select, update

from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import SeatKind
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.matches import is_bot
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.lobby import BLOCK, CHALLENGE, PRESENCE
from barpoint.server.storage.schema.matches import EVENT, GUEST, MATCH, SEAT
from barpoint.variants import variant


@dataclass(frozen=True, slots=True)
class Challenge:
    """An invitation to anybody, with an agreement. match_id: the match it became. quick: from quick pairing."""

    id: str
    by: Guest
    agreement: Agreement
    created_at: int
    match_id: str | None = None
    quick: bool = False


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a list.

    names, guests, bots, score: by seat; the seat of a bot of this server has no guest. at: time of the last event.
    """

    id: str
    agreement: Agreement
    names: tuple[str, str]
    guests: tuple[str | None, str | None]
    kinds: tuple[str, str]
    bots: tuple[bool, bool]
    score: tuple[float, float]
    over: bool
    winner: int | None
    to_act: int | None
    at: int


def put_challenge(connection: Connection, challenge: Challenge, most: int) -> None:
    """Adds a challenge; Conflict if the person already has `most` open ones."""
    mine = and_(CHALLENGE.c.guest_id == challenge.by.id, CHALLENGE.c.match_id.is_(None))
    if (connection.scalar(select(func.count()).select_from(CHALLENGE).where(mine)) or 0) >= most:
        raise Conflict(f"you have {most} open challenges; withdraw one first")
    connection.execute(
        insert(CHALLENGE).values(
            id=challenge.id,
            guest_id=challenge.by.id,
            variant=challenge.agreement.rules.name,
            terms=msgspec.json.encode(challenge.agreement.terms).decode(),
            time_control=challenge.agreement.time_control,
            rated=challenge.agreement.rated,
            fee=challenge.agreement.fee,
            created_at=challenge.created_at,
            quick=challenge.quick,
        )
    )


def take_challenge(connection: Connection, challenge_id: str, match_id: str) -> None:
    """Records the match that a challenge became; Conflict if it was taken or withdrawn before."""
    changed = connection.execute(
        update(CHALLENGE)
        .where(and_(CHALLENGE.c.id == challenge_id, CHALLENGE.c.match_id.is_(None)))
        .values(match_id=match_id)
    )
    if changed.rowcount != 1:
        raise Conflict("this challenge was withdrawn, or somebody was quicker")


def withdraw(connection: Connection, challenge_id: str, guest_id: str) -> bool:
    """Withdraws one of the person's own open challenges; False if it is not open."""
    gone = connection.execute(
        delete(CHALLENGE).where(
            and_(CHALLENGE.c.id == challenge_id, CHALLENGE.c.guest_id == guest_id, CHALLENGE.c.match_id.is_(None))
        )
    )
    return gone.rowcount == 1


def forget_challenges(connection: Connection, before: int) -> None:
    """Deletes challenges made before a time, taken or not."""
    connection.execute(delete(CHALLENGE).where(CHALLENGE.c.created_at < before))


def _challenges() -> Select[Any]:
    return (
        select(*CHALLENGE.c, GUEST.c.name, GUEST.c.bot, ACCOUNT.c.id.is_not(None).label("registered"))
        .join(GUEST, GUEST.c.id == CHALLENGE.c.guest_id)
        .outerjoin(ACCOUNT, ACCOUNT.c.id == GUEST.c.id)
    )


def _challenge(row: Row[Any]) -> Challenge:
    agreement = _agreement(row)
    by = Guest(row.guest_id, row.name, registered=bool(row.registered), bot=row.bot)
    return Challenge(row.id, by, agreement, row.created_at, row.match_id, row.quick)


def _agreement(row: Any) -> Agreement:
    return Agreement(
        variant(row.variant), msgspec.json.decode(row.terms, type=MatchTerms), row.time_control, row.rated, row.fee
    )


def get_challenge(connection: Connection, challenge_id: str) -> Challenge | None:
    """The challenge with that id."""
    row = connection.execute(_challenges().where(CHALLENGE.c.id == challenge_id)).first()
    return _challenge(row) if row else None


def open_challenges(connection: Connection, present_since: int, limit: int) -> list[Challenge]:
    """Challenges that can be taken, oldest first.

    Leaves out those of people who are offline, except correspondence challenges.
    """
    here = exists().where(and_(PRESENCE.c.guest_id == CHALLENGE.c.guest_id, PRESENCE.c.seen_at >= present_since))
    rows = connection.execute(
        _challenges()
        .where(and_(CHALLENGE.c.match_id.is_(None), or_(here, CHALLENGE.c.time_control.startswith("Correspondence"))))
        .order_by(CHALLENGE.c.created_at, CHALLENGE.c.id)
        .limit(limit)
    )
    return [_challenge(row) for row in rows]


def challenges_of(connection: Connection, guest_id: str) -> list[Challenge]:
    """A person's own challenges, open or taken, latest first."""
    rows = connection.execute(
        _challenges().where(CHALLENGE.c.guest_id == guest_id).order_by(CHALLENGE.c.created_at.desc()).limit(50)
    )
    return [_challenge(row) for row in rows]


def note_presence(connection: Connection, guests: Collection[str], now: int) -> None:
    """Records that these people are online."""
    wanted = set(guests)
    while wanted:
        some = sorted(wanted)[:500]
        wanted -= set(some)
        known = set(connection.scalars(select(PRESENCE.c.guest_id).where(PRESENCE.c.guest_id.in_(some))))
        there = set(connection.scalars(select(GUEST.c.id).where(GUEST.c.id.in_(some))))
        if known:
            connection.execute(update(PRESENCE).where(PRESENCE.c.guest_id.in_(known)).values(seen_at=now))
        if there - known:
            connection.execute(insert(PRESENCE), [{"guest_id": one, "seen_at": now} for one in sorted(there - known)])


def people_present(connection: Connection, since: int, limit: int) -> list[Guest]:
    """People who are online, by name; those with an account first."""
    registered = ACCOUNT.c.id.is_not(None)
    rows = connection.execute(
        select(GUEST.c.id, GUEST.c.name, GUEST.c.bot, registered.label("registered"))
        .join(PRESENCE, PRESENCE.c.guest_id == GUEST.c.id)
        .outerjoin(ACCOUNT, ACCOUNT.c.id == GUEST.c.id)
        .where(PRESENCE.c.seen_at >= since)
        .order_by(registered.desc(), func.lower(GUEST.c.name), GUEST.c.id)
        .limit(limit)
    )
    return [Guest(row.id, row.name, registered=bool(row.registered), bot=row.bot) for row in rows]


def put_block(connection: Connection, guest_id: str, other_id: str, now: int) -> None:
    """Blocks a person."""
    same = and_(BLOCK.c.guest_id == guest_id, BLOCK.c.other_id == other_id)
    if not connection.scalar(select(exists().where(same))):
        connection.execute(insert(BLOCK).values(guest_id=guest_id, other_id=other_id, at=now))


def remove_block(connection: Connection, guest_id: str, other_id: str) -> None:
    """Unblocks a person."""
    connection.execute(delete(BLOCK).where(and_(BLOCK.c.guest_id == guest_id, BLOCK.c.other_id == other_id)))


def kept_apart(connection: Connection, guest_id: str) -> frozenset[str]:
    """The people whom this person has blocked, and those who have blocked them."""
    rows = connection.execute(
        select(BLOCK.c.guest_id, BLOCK.c.other_id).where(
            or_(BLOCK.c.guest_id == guest_id, BLOCK.c.other_id == guest_id)
        )
    )
    return frozenset(row.other_id if row.guest_id == guest_id else row.guest_id for row in rows)


def all_apart(connection: Connection, persons: Collection[str]) -> frozenset[tuple[str, str]]:
    """All pairs among these people of whom one has blocked the other."""
    wanted = sorted(persons)
    among = and_(BLOCK.c.guest_id.in_(wanted), BLOCK.c.other_id.in_(wanted))
    return frozenset((row.guest_id, row.other_id) for row in connection.execute(select(BLOCK).where(among)))


def blocked_by(connection: Connection, guest_id: str) -> list[Guest]:
    """The people whom this person has blocked."""
    rows = connection.execute(
        select(GUEST.c.id, GUEST.c.name)
        .join(BLOCK, BLOCK.c.other_id == GUEST.c.id)
        .where(BLOCK.c.guest_id == guest_id)
        .order_by(func.lower(GUEST.c.name))
    )
    return [Guest(row.id, row.name) for row in rows]


_SEATS = (SEAT.alias("first"), SEAT.alias("second"))


def _going(connection: Connection, where: ColumnElement[bool], limit: int, offset: int = 0) -> list[ListedMatch]:
    first, second = _SEATS
    programs = GUEST.alias(), GUEST.alias()
    columns = (
        MATCH.c.id,
        MATCH.c.variant,
        MATCH.c.terms,
        MATCH.c.time_control,
        MATCH.c.rated,
        MATCH.c.fee,
        MATCH.c.state,
        MATCH.c.over,
        MATCH.c.to_act,
        first.c.name.label("name_0"),
        second.c.name.label("name_1"),
        first.c.guest_id.label("guest_0"),
        second.c.guest_id.label("guest_1"),
        first.c.kind.label("kind_0"),
        second.c.kind.label("kind_1"),
        programs[0].c.bot.label("bot_0"),
        programs[1].c.bot.label("bot_1"),
        func.coalesce(EVENT.c.at, MATCH.c.created_at).label("at"),
    )
    rows = connection.execute(
        select(*columns)
        .join(first, and_(first.c.match_id == MATCH.c.id, first.c.seat == 0))
        .join(second, and_(second.c.match_id == MATCH.c.id, second.c.seat == 1))
        .outerjoin(programs[0], programs[0].c.id == first.c.guest_id)
        .outerjoin(programs[1], programs[1].c.id == second.c.guest_id)
        .outerjoin(EVENT, and_(EVENT.c.match_id == MATCH.c.id, EVENT.c.seq == MATCH.c.seq))
        .where(where)
        .order_by(func.coalesce(EVENT.c.at, MATCH.c.created_at).desc(), MATCH.c.id)
        .limit(limit)
        .offset(offset)
    )
    found = []
    for row in rows:
        state = msgspec.json.decode(row.state)
        score = state["score"]
        found.append(
            ListedMatch(
                row.id,
                _agreement(row),
                (row.name_0, row.name_1),
                (row.guest_0, row.guest_1),
                (row.kind_0, row.kind_1),
                (is_bot(row.kind_0, row.bot_0), is_bot(row.kind_1, row.bot_1)),
                (score[0], score[1]),
                row.over,
                state["winner"],
                row.to_act,
                row.at,
            )
        )
    return found


def matches_running(connection: Connection, since: int, limit: int) -> list[ListedMatch]:
    """Matches in which something has happened since a time, latest first."""
    first, second = _SEATS
    complete = and_(first.c.kind != SeatKind.OPEN.value, second.c.kind != SeatKind.OPEN.value)
    return _going(connection, and_(MATCH.c.over.is_(False), complete, EVENT.c.at >= since), limit)


def matches_unfinished(connection: Connection, guest_id: str, limit: int) -> list[ListedMatch]:
    """A person's unfinished matches: first those that wait for them, then by time, latest first."""
    first, second = _SEATS
    mine = or_(first.c.guest_id == guest_id, second.c.guest_id == guest_id)
    found = _going(connection, and_(MATCH.c.over.is_(False), mine), limit)
    return sorted(found, key=lambda going: not waits_for(going, guest_id))


def matches_finished(connection: Connection, guest_id: str, limit: int, offset: int = 0) -> list[ListedMatch]:
    """A person's finished matches, latest first."""
    first, second = _SEATS
    mine = or_(first.c.guest_id == guest_id, second.c.guest_id == guest_id)
    return _going(connection, and_(MATCH.c.over.is_(True), mine), limit, offset)


def waits_for(going: ListedMatch, guest_id: str) -> bool:
    """Whether a match waits for this person."""
    complete = SeatKind.OPEN.value not in going.kinds
    return complete and not going.over and going.to_act is not None and going.guests[going.to_act] == guest_id
