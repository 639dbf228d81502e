"""Identifies guests: whoever holds a signed cookie is the guest it names."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Final
from unicodedata import category

from barpoint.server.domain.limits import MAX_GUEST_NAME
from barpoint.server.domain.seat_names import person_name
from barpoint.server.domain.time_control import DAY, SECOND

COOKIE: Final = "barpoint_guest"
YEAR_S: Final = 365 * DAY // SECOND


@dataclass(frozen=True, slots=True)
class Guest:
    """A person who may sit at a board, identified by their session if they have an account, else by their cookie.

    registered: has an account, so that the name is theirs alone. administrator: of this server. bot: a program plays
    for them.
    """

    id: str
    name: str
    registered: bool = False
    administrator: bool = False
    bot: bool = False

    @property
    def shown_name(self) -> str:
        """What they are called, in the language that holds now."""
        return person_name(self.name)


def new_guest() -> Guest:
    """A new guest with a random id."""
    return Guest(secrets.token_urlsafe(12), f"Guest {secrets.randbelow(9000) + 1000}")


def sign(key: bytes, guest_id: str) -> str:
    """The cookie that identifies this guest."""
    return f"{guest_id}.{_signature(key, guest_id)}"


def read(key: bytes, cookie: str | None) -> str | None:
    """The guest a cookie names; None if it is missing or was not signed with this key."""
    guest_id, dot, signature = (cookie or "").rpartition(".")
    if not dot or not signature.isascii() or not hmac.compare_digest(signature, _signature(key, guest_id)):
        return None
    return guest_id


def clean_name(text: str) -> str | None:
    """Cleans a name for display: one line, no control characters, at most 24 characters; None if nothing is left."""
    printable = "".join(one for at, one in enumerate(text) if one.isprintable() or _joins_emoji(text, at))
    return re.sub(r"\s+", " ", printable).strip()[:MAX_GUEST_NAME].strip(f" {_JOINER}") or None


_JOINER: Final = "\u200d"
"""Between several emoji it makes one of them, such as a woman and a rocket an astronaut; between letters it is not seen."""


def _joins_emoji(text: str, at: int) -> bool:
    """Whether a joiner of emoji stands there, between two of them."""
    if text[at] != _JOINER or not 0 < at < len(text) - 1:
        return False
    before, after = text[at - 1], text[at + 1]
    pictured = before == "\ufe0f" or "\U0001f3fb" <= before <= "\U0001f3ff" or category(before) == "So"
    return pictured and category(after) == "So"


def _signature(key: bytes, guest_id: str) -> str:
    return hmac.new(key, guest_id.encode(), hashlib.sha256).hexdigest()


def new_key() -> str:
    """A new key for signing cookies, in hexadecimal."""
    return secrets.token_hex(32)
