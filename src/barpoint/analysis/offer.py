"""What the answers to a double, beaver or raccoon are worth to the side that decides."""

from __future__ import annotations

from dataclasses import dataclass, replace

from barpoint.engine import CubeDecision, CubeInfo, CubeState, DecisionPoint, Engine, OutcomeProbabilities


@dataclass(frozen=True, slots=True)
class OfferAnswer:
    """An answer with its equity for the side that gives it: a plain win at the cube before the double is +1.

    text: "Take", "Pass", "Beaver" or "Raccoon". error: the standard error of what was rolled out; None for a search.
    """

    text: str
    equity: float
    error: float | None = None


@dataclass(frozen=True, slots=True)
class OfferJudged:
    """The answers to an offer, in the order take, pass, raise. decision: on the double itself; None after a beaver."""

    answers: tuple[OfferAnswer, ...]
    decision: CubeDecision[OutcomeProbabilities] | None

    @property
    def best(self) -> OfferAnswer:
        """The right one; of equal ones the first."""
        return max(self.answers, key=lambda one: one.equity)


def judge_offer(
    engine: Engine[OutcomeProbabilities], point: DecisionPoint, *, raises: int, may_raise: bool
) -> OfferJudged:
    """The answers to an offer.

    point: before the double, seen by the player who doubled. raises: beavers and raccoons since. may_raise: the side that
    decides may beaver or, where it doubled itself, raccoon.
    """
    found = None if raises else engine.cube(point)
    factor = 2 << raises
    sign = 1 if raises % 2 else -1  # the doubler answers a beaver, the other side a double and a raccoon
    # A doubler counts on the beaver where beavers are allowed: then the plain take needs a search of its own.
    plain = None if may_raise else found
    take = plain.double_take if plain else _held(engine, point, factor)
    error = plain.errors[1] if plain and plain.errors else None
    lost = -factor / 2 if found is None else -found.double_pass
    answers = [OfferAnswer("Take", sign * take, error), OfferAnswer("Pass", lost)]
    if may_raise:
        answers.append(OfferAnswer("Raccoon" if raises % 2 else "Beaver", sign * _held(engine, point, 2 * factor)))
    return OfferJudged(tuple(answers), found)


def _held(engine: Engine[OutcomeProbabilities], point: DecisionPoint, factor: int) -> float:
    """The doubler's equity, normalised to the cube before the double, when the game goes on with so many times that cube."""
    info = point.cube_info
    after = CubeInfo(CubeState(factor * info.cube_value, "them"), info.score, may_double=False)
    return info.to_equity(after.to_value(engine.equity(replace(point, cube_info=after))))
