"""The engine: nets, evaluation, search, cube, markers, and the bot that plays with them."""

from barpoint.engine.bot import Bot
from barpoint.engine.decision import CubeDecision, RankedPlay, RolloverDecision
from barpoint.engine.engine import Engine
from barpoint.engine.level import Level, levels
from barpoint.engine.net import covers
from barpoint.engine.playout import RolloutSettings
from barpoint.engine.rollout import Estimate, RolledCube, RolledPlay, Rollout
from barpoint.engine.rollout_run import RolloutProgress
from barpoint.engine.stake import CubeState, Score, Stake

__all__ = [
    "Bot",
    "CubeDecision",
    "CubeState",
    "Engine",
    "Estimate",
    "Level",
    "RankedPlay",
    "RolledCube",
    "RolledPlay",
    "Rollout",
    "RolloutProgress",
    "RolloutSettings",
    "RolloverDecision",
    "Score",
    "Stake",
    "covers",
    "levels",
]
