"""Turns, times and messages that wait for people who are away, and whether they have been notified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, and_, case, exists, func, literal, or_, select, update

from barpoint.server.domain.appointments import CALLED_OFF, REMIND_MS
from barpoint.server.domain.matches import SeatKind
from barpoint.server.domain.time_control import DAY
from barpoint.server.storage.appointments import IS_OFFERED, OF_GOING
from barpoint.server.storage.database import insert_where_absent
from barpoint.server.storage.schema.accounts import ACCOUNT, NOTICE, PUSH_SUBSCRIPTION
from barpoint.server.storage.schema.appointments import APPOINTMENT
from barpoint.server.storage.schema.clubs import LADDER_MATCH
from barpoint.server.storage.schema.lobby import BLOCK, PRESENCE
from barpoint.server.storage.schema.matches import EVENT, GUEST, MATCH, SEAT
from barpoint.server.storage.schema.messages import MESSAGE
from barpoint.server.storage.schema.tournaments import TOURNAMENT, TOURNAMENT_MATCH
from barpoint.server.storage.tournament_lists import IS_AWAITED
from barpoint.server.storage.tournament_reports import reported_matches
from barpoint.server.storage.tournaments import plan_of

MAX_AT_ONCE: Final = 200


SOON_MS: Final = 3 * DAY
"""A match that is due later than this after somebody was last seen needs no notice yet."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody who is told something. by_mail: they want that, and their address is confirmed. language: chosen, None for English."""

    guest_id: str
    name: str
    email: str | None
    by_mail: bool
    language: str | None


@dataclass(frozen=True, slots=True)
class MessageNotice(Recipient):
    """Somebody to whom another person has written. last: the id of the latest message."""

    by_id: str
    by: str
    last: int


@dataclass(frozen=True, slots=True)
class Notice(Recipient):
    """Somebody who is told something about a match."""

    match_id: str
    variant: str


@dataclass(frozen=True, slots=True)
class WaitingTurn(Notice):
    """A turn that waits. seq: the event after which it is their turn; 0 for a tournament match that has not begun. challenger: who challenges
    them on a ladder, if it is that. boards: the tournament whose match they may play at a real board, if it is one.
    """

    seq: int
    challenger: str | None = None
    boards: str | None = None


@dataclass(frozen=True, slots=True)
class TimeNotice(Notice):
    """An appointment of which somebody is told. agreed_at: as it is stored. soon: it comes soon. settings: of their account, as JSON."""

    times: str
    agreed_at: int | None
    opponent: str
    soon: bool
    settings: str | None


_BY_MAIL = and_(ACCOUNT.c.notices.is_(True), ACCOUNT.c.email_confirmed.is_(True))
_BY_PUSH = select(PUSH_SUBSCRIPTION.c.id).where(PUSH_SUBSCRIPTION.c.guest_id == ACCOUNT.c.id).exists()
_PERSON = (
    ACCOUNT.c.id.label("guest_id"),
    ACCOUNT.c.name,
    ACCOUNT.c.email,
    _BY_MAIL.label("by_mail"),
    ACCOUNT.c.language,
)
_SHOWN = (*_PERSON, MATCH.c.id, MATCH.c.variant)
_TURN = (*_SHOWN, MATCH.c.seq)
_WANTED = and_(or_(_BY_MAIL, _BY_PUSH), ACCOUNT.c.banned_at.is_(None))


def _away(present_since: int) -> ColumnElement[bool]:
    return or_(PRESENCE.c.seen_at.is_(None), PRESENCE.c.seen_at < present_since)


def turns_waiting(connection: Connection, before: int, present_since: int) -> list[WaitingTurn]:
    """Turns begun before a time, of players who are away and have not been notified; oldest first."""
    unnotified = or_(NOTICE.c.seq.is_(None), NOTICE.c.seq < MATCH.c.seq)
    begun = and_(MATCH.c.over.is_(False), MATCH.c.adjourned_at.is_(None), EVENT.c.at < before, unnotified)
    playing = SEAT.c.kind == SeatKind.GUEST.value  # who keeps the record of a real board is on turn with neither seat
    turns = (
        select(*_TURN)
        .join(SEAT, and_(SEAT.c.match_id == MATCH.c.id, SEAT.c.seat == MATCH.c.to_act, playing))
        .join(EVENT, and_(EVENT.c.match_id == MATCH.c.id, EVENT.c.seq == MATCH.c.seq))
    )
    rows = _of_people_away(connection, turns.where(begun).order_by(EVENT.c.at), present_since)
    return [WaitingTurn(*row) for row in rows]


def calls_waiting(connection: Connection, present_since: int) -> list[WaitingTurn]:
    """Tournament matches that wait for players who are away and have not been notified; most urgent first.

    Those of leagues only when they are due within three days; none that somebody says are played at a real board.
    """
    soon = TOURNAMENT_MATCH.c.due_at < present_since + SOON_MS
    unreported = MATCH.c.id.not_in(reported_matches(connection))
    waiting = and_(TOURNAMENT_MATCH.c.settled.is_(False), NOTICE.c.seq.is_(None), soon, unreported)
    matches = (
        select(*_TURN, TOURNAMENT_MATCH.c.tournament_id, TOURNAMENT.c.plan)
        .join(TOURNAMENT_MATCH, TOURNAMENT_MATCH.c.match_id == MATCH.c.id)
        .join(TOURNAMENT, TOURNAMENT.c.id == TOURNAMENT_MATCH.c.tournament_id)
        .join(SEAT, IS_AWAITED)
    )
    rows = _of_people_away(connection, matches.where(waiting).order_by(TOURNAMENT_MATCH.c.due_at), present_since)
    return [WaitingTurn(*fields) for fields in map(_with_boards, rows)]


def _with_boards(row: Any) -> tuple[Any, ...]:
    """The fields of a turn that waits in a tournament: no challenger, and the tournament where there are real boards."""
    *turn, tournament_id, _plan = row
    return (*turn, None, tournament_id if plan_of(row).boards else None)


def ladder_calls_waiting(connection: Connection, present_since: int) -> list[WaitingTurn]:
    """Matches of ladders to which players who are away have been challenged, and of which they have not been notified."""
    challenger = GUEST.alias("challenger")
    waiting = and_(LADDER_MATCH.c.outcome.is_(None), MATCH.c.seq == 0, MATCH.c.over.is_(False), NOTICE.c.seq.is_(None))
    challenged = and_(
        SEAT.c.match_id == MATCH.c.id, SEAT.c.guest_id == LADDER_MATCH.c.other_id, SEAT.c.client_seed == ""
    )
    matches = (
        select(*_TURN, challenger.c.name)
        .join(LADDER_MATCH, LADDER_MATCH.c.match_id == MATCH.c.id)
        .join(challenger, challenger.c.id == LADDER_MATCH.c.guest_id)
        .join(SEAT, and_(challenged, SEAT.c.commitment.is_(None)))
    )
    rows = _of_people_away(connection, matches.where(waiting).order_by(LADDER_MATCH.c.due_at), present_since)
    return [WaitingTurn(*row) for row in rows]


def _of_people_away(connection: Connection, turns: Select[Any], present_since: int) -> Sequence[Any]:
    """Those of the turns whose players are away and want to be notified."""
    return connection.execute(
        turns.join(ACCOUNT, ACCOUNT.c.id == SEAT.c.guest_id)
        .outerjoin(PRESENCE, PRESENCE.c.guest_id == SEAT.c.guest_id)
        .outerjoin(NOTICE, and_(NOTICE.c.match_id == MATCH.c.id, NOTICE.c.guest_id == SEAT.c.guest_id))
        .where(_WANTED, _away(present_since))
        .limit(MAX_AT_ONCE)
    ).all()


def times_waiting(connection: Connection, now: int, present_since: int) -> list[TimeNotice]:
    """What was proposed, agreed on or called off, where the other player is away and has not been told of it, and all agreed times that come soon."""
    one = APPOINTMENT.c
    soon = and_(one.agreed_at > now, one.agreed_at <= now + REMIND_MS, one.reminded.is_(False))
    both = or_(ACCOUNT.c.id == one.guest_id, ACCOUNT.c.id == one.other_id)
    told = case((func.coalesce(one.agreed_at, CALLED_OFF) == CALLED_OFF, one.other_id), else_=one.guest_id)
    news = or_(IS_OFFERED, one.agreed_at == CALLED_OFF, one.agreed_at > now + REMIND_MS)
    untold = and_(one.told_at.is_(None), one.last_at > now, news, _away(present_since))
    kinds = ((soon, both, True), (untold, ACCOUNT.c.id == told, False))
    return [notice for which, whom, is_soon in kinds for notice in _of_times(connection, which, whom, soon=is_soon)]


def _of_times(
    connection: Connection, which: ColumnElement[bool], whom: ColumnElement[bool], *, soon: bool
) -> list[TimeNotice]:
    """Those of the appointments whose players want to be notified; both players of a match, or neither. whom: which accounts are told."""
    one = APPOINTMENT.c
    opponent = case((ACCOUNT.c.id == one.guest_id, one.other_id), else_=one.guest_id)
    rows = connection.execute(
        select(*_SHOWN, one.times, one.agreed_at, GUEST.c.name, literal(soon), ACCOUNT.c.settings)
        .select_from(APPOINTMENT)
        .join(MATCH, OF_GOING)
        .join(ACCOUNT, whom)
        .join(GUEST, GUEST.c.id == opponent)
        .outerjoin(PRESENCE, PRESENCE.c.guest_id == ACCOUNT.c.id)
        .where(which, _WANTED)
        .order_by(one.match_id)
        .limit(MAX_AT_ONCE)
    )
    found = [TimeNotice(*row) for row in rows]
    cut = found[-1].match_id if len(found) == MAX_AT_ONCE else ""
    return [notice for notice in found if notice.match_id != cut]


def messages_waiting(connection: Connection, present_since: int) -> list[MessageNotice]:
    """Who has written to people who are away and have read nothing since; each author once until they are read, without those who are blocked."""
    one, earlier = MESSAGE.c, MESSAGE.alias().c
    told = exists().where(
        earlier.guest_id == one.guest_id,
        earlier.other_id == one.other_id,
        earlier.read_at.is_(None),
        earlier.told.is_(True),
    )
    blocked = exists().where(BLOCK.c.guest_id == one.other_id, BLOCK.c.other_id == one.guest_id)
    rows = connection.execute(
        select(*_PERSON, MESSAGE.c.guest_id, GUEST.c.name, MESSAGE.c.id)
        .select_from(MESSAGE)
        .join(ACCOUNT, ACCOUNT.c.id == MESSAGE.c.other_id)
        .join(GUEST, GUEST.c.id == MESSAGE.c.guest_id)
        .outerjoin(PRESENCE, PRESENCE.c.guest_id == MESSAGE.c.other_id)
        .where(MESSAGE.c.told.is_(False), MESSAGE.c.read_at.is_(None), _WANTED, _away(present_since))
        .where(~told, ~blocked)
        .order_by(MESSAGE.c.at, MESSAGE.c.id)
        .limit(MAX_AT_ONCE)
    )
    found = [MessageNotice(*row) for row in rows]
    return list({(one.guest_id, one.by_id): one for one in found}.values())


def claim_messages(connection: Connection, told: MessageNotice) -> bool:
    """Marks the messages of a person to another, up to the one told, as told; returns whether one was not before."""
    same = MESSAGE.c.guest_id == told.by_id, MESSAGE.c.other_id == told.guest_id, MESSAGE.c.id <= told.last
    return connection.execute(update(MESSAGE).where(*same, MESSAGE.c.told.is_(False)).values(told=True)).rowcount > 0


def claim_time(connection: Connection, told: TimeNotice, now: int) -> bool:
    """Marks a proposal or agreement as told, or both players as reminded; returns whether it was not before."""
    one = APPOINTMENT.c
    same = one.match_id == told.match_id, one.times == told.times, one.agreed_at == told.agreed_at
    new = one.reminded.is_(False) if told.soon else one.told_at.is_(None)
    done = {"told_at": now} | ({"reminded": True} if told.soon else {})
    return connection.execute(update(APPOINTMENT).where(*same, new).values(done)).rowcount == 1


def claim(connection: Connection, turn: WaitingTurn) -> bool:
    """Marks a turn as notified; returns whether it was not before."""
    if insert_where_absent(connection, NOTICE, match_id=turn.match_id, guest_id=turn.guest_id, seq=turn.seq):
        return True
    earlier = and_(NOTICE.c.match_id == turn.match_id, NOTICE.c.guest_id == turn.guest_id, NOTICE.c.seq < turn.seq)
    return connection.execute(update(NOTICE).where(earlier).values(seq=turn.seq)).rowcount == 1
