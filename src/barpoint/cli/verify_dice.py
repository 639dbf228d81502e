"""`barpoint verify-dice`: checks that the dice of a finished match are those that were fixed before it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help="Check the report of the dice of a match or a chouette (docs/dice.md).")(verify)


def verify(
    report: Annotated[
        Path, typer.Argument(help="The report, as /match/.../dice.json or /chouette/.../dice.json gives it.")
    ],
    commitment: Annotated[
        str, typer.Option("--commitment", help="The commitment that you noted before the match, to compare.")
    ] = "",
) -> None:
    """Print what was checked; a report that is wrong is refused with the first roll that differs."""
    from barpoint.server.domain.dice_report import DiceRefused, check, read_report

    read = read_report(report.read_bytes())
    checked = check(read)
    if commitment and commitment.strip().lower() != read.commitment:
        raise DiceRefused(
            "the rolls fit the seed, but its commitment is %(commitment)s, not the one given",
            commitment=read.commitment,
        )
    said = f"{_counted(checked.rolls, 'roll')} and {_counted(checked.opening_rolls, 'opening roll')}"
    rerolled = f", {checked.rerolled} rerolled" if checked.rerolled else ""
    typer.echo(f"right: {said} in {_counted(checked.games, 'game')}{rerolled}")
    if read.of == "chouette":
        typer.echo(f"players gave {_counted(len(read.given), 'seed')} for the dice")
    for player, maker in enumerate(read.seeds_by):
        if maker == "server" and read.of == "match":
            typer.echo(f"the seed of player {player} was made by the server")
    if not commitment:
        typer.echo(f"compare the commitment with the one shown before the match: {read.commitment}")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
