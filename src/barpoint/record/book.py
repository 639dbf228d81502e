"""A match together with what a file says about it beyond its events."""

from __future__ import annotations

from dataclasses import dataclass, field

from barpoint.match import Match


@dataclass(frozen=True, slots=True)
class Book:
    """A match as a file keeps it.

    players: names of player 0 and player 1. facts: what else the file says, such as Event, Site, EventDate.
    """

    match: Match
    players: tuple[str, str] = ("Player 1", "Player 2")
    facts: dict[str, str] = field(default_factory=dict)
