"""bgsage (Open Sage) as a bot, in a process of its own, if the optional package is installed."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from barpoint.board import BAR, Position
from barpoint.chances import Chances
from barpoint.engine import CubeDecision, DecisionPoint, Level, RankedPlay
from barpoint.engine.cube_info import cube_action
from barpoint.language import N_
from barpoint.moves import legal_plays
from barpoint.rules import Rules
from barpoint.server.bots.external import MAX_ASKED_CUBE, UNKNOWN, ExternalJudge, ExternalOpponents
from barpoint.server.child_process import EngineProcess, EngineProcessFailed
from barpoint.variants import variant

PATIENCE_S: Final = 120.0
"""Time limit for an answer in seconds; the first one includes loading the nets."""

LEVELS: Final = (
    Level("bgsage-1", N_("Its nets alone, without lookahead."), 1, 0.0, math.nan),
    Level("bgsage-3", N_("Looks two rolls ahead: world class."), 3, 0.0, math.nan),
)
"""plies: as bgsage counts them, where the bare nets are 1 ply."""


def has_sage() -> bool:
    """Whether bgsage is installed, and not disabled by an empty BARPOINT_SAGE."""
    return os.environ.get("BARPOINT_SAGE", "yes") != "" and importlib.util.find_spec("bgsage") is not None


class Sage(ExternalOpponents):
    """The bots that bgsage offers: standard backgammon, for money and at any score."""

    program, title, known_levels = "bgsage", "bgsage", LEVELS

    def __init__(self) -> None:
        script = Path(__file__).with_name("bgsage_process.py")
        # -P keeps the script's folder out of the import path: this file is called bgsage too
        child = EngineProcess(self.program, (sys.executable, "-P", str(script)))
        super().__init__(child, (variant("backgammon"),))

    def judge(self, rules: Rules, plies: int) -> SageJudge:
        """Its judge at a search depth."""
        return SageJudge(self, rules, plies)

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer to a question; EngineProcessFailed, also if it cannot answer."""
        (said,) = self.child.ask([json.dumps(question)], lambda line: line == "", PATIENCE_S)
        try:
            answer = json.loads(said)
        except json.JSONDecodeError:
            raise EngineProcessFailed("bgsage: %(said)r is no answer", said=said[:100]) from None
        if not isinstance(answer, dict) or "error" in answer:
            raise EngineProcessFailed("bgsage: %(answer)s", answer=answer)
        return answer


class SageJudge(ExternalJudge):
    """bgsage's evaluation of plays and cubes at a search depth."""

    program = Sage.program

    def __init__(self, sage: Sage, rules: Rules, plies: int) -> None:
        super().__init__(rules, plies)
        self._sage = sage

    def rank(self, point: DecisionPoint, /, *, limit: int | None = None) -> tuple[RankedPlay[Chances], ...]:
        """The plays, best first, like `Engine.rank`; EngineProcessFailed."""
        plays = {_board(play.result): play for play in legal_plays(self.rules, point.position, point.faces)}
        if len(plays) == 1 and not (only := next(iter(plays.values()))).moves:
            return (RankedPlay(only, self.equity_after_pass(point), 0.0, UNKNOWN),)
        found: list[RankedPlay[Chances]] = []
        for board, equity, chances in self._ask(point)["plays"][:limit]:
            if tuple(board) not in plays:
                raise EngineProcessFailed("bgsage has no legal play for %(faces)s", faces=point.faces)
            loss = found[0].equity - equity if found else 0.0
            found.append(RankedPlay(plays[tuple(board)], equity, loss, Chances(*chances)))
        return tuple(found)

    def cube(self, point: DecisionPoint, /) -> CubeDecision[Chances]:
        """Its cube decision, like `Engine.cube`, but without the market window. EngineProcessFailed."""
        info = point.cube_info
        said = self._ask(replace(point, faces=()))
        stay, take, drop = said["cube"]
        action = cube_action(stay, take, drop, info, info.stakes.beavers > 0 and take < 0)
        if action != "too good" and not said["doubles"]:
            action = "no double"
        nothing = math.nan
        return CubeDecision(stay, take, drop, action, Chances(*said["chances"]), nothing, nothing, nothing, nothing)

    def equity(self, point: DecisionPoint, /) -> float:
        """The equity of the player to act with the best cube action, like `Engine.equity`; EngineProcessFailed."""
        info = point.cube_info
        stay, take, drop = self._ask(replace(point, faces=()))["cube"]
        may = info.may_double and info.cube is not None and info.cube.owner != "them"
        return max(stay, min(take, drop)) if may and not (info.score and info.score.crawford) else float(stay)

    def _ask(self, point: DecisionPoint) -> dict[str, Any]:
        info = point.cube_info
        owners = {None: "centered", "us": "player", "them": "opponent"}
        about: dict[str, Any] = {
            "cube_value": min(info.cube_value, MAX_ASKED_CUBE),
            "cube_owner": owners[info.cube.owner] if info.cube else "centered",
            "jacoby": info.stakes.jacoby,
            "beaver": info.stakes.beavers > 0,
        }
        if info.score:  # a game in which nobody may double is one without a cube
            barred = info.score.crawford or info.cube is None
            about |= {"away1": info.score.us, "away2": info.score.them, "is_crawford": barred}
        question = {"plies": self.plies, "board": _board(point.position), "dice": list(point.faces), "about": about}
        return self._sage.ask({**question, "cubeful": info.cube is not None or info.score is not None})


def _board(position: Position) -> tuple[int, ...]:
    """The position in bgsage's form: the opponent's bar, the points of the player to act, their bar."""
    us, them = position.us.points, position.them.points
    return (them[BAR], *(us[point] - them[BAR - point] for point in range(1, BAR)), us[BAR])
