"""Clubs as values: who belongs to one and may do what, and the table of a season."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from barpoint.error import BarpointError
from barpoint.server.domain.guests import Guest

POINTS_WON: Final = 3
"""Points of a season for a match won."""

POINTS_PLAYED: Final = 1
"""Points of a season for a match played and lost; a match to which somebody did not come gives them none."""


class ClubRefused(BarpointError):
    """A club does not allow this; the message may be shown."""


class ClubRole(StrEnum):
    """What somebody is in a club. ASKED: they have asked to join, and are no member yet."""

    OWNER = "owner"
    DIRECTOR = "director"
    MEMBER = "member"
    ASKED = "asked"


class Admission(StrEnum):
    """How people join a club: at once, by asking, or only by its link."""

    OPEN = "open"
    REQUEST = "request"
    INVITATION = "invitation"


class EventKind(StrEnum):
    """What an event of a club is."""

    TOURNAMENT = "tournament"
    CHOUETTE = "chouette"
    MATCH = "match"


@dataclass(frozen=True, slots=True)
class Club:
    """A club. invitation: the secret of the link with which anybody joins. Times in ms since 1970.

    results_shown: everybody may read tournaments for members only, once they are over; not their matches.
    """

    id: str
    name: str
    text: str
    joining: Admission
    invitation: str
    created_at: int
    closed_at: int | None = None
    results_shown: bool = False


@dataclass(frozen=True, slots=True)
class ClubMember:
    """Somebody in a club. at: since when, or when they asked."""

    person: Guest
    role: ClubRole
    at: int


@dataclass(frozen=True, slots=True)
class Season:
    """A season of a club. ended_at: when the next one began; None for the present one."""

    number: int
    name: str
    begun_at: int
    ended_at: int | None = None


@dataclass(frozen=True, slots=True)
class ClubNotice:
    """What somebody who runs a club has told its members. at: ms since 1970."""

    id: int
    by: Guest
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class ClubRecord:
    """A club with everybody in it, owners first, and its seasons, the latest first. kept_out: people who cannot join."""

    club: Club
    people: tuple[ClubMember, ...]
    seasons: tuple[Season, ...]
    kept_out: tuple[Guest, ...] = ()

    @property
    def members(self) -> tuple[ClubMember, ...]:
        """Everybody who belongs to it."""
        return tuple(one for one in self.people if one.role is not ClubRole.ASKED)

    @property
    def asking(self) -> tuple[ClubMember, ...]:
        """Everybody who has asked to join."""
        return tuple(one for one in self.people if one.role is ClubRole.ASKED)

    @property
    def owners(self) -> tuple[ClubMember, ...]:
        """Its owners."""
        return tuple(one for one in self.people if one.role is ClubRole.OWNER)

    def role_of(self, person: Guest | None) -> ClubRole | None:
        """What somebody is there; None for a stranger."""
        return next((one.role for one in self.people if person is not None and one.person.id == person.id), None)

    def keeps_out(self, person: Guest | None) -> bool:
        """Whether somebody cannot join, by its link neither."""
        return person is not None and person.id in {one.id for one in self.kept_out}

    def belongs(self, person: Guest | None) -> bool:
        """Whether somebody is a member, or may see everything as an administrator."""
        return self.role_of(person) not in (None, ClubRole.ASKED) or (person is not None and person.administrator)

    def reads_notices(self, person: Guest | None) -> bool:
        """Whether somebody reads its notices: everybody, or its members only if it is joined by its link only."""
        return self.club.joining is not Admission.INVITATION or self.belongs(person)

    def directs(self, person: Guest | None) -> bool:
        """Whether somebody may announce its tournaments, write its notices, admit members and begin seasons."""
        return self.role_of(person) in (ClubRole.OWNER, ClubRole.DIRECTOR) or self.owns(person)

    def owns(self, person: Guest | None) -> bool:
        """Whether somebody may change the club and the roles of its members."""
        return self.role_of(person) is ClubRole.OWNER or (person is not None and person.administrator)


@dataclass(frozen=True, slots=True)
class SeasonCount:
    """What somebody has done in a season. missed: matches lost because they did not come or had left."""

    person: Guest
    won: int
    lost: int
    missed: int

    @property
    def points(self) -> int:
        """Their points in the table."""
        return POINTS_WON * self.won + POINTS_PLAYED * self.lost


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A line of the table of a season. rank: from 1, shared by those who are equal."""

    rank: int
    count: SeasonCount


def season_table(counts: Iterable[SeasonCount]) -> tuple[SeasonLine, ...]:
    """The table of a season, best first: by points, then by matches won, then by fewer matches missed."""

    def key(one: SeasonCount) -> tuple[int, int, int]:
        return -one.points, -one.won, one.missed

    lines: list[SeasonLine] = []
    for count in sorted(counts, key=lambda one: (*key(one), one.person.name.lower())):
        equal = lines and key(lines[-1].count) == key(count)
        lines.append(SeasonLine(lines[-1].rank if equal else len(lines) + 1, count))
    return tuple(lines)
