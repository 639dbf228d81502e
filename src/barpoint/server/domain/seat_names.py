"""Names that the server gives: to its bots, to guests, and to a friend for whom a seat is kept. Everybody reads them in their
language.
"""

from __future__ import annotations

import re
from typing import Final

from barpoint.language import N_, _

A_FRIEND: Final = N_("A friend")
"""Who holds a seat that is kept for whoever has the link."""

BOTS: Final = (
    N_("Barpoint Beginner"),
    N_("Barpoint Novice"),
    N_("Barpoint Beginner, PR 20"),
    N_("Barpoint Casual"),
    N_("Barpoint Casual, PR 15"),
    N_("Barpoint Regular, PR 11"),
    N_("Barpoint Club"),
    N_("Barpoint Club, PR 8"),
    N_("Barpoint Tournament, PR 6"),
    N_("Barpoint Tournament"),
    N_("Barpoint Expert, PR 4"),
    N_("Barpoint Expert"),
    N_("Barpoint World class"),
    N_("Barpoint Grandmaster"),
    N_("Barpoint Strongest"),
)
"""The bots of our levels, as `LevelShown.bot` calls them; those of other engines are called the same everywhere."""

PLAYERS: Final = (N_("Player 1"), N_("Player 2"))
"""Players at a real board who have given no names."""

FORMER: Final = N_("Former player")
"""A person who has deleted their account."""

GIVEN: Final = frozenset((A_FRIEND, *BOTS, *PLAYERS))

NUMBERED: Final = re.compile(r"(.+) (\d+) \((.+)\)")
GUEST: Final = re.compile(r"Guest (\d{4})")
"""Guests who have given no name, as `new_guest` calls them."""

ENGINES: Final = {"Barpoint": "Bot", "GNU Backgammon": "gnubg"}
"""What bots are called by where there is little room, and before it the name of their engine."""


def bot_name(engine: str, number: int, level: str) -> str:
    """The name of one of several bots, as it is stored; engine: "Bot" for our own."""
    return f"{engine} {number} ({level})"


def person_name(name: str) -> str:
    """The name of a person as it is shown: as they gave it, or in the language that holds now for those who have none."""
    if found := GUEST.fullmatch(name):
        return _("Guest %(number)s", number=found[1])
    return _(FORMER) if name == FORMER else name


def shown_name(name: str, *, person: bool) -> str:
    """A name in the language that holds now. person: it belongs to a person."""
    if person or GUEST.fullmatch(name):
        return person_name(name)
    if found := NUMBERED.fullmatch(name):
        return bot_name(found[1], int(found[2]), _(found[3]))
    return _(name) if name in GIVEN else name


def numbered_name(shown: str) -> str:
    """The shown name of one of several bots without its level: "Bot 2" for "Bot 2 (Beginner)"."""
    found = NUMBERED.fullmatch(shown)
    return f"{found[1]} {found[2]}" if found else shown


def short_name(shown: str) -> str:
    """A shown name for where there is little room: "Bot Beginner" for "Barpoint Beginner", "Bot PR 8" for "... Club, PR 8"."""
    for engine, short in ENGINES.items():
        if shown.startswith(f"{engine} "):
            level, _comma, rating = shown.removeprefix(f"{engine} ").partition(", ")
            return f"{short} {rating or level}"
    return shown


def level_name(name: str) -> str:
    """A stored name of a bot where a mark says that it is one: "Beginner" for "Barpoint Beginner", "gnubg Expert"."""
    return short_name(shown_name(name, person=False)).removeprefix(f"{ENGINES['Barpoint']} ")
