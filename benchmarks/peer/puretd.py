"""PureTD's net for cubeless money games (github.com/alexstrehl/backgammon-ai-engine, MIT), as an opponent.

BARPOINT_PURETD names its file, best_models/cubeless_prob5_512_512_256_128.pt there: a zip with a weight matrix and a bias for each
layer, in order, as float32. Nothing in it is unpickled, and PyTorch is not needed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import numpy.typing as npt

from barpoint.board import Position
from barpoint.chances import equities
from barpoint.moves import encode, outcome
from barpoint.native import row_index
from barpoint.variants import variant
from benchmarks.peer.player import Clock, CubeWorth, plays_of

Floats = npt.NDArray[np.float32]

VARIABLE = "BARPOINT_PURETD"


def layers_of(file: Path) -> list[tuple[Floats, Floats]]:
    """The weights, [outputs, inputs], and the bias of each layer."""
    with ZipFile(file) as kept:
        names = {name.rsplit("/data/")[-1]: name for name in kept.namelist() if "/data/" in name}
        arrays = [np.frombuffer(kept.read(names[str(number)]), "<f4") for number in range(len(names))]
    return [(weights.reshape(len(bias), -1), bias) for weights, bias in zip(arrays[::2], arrays[1::2], strict=True)]


def inputs_of(boards: npt.NDArray[np.int8]) -> Floats:
    """[n, 196] of boards as `bp.encode` makes them, the side to act first; all points counted from its own home.

    A side's: of each point whether 1, 2 and 3 checkers stand there and half of those beyond; then half the bar, a fifteenth borne off.
    """
    counts = boards.astype(np.float32)
    blocks = []
    for side, points in ((0, slice(1, 25)), (1, slice(24, 0, -1))):
        there = counts[:, side, points, None]
        steps = np.concatenate([there >= (1, 2, 3), np.maximum(there - 3, 0) / 2], axis=2)
        blocks += [steps.reshape(len(counts), -1), counts[:, side, [25, 0]] / (2, 15)]
    return np.concatenate(blocks, axis=1).astype(np.float32)


class PureTd(Clock):
    """Plays by the net alone; ReLU layers and five chances, win, gammon and backgammon won, gammon and backgammon lost."""

    plies = 0
    name = "PureTD 0-ply"

    def __init__(self) -> None:
        if VARIABLE not in os.environ:
            raise FileNotFoundError(f"{VARIABLE} names no file of PureTD's net")
        self.rules = variant("backgammon")
        *self._hidden, self._last = layers_of(Path(os.environ[VARIABLE]))

    def equities(self, boards: npt.NDArray[np.int8]) -> Floats:
        """Cubeless, for the side to act, of positions of games that go on."""
        found = inputs_of(boards)
        for weights, bias in self._hidden:
            found = np.maximum(found @ weights.T + bias, 0)
        weights, bias = self._last
        chances = 1 / (1 + np.exp(-np.clip(found @ weights.T + bias, -80, 80)))
        win = chances[:, 0]
        for most, one, two in ((win, 1, 2), (1 - win, 3, 4)):  # a gammon is a win, and includes its backgammons
            chances[:, one] = np.minimum(most, chances[:, one])
            chances[:, two] = np.minimum(chances[:, one], chances[:, two])
        return equities(chances)

    def equity(self, position: Position) -> float:
        """Cubeless, for the side to act."""
        return float(self.equities(encode([position]))[0])

    def play(self, position: Position, faces: Sequence[int]) -> Position:
        """See Player."""
        plays = plays_of(self.rules, position, row_index(self.rules, tuple(faces)))
        return plays[self.timed(lambda: self._best(plays))]

    def _best(self, plays: Sequence[Position]) -> int:
        ends = [outcome(self.rules, after) for after in plays]
        if any(ends):
            return int(np.argmax([end.level if end else 0 for end in ends]))
        return int(self.equities(encode([after.flip() for after in plays])).argmin())

    def cube(self, position: Position) -> CubeWorth:
        """This net knows no cube."""
        raise NotImplementedError
