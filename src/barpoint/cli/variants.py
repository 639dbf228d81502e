"""`barpoint variants`: what can be played."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from barpoint.language import N_, _
from barpoint.rules import Variant, spell_value
from barpoint.variants import variant, variants


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("List every variant and its options, or show one composition."))(show)


def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar=N_("NAME"), help=N_('A name such as "roll-over+nackgammon"; all variants when left out.')
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help=N_("Write JSON."))] = False,
) -> None:
    """Print the catalogue, or the canonical name and start of one composition."""
    if name:
        _show_one(name, as_json)
    elif as_json:
        typer.echo(json.dumps([_facts(entry) for entry in variants()], indent=2, ensure_ascii=False))
    else:
        for entry in variants():
            typer.echo(f"{entry.name:<15} {_(entry.line)}")
            for choice in entry.options:
                said = f"{choice.name}={'|'.join(map(spell_value, choice.values))}"
                typer.echo(f"    {said:<42} {_(choice.line)}")
        example = '"roll-over+duodecagammon(include_3_3)"'
        typer.echo("\n" + _("Join names with +, options in brackets: %(example)s.", example=example))


def _facts(entry: Variant) -> dict[str, object]:
    options = [
        {"name": choice.name, "line": choice.line, "values": list(choice.values), "default": choice.default}
        for choice in entry.options
    ]
    return {
        "name": entry.name,
        "title": entry.title,
        "line": entry.line,
        "source": entry.source,
        "aliases": list(entry.aliases),
        "options": options,
    }


def _show_one(name: str, as_json: bool) -> None:
    from barpoint.draw import board, plain
    from barpoint.record import format_position

    rules = variant(name)
    position = format_position(rules.start)
    if as_json:
        facts = {"name": rules.name, "position": position, "checkers": rules.checkers, "cube": rules.cube}
        typer.echo(json.dumps(facts))
        return
    typer.echo(f"{rules.name}\n\n{plain(board(rules.start, meeting=rules.movement.meeting))}\n")
    typer.echo(_("position %(id)s", id=position))
