"""Solves whole games with few checkers on any executor: by processes, or by several machines that share a folder.

Each sweep has the steps of the solver of one machine, and a step is divided into pieces (`contact_tiles`), each a task. So
the values are the same bits, however many solve them and however often the run was stopped.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from contextlib import closing, suppress
from pathlib import Path

import numpy as np

from barpoint.engine import contact
from barpoint.engine.contact_tiles import STAGES, SharedGames, SweepStep, Tiles, keep_plays, solve_piece, tiles_of
from barpoint.engine.executors import in_order
from barpoint.engine.result_file import ResultFile
from barpoint.error import TableError
from barpoint.rules import Rules


def make_shared(
    rules: Rules,
    checkers: int,
    against: int | None,
    executor: Executor | None,
    folder: Path | None = None,
    progress: contact.SolveProgress | None = None,
) -> Path:
    """The file of a solved database or slice, in the form that `contact.make` reads and finishes.

    executor: None for here and now. folder: where the pieces lie until the end, seen by all machines under the same path; by default
    the cache. The same call goes on where a run was stopped. against: as for `contact.solver`. TableError, RolloutError, OSError.
    """
    games = shared_games(rules, checkers, against, folder)
    file = contact.unfinished_file(rules, checkers, games.against)
    with suppress(OSError):
        if contact.finished(file):
            return file
    keep_plays(games)
    tiles = tiles_of(games)
    sweeps, change = _sweep(games, tiles, executor, progress)
    contact.keep_numbers(
        rules,
        checkers,
        file,
        ("done", sweeps[1], 1, 0.0, change),
        (rows for stage, count in zip(STAGES, sweeps, strict=True) for rows in tiles.rows(stage, count)),
    )
    tiles_of.cache_clear()
    shutil.rmtree(games.folder, ignore_errors=True)
    return file


def shared_games(rules: Rules, checkers: int, against: int | None, folder: Path | None = None) -> SharedGames:
    """What the processes of a run are told. folder: as for `make_shared`."""
    file = contact.slice_file(rules, checkers, against or checkers)
    return SharedGames(
        rules, checkers, against or checkers, str(((folder or file.parent) / f"{file.stem}.pieces").absolute())
    )


def _sweep(
    games: SharedGames, tiles: Tiles, executor: Executor | None, progress: contact.SolveProgress | None
) -> tuple[list[int], float]:
    """Sweeps both stages until nothing changes: how many sweeps each took, the largest change of the last."""
    kept = ResultFile(tiles.folder / "steps.jsonl", (contact.fingerprint(games.rules), games.checkers, games.against))
    resumed, number, last = False, 0, 1.0
    sweeps: list[int] = []
    for stage, limit in zip(STAGES, tiles.pieces.max_changes, strict=True):
        sweep = 0
        while sweep == 0 or last > limit:
            change = 0.0
            for step in range(tiles.steps):
                at = SweepStep(stage, sweep, step, *sweeps)
                if number == len(kept.results):
                    if not resumed:
                        tiles.remove_leftovers(at)
                        resumed = True
                    kept.add([number, _solve_step(games, tiles, executor, at, _telling(progress, tiles, at, last))])
                    tiles.remove_replaced(at)
                if kept.results[number][0] != number:
                    raise TableError("%(name)s was written by two runs at once", name=str(kept.path))
                change = max(change, kept.results[number][1])
                number += 1
            sweep, last = sweep + 1, change
        sweeps.append(sweep)
    return sweeps, last


def _solve_step(
    games: SharedGames, tiles: Tiles, executor: Executor | None, at: SweepStep, tell: Callable[[int, int], None]
) -> float:
    """The largest change in a step."""
    change, pieces = 0.0, tiles.pieces_of(at.step)
    tasks: Iterable[tuple[SharedGames, SweepStep, int, int]] = ((games, at, *piece) for piece in pieces)
    with closing(in_order(executor, solve_piece, tasks)) as found:
        for piece, changed in zip(pieces, found, strict=True):
            change = max(change, changed)
            tell(*piece)
    return change


def _telling(
    progress: contact.SolveProgress | None, tiles: Tiles, at: SweepStep, change: float
) -> Callable[[int, int], None]:
    """Called with each piece that is done."""
    sizes = np.outer(tiles.widths, tiles.widths)
    done, total = (
        int(sizes[(tiles.solved_in >= 0) & (tiles.solved_in < at.step)].sum()),
        int(sizes[tiles.solved_in >= 0].sum()),
    )

    def tell(us: int, them: int) -> None:
        nonlocal done
        done += int(sizes[us, them])
        if progress:
            progress(at.stage, at.sweep, done / total, change)

    return tell
