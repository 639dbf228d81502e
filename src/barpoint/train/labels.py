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

from barpoint.atomic_file import replacing
from barpoint.error import FormatError, NetError
from barpoint.moves.batch import PositionArray, packed_rows
from barpoint.native import POSITION_BYTES


@dataclass(frozen=True, slots=True, eq=False)
class TrainingLabels:
    """Positions and their targets. NetError for arrays of other shapes.

    positions: uint8 [n, 64], packed, the side to act first, before its roll.
    targets: float32 [n, token states, 5] probabilities as of `Engine.evaluate_array` ([n, token states, 3] where games pay
        by the checker); NaN where nothing is known.
    rolls: int64 [n]: labels after plays of the same roll stand together and share a number, so that a fit can compare them; -1 where a
        label stands for itself, as all do where rolls is None.
    """

    positions: npt.NDArray[np.uint8]
    targets: npt.NDArray[np.float32]
    rolls: npt.NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        shapes = self.positions.shape, self.targets.shape
        if shapes[0] != (len(self.positions), POSITION_BYTES) or len(shapes[1]) != 3 or shapes[1][0] != shapes[0][0]:
            raise NetError(
                "positions %(positions)s and targets %(targets)s; [n, 64] and [n, token states, probabilities] are needed",
                positions=list(shapes[0]),
                targets=list(shapes[1]),
            )
        if self.rolls is not None and self.rolls.shape != (len(self),):
            raise NetError(
                "rolls %(rolls)s; [%(count)s] is needed", rolls=list(self.rolls.shape), count=len(self.positions)
            )

    def __repr__(self) -> str:
        siblings = "" if self.rolls is None else ", with siblings"
        return f"<TrainingLabels of {len(self)} positions, targets {list(self.targets.shape[1:])}{siblings}>"

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

    @property
    def firsts(self) -> npt.NDArray[np.intp]:
        """The numbers of labels with which a roll begins; those that stand for themselves are all."""
        if self.rolls is None:
            return np.arange(len(self))
        return np.flatnonzero(np.r_[True, (self.rolls[1:] < 0) | (self.rolls[1:] != self.rolls[:-1])])

    @classmethod
    def joined(cls, parts: Iterable[TrainingLabels]) -> Self:
        """All of them, one after the other; NetError for none, and where their targets have different shapes."""
        found = list(parts)
        if not found:
            raise NetError("there are no labels")
        if len({part.targets.shape[1:] for part in found}) > 1:
            raise NetError("labels for nets of different shapes; those for one shape can be joined")
        positions, targets = (
            np.concatenate([getattr(part, name) for part in found]) for name in ("positions", "targets")
        )
        if all(part.rolls is None for part in found):
            return cls(positions, targets)
        rolls, first = list[npt.NDArray[np.int64]](), 0
        for part in found:  # numbers of different parts must differ
            own = np.full(len(part), -1, np.int64) if part.rolls is None else part.rolls
            rolls.append(np.where(own < 0, -1, first + own))
            first += int(own.max(initial=-1)) + 1
        return cls(positions, targets, np.concatenate(rolls))

    def without_tokens(self, states: int) -> Self:
        """The same for the game with tokens, whose nets have so many token states: a game without tokens equals one with both spent.

        The targets of money games teach that state; those of the others are NaN.
        """
        wide = np.full((len(self), states, self.targets.shape[2]), np.nan, np.float32)
        wide[:, 0] = self.targets[:, -1]  # money is the last of the gammon states
        return type(self)(self.positions, wide, self.rolls)

    def split(self, share: float, seed: int = 1) -> tuple[Self, Self]:
        """This share of them, drawn at random, and the rest, for example to judge a net by labels that it has not seen."""
        if self.rolls is None:
            order = np.random.default_rng(seed).permutation(len(self))
            parts = np.split(order, [round(len(self) * share)])
        else:  # siblings stay together
            begins = self.firsts
            taken = np.random.default_rng(seed).random(len(begins)) < share
            each = np.repeat(taken, np.diff(np.r_[begins, len(self)]))
            parts = [np.flatnonzero(each), np.flatnonzero(~each)]
        first, rest = (self.chosen(part) for part in parts)
        return first, rest

    def chosen(self, chosen: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> Self:
        """Some of them, by their numbers or a mask; siblings stay together where all of a roll are chosen."""
        rolls = None if self.rolls is None else self.rolls[chosen]
        return type(self)(self.positions[chosen], self.targets[chosen], rolls)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes them to a file of numpy, .npz, that appears when it is complete."""
        rolls = {} if self.rolls is None else {"rolls": self.rolls}
        with replacing(Path(path)) as file:
            np.savez(file, positions=self.positions, targets=self.targets, **rolls)  # type: ignore[arg-type]

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Those of a file; FormatError for another one."""
        try:
            with np.load(path) as file:
                return cls(file["positions"], file["targets"], file.get("rolls"))
        except (KeyError, ValueError, BadZipFile) as error:
            raise FormatError("%(file)s holds no labels: %(error)s", file=Path(path).name, error=error) from None
