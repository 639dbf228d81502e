"""Matches from files in the tables: who brought them, what is in them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, and_, delete, func, select

from barpoint.server.database import insert_where_absent
from barpoint.server.schema import REVIEW, REVIEW_ANALYSIS


@dataclass(frozen=True, slots=True)
class Kept:
    """A match from a file. digest: SHA-256 of the file. names: of both players. log: packed by gzip. created_at: ms since 1970."""

    id: str
    guest_id: str
    digest: str
    file: str
    names: tuple[str, str]
    variant: str
    length: int
    score: str
    log: bytes
    created_at: int


@dataclass(frozen=True, slots=True)
class Listed:
    """The same without what is in it, for a list."""

    id: str
    file: str
    names: tuple[str, str]
    variant: str
    length: int
    score: str
    created_at: int


def known(connection: Connection, guest_id: str, digest: str) -> str | None:
    """The id of the same file, where the same person has brought it before."""
    same = and_(REVIEW.c.guest_id == guest_id, REVIEW.c.digest == digest)
    found = connection.scalar(select(REVIEW.c.id).where(same))
    return str(found) if found is not None else None


def put(connection: Connection, kept: Kept, most: int) -> bool:
    """Keeps a match; False where the person has brought so many already, and then it is not kept."""
    if count(connection, kept.guest_id) >= most:
        return False
    first, second = kept.names
    insert_where_absent(
        connection,
        REVIEW,
        id=kept.id,
        guest_id=kept.guest_id,
        digest=kept.digest,
        file=kept.file,
        first=first,
        second=second,
        variant=kept.variant,
        length=kept.length,
        score=kept.score,
        log=kept.log,
        created_at=kept.created_at,
    )
    return True


def get(connection: Connection, review_id: str) -> Kept | None:
    """The match of that id."""
    row = connection.execute(select(REVIEW).where(REVIEW.c.id == review_id)).first()
    if row is None:
        return None
    names = (row.first, row.second)
    log = bytes(row.log)
    return Kept(
        row.id, row.guest_id, row.digest, row.file, names, row.variant, row.length, row.score, log, row.created_at
    )


def owner(connection: Connection, review_id: str) -> str | None:
    """Who has brought the match of that id; None where there is none."""
    found = connection.scalar(select(REVIEW.c.guest_id).where(REVIEW.c.id == review_id))
    return str(found) if found is not None else None


def count(connection: Connection, guest_id: str) -> int:
    """How many somebody has brought."""
    return connection.scalar(select(func.count()).select_from(REVIEW).where(REVIEW.c.guest_id == guest_id)) or 0


def listed(connection: Connection, guest_id: str) -> list[Listed]:
    """What somebody has brought, the latest first."""
    columns = (REVIEW.c[name] for name in ("id", "file", "first", "second", "variant", "length", "score", "created_at"))
    found = connection.execute(
        select(*columns).where(REVIEW.c.guest_id == guest_id).order_by(REVIEW.c.created_at.desc(), REVIEW.c.id)
    )
    return [
        Listed(row.id, row.file, (row.first, row.second), row.variant, row.length, row.score, row.created_at)
        for row in found
    ]


def drop(connection: Connection, guest_id: str, review_id: str) -> bool:
    """Deletes one with its analyses; False where it is not there, or is somebody else's."""
    own = and_(REVIEW.c.id == review_id, REVIEW.c.guest_id == guest_id)
    if connection.scalar(select(REVIEW.c.id).where(own)) is None:
        return False
    connection.execute(delete(REVIEW_ANALYSIS).where(REVIEW_ANALYSIS.c.review_id == review_id))
    connection.execute(delete(REVIEW).where(own))
    return True


def drop_all(connection: Connection, guest_id: str) -> None:
    """Deletes everything that somebody has brought."""
    own = select(REVIEW.c.id).where(REVIEW.c.guest_id == guest_id)
    connection.execute(delete(REVIEW_ANALYSIS).where(REVIEW_ANALYSIS.c.review_id.in_(own)))
    connection.execute(delete(REVIEW).where(REVIEW.c.guest_id == guest_id))
