"""Train a net: python -m training.train --variant NAME --minutes M --out FOLDER

NAME is one of training.recipe. What is done and which files FOLDER gets: src/barpoint/train/run.py. The same command resumes
where it was stopped (Ctrl-C at any time). To continue a finished run, raise its minutes, and its rounds by --rounds.
Minutes are processor minutes of all threads together. The finished net is FOLDER/final.net.
With --begin NET --refine training continues from that net: it labels several plays of each roll, without later temporal
differences or with the weight of --later, and is fitted further, to the differences between plays above all. It gets the
token states and phases that it lacks.
--executor makes the labels elsewhere, on processes or a cluster (docs/cluster.md); they are the same.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from barpoint.engine.executors import add_executor_options, executor_chosen
from barpoint.engine.net import read_net
from barpoint.train import TrainingRun, refined
from training.recipe import RECIPES


def shown(stage: str, done: int, error: float) -> None:
    """Prints how far a stage is, over the line before. error: 0 where the stage has none."""
    told = f", error {error:.4f}" if error else ""
    print(f"\r{stage}: {done:,} done{told}  ", end="", flush=True)


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", required=True, choices=RECIPES)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", type=Path, help="folder of the same game without tokens, whose labels help")
    parser.add_argument("--rounds", type=int, help="instead of the recipe's")
    parser.add_argument("--begin", type=Path, help="a net to label with at first, instead of learning while playing")
    parser.add_argument("--refine", action="store_true", help="fit on from the net that labelled, not from nothing")
    parser.add_argument(
        "--later", type=float, help="weight of later surprises instead of the recipe's: 1 for outcome targets"
    )
    add_executor_options(parser)
    said = parser.parse_args()
    if said.later is not None and not 0 <= said.later <= 1:
        parser.error(f"--later is 0 to 1, not {said.later}")
    if said.refine and not (said.begin or (said.out / "first.net").exists()):
        parser.error("--refine needs --begin NET, the net to refine")
    recipe = refined(RECIPES[said.variant]) if said.refine else RECIPES[said.variant]
    recipe = replace(
        recipe,
        rounds=said.rounds or recipe.rounds,
        lambda_=recipe.lambda_ if said.later is None else said.later,
    )
    begin = read_net(said.begin) if said.begin else None
    with executor_chosen(said) as executor:
        run = TrainingRun(
            recipe, said.out, said.minutes, said.threads, said.seed, said.plain, said.refine, begin, shown, executor
        )
        try:
            print(f"\n{run.train()} after {run.spent / 60:.1f} processor minutes")
        except KeyboardInterrupt:
            print("\nstopped; the same command goes on from here")


if __name__ == "__main__":
    main()
