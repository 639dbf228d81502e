"""The analyses of a person's matches, for statistics: of those played here, and of imported ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, insert, or_, select

from barpoint.server.domain.dates import iso_day
from barpoint.server.storage.analyses import Key
from barpoint.server.storage.schema.matches import MATCH, SEAT
from barpoint.server.storage.schema.study import ANALYSIS, OWN_NAME, REVIEW, REVIEW_ANALYSIS

OTHER: Final = SEAT.alias("other")

OF_SEATS: Final = and_(SEAT.c.match_id == MATCH.c.id, OTHER.c.match_id == MATCH.c.id, OTHER.c.seat == 1 - SEAT.c.seat)
"""Joins a match with each of its seats, and the seat opposite."""


@dataclass(frozen=True, slots=True)
class FinishedAnalysis:
    """A finished analysis of one of a person's matches.

    seat: theirs; None in an imported match. names: of both seats. at: when the match began or was imported, ms since
    1970. played_on: the day, such as 2026-05-03; "" for an imported match whose file does not say it.
    """

    key: Key
    seat: int | None
    names: tuple[str, str]
    at: int
    played_on: str


def finished(connection: Connection, person_id: str) -> list[FinishedAnalysis]:
    """The deepest and latest finished analysis of each match, oldest match first."""
    found = {(one.key.source, one.key.match_id): one for one in _played(connection, person_id)}
    found |= {(one.key.source, one.key.match_id): one for one in _imported(connection, person_id)}
    return sorted(found.values(), key=lambda one: one.at)


def not_analysed(connection: Connection, person_id: str) -> int:
    """How many of the person's matches that are over, or imported, have no finished analysis."""
    of_match = exists().where(ANALYSIS.c.match_id == MATCH.c.id)
    of_review = exists().where(REVIEW_ANALYSIS.c.review_id == REVIEW.c.id)
    over = and_(OF_SEATS, against_another(person_id), MATCH.c.over, ~of_match)
    here = connection.scalar(select(func.count()).select_from(MATCH, SEAT, OTHER).where(over)) or 0
    imported = and_(REVIEW.c.guest_id == person_id, REVIEW.c.replaced_by.is_(None), ~of_review)
    return here + (connection.scalar(select(func.count()).select_from(REVIEW).where(imported)) or 0)


def imported_names(connection: Connection, person_id: str) -> tuple[tuple[str, str], ...]:
    """The names of both players of each match that the person has imported, analysed or not."""
    own = REVIEW.c.guest_id == person_id, REVIEW.c.replaced_by.is_(None)
    found = connection.execute(select(REVIEW.c.first, REVIEW.c.second).where(*own))
    return tuple((row.first, row.second) for row in found)


def own_names(connection: Connection, person_id: str) -> tuple[str, ...] | None:
    """The names that the person has said to be theirs in imported matches; None where they have said nothing."""
    found = connection.scalars(select(OWN_NAME.c.name).where(OWN_NAME.c.guest_id == person_id)).all()
    return tuple(name for name in found if name) if found else None


def keep_own_names(connection: Connection, person_id: str, names: Iterable[str]) -> None:
    """Keeps the names that the person says to be theirs, instead of those before."""
    connection.execute(delete(OWN_NAME).where(OWN_NAME.c.guest_id == person_id))
    connection.execute(insert(OWN_NAME), [{"guest_id": person_id, "name": name} for name in {*names} or {""}])


def against_another(person_id: str) -> ColumnElement[bool]:
    """The person sits on one of the seats, not on both."""
    return and_(SEAT.c.guest_id == person_id, or_(OTHER.c.guest_id.is_(None), OTHER.c.guest_id != person_id))


def _played(connection: Connection, person_id: str) -> list[FinishedAnalysis]:
    table = ANALYSIS.c
    of_seats = SEAT.c.seat, SEAT.c.name, OTHER.c.name.label("other")
    columns = (table.match_id, table.net, table.plies, table.made_at, *of_seats, MATCH.c.created_at)
    chosen = select(*columns).where(OF_SEATS, table.match_id == MATCH.c.id, against_another(person_id))
    return [
        FinishedAnalysis(
            Key(row.match_id, row.net, row.plies, "match", row.made_at),
            row.seat,
            (row.name, row.other) if row.seat == 0 else (row.other, row.name),
            row.created_at,
            iso_day(row.created_at),
        )
        for row in connection.execute(chosen.order_by(table.plies, table.made_at))
    ]


def _imported(connection: Connection, person_id: str) -> list[FinishedAnalysis]:
    table = REVIEW_ANALYSIS.c
    of_review = REVIEW.c.first, REVIEW.c.second, REVIEW.c.created_at, REVIEW.c.played_on
    chosen = select(table.review_id, table.net, table.plies, table.made_at, *of_review).where(
        table.review_id == REVIEW.c.id, REVIEW.c.guest_id == person_id, REVIEW.c.replaced_by.is_(None)
    )
    return [
        FinishedAnalysis(
            Key(row.review_id, row.net, row.plies, "review", row.made_at),
            None,
            (row.first, row.second),
            row.created_at,
            row.played_on,
        )
        for row in connection.execute(chosen.order_by(table.plies, table.made_at))
    ]
