"""Whether a reroll token should be spent on a roll."""

from __future__ import annotations

from barpoint.board import Position
from barpoint.engine.cube_info import CubeInfo
from barpoint.engine.decision import Caller, Outcome_co, RerollDecision, equity_of
from barpoint.engine.decision_point import DecisionPoint, tokens_left
from barpoint.engine.limits import MAX_PLIES
from barpoint.engine.point_evaluator import PointEvaluator
from barpoint.error import StakesError


def judged_reroll(
    points: PointEvaluator[Outcome_co], point: DecisionPoint, plies: int, caller: Caller, played: Position | None
) -> RerollDecision:
    """As `Engine.reroll`, at this depth. point: before the roll, seen by the roller."""
    rules = points.rules
    rerolls = rules.rerolls
    own, other = tokens_left(rules, point.tokens)
    right, held = (rerolls.own, own) if caller == "us" else (rerolls.other, other)
    if not right or held < 1:
        raise StakesError(
            "%(caller)s may not reroll: %(name)s, tokens %(own)s and %(other)s",
            caller=caller,
            name=rules.name,
            own=own,
            other=other,
        )
    after = equity_after_reroll(points, point, plies, caller)
    ranked = points.rank(point, plies, None)
    kept = ranked[0].equity if played is None else equity_of(ranked, played)
    if caller == "them":
        return RerollDecision(-kept, -after)
    if other and rerolls.other:  # the other side rerolls what is better for the roller than a new roll
        kept = min(kept, equity_after_reroll(points, point, plies, "them"))
    return RerollDecision(kept, after)


def equity_after_reroll(points: PointEvaluator[Outcome_co], point: DecisionPoint, plies: int, caller: Caller) -> float:
    """As `Engine.equity_after_reroll`, at this depth."""
    rules = points.rules
    own, other = tokens_left(rules, point.tokens)
    left = (own - 1, other) if caller == "us" else (own, other - 1)
    info = point.cube_info
    double = info.may_double and caller == "them" and rules.rerolls.double_after_cancel
    after = CubeInfo(info.cube, info.score, info.stakes, may_double=double)
    # One ply more than for the play that stands, so that both evaluate the same positions.
    return points.equity(DecisionPoint(point.position, after, left), min(plies + 1, MAX_PLIES))
