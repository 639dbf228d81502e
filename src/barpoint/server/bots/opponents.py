"""What the server asks of an engine whose bots can be seated: levels to choose from, and a player for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from barpoint.error import FormatError
from barpoint.game import Event
from barpoint.match import Match
from barpoint.rules import Rules
from barpoint.server.domain.titles import variant_title

OURS: Final = "Barpoint"
"""The engine of this package."""


class BotPlayer(Protocol):
    """A bot: chooses the event of a player who must act."""

    def event(self, match: Match, player: int, /) -> Event | None:
        """What the player does now; a roll without faces. None where nothing waits for him."""
        ...


@dataclass(frozen=True, slots=True)
class LevelShown:
    """A strength to choose from, with one line about it. engine: whose it is."""

    name: str
    title: str
    line: str
    engine: str = OURS

    @property
    def bot(self) -> str:
        """What a bot of this strength is called at the board."""
        return f"{self.engine} {self.title}"


class Opponents(Protocol):
    """Which bots there are."""

    @property
    def levels(self) -> tuple[LevelShown, ...]:
        """Strengths to choose from, weakest first."""
        ...

    def covers(self, rules: Rules) -> bool:
        """Whether a bot plays these rules."""
        ...

    def levels_for(self, rules: Rules) -> tuple[LevelShown, ...]:
        """The strengths to choose from under these rules."""
        ...

    def player(self, rules: Rules, level: str) -> BotPlayer:
        """The bot of a level for these rules; UnsupportedRules."""
        ...

    def close(self) -> None:
        """Ends what runs beside the server."""
        ...


def find_level(opponents: Opponents, rules: Rules, name: str | None) -> LevelShown:
    """The level of that name, the strongest of our own for None; FormatError says which play these rules."""
    offered = opponents.levels_for(rules)
    if not offered:
        raise FormatError(f"{variant_title(rules)} is not played by the bot yet; invite a friend by a link instead")
    if not name:
        return next((level for level in reversed(offered) if level.engine == OURS), offered[-1])
    found = next((level for level in offered if level.name == name), None)
    if found is None:
        raise FormatError(f"level: {name[:24]!r}; allowed: {', '.join(level.name for level in offered)}")
    return found
