"""Access tokens of the API, and direct challenges, in the database."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, and_, delete, insert, or_, select, update

from barpoint.error import BarpointError
from barpoint.server.domain.accounts import digest
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import MAX_TOKEN_NAME
from barpoint.server.storage.database import count
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.guests import person, select_people
from barpoint.server.storage.schema.accounts import ACCESS_TOKEN, ACCOUNT
from barpoint.server.storage.schema.lobby import DIRECT_CHALLENGE
from barpoint.server.storage.schema.matches import GUEST, MATCH, SEAT
from barpoint.server.storage.schema.results import RATING_CHANGE

SCOPES: Final = ("play", "challenge")
"""What a token may allow: acting in matches; making and answering challenges."""

MAX_TOKENS: Final = 10
PREFIX: Final = "bp_"


class TokenRefused(BarpointError):
    """A token that cannot be created."""


@dataclass(frozen=True, slots=True)
class Token:
    """An access token without its secret. id: SHA-256 of the secret. created_at: ms since 1970."""

    id: str
    name: str
    scopes: frozenset[str]
    created_at: int


@dataclass(frozen=True, slots=True)
class DirectChallenge:
    """A challenge to one person. secret: in the link that takes the open seat."""

    match_id: str
    guest: Guest
    other: Guest
    secret: str


def new_secret() -> str:
    """A new secret for a token; it is shown only once."""
    return PREFIX + secrets.token_urlsafe(24)


def put_token(connection: Connection, guest_id: str, secret: str, name: str, scopes: frozenset[str], now: int) -> None:
    """Stores a token. TokenRefused: the person has too many tokens, or a scope does not exist."""
    if not scopes or not scopes <= set(SCOPES):
        raise TokenRefused(
            "scopes: %(value)s; allowed: %(allowed)s",
            value=" ".join(sorted(scopes)) or "none",
            allowed=", ".join(SCOPES),
        )
    if count(connection, ACCESS_TOKEN, ACCESS_TOKEN.c.guest_id == guest_id) >= MAX_TOKENS:
        raise TokenRefused("%(max_tokens)s tokens are held; withdraw one first", max_tokens=MAX_TOKENS)
    connection.execute(
        insert(ACCESS_TOKEN).values(
            id=digest(secret),
            guest_id=guest_id,
            name=name[:MAX_TOKEN_NAME],
            scopes=" ".join(sorted(scopes)),
            created_at=now,
        )
    )


def find_token(connection: Connection, secret: str) -> tuple[Guest, frozenset[str]] | None:
    """The owner of a token and its scopes; None for an unknown token or a banned owner."""
    row = connection.execute(
        select_people(ACCESS_TOKEN.c.scopes)
        .join(ACCESS_TOKEN, ACCESS_TOKEN.c.guest_id == GUEST.c.id)
        .where(and_(ACCESS_TOKEN.c.id == digest(secret), ACCOUNT.c.banned_at.is_(None)))
    ).first()
    return (person(row), frozenset(row.scopes.split())) if row else None


def tokens_of(connection: Connection, guest_id: str) -> list[Token]:
    """A person's tokens, oldest first."""
    own = ACCESS_TOKEN.c.guest_id == guest_id
    rows = connection.execute(select(ACCESS_TOKEN).where(own).order_by(ACCESS_TOKEN.c.created_at))
    return [Token(row.id, row.name, frozenset(row.scopes.split()), row.created_at) for row in rows]


def drop_token(connection: Connection, guest_id: str, token_id: str) -> None:
    """Deletes one of the person's own tokens."""
    own = and_(ACCESS_TOKEN.c.id == token_id, ACCESS_TOKEN.c.guest_id == guest_id)
    connection.execute(delete(ACCESS_TOKEN).where(own))


def declare_bot(connection: Connection, guest_id: str) -> None:
    """Marks an account as a bot, permanently; TokenRefused if it has played rated matches as a person."""
    if count(connection, RATING_CHANGE, RATING_CHANGE.c.guest_id == guest_id):
        raise TokenRefused("rated matches were played from here by a person; a bot needs an account of its own")
    connection.execute(update(GUEST).where(GUEST.c.id == guest_id).values(bot=True))


def put_direct_challenge(connection: Connection, match_id: str, guest_id: str, other_id: str) -> None:
    """Records whom the open seat of a match is for."""
    connection.execute(insert(DIRECT_CHALLENGE).values(match_id=match_id, guest_id=guest_id, other_id=other_id))


def challenges_closed(connection: Connection, guest_id: str, since: int) -> list[str]:
    """The ids of challenges that a person has sent or received and that were answered or withdrawn at a time or later."""
    mine = or_(DIRECT_CHALLENGE.c.guest_id == guest_id, DIRECT_CHALLENGE.c.other_id == guest_id)
    return list(
        connection.scalars(select(DIRECT_CHALLENGE.c.match_id).where(mine, DIRECT_CHALLENGE.c.closed_at >= since))
    )


def direct_challenges_of(connection: Connection, guest_id: str) -> list[DirectChallenge]:
    """Open challenges that a person has sent or received, oldest first."""
    mine = or_(DIRECT_CHALLENGE.c.guest_id == guest_id, DIRECT_CHALLENGE.c.other_id == guest_id)
    people = GUEST.alias("maker"), GUEST.alias("other")
    columns = (one.c[name].label(f"{one.name}_{name}") for one in people for name in ("id", "name", "bot"))
    rows = connection.execute(
        select(DIRECT_CHALLENGE.c.match_id, SEAT.c.invitation, *columns)
        .join(people[0], people[0].c.id == DIRECT_CHALLENGE.c.guest_id)
        .join(people[1], people[1].c.id == DIRECT_CHALLENGE.c.other_id)
        .join(SEAT, and_(SEAT.c.match_id == DIRECT_CHALLENGE.c.match_id, SEAT.c.invitation.is_not(None)))
        .join(MATCH, MATCH.c.id == DIRECT_CHALLENGE.c.match_id)
        .where(and_(mine, DIRECT_CHALLENGE.c.closed_at.is_(None), MATCH.c.over.is_(False)))
        .order_by(MATCH.c.created_at, MATCH.c.id)
    )
    return [
        DirectChallenge(
            row.match_id,
            Guest(row.maker_id, row.maker_name, bot=row.maker_bot),
            Guest(row.other_id, row.other_name, bot=row.other_bot),
            row.invitation,
        )
        for row in rows
    ]


def is_direct_challenge(connection: Connection, match_id: str) -> bool:
    """Whether the second seat of a match is, or was, for one person who was challenged."""
    return count(connection, DIRECT_CHALLENGE, DIRECT_CHALLENGE.c.match_id == match_id) > 0


def running_matches(connection: Connection, guest_id: str, limit: int) -> list[str]:
    """A person's unfinished matches, latest first."""
    seated = select(SEAT.c.match_id).where(SEAT.c.guest_id == guest_id)
    running = and_(MATCH.c.id.in_(seated), MATCH.c.over.is_(False))
    latest = select(MATCH.c.id).where(running).order_by(MATCH.c.created_at.desc()).limit(limit)
    return list(connection.scalars(latest))


def close_direct_challenge(connection: Connection, match_id: str, now: int) -> None:
    """Marks a challenge as answered; Conflict if it already was."""
    open_one = and_(DIRECT_CHALLENGE.c.match_id == match_id, DIRECT_CHALLENGE.c.closed_at.is_(None))
    if connection.execute(update(DIRECT_CHALLENGE).where(open_one).values(closed_at=now)).rowcount != 1:
        raise Conflict("this challenge has been answered")
