"""What a person shall see on every page until they have answered: challenges, matches that wait, requests to join clubs, results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy import Connection, and_, select, union

from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.appointments import CALLED_OFF, REMIND_MS
from barpoint.server.domain.clubs import ClubRole
from barpoint.server.domain.messages import messages_path
from barpoint.server.domain.time_control import MINUTE
from barpoint.server.storage.access_tokens import direct_challenges_of
from barpoint.server.storage.appointments import agreed_by, told_to
from barpoint.server.storage.lobby import boards_waiting
from barpoint.server.storage.matches import get_header
from barpoint.server.storage.messages import unread_from
from barpoint.server.storage.practice import due as cards_due
from barpoint.server.storage.real_results import unconfirmed
from barpoint.server.storage.schema.clubs import CLUB_MEMBER, LADDER_MATCH
from barpoint.server.storage.schema.lobby import CHALLENGE, DIRECT_CHALLENGE
from barpoint.server.storage.schema.matches import GUEST, MATCH, SEAT
from barpoint.server.storage.tournament_lists import CALLED_MS, AwaitedMatch, calls

MAX_NEWS: Final = 3
"""Items of a kind that a page shows."""

BEGUN_MS: Final = 10 * MINUTE
"""For how long somebody is told that a challenge of theirs has become a match."""


class NewsKind(StrEnum):
    """CHALLENGE: somebody waits for an answer. LADDER: a ladder's match waits. MATCH: a tournament's does. RESULT: of a real board.

    BEGUN: the person's own challenge was accepted. REQUEST: people ask to join a club that the person directs. TIMES: the other player of a
    match proposes times to play it. SOON: the agreed time comes. OFF: it was called off. MESSAGE: somebody has written to the person.
    """

    CHALLENGE = "challenge"
    BEGUN = "begun"
    LADDER = "ladder"
    MATCH = "match"
    RESULT = "result"
    REQUEST = "request"
    TIMES = "times"
    SOON = "soon"
    OFF = "off"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class NewsItem:
    """A piece of news. names: of the people it comes from, or of the tournament. path: the page on which it is answered.

    due_at: until when, or the first time proposed, or the one agreed on or called off, or when it was written, ms since 1970; None if that is not said. told_on: other pages that
    say it by themselves. match_id, agreement: of a challenge.
    """

    kind: NewsKind
    path: str
    names: tuple[str, ...] = ()
    due_at: int | None = None
    told_on: tuple[str, ...] = ()
    match_id: str = ""
    agreement: Agreement | None = None


def news_of(connection: Connection, guest_id: str, now: int) -> list[NewsItem]:
    """The news of a person."""
    found = _challenges(connection, guest_id)
    found += _begun(connection, guest_id, now - BEGUN_MS)
    found += _ladder_challenges(connection, guest_id)
    found += [_ready(one) for one in calls(connection, guest_id, now + CALLED_MS)[:MAX_NEWS]]
    found += _appointments(connection, guest_id, now)
    found += _requests(connection, guest_id)
    found += [
        NewsItem(NewsKind.MESSAGE, messages_path(name), (name,), at, told_on=("/messages",))
        for name, at in unread_from(connection, guest_id, MAX_NEWS)
    ]
    results = unconfirmed(connection, guest_id, MAX_NEWS)
    return [*found, *(NewsItem(NewsKind.RESULT, f"/match/{match_id}/result") for match_id in results)]


def news_and_boards(connection: Connection, guest_id: str, now: int) -> tuple[list[NewsItem], int]:
    """The news of a person, and how many boards wait for them."""
    return news_of(connection, guest_id, now), boards_waiting(connection, guest_id)


def news_and_due(connection: Connection, guest_id: str, now: int) -> tuple[list[NewsItem], int, int]:
    """The same, and how many of their cards are due: what every page says."""
    return *news_and_boards(connection, guest_id, now), cards_due(connection, guest_id, now)


def _challenges(connection: Connection, guest_id: str) -> list[NewsItem]:
    """Challenges that wait for this person's answer, the oldest first."""
    waiting = [one for one in direct_challenges_of(connection, guest_id) if one.other.id == guest_id][:MAX_NEWS]
    headers = [(one, get_header(connection, one.match_id)) for one in waiting]
    return [
        NewsItem(NewsKind.CHALLENGE, "/lobby", (one.guest.name,), match_id=one.match_id, agreement=header.agreement)
        for one, header in headers
        if header is not None
    ]


def _begun(connection: Connection, guest_id: str, since: int) -> list[NewsItem]:
    """Matches that somebody's own challenges have become, the latest first."""
    in_lobby = select(CHALLENGE.c.match_id).join(MATCH, MATCH.c.id == CHALLENGE.c.match_id)
    taken = union(
        in_lobby.where(CHALLENGE.c.guest_id == guest_id, MATCH.c.created_at >= since),
        select(DIRECT_CHALLENGE.c.match_id).where(
            DIRECT_CHALLENGE.c.guest_id == guest_id, DIRECT_CHALLENGE.c.closed_at >= since
        ),
    )
    rows = connection.execute(
        select(MATCH.c.id, GUEST.c.name)
        .join(SEAT, and_(SEAT.c.match_id == MATCH.c.id, SEAT.c.guest_id != guest_id))
        .join(GUEST, GUEST.c.id == SEAT.c.guest_id)
        .where(MATCH.c.id.in_(taken), MATCH.c.over.is_(False))
        .order_by(MATCH.c.created_at.desc(), MATCH.c.id)
        .limit(MAX_NEWS)
    )
    return [NewsItem(NewsKind.BEGUN, f"/match/{row.id}", (row.name,)) for row in rows]


def _ready(one: AwaitedMatch) -> NewsItem:
    due_at = None if one.boards else one.due_at
    told_on = ("/lobby", f"/tournament/{one.tournament_id}")
    path = f"/tournament/{one.tournament_id}" if one.boards else f"/match/{one.match_id}"
    return NewsItem(NewsKind.MATCH, path, (one.name,), due_at, told_on)


def _requests(connection: Connection, guest_id: str) -> list[NewsItem]:
    """Clubs that this person directs and others ask to join."""
    asking, own = CLUB_MEMBER, CLUB_MEMBER.alias()
    directed = and_(
        own.c.club_id == asking.c.club_id,
        own.c.guest_id == guest_id,
        own.c.role.in_((ClubRole.OWNER.value, ClubRole.DIRECTOR.value)),
    )
    rows = connection.execute(
        select(asking.c.club_id, GUEST.c.name)
        .join(own, directed)
        .join(GUEST, GUEST.c.id == asking.c.guest_id)
        .where(asking.c.role == ClubRole.ASKED.value)
        .order_by(asking.c.at)
        .limit(MAX_NEWS)
    ).all()
    clubs = dict.fromkeys(row.club_id for row in rows)
    return [
        NewsItem(NewsKind.REQUEST, f"/clubs/{club}#asking", tuple(row.name for row in rows if row.club_id == club))
        for club in clubs
    ]


def _appointments(connection: Connection, guest_id: str, now: int) -> list[NewsItem]:
    """Times that are proposed to this person, the agreed ones that come soon, and those called off."""
    told = told_to(connection, guest_id, now)
    kinds = {None: NewsKind.TIMES, CALLED_OFF: NewsKind.OFF}
    soon = [one for one in agreed_by(connection, guest_id, now) if one.agreed_at and one.agreed_at <= now + REMIND_MS]
    return [
        *(
            NewsItem(kind, f"/match/{one.match_id}/time", (one.by.name,), one.times[0])
            for agreed_at, kind in kinds.items()
            for one in [one for one in told if one.agreed_at == agreed_at][:MAX_NEWS]
        ),
        *(
            NewsItem(NewsKind.SOON, f"/match/{one.match_id}", (one.opponent_of(guest_id).name,), one.agreed_at)
            for one in soon
        ),
    ]


def _ladder_challenges(connection: Connection, guest_id: str) -> list[NewsItem]:
    """Challenges on ladders whose match this person has not come to yet."""
    not_come = and_(
        SEAT.c.match_id == LADDER_MATCH.c.match_id,
        SEAT.c.guest_id == guest_id,
        SEAT.c.commitment.is_(None),
        SEAT.c.client_seed == "",
    )
    rows = connection.execute(
        select(LADDER_MATCH.c.match_id, GUEST.c.name)
        .join(GUEST, GUEST.c.id == LADDER_MATCH.c.guest_id)
        .join(MATCH, MATCH.c.id == LADDER_MATCH.c.match_id)
        .join(SEAT, not_come)
        .where(LADDER_MATCH.c.other_id == guest_id, LADDER_MATCH.c.outcome.is_(None), MATCH.c.over.is_(False))
        .order_by(LADDER_MATCH.c.due_at)
        .limit(MAX_NEWS)
    )
    return [NewsItem(NewsKind.LADDER, f"/match/{row.match_id}", (row.name,)) for row in rows]
