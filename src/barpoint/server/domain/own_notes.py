"""Own notes: what a person keeps of a match or of a decision in it, for themselves: a star, tags and a comment. Their limits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from barpoint.error import BarpointError, IllegalEvent

MAX_NOTES: Final = 5000
"""Matches and decisions of which a person keeps something."""

MAX_TAGS: Final = 10
MAX_TAG: Final = 32


class NotesFull(BarpointError):
    """A person keeps as many notes as there is room for."""


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags without needless spaces, each once, empty ones left out; IllegalEvent where they are too many or too long."""
    found: dict[str, str] = {}
    for tag in tags:
        clean = " ".join("".join(letter if letter.isprintable() else " " for letter in tag).split())
        if clean:
            found.setdefault(clean.casefold(), clean)
    if len(found) > MAX_TAGS or any(len(tag) > MAX_TAG or "," in tag for tag in found.values()):
        raise IllegalEvent(
            "these tags are too many or too long; allowed: %(count)s of them, each up to %(most)s characters without a comma",
            count=MAX_TAGS,
            most=MAX_TAG,
        )
    return tuple(found.values())
