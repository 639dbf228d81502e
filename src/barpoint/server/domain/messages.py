"""Messages from one person with an account to another, outside of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from barpoint.server.domain.guests import Guest

MAX_UNREAD: Final = 20
"""Messages of one person that another has not read yet; further ones are refused."""

MAX_KEPT: Final = 1000
"""Messages that two people keep; older ones are forgotten."""


def messages_path(name: str) -> str:
    """The page of the messages between its reader and somebody with this name."""
    return f"/messages/{quote(name)}"


@dataclass(frozen=True, slots=True)
class Message:
    """A message. by: the id of its author. at, read_at: ms since 1970; read_at is None until the other has read it."""

    id: int
    by: str
    text: str
    at: int
    read_at: int | None


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages between somebody and another person. last: the latest one. unread: how many of the other's are."""

    other: Guest
    last: Message
    unread: int
