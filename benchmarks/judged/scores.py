"""Judged cube decisions at match scores, one a line, in benchmarks/data/match_cubes.tsv.

Score, GNU position ID and cube of the side to act (1 is centred, a larger one its own), equities of no double and double/take,
their errors, and the error of their difference, in units of 0.0001; a single win at the present cube is +1, so double/pass is 1.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from barpoint.board import Position
from barpoint.chances import Chances
from barpoint.engine import CubeState, Engine, Score
from barpoint.engine.cube_info import CubeInfo
from barpoint.record.position_id import format_position, parse_position
from benchmarks.judged.judge import CUBE_ROLLS, NEAR, SETTLED, is_close, is_settled
from benchmarks.judged.numbered import NumberedFile
from benchmarks.peer.cube_player import CubePlayer, OwnCube, may_gain, one_game
from benchmarks.peer.player import CubeWorth

FILE: Final = Path(__file__).parents[1] / "data" / "match_cubes.tsv"
UNIT: Final = 10_000
SEED: Final = 1
WIDE: Final = 3 * NEAR
"""Positions that the net alone finds farther than this from a close decision are not searched."""

CUBE_PLIES: Final = 1
"""Depth of cube decisions within rollouts: without a search they lose 17 millipoints each at 2-away 4-away."""

AWAY: Final = (
    (2, 2), (2, 4), (4, 2), (3, 3), (3, 5), (5, 3), (2, 5), (5, 5), (4, 7), (7, 7), (9, 3), (11, 11)
)  # fmt: skip
SCORES: Final[dict[str, Score]] = {f"{us}-away {them}-away": Score(us, them) for us, them in AWAY}
"""Scores before the Crawford game by name; the side to act needs the points named first."""


@dataclass(frozen=True, slots=True)
class JudgedCube:
    """score: a key of SCORES. cube: its value; the side to act owns one above 1. Equities at the score, for the side to act.

    errors: of no double, of double/take, and of their difference on common dice.
    """

    score: str
    position: Position
    cube: int
    no_double: float
    double_take: float
    errors: tuple[float, float, float]

    @property
    def info(self) -> CubeInfo:
        """Cube and score."""
        return info_at(self.score, self.cube)

    @property
    def settled(self) -> bool:
        """Whether more games would hardly tell more."""
        return is_settled(self.no_double, self.double_take, self.errors)


def info_at(score: str, cube: int) -> CubeInfo:
    """Cube and score of a side that may double."""
    return CubeInfo(CubeState(cube, "us" if cube > 1 else None), SCORES[score])


class Remembering:
    """Plays as another player does, and remembers every cube decision that it is asked for."""

    def __init__(self, player: CubePlayer) -> None:
        self.name = player.name
        self.asked: list[tuple[Position, CubeInfo]] = []
        self._player = player

    def cube(self, position: Position, info: CubeInfo) -> CubeWorth:
        """See CubePlayer."""
        self.asked.append((position, info))
        return self._player.cube(position, info)

    def play_with_cube(self, position: Position, faces: Sequence[int], info: CubeInfo) -> Position:
        """See CubePlayer."""
        return self._player.play_with_cube(position, faces, info)


@lru_cache(maxsize=2)
def engine(plies: int) -> Engine[Chances]:
    """Our engine, made once in a process."""
    return Engine("backgammon", plies=plies)


def close_decision(score: str, seed: int, number: int) -> tuple[Position, int]:
    """Position and cube of decision `number` at a score: a close one, by two plies, of a game of the net alone against itself.

    The same arguments give the same decision, wherever it is asked for.
    """
    dice, player = random.Random(f"{score} {seed} {number}"), OwnCube(learned=True)
    while True:
        one = Remembering(player)
        one_game((one, player) if dice.random() < 0.5 else (player, one), dice, SCORES[score])
        dice.shuffle(one.asked)
        for position, info in one.asked:
            if info.score == SCORES[score] and may_gain(info) and _near(position, info):
                return position, info.cube_value


def _near(position: Position, info: CubeInfo) -> bool:
    """Whether a search of two plies finds the decision close, and the net alone nearly so."""
    rough, deep = (engine(plies) for plies in (0, 2))
    return is_close(rough.cube(position, cube=info.cube, score=info.score), WIDE, -1) and is_close(
        deep.cube(position, cube=info.cube, score=info.score)
    )


def judge(score: str, number: int, old: JudgedCube | None = None) -> JudgedCube:
    """Decision `number` at a score, rolled out with the cube at the score, with variance reduction.

    old: has the decision; it is found from the number if not given.
    """
    position, cube = (old.position, old.cube) if old else close_decision(score, SEED, number)
    info = info_at(score, cube)
    found = engine(0).rollout_cube(
        position,
        cube=info.cube,
        score=info.score,
        **SETTLED,
        truncate=CUBE_ROLLS,
        cube_plies=CUBE_PLIES,
        seed=number + 1,
        threads=1,
    )
    stay, take = found.no_double.equity, found.double_take.equity
    mean, other, *errors = (
        round(UNIT * each) / UNIT for each in (stay.mean, take.mean, stay.error, take.error, found.gain.error)
    )
    return JudgedCube(score, position, cube, mean, other, (errors[0], errors[1], errors[2]))


def format_line(judged: JudgedCube) -> str:
    """One line, without its end."""
    numbers = (str(round(UNIT * value)) for value in (judged.no_double, judged.double_take, *judged.errors))
    return "\t".join([judged.score, format_position(judged.position), str(judged.cube), *numbers])


def parse_line(line: str) -> JudgedCube:
    """Parses a line."""
    score, position, cube, *numbers = line.split("\t")
    stay, take, *errors = (int(number) / UNIT for number in numbers)
    return JudgedCube(score, parse_position(position), int(cube), stay, take, (errors[0], errors[1], errors[2]))


def file_at(path: Path) -> NumberedFile[JudgedCube]:
    """A file of judged cube decisions."""
    return NumberedFile(path, lambda judged: judged.score, format_line, parse_line)


def read(path: Path = FILE) -> list[JudgedCube]:
    """All judged decisions, in the order of their numbers at each score."""
    return file_at(path).read()


def judge_more(
    count: int, scores: Sequence[str] = tuple(SCORES), executor: Executor | None = None, path: Path = FILE
) -> Iterator[JudgedCube]:
    """Judges until each of the scores has `count` decisions, and anew those that are not settled; see NumberedFile."""
    return file_at(path).judge_more(count, scores, judge, executor, lambda known: known.settled)


def judge_again(executor: Executor | None = None, path: Path = FILE) -> Iterator[JudgedCube]:
    """Judges all decisions of a file anew by the present net; see NumberedFile."""
    return file_at(path).judge_again(judge, executor)
