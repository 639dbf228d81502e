"""Refine a published net in rounds: python -m training.refine NAME FOLDER [--rounds 2] [--games 5000] [--exact CHECKERS]

NAME is an entry of src/barpoint/data/nets/nets.toml. In each round a pruning net is distilled, the newest net labels its own games by its refined
recipe, and is fitted on to the labels of this round and the one before, to the differences between plays of a roll above all. About ten minutes
of one core a round of a net with 512 units. FOLDER keeps pruning nets, labels and the net of every round; the same command goes on where it
was stopped, and more rounds follow those that are there. Then compare the last net with the published one, `python -m benchmarks compare`, and
publish it, `python -m training.publish`. --exact: in games of up to so many checkers a side, positions get the exact values of tables, and --drawn
random ones with so few are added (training/few_checkers.py).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from barpoint.engine.executors import add_executor_options, executor_chosen
from barpoint.engine.net import entries, entry_named, load, parse, read_net
from barpoint.native import core
from barpoint.train import Recipe, TrainingLabels, arranged, distil, fit, publish, refined
from barpoint.train.pieces import label_on
from barpoint.train.stages import TrainingProgress
from training.few_checkers import FewCheckers
from training.recipe import RECIPES
from training.train import shown

PRUNING_GAMES: Final = 800
BATCH: Final = 256
RATES: Final = 8e-4, 1e-5
SIBLING_WEIGHT: Final = 400.0
KEPT_ROUNDS: Final = 2  # the labels of so many rounds are fitted together


def _net(file: Path, made: Callable[[], core.Net]) -> core.Net:
    """The net in the file, made first where there is none: as it is read from there, with weights of 16 bits."""
    if not file.exists():
        publish(made(), file)
    return read_net(file)


def _shown(stage: str, number: int) -> TrainingProgress:
    return partial(shown, f"round {number}: {stage}")


def refine_round(
    folder: Path,
    recipe: Recipe,
    net: core.Net,
    number: int,
    games: int,
    seed: int,
    executor: Executor | None = None,
    *,
    passes: int = 3,
    first_rate: float = RATES[0],
    exact: int = 0,
    drawn: int = 500_000,
    threads: int = 1,
) -> core.Net:
    """The net after one more round, from what the folder has of it. exact: games with up to so many checkers a side
    are labelled exactly, and so many drawn positions of such games."""
    own_seed = 1000 * seed + number
    pruning_net = _net(
        folder / f"pruning-{number}.net",
        lambda: distil(net, recipe, epochs=12, seed=own_seed, progress=_shown("pruning net", number)),
    )
    kept = folder / f"labels-{number}.npz"
    if not kept.exists():
        found, _ = label_on(
            executor,
            net,
            refined(recipe),
            games,
            pruning_net=pruning_net,
            seed=own_seed,
            progress=_shown("labels", number),
        )
        if exact:
            few = FewCheckers.of(recipe, exact)
            found = TrainingLabels.joined([few.exactly(found), few.drawn(drawn, own_seed)])
        found.save(kept)

    def fitted() -> core.Net:
        files = (folder / f"labels-{each}.npz" for each in range(max(number - KEPT_ROUNDS, 0) + 1, number + 1))
        found = fit(
            net,
            TrainingLabels.joined(map(TrainingLabels.load, files)),
            epochs=passes,
            batch=BATCH,
            first_rate=first_rate,
            last_rate=RATES[1],
            sibling_weight=SIBLING_WEIGHT,
            seed=own_seed,
            threads=threads,
            progress=_shown("fit", number),
        )
        return arranged(parse(found.bytes()), recipe.rules) if found.hidden2 else found

    return _net(folder / f"round-{number}.net", fitted)


def main() -> None:
    """Makes the rounds, or what is left of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=[entry.name for entry in entries() if entry.name in RECIPES])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--passes", type=int, default=3, help="over the labels, in a fit")
    parser.add_argument("--first-rate", type=float, default=RATES[0], help="size of the first steps of a fit")
    parser.add_argument("--exact", type=int, default=0, metavar="CHECKERS")
    parser.add_argument("--drawn", type=int, default=500_000, metavar="POSITIONS")
    parser.add_argument("--threads", type=int, default=1, help="of a fit")
    parser.add_argument("--seed", type=int, default=1)
    add_executor_options(parser)
    said = parser.parse_args()
    said.folder.mkdir(parents=True, exist_ok=True)
    recipe = replace(RECIPES[said.name], pruning_games=PRUNING_GAMES)
    with executor_chosen(said) as executor:
        try:
            net = _net(said.folder / "round-0.net", lambda: load(entry_named(said.name)))
            for number in range(1, said.rounds + 1):
                net = refine_round(
                    said.folder,
                    recipe,
                    net,
                    number,
                    said.games,
                    said.seed,
                    executor,
                    passes=said.passes,
                    first_rate=said.first_rate,
                    exact=said.exact,
                    drawn=said.drawn,
                    threads=said.threads,
                )
                print(f": round {number} kept as {said.folder / f'round-{number}.net'}", flush=True)
        except KeyboardInterrupt:
            print("\nstopped; the same command goes on from here")


if __name__ == "__main__":
    main()
