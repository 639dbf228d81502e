"""A decision of a match rolled out: the choices that could be right beside the one that was made, on the same dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from barpoint.analysis.findings import RolloutDepth
from barpoint.analysis.offer import OfferAnswer, OfferJudged
from barpoint.analysis.position_rollout import CANDIDATES, LEAST, NEAR
from barpoint.engine import CubeDecision, DecisionPoint, Engine, OutcomeProbabilities, RankedPlay
from barpoint.engine.deepest import DEEPEST, as_rolled
from barpoint.engine.rollout_plan import RolloutOptions
from barpoint.moves import outcome


@dataclass(frozen=True, slots=True)
class DecisionRollouts:
    """How decisions are rolled out. goes_on: asked again and again; False ends a rollout with the games played so far."""

    depth: RolloutDepth
    goes_on: Callable[[], bool] = lambda: True

    def options(self, engine: Engine[OutcomeProbabilities]) -> RolloutOptions:
        """Games until every error is small or so many are played; a choice that is clearly behind goes on, since what it loses is to be known."""
        depth = self.depth
        return RolloutOptions(
            trials=depth.games,
            plies=depth.plies,
            cube_plies=depth.cube_plies,
            truncate=depth.truncate,
            minimum=min(DEEPEST.minimum, depth.games),
            stop_error=DEEPEST.stop_error,
            threads=engine.threads,
            progress=lambda _said: self.goes_on(),
        )


@dataclass(frozen=True, slots=True)
class RolledPlays:
    """Plays of a roll, best first, with the one that was made. games: of the best one; 0 where nothing had to be rolled out."""

    ranked: tuple[RankedPlay[OutcomeProbabilities], ...]
    made: RankedPlay[OutcomeProbabilities]
    games: int = 0


def rolled_plays(
    engine: Engine[OutcomeProbabilities],
    point: DecisionPoint,
    ranked: Sequence[RankedPlay[OutcomeProbabilities]],
    made: RankedPlay[OutcomeProbabilities],
    how: DecisionRollouts,
) -> RolledPlays:
    """The plays after a rollout of the best ones and the one that was made.

    Losses are those on the same dice, and none is smaller than that of a play before it. Plays that were not rolled out are shifted by
    the mean change of the others. ranked: by a search, best first.
    """
    chosen = [one for at, one in enumerate(ranked[:CANDIDATES]) if at < LEAST or one.loss <= NEAR or one is made]
    if made not in chosen:
        chosen.append(made)
    if len(chosen) < 2 or any(outcome(engine.rules, one.play.next) is not None for one in chosen):
        return RolledPlays(tuple(ranked), made)
    rolled = engine.rollout_plays(point, candidates=[one.play for one in chosen], **how.options(engine))
    best, loss, found = rolled[0].rollout, 0.0, []
    info = point.cube_info.under(engine.met)
    before = {one.play: one for one in chosen}
    for each in rolled:
        loss = max(loss, each.loss.mean)
        equity = best.equity.mean - loss
        found.append(
            replace(
                before[each.play],
                equity=equity,
                loss=loss,
                chances=each.rollout.chances,
                mwc=info.to_value(equity) if info.score else None,
                error=each.loss.error or best.equity.error,
                cubeful=each.rollout.cubeful,
            )
        )
    shift = sum(one.equity - before[one.play].equity for one in found) / len(found)
    least = found[-1].equity
    for one in ranked:
        if one.play not in before:
            equity = min(least, one.equity + shift)
            mwc = info.to_value(equity) if info.score else None
            found.append(replace(one, equity=equity, loss=best.equity.mean - equity, mwc=mwc))
    return RolledPlays(tuple(found), next(one for one in found if one.play == made.play), best.trials)


def rolled_cube(
    engine: Engine[OutcomeProbabilities],
    point: DecisionPoint,
    found: CubeDecision[OutcomeProbabilities],
    how: DecisionRollouts,
) -> tuple[CubeDecision[OutcomeProbabilities], int]:
    """The cube decision after a rollout, and its games; as it was, and 0, where nobody may double. found: by a search."""
    if found.reason is not None:
        return found, 0
    info = point.cube_info.under(engine.met)
    bare = DecisionPoint(point.position, info, point.tokens)
    rolled = engine.rollout_cube(bare, **how.options(engine))
    return as_rolled(found, rolled, info), rolled.no_double.trials


def rolled_offer(
    engine: Engine[OutcomeProbabilities], point: DecisionPoint, judged: OfferJudged, how: DecisionRollouts
) -> tuple[OfferJudged, int]:
    """The answers to a double after a rollout, and its games; as they were, and 0, for an answer to a beaver.

    A beaver is taken to win or lose twice what a take does, as rollouts of the cube have it.
    """
    if judged.decision is None:
        return judged, 0
    decision, games = rolled_cube(engine, point, judged.decision, how)
    if not games:
        return judged, 0
    beavered = point.cube_info.answered(-1.0)[1] and decision.double_take < 0
    take = decision.double_take / 2 if beavered else decision.double_take
    error = (decision.errors[1] if decision.errors else 0.0) / (2 if beavered else 1)
    equities = {"Take": take, "Pass": decision.double_pass, "Beaver": 2 * take}
    errors = {"Take": error, "Pass": None, "Beaver": 2 * error}
    answers = (OfferAnswer(one.text, -equities[one.text], errors[one.text]) for one in judged.answers)
    return OfferJudged(tuple(answers), decision), games
