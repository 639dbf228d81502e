"""The stages of a training: learning while playing, labels of self-play, fitting, publishing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.atomic_file import replacing
from barpoint.engine.net import parse
from barpoint.error import NetError, check_kind
from barpoint.native import core, core_rules
from barpoint.train.labels import TrainingLabels
from barpoint.train.rare import rare_positions
from barpoint.train.recipe import Recipe, check_least

TrainingProgress = Callable[[int, float], None]
"""Called some times a second with what is done (games, labels) and the root mean square error of the chance to win."""

POLL_S: Final = 0.5
SIBLING_MARGIN: Final = 0.12
"""Siblings are at most this many points behind the best play by the net alone."""
RARE: Final = 1000  # rare positions drawn for a seed, more than the games of a thousand that begin there


def finished(job: core.Training, progress: TrainingProgress | None = None) -> core.Training:
    """Waits for the job. Whatever is raised while it waits, Ctrl-C too, stops the job."""
    try:
        while not job.wait(POLL_S):
            if progress is not None:
                progress(job.done, job.error)
    except BaseException:
        job.stop()
        raise
    if progress is not None:
        progress(job.done, job.error)
    return job


_rare = lru_cache(maxsize=2)(partial(rare_positions, RARE))  # pieces of ten games share those of a thousand


@contextmanager
def _net_errors() -> Iterator[None]:
    """What the core refuses, as NetError."""
    try:
        yield
    except ValueError as error:
        raise NetError(str(error)) from None


def learn_by_playing(
    net: core.Net,
    recipe: Recipe,
    *,
    games: int | None = None,
    first_rate: float = 3e-3,
    last_rate: float = 5e-4,
    seed: int = 1,
    threads: int = 1,
    progress: TrainingProgress | None = None,
) -> core.Net:
    """The net after games against itself, in which it learns after every roll (temporal differences).

    games: `recipe.first_games` if not given. first_rate, last_rate: sizes of the steps at the beginning and at the end.
    The same seed gives the same net on any number of threads. NetError where the net does not fit the rules.
    """
    check_kind("net", net, core.Net)
    check_kind("recipe", recipe, Recipe)
    games = recipe.first_games if games is None else games
    check_least("games", games, 0)
    with _net_errors():
        job = core.start_playing(
            net,
            seed=seed,
            games=games,
            first_rate=first_rate,
            last_rate=last_rate,
            threads=threads,
            **recipe.self_play(),
        )
    return finished(job, progress).net()


def label(
    net: core.Net,
    recipe: Recipe,
    games: int,
    *,
    first_game: int = 0,
    pruning_net: core.Net | None = None,
    rare_seed: int | None = None,
    seed: int = 1,
    threads: int = 1,
    progress: TrainingProgress | None = None,
) -> TrainingLabels:
    """Positions of games that the net plays against itself, with luck-adjusted 1-ply targets.

    first_game: the number of the first of these games; a game depends on the seed and its number alone.
    pruning_net: preselects the replies, from `distil`; labels then take a quarter of the time. rare_seed: draws the rare
    positions of recipes that use them; `seed` if not given. NetError where a net does not fit the rules.
    """
    check_kind("net", net, core.Net)
    check_kind("recipe", recipe, Recipe)
    check_least("games", games, 0)
    rare = _rare(seed if rare_seed is None else rare_seed) if recipe.rare else None
    with _net_errors():
        job = core.start_labelling(
            net,
            seed=seed,
            first_game=first_game,
            games=games,
            threads=threads,
            pruning_net=pruning_net,
            rare=rare,
            rare_share=recipe.rare,
            siblings=(recipe.siblings, SIBLING_MARGIN),
            second_ply=recipe.second_ply,
            **recipe.self_play(),
        )
    done = finished(job, progress)
    return TrainingLabels(*done.labels(), done.rolls() if recipe.siblings else None)


def fit(
    net: core.Net,
    labels: TrainingLabels,
    *,
    epochs: int = 10,
    batch: int = 64,
    first_rate: float = 2e-3,
    last_rate: float = 5e-5,
    sibling_weight: float = 0.0,
    fixed_layers: int = 0,
    seed: int = 1,
    threads: int = 1,
    progress: TrainingProgress | None = None,
) -> core.Net:
    """The net fitted to the labels: cross-entropy of the probabilities and squared error of the equity, by Adam.

    epochs: passes over the labels. sibling_weight: how much the squared error of the difference between plays of a roll counts
    besides, where labels have `rolls`; the error of the equity counts 40. fixed_layers: so many layers, from the
    first on, stay as they are; of those after it only the phases of the labels change. NetError where the labels are none of such a net.
    """
    check_kind("net", net, core.Net)
    check_kind("labels", labels, TrainingLabels)
    check_least("epochs", epochs, 0)
    check_least("batch", batch, 1)
    check_least("fixed_layers", fixed_layers, 0)
    with _net_errors():
        job = core.start_fitting(
            net,
            np.ascontiguousarray(labels.positions),
            np.ascontiguousarray(labels.targets),
            epochs=epochs,
            batch=batch,
            first_rate=first_rate,
            last_rate=last_rate,
            sibling_weight=sibling_weight,
            fixed_layers=fixed_layers,
            rolls=None if labels.rolls is None else np.ascontiguousarray(labels.rolls),
            seed=seed,
            threads=threads,
        )
    return finished(job, progress).net()


def equity_error(net: core.Net, recipe: Recipe, labels: TrainingLabels) -> float:
    """The root mean square difference of the equity that the net says and that of the targets, in points a game.

    Of labels that the net has not been fitted to it tells how good the net is; targets have noise of their own. Of targets by the gammons
    that count, those for money are compared.
    """
    check_kind("net", net, core.Net)
    check_kind("recipe", recipe, Recipe)
    check_kind("labels", labels, TrainingLabels)
    scoring = recipe.rules.scoring

    def equity(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        if scoring.per_checker:
            margins: npt.NDArray[np.float32] = rows[..., 1] - rows[..., 2]
            return margins
        gammons, backgammons = rows[..., 1] - rows[..., 3], rows[..., 2] - rows[..., 4]
        steps = scoring.gammon - 1, scoring.backgammon - scoring.gammon
        found: npt.NDArray[np.float32] = 2 * rows[..., 0] - 1 + steps[0] * gammons + steps[1] * backgammons
        return found

    said = core.Searcher(core_rules(recipe.rules), net).evaluate(np.ascontiguousarray(labels.positions), 0)
    targets = labels.targets[:, -1:] if net.by_gammons else labels.targets
    return float(np.sqrt(np.nanmean((equity(said) - equity(targets)) ** 2)))


def publish(net: core.Net, path: str | os.PathLike[str]) -> Path:
    """Writes the net to a file that appears when it is complete, and returns its path: `Engine(rules, net=path)` plays it.

    OSError where it cannot be written.
    """
    check_kind("net", net, core.Net)
    check_kind("path", path, str, os.PathLike)
    found, data = Path(path), net.bytes()
    parse(data)
    with replacing(found) as out:
        out.write(data)
    return found
