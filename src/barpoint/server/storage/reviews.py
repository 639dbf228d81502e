"""Matches from files in the tables: who brought them, what is in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, select

from barpoint.server.storage.database import insert_where_absent
from barpoint.server.storage.schema import ACCOUNT, REVIEW, REVIEW_ANALYSIS


@dataclass(frozen=True, slots=True)
class ListedReview:
    """What a list says of a match from a file. names: of both players. created_at: ms since 1970."""

    id: str
    file: str
    names: tuple[str, str]
    variant: str
    length: int
    score: str
    created_at: int


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A match from a file. digest: SHA-256 of the file. log: packed by gzip."""

    about: ListedReview
    guest_id: str
    digest: str
    log: bytes


def known(connection: Connection, guest_id: str, digest: str) -> str | None:
    """The id of the same file, where the same person has brought it before."""
    same = and_(REVIEW.c.guest_id == guest_id, REVIEW.c.digest == digest)
    found = connection.scalar(select(REVIEW.c.id).where(same))
    return str(found) if found is not None else None


def put(connection: Connection, kept: StoredReview, most: int) -> bool:
    """Keeps a match; False where the person has brought so many already, and then it is not kept."""
    if count(connection, kept.guest_id) >= most:
        return False
    about = kept.about
    first, second = about.names
    insert_where_absent(
        connection,
        REVIEW,
        id=about.id,
        guest_id=kept.guest_id,
        digest=kept.digest,
        file=about.file,
        first=first,
        second=second,
        variant=about.variant,
        length=about.length,
        score=about.score,
        log=kept.log,
        created_at=about.created_at,
    )
    return True


def get(connection: Connection, review_id: str) -> StoredReview | None:
    """The match of that id."""
    row = connection.execute(select(REVIEW).where(REVIEW.c.id == review_id)).first()
    if row is None:
        return None
    return StoredReview(_listed(row), row.guest_id, row.digest, bytes(row.log))


def _listed(row: Row[Any]) -> ListedReview:
    names = (row.first, row.second)
    return ListedReview(row.id, row.file, names, row.variant, row.length, row.score, row.created_at)


def owner(connection: Connection, review_id: str) -> str | None:
    """Who has brought the match of that id; None where there is none."""
    found = connection.scalar(select(REVIEW.c.guest_id).where(REVIEW.c.id == review_id))
    return str(found) if found is not None else None


def count(connection: Connection, guest_id: str) -> int:
    """How many somebody has brought."""
    return connection.scalar(select(func.count()).select_from(REVIEW).where(REVIEW.c.guest_id == guest_id)) or 0


def listed(connection: Connection, guest_id: str) -> list[ListedReview]:
    """What somebody has brought, the latest first."""
    columns = (REVIEW.c[name] for name in ("id", "file", "first", "second", "variant", "length", "score", "created_at"))
    found = connection.execute(
        select(*columns).where(REVIEW.c.guest_id == guest_id).order_by(REVIEW.c.created_at.desc(), REVIEW.c.id)
    )
    return [_listed(row) for row in found]


def drop(connection: Connection, guest_id: str, review_id: str) -> bool:
    """Deletes one with its analyses; False where it is not there, or is somebody else's."""
    own = and_(REVIEW.c.id == review_id, REVIEW.c.guest_id == guest_id)
    if connection.scalar(select(REVIEW.c.id).where(own)) is None:
        return False
    _drop_where(connection, own)
    return True


def drop_all(connection: Connection, guest_id: str) -> None:
    """Deletes everything that somebody has brought."""
    _drop_where(connection, REVIEW.c.guest_id == guest_id)


def drop_of_guests(connection: Connection, before: int) -> None:
    """Deletes what people without an account brought before that time."""
    _drop_where(connection, and_(REVIEW.c.created_at < before, REVIEW.c.guest_id.not_in(select(ACCOUNT.c.id))))


def _drop_where(connection: Connection, wanted: ColumnElement[bool]) -> None:
    found = select(REVIEW.c.id).where(wanted)
    connection.execute(delete(REVIEW_ANALYSIS).where(REVIEW_ANALYSIS.c.review_id.in_(found)))
    connection.execute(delete(REVIEW).where(wanted))
