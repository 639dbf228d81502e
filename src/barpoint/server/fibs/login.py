"""Logins of programs and people, and the registration of guests."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Final

from barpoint.error import StoreError
from barpoint.server.domain.accounts import Account, AccountRefused
from barpoint.server.domain.names import NameRefused
from barpoint.server.fibs import info
from barpoint.server.fibs.commands import LEAVING, resolve
from barpoint.server.fibs.line_stream import Ended, LineStream
from barpoint.server.fibs.roster import Roster
from barpoint.server.storage import fibs as fibs_storage

MAX_TRIES: Final = 5
"""Failed logins allowed per connection."""

LINE_S: Final = 60.0
"""Time for each line before somebody has logged in."""

MAX_CLIENT: Final = 20
"""Maximum characters of a client's name."""

LOGIN: Final = "login: "
PASSWORD: Final = "password: "
HIDDEN, SHOWN = b"\xff\xfb\x01", b"\xff\xfc\x01"
"""Telnet's WILL ECHO and WONT ECHO: the terminal hides what is typed between them."""

WELCOME: Final = ("", "Welcome to Barpoint: backgammon for FIBS clients.", "Log in as guest if you are new here.", "")
GUEST: Final = (
    "Welcome to Barpoint. You just logged in as guest.",
    "Please register before using this server:",
    "",
    "Type 'name username' where name is the word 'name' and",
    "username is the login name you want to use.",
    "The username may not contain blanks ' ' or colons ':'.",
    "The system will then ask you for your password twice.",
    "Please type 'bye' if you don't want to register now.",
    "",
    "ONE USERNAME PER PERSON ONLY!!!",
)
GOODBYE: Final = ("", "                             Goodbye.", "")


@dataclass(slots=True)
class LoggedIn:
    """A user who has logged in. own: the name as typed; client: "" for a person at a terminal."""

    account: Account
    own: str
    client: str = ""


class Login:
    """The first lines of a connection."""

    def __init__(self, roster: Roster, stream: LineStream) -> None:
        self._roster, self._services, self._stream = roster, roster.services, stream

    async def entered(self) -> LoggedIn:
        """The user who logs in; Ended if nobody does, TimeoutError for somebody who says nothing."""
        self._stream.output.lines(*WELCOME, info.time_line(self._roster.seconds()))
        for _ in range(MAX_TRIES):
            self._stream.output.raw(LOGIN)
            line = await self._line()
            try:
                entered = await self._try(line)
            except AccountRefused as error:
                self._stream.output.lines("", f"** {error}")
                continue
            except StoreError:
                self._stream.output.lines("", "** The database does not answer; try again.")
                continue
            if entered is not None:
                return entered
        raise Ended

    async def _line(self) -> str:
        """The next line; Ended after the last, TimeoutError where none comes in time."""
        async with asyncio.timeout(LINE_S):
            return await self._stream.line()

    async def _try(self, line: str) -> LoggedIn | None:
        """The user who logs in with this line, or None. AccountRefused."""
        word, _, rest = line.partition(" ")
        if word.lower() == "login" and rest:
            words = rest.split(None, 3)
            if len(words) != 4 or len(words[0]) > MAX_CLIENT or not words[1].isdigit():
                return None
            client, _, name, password = words
            if name.lower() == "guest":
                return await self._register()
            return LoggedIn(await self._proven(name, password), name, client)
        if word.lower() == "guest":
            return await self._register()
        if not line:
            return None
        self._stream.output.raw(HIDDEN)
        self._stream.output.raw(PASSWORD)
        password = await self._line()
        self._stream.output.raw(SHOWN)
        self._stream.output.lines("")
        account = await self._proven(line, password)
        return LoggedIn(account, line)

    async def _proven(self, name: str, password: str) -> Account:
        """The account with this name and password; underscores may stand for spaces. AccountRefused."""
        found = await self._services.store.read(fibs_storage.account_named, name)
        return await self._services.accounts.proven(self._stream.address, found.name if found else name, password)

    async def _register(self) -> LoggedIn | None:
        """Creates an account; returns None, and the user then logs in. Ended after bye."""
        self._stream.output.lines(*GUEST)
        while True:
            self._stream.output.raw("> ")
            word, _, rest = (await self._line()).partition(" ")
            command = resolve(word)
            if command in LEAVING:
                self._stream.output.lines(*GOODBYE)
                raise Ended
            if word.lower() != "name":
                self._stream.output.lines("** Please type 'name username' or 'bye'.")
                continue
            name = rest.strip()
            if not re.fullmatch("[A-Za-z_]+", name):
                self._stream.output.lines("** Your name may only contain letters and the underscore character _ .")
                continue
            if name.lower() == "guest" or await self._services.store.read(fibs_storage.account_named, name) is not None:
                self._stream.output.lines(f"** Please use another name. '{name}' is already used by someone else.")
                continue
            if await self._make(name):
                return None

    async def _make(self, name: str) -> bool:
        """Asks for a password twice, and creates the account; whether it was created."""
        self._stream.output.lines(
            f"Your name will be {name}", "Type in no password and hit Enter/Return if you want to change it now."
        )
        self._stream.output.raw(HIDDEN)
        self._stream.output.raw("Please give your password: ")
        first = await self._line()
        if not first:
            self._stream.output.raw(SHOWN)
            self._stream.output.lines("** No password given. Please choose a new name")
            return False
        self._stream.output.raw("Please retype your password: ")
        again = await self._line()
        self._stream.output.raw(SHOWN)
        if again != first:
            self._stream.output.lines("", "** The two passwords were not identical. Please give your name again.")
            return False
        try:
            _, codes = await self._services.accounts.make_account(self._stream.address, None, name, first)
        except (NameRefused, AccountRefused) as error:
            self._stream.output.lines("", f"** {error}")
            return False
        self._stream.output.lines("", "You are registered.", "Write these codes down; each sets a new password once:")
        self._stream.output.lines(*codes, "Type 'help' once you have logged in.")
        return True
