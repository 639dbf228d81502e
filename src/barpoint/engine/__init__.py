"""The engine: nets, evaluation, search, cube, rerolls, rollouts, and the bot that plays with them."""

from barpoint.engine.bot import Bot
from barpoint.engine.comparison import Comparison, compare
from barpoint.engine.cube_info import CubeInfo, CubeState, Score
from barpoint.engine.decision import CubeDecision, Evaluator, OutcomeProbabilities, RankedPlay, RerollDecision
from barpoint.engine.decision_point import DecisionPoint, PositionLike
from barpoint.engine.engine import Engine
from barpoint.engine.level import Level, levels
from barpoint.engine.net import covers, use_net
from barpoint.engine.playout import RolloutSettings
from barpoint.engine.rollout import Estimate, RolledCube, RolledPlay, Rollout
from barpoint.engine.rollout_run import RolloutProgress

__all__ = [
    "Bot",
    "Comparison",
    "CubeDecision",
    "CubeInfo",
    "CubeState",
    "DecisionPoint",
    "Engine",
    "Estimate",
    "Evaluator",
    "Level",
    "OutcomeProbabilities",
    "PositionLike",
    "RankedPlay",
    "RerollDecision",
    "RolledCube",
    "RolledPlay",
    "Rollout",
    "RolloutProgress",
    "RolloutSettings",
    "Score",
    "compare",
    "covers",
    "levels",
    "use_net",
]
