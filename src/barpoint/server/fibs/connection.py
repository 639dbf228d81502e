"""A connection after its login: greeting, commands, news, and the end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from barpoint.error import BarpointError, StoreError
from barpoint.server.fibs import info
from barpoint.server.fibs.chat import tell_messages
from barpoint.server.fibs.commands import COMMAND_FUNCTIONS, LEAVING, resolve
from barpoint.server.fibs.invite import invited_has_come, tell_invitations, tell_saved
from barpoint.server.fibs.leave import leave_all
from barpoint.server.fibs.line_stream import Ended, LineStream
from barpoint.server.fibs.login import GOODBYE, LoggedIn, Login
from barpoint.server.fibs.preferences import Preferences, read_preferences, write_preferences
from barpoint.server.fibs.roster import STANDARD, Roster
from barpoint.server.fibs.session import CommandRefused, FibsSession
from barpoint.server.fibs.users import User
from barpoint.server.live.connections import logged_out, until_first
from barpoint.server.live.event_log import StaleCommand
from barpoint.server.live.pubsub import seats_of
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import fibs as fibs_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage.results import standing

LOG: Final = logging.getLogger("barpoint.server")

LOGIN_S: Final = 180.0
"""Time to log in or to register."""

IDLE_S: Final = 3600.0
"""Idle time after which the server ends a connection."""

COMMAND_S: Final = 20.0
"""Time for a command; one that takes longer is given up, so that the client can go on."""

GIVEN_UP: Final = "** The server is too busy and has given up. Look whether something has changed."

CLOSING: Final = (
    "** System administrator causes shutdown. FIBS is terminating.",
    "** All running games will be saved.",
)


class FibsConnection:
    """One connection. entered: is called when somebody has logged in."""

    def __init__(self, roster: Roster, stream: LineStream, entered: Callable[[], None]) -> None:
        self._entered = entered
        self._roster, self._services = roster, roster.services
        self._stream, self._output = stream, stream.output

    async def run(self) -> None:
        """Serves the connection until it ends."""
        try:
            try:
                async with asyncio.timeout(LOGIN_S):
                    entered = await Login(self._roster, self._stream).entered()
            except TimeoutError:
                self._output.lines("", "Connection timed out.")
                return
            self._entered()
            await self._serve(entered)
        except Ended:
            pass
        finally:
            self._output.close()

    async def _serve(self, entered: LoggedIn) -> None:
        async with self._roster.entering.setdefault(entered.account.id, asyncio.Lock()):
            session = await self._enter(entered)
        user, how = session.user, "drops connection"
        try:
            with (
                self._services.presence.here(user.person.id),
                self._services.pubsub.listening(seats_of(user.person.id), lambda _: session.news.set()),
            ):
                await self._greet(session)
                await until_first(self._listen(session), self._hear(session), self._guard(session))
        except Ended as end:
            how = str(end) or how
        finally:
            await self._leave(session, how)

    async def _enter(self, entered: LoggedIn) -> FibsSession:
        """Opens a session for a user who has logged in; replaces an older connection of theirs."""
        account, services = entered.account, self._services
        person = await services.store.read(guest_storage.get_guest, account.id)
        assert person is not None, "an account is somebody"
        now = services.matches.clock()
        old = self._roster.users.get(person.id)
        if old is not None:
            self._output.lines("** Warning: You are already logged in.")
            old.say("** You have logged in elsewhere.")
            old.replaced.set()
            await old.left.wait()
        visit, rated = await services.store.read(
            lambda c: (fibs_storage.last_visit(c, person.id), standing(c, person.id, STANDARD.name))
        )
        preferences = read_preferences(visit.preferences)
        kept = write_preferences(preferences)
        await services.store.write(fibs_storage.note_login, person.id, kept, now)
        user = User(
            person=person,
            own=entered.own.replace(" ", "_"),
            client=entered.client,
            clip=bool(entered.client),
            output=self._output,
            preferences=preferences,
            since=now // 1000,
            touched=asyncio.get_running_loop().time(),
            standing=rated,
        )
        session = FibsSession(self._roster, user, self._stream.address)
        user.secret = await services.accounts.begin_session(person.id, session.agent)
        await session.refresh()
        self._roster.users[person.id] = user
        if user.clip:
            session.say(f"1 {user.own} {(visit.login_at or now) // 1000} hidden", own_info(user))
        return session

    async def _greet(self, session: FibsSession) -> None:
        user, roster = session.user, self._roster
        await info.motd(session, "")
        await tell_messages(session)
        if user.clip:
            await info.rawwho(session, "")
        roster.announce(7, user.name, f"{user.name} logs in.", but=user)
        for other in list(roster.users.values()):
            if user.name in other.waits_for:
                other.waits_for.discard(user.name)
                other.say(f"** FINALLY!!! {user.name} logs in.\a\a\a")
                session.say(f"{other.name} is waiting for you to log in.")
        await roster.changed(user)
        await tell_saved(session)
        await tell_invitations(session, session.told)
        self._output.prompting = not user.clip
        self._output.prompt()

    async def _listen(self, session: FibsSession) -> None:
        """Executes the client's commands until the connection ends."""
        loop, user = asyncio.get_running_loop(), session.user
        while True:
            try:
                async with asyncio.timeout(IDLE_S):
                    line = await self._stream.line()
            except TimeoutError:
                self._output.lines("Connection timed out.")
                raise Ended("drops connection") from None
            self._output.typed()
            user.touched = loop.time()
            await self._stream.wait_for(self._services.allowance.lines, user.person.id)
            if line:
                await self._do(session, line)
            self._output.prompt()

    async def _do(self, session: FibsSession, line: str) -> None:
        word, _, rest = line.partition(" ")
        name = resolve(word)
        if name in LEAVING or name == "wave":
            await self._bye(session, waves=name == "wave")
        elif name is None or name not in COMMAND_FUNCTIONS:
            session.say(f"** Unknown command: '{word}'")
        else:
            try:
                async with asyncio.timeout(COMMAND_S):
                    await self._carry_out(session, name, rest.strip())
            except TimeoutError:
                LOG.warning("the FIBS command %s took more than %s s", name, COMMAND_S)
                session.say(GIVEN_UP)
            except CommandRefused as error:
                session.say(str(error))
            except StoreError:
                session.say("** The database does not answer; nothing was changed, try again.")
            except BarpointError as error:
                session.say(f"** {error}")
            except Exception:  # the outermost handler: one command fails, the connection stays
                LOG.exception("the FIBS command %s", name)
                session.say("** Something went wrong here. Your match is safe.")
        if session.user.away is not None and name not in ("away", "back"):
            session.say("You're away. Please type 'back'")

    async def _carry_out(self, session: FibsSession, name: str, rest: str) -> None:
        try:
            await COMMAND_FUNCTIONS[name](session, rest)
        except StaleCommand:  # something happened just now: read the state again
            await COMMAND_FUNCTIONS[name](session, rest)

    async def _bye(self, session: FibsSession, waves: bool) -> None:
        user = session.user
        if waves and not user.waved:
            user.waved = True
            session.say("You wave goodbye.")
            self._roster.shout(f"{user.name} waves goodbye.", user)
            return
        if waves:
            session.say("You wave goodbye again and log out.")
            self._roster.shout(f"{user.name} waves goodbye again.", user)
        await leave_all(session, "logs out", own=True)
        self._last_words(session, *GOODBYE)
        raise Ended("logs out")

    async def _hear(self, session: FibsSession) -> None:
        """Announces invitations, delivers messages, and seats the user once somebody accepts theirs."""
        while True:
            await session.news.wait()
            session.news.clear()
            try:
                await session.refresh()
                await invited_has_come(session)
                await tell_invitations(session, session.told)
                await tell_messages(session)
            except BarpointError as error:
                LOG.info("a FIBS client is not told what is new: %s", error)
            except Exception:  # the outermost handler: the next news is announced again
                LOG.exception("a FIBS client is not told what is new")
            self._output.prompt()

    async def _guard(self, session: FibsSession) -> None:
        """Ends the connection when its session ends or a newer connection replaces it."""
        out = asyncio.ensure_future(logged_out(self._services.pubsub, session.user.person, session.look_up))
        replaced = asyncio.ensure_future(session.user.replaced.wait())
        try:
            await asyncio.wait({out, replaced}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            out.cancel()
            replaced.cancel()
        if not session.user.replaced.is_set():
            self._last_words(session, "** You are logged out.")
        raise Ended("drops connection")

    def _last_words(self, session: FibsSession, *lines: str) -> None:
        """Sends the last lines of the connection; broadcasts already under way do not follow them."""
        session.say(*lines)
        self._output.silence()

    async def _leave(self, session: FibsSession, how: str) -> None:
        """Removes the user from the roster and their match, even if the database fails."""
        user, services = session.user, self._services
        session.expect(None)
        if self._roster.users.get(user.person.id) is user:
            del self._roster.users[user.person.id]
        try:
            with suppress(BarpointError):
                if not self._roster.closing:
                    await leave_all(session, how)
                    self._roster.announce(8, user.name, f"{user.name} {how}.")
            if user.followed is not None:
                user.followed.close()
            if user.watched_match is not None:
                user.watched_match.close()
        finally:
            user.left.set()  # the connection that replaces this one waits for it
        now = services.matches.clock()
        with suppress(StoreError):
            await services.store.write(fibs_storage.note_logout, user.person.id, now)
            await services.store.write(account_storage.end_session, user.secret)


def own_info(user: User) -> str:
    """The line with a client's own settings (CLIP 2)."""
    told: Preferences = user.preferences
    first = ("allowpip", "autoboard", "autodouble", "automove")
    second = ("greedy", "moreboards", "moves", "notify")
    rating = user.standing.rating
    fields = [
        "2",
        user.own,
        *(int(getattr(told, name)) for name in first),
        int(user.away is not None),
        *(int(getattr(told, name)) for name in ("bell", "crawford", "double")),
        rating.experience,
        *(int(getattr(told, name)) for name in second),
        f"{rating.value:.2f}",
        *(int(getattr(told, name)) for name in ("ratings", "ready")),
        0 if told.redoubles == "none" else told.redoubles,
        *(int(getattr(told, name)) for name in ("report", "silent")),
        told.timezone,
    ]
    return " ".join(map(str, fields))
