"""The analyses of a person's matches, for statistics: of those played here, and of imported ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, insert, or_, select, update

from barpoint.server.domain.dates import iso_day
from barpoint.server.storage.analyses import AT_ONCE, Key
from barpoint.server.storage.clubs import is_seen_by
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.matches import MATCH, SEAT
from barpoint.server.storage.schema.study import ANALYSIS, OWN_NAME, REVIEW, REVIEW_ANALYSIS

OTHER: Final = SEAT.alias("other")

MAX_AMONG: Final = 2_000
"""Matches among some people that their ratings count, the latest."""

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


@dataclass(frozen=True, slots=True)
class AnalysedBetween:
    """A finished analysis of a match between two people, in the order of their seats."""

    key: Key
    players: tuple[str, str]


def analysed_among(
    connection: Connection, people: Collection[str], viewer: str, since: int, until: int | None
) -> list[AnalysedBetween]:
    """The deepest and latest finished analysis of each match between two of these people that the viewer may see, the latest matches.

    since, until: when matches began, ms since 1970; the end is not included.
    """
    ids = sorted(people)
    two = SEAT.c.seat == 0, SEAT.c.guest_id.in_(ids), OTHER.c.guest_id.in_(ids), SEAT.c.guest_id != OTHER.c.guest_id
    counting = MATCH.c.over, MATCH.c.replaced_by.is_(None), is_seen_by(MATCH.c.id, viewer), MATCH.c.created_at >= since
    chosen = select(MATCH.c.id, SEAT.c.guest_id, OTHER.c.guest_id.label("other")).where(OF_SEATS, *two, *counting)
    if until is not None:
        chosen = chosen.where(MATCH.c.created_at < until)
    has_one = exists().where(ANALYSIS.c.match_id == MATCH.c.id)
    latest = chosen.where(has_one).order_by(MATCH.c.created_at.desc(), MATCH.c.id).limit(MAX_AMONG)
    players = {row.id: (row.guest_id, row.other) for row in connection.execute(latest)}
    found: dict[str, AnalysedBetween] = {}
    table = ANALYSIS.c
    for first in range(0, len(players), AT_ONCE):
        some = table.match_id.in_(list(players)[first : first + AT_ONCE])
        keys = select(table.match_id, table.net, table.plies, table.made_at).where(some)
        for row in connection.execute(keys.order_by(table.plies, table.made_at)):
            key = Key(row.match_id, row.net, row.plies, "match", row.made_at)
            found[row.match_id] = AnalysedBetween(key, players[row.match_id])
    return list(found.values())


def hiding(connection: Connection, people: Collection[str]) -> frozenset[str]:
    """Who of these people stand in no table of performance ratings."""
    hidden = and_(ACCOUNT.c.id.in_(sorted(people)), ACCOUNT.c.rating_shown.is_(False))
    return frozenset(connection.scalars(select(ACCOUNT.c.id).where(hidden)))


def show_rating(connection: Connection, person_id: str, shown: bool) -> None:
    """Keeps whether somebody stands in tables of performance ratings."""
    connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == person_id).values(rating_shown=shown))


def not_analysed(connection: Connection, person_id: str) -> int:
    """How many of the person's matches that are over, or imported, have no finished analysis."""
    of_match = exists().where(ANALYSIS.c.match_id == MATCH.c.id)
    of_review = exists().where(REVIEW_ANALYSIS.c.review_id == REVIEW.c.id)
    over = and_(OF_SEATS, against_another(person_id), MATCH.c.over, ~of_match)
    here = connection.scalar(select(func.count()).select_from(MATCH, SEAT, OTHER).where(over)) or 0
    own = REVIEW.c.guest_id == person_id, REVIEW.c.replaced_by.is_(None), REVIEW.c.played_here.is_(None)
    imported = and_(*own, ~of_review)
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
        *(table.review_id == REVIEW.c.id, REVIEW.c.guest_id == person_id, REVIEW.c.replaced_by.is_(None)),
        ~exists().where(ANALYSIS.c.match_id == REVIEW.c.played_here),  # that one counts
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
