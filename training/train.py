"""Train a net: python -m training.train --variant NAME --minutes M --out FOLDER

NAME is one of training.recipe. Three kinds of stage each leave files in FOLDER, so that the same command resumes where
it was stopped (Ctrl-C at any time):
  first.net           learning while playing (TD with after-states)
  pruning-R.net       round R: a pruning net that preselects replies, so that labels take a quarter of the time
  labels-R-NNNN.npz   positions of self-play with luck-adjusted 1-ply targets
  round-R.net         a fresh net fitted to all labels so far
  log.jsonl           every stage with processor seconds, games, error; progress.png (or .txt) drawn from it
To continue a finished run, raise its minutes, and its rounds by --rounds.
Minutes are processor minutes of all threads together. The finished net is FOLDER/final.net.
With --begin NET --refine training continues from that net: it labels, with little weight on later temporal differences
or the weight of --later, and is fitted further; it gets the token states and phases that it lacks.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.variants import variant
from training.arrange import arranged
from training.distil import distil
from training.plot import draw
from training.rare import rare_positions
from training.recipe import RECIPES, Recipe

RARE = 300  # rare positions drawn for each chunk: about fifty of its games begin there
CHUNK_GAMES = 1000  # games labelled between two files: from some seconds to half a minute
FIT_SHARE = 0.16  # share of the time for fitting
REFINED = {"lambda_": 0.3, "epochs": 5, "rounds": 1}  # changes of a recipe; measured: docs/engine.md, "Training"
POLL_SECONDS = 0.5


class Stopped(Exception):
    """Ctrl-C was pressed; finished work is in files."""


class Run:
    """A training run: its folder, its log, and its budget of processor time."""

    def __init__(
        self,
        recipe: Recipe,
        folder: Path,
        minutes: float,
        threads: int,
        seed: int,
        plain: Path | None = None,
        refine: bool = False,
    ) -> None:
        self.recipe, self.folder, self.threads, self.seed = recipe, folder, threads, seed
        self.plain, self.refine = plain, refine
        self.rules: Rules = variant(recipe.starts[0][0])
        self.seconds = minutes * 60
        folder.mkdir(parents=True, exist_ok=True)
        self.log_path = folder / "log.jsonl"
        self.spent = sum(entry["seconds"] for entry in self.log())

    def log(self) -> list[dict[str, Any]]:
        """The log so far, a dictionary a stage."""
        if not self.log_path.exists():
            return []
        return [json.loads(line) for line in self.log_path.read_text().splitlines()]

    def finish(self, job: Any, stage: str, began: float, **facts: Any) -> None:
        """Waits for a job, shows its progress, and logs it."""
        try:
            while not job.wait(POLL_SECONDS):
                print(f"\r{stage}: {job.done:,} done, error {job.error:.4f}  ", end="", flush=True)
        except KeyboardInterrupt:
            job.stop()
            raise Stopped from None
        seconds = time.process_time() - began
        self.spent += seconds
        entry = {"stage": stage, "seconds": round(seconds, 2), "done": job.done, "error": round(job.error, 5), **facts}
        with self.log_path.open("a") as file:
            file.write(json.dumps(entry) + "\n")
        print(f"\r{stage}: {entry}", flush=True)

    def token_states(self) -> int:
        """The number of token states."""
        return 4 if self.rules.rerolls.tokens else 1

    def grown(self, net: Any) -> Any:
        """The net with the token states and the phases of the recipe."""
        if net.token_states < self.token_states():
            net = net.widened(self.token_states())
        return net.divided() if net.phases < self.recipe.phases else net

    def fresh_net(self, number: int) -> Any:
        """A net with small random weights in the shape these rules need."""
        return core.Net(
            hidden=self.recipe.hidden,
            hidden2=self.recipe.hidden2,
            token_states=self.token_states(),
            phases=self.recipe.phases,
            per_checker=self.rules.scoring.per_checker,
            seed=self.seed + number,
        )

    def games(self) -> dict[str, Any]:
        """The settings of self-play from the recipe."""
        recipe = self.recipe
        return {
            "starts": [(core_rules(variant(name)), share) for name, share in recipe.starts],
            "scatter": recipe.scatter,
            "exploration": recipe.exploration,
            "lambda_": recipe.lambda_,
            "longest": recipe.longest,
            "threads": self.threads,
        }

    def play_first(self) -> Any:
        """The net that learned while playing."""
        path = self.folder / "first.net"
        if not path.exists():
            began = time.process_time()
            job = core.start_playing(
                self.fresh_net(0),
                seed=self.seed,
                games=self.recipe.first_games,
                first_rate=3e-3,
                last_rate=5e-4,
                **self.games(),
            )
            self.finish(job, "first", began, games=self.recipe.first_games)
            write(path, job.net().bytes())
        return core.Net.parse(path.read_bytes())

    def pruning_net(self, number: int, net: Any) -> Any:
        """The pruning net of this round."""
        path = self.folder / f"pruning-{number}.net"
        if not path.exists():
            write(path, distil(net, self.recipe, seed=self.seed).bytes())
        return core.Net.parse(path.read_bytes())

    def label_round(self, number: int, net: Any, until: float) -> None:
        """Label positions until `until` processor seconds are spent in all."""
        pruning_net = self.pruning_net(number, net)
        chunk = len(list(self.folder.glob(f"labels-{number}-*.npz")))
        while self.spent < until:
            began = time.process_time()
            job = core.start_labelling(
                net,
                seed=self.seed + 1000 * number,
                first_game=chunk * CHUNK_GAMES,
                games=CHUNK_GAMES,
                pruning_net=pruning_net,
                rare=rare_positions(RARE, self.seed + 1000 * number + chunk) if self.recipe.rare else None,
                rare_share=self.recipe.rare,
                **self.games(),
            )
            self.finish(job, f"labels-{number}-{chunk:04}", began, games=CHUNK_GAMES)
            positions, targets = job.labels()
            path = self.folder / f"labels-{number}-{chunk:04}.npz"
            np.savez(path.with_suffix(".part.npz"), positions=positions, targets=targets)
            path.with_suffix(".part.npz").rename(path)
            chunk += 1

    def labels(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        """All labels so far: positions [n, 64], targets [n, token states, probabilities].

        A game without tokens equals a game with both spent, so its labels teach that state; targets of the others are
        NaN.
        """
        positions, targets = read_labels(self.folder)
        if self.plain is None:
            return positions, targets
        plain, known = read_labels(self.plain)
        wide = np.full((len(known), *targets.shape[1:]), np.nan, np.float32)
        wide[:, :1] = known
        return np.concatenate([positions, plain]), np.concatenate([targets, wide])

    def fit_round(self, number: int, epochs: int, net: Any) -> Any:
        """A fresh net, or the one that labelled, fitted to the labels of all rounds so far."""
        path = self.folder / f"round-{number}.net"
        if not path.exists():
            began = time.process_time()
            positions, targets = self.labels()
            steps = (
                {"batch": 256, "first_rate": 6e-4, "last_rate": 2e-5}
                if self.refine
                else {"batch": 64, "first_rate": 2e-3, "last_rate": 5e-5}
            )
            job = core.start_fitting(
                net if self.refine else self.fresh_net(number),
                positions,
                targets,
                epochs=epochs,
                seed=self.seed + number,
                threads=self.threads,
                **steps,
            )
            self.finish(job, f"fit-{number}", began, labels=len(positions), epochs=epochs)
            write(path, job.net().bytes())
        return core.Net.parse(path.read_bytes())

    def train(self) -> None:
        """All stages in turn."""
        net = self.grown(self.play_first()) if self.refine else self.play_first()
        rounds = self.recipe.rounds
        first = sum(entry["seconds"] for entry in self.log() if entry["stage"] == "first")
        rest = self.seconds * (1 - FIT_SHARE)
        for number in range(1, rounds + 1):
            if not (self.folder / f"round-{number}.net").exists():
                self.label_round(number, net, first + (rest - first) * number / rounds)
            net = self.fit_round(number, self.recipe.epochs if number == rounds else self.recipe.epochs // 2, net)
            draw(self.log(), self.folder)
        if net.hidden2:
            net = arranged(net, self.rules, self.seed)
        write(self.folder / "final.net", net.bytes())
        print(f"{self.folder / 'final.net'} after {self.spent / 60:.1f} processor minutes")


def read_labels(folder: Path) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """The labels in the folder of a training."""
    files = [np.load(file) for file in sorted(folder.glob("labels-*-????.npz"))]
    return np.concatenate([file["positions"] for file in files]), np.concatenate([file["targets"] for file in files])


def write(path: Path, data: bytes) -> None:
    """Writes a file atomically."""
    part = path.with_suffix(".part")
    part.write_bytes(data)
    part.rename(path)


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
    said = parser.parse_args()
    if said.later is not None and not 0 <= said.later <= 1:
        parser.error(f"--later is 0 to 1, not {said.later}")
    if said.refine and not (said.begin or (said.out / "first.net").exists()):
        parser.error("--refine needs --begin NET, the net to refine")
    recipe = replace(RECIPES[said.variant], **(REFINED if said.refine else {}))
    recipe = replace(
        recipe,
        rounds=said.rounds or recipe.rounds,
        lambda_=recipe.lambda_ if said.later is None else said.later,
    )
    try:
        run = Run(recipe, said.out, said.minutes, said.threads, said.seed, said.plain, said.refine)
        if said.begin and not (said.out / "first.net").exists():
            write(said.out / "first.net", said.begin.read_bytes())
        run.train()
    except (Stopped, KeyboardInterrupt):
        print("\nstopped; the same command goes on from here")


if __name__ == "__main__":
    main()
