"""Users of FIBS clients, the people they can name, and their places at matches."""

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
"""Minimum characters of a wrapped line."""

DRAWN: Final = 1


@dataclass(eq=False, slots=True)
class User:
    """A user connected through a FIBS client.

    own: their name as they typed it; others read `name`. client: the name of their program, "" for a person at a
    terminal. secret: of their session. since: s since 1970. touched: time of their last line, s on the loop's clock.
    invited: the match they invite somebody to. apart: ids of people who blocked them or whom they blocked. watching:
    the player they watch. replaced: a newer connection of theirs replaces this one. left: they are gone.
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
        """The name that others read."""
        return alias(self.person)

    @property
    def style(self) -> int:
        """The style of their boards."""
        return self.preferences.boardstyle or (RAW if self.clip else DRAWN)

    def say(self, *lines: str) -> None:
        """Sends lines, wrapped at the length they have set."""
        width = self.preferences.linelength if self.preferences.wrap and not self.clip else 0
        if width >= NARROWEST:
            lines = tuple(
                part for line in lines for part in textwrap.wrap(line, width, drop_whitespace=False) or [line]
            )
        self.output.lines(*lines)

    def watch_no_more(self) -> None:
        """Ends their watching, of this match and of later ones."""
        if self.watched_match is not None:
            self.watched_match.close()
        self.watching = None

    def hears(self, other: User) -> bool:
        """Whether they want to read what the other writes."""
        return other.person.id not in self.apart and other.person.id not in self.preferences.gagged


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation to a match, new or resumed."""

    match_id: str
    other: Someone
    resumes: bool = False


@dataclass(frozen=True, slots=True)
class Someone:
    """Anybody with a name: a person, on line or not, or a bot."""

    name: str
    person: Guest | None = None
    user: User | None = None
    level: LevelShown | None = None

    @property
    def id(self) -> str | None:
        """The id of the person; None for a bot."""
        return self.person.id if self.person is not None else None


class MatchPlace(ABC):
    """A user's place at a match, as its player or as a watcher of one player.

    seat: their own, or that of the player they watch. wants_next: they have asked for the next game. asked: they have
    asked to adjourn. leaving: they are going, and need no notice of the adjournment.
    """

    def __init__(self, services: Services, user: User, live_match: LiveMatch, seat: int, playing: bool) -> None:
        self._services, self.user = services, user
        self.match_id, self.header, self.seat, self.playing = live_match.header.id, live_match.header, seat, playing
        self.others: tuple[Someone, Someone] = _unnamed(live_match.header)
        self.wants_next = self.leaving = self.asked = False

    @abstractmethod
    def follow_up(self) -> None:
        """Looks again for an automatic action, after the user changed a setting."""

    @abstractmethod
    def close(self) -> None:
        """Stops following."""

    @property
    def other(self) -> Someone:
        """The opponent."""
        return self.others[1 - self.seat]

    @property
    def other_name(self) -> str:
        """The opponent's name."""
        return self.other.name

    @property
    def viewer(self) -> Viewer:
        """The viewer who receives the lines."""
        own = self.user.own if self.playing else self.others[self.seat].name
        names = (own, self.other_name) if self.seat == 0 else (self.other_name, own)
        return Viewer(self.seat, self.playing, names, self.user.style)

    async def live_match(self) -> LiveMatch:
        """The current state of the match."""
        return await self._services.matches.live_match(self.match_id)

    async def game(self) -> Game:
        """The current state of the game."""
        return (await self.live_match()).match.game

    async def board(self) -> list[str]:
        """The lines of the current board."""
        return board_lines((await self.live_match()).match, self.viewer)

    async def act(self, event: Event) -> None:
        """Applies the player's event; errors as `Matches.act`."""
        live_match = await self.live_match()
        command = f"fibs-{secrets.token_urlsafe(9)}"
        await self._services.matches.act(self.match_id, self.seat, command, live_match.seq, event)


def _unnamed(header: MatchHeader) -> tuple[Someone, Someone]:
    first, second = (Someone(alias(Guest(seat.guest or "", seat.name))) for seat in header.seats)
    return first, second
