"""`barpoint convert`: matches from one file format to another, and IDs from one spelling to the others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from barpoint.cli.eval import parse_situation
from barpoint.draw import svg
from barpoint.error import FormatError
from barpoint.record import format_gnuid, format_xgid, read_match, write_match
from barpoint.variants import variant


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help="Convert a match file (.json, .mat, .txt, .sgf; from .xg), or show an ID in every spelling or as a picture."
    )(convert)


def convert(
    source: Annotated[str, typer.Argument(help="A match file, or a GNU ID or XGID.")],
    target: Annotated[Path | None, typer.Argument(help="The file to write; .svg for the picture of an ID.")] = None,
    game: Annotated[str, typer.Option("--variant", "-v", help="Rules of an ID.")] = "backgammon",
) -> None:
    """Read one, write the other."""
    if Path(source).suffix and ":" not in source:
        if target is None:
            raise FormatError("the file to write is missing, such as match.json")
        book = read_match(source)
        write_match(book, target)
        typer.echo(f"{len(book.match.finished)} games, {len(book.match.events)} events written to {target}")
        return
    rules = variant(game)
    said = parse_situation(source, rules)
    if target is None:
        for format_id in (format_gnuid, format_xgid):
            try:
                typer.echo(format_id(said))
            except FormatError as error:
                typer.echo(f"({error})")
        return
    if target.suffix != ".svg":
        raise FormatError(f"{target.name!r}: an ID can be written as .svg")
    near = None if said.owner is None else said.owner == said.player
    picture = svg(said.position, meeting=rules.movement.meeting, dice=said.dice, cube=said.cube, cube_near=near)
    target.write_text(picture, encoding="utf-8")
    typer.echo(f"picture written to {target}")
