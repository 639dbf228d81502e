"""The files from which several processes solve whole games: tiles of the table, one for each piece of a sweep.

A piece is solved from the tiles that were there before its step, and makes a new one, `STAGE-SWEEP-US-THEM`: its values, and the
largest change in the last eight bytes. A file that has its name never changes, so any number of machines may map it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from barpoint.atomic_file import replacing
from barpoint.error import TableError
from barpoint.native import core, core_rules
from barpoint.rules import Rules

STAGES: Final = ("values", "probabilities")
_NUMBERS: Final[dict[str, np.dtype[Any]]] = {"values": np.dtype("<f8"), "probabilities": np.dtype("<f4")}
_CELLS: Final = 5
"""Numbers of a pair of configurations and a state of the tokens: holders of the cube, or chances."""
_CHANGE_BYTES: Final = 8
_SEEN_WITHIN_SECONDS: Final = 120.0
"""How long a file of another machine may stay unseen: network file systems keep what they know of a folder for up to a minute."""


@dataclass(frozen=True, slots=True)
class SharedGames:
    """Whole games that processes solve together. folder: of the run, under the same path on every machine."""

    rules: Rules
    checkers: int
    against: int
    folder: str


@dataclass(frozen=True, slots=True)
class SweepStep:
    """Where a run is: pieces of one step depend on none of the others. values_sweeps: of the first stage, in the second."""

    stage: str
    sweep: int
    step: int
    values_sweeps: int = 0


class Tiles:
    """The table of a run as this process sees it. Threads may share one. TableError, OSError.

    solved_in: [stripes, stripes] the step of a sweep in which a piece is solved, -1 where the slice has none.
    """

    def __init__(self, games: SharedGames) -> None:
        self.folder = Path(games.folder)
        spans, replies = (np.load(self.folder / name, mmap_mode="r").view(np.ndarray) for name in _PLAYS)
        try:
            self.pieces = core.ContactPieces(core_rules(games.rules), games.checkers, games.against, spans, replies)
        except (TypeError, ValueError) as error:
            raise TableError("%(name)s: %(error)s", name=self.folder.name, error=error) from None
        blocks, firsts = np.array(self.pieces.blocks), np.array(self.pieces.stripes)
        us, them = blocks[:, None], blocks[None, :]
        held = (firsts[:-1, None] < self.pieces.few) | (firsts[None, :-1] < self.pieces.few)
        self.solved_in = np.where(held, np.where(them < us, 2 * us, 2 * them + 1), -1)
        self.steps = 2 * int(blocks[-1]) + 2
        self.widths = np.diff(firsts)
        self.cell = _CELLS * self.pieces.states
        self._zeros: dict[str, npt.NDArray[Any]] = {
            stage: np.zeros(int(self.widths.max()) ** 2 * self.cell, _NUMBERS[stage]) for stage in STAGES
        }
        self._mapped: dict[tuple[str, int, int], tuple[int, npt.NDArray[Any]]] = {}
        self._lock = Lock()
        _allow_many_files()

    def pieces_of(self, step: int) -> list[tuple[int, int]]:
        """The pieces of a step: the stripe of the side to act, of the other one."""
        return [(int(us), int(them)) for us, them in np.argwhere(self.solved_in == step)]

    def count(self, us: int, them: int) -> int:
        """Numbers in a tile."""
        return int(self.widths[us] * self.widths[them]) * self.cell

    def file(self, stage: str, sweep: int, us: int, them: int) -> Path:
        """The file of a tile."""
        return self.folder / f"{stage}-{sweep:04d}-{us:03d}-{them:03d}"

    def before(self, at: SweepStep, stage: str, us: int, them: int) -> int:
        """The sweep of the tile that is there when a step begins; -1 where it is not yet solved."""
        if stage != at.stage:
            return at.values_sweeps - 1
        return at.sweep if self.solved_in[us, them] < at.step else at.sweep - 1

    def tile(self, stage: str, sweep: int, us: int, them: int) -> npt.NDArray[Any]:
        """The numbers of a tile, mapped; empty where the slice has none."""
        if self.solved_in[us, them] < 0:
            return self._zeros[stage][:0]
        count = self.count(us, them)
        if sweep < 0:
            return self._zeros[stage][:count]
        with self._lock:
            kept = self._mapped.get((stage, us, them))
            if kept is None or kept[0] != sweep:
                kept = sweep, _mapped(self.file(stage, sweep, us, them), _NUMBERS[stage], count)
                self._mapped[stage, us, them] = kept
        return kept[1]

    def sources(self, at: SweepStep, stage: str, us: int, them: int) -> list[npt.NDArray[Any]]:
        """The tiles of a stage that a piece is solved from, in the order of the core."""
        return [
            self.tile(stage, self.before(at, stage, row, column), row, column)
            for row in self.pieces.sources(them)
            for column in range(us + 1)
        ]

    def remove_replaced(self, at: SweepStep) -> None:
        """Removes the tiles that the pieces of a finished step have replaced."""
        for us, them in self.pieces_of(at.step):
            with suppress(OSError):
                self.file(at.stage, at.sweep - 1, us, them).unlink(missing_ok=True)

    def remove_leftovers(self, at: SweepStep) -> None:
        """Removes every tile that a step neither reads nor makes: what killed processes left."""
        held = [(int(us), int(them)) for us, them in np.argwhere(self.solved_in >= 0)]
        wanted = {self.file(at.stage, at.sweep, *piece) for piece in self.pieces_of(at.step)}
        wanted |= {
            self.file(stage, self.before(at, stage, *piece), *piece) for stage in {"values", at.stage} for piece in held
        }
        for file in self.folder.iterdir():
            if file.name.startswith(STAGES) and file not in wanted:
                with suppress(OSError):
                    file.unlink(missing_ok=True)

    def rows(self, stage: str, sweeps: int) -> Iterator[npt.NDArray[Any]]:
        """The numbers of a finished stage, some rows at a time, as a solver of one machine has them in memory."""
        lost = self.pieces.lost_values() if stage == "values" else self.pieces.lost_probabilities()
        yield np.zeros(self.pieces.size * self.cell, _NUMBERS[stage])
        for us, (first, width) in enumerate(zip(self.pieces.stripes, self.widths, strict=False)):
            columns = [lost[first * self.cell : (first + int(width)) * self.cell].reshape(width, -1)]
            for them in np.flatnonzero(self.solved_in[us] >= 0):
                columns.append(self.tile(stage, sweeps - 1, us, int(them)).reshape(width, -1))
            yield np.concatenate(columns, axis=1)


_PLAYS: Final = ("spans.npy", "replies.npy")


def keep_plays(games: SharedGames) -> None:
    """Writes the plays of all configurations, which every process maps, if they are not there. TableError, OSError."""
    folder = Path(games.folder)
    if all((folder / name).exists() for name in _PLAYS):
        return
    try:
        pieces = core.ContactPieces(core_rules(games.rules), games.checkers, games.against)
    except ValueError as error:
        raise TableError(str(error)) from None
    folder.mkdir(parents=True, exist_ok=True)
    for name, words in zip(_PLAYS, (pieces.spans(), pieces.replies()), strict=True):
        with replacing(folder / name) as out:
            np.save(out, words)


@lru_cache(1)
def tiles_of(games: SharedGames) -> Tiles:
    """The table of a run; this process keeps that of the last one."""
    return Tiles(games)


def solve_piece(games: SharedGames, at: SweepStep, us: int, them: int) -> float:
    """Solves a piece and writes its file, unless that is there; the largest change. TableError, OSError."""
    tiles = tiles_of(games)
    file = tiles.file(at.stage, at.sweep, us, them)
    if not file.exists():
        values = tiles.sources(at, "values", us, them)
        fresh: npt.NDArray[Any]
        if at.stage == "values":
            fresh = tiles.pieces.values(us, them, values)
        else:
            fresh = tiles.pieces.probabilities(us, them, values, tiles.sources(at, at.stage, us, them))
        old = tiles.tile(at.stage, at.sweep - 1, us, them)
        _write(file, fresh, float(np.abs(fresh - old).max()))
    with file.open("rb") as source:
        source.seek(-_CHANGE_BYTES, os.SEEK_END)
        return float(np.frombuffer(source.read(), "<f8")[0])


def _write(file: Path, fresh: npt.NDArray[Any], change: float) -> None:
    with replacing(file) as out:
        out.write(fresh.astype(fresh.dtype.newbyteorder("<"), copy=False).data)
        out.write(np.array([change], "<f8").data)
        out.flush()
        os.fsync(out.fileno())


def _mapped(file: Path, numbers: np.dtype[Any], count: int) -> npt.NDArray[Any]:
    until = monotonic() + _SEEN_WITHIN_SECONDS
    while True:
        try:
            with file.open("rb") as source:
                if os.fstat(source.fileno()).st_size != count * numbers.itemsize + _CHANGE_BYTES:
                    raise TableError("%(name)s is damaged: it does not have the size of a tile", name=file.name)
                return np.frombuffer(mmap(source.fileno(), 0, access=ACCESS_READ), numbers, count)
        except FileNotFoundError:
            if monotonic() > until:
                raise TableError("%(name)s is not in the folder of the run", name=file.name) from None
            sleep(0.2)


def _allow_many_files() -> None:
    """Lets this process hold as many files as it may: every mapped tile is one."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
