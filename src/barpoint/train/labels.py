"""Positions with what is known of them: what a net is fitted to."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from barpoint.error import FormatError, NetError
from barpoint.moves.batch import PositionArray, packed_rows
from barpoint.native import POSITION_BYTES


@dataclass(frozen=True, slots=True)
class TrainingLabels:
    """Positions and their targets. NetError for arrays of other shapes.

    positions: uint8 [n, 64], packed, the side to act first, before its roll.
    targets: float32 [n, token states, 5] probabilities as of `Engine.evaluate_array` ([n, token states, 3] where games pay
        by the checker); NaN where nothing is known.
    """

    positions: npt.NDArray[np.uint8]
    targets: npt.NDArray[np.float32]

    def __post_init__(self) -> None:
        shapes = self.positions.shape, self.targets.shape
        if shapes[0] != (len(self.positions), POSITION_BYTES) or len(shapes[1]) != 3 or shapes[1][0] != shapes[0][0]:
            raise NetError(
                "positions %(positions)s and targets %(targets)s; [n, 64] and [n, token states, probabilities] are needed",
                positions=list(shapes[0]),
                targets=list(shapes[1]),
            )

    def __len__(self) -> int:
        return len(self.positions)

    @classmethod
    def of(cls, boards: PositionArray, targets: npt.NDArray[np.float32]) -> Self:
        """Labels from elsewhere. boards: int8 [n, 2, 32], as `bp.encode` makes them (else PositionError); targets as above."""
        return cls(packed_rows(boards), np.ascontiguousarray(targets, np.float32))

    @property
    def boards(self) -> PositionArray:
        """int8 [n, 2, 32]: the positions as `bp.decode` and `Engine.evaluate_array` take them."""
        return np.ascontiguousarray(self.positions).view(np.int8).reshape(-1, 2, POSITION_BYTES // 2)

    @classmethod
    def joined(cls, parts: Iterable[TrainingLabels]) -> Self:
        """All of them, one after the other; NetError for none, and where their targets have different shapes."""
        found = list(parts)
        if not found:
            raise NetError("there are no labels")
        if len({part.targets.shape[1:] for part in found}) > 1:
            raise NetError("labels for nets of different shapes; those for one shape can be joined")
        return cls(np.concatenate([part.positions for part in found]), np.concatenate([part.targets for part in found]))

    def split(self, share: float, seed: int = 1) -> tuple[Self, Self]:
        """This share of them, drawn at random, and the rest, for example to judge a net by labels that it has not seen."""
        order = np.random.default_rng(seed).permutation(len(self))
        parts = np.split(order, [round(len(self) * share)])
        first, rest = (type(self)(self.positions[part], self.targets[part]) for part in parts)
        return first, rest

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes them to a file of numpy, .npz, that appears when it is complete."""
        part = Path(path).with_suffix(".part.npz")
        np.savez(part, positions=self.positions, targets=self.targets)
        part.replace(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Those of a file; FormatError for another one."""
        try:
            with np.load(path) as file:
                return cls(file["positions"], file["targets"])
        except (KeyError, ValueError, BadZipFile) as error:
            raise FormatError("%(file)s holds no labels: %(error)s", file=Path(path).name, error=error) from None
