"""The engine's answers: plays, cube actions and rerolls with their equities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, Protocol, TypeVar

from barpoint.board import Position
from barpoint.chances import Chances, Margins
from barpoint.engine.decision_point import DecisionPoint
from barpoint.error import PositionError
from barpoint.moves import Play
from barpoint.rules import Rules, Scoring

OutcomeProbabilities = Chances | Margins
"""The outcome of a game: Margins where the rules score by the checker."""

Outcome_co = TypeVar("Outcome_co", bound=OutcomeProbabilities, covariant=True)


def outcome_maker(kind: Any, scoring: Scoring) -> Callable[..., Any]:
    """Makes outcomes of this kind, Chances or Margins, from their numbers; chances know what gammons pay."""
    return kind if kind is Margins else partial(Chances, payments=(scoring.gammon, scoring.backgammon))


Caller = Literal["us", "them"]
"""The side that considers a reroll: the roller, or the other side."""


@dataclass(frozen=True, slots=True)
class RankedPlay(Generic[Outcome_co]):
    """A play with its equity for the mover.

    equity: a single win at the present cube is +1; without cube and score, points a game. loss: against the best play.
    mwc: match winning chance, None for money. deep: searched to the full depth; otherwise the play was worse by a search of
    fewer plies, and has at most the equity of the worst of those. plies: how deep it was searched; None where another program
    ranked the plays. error: the standard error of the equity of a play that was rolled out; None for one that was searched.
    """

    play: Play
    equity: float
    loss: float
    chances: Outcome_co
    mwc: float | None = None
    deep: bool = True
    plies: int | None = None
    error: float | None = None


@dataclass(frozen=True, slots=True)
class CubeDecision(Generic[Outcome_co]):
    """The equities of the cube actions for the player to act, before the roll.

    Equities as in RankedPlay; mwc: the same three as match winning chances, None for money.
    action: "no double", "double/take", "double/pass", "too good", or "double/beaver".
    take, double, cash, too_good: the market window, as winning probabilities: from `take` the player to act may take,
    from
        `double` should double, from `cash` the other side passes, from `too_good` playing on is better; gammon rates as
        now.
    """

    no_double: float
    double_take: float
    double_pass: float
    action: str
    chances: Outcome_co
    take: float
    double: float
    cash: float
    too_good: float
    mwc: tuple[float, float, float] | None = None
    plies: int | None = None
    errors: tuple[float, float] | None = None

    @property
    def doubles(self) -> bool:
        """Doubling is right."""
        return self.action in ("double/take", "double/pass", "double/beaver")


@dataclass(frozen=True, slots=True)
class RerollDecision:
    """The caller's equity when the roll stands and when it is rerolled."""

    keep: float
    call: float

    @property
    def action(self) -> Literal["keep", "call"]:
        """The better choice; a tie keeps the token."""
        return "call" if self.call > self.keep else "keep"


class Evaluator(Protocol):
    """Evaluates decisions for a Bot: our Engine, or another program's. Each method matches that of `Engine`."""

    rules: Rules

    def rank(
        self, position: DecisionPoint, /, *, limit: int | None = None
    ) -> tuple[RankedPlay[OutcomeProbabilities], ...]:
        """Plays, best first."""
        ...

    def cube(self, position: DecisionPoint, /) -> CubeDecision[OutcomeProbabilities]:
        """The equities of doubling and not doubling."""
        ...

    def equity(self, position: DecisionPoint, /) -> float:
        """The equity before the roll."""
        ...

    def reroll(self, position: DecisionPoint, /, *, caller: Caller, played: Position | None = None) -> RerollDecision:
        """Whether to reroll."""
        ...


def equity_of(ranked: Sequence[RankedPlay[OutcomeProbabilities]], played: Position) -> float:
    """The equity of the play that leads to a position; PositionError if none does."""
    for item in ranked:
        if item.play.result == played:
            return item.equity
    raise PositionError("the roll cannot lead to the position after the play")
