"""A connection after its login: greeting, commands, news, and the end."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

from barpoint.error import BarpointError, StoreError
from barpoint.server.domain.limits import Credit
from barpoint.server.fibs import roster
from barpoint.server.fibs.chat import message_line
from barpoint.server.fibs.circle import STANDARD, Circle, Member
from barpoint.server.fibs.command import DOES
from barpoint.server.fibs.depart import depart
from barpoint.server.fibs.invite import invited_has_come, tell_invitations, tell_saved
from barpoint.server.fibs.login import GOODBYE, Entered, Login
from barpoint.server.fibs.preference import Preferences, read_preferences, write_preferences
from barpoint.server.fibs.session import CommandRefused, Session
from barpoint.server.fibs.wire import Ended, Wire
from barpoint.server.fibs.word import LEAVING, resolve
from barpoint.server.live.connections import logged_out, until_first
from barpoint.server.live.matches import StaleCommand
from barpoint.server.live.pubsub import seats_of
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import fibs as fibs_storage
from barpoint.server.storage.results import standing

LOG: Final = logging.getLogger("barpoint.server")

LOGIN_S: Final = 180.0
"""Time to log in or to register."""

IDLE_S: Final = 3600.0
"""Time without a line after which a connection is ended."""

BURST: Final = 60
PER_SECOND: Final = 20
"""Commands at once, and each second; further ones wait."""

CLOSING: Final = (
    "** System administrator causes shutdown. FIBS is terminating.",
    "** All running games will be saved.",
)


class Dialog:
    """One connection."""

    def __init__(self, circle: Circle, wire: Wire) -> None:
        self._circle, self._services = circle, circle.services
        self._wire, self._outlet = wire, wire.outlet

    async def run(self) -> None:
        """Serves the connection until it ends."""
        try:
            try:
                async with asyncio.timeout(LOGIN_S):
                    entered = await Login(self._circle, self._wire).entered()
            except TimeoutError:
                self._outlet.lines("", "Connection timed out.")
                return
            await self._serve(entered)
        except Ended:
            pass
        finally:
            self._outlet.close()

    async def _serve(self, entered: Entered) -> None:
        session = await self._enter(entered)
        member, how = session.member, "drops connection"
        try:
            with (
                self._services.presence.here(member.person.id),
                self._services.pubsub.listening(seats_of(member.person.id), lambda _: session.news.set()),
            ):
                await self._greet(session)
                await until_first(self._listen(session), self._hear(session), self._guard(session))
        except Ended as end:
            how = str(end) or how
        finally:
            await self._leave(session, how)

    async def _enter(self, entered: Entered) -> Session:
        """Makes a member of who has logged in; an older connection of his ends."""
        account, services = entered.account, self._services
        person = await services.store.read(lambda connection: fibs_storage.person_of(connection, account.id))
        assert person is not None, "an account is somebody"
        now = services.matches.clock()
        old = self._circle.members.get(person.id)
        if old is not None:
            self._outlet.lines("** Warning: You are already logged in.")
            old.say("** You have logged in elsewhere.")
            old.replaced.set()
            await old.left.wait()
        visit, rated = await services.store.read(
            lambda c: (fibs_storage.last_visit(c, person.id), standing(c, person.id, STANDARD.name))
        )
        preferences = read_preferences(visit.preferences)
        kept = write_preferences(preferences)
        await services.store.write(lambda c: fibs_storage.note_login(c, person.id, kept, now))
        member = Member(
            person=person,
            own=entered.own.replace(" ", "_"),
            client=entered.client,
            clip=bool(entered.client),
            outlet=self._outlet,
            preferences=preferences,
            since=now // 1000,
            touched=asyncio.get_running_loop().time(),
            standing=rated,
        )
        session = Session(self._circle, member, self._wire.address)
        member.secret = await services.accounts.begin_session(person.id, session.agent)
        await session.refresh()
        self._circle.members[person.id] = member
        if member.clip:
            session.say(f"1 {member.own} {(visit.login_at or now) // 1000} hidden", own_info(member))
        return session

    async def _greet(self, session: Session) -> None:
        member, circle = session.member, self._circle
        await roster.motd(session, "")
        found = await self._services.store.write(lambda c: fibs_storage.take_messages(c, member.person.id))
        for one in found:
            session.say(message_line(member, circle.someone(one.by).name, one.at // 1000, one.text))
        if member.clip:
            await roster.rawwho(session, "")
        circle.announce(7, member.name, f"{member.name} logs in.", but=member)
        for other in list(circle.members.values()):
            if member.name in other.waits_for:
                other.waits_for.discard(member.name)
                other.say(f"** FINALLY!!! {member.name} logs in.\a\a\a")
                session.say(f"{other.name} is waiting for you to log in.")
        await circle.changed(member)
        await tell_saved(session)
        await tell_invitations(session, session.told)
        self._outlet.prompting = not member.clip
        self._outlet.prompt()

    async def _listen(self, session: Session) -> None:
        """Does what the client asks for, until it ends."""
        loop, member = asyncio.get_running_loop(), session.member
        credit = Credit(BURST, PER_SECOND, BURST, loop.time())
        while True:
            try:
                async with asyncio.timeout(IDLE_S):
                    line = await self._wire.line()
            except TimeoutError:
                self._outlet.lines("Connection timed out.")
                raise Ended("drops connection") from None
            self._outlet.typed()
            member.touched = loop.time()
            while not credit.spend(loop.time()):
                await asyncio.sleep(1 / PER_SECOND)  # a client does not know how to say it again; the rest waits unread
            if line:
                await self._do(session, line)
            self._outlet.prompt()

    async def _do(self, session: Session, line: str) -> None:
        word, _, rest = line.partition(" ")
        name = resolve(word)
        if name in LEAVING or name == "wave":
            await self._bye(session, waves=name == "wave")
        elif name is None or name not in DOES:
            session.say(f"** Unknown command: '{word}'")
        else:
            try:
                try:
                    await DOES[name](session, rest.strip())
                except StaleCommand:  # something has happened at this moment: what is to be said now?
                    await DOES[name](session, rest.strip())
            except CommandRefused as error:
                session.say(str(error))
            except StoreError:
                session.say("** The database does not answer; nothing was changed, try again.")
            except BarpointError as error:
                session.say(f"** {error}")
            except Exception:  # the outermost handler: one command fails, the connection lives on
                LOG.exception("the FIBS command %s", name)
                session.say("** Something went wrong here. Your match is safe.")
        if session.member.away is not None and name not in ("away", "back"):
            session.say("You're away. Please type 'back'")

    async def _bye(self, session: Session, waves: bool) -> None:
        member = session.member
        if waves and not member.waved:
            member.waved = True
            session.say("You wave goodbye.")
            self._circle.shout(f"{member.name} waves goodbye.", member)
            return
        if waves:
            session.say("You wave goodbye again and log out.")
            self._circle.shout(f"{member.name} waves goodbye again.", member)
        await depart(session, "logs out", own=True)
        self._last_words(session, *GOODBYE)
        raise Ended("logs out")

    async def _hear(self, session: Session) -> None:
        """Tells of invitations, and sits down once one was accepted."""
        while True:
            await session.news.wait()
            session.news.clear()
            try:
                await session.refresh()
                await invited_has_come(session)
                await tell_invitations(session, session.told)
            except BarpointError as error:
                LOG.info("a FIBS client is not told of an invitation: %s", error)
            except Exception:  # the outermost handler: the next news is told again
                LOG.exception("a FIBS client is not told of an invitation")
            self._outlet.prompt()

    async def _guard(self, session: Session) -> None:
        """Ends the connection once its session no longer holds, or another one takes its place."""
        out = asyncio.ensure_future(logged_out(self._services.pubsub, session.member.person, session.look_up))
        replaced = asyncio.ensure_future(session.member.replaced.wait())
        try:
            await asyncio.wait({out, replaced}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            out.cancel()
            replaced.cancel()
        if not session.member.replaced.is_set():
            self._last_words(session, "** You are logged out.")
        raise Ended("drops connection")

    def _last_words(self, session: Session, *lines: str) -> None:
        """Nothing comes after these, whatever is on its way to everybody at this moment."""
        session.say(*lines)
        self._outlet.silence()

    async def _leave(self, session: Session, how: str) -> None:
        """Takes leave of everybody, whatever the database says to it."""
        member, services = session.member, self._services
        session.expect(None)
        self._circle.members.pop(member.person.id, None)
        with suppress(BarpointError):
            if not self._circle.closing:
                await depart(session, how)
                self._circle.announce(8, member.name, f"{member.name} {how}.")
        if member.table is not None:
            member.table.close()
        if member.sight is not None:
            member.sight.close()
        member.left.set()
        now = services.matches.clock()
        with suppress(StoreError):
            await services.store.write(lambda c: fibs_storage.note_logout(c, member.person.id, now))
            await services.store.write(lambda c: account_storage.end_session(c, member.secret))


def own_info(member: Member) -> str:
    """What a client is told about its own settings (CLIP 2)."""
    told: Preferences = member.preferences
    first = ("allowpip", "autoboard", "autodouble", "automove")
    second = ("greedy", "moreboards", "moves", "notify")
    rating = member.standing.rating
    fields = [
        "2",
        member.own,
        *(int(getattr(told, name)) for name in first),
        int(member.away is not None),
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
