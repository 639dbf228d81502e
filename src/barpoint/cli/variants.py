"""`barpoint variants`: what can be played."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Annotated

import typer

from barpoint.cli.rules_option import chosen_rules
from barpoint.error import OptionError
from barpoint.language import N_, _
from barpoint.rules import Rules, Variant, spell_value
from barpoint.variants import variants
from barpoint.variants.variant_file import format_variant


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("List every variant and its options, or show one composition."))(show)


def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar=N_("NAME"),
            help=N_('A name such as "roll-over+nackgammon", or the file of your own; all variants when left out.'),
        ),
    ] = "",
    as_file: Annotated[
        bool, typer.Option("--toml", help=N_("Write it as a file, to make a variant of your own of it."))
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help=N_("Write JSON."))] = False,
) -> None:
    """Print the catalogue, or the canonical name and start of one composition."""
    if as_file and not name:
        raise OptionError("--toml needs a name, such as plakoto")
    if as_file and as_json:
        raise OptionError("--toml and --json exclude each other")
    if as_file:
        typer.echo(format_variant(_own(name)), nl=False)
    elif name:
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


def _own(name: str) -> Variant:
    """The game of a name as a variant of one's own, whose name is free."""
    rules, plain = chosen_rules(name), Rules()
    entry = next((entry for entry in variants() if entry.name == rules.name), None)
    if entry is not None:
        return replace(entry, name=f"my-{entry.name}", options=(), aliases=())
    axes = {field.name: getattr(rules, field.name) for field in fields(Rules)[1:]}
    differing = {axis: value for axis, value in axes.items() if value != getattr(plain, axis)}
    return Variant("my-game", rules.name, "", "", differing)


def _show_one(name: str, as_json: bool) -> None:
    from barpoint.draw import board, plain
    from barpoint.record import format_position

    rules = chosen_rules(name)
    position = format_position(rules.start)
    if as_json:
        facts = {"name": rules.name, "position": position, "checkers": rules.checkers, "cube": rules.cube}
        typer.echo(json.dumps(facts))
        return
    typer.echo(f"{rules.name}\n\n{plain(board(rules.start, meeting=rules.movement.meeting))}\n")
    typer.echo(_("position %(id)s", id=position))
