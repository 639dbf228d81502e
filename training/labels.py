"""Make labels for a fit elsewhere: python -m training.labels NAME FOLDER [--chunks 20] [--seed 1] [--second-ply 0]
[--rare SHARE] [--executor E] [--workers N]

NAME is an entry of src/barpoint/data/nets/nets.toml, whose net plays and labels by its refined recipe, with its pruning net. FOLDER gets a file for each
1,000 games, about 120,000 labels; the same command goes on where it was stopped, and every executor makes the same labels (docs/cluster.md).
training.fit and training.fit_torch read the folder. --second-ply: targets look a second ply ahead by so many rolls (docs/decisions/0024). --rare:
share of the games that begin in rare positions, whose labels are outcome targets, instead of the recipe's.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from barpoint.engine.executors import add_executor_options, executor_chosen
from barpoint.engine.net import entries, entry_named, load, load_pruning_net
from barpoint.train import TrainingLabels, refined
from barpoint.train.pieces import label_on
from training.recipe import RECIPES
from training.train import shown

GAMES: Final = 1000


def make(
    name: str,
    folder: Path,
    chunks: int,
    seed: int = 1,
    executor: Executor | None = None,
    games: int = GAMES,
    second_ply: int = 0,
    rare: float | None = None,
) -> Iterator[TrainingLabels]:
    """Makes those chunks, of so many games, that the folder lacks, and yields each once it is kept."""
    entry = entry_named(name)
    net, pruning_net = load(entry), load_pruning_net(entry)
    recipe = refined(RECIPES[name])
    recipe = replace(recipe, second_ply=second_ply, rare=recipe.rare if rare is None else rare)
    folder.mkdir(parents=True, exist_ok=True)
    for chunk in range(chunks):
        file = folder / f"labels-{seed}-{chunk:04}.npz"
        if file.exists():
            continue
        found, _ = label_on(
            executor,
            net,
            recipe,
            games,
            first_game=chunk * games,
            pruning_net=pruning_net,
            rare_seed=seed * 1000 + chunk,
            seed=seed,
            progress=partial(shown, file.stem),
        )
        found.save(file)
        yield found


def main() -> None:
    """Makes them, or what is left to make."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=[entry.name for entry in entries() if entry.name in RECIPES])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chunks", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--second-ply", type=int, default=0, metavar="ROLLS")
    parser.add_argument("--rare", type=float, metavar="SHARE")
    add_executor_options(parser)
    said = parser.parse_args()
    with executor_chosen(said) as executor:
        try:
            made = make(
                said.name, said.folder, said.chunks, said.seed, executor, second_ply=said.second_ply, rare=said.rare
            )
            for found in made:
                print(f": {len(found):,} labels kept")
        except KeyboardInterrupt:
            print("\nstopped; the same command goes on from here")


if __name__ == "__main__":
    main()
