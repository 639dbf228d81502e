"""`barpoint convert`: matches from one file format to another, and IDs from one spelling to the others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from barpoint.draw import png, svg
from barpoint.error import FormatError
from barpoint.language import N_, _, ngettext
from barpoint.record import (
    WRITTEN,
    Book,
    format_gnuid,
    format_ogid,
    format_xgid,
    match_files,
    parse_id,
    read_match,
    read_matches,
    write_match,
)
from barpoint.record.collection import ZIP, MatchFile
from barpoint.variants import variant


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=N_(
            "Convert match files (.json, .mat, .txt, .sgf, .xg; .ogxm and .bgf are read only), also folders and zips of them,"
            " or show an ID in every spelling or as a picture."
        )
    )(convert)


def convert(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar=N_("SOURCE... TARGET"), help=N_("Match files, folders and zips; or the ID of a position.")
        ),
    ],
    game: Annotated[str, typer.Option("--variant", "-v", help=N_("Rules of an ID."))] = "backgammon",
    to: Annotated[str, typer.Option("--to", help=N_("Format of the files written into a folder."))] = "mat",
    strict: Annotated[bool, typer.Option("--strict", help=N_("Refuse files in which anything is odd."))] = False,
) -> None:
    """Read one, write the other."""
    if Path(sources[0]).is_dir() or (Path(sources[0]).suffix and ":" not in sources[0]):
        if len(sources) < 2:
            raise FormatError("the file or folder to write is missing, such as match.json")
        paths, target = [Path(one) for one in sources[:-1]], Path(sources[-1])
        if len(paths) == 1 and not paths[0].is_dir() and paths[0].suffix.lower() != ZIP and target.suffix:
            book = read_match(paths[0], strict=strict)
            show_oddities(str(paths[0]), book)
            write_match(book, target)
            games = ngettext("%(num)s game", "%(num)s games", len(book.match.finished))
            events = ngettext("%(num)s event", "%(num)s events", len(book.match.events))
            typer.echo(_("%(games)s, %(events)s written to %(file)s", games=games, events=events, file=target))
        elif not _into_folder(paths, target, f".{to.lstrip('.').lower()}", strict):
            raise typer.Exit(1)
        return
    _convert_id(sources, game)


def _into_folder(paths: list[Path], folder: Path, suffix: str, strict: bool) -> bool:
    """Converts every match of the paths; whether all of them could be."""
    if suffix not in WRITTEN:
        raise FormatError("%(suffix)r cannot be written; known: %(allowed)s", suffix=suffix, allowed=", ".join(WRITTEN))
    folder.mkdir(parents=True, exist_ok=True)
    written = refused = odd = 0
    taken: set[str] = set()
    for file in match_files(paths):
        try:
            books = read_matches(file.data, strict=strict, suffix=file.suffix)
            for book in books:
                write_match(book, folder / _free_name(file, suffix, taken))
        except FormatError as error:
            typer.echo(_("%(file)s: refused: %(why)s", file=file.name, why=error.translated()), err=True)
            refused += 1
            continue
        for book in books:
            show_oddities(file.name, book)
        written, odd = written + len(books), odd + sum(bool(book.oddities) for book in books)
    matches = ngettext("%(num)s match", "%(num)s matches", written)
    files = ngettext("%(num)s file", "%(num)s files", refused)
    said = _(
        "%(matches)s written to %(folder)s, %(odd)s of them with something odd", matches=matches, folder=folder, odd=odd
    )
    typer.echo(_("%(said)s; %(files)s refused", said=said, files=files))
    return not refused


def _free_name(file: MatchFile, suffix: str, taken: set[str]) -> str:
    """The file's own name with another suffix, numbered where several have the same."""
    name, number = f"{file.stem}{suffix}", 1
    while name.lower() in taken:
        number += 1
        name = f"{file.stem}-{number}{suffix}"
    taken.add(name.lower())
    return name


def show_oddities(name: str, book: Book) -> None:
    """Lists on standard error what was odd about a file."""
    for oddity in book.oddities:
        typer.echo(f"{name}: {oddity.translated()}", err=True)


def _convert_id(sources: list[str], game: str) -> None:
    if len(sources) > 2:
        raise FormatError("one ID at a time, and at most one file to write")
    source, target = sources[0], Path(sources[1]) if len(sources) == 2 else None
    rules = variant(game)
    said = parse_id(source, rules.checkers)
    if target is None:
        for format_id in (format_gnuid, format_xgid, format_ogid):
            try:
                typer.echo(format_id(said))
            except FormatError as error:
                typer.echo(f"({error.translated()})")
        return
    if target.suffix not in (".svg", ".png"):
        raise FormatError("%(name)r: an ID can be written as .svg or .png", name=target.name)
    near = None if said.owner is None else said.owner == said.player
    picture = svg(said.position, meeting=rules.movement.meeting, dice=said.dice, cube=said.cube, cube_near=near)
    target.write_bytes(png(picture) if target.suffix == ".png" else picture.encode())
    typer.echo(_("picture written to %(file)s", file=target))
