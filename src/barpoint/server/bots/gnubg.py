"""GNU Backgammon as a bot: a process of its own, driven through its command line; this program includes none of it."""

from __future__ import annotations

import itertools
import math
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from barpoint.chances import Chances
from barpoint.engine import CubeDecision, CubeInfo, DecisionPoint, Level, RankedPlay
from barpoint.engine.cube_info import cube_action
from barpoint.language import N_
from barpoint.match.situation import Situation
from barpoint.moves import legal_plays, parse_play
from barpoint.record.gnuid import format_gnuid
from barpoint.rules import Rules
from barpoint.server.bots.external import MAX_ASKED_CUBE, UNKNOWN, ExternalJudge, ExternalOpponents
from barpoint.server.child_process import EngineProcess, EngineProcessFailed
from barpoint.variants import variant

PATIENCE_S: Final = 60.0
"""Time limit for an answer in seconds; 2-ply takes less than a second on an idle machine."""

LEVELS: Final = (
    Level("gnubg-0", N_("Its nets alone, without lookahead."), 0, 0.0, math.nan),
    Level("gnubg-2", N_("Looks two rolls ahead: world class."), 2, 0.0, math.nan),
)

_GREETING: Final = (
    "set output matchpc off",
    "set output mwc off",
    "set output digits 5",
    "set output rawboard on",
    "set automatic roll off",
    "set automatic game off",
    "set automatic bearoff off",
    "set automatic move off",
    "set display off",
    "set player 0 human",
    "set player 1 human",
    "set threads 1",
)
_FIGURE: Final = r"([+-]?\d+\.\d+)"
_HINT: Final = re.compile(rf"^\s*\d+\. Cube\S+ .+?-ply\s+(\S.*?)\s+Eq\.:\s*{_FIGURE}")
_CHANCES: Final = re.compile(r"^\s*(0\.\d+|1\.0+) (\S+) (\S+) - \S+ (\S+) (\S+)\s*$")
_EVALUATION: Final = re.compile(r"^\s*(?:static|\d+ ply):" + rf"\s+{_FIGURE}" * 7)
_CUBE: Final = re.compile(
    rf"^\d\. (No (?:re)?double|(?:Redouble|Double), (?:pass|take|beaver))\s+{_FIGURE}", re.IGNORECASE
)


def find_gnubg() -> str | None:
    """The path of gnubg, None if not found. BARPOINT_GNUBG sets another path; empty disables it."""
    named = os.environ.get("BARPOINT_GNUBG")
    if named is not None:
        return shutil.which(named) if named else None
    return shutil.which("gnubg") or shutil.which("/usr/games/gnubg")


class Gnubg(ExternalOpponents):
    """The bots that GNU Backgammon offers: standard backgammon and Nackgammon, for money and at any score."""

    program, title, known_levels = "gnubg", "GNU Backgammon", LEVELS

    def __init__(self, program: str) -> None:
        child = EngineProcess(self.program, (program, "-t", "-q", "-r"), _GREETING)
        super().__init__(child, (variant("backgammon"), variant("nackgammon")))
        self._numbers = itertools.count(1)

    def judge(self, rules: Rules, plies: int) -> GnubgJudge:
        """Its judge at a search depth."""
        return GnubgJudge(self, rules, plies)

    def ask(self, *lines: str) -> list[str]:
        """Its output for these commands; EngineProcessFailed."""
        mark = f"barpoint{next(self._numbers)}"  # it prints the player's new name, which marks the end of its output
        return self.child.ask((*lines, f"set player 0 name {mark}"), lambda line: f"`{mark}'" in line, PATIENCE_S)


class GnubgJudge(ExternalJudge):
    """gnubg's evaluation of plays and cubes at a search depth, under rules that it knows."""

    program = Gnubg.program

    def __init__(self, gnubg: Gnubg, rules: Rules, plies: int) -> None:
        super().__init__(rules, plies)
        self._gnubg = gnubg

    def rank(self, point: DecisionPoint, /, *, limit: int | None = None) -> tuple[RankedPlay[Chances], ...]:
        """The plays that it considers, best first, like `Engine.rank`; EngineProcessFailed."""
        position, rolled = point.position, point.faces
        (first, *others) = legal_plays(self.rules, position, rolled)
        if not others and not first.moves:
            return (RankedPlay(first, self.equity_after_pass(point), 0.0, UNKNOWN),)
        said = self._about(point, f"hint {limit or 99}")
        found: list[RankedPlay[Chances]] = []
        for line, below in zip(said, [*said[1:], ""], strict=True):
            if match := _HINT.match(line):
                play = parse_play(self.rules, position, rolled, match[1])
                equity = float(match[2])
                loss = found[0].equity - equity if found else 0.0
                found.append(RankedPlay(play, equity, loss, _chances(below)))
        if not found:
            raise EngineProcessFailed(
                "gnubg has no play for %(rolled)s: %(excerpt)s", rolled=rolled, excerpt=_excerpt(said)
            )
        return tuple(found)

    def cube(self, point: DecisionPoint, /) -> CubeDecision[Chances]:
        """Its cube decision, like `Engine.cube`, but without the market window. EngineProcessFailed."""
        info = point.cube_info
        said = self._about(replace(point, faces=()), "eval")
        stay, take, drop = _cube(said) or _dead(_equity(said, info))
        action = cube_action(stay, take, drop, info, info.stakes.beavers > 0 and take < 0)
        if action != "too good" and take <= min(stay, drop):  # it rounds, and a double without gain is no double
            action = "no double"
        chances = next((found for line in said if (found := _chances(line)) is not UNKNOWN), UNKNOWN)
        nothing = math.nan
        return CubeDecision(stay, take, drop, action, chances, nothing, nothing, nothing, nothing)

    def equity(self, point: DecisionPoint, /) -> float:
        """The equity of the player to act with the best cube action, like `Engine.equity`; EngineProcessFailed."""
        info = point.cube_info
        said = self._about(replace(point, faces=()), "eval")
        actions = _cube(said) if info.may_double else None
        if actions is not None:
            stay, take, drop = actions
            return max(stay, min(take, drop))
        return _equity(said, info)

    def _about(self, point: DecisionPoint, question: str) -> list[str]:
        info = point.cube_info
        cubeful = "on" if info.cube else "off"
        settings = [
            f"set evaluation {what} evaluation {settings}"
            for what in ("chequerplay", "cubedecision")
            for settings in (f"plies {self.plies}", f"cubeful {cubeful}")
        ]
        identity = format_gnuid(_situation(point))
        return self._gnubg.ask(*settings, f"set beavers {info.stakes.beavers}", f"set gnubgid {identity}", question)


def _situation(point: DecisionPoint) -> Situation:
    """The situation of player 1, who is to act; the score counts as points away, not with the match length."""
    info = point.cube_info
    length = max(info.score.us, info.score.them) if info.score else 0
    owners = {None: None, "us": 1, "them": 0}
    return Situation(
        point.position,
        dice=point.faces,
        cube=min(info.cube_value, MAX_ASKED_CUBE),
        owner=owners[info.cube.owner] if info.cube else None,
        length=length,
        score=(length - info.score.them, length - info.score.us) if info.score else (0, 0),
        crawford=info.score is not None and info.score.crawford,
        jacoby=info.stakes.jacoby,
    )


def _chances(line: str) -> Chances:
    """The probabilities in a line such as "0.508 0.134 0.006 - 0.491 0.131 0.004"."""
    match = _CHANCES.match(line)
    return Chances(*(float(match[number]) for number in range(1, 6))) if match else UNKNOWN


def _cube(said: Sequence[str]) -> tuple[float, float, float] | None:
    """The equities of no double, double/take and double/pass; None if the cube is not available."""
    found = {match[1].lower().split()[-1]: float(match[2]) for line in said if (match := _CUBE.match(line))}
    stay = next((found[word] for word in ("double", "redouble") if word in found), None)
    take = next((found[word] for word in ("take", "beaver") if word in found), None)
    return None if stay is None or take is None or "pass" not in found else (stay, take, found["pass"])


def _dead(stay: float) -> tuple[float, float, float]:
    """The equities if `_cube` finds none: doubling gains nothing for a player who wins the match anyway; a take."""
    return stay, stay, 1.0


def _equity(said: Sequence[str], info: CubeInfo) -> float:
    """The cubeful or cubeless equity at the end of an evaluation, without a cube action; EngineProcessFailed."""
    rows = [match for line in said if (match := _EVALUATION.match(line))]
    if not rows:
        raise EngineProcessFailed("gnubg does not evaluate this: %(excerpt)s", excerpt=_excerpt(said))
    return float(rows[-1][7 if info.cube else 6])


def _excerpt(said: Sequence[str]) -> str:
    return " / ".join(line.strip() for line in said if line.strip())[-200:] or "nothing was said"
