"""`barpoint verify-dice`: checks that the dice of a finished match are those that were fixed before it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from barpoint.language import N_, _, ngettext


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Check the report of the dice of a match or a chouette (docs/dice.md)."))(verify)


def verify(
    report: Annotated[
        Path,
        typer.Argument(
            metavar=N_("REPORT"), help=N_("The report, as /match/.../dice.json or /chouette/.../dice.json gives it.")
        ),
    ],
    commitment: Annotated[
        str, typer.Option("--commitment", help=N_("The commitment that you noted before the match, to compare."))
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
    said = _(
        "right: %(rolls)s and %(opening_rolls)s in %(games)s",
        rolls=ngettext("%(num)s roll", "%(num)s rolls", checked.rolls),
        opening_rolls=ngettext("%(num)s opening roll", "%(num)s opening rolls", checked.opening_rolls),
        games=ngettext("%(num)s game", "%(num)s games", checked.games),
    )
    rerolled = _("%(count)s rerolled", count=checked.rerolled)
    typer.echo(f"{said}, {rerolled}" if checked.rerolled else said)
    if read.of == "chouette":
        given = len(read.given)
        typer.echo(ngettext("players gave %(num)s seed for the dice", "players gave %(num)s seeds for the dice", given))
    for player, maker in enumerate(read.seeds_by):
        if maker == "server" and read.of == "match":
            typer.echo(_("the seed of player %(player)s was made by the server", player=player))
    if not commitment:
        typer.echo(
            _("compare the commitment with the one shown before the match: %(commitment)s", commitment=read.commitment)
        )
