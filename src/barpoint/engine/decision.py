"""What an engine answers: plays, cube actions and calls with what they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from barpoint.board import Position
from barpoint.chances import Chances, Margins
from barpoint.engine.stake import Stake
from barpoint.moves import Play
from barpoint.rules import Rules

Figures = Chances | Margins
Tokens = tuple[int, int]
"""Markers left of the player to act and of the other side."""


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """A play and what it is worth to the mover.

    equity: a plain win at the present cube is +1; without cube and score points a game. loss: against the best play.
    mwc: chance to win the match, None for money. deep: looked at all plies ahead; else seen with the net alone, worse there.
    """

    play: Play
    equity: float
    loss: float
    chances: Figures
    mwc: float | None = None
    deep: bool = True


@dataclass(frozen=True, slots=True)
class CubeDecision:
    """What the cube actions are worth to the player to act, before he rolls.

    Equities as in RankedPlay; mwc: the same three as chances to win the match, None for money.
    action: "no double", "double/take", "double/pass", "too good", or "double/beaver".
    take, double, cash, too_good: chances to win from which the player to act may take, should double, cashes, and
        is too good to double, gammon rates staying as they are.
    """

    no_double: float
    double_take: float
    double_pass: float
    action: str
    chances: Figures
    take: float
    double: float
    cash: float
    too_good: float
    mwc: tuple[float, float, float] | None = None

    @property
    def doubles(self) -> bool:
        """Doubling is right."""
        return self.action in ("double/take", "double/pass", "double/beaver")


@dataclass(frozen=True, slots=True)
class RolloverDecision:
    """What letting a roll stand and annulling it are worth to the one who may call."""

    keep: float
    call: float

    @property
    def action(self) -> Literal["keep", "call"]:
        """The better one; a marker is not spent for nothing."""
        return "call" if self.call > self.keep else "keep"


class Judge(Protocol):
    """Who says what plays and cubes are worth; each as the method of `Engine` of that name."""

    rules: Rules

    def rank_for(
        self,
        position: Position,
        faces: Sequence[int],
        stake: Stake,
        tokens: Tokens | None = None,
        most: int | None = None,
    ) -> tuple[RankedPlay, ...]:
        """Plays, best first."""
        ...

    def cube_for(self, position: Position, stake: Stake, tokens: Tokens | None = None) -> CubeDecision:
        """What doubling is worth."""
        ...

    def stand(self, position: Position, stake: Stake, tokens: Tokens | None = None, plies: int | None = None) -> float:
        """The equity before the roll."""
        ...

    def rollover_for(
        self,
        position: Position,
        faces: Sequence[int],
        stake: Stake,
        tokens: Tokens,
        caller: Literal["us", "them"],
        played: Position | None = None,
    ) -> RolloverDecision:
        """Whether to annul a roll."""
        ...
