"""A whole training in a folder, with a budget of processor time, which goes on where it was stopped."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from barpoint.engine.table import fingerprint
from barpoint.error import NetError
from barpoint.native import core
from barpoint.rules import Rules
from barpoint.train.arrange import arranged
from barpoint.train.distil import distil
from barpoint.train.labels import TrainingLabels
from barpoint.train.pieces import label_on
from barpoint.train.plot import plot
from barpoint.train.recipe import Recipe, check_least
from barpoint.train.stages import TrainingProgress, fit, label, learn_by_playing, publish

CHUNK_GAMES: Final = 1000  # games labelled between two files: from some seconds to half a minute
LABELS: Final = "labels-*-????.npz"
FIT_SHARE: Final = 0.25  # share of the time for fitting
REFINED: Final = {"lambda_": 0.0, "siblings": 4, "epochs": 4, "rounds": 1}  # measured: docs/engine.md, "Training"

FITTING: Final[dict[str, Any]] = {"batch": 64, "first_rate": 2e-3, "last_rate": 5e-5}
REFINING: Final[dict[str, Any]] = {"batch": 256, "first_rate": 6e-4, "last_rate": 1e-5, "sibling_weight": 800.0}

StageReport = Callable[[str, int, float], None]
"""Called some times a second with the stage, what is done in it (games, labels) and its error."""


class TrainingRun:
    """A training run: its folder, its log, and its budget of processor time. `train` does all of it.

    The folder holds:
      recipe.json         the game, a digest of its rules, and the size of the net; others are refused with NetError
      first.net           learning while playing (TD with after-states)
      pruning-R.net       round R: a pruning net that preselects replies, so that labels take a quarter of the time
      labels-R-NNNN.npz   positions of self-play with luck-adjusted 1-ply targets
      round-R.net         a fresh net fitted to all labels so far
      log.jsonl           every stage with processor seconds, games, error; progress.png (or .txt) drawn from it
      final.net           the finished net, for `Engine(rules, net=path)`
    Finished stages are not repeated: the same run goes on where Ctrl-C stopped it.

    minutes: processor minutes of all threads together, on all machines. NetError where they are used up before there are labels to
        fit; with more of them the same run goes on. executor: makes the labels instead of threads, all else is
        done here; it changes no label. plain: the folder of the same game without tokens, whose labels help.
    refine: the recipe's changes are those of REFINED; the net in first.net labels, several plays of each roll without later temporal
        differences, and is fitted further, to the differences between these plays above all, with the token states and phases that it lacks. begin: that net.
    """

    def __init__(
        self,
        recipe: Recipe,
        folder: str | os.PathLike[str],
        minutes: float,
        threads: int = 1,
        seed: int = 1,
        plain: str | os.PathLike[str] | None = None,
        refine: bool = False,
        begin: core.Net | None = None,
        report: StageReport | None = None,
        executor: Executor | None = None,
    ) -> None:
        if not minutes > 0:
            raise NetError("minutes %(minutes)s; more than 0 are needed", minutes=minutes)
        check_least("threads", threads, 1)
        self.recipe, self.folder, self.threads, self.seed = recipe, Path(folder), threads, seed
        self.plain, self.refine, self.report, self.executor = plain, refine, report, executor
        self.seconds = minutes * 60
        first = self.folder / "first.net"
        if refine and begin is None and not first.exists():
            raise NetError("refining needs the net to begin with")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._check_recipe()
        self.log_path = self.folder / "log.jsonl"
        self.spent = sum(entry["seconds"] for entry in self.log())
        if begin is not None and not first.exists():
            publish(begin, first)

    def _check_recipe(self) -> None:
        """NetError where the folder holds a training of another game, or of a net of another size."""
        path, recipe = self.folder / "recipe.json", self.recipe
        starts = [rules for rules, _ in recipe.rules_of_starts()]
        told: dict[str, Any] = {"starts": [rules.name for rules in starts]}
        told |= {"hidden": recipe.hidden, "hidden2": recipe.hidden2, "phases": recipe.phases}
        digests = [_digest(rules) for rules in starts]
        if not path.exists():
            path.write_text(json.dumps(told | {"rules": digests}), encoding="utf-8")
            return
        found = json.loads(path.read_text(encoding="utf-8"))
        kept = found.pop("rules", digests)  # folders of earlier versions have none
        if found != told:
            raise NetError(
                "%(folder)s holds a training of %(found)s, not of %(told)s; that needs a folder of its own",
                folder=self.folder,
                found=_said(found),
                told=_said(told),
            )
        if kept != digests:
            raise NetError(
                "%(folder)s holds a training of %(name)s by other rules, which have changed since; these need a folder of their own",
                folder=self.folder,
                name=", ".join(told["starts"]),
            )

    def log(self) -> list[dict[str, Any]]:
        """The log so far, a dictionary a stage."""
        if not self.log_path.exists():
            return []
        return [json.loads(line) for line in self.log_path.read_text(encoding="utf-8").splitlines()]

    def train(self) -> Path:
        """Does all stages that are left; returns the file of the finished net. Ctrl-C ends it between two files."""
        net = self.play_first()
        if self.refine:
            net = self.grown(net)
        rounds = self.recipe.rounds
        first = sum(entry["seconds"] for entry in self.log() if entry["stage"] == "first")
        rest = self.seconds * (1 - FIT_SHARE)
        for number in range(1, rounds + 1):
            if not (self.folder / f"round-{number}.net").exists():
                self.label_round(number, net, first + (rest - first) * number / rounds)
            net = self.fit_round(
                number, self.recipe.epochs if number == rounds else max(1, self.recipe.epochs // 2), net
            )
            plot(self.log(), self.folder / f"progress.{'png' if find_spec('matplotlib') else 'txt'}")
        if net.hidden2:
            net = arranged(net, self.recipe.rules, self.seed)
        return publish(net, self.folder / "final.net")

    def play_first(self) -> core.Net:
        """The net that learned while playing."""

        games, left = self.recipe.first_games, self.seconds * (1 - FIT_SHARE) - self.spent

        def made() -> core.Net:
            with _Stage(self, "first") as stage:
                stage.facts = {"games": games}
                seen = stage.progress

                def watched(done: int, error: float) -> None:
                    seen(done, error)
                    if done < games and stage.seconds > left:
                        raise NetError(
                            "the budget of %(minutes)s processor minutes is used up after %(done)s of %(games)s games of the first"
                            " stage; with more minutes the same command begins them again",
                            minutes=self.minutes,
                            done=done,
                            games=games,
                        )

                fresh = self.recipe.fresh_net(self.seed)
                return learn_by_playing(fresh, self.recipe, seed=self.seed, threads=self.threads, progress=watched)

        return self._kept("first.net", made)

    def label_round(self, number: int, net: core.Net, until: float) -> None:
        """Labels positions until `until` processor seconds are spent in all; NetError where no label could be made."""
        pruning_net = self._kept(f"pruning-{number}.net", lambda: distil(net, self.recipe, seed=self.seed))
        chunk = len(list(self.folder.glob(f"labels-{number}-*.npz")))
        seed = self.seed + 1000 * number
        while self.spent < until:
            with _Stage(self, f"labels-{number}-{chunk:04}") as stage:
                stage.facts = {"games": CHUNK_GAMES}
                asked: dict[str, Any] = {
                    "first_game": chunk * CHUNK_GAMES,
                    "pruning_net": pruning_net,
                    "rare_seed": seed + chunk,
                    "seed": seed,
                    "progress": stage.progress,
                }
                if self.executor is None:
                    found = label(net, self.recipe, CHUNK_GAMES, threads=self.threads, **asked)
                else:
                    found, stage.elsewhere = label_on(self.executor, net, self.recipe, CHUNK_GAMES, **asked)
            found.save(self.folder / f"labels-{number}-{chunk:04}.npz")
            chunk += 1
        if not any(self.folder.glob(LABELS)):
            raise NetError(
                "the budget of %(minutes)s processor minutes is used up before the first labels; with more minutes the same"
                " command goes on",
                minutes=self.minutes,
            )

    @property
    def minutes(self) -> str:
        """The budget, to be shown."""
        return f"{self.seconds / 60:g}"

    def fit_round(self, number: int, epochs: int, net: core.Net) -> core.Net:
        """A fresh net, or the one that labelled, fitted to the labels of all rounds so far."""

        def made() -> core.Net:
            with _Stage(self, f"fit-{number}") as stage:
                labels = self.labels()
                stage.facts = {"labels": len(labels), "epochs": epochs}
                return fit(
                    net if self.refine else self.recipe.fresh_net(self.seed + number),
                    labels,
                    epochs=epochs,
                    seed=self.seed + number,
                    threads=self.threads,
                    progress=stage.progress,
                    **(REFINING if self.refine else FITTING),
                )

        return self._kept(f"round-{number}.net", made)

    def labels(self) -> TrainingLabels:
        """All labels so far."""
        own = labels_in(self.folder)
        if self.plain is None:
            return own
        return TrainingLabels.joined([own, labels_in(self.plain).without_tokens(own.targets.shape[1])])

    def grown(self, net: core.Net) -> core.Net:
        """The net with the token states and the phases of the recipe."""
        if self.recipe.token_states > 1:
            net = net.for_money()
        if net.states < self.recipe.token_states:
            net = net.widened()
        return net.divided() if net.phases < self.recipe.phases else net

    def _kept(self, name: str, made: Callable[[], core.Net]) -> core.Net:
        """The net in that file; it is made now if there is none."""
        path = self.folder / name
        if not path.exists():
            publish(made(), path)
        return core.Net.parse(path.read_bytes())


class _Stage:
    """One stage of a run, which is logged when it is complete."""

    def __init__(self, run: TrainingRun, name: str) -> None:
        self.run, self.name = run, name
        self.facts: dict[str, int] = {}
        self.done, self.error = 0, 0.0
        self.elsewhere = 0.0  # processor seconds of other processes

    @property
    def progress(self) -> TrainingProgress:
        """Keeps what is done, and reports it."""

        def seen(done: int, error: float) -> None:
            self.done, self.error = done, error
            if self.run.report is not None:
                self.run.report(self.name, done, error)

        return seen

    @property
    def seconds(self) -> float:
        """Processor seconds of the stage so far."""
        return time.process_time() - self.began + self.elsewhere

    def __enter__(self) -> _Stage:
        self.began = time.process_time()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            return
        seconds = self.seconds
        self.run.spent += seconds
        entry = {"stage": self.name, "seconds": round(seconds, 2), "done": self.done, "error": round(self.error, 5)}
        with self.run.log_path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry | self.facts) + "\n")


def _digest(rules: Rules) -> str:
    """Twelve hexadecimal digits of all in which the rules differ from backgammon."""
    plain, differing = Rules(), []
    for axis in fields(Rules)[1:]:
        value, usual = getattr(rules, axis.name), getattr(plain, axis.name)
        names = () if isinstance(value, bool) else [field.name for field in fields(value)]
        differing += [
            (axis.name, name, said) for name in names if (said := getattr(value, name)) != getattr(usual, name)
        ]
        if not names and value != usual:
            differing.append((axis.name, "", value))
    return fingerprint(differing)


def _said(told: dict[str, Any]) -> str:
    return f"{', '.join(told['starts'])} (" + ", ".join(f"{k}={v}" for k, v in told.items() if k != "starts") + ")"


def labels_in(folder: str | os.PathLike[str]) -> TrainingLabels:
    """The labels in the folder of a training; NetError for none."""
    files = sorted(Path(folder).glob(LABELS))
    if not files:
        raise NetError("no labels in %(folder)s", folder=folder)
    return TrainingLabels.joined(map(TrainingLabels.load, files))


def refined(recipe: Recipe) -> Recipe:
    """The recipe for training a net further."""
    return replace(recipe, **REFINED)  # type: ignore[arg-type]
