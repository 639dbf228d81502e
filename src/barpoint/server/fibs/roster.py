"""The roster: the FIBS users of this process, and everybody on line as these users see them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Final
from weakref import WeakValueDictionary

from barpoint.error import StoreError
from barpoint.rules import Rules
from barpoint.server.domain.agreements import Agreement, clock_words
from barpoint.server.domain.guests import Guest
from barpoint.server.fibs.match_text import an
from barpoint.server.fibs.names import alias, bot_alias
from barpoint.server.fibs.users import MatchPlace, Someone, User
from barpoint.server.live.lobby import Scene
from barpoint.server.live.pubsub import LOBBY
from barpoint.server.services import Services
from barpoint.server.storage import fibs as fibs_storage
from barpoint.server.storage.lobby import Challenge, ListedMatch
from barpoint.server.storage.results import NEW, RatingStanding, standing

LOG: Final = logging.getLogger("barpoint.server")

STANDARD: Final = Rules()
"""The only game that FIBS can play."""

WEB: Final = "web"
"""The origin shown for users of the pages; nobody's address is shown."""

BOT: Final = "bot"
"""The client name shown for a program, whether a bot of this server or not."""

PAUSE_S: Final = 1.0
"""Changes of the lobby within this time are announced together."""


class Roster:
    """The FIBS users of this process, and everybody else as they see them. entering: held while a person logs in, so that one does at a time."""

    def __init__(self, services: Services) -> None:
        self.services, self.port, self.most, self.closing = services, 0, 0, False
        self.users: dict[str, User] = {}
        self.entering: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.last: list[str] = []
        self._seen: dict[str, tuple[str, str]] = {}
        self._since: dict[str, int] = {}
        self._offered: frozenset[str] = frozenset()
        self._changed = asyncio.Event()
        self._listening = ExitStack()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Starts to announce changes in the lobby."""
        self._listening.enter_context(self.services.pubsub.listening(LOBBY, lambda _: self._changed.set()))
        self._task = asyncio.create_task(self._watch(), name="fibs lobby")

    async def stop(self) -> None:
        """Stops the announcements."""
        self._listening.close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def seconds(self) -> int:
        """The time, s since 1970."""
        return self.services.matches.clock() // 1000

    def idle(self, user: User) -> float:
        """Seconds since somebody's last line."""
        return asyncio.get_running_loop().time() - user.touched

    # ------------------------------------------------------------ who there is

    def bots(self) -> list[Someone]:
        """The bots of this server that can play."""
        levels = self.services.opponents.levels_for(STANDARD)
        return [Someone(bot_alias(level.bot), level=level) for level in levels]

    async def people(self) -> list[Someone]:
        """Everybody on line: FIBS users first, then users of the pages."""
        here = [self.someone(user.person) for user in self.users.values()]
        scene = await self.services.lobby.scene()
        return here + [Someone(alias(one), one) for one in scene.people if one.id not in self.users]

    def someone(self, person: Guest) -> Someone:
        """A person as `Someone`."""
        return Someone(alias(person), person, self.users.get(person.id))

    def user_of(self, one: Someone) -> User | None:
        """The user, if this person is connected here now."""
        return self.users.get(one.person.id) if one.person is not None else None

    async def find(self, name: str) -> Someone | None:
        """The person or bot on line with this name."""
        wanted = name.lower()
        for one in [*(await self.people()), *self.bots()]:
            if wanted == one.name.lower() or (one.user is not None and wanted == one.user.own.lower()):
                return one
        return None

    async def find_anybody(self, name: str) -> Someone | None:
        """The same as `find`, with accounts that are not on line."""
        found = await self.find(name)
        if found is not None:
            return found
        account = await self.services.store.read(fibs_storage.account_named, name)
        return self.someone(Guest(account.id, account.name, True)) if account is not None else None

    def opponent_of(self, place: MatchPlace) -> MatchPlace | None:
        """The opponent's place at a match, if they play through a FIBS client in this process."""
        user = self.user_of(place.other)
        found = user.followed if user is not None else None
        return found if found is not None and found.match_id == place.match_id else None

    def watchers(self, user: User) -> list[User]:
        """The FIBS users who watch somebody, whether or not they play now."""
        return [one for one in self.users.values() if one.watching is not None and one.watching.id == user.person.id]

    def watchers_of(self, place: MatchPlace) -> list[User]:
        """The FIBS users who watch a match."""
        users = self.users.values()
        return [one for one in users if one.watched_match is not None and one.watched_match.match_id == place.match_id]

    # ------------------------------------------------------------ how they look

    async def who_lines(self, viewer: User | None, wanted: Iterable[Someone] | None = None) -> list[str]:
        """A line for everybody on line, or for the wanted ones, as this viewer sees them."""
        chosen = list(wanted) if wanted is not None else [*(await self.people()), *self.bots()]
        scene = await self.services.lobby.scene()
        ids = [one.id for one in chosen if one.id is not None]
        values = await self.services.store.read(lambda c: {one: standing(c, one, STANDARD.name) for one in ids})
        return [self._who(one, values, scene, viewer) for one in chosen]

    def _who(self, one: Someone, values: dict[str, RatingStanding], scene: Scene, viewer: User | None) -> str:
        person, user = one.person, one.user
        if person is None:
            return f"5 {one.name} - - 1 0 1500.00 0 0 0 {WEB} {BOT} -"
        rating = values.get(person.id, NEW).rating
        figures = f"{rating.value:.2f} {rating.experience}"
        if user is None:
            since = self._since.setdefault(person.id, self.seconds())
            opponent, kind = self._opponent_on_web(person, scene), BOT if person.bot else WEB
            return f"5 {one.name} {opponent} - {int(opponent == '-')} 0 {figures} 0 {since} {WEB} {kind} -"
        idle = int(self.idle(user))
        name = user.own if user is viewer else one.name
        opponent = user.followed.other_name if user.followed is not None else "-"
        watching = user.watching.name if user.watching is not None else "-"
        state = f"{int(user.preferences.ready)} {int(user.away is not None)}"
        last = f"{user.since} fibs {BOT if person.bot else user.client or '-'} -"
        return f"5 {name} {opponent} {watching} {state} {figures} {idle} {last}"

    def _opponent_on_web(self, person: Guest, scene: Scene) -> str:
        for going in scene.running:
            if person.id in going.guests and not going.over and going.agreement.rules == STANDARD:
                return self.names_of(going, scene)[1 - going.guests.index(person.id)]
        return "-"

    def names_of(self, going: ListedMatch, scene: Scene) -> tuple[str, str]:
        """The names of both players of a listed match."""
        known = {one.id: one for one in scene.people} | {one: user.person for one, user in self.users.items()}
        first, second = (
            bot_alias(name) if guest is None else alias(known.get(guest, Guest(guest, name)))
            for name, guest in zip(going.names, going.guests, strict=True)
        )
        return first, second

    # ------------------------------------------------------------ telling

    async def changed(self, user: User) -> None:
        """Sends everybody the new line of a user."""
        one = self.someone(user.person)
        own, others = await self.who_lines(user, [one]), await self.who_lines(None, [one])
        for other in [each for each in self.users.values() if each.clip]:
            other.say(*(own if other is user else others), "6")

    def shout(self, line: str, by: User) -> None:
        """Sends a shout to everybody who has not muted it."""
        for other in self.users.values():
            if other is not by and not other.preferences.silent and other.hears(by):
                other.say(line)

    def announce(self, number: int, name: str, text: str, but: User | None = None) -> None:
        """Announces a login (7) or logout (8)."""
        self.last = [*self.last, text][-20:]
        for other in self.users.values():
            if other is not but and other.preferences.notify:
                other.say(f"{number} {name} {text}" if other.clip else text)

    def report(self, line: str, but: Iterable[str] = ()) -> None:
        """Announces a match to everybody who wants reports and is not at it. but: ids of people."""
        apart = set(but)
        for other in self.users.values():
            if other.preferences.report and other.person.id not in apart:
                other.say(line)

    # ------------------------------------------------------------ the lobby

    async def _watch(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                if self.users:
                    await self._look()
            except StoreError as error:
                LOG.warning("FIBS players are not told of the lobby: %s", error)
            except Exception:  # the outermost handler: the next change is announced again
                LOG.exception("FIBS players are not told of the lobby")
            await asyncio.sleep(PAUSE_S)

    async def _look(self) -> None:
        """Announces who arrived, left or changed on the pages, and new challenges."""
        scene = await self.services.lobby.scene()
        people = [Someone(alias(one), one) for one in scene.people if one.id not in self.users]
        lines = await self.who_lines(None, people)
        now = {one.person.id: (one.name, line) for one, line in zip(people, lines, strict=True) if one.person}
        before, self._seen = self._seen, now
        for person_id in before.keys() - now.keys() - self.users.keys():
            self._since.pop(person_id, None)
            name = before[person_id][0]
            self.announce(8, name, f"{name} logs out.")
        for person_id in now.keys() - before.keys():
            self.announce(7, now[person_id][0], f"{now[person_id][0]} logs in.")
        fresh = [now[person_id][1] for person_id in now if before.get(person_id) != now[person_id]]
        offered, self._offered = self._offered, frozenset(one.id for one in scene.challenges)
        for user in list(self.users.values()):
            if fresh and user.clip:
                user.say(*fresh, "6")
            self.invite_from(user, [one for one in scene.challenges if one.id not in offered])

    def invite_from(self, user: User, challenges: Iterable[Challenge]) -> None:
        """Announces challenges in the lobby as invitations, to a user who is ready and free."""
        if not user.preferences.ready or user.followed is not None:
            return
        for one in challenges:
            if is_standard(one.agreement) and one.by.id != user.person.id and one.by.id not in user.apart:
                user.say(*invitation_lines(alias(one.by), one.agreement))


def is_standard(agreement: Agreement) -> bool:
    """Whether FIBS can play this agreement: standard backgammon with the server's dice."""
    return agreement.rules == STANDARD and not agreement.terms.manual


def invitation_lines(name: str, agreement: Agreement) -> list[str]:
    """The lines that announce an invitation."""
    lines = [f"{name} wants to play {an(agreement.terms.length)} with you."]
    if agreement.time_control != Agreement().time_control:
        lines.append(f"** With a clock: {clock_words(agreement.time_control)}.")
    if agreement.fee:
        lines.append(f"** With an entry fee of {agreement.fee} tickets.")
    return [*lines, f"Type 'join {name}' to accept."]
