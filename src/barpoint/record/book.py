"""A match together with what a file says about it beyond its events."""

from __future__ import annotations

from dataclasses import dataclass, field

from barpoint.match import Match
from barpoint.record.oddity import Oddity


@dataclass(frozen=True, slots=True)
class Book:
    """A match as a file keeps it.

    players: names of player 0 and player 1. facts: what else the file says, such as Event, Site, EventDate.
    oddities: what does not follow the rules or the format, and how it was read.
    """

    match: Match
    players: tuple[str, str] = ("Player 1", "Player 2")
    facts: dict[str, str] = field(default_factory=dict)
    oddities: tuple[Oddity, ...] = ()
