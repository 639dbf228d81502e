"""Names that the server gives: to its bots, and to a friend for whom a seat is kept. Everybody reads them in their language."""

from __future__ import annotations

import re
from typing import Final

from barpoint.language import N_, _

A_FRIEND: Final = N_("A friend")
"""Who holds a seat that is kept for whoever has the link."""

BOTS: Final = (
    N_("Barpoint Beginner"),
    N_("Barpoint Novice"),
    N_("Barpoint Casual"),
    N_("Barpoint Club"),
    N_("Barpoint Tournament"),
    N_("Barpoint Expert"),
    N_("Barpoint World class"),
    N_("Barpoint Strongest"),
)
"""The bots of our levels, as `LevelShown.bot` calls them; those of other engines are called the same everywhere."""

PLAYERS: Final = (N_("Player 1"), N_("Player 2"))
"""Players at a real board who have given no names."""

GIVEN: Final = frozenset((A_FRIEND, *BOTS, *PLAYERS))

NUMBERED: Final = re.compile(r"(.+) (\d+) \((.+)\)")


def bot_name(engine: str, number: int, level: str) -> str:
    """The name of one of several bots, as it is stored; engine: "Bot" for our own."""
    return f"{engine} {number} ({level})"


def shown_name(name: str, *, person: bool) -> str:
    """A name in the language that holds now. person: it belongs to a person, and is the same in every language."""
    if person:
        return name
    if found := NUMBERED.fullmatch(name):
        return bot_name(found[1], int(found[2]), _(found[3]))
    return _(name) if name in GIVEN else name
