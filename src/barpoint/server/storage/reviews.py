"""Imported matches in the database: who imported them, and what they contain."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, delete, func, or_, select, update

from barpoint.match import Match
from barpoint.record import Oddity
from barpoint.server.storage import own_notes as note_storage
from barpoint.server.storage.database import columns_of, fields_from, insert_where_absent, values_of
from barpoint.server.storage.database import count as table_count
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.matches import MATCH, SEAT
from barpoint.server.storage.schema.study import REVIEW, REVIEW_ANALYSIS

MAX_DROPPED: Final = 200
"""Imported matches that one write deletes."""

_SHOWN: Final = REVIEW.c.replaced_by.is_(None)
"""That no corrected version has taken its place."""

MAX_LOOKED_AT: Final = 1000
"""Finished matches of a person among which one with the same score is looked for, the latest."""


class _Scored(msgspec.Struct):
    """What is read of the state of a match."""

    score: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ListedReview:
    """An imported match in a list. names: of both players. created_at: ms since 1970.

    oddities: what was odd about the file; sentences in those imported before oddities were kept in parts.
    played_on: the day on which it was played, such as 2026-05-03, "" if the file does not say it.
    """

    id: str
    file: str
    names: tuple[str, str]
    variant: str
    length: int
    score: str
    created_at: int
    oddities: tuple[Oddity | str, ...] = ()
    played_on: str = ""


@dataclass(frozen=True, slots=True)
class StoredReview:
    """An imported match. digest: SHA-256 of its players and events, or of its file. log: compressed with gzip. played_here: as in the table."""

    about: ListedReview
    guest_id: str
    digest: str
    log: bytes
    played_here: str | None = None


def known(connection: Connection, guest_id: str, digests: tuple[str, ...]) -> str | None:
    """The id of the same match, if the same person has imported it before."""
    same = and_(REVIEW.c.guest_id == guest_id, REVIEW.c.digest.in_(digests))
    found = connection.scalar(select(REVIEW.c.id).where(same))
    return str(found) if found is not None else None


def played_here(connection: Connection, guest_id: str, match: Match) -> list[str]:
    """The ids of the person's finished matches of the same game that ended with the same score, latest first."""
    own = and_(SEAT.c.match_id == MATCH.c.id, SEAT.c.guest_id == guest_id)
    over = and_(MATCH.c.over.is_(True), MATCH.c.variant == match.rules.name, MATCH.c.replaced_by.is_(None))
    chosen = select(MATCH.c.id, MATCH.c.state).where(own, over).order_by(MATCH.c.created_at.desc(), MATCH.c.id)
    score = sorted(match.score)
    rows = connection.execute(chosen.limit(MAX_LOOKED_AT))
    same = (row.id for row in rows if sorted(msgspec.json.decode(row.state, type=_Scored).score) == score)
    return list(dict.fromkeys(same))  # once where they have sat on both seats


def put(connection: Connection, kept: StoredReview, limit: int) -> bool:
    """Stores a match; False, with nothing stored, if the person already has `limit` of them, as `count` counts."""
    if count(connection, kept.guest_id) >= limit:
        return False
    first, second = kept.about.names
    values = {**values_of(REVIEW, kept.about), **values_of(REVIEW, kept), "first": first, "second": second}
    values["oddities"] = msgspec.json.encode(kept.about.oddities).decode()
    insert_where_absent(connection, REVIEW, **values)
    return True


def set_log(connection: Connection, review_id: str, log: bytes) -> None:
    """Stores another log of the same match, compressed with gzip: one that says more about its events."""
    connection.execute(update(REVIEW).where(REVIEW.c.id == review_id).values(log=log))


def set_day(connection: Connection, review_id: str, played_on: str) -> None:
    """Stores the day of a match, from a file that says it."""
    connection.execute(update(REVIEW).where(REVIEW.c.id == review_id).values(played_on=played_on))


def get(connection: Connection, review_id: str) -> StoredReview | None:
    """The match with that id."""
    row = connection.execute(select(REVIEW).where(REVIEW.c.id == review_id)).first()
    if row is None:
        return None
    return StoredReview(_listed(row), row.guest_id, row.digest, bytes(row.log))


def _listed(row: Any) -> ListedReview:
    fields = fields_from(row, ListedReview) | {
        "oddities": msgspec.json.decode(row.oddities, type=tuple[Oddity | str, ...])
    }
    return ListedReview(**fields, names=(row.first, row.second))


def about(connection: Connection, review_id: str) -> ListedReview | None:
    """The match with that id, without its log."""
    chosen = select(*columns_of(REVIEW, ListedReview), REVIEW.c.first, REVIEW.c.second)
    row = connection.execute(chosen.where(REVIEW.c.id == review_id)).first()
    return None if row is None else _listed(row)


def owner(connection: Connection, review_id: str) -> str | None:
    """The person who imported the match with that id; None if there is none."""
    found = connection.scalar(select(REVIEW.c.guest_id).where(REVIEW.c.id == review_id))
    return str(found) if found is not None else None


def edition(connection: Connection, review_id: str) -> tuple[str, str, bytes] | None:
    """(the person who imported the match with that id, its day, the checksum of its log); None if there is none.

    Whoever keeps the match in memory sees by them when to read it again: a later file may say more about it. The checksum is the end of
    what gzip makes.
    """
    checksum = func.substr(REVIEW.c.log, func.length(REVIEW.c.log) - 7)
    row = connection.execute(
        select(REVIEW.c.guest_id, REVIEW.c.played_on, checksum).where(REVIEW.c.id == review_id)
    ).first()
    return (row[0], row[1], bytes(row[2])) if row is not None else None


def count(connection: Connection, guest_id: str) -> int:
    """The number of matches a person has imported; those that were corrected count once."""
    return table_count(connection, REVIEW, _SHOWN, REVIEW.c.guest_id == guest_id)


def listed(connection: Connection, guest_id: str, limit: int | None = None) -> list[ListedReview]:
    """A person's imported matches, latest first; at most `limit` of them."""
    chosen = select(*columns_of(REVIEW, ListedReview), REVIEW.c.first, REVIEW.c.second)
    order = (REVIEW.c.created_at.desc(), REVIEW.c.id)
    found = connection.execute(chosen.where(REVIEW.c.guest_id == guest_id, _SHOWN).order_by(*order).limit(limit))
    return [_listed(row) for row in found]


def drop(connection: Connection, guest_id: str, review_id: str) -> bool:
    """Deletes a match and its analyses, with the versions before it was corrected; False if it does not exist or belongs to somebody else."""
    own = and_(or_(REVIEW.c.id == review_id, REVIEW.c.replaced_by == review_id), REVIEW.c.guest_id == guest_id)
    if not table_count(connection, REVIEW, own):
        return False
    _drop_where(connection, own)
    return True


def drop_all(connection: Connection, guest_id: str) -> None:
    """Deletes everything a person has imported."""
    _drop_where(connection, REVIEW.c.guest_id == guest_id)


_OF_GUEST: Final = REVIEW.c.guest_id.not_in(select(ACCOUNT.c.id))
"""That somebody without an account has imported it."""


def old_of_guests(connection: Connection, before: int) -> list[str]:
    """The ids of matches that people without an account imported before that time, at most MAX_DROPPED."""
    old = select(REVIEW.c.id).where(REVIEW.c.created_at < before, _OF_GUEST)
    return list(connection.scalars(old.limit(MAX_DROPPED)))


def drop_of_guests(connection: Connection, review_ids: Collection[str]) -> None:
    """Deletes those of some matches whose people still have no account."""
    _drop_where(connection, and_(REVIEW.c.id.in_(review_ids), _OF_GUEST))


def _drop_where(connection: Connection, wanted: ColumnElement[bool]) -> None:
    found = select(REVIEW.c.id).where(wanted)
    connection.execute(delete(REVIEW_ANALYSIS).where(REVIEW_ANALYSIS.c.review_id.in_(found)))
    note_storage.drop_of_reviews(connection, found)
    connection.execute(delete(REVIEW).where(wanted))
