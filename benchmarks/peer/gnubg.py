"""GNU Backgammon as a separate process, controlled through its embedded Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from barpoint.board import BAR, Position, Side
from barpoint.engine.cube_info import CubeInfo, CubeState
from benchmarks.peer.player import CubeWorth

INSIDE = Path(__file__).with_name("inside.py")
CENTRED = CubeInfo(CubeState())
PLAYERS = {None: -1, "them": 0, "us": 1}
"""Owners of the cube as gnubg counts them; its player 1 is to act."""


def find_gnubg() -> str | None:
    """The path of the program, where it is installed."""
    return os.environ.get("BARPOINT_GNUBG") or shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")


def after(position: Position, moves: Sequence[int]) -> Position:
    """The position after moves as gnubg gives them: from, to, from, to, ...; 25 is the bar, 0 is off, seen by the mover."""
    us, them = list(position.us.points), list(position.them.points)
    for source, target in zip(moves[::2], moves[1::2], strict=True):
        if source <= 0:
            break
        us[source] -= 1
        us[max(target, 0)] += 1
        if target > 0 and them[BAR - target] == 1:
            them[BAR - target] -= 1
            them[BAR] += 1
    return Position(Side(tuple(us)), Side(tuple(them)))


def cube_words(info: CubeInfo) -> list[Any]:
    """The arguments of gnubg's `cubeinfo`: value, owner, player to act, length of the match, points of both, Crawford, variant."""
    assert info.cube is not None
    score = info.score
    length = max(score.us, score.them) if score else 0
    points = (length - score.them, length - score.us) if score else (0, 0)
    crawford = int(score is not None and score.crawford)
    return [info.cube.value, PLAYERS[info.cube.owner], 1, length, points, crawford, 0]


class Gnubg:
    """GNU Backgammon with its own filter and pruning nets; FileNotFoundError when it is not installed."""

    def __init__(self, plies: int) -> None:
        program = find_gnubg()
        if program is None:
            raise FileNotFoundError("gnubg is not installed (Debian: apt-get install gnubg)")
        self.plies = plies
        self.name = f"gnubg {plies}-ply"
        self.seconds = 0.0
        self.decisions = 0
        self._home = tempfile.TemporaryDirectory()
        self._process = subprocess.Popen(
            [program, "-t", "-q", "-r", "-p", str(INSIDE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "HOME": self._home.name, "TERM": "dumb"},
        )
        self._wait("ready")

    def _wait(self, word: str) -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(word):
                return line[len(word) :]
        raise RuntimeError("gnubg has ended")

    def _ask(self, position: Position, dice: Sequence[int], cubeful: bool, info: CubeInfo = CENTRED) -> Any:
        board = [list(position.them.points[1:]), list(position.us.points[1:])]
        asked: dict[str, Any] = {"board": board, "dice": list(dice), "plies": self.plies, "cubeful": int(cubeful)}
        asked["cube"] = cube_words(info)
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        said = json.loads(self._wait("answer"))
        if dice:
            self.seconds += said["seconds"]
            self.decisions += 1
        return said["found"]

    def play(self, position: Position, faces: Sequence[int]) -> Position:
        """See Player."""
        return after(position, self._ask(position, faces, False) or ())

    def cube(self, position: Position, info: CubeInfo = CENTRED) -> CubeWorth:
        """See Player and CubePlayer."""
        _, stay, take, drop = self._ask(position, (), True, info)
        return stay, take, drop

    def play_with_cube(self, position: Position, faces: Sequence[int], info: CubeInfo) -> Position:
        """See CubePlayer."""
        return after(position, self._ask(position, faces, True, info) or ())

    def close(self) -> None:
        """Ends the program."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.kill()
        self._process.wait()
        self._home.cleanup()
