"""One connection after its login: the user, and what their commands need."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field

from barpoint.error import BarpointError
from barpoint.server.domain.guests import Guest
from barpoint.server.fibs.preferences import write_preferences
from barpoint.server.fibs.roster import Roster
from barpoint.server.fibs.users import MatchPlace, User
from barpoint.server.services import Services
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import fibs as fibs_storage
from barpoint.server.storage import lobby as lobby_storage


class CommandRefused(BarpointError):
    """A command that is not possible; the text is sent as it is."""


@dataclass(slots=True)
class FibsSession:
    """The session in which a user gives commands.

    address: of the client, only for limits. news: an invitation has changed. told: ids of matches whose
    invitations were announced.
    """

    roster: Roster
    user: User
    address: str
    news: asyncio.Event = field(default_factory=asyncio.Event)
    told: set[str] = field(default_factory=set)
    _expecting: ExitStack = field(default_factory=ExitStack)
    _renewing: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def services(self) -> Services:
        """The server."""
        return self.roster.services

    def say(self, *lines: str) -> None:
        """Sends lines."""
        self.user.say(*lines)

    def followed(self, refusal: str = "** You're not playing.") -> MatchPlace:
        """The match the user plays; CommandRefused if there is none."""
        if self.user.followed is None:
            raise CommandRefused(refusal)
        return self.user.followed

    def at_match(self, refusal: str = "** You're not watching or playing.") -> MatchPlace:
        """The match the user plays or watches; CommandRefused if there is none."""
        found = self.user.followed or self.user.watched_match
        if found is None:
            raise CommandRefused(refusal)
        return found

    async def save(self) -> None:
        """Saves the user's settings."""
        kept = write_preferences(self.user.preferences)
        await self.services.store.write(fibs_storage.put_preferences, self.user.person.id, kept)

    def expect(self, match_id: str | None) -> None:
        """Treats every event of a match as news; None stops that."""
        self._expecting.close()
        if match_id is not None:
            self._expecting.enter_context(self.services.pubsub.listening(match_id, lambda _: self.news.set()))

    async def look_up(self) -> Guest | None:
        """The user this session is logged in as."""
        async with self._renewing:
            now = self.services.matches.clock()
            return await self.services.store.read(account_storage.who, self.user.secret, None, now)

    async def renew(self, change: Callable[[], Awaitable[None]]) -> None:
        """Makes a change that ends all of the user's sessions, and starts a new one for this connection."""
        async with self._renewing:
            await change()
            self.user.secret = await self.services.accounts.begin_session(self.user.person.id, self.agent)

    @property
    def agent(self) -> str:
        """The name of these sessions in the user's list of sessions."""
        return f"FIBS {self.user.client}"

    async def refresh(self) -> None:
        """Reloads who has blocked whom."""
        self.user.apart = await self.services.store.read(lobby_storage.kept_apart, self.user.person.id)
