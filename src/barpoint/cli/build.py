"""`barpoint build`: makes tables that would otherwise be made when they are first needed."""

from __future__ import annotations

import sys
from enum import StrEnum
from time import monotonic
from typing import Annotated

import typer

from barpoint.variants import variant


class What(StrEnum):
    """What can be made."""

    BEAROFF = "bearoff"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help="Make exact tables and keep them for later.")(make)


def make(
    what: Annotated[What, typer.Argument(help="Which table.")],
    name: Annotated[str, typer.Option("--rules", help='The game, such as "roll-over".')] = "backgammon",
    checkers: Annotated[int, typer.Option(help="Most checkers a side, 1 to 10.")] = 6,
) -> None:
    """Solve the table and write it to the cache; stopped before its end it leaves no file."""
    from barpoint.engine.bearoff import build, cache_file, save

    rules = variant(name)
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
        f"{what.value} {rules.name}: {positions:,} positions, {checkers} checkers a side, {monotonic() - started:.1f} s"
    )
    typer.echo(str(file))
