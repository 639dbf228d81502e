"""Who somebody is: who holds a signed cookie is the guest it names."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Final

COOKIE: Final = "barpoint_guest"
YEAR_S: Final = 365 * 24 * 3600
MAX_NAME: Final = 24


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who may sit at a board: without an account by his cookie, with one by his session.

    registered: has an account, so that the name is his alone. administrator: of this server. bot: a program plays for him.
    """

    id: str
    name: str
    registered: bool = False
    administrator: bool = False
    bot: bool = False


def new_guest() -> Guest:
    """A guest nobody has met yet."""
    return Guest(secrets.token_urlsafe(12), f"Guest {secrets.randbelow(9000) + 1000}")


def sign(key: bytes, guest_id: str) -> str:
    """The cookie that proves to be this guest."""
    return f"{guest_id}.{_signature(key, guest_id)}"


def read(key: bytes, cookie: str | None) -> str | None:
    """The guest a cookie names; None when it is missing or was not signed with this key."""
    guest_id, dot, signature = (cookie or "").rpartition(".")
    if not dot or not signature.isascii() or not hmac.compare_digest(signature, _signature(key, guest_id)):
        return None
    return guest_id


def clean_name(text: str) -> str | None:
    """A name as it may be shown, or None when nothing of it is left: one line, no control characters, at most 24."""
    printable = "".join(character for character in text if character.isprintable())
    return re.sub(r"\s+", " ", printable).strip()[:MAX_NAME].strip() or None


def _signature(key: bytes, guest_id: str) -> str:
    return hmac.new(key, guest_id.encode(), hashlib.sha256).hexdigest()


def new_key() -> str:
    """A key that signs cookies, in hexadecimal."""
    return secrets.token_hex(32)
