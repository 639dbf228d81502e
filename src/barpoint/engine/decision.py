"""The engine's answers: plays, cube actions and rerolls with their equities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, Protocol, TypeVar

from barpoint.board import Position
from barpoint.chances import Chances, Margins
from barpoint.engine.cube_info import can_double
from barpoint.engine.decision_point import DecisionPoint
from barpoint.error import PositionError
from barpoint.language import N_, _, number, percent
from barpoint.match import Met
from barpoint.moves import Play
from barpoint.rules import Rules, Scoring

OutcomeProbabilities = Chances | Margins
"""The outcome of a game: Margins where the rules score by the checker."""

Outcome_co = TypeVar("Outcome_co", bound=OutcomeProbabilities, covariant=True)


def outcome_maker(kind: Any, scoring: Scoring) -> Callable[..., Any]:
    """Makes outcomes of this kind, Chances or Margins, from their numbers; chances know what gammons pay."""
    return kind if kind is Margins else partial(Chances, payments=scoring.payments)


Caller = Literal["us", "them"]
"""The side that considers a reroll: the roller, or the other side."""


@dataclass(frozen=True, slots=True)
class RankedPlay(Generic[Outcome_co]):
    """A play with its equity for the mover.

    equity: a single win at the present cube is +1; without cube and score, points a game. cubeful: whether it counts what both
    sides gain by the cube; False for the equity without a cube; None where another program ranked the plays. loss: against
    the best play.
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
    cubeful: bool | None = None

    def _repr_svg_(self) -> str | None:
        return self.play._repr_svg_()

    def __repr__(self) -> str:
        return f"<RankedPlay {self.play}, equity {self.equity:+.3f}, loss {self.loss:.3f}>"

    def __str__(self) -> str:
        loss = f" ({figure(-self.loss)})" if self.loss else ""
        cubeless = cubeless_note(self.cubeful)
        return f"{self.play}  {figure(self.equity, self.error)}{loss}{mwc_text(self.mwc)}{cubeless}  {self.chances}"


@dataclass(frozen=True, slots=True)
class CubeDecision(Generic[Outcome_co]):
    """The equities of the cube actions for the player to act, before the roll; for the doubler while a double waits for its answer.

    Equities as in RankedPlay; mwc: the same three as match winning chances, None for money.
    action: "no double", "double/take", "double/pass", "too good", or "double/beaver".
    take, double, cash, too_good: the market window, as winning probabilities: from `take` the player to act may take,
    from
        `double` should double, from `cash` the other side passes, from `too_good` playing on is better; gammon rates as
        now.
    reason: why the player to act may not double, such as a roll that is made already; None where they may, and where another
    program decided. The other equities and the window are then what a double would bring that nobody may make.
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
    reason: str | None = None

    def __str__(self) -> str:
        return cube_text(self, self.errors)

    @property
    def doubles(self) -> bool:
        """Doubling is right."""
        return self.action in ("double/take", "double/pass", "double/beaver")

    @property
    def takes(self) -> bool:
        """The other side is right to take a double, or to beaver it, whether or not doubling is right."""
        return self.double_take <= self.double_pass


def why_no_double(point: DecisionPoint) -> str | None:
    """Why the player to act may not double where there is a cube; None where they may."""
    info = point.cube_info
    if can_double(True, info):
        return N_("the roll is made already; a double comes before it") if point.faces else None
    if info.score is not None and info.score.crawford:
        return N_("nobody may double in the Crawford game")
    return N_("the other side owns the cube") if info.may_double else "the player to act may not double this turn"


@dataclass(frozen=True, slots=True)
class RerollDecision:
    """The caller's equity when the roll stands and when it is rerolled."""

    keep: float
    call: float

    def __str__(self) -> str:
        return f"keep {figure(self.keep)}, reroll {figure(self.call)}"

    @property
    def action(self) -> Literal["keep", "call"]:
        """The better choice; a tie keeps the token."""
        return "call" if self.call > self.keep else "keep"


class Evaluator(Protocol):
    """Evaluates decisions for a Bot: our Engine, or another program's. Each method matches that of `Engine`.

    met: the match equity table of its equities; None for the standard one.
    """

    rules: Rules
    met: Met | None

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


def cubeless_note(cubeful: bool | None) -> str:
    """What stands behind an equity without a cube; nothing behind others."""
    return " " + _("without cube") if cubeful is False else ""


class _CubeEquities(Protocol):
    """What `cube_text` tells, as `CubeDecision` has it."""

    @property
    def no_double(self) -> float: ...
    @property
    def double_take(self) -> float: ...
    @property
    def double_pass(self) -> float: ...
    @property
    def action(self) -> str: ...
    @property
    def mwc(self) -> tuple[float, float, float] | None: ...
    @property
    def reason(self) -> str | None: ...


def cube_text(found: _CubeEquities, errors: tuple[float, float] | None = None) -> str:
    """A cube decision in lines: the three equities and the right action, or why the player to act may not double."""
    mwc, (stay, take) = found.mwc or (None, None, None), errors or (None, None)
    lines = [f"no double {figure(found.no_double, stay)}{mwc_text(mwc[0])}"]
    if found.reason:
        return "\n".join([*lines, found.reason])
    lines.append(f"double/take {figure(found.double_take, take)}{mwc_text(mwc[1])}")
    lines.append(f"double/pass {figure(found.double_pass)}{mwc_text(mwc[2])}")
    return "\n".join([*lines, f"right: {found.action}"])


def figure(equity: float, error: float | None = None) -> str:
    """An equity to three places, with its standard error where it has one."""
    return number(equity, 3, sign=True) + ("" if error is None else f" ± {number(error, 3)}")


def mwc_text(share: float | None) -> str:
    """A match winning chance behind two blanks; nothing for None."""
    return "" if share is None else f"  mwc {percent(share, 2)}"


def equity_of(ranked: Sequence[RankedPlay[OutcomeProbabilities]], played: Position) -> float:
    """The equity of the play that leads to a position; PositionError if none does."""
    for item in ranked:
        if item.play.result == played:
            return item.equity
    raise PositionError("the roll cannot lead to the position after the play")
