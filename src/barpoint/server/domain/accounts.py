"""Accounts: passwords, recovery codes, and secrets for sessions and mail links."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from barpoint.error import BarpointError
from barpoint.server.domain.limits import ID_LETTERS, MAX_EMAIL, MAX_PASSWORD, MIN_PASSWORD
from barpoint.server.domain.names import folded
from barpoint.server.domain.time_control import DAY, HOUR

SESSION_COOKIE: Final = "barpoint_session"
DEVICE_COOKIE: Final = "barpoint_device"
"""Names the account that a browser last logged in to, signed."""

SESSION_MS: Final = 60 * DAY
"""How long a login lasts after the last page that was opened with it."""

SEEN_MS: Final = HOUR
"""How far what is known about when a session was last used may lag behind: it is written once in that time."""

MAX_AGENT: Final = 120
"""Characters that are kept of what a browser calls itself."""

_IN_ALL_AGENTS: Final = re.compile(r"Mozilla/5\.0 |AppleWebKit/[\d.]+ |\(KHTML, like Gecko\) ")
"""What nearly every browser says of itself, so that it tells nothing."""

LETTER_MS: Final = 2 * HOUR
"""How long a mail link is valid."""

RECOVERY_CODES: Final = 8

COMMON: Final = frozenset(
    [
        "12345678",
        "123456789",
        "1234567890",
        "password",
        "password1",
        "passw0rd",
        "qwertyui",
        "qwertyuiop",
        "qwerty123",
        "iloveyou",
        "11111111",
        "00000000",
        "abcdefgh",
        "abcd1234",
        "1q2w3e4r",
        "backgammon",
        "barpoint",
        "baseball",
        "football",
        "sunshine",
        "princess",
        "superman",
        "trustno1",
    ]
)

MAX_TRIED: Final = 1000
"""Characters that are hashed of a password that somebody tries."""

_HASHING: Final = 2
"""Passwords hashed at the same time: each takes 64 MiB and about 50 ms of CPU time."""


class AccountRefused(BarpointError, ValueError):
    """An account cannot be created, opened or changed this way; the message may be shown."""


@dataclass(frozen=True, slots=True)
class Account:
    """What is known about an account. email: None if not given; confirmed: mail may be sent to it.

    language: chosen, None for English. notices: the player wants mail when it is their turn. banned_at: ms since 1970; nobody can log in to a banned
    account.
    """

    id: str
    name: str
    password: str
    email: str | None = None
    email_confirmed: bool = False
    notices: bool = True
    administrator: bool = False
    created_at: int = 0
    banned_at: int | None = None
    ban_reason: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class AccountSession:
    """A session of an account. id: a digest, which opens nothing. begun_at, seen_at: ms since 1970, the latter up to SEEN_MS too early.

    agent: as `kept_agent`.
    """

    id: str
    begun_at: int
    seen_at: int
    agent: str


def kept_agent(agent: str) -> str:
    """What is kept of a User-Agent: without what all have, since the name of the browser comes last in many."""
    return _IN_ALL_AGENTS.sub("", agent)[:MAX_AGENT]


def check_open(account: Account) -> None:
    """AccountRefused if the account is banned."""
    if account.banned_at is not None:
        reason = f": {account.ban_reason}" if account.ban_reason else ""
        raise AccountRefused("This account has been closed by an administrator%(reason)s.", reason=reason)


class Passwords:
    """Hashes and checks passwords in threads, a few at a time."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._busy = asyncio.Semaphore(_HASHING)
        self._nobody: str | None = None

    async def hash(self, password: str) -> str:
        """The hash of a password, as it is stored."""
        async with self._busy:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def fits(self, kept: str | None, password: str) -> bool:
        """Whether the password matches the hash. Takes as long for None, an account that does not exist."""
        if kept is None and self._nobody is None:
            self._nobody = await self.hash(secrets.token_urlsafe(16))
        async with self._busy:
            right = await asyncio.to_thread(self._verify, kept or self._nobody or "", password[:MAX_TRIED])
        return right and kept is not None

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (Argon2Error, InvalidHashError):
            return False


def checked_password(password: str, name: str) -> str:
    """The password if it is acceptable; AccountRefused says what is allowed."""
    if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
        found = f"a password of {len(password)} characters"
        raise AccountRefused(
            "%(found)s; allowed: %(min_password)s to %(max_password)s",
            found=found,
            min_password=MIN_PASSWORD,
            max_password=MAX_PASSWORD,
        )
    if password.casefold() in COMMON or len(set(password)) < 3:
        raise AccountRefused("this password is one of the first that anybody tries; choose another one")
    if folded(name) in folded(password) and len(password) < len(name) + 6:
        raise AccountRefused("the password is hardly more than the name; choose another one")
    return password


def checked_email(text: str) -> str | None:
    """The address, None if it is empty; AccountRefused if mail could not reach it."""
    email = text.strip()
    if not email:
        return None
    if len(email) > MAX_EMAIL or not re.fullmatch(
        r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", email
    ):
        raise AccountRefused("this is no e-mail address; write it like name@example.org, or leave it out")
    return email


def new_secret() -> str:
    """A new secret for a cookie or a link."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """The hash of a secret that the database stores: 80 random bits or more cannot be guessed, so it needs no salt."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_codes() -> tuple[str, ...]:
    """New recovery codes to write down, such as "k3fd-…"; each can set a new password once."""
    return tuple(
        "-".join("".join(secrets.choice(ID_LETTERS) for _ in range(4)) for _ in range(4)) for _ in range(RECOVERY_CODES)
    )


def typed_code(text: str) -> str:
    """A recovery code in the form it was issued, however it was typed."""
    letters = re.sub(r"[\s-]", "", text.lower())[:32]
    return "-".join(letters[at : at + 4] for at in range(0, len(letters), 4))
