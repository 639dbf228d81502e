"""`barpoint build`: makes the exact databases ahead of time."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Annotated, Final

import typer

from barpoint.cli.rules_option import chosen_rules
from barpoint.language import N_
from barpoint.rules import Rules

MAX_THREADS: Final = 256
"""Of the solver."""


class DatabaseKind(StrEnum):
    """The databases."""

    BEAROFF = "bearoff"
    HYPERGAMMON = "hypergammon"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Make exact databases and keep them in the cache."))(make)


def make(
    what: Annotated[
        DatabaseKind, typer.Argument(help="bearoff: races of few checkers. hypergammon: whole games of few checkers.")
    ],
    name: Annotated[
        str,
        typer.Option(
            "--rules",
            help='The game, such as "roll-over" or the file of your own; by default backgammon or hypergammon.',
        ),
    ] = "",
    checkers: Annotated[
        int | None,
        typer.Option(help="Most checkers a side: bearoff 1 to 10, by default 6; hypergammon 1 to 4, by default 3."),
    ] = None,
    against: Annotated[
        int,
        typer.Option(
            help="hypergammon: solve only positions in which one side has at most this many checkers on the board."
        ),
    ] = 0,
    threads: Annotated[
        int, typer.Option(help="Threads of hypergammon; by default all processors.", min=0, max=MAX_THREADS)
    ] = 0,
    executor: Annotated[
        str,
        typer.Option(help="hypergammon: who solves it instead of threads: processes, ray or the address of a cluster."),
    ] = "",
    workers: Annotated[int, typer.Option(help="Of the executor; by default one for each processor.")] = 0,
    folder: Annotated[
        Path | None,
        typer.Option(
            help="Where the executor's machines all find the values, under the same path; by default the cache."
        ),
    ] = None,
) -> None:
    """Solve the database and write it to the cache; when stopped, say what the same command does then."""
    try:
        if what is DatabaseKind.BEAROFF:
            _bearoff(chosen_rules(name or "backgammon"), 6 if checkers is None else checkers)
        else:
            _hypergammon(name, checkers, against, threads, (executor, workers or None), folder)
    except KeyboardInterrupt:
        kept = "goes on where it was stopped" if what is DatabaseKind.HYPERGAMMON else "begins again: nothing is kept"
        typer.echo(f"\nstopped; the same command {kept}", err=True)
        raise typer.Exit(130) from None


def _hypergammon(
    name: str, checkers: int | None, against: int, threads: int, named: tuple[str, int | None], folder: Path | None
) -> None:
    """named: the executor and its workers."""
    size = 3 if checkers is None else checkers
    rules = chosen_rules(name or (f"hypergammon(checkers={size})" if 1 <= size <= 4 else "hypergammon"))
    size = min(size, rules.checkers) if checkers is None else checkers
    if named[0] and not _solved_together(rules, size, against or None, named, folder):
        return
    _whole_games(rules, size, threads or min(os.cpu_count() or 1, MAX_THREADS), against or None)


def _bearoff(rules: Rules, checkers: int) -> None:
    """Leaves no file when stopped before the end."""
    from barpoint.engine.bearoff import build, cache_file, save

    started = monotonic()
    shown = sys.stderr.isatty()

    def tell(done: int, size: int) -> None:
        if shown:
            # Each position is solved against all before it, so the work grows with the square.
            typer.echo(f"\r{100 * done * done // (size * size):3d} %", nl=done == size, err=True)

    table = build(rules, checkers, tell)
    file = cache_file(rules, checkers)
    save(table, file)
    positions = (table.core.size - 1) ** 2
    typer.echo(
        f"bearoff {rules.name}: {positions:,} positions, {checkers} checkers a side, {monotonic() - started:.1f} s"
    )
    typer.echo(str(file))


def _whole_games(rules: Rules, checkers: int, threads: int, against: int | None) -> None:
    """Continues from there when stopped before the end."""
    from barpoint.engine import contact

    started = monotonic()
    shown = sys.stderr.isatty()

    def tell(stage: str, sweep: int, share: float, change: float) -> None:
        if shown:
            doing = "equities" if stage == "values" else "chances"
            typer.echo(
                f"\r{doing}, sweep {sweep + 1}, {100 * share:3.0f} %, changes up to {change:.1e} ", nl=False, err=True
            )

    made = contact.make(rules, checkers, threads, tell, against)
    if shown:
        typer.echo("", err=True)
    typer.echo(
        f"hypergammon {rules.name}: {checkers} checkers a side, {threads} threads, {monotonic() - started:.0f} s"
    )
    if made.against < checkers or checkers > contact.MAX_CHECKERS:
        typer.echo(f"{made.pairs:,} pairs of configurations, one side with at most {made.against} checkers")
        typer.echo(str(contact.slice_file(rules, checkers, made.against)))
        return
    if checkers == rules.checkers and made.states == 1:
        typer.echo(f"cubeless equity of the player who starts: {contact.opening_equity(made, rules):+.14f}")
    typer.echo(str(contact.cache_file(rules, checkers)))


def _solved_together(
    rules: Rules, checkers: int, against: int | None, named: tuple[str, int | None], folder: Path | None
) -> bool:
    """Whether the file of a database is still to be written; a slice is finished. Continues where it was stopped.

    named: the executor and its workers.
    """
    from barpoint.engine import contact
    from barpoint.engine.contact_shared import make_shared
    from barpoint.engine.executors import executor_named

    started = monotonic()
    shown = sys.stderr.isatty()
    line = ""

    def tell(stage: str, sweep: int, share: float, change: float) -> None:
        nonlocal line
        doing = "equities" if stage == "values" else "chances"
        before, line = line, f"{doing}, sweep {sweep + 1}, changes up to {change:.1e}"
        if shown:
            typer.echo(f"\r{line}, {100 * share:3.0f} % ", nl=False, err=True)
        elif line != before:  # a log of days has a line for each sweep
            typer.echo(f"{line}, {monotonic() - started:.0f} s", err=True)

    with executor_named(*named) as executor:
        file = make_shared(rules, checkers, against, executor, folder, tell)
    if shown:
        typer.echo("", err=True)
    if contact.engine_asks(checkers, against or checkers):
        return True
    typer.echo(f"hypergammon {rules.name}: {checkers} checkers a side, {named[0]}, {monotonic() - started:.0f} s")
    typer.echo(str(file))
    return False
