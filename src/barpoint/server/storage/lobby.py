"""Challenges, who is online, and matches to watch or continue. All functions take an open connection."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ladders import LadderPlan
from barpoint.server.domain.matches import SeatKind
from barpoint.server.domain.time_control import in_days
from barpoint.server.storage.clubs import events_in, is_public
from barpoint.server.storage.database import count, insert_where_absent, values_of
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.guests import REGISTERED, people, person, select_people
from barpoint.server.storage.matches import is_bot
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.clubs import LADDER, LADDER_MATCH
from barpoint.server.storage.schema.lobby import BLOCK, CHALLENGE, PRESENCE
from barpoint.server.storage.schema.matches import EVENT, GUEST, MATCH, SEAT
from barpoint.server.storage.schema.tournaments import TOURNAMENT, TOURNAMENT_MATCH
from barpoint.server.storage.tournaments import plan_of
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

    names, guests, bots, score: by seat; the seat of a bot of this server has no guest. at, last: time and
    kind of the last event, "" before the first. event, due_at: the tournament or ladder in which it waits for its beginning, and
    until when one must be at the board; None on a ladder, and if it may be played elsewhere. deadline_at: when the time of
    who must act is over; None if no time runs.
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
    last: str
    event: str = ""
    due_at: int | None = None
    deadline_at: int | None = None


def put_challenge(connection: Connection, challenge: Challenge, limit: int) -> None:
    """Adds a challenge; Conflict if the person already has `limit` open ones."""
    mine = and_(CHALLENGE.c.guest_id == challenge.by.id, CHALLENGE.c.match_id.is_(None))
    if count(connection, CHALLENGE, mine) >= limit:
        raise Conflict("you have %(limit)s open challenges; withdraw one first", limit=limit)
    values = {**values_of(CHALLENGE, challenge), **_agreed(challenge.agreement)}
    connection.execute(insert(CHALLENGE).values(guest_id=challenge.by.id, **values))


def _agreed(agreement: Agreement) -> dict[str, Any]:
    """The columns of a challenge that hold an agreement."""
    terms = {"variant": agreement.rules.name, "terms": msgspec.json.encode(agreement.terms).decode()}
    return {**values_of(CHALLENGE, agreement), **terms}


def take_challenge(connection: Connection, challenge_id: str, match_id: str) -> None:
    """Records the match that a challenge became; Conflict if it was taken or withdrawn before."""
    waiting = and_(CHALLENGE.c.id == challenge_id, CHALLENGE.c.match_id.is_(None))
    if connection.execute(update(CHALLENGE).where(waiting).values(match_id=match_id)).rowcount != 1:
        raise Conflict("this challenge was withdrawn, or somebody was quicker")


def withdraw(connection: Connection, challenge_id: str, guest_id: str) -> bool:
    """Withdraws one of the person's own open challenges; False if it is not open."""
    own = and_(CHALLENGE.c.id == challenge_id, CHALLENGE.c.guest_id == guest_id, CHALLENGE.c.match_id.is_(None))
    return connection.execute(delete(CHALLENGE).where(own)).rowcount == 1


def was_found_in_lobby(connection: Connection, ids: Collection[str]) -> bool:
    """Whether one of these matches was an open challenge before."""
    return count(connection, CHALLENGE, CHALLENGE.c.match_id.in_(ids)) > 0


def forget_challenges(connection: Connection, before: int) -> None:
    """Deletes challenges made before a time, taken or not."""
    connection.execute(delete(CHALLENGE).where(CHALLENGE.c.created_at < before))


def _challenges() -> Select[Any]:
    return select_people(*CHALLENGE.c).join(CHALLENGE, CHALLENGE.c.guest_id == GUEST.c.id)


def _challenge(row: Row[Any]) -> Challenge:
    return Challenge(row.id, person(row), _agreement(row), row.created_at, row.match_id, row.quick)


def _agreement(row: Any) -> Agreement:
    return Agreement(
        variant(row.variant), msgspec.json.decode(row.terms, type=MatchTerms), row.time_control, row.rated, row.fee
    )


def get_challenge(connection: Connection, challenge_id: str) -> Challenge | None:
    """The challenge with that id."""
    row = connection.execute(_challenges().where(CHALLENGE.c.id == challenge_id)).first()
    return _challenge(row) if row else None


def open_challenges(
    connection: Connection,
    present_since: int,
    limit: int,
    *,
    agreement: Agreement | None = None,
    quick: bool = False,
    latest: bool = False,
) -> list[Challenge]:
    """Challenges that can be taken, oldest first.

    Leaves out those of people who are offline, except correspondence challenges. agreement: only those with it.
    quick: only those of quick pairing. latest: of more than `limit` the latest, correspondence challenges after all others, instead of the oldest.
    """
    age = CHALLENGE.c.created_at, CHALLENGE.c.id
    order = (in_days(CHALLENGE.c.time_control), age[0].desc(), age[1].desc()) if latest else age
    wanted = [CHALLENGE.c[name] == value for name, value in (_agreed(agreement) if agreement else {}).items()]
    wanted += [CHALLENGE.c.quick.is_(True)] if quick else []
    here = exists().where(and_(PRESENCE.c.guest_id == CHALLENGE.c.guest_id, PRESENCE.c.seen_at >= present_since))
    rows = connection.execute(
        _challenges()
        .where(CHALLENGE.c.match_id.is_(None), or_(here, in_days(CHALLENGE.c.time_control)), *wanted)
        .order_by(*order)
        .limit(limit)
    )
    return sorted(map(_challenge, rows), key=lambda one: (one.created_at, one.id))


def challenges_of(connection: Connection, guest_id: str) -> list[Challenge]:
    """A person's own challenges, first the open ones, then those that were taken, latest first."""
    order = (CHALLENGE.c.match_id.is_not(None), CHALLENGE.c.created_at.desc())
    rows = connection.execute(_challenges().where(CHALLENGE.c.guest_id == guest_id).order_by(*order).limit(50))
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
    present = select_people().join(PRESENCE, PRESENCE.c.guest_id == GUEST.c.id).where(PRESENCE.c.seen_at >= since)
    order = (REGISTERED.desc(), func.lower(GUEST.c.name), GUEST.c.id)
    return people(connection, present.order_by(*order).limit(limit))


def put_block(connection: Connection, guest_id: str, other_id: str, now: int) -> None:
    """Blocks a person."""
    insert_where_absent(connection, BLOCK, guest_id=guest_id, other_id=other_id, at=now)


def remove_block(connection: Connection, guest_id: str, other_id: str) -> None:
    """Unblocks a person."""
    connection.execute(delete(BLOCK).where(and_(BLOCK.c.guest_id == guest_id, BLOCK.c.other_id == other_id)))


def kept_apart(connection: Connection, guest_id: str) -> frozenset[str]:
    """The people whom this person has blocked, and those who have blocked them."""
    either = or_(BLOCK.c.guest_id == guest_id, BLOCK.c.other_id == guest_id)
    rows = connection.execute(select(BLOCK).where(either))
    return frozenset(row.other_id if row.guest_id == guest_id else row.guest_id for row in rows)


def all_apart(connection: Connection, persons: Collection[str]) -> frozenset[tuple[str, str]]:
    """All pairs among these people of whom one has blocked the other."""
    wanted = sorted(persons)
    among = and_(BLOCK.c.guest_id.in_(wanted), BLOCK.c.other_id.in_(wanted))
    return frozenset((row.guest_id, row.other_id) for row in connection.execute(select(BLOCK).where(among)))


def blocked_by(connection: Connection, guest_id: str) -> list[Guest]:
    """The people whom this person has blocked."""
    blocked = select_people().join(BLOCK, BLOCK.c.other_id == GUEST.c.id).where(BLOCK.c.guest_id == guest_id)
    return people(connection, blocked.order_by(func.lower(GUEST.c.name)))


_SEATS = (SEAT.alias("first"), SEAT.alias("second"))
_PEOPLE = (GUEST.alias(), GUEST.alias())
_ARRANGED = TOURNAMENT_MATCH.alias()
_CHALLENGED = LADDER_MATCH.alias()
_AT = func.coalesce(EVENT.c.at, MATCH.c.created_at)
_MATCH = (MATCH.c.id, MATCH.c.variant, MATCH.c.terms, MATCH.c.time_control, MATCH.c.rated, MATCH.c.fee)
_LAST = 2**62
"""A time after all others."""


def _going(
    connection: Connection,
    where: ColumnElement[bool],
    limit: int,
    offset: int = 0,
    *,
    of: Collection[str] = (),
    by: ColumnElement[int] = _AT,
    first: Collection[ColumnElement[Any]] = (),
) -> list[ListedMatch]:
    """Matches that meet a condition, latest first. of: all these people sit there; their seats lead to the matches. by: the time in question.

    first: what the order goes by before the time.
    """
    own_columns = (*_MATCH, MATCH.c.state, MATCH.c.over, MATCH.c.to_act, MATCH.c.deadline_at)
    chosen = select(*own_columns, _AT.label("at"), EVENT.c.kind.label("last"))
    for guest_id in of:
        own = select(SEAT.c.match_id).where(SEAT.c.guest_id == guest_id).distinct().subquery()
        chosen = chosen.join(own, own.c.match_id == MATCH.c.id)
    for index, (seat, guest) in enumerate(zip(_SEATS, _PEOPLE, strict=True)):
        columns = {"name": seat.c.name, "guest": seat.c.guest_id, "kind": seat.c.kind, "bot": guest.c.bot}
        chosen = (
            chosen.add_columns(*(column.label(f"{name}_{index}") for name, column in columns.items()))
            .join(seat, and_(seat.c.match_id == MATCH.c.id, seat.c.seat == index))
            .outerjoin(guest, guest.c.id == seat.c.guest_id)
        )
    awaited = and_(_ARRANGED.c.match_id == MATCH.c.id, MATCH.c.seq == 0, _ARRANGED.c.settled.is_(False))
    challenged = and_(_CHALLENGED.c.match_id == MATCH.c.id, MATCH.c.seq == 0, _CHALLENGED.c.outcome.is_(None))
    rows = connection.execute(
        chosen.add_columns(TOURNAMENT.c.plan, _ARRANGED.c.due_at, LADDER.c.plan.label("ladder"))
        .outerjoin(EVENT, and_(EVENT.c.match_id == MATCH.c.id, EVENT.c.seq == MATCH.c.seq))
        .outerjoin(_ARRANGED, awaited)
        .outerjoin(TOURNAMENT, TOURNAMENT.c.id == _ARRANGED.c.tournament_id)
        .outerjoin(_CHALLENGED, challenged)
        .outerjoin(LADDER, LADDER.c.id == _CHALLENGED.c.ladder_id)
        .where(where, MATCH.c.replaced_by.is_(None))
        .order_by(*first, by.desc(), MATCH.c.id)
        .limit(limit)
        .offset(offset)
    )
    return [_listed(row) for row in rows]


def _listed(row: Any) -> ListedMatch:
    state = msgspec.json.decode(row.state)
    plan = plan_of(row) if row.plan else None
    ladder = msgspec.json.decode(row.ladder, type=LadderPlan).name if row.ladder else ""
    return ListedMatch(
        id=row.id,
        agreement=_agreement(row),
        names=(row.name_0, row.name_1),
        guests=(row.guest_0, row.guest_1),
        kinds=(row.kind_0, row.kind_1),
        bots=(is_bot(row.kind_0, row.bot_0), is_bot(row.kind_1, row.bot_1)),
        score=(state["score"][0], state["score"][1]),
        over=row.over,
        winner=state["winner"],
        to_act=row.to_act,
        at=row.at,
        last=row.last or "",
        event=plan.name if plan is not None else ladder,
        due_at=row.due_at if plan is not None and not plan.boards else None,
        deadline_at=row.deadline_at,
    )


def matches_running(connection: Connection, since: int, limit: int, *, public: bool = True) -> list[ListedMatch]:
    """Matches in which something has happened since a time, latest first.

    public: without those that only members of a club may see.
    """
    complete = and_(*(seat.c.kind != SeatKind.OPEN.value for seat in _SEATS))
    wanted = [MATCH.c.over.is_(False), MATCH.c.acted_at >= since, MATCH.c.seq > 0, complete]
    if public:
        wanted.append(is_public(MATCH.c.id))
    return _going(connection, and_(*wanted), limit, by=MATCH.c.acted_at)


def matches_in_club(connection: Connection, club_id: str, limit: int) -> list[ListedMatch]:
    """The unfinished matches that members of a club have opened, latest first; those that wait for somebody too."""
    arranged = exists().where(TOURNAMENT_MATCH.c.match_id == MATCH.c.id)
    opened = and_(MATCH.c.over.is_(False), MATCH.c.id.in_(events_in(club_id)), ~arranged)
    return _going(connection, opened, limit)


def matches_unfinished(connection: Connection, guest_id: str, limit: int) -> list[ListedMatch]:
    """A person's unfinished matches: first those that wait for them, by the time that is left, then the others, latest first."""
    own = (and_(MATCH.c.to_act == index, seat.c.guest_id == guest_id) for index, seat in enumerate(_SEATS))
    complete = (seat.c.kind != SeatKind.OPEN.value for seat in _SEATS)
    left = case((and_(or_(*own), *complete), func.coalesce(MATCH.c.deadline_at, _LAST - 1)), else_=_LAST)
    return _going(connection, MATCH.c.over.is_(False), limit, of=(guest_id,), first=(left,))


def boards_waiting(connection: Connection, guest_id: str, but: str = "") -> int:
    """How many matches with days for a turn wait for a person. but: one that is left out."""
    return connection.scalar(_waiting(func.count(), guest_id, but)) or 0


def next_board(connection: Connection, guest_id: str, but: str = "") -> str | None:
    """The one of them with the least time left; None if none waits."""
    order = MATCH.c.deadline_at, MATCH.c.id
    return connection.execute(_waiting(MATCH.c.id, guest_id, but).order_by(*order).limit(1)).scalar()


def _waiting(what: ColumnElement[Any], guest_id: str, but: str) -> Select[Any]:
    """Something of the matches with days for a turn that wait for a person; their seats lead to the matches."""
    own = and_(SEAT.c.guest_id == guest_id, SEAT.c.kind == SeatKind.GUEST.value)
    seats = select(SEAT.c.match_id, SEAT.c.seat).where(own).distinct().subquery()
    return (
        select(what)
        .select_from(MATCH)
        .join(seats, and_(seats.c.match_id == MATCH.c.id, seats.c.seat == MATCH.c.to_act))
        .where(MATCH.c.over.is_(False), in_days(MATCH.c.time_control), MATCH.c.id != but)
        .where(MATCH.c.adjourned_at.is_(None), MATCH.c.deadline_at.is_not(None))
    )


def matches_finished(
    connection: Connection, guest_id: str, limit: int, offset: int = 0, *, public: bool = False
) -> list[ListedMatch]:
    """A person's finished matches, latest first; without those that were removed before their end or never began.

    public: also without those that only members of a club may see.
    """
    wanted = [MATCH.c.over.is_(True), ~_removed(), ~_called_off()]
    if public:
        wanted.append(is_public(MATCH.c.id))
    return _going(connection, and_(*wanted), limit, offset, of=(guest_id,))


def matches_between(connection: Connection, guest_id: str, other_id: str, limit: int) -> list[ListedMatch]:
    """The matches that two people have finished against each other, latest first; not those that were voided."""
    won = MATCH.c.state.not_like('%"winner":null%')
    return _going(connection, and_(MATCH.c.over.is_(True), won), limit, of=(guest_id, other_id))


def _removed() -> ColumnElement[bool]:
    """Whether a match was voided in which a bot played, or nobody with an account."""
    voided = and_(
        func.coalesce(EVENT.c.kind, "") == "abort", func.coalesce(EVENT.c.payload, "").contains('"annulled":true')
    )
    bots = or_(*(seat.c.kind == SeatKind.BOT.value for seat in _SEATS), *(guest.c.bot.is_(True) for guest in _PEOPLE))
    members = exists().where(or_(*(ACCOUNT.c.id == seat.c.guest_id for seat in _SEATS)))
    return and_(voided, or_(bots, ~members))


def _called_off() -> ColumnElement[bool]:
    """Whether a match ended before it began, as a challenge or a rematch that was declined."""
    return and_(func.coalesce(EVENT.c.kind, "") == "abort", MATCH.c.seq == 1)


def waits_for(going: ListedMatch, guest_id: str) -> bool:
    """Whether a match waits for this person."""
    complete = SeatKind.OPEN.value not in going.kinds
    return complete and not going.over and going.to_act is not None and going.guests[going.to_act] == guest_id
