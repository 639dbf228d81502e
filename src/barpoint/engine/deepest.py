"""The deepest level: plays and cube actions that a search finds close are rolled out on common dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from barpoint.board import Position
from barpoint.engine.cube_info import CubeInfo
from barpoint.engine.decision import CubeDecision, Outcome_co, RankedPlay
from barpoint.engine.playout import RolloutSettings
from barpoint.engine.rollout import RolledCube
from barpoint.engine.rollout_plan import RolloutPlan
from barpoint.moves import outcome

SEARCH_PLIES: Final = 2
"""Depth of the search that selects what is rolled out."""

DEEPEST: Final = RolloutSettings(trials=432, truncate=5, minimum=144, stop_error=0.0025, stop_clear=2.5)
"""How games are rolled out: docs/engine.md has what this costs and gains."""

CLOSE: Final = 0.03
"""Plays that lose at most this by the search are rolled out, cube actions that differ by at most this."""

MAX_CANDIDATES: Final = 4
"""Maximum plays that are rolled out, which bounds the time of one decision."""


def roll_out_plays(
    plan: RolloutPlan[Outcome_co], ranked: Sequence[RankedPlay[Outcome_co]]
) -> tuple[RankedPlay[Outcome_co], ...]:
    """Ranked plays with the close ones rolled out, best first; as they came if only one is close or the game ends.

    A play that a stop rule dropped, or that was not rolled out, is not ranked above one that was compared longer. Plays
    that were not rolled out are shifted by the mean change of those that were, so that losses compare like with like.
    """
    close = [item for item in ranked[:MAX_CANDIDATES] if item.deep and item.loss <= CLOSE]
    if len(close) < 2 or any(outcome(plan.rules, item.play.next) is not None for item in close):
        return tuple(ranked)
    info = plan.cube_info
    rolled = plan.plays([item.play for item in close])
    best = least = rolled[0].rollout.equity.mean
    found = []
    for each in rolled:
        least = min(least, each.rollout.equity.mean)
        found.append(
            RankedPlay(
                each.play,
                least,
                best - least,
                each.rollout.chances,
                info.to_value(least) if info.score else None,
                plies=ranked[0].plies,
                error=each.rollout.equity.error,
                cubeful=each.rollout.cubeful,
            )
        )
    searched = {item.play.result: item.equity for item in close}
    shift = sum(each.rollout.equity.mean - searched[each.play.result] for each in rolled) / len(rolled)
    for item in ranked[len(close) :]:
        equity = min(least, item.equity + shift)
        mwc = info.to_value(equity) if info.score else None
        found.append(replace(item, equity=equity, loss=best - equity, mwc=mwc))
    return tuple(found)


def roll_out_cube(
    plan: RolloutPlan[Outcome_co], position: Position, found: CubeDecision[Outcome_co]
) -> CubeDecision[Outcome_co]:
    """A cube decision with no double and double/take rolled out, if either side's choice is close; else as it came."""
    info = plan.cube_info
    doubled = min(found.double_take, found.double_pass)
    close = min(abs(found.no_double - doubled), abs(found.double_take - found.double_pass)) <= CLOSE
    if not close or found.reason is not None:
        return found
    return as_rolled(found, plan.cube(position), info)


def as_rolled(
    found: CubeDecision[Outcome_co], rolled: RolledCube[Outcome_co], info: CubeInfo
) -> CubeDecision[Outcome_co]:
    """The decision with the equities and errors of a rollout."""
    stay, take = rolled.no_double.equity, rolled.double_take.equity
    return replace(
        found,
        no_double=stay.mean,
        double_take=take.mean,
        double_pass=rolled.double_pass,
        action=rolled.action,
        chances=rolled.no_double.chances,
        mwc=_mwc(info, stay.mean, take.mean, rolled.double_pass),
        errors=(stay.error, take.error),
    )


def _mwc(info: CubeInfo, stay: float, take: float, drop: float) -> tuple[float, float, float] | None:
    return (info.to_value(stay), info.to_value(take), info.to_value(drop)) if info.score else None
