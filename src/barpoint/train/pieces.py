"""Labels of self-play made on an executor: pieces of some games each, joined in the order of games."""

from __future__ import annotations

import os
import platform
import time
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from barpoint.engine.executors import in_order
from barpoint.native import core
from barpoint.train.labels import TrainingLabels
from barpoint.train.recipe import Recipe
from barpoint.train.stages import TrainingProgress, label

PIECE: Final = 10
"""Games in one task; no label depends on it."""

_net = lru_cache(maxsize=4)(core.Net.parse)


@dataclass(frozen=True, slots=True)
class LabelledPiece:
    """seconds: of processor time, in the process named by `worker`."""

    labels: TrainingLabels
    seconds: float
    worker: str


def _here() -> str:
    return f"{platform.node()} {os.getpid()}"


def label_piece(
    net: bytes, pruning_net: bytes | None, recipe: Recipe, first_game: int, games: int, rare_seed: int | None, seed: int
) -> LabelledPiece:
    """The labels of these games, made in one thread."""
    began = time.process_time()
    found = label(
        _net(net),
        recipe,
        games,
        first_game=first_game,
        pruning_net=None if pruning_net is None else _net(pruning_net),
        rare_seed=rare_seed,
        seed=seed,
    )
    return LabelledPiece(found, time.process_time() - began, _here())


def label_on(
    executor: Executor | None,
    net: core.Net,
    recipe: Recipe,
    games: int,
    *,
    first_game: int = 0,
    pruning_net: core.Net | None = None,
    rare_seed: int | None = None,
    seed: int = 1,
    progress: TrainingProgress | None = None,
) -> tuple[TrainingLabels, float]:
    """The labels that `label` makes, here without an executor, and the processor seconds spent on them outside this process.

    Nets travel as `publish` writes them, with weights of 16 bits; one that was read from a file loses nothing by that. NetError.
    """
    nets = net.bytes(), None if pruning_net is None else pruning_net.bytes()
    last = first_game + games
    tasks = [
        (*nets, recipe, first, min(PIECE, last - first), rare_seed, seed) for first in range(first_game, last, PIECE)
    ]
    pieces: list[TrainingLabels] = []
    done, seconds = 0, 0.0
    for piece in in_order(executor, label_piece, tasks):
        pieces.append(piece.labels)
        done += len(piece.labels)
        seconds += piece.seconds if piece.worker != _here() else 0.0
        if progress is not None:
            progress(done, 0.0)
    return TrainingLabels.joined(pieces), seconds
