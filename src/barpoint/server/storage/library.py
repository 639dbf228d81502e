"""All matches of a person that can be studied: those played here that are over, and imported ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection, select

from barpoint.match import MatchTerms
from barpoint.server.domain.dates import iso_day
from barpoint.server.storage.analyses import AnalysisSource
from barpoint.server.storage.schema.matches import MATCH, SEAT
from barpoint.server.storage.schema.study import REVIEW
from barpoint.server.storage.statistics import OF_SEATS, OTHER, against_another


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """A match of a person. seat: theirs, None in an imported match. names: of both seats. at, played_on: as in
    `FinishedAnalysis`."""

    source: AnalysisSource
    id: str
    seat: int | None
    names: tuple[str, str]
    variant: str
    length: int
    at: int
    played_on: str = ""

    @property
    def path(self) -> str:
        """The common prefix of the URLs of its pages."""
        return f"/{self.source}/{self.id}"

    @property
    def day(self) -> str:
        """When it was played, as in 2026-11-29: as its file says, else when it came here."""
        return self.played_on or iso_day(self.at)


def matches(connection: Connection, person_id: str) -> list[OwnMatch]:
    """A person's matches, those played last first."""
    columns = (MATCH.c.id, MATCH.c.variant, MATCH.c.terms, MATCH.c.created_at)
    seats = (SEAT.c.seat, SEAT.c.name, OTHER.c.name.label("other"))
    over = select(*columns, *seats).where(OF_SEATS, against_another(person_id), MATCH.c.over)
    found = [
        OwnMatch(
            "match",
            row.id,
            row.seat,
            (row.name, row.other) if row.seat == 0 else (row.other, row.name),
            row.variant,
            msgspec.json.decode(row.terms, type=MatchTerms).length,
            row.created_at,
            iso_day(row.created_at),
        )
        for row in connection.execute(over)
    ]
    names = (REVIEW.c.first, REVIEW.c.second)
    kept = (REVIEW.c.id, REVIEW.c.variant, REVIEW.c.length, REVIEW.c.created_at, REVIEW.c.played_on)
    for row in connection.execute(
        select(*kept, *names).where(REVIEW.c.guest_id == person_id, REVIEW.c.replaced_by.is_(None))
    ):
        both = row.first, row.second
        found.append(OwnMatch("review", row.id, None, both, row.variant, row.length, row.created_at, row.played_on))
    return latest_first(found)


def latest_first(found: Iterable[OwnMatch]) -> list[OwnMatch]:
    """Those played last first."""
    return sorted(found, key=lambda one: (one.day, one.at, one.id), reverse=True)
