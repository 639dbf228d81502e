"""`barpoint train`: a net for a game of one's own, from nothing, in minutes (docs/training.md)."""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic
from typing import Annotated, Final

import typer

from barpoint.cli.rules_option import chosen_rules
from barpoint.engine.limits import MAX_THREADS
from barpoint.language import N_

SHOWN_S: Final = 0.5
"""Seconds between two lines of progress in a terminal."""

_DONE: Final = {"first": "games", "labels": "games", "fit": "labels fitted"}
_STAGES: Final = {"first": "learning while playing", "labels": "labelling", "fit": "fitting"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Train a net for a game, such as a variant of your own, by self-play."))(train)


def train(
    game: Annotated[
        str, typer.Argument(metavar="VARIANT", help="The game: a name, or the file of your own, such as short.toml.")
    ],
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            file_okay=False,
            help="What the training keeps, and final.net; one that was stopped goes on there.",
        ),
    ],
    minutes: Annotated[
        float, typer.Option("--minutes", "-m", help="Processor minutes of all threads together, those before included.")
    ] = 5.0,
    hidden: Annotated[int, typer.Option("--hidden", help="Units of the net, a multiple of 16 up to 1024.")] = 64,
    first_games: Annotated[
        int, typer.Option("--first-games", min=1, help="Games of the first stage, learning while playing.")
    ] = 10_000,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds of labelling and fitting.")] = 1,
    threads: Annotated[int, typer.Option("--threads", "-t", min=1, max=MAX_THREADS, help="Threads.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same games.")] = 1,
) -> None:
    """Train, and say where the net is; Ctrl-C stops it with the status 130, and the same command goes on."""
    from barpoint.train import Recipe, TrainingRun

    rules = chosen_rules(game)
    rules.check_one_game()
    recipe = Recipe.small(rules, hidden=hidden, first_games=first_games, rounds=rounds)
    run = TrainingRun(recipe, folder, minutes, threads, seed, report=_Progress())
    try:
        net = run.train()
    except KeyboardInterrupt:
        typer.echo("\nstopped; the same command goes on", err=True)
        raise typer.Exit(130) from None
    if sys.stderr.isatty():
        typer.echo("", err=True)
    kinds = [(str(entry["stage"]).partition("-")[0], entry) for entry in run.log()]
    for kind, doing in _STAGES.items():
        found = [entry for each, entry in kinds if each == kind]
        done, seconds = (sum(entry[name] for entry in found) for name in ("done", "seconds"))
        error = f", error {found[-1]['error']:.4f}" if kind != "labels" else ""
        typer.echo(f"{doing}: {done:,} {_DONE[kind]}, {seconds:.0f} s{error}")
    typer.echo(f"{net}\nbarpoint play --variant {game} --net {net}")


class _Progress:
    """Shows in a terminal what is done, and in a log each stage once."""

    def __init__(self) -> None:
        self.stage, self.said, self.tty = "", 0.0, sys.stderr.isatty()

    def __call__(self, stage: str, done: int, error: float) -> None:
        new, now = stage != self.stage, monotonic()
        kind = stage.partition("-")[0]
        if self.tty and (new or now - self.said > SHOWN_S):
            line = f"{_STAGES[kind]}: {done:,} {_DONE[kind]}" + (f", error {error:.4f}" if error else "")
            typer.echo(f"\r{line:<60}", nl=False, err=True)
            self.said = now
        elif new and kind != self.stage.partition("-")[0]:
            typer.echo(_STAGES[kind], err=True)
        self.stage = stage
