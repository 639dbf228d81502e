"""Users: people who are logged in by a FIBS client, whom they can name, and their places at matches."""

from __future__ import annotations

import asyncio
import secrets
import textwrap
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Final

from barpoint.game import Event, Game
from barpoint.server.bots.opponents import LevelShown
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import MatchHeader
from barpoint.server.fibs.board import RAW, Viewer, board_lines
from barpoint.server.fibs.names import alias
from barpoint.server.fibs.output import Output
from barpoint.server.fibs.preferences import Preferences
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.services import Services
from barpoint.server.storage.results import NEW, RatingStanding

NARROWEST: Final = 20
"""Characters of the shortest lines that are wrapped."""

DRAWN: Final = 1


@dataclass(eq=False, slots=True)
class User:
    """Somebody who is here by a FIBS client.

    own: his name as he has typed it; others read `name`. client: what his program calls itself, "" for a person at a
    terminal. secret: of his session. since: s since 1970. touched: when his last line came, s on the loop's clock.
    invited: the match to which he invites somebody. apart: ids of who has blocked him, or he. watching: whom he watches.
    replaced: another connection of his takes this one's place. left: it is gone.
    """

    person: Guest
    own: str
    client: str
    clip: bool
    output: Output
    preferences: Preferences
    since: int
    secret: str = ""
    touched: float = 0.0
    followed: MatchPlace | None = None
    invited: Invitation | None = None
    away: str | None = None
    waved: bool = False
    replaced: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    waits_for: set[str] = field(default_factory=set)
    watching: Someone | None = None
    watched_match: MatchPlace | None = None
    apart: frozenset[str] = frozenset()
    standing: RatingStanding = NEW

    @property
    def name(self) -> str:
        """What others call him."""
        return alias(self.person)

    @property
    def style(self) -> int:
        """Of his boards."""
        return self.preferences.boardstyle or (RAW if self.clip else DRAWN)

    def say(self, *lines: str) -> None:
        """Sends him lines, no longer than he has set where the server shall wrap them."""
        width = self.preferences.linelength if self.preferences.wrap and not self.clip else 0
        if width >= NARROWEST:
            lines = tuple(
                part for line in lines for part in textwrap.wrap(line, width, drop_whitespace=False) or [line]
            )
        self.output.lines(*lines)

    def hears(self, other: User) -> bool:
        """Whether he wants to read what the other writes."""
        return other.person.id not in self.apart and other.person.id not in self.preferences.gagged


@dataclass(frozen=True, slots=True)
class Invitation:
    """A match to which somebody was invited, or that is to be gone on with."""

    match_id: str
    other: Someone
    resumes: bool = False


@dataclass(frozen=True, slots=True)
class Someone:
    """Anybody who can be named: a person, here or on the web or away, or a bot of a level."""

    name: str
    person: Guest | None = None
    user: User | None = None
    level: LevelShown | None = None

    @property
    def here(self) -> bool:
        """Whether he can be spoken to at once."""
        return self.user is not None


class MatchPlace(ABC):
    """A user's place at a match, as its player or watching one of them.

    seat: their own, or that of whom they watch. wants_next: they have asked for the next game. asked: they have asked to
    adjourn. leaving: they go, and need not be told that it is adjourned.
    """

    def __init__(self, services: Services, user: User, live_match: LiveMatch, seat: int, playing: bool) -> None:
        self._services, self.user = services, user
        self.match_id, self.header, self.seat, self.playing = live_match.header.id, live_match.header, seat, playing
        self.others: tuple[Someone, Someone] = _unnamed(live_match.header)
        self.wants_next = self.leaving = self.asked = False

    @abstractmethod
    def follow_up(self) -> None:
        """Looks again whether something is to be done for them, since they have set something."""

    @abstractmethod
    def close(self) -> None:
        """Follows no longer."""

    @property
    def other(self) -> Someone:
        """Who sits opposite."""
        return self.others[1 - self.seat]

    @property
    def other_name(self) -> str:
        """What he is called."""
        return self.other.name

    @property
    def viewer(self) -> Viewer:
        """Who is told."""
        own = self.user.own if self.playing else self.others[self.seat].name
        names = (own, self.other_name) if self.seat == 0 else (self.other_name, own)
        return Viewer(self.seat, self.playing, names, self.user.style)

    async def live_match(self) -> LiveMatch:
        """The match as it stands."""
        return await self._services.matches.live_match(self.match_id)

    async def game(self) -> Game:
        """The game as it stands."""
        return (await self.live_match()).match.game

    async def board(self) -> list[str]:
        """The board as it stands."""
        return board_lines((await self.live_match()).match, self.viewer)

    async def act(self, event: Event) -> None:
        """What the player does; errors as `Matches.act`."""
        live_match = await self.live_match()
        command = f"fibs-{secrets.token_urlsafe(9)}"
        await self._services.matches.act(self.match_id, self.seat, command, live_match.seq, event)


def _unnamed(header: MatchHeader) -> tuple[Someone, Someone]:
    first, second = (Someone(alias(Guest(seat.guest or "", seat.name))) for seat in header.seats)
    return first, second
