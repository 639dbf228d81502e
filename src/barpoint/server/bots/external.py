"""What the bots of other programs have in common: levels of some games, played by a process that is asked."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Final

from barpoint.board import Position
from barpoint.chances import Chances
from barpoint.engine import Bot, CubeDecision, DecisionPoint, Level, RankedPlay, RerollDecision
from barpoint.engine.decision import Caller
from barpoint.error import UnsupportedRules
from barpoint.language import _
from barpoint.match import Met
from barpoint.rules import Rules
from barpoint.server.bots.opponents import BotPlayer, LevelShown
from barpoint.server.child_process import EngineProcess

MAX_ASKED_CUBE: Final = 1024
"""A higher cube is asked as this one: for money its value changes nothing, and in a match it is dead."""

UNKNOWN: Final = Chances(math.nan, math.nan, math.nan, math.nan, math.nan)


class ExternalJudge(ABC):
    """A program's evaluation of plays and cubes at a search depth, under rules that it knows. program: its name in errors."""

    program: str

    def __init__(self, rules: Rules, plies: int) -> None:
        self.rules, self.plies = rules, plies
        self.met: Met | None = None

    @abstractmethod
    def rank(self, point: DecisionPoint, /, *, limit: int | None = None) -> tuple[RankedPlay[Chances], ...]:
        """The plays that it considers, best first, like `Engine.rank`; EngineProcessFailed."""

    @abstractmethod
    def cube(self, point: DecisionPoint, /) -> CubeDecision[Chances]:
        """Its cube decision, like `Engine.cube`, but without the market window. EngineProcessFailed."""

    @abstractmethod
    def equity(self, point: DecisionPoint, /) -> float:
        """The equity of the player to act with the best cube action, like `Engine.equity`; EngineProcessFailed."""

    def equity_after_pass(self, point: DecisionPoint) -> float:
        """The equity of who cannot move: that of the other side, who is to act, seen from here. EngineProcessFailed."""
        return -self.equity(DecisionPoint(point.position.flip(), point.cube_info.flip()))

    def reroll(self, point: DecisionPoint, /, *, caller: Caller, played: Position | None = None) -> RerollDecision:
        """UnsupportedRules: its games have no reroll tokens."""
        raise UnsupportedRules(
            "%(program)s plays no game with reroll tokens; %(name)s has them",
            program=self.program,
            name=self.rules.name,
        )


class ExternalOpponents(ABC):
    """The bots that another program offers, for money and at any score. program: its name in errors; title: as people know it.

    known_levels: weakest first.
    """

    program: str
    title: str
    known_levels: tuple[Level, ...]

    def __init__(self, child: EngineProcess, known: tuple[Rules, ...]) -> None:
        self.child, self._known = child, known

    @abstractmethod
    def judge(self, rules: Rules, plies: int) -> ExternalJudge:
        """Its judge at a search depth."""

    @property
    def levels(self) -> tuple[LevelShown, ...]:
        """Its levels, weakest first."""
        return tuple(
            LevelShown(level.name, f"{level.plies}-ply", _(level.about), self.title) for level in self.known_levels
        )

    def covers(self, rules: Rules) -> bool:
        """Whether it knows the game."""
        return rules in self._known

    def levels_for(self, rules: Rules) -> tuple[LevelShown, ...]:
        """Its levels, if it knows the game."""
        return self.levels if self.covers(rules) else ()

    def player(self, rules: Rules, level: str) -> BotPlayer:
        """The bot of a level; UnsupportedRules."""
        found = next((known for known in self.known_levels if known.name == level), None)
        if found is None or not self.covers(rules):
            raise UnsupportedRules(
                "%(program)s plays no %(name)s as %(level)r", program=self.program, name=rules.name, level=level
            )
        return Bot(rules, found, evaluator=self.judge(rules, found.plies))

    def close(self) -> None:
        """Ends the process."""
        self.child.close()
