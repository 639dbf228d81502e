"""A match together with what a file says about it beyond its events."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from barpoint.error import ArgumentError, FormatError, check_kind
from barpoint.game.payment import in_digits
from barpoint.match import Match
from barpoint.record.annotation import Annotations
from barpoint.record.oddity import Oddity
from barpoint.record.position_id import format_position
from barpoint.record.xgid import format_xgid

DEFAULT_NAMES: Final = ("Player 1", "Player 2")
"""Names of players whom a file does not name."""


@dataclass(frozen=True, slots=True, repr=False)
class Book:
    """A match as a file keeps it; compared by its contents. ArgumentError for other than two names.

    players: names of player 0 and player 1. facts: what else the file says, such as Event, Site, EventDate.
    oddities: what does not follow the rules or the format, and how it was read. annotations: comments and what another
    program found, by the number of the event, from 1, as `Decision.event` counts them. program: which one wrote the file.
    """

    match: Match
    players: tuple[str, str] = DEFAULT_NAMES
    facts: dict[str, str] = field(default_factory=dict)
    oddities: tuple[Oddity, ...] = ()
    annotations: Annotations = field(default_factory=dict)
    program: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_kind("players", self.players, tuple, list)
        if len(self.players) != 2 or not all(isinstance(name, str) for name in self.players):
            raise ArgumentError("players are %(players)s; two names are needed", players=repr(self.players))

    def __hash__(self) -> int:
        return hash((self.match, self.players))  # what the other fields hold has no hash

    def __repr__(self) -> str:
        match, (first, second) = self.match, self.players
        game = "" if match.rules.name == "backgammon" else f"{match.rules.name}, "
        length = f"{match.length} points" if match.length else "money"
        score = "-".join(map(in_digits, match.score))
        games = len(match.finished) + (not match.game.over)
        return f"<Book {first!r} - {second!r}, {game}{length}, score {score}, {games} game{'' if games == 1 else 's'}>"

    @property
    def played_on(self) -> str:
        """The day on which it was played, such as 2026-05-03, where the file says it; otherwise ""."""
        found = re.match(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?!\d)", self.facts.get("EventDate", ""))
        try:
            return date(*map(int, found.groups())).isoformat() if found else ""
        except ValueError:
            return ""

    @property
    def begins_at(self) -> str:
        """The ID of the set-up position in which the match begins; "" for one that begins with an opening roll."""
        if self.match.terms.begins(0) is None:
            return ""
        begun = Match.start(rules=self.match.rules, terms=self.match.terms)
        try:
            return format_xgid(begun)
        except FormatError:  # a variant that XGIDs have no place for
            return format_position(begun.game.position)
