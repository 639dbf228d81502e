"""The interface of an engine that provides bots: its levels, and a player for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from barpoint.error import FormatError
from barpoint.game import Event
from barpoint.language import _
from barpoint.match import Match
from barpoint.rules import Rules
from barpoint.server.domain.titles import variant_title

OURS: Final = "Barpoint"
"""The name of our own engine."""


NEWCOMER_PR: Final = 30.0
"""PR of the strongest level that a newcomer meets unless they choose another: players of a few weeks lose as much.
The lines of such levels do not name it."""


class BotPlayer(Protocol):
    """A bot: chooses the event of the player who must act."""

    def event(self, match: Match, player: int, /) -> Event | None:
        """The player's next event; a roll without faces. None if they have nothing to do."""
        ...


@dataclass(frozen=True, slots=True)
class LevelShown:
    """A level of strength, with a line about it. engine: the name of its engine. pr: performance rating, if measured.

    slow: a decision may take seconds. people: it errs as people of that PR do.
    """

    name: str
    title: str
    line: str
    engine: str = OURS
    pr: float | None = None
    slow: bool = False
    people: bool = False

    @property
    def bot(self) -> str:
        """The name of a bot of this level at the board."""
        return f"{self.engine} {self.title.replace(' player', '')}"

    @property
    def group(self) -> str:
        """Under which heading it is offered: its engine, and whether it errs as people do."""
        return _("%(engine)s, with errors like people", engine=self.engine) if self.people else self.engine


class Opponents(Protocol):
    """The available bots."""

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
        """Ends the processes of the engine."""
        ...


def starting_level(levels: tuple[LevelShown, ...], asked: str | None = None) -> LevelShown | None:
    """The level to preselect: the requested one, else the strongest that a newcomer can beat, else a middle one of ours."""
    for level in levels:
        if level.name == asked:
            return level
    own = [level for level in levels if level.engine == OURS] or list(levels)
    easy = [level for level in own if level.pr is not None and level.pr >= NEWCOMER_PR]
    return easy[-1] if easy else (own[len(own) // 2] if own else None)


def find_level(opponents: Opponents, rules: Rules, name: str | None) -> LevelShown:
    """The level of that name, or for None the strongest of our own that answers at once; FormatError lists those that
    play these rules.
    """
    offered = opponents.levels_for(rules)
    if not offered:
        raise FormatError(
            "%(variant_title)s is not played by the bot yet; invite a friend by a link instead",
            variant_title=variant_title(rules),
        )
    if not name:
        return next((level for level in reversed(offered) if level.engine == OURS and not level.slow), offered[-1])
    found = next((level for level in offered if level.name == name), None)
    if found is None:
        raise FormatError(
            "level: %(name)r; allowed: %(allowed)s",
            name=name[:24],
            allowed=", ".join(level.name for level in offered),
        )
    return found
