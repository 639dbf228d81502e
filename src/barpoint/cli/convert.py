"""`barpoint convert`: matches from one file format to another, and IDs from one spelling to the others."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final

import typer

from barpoint.cli.match_folder import AddedMatch, MatchFolder, digests_in, digests_of
from barpoint.cli.match_sources import given_files, name_in_errors, show_oddities
from barpoint.cli.position import STANDARD_INPUT, id_text, is_id
from barpoint.cli.rules_option import chosen_rules
from barpoint.draw import png, svg
from barpoint.error import FormatError
from barpoint.language import N_, _, listed, ngettext
from barpoint.record import (
    WRITTEN,
    Book,
    format_book,
    format_gnuid,
    format_ogid,
    format_xgid,
    parse_id,
    read_matches,
    write_match,
)
from barpoint.record.any_id import decoded_text
from barpoint.record.collection import MatchFile
from barpoint.record.file import ARCHIVES, MATCH_TEXT, TREES, shown_format, write_whole
from barpoint.record.mat_reader import MAX_FILE_LENGTH
from barpoint.record.xg_writer import left_out
from barpoint.rules import Rules

SEVERAL: Final = (*MATCH_TEXT, *TREES)
"""Suffixes of formats that hold several matches."""

STANDARD_OUTPUT: Final = "-"

PICTURES: Final = (".svg", ".png")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=N_(
            "Convert match files (.json, .mat, .txt, .sgf, .xg; .ogxm and .bgf are read only), also folders and zips of them,"
            " or show an ID in every spelling or as a picture."
        )
    )(convert)


def convert(
    ctx: typer.Context,
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar=N_("SOURCE... TARGET"),
            help=N_(
                "Match files, folders and zips, or the ID of a position; - is standard input and, as TARGET, standard output."
            ),
        ),
    ],
    game: Annotated[
        str,
        typer.Option(
            "--variant", "-v", help=N_("Rules of an ID: a name, or the file of your own; also of your own in matches.")
        ),
    ] = "backgammon",
    to: Annotated[
        str, typer.Option("--to", help=N_("Format of what is written into a folder or to standard output."))
    ] = "mat",
    strict: Annotated[bool, typer.Option("--strict", help=N_("Refuse files in which anything is odd."))] = False,
) -> None:
    """Read one, write the other."""
    suffix = f".{to.lstrip('.').lower()}"
    rules = chosen_rules(game)
    picture = suffix if ctx.get_parameter_source("to").name != "DEFAULT" else ""  # type: ignore[union-attr]
    if sources == [STANDARD_INPUT, STANDARD_OUTPUT]:
        _from_input_to_output(rules, suffix, picture, strict)
        return
    if not _names_matches(sources):
        _convert_id(sources, rules, picture)
        return
    if len(sources) < 2:
        raise FormatError("the file or folder to write is missing, such as match.json")
    paths, target = [Path(one) for one in sources[:-1]], Path(sources[-1])
    if sources[-1] == STANDARD_OUTPUT:
        _to_output(given_files(paths), suffix, strict)
        return
    _check_target(paths, target, rules)
    if target.is_dir() or not target.suffix or sources[-1].endswith("/"):
        all_converted = _into_folder(paths, target, suffix, strict)
    else:
        all_converted = _into_file(paths, target, strict)
    if not all_converted:
        raise typer.Exit(1)


def _names_matches(sources: list[str]) -> bool:
    """Whether matches are to be converted, not an ID; standard input holds an ID where a picture or nothing is written."""
    first, several = sources[0], len(sources) > 1
    if several and Path(sources[-1]).suffix in PICTURES:
        return False
    if first == STANDARD_INPUT:
        return several
    return os.path.exists(first) or (bool(Path(first).suffix) and ":" not in first)


def _check_target(paths: list[Path], target: Path, rules: Rules) -> None:
    """FormatError where the last name is an ID, or a file that is probably one of the sources and would be written over."""
    if not target.is_dir() and is_id(str(target), rules):
        raise FormatError("an ID comes first: barpoint convert ID %(file)s", file=paths[0])
    if target.is_file() and (len(paths) > 1 or target.suffix.lower() == paths[0].suffix.lower()):
        raise FormatError(
            "the file or folder to write is missing: %(file)s is there already and is not written over", file=target
        )


def _check_kept(books: list[Book], target: Path) -> None:
    """FormatError where a file holds a match that is not among those that are written over it."""
    there, suffix = set(digests_in(target)), target.suffix.lower()
    if not there:
        return
    if lost := there.difference(*(digests_of(book, format_book(book, suffix), suffix) for book in books)):
        raise FormatError(
            "%(file)s holds another match and is not written over: %(count)s of %(all)s there would be lost; remove it first",
            file=target,
            count=len(lost),
            all=len(there),
        )


def _check_written(suffix: str) -> None:
    """FormatError for the suffix of a format that cannot be written."""
    if suffix.lower() not in WRITTEN:
        raise FormatError("%(suffix)r cannot be written; known: %(allowed)s", suffix=suffix, allowed=", ".join(WRITTEN))


def _into_file(paths: list[Path], target: Path, strict: bool) -> bool:
    """Writes every match of the paths into one file; whether all of them could be."""
    _check_written(target.suffix)
    files = [file for file in given_files(paths) if Path(file.name).resolve() != target.resolve()]
    books: list[Book] = []
    refused = 0
    for file in files:
        try:
            found = read_matches(file.data, strict=strict, suffix=file.suffix, name=name_in_errors(file))
        except FormatError as error:
            if len(files) == 1:
                raise
            _say_refused(file, error)
            refused += 1
            continue
        for book in found:
            show_oddities(file.name, book)
        books += found
    if not books:
        raise FormatError("none of the files holds a match that can be converted")
    _check_kept(books, target)
    if len(books) == 1 and len(files) == 1:
        write_match(books[0], target)
        _say_left_out(files[0], books[0], target.suffix)
        games = ngettext("%(num)s game", "%(num)s games", len(books[0].match.finished))
        events = ngettext("%(num)s event", "%(num)s events", len(books[0].match.events))
        typer.echo(_("%(games)s, %(events)s written to %(file)s", games=games, events=events, file=target))
        return True
    _write_matches(books, target)
    _say_written(len(books), target, sum(bool(book.oddities) for book in books), refused)
    return not refused


def _write_matches(books: list[Book], target: Path) -> None:
    """Writes matches one after the other; the file is complete or unchanged. FormatError where it could not be read back."""
    suffix = target.suffix.lower()
    if len(books) > 1 and suffix not in SEVERAL:
        raise FormatError(
            "%(count)s matches, and %(suffix)s holds one; allowed: %(allowed)s, or a folder",
            count=len(books),
            suffix=suffix,
            allowed=", ".join(SEVERAL),
        )
    text = b"".join(format_book(book, suffix) for book in books)
    if len(text) > MAX_FILE_LENGTH:
        raise FormatError(
            "%(count)s bytes in one file; at most %(most)s can be read back: write into a folder",
            count=len(text),
            most=MAX_FILE_LENGTH,
        )
    write_whole(target, text)


def _from_input_to_output(rules: Rules, suffix: str, picture: str, strict: bool) -> None:
    """Reads standard input and writes standard output: an ID where it holds one, else a match. picture: as in `_convert_id`."""
    files = given_files([Path(STANDARD_INPUT)])
    text = decoded_text(files[0].data)
    if not shown_format(files[0].data) and (suffix in PICTURES or is_id(text, rules)):
        _write_id(text, Path(STANDARD_OUTPUT), rules, picture)
    else:
        _to_output(files, suffix, strict)


def _to_output(files: list[MatchFile], suffix: str, strict: bool) -> None:
    """Writes the one match of the files to standard output, and nothing else; FormatError for several."""
    _check_written(suffix)
    found = [
        (file, book)
        for file in files
        for book in read_matches(file.data, strict=strict, suffix=file.suffix, name=name_in_errors(file))
    ]
    if len(found) != 1:
        raise FormatError("%(count)s matches; standard output takes one: write into a file or folder", count=len(found))
    ((file, book),) = found
    show_oddities(file.name, book)
    _say_left_out(file, book, suffix)
    typer.echo(format_book(book, suffix), nl=False)


def _into_folder(paths: list[Path], folder: Path, suffix: str, strict: bool) -> bool:
    """Converts every match of the paths; whether all of them could be."""
    _check_written(suffix)
    files = given_files(paths)
    into = MatchFolder(folder, suffix)
    written = there = numbered = odd = refused = 0
    for file in files:
        try:
            books = read_matches(file.data, strict=strict, suffix=file.suffix, name=name_in_errors(file))
            for book in books:
                added = into.add("match" if file.name == STANDARD_INPUT else file.stem, book)
                there += not added.is_new
                numbered += bool(added.taken)
                if added.is_new:
                    written, odd = written + 1, odd + bool(book.oddities)
                    _say_added(file, book, suffix, added)
        except FormatError as error:
            _say_refused(file, error)
            refused += 1
            continue
        for book in books:
            show_oddities(file.name, book)
    _say_written(written, folder, odd, refused)
    _say_kept(there, numbered)
    return not refused


def _say_added(file: MatchFile, book: Book, suffix: str, added: AddedMatch) -> None:
    """Says on standard error what is missing in a file, and that it has another name than its source."""
    _say_left_out(file, book, suffix)
    if added.taken:
        name, taken = added.name, added.taken
        said = _(
            "%(file)s: written as %(name)s; %(taken)s holds something else", file=file.name, name=name, taken=taken
        )
        typer.echo(said, err=True)


def _say_kept(there: int, numbered: int) -> None:
    """Says what became of files that stood in the folder before."""
    if there:
        kept = ngettext(
            "%(num)s match was there already; its file is as it was",
            "%(num)s matches were there already; their files are as they were",
            there,
        )
        typer.echo(kept)
    if numbered:
        other = ngettext(
            "%(num)s file has a number in its name: another file had the name already",
            "%(num)s files have a number in their names: other files had the names already",
            numbered,
        )
        typer.echo(other)


def _say_refused(file: MatchFile, error: FormatError) -> None:
    typer.echo(_("%(file)s: refused: %(why)s", file=file.name, why=error.translated()), err=True)


def _say_left_out(file: MatchFile, book: Book, suffix: str) -> None:
    """Says on standard error what a format has no place for, where it is left out without harm."""
    if suffix.lower() not in ARCHIVES:
        return
    if things := listed([_(name) for name in left_out(book)]):
        typer.echo(
            _("%(file)s: left out in %(suffix)s: %(things)s", file=file.name, suffix=suffix, things=things), err=True
        )


def _say_written(written: int, target: Path, odd: int, refused: int) -> None:
    matches = ngettext("%(num)s match", "%(num)s matches", written)
    files = ngettext("%(num)s file", "%(num)s files", refused)
    said = _(
        "%(matches)s written to %(folder)s, %(odd)s of them with something odd", matches=matches, folder=target, odd=odd
    )
    typer.echo(_("%(said)s; %(files)s refused", said=said, files=files))


def _convert_id(sources: list[str], rules: Rules, picture: str) -> None:
    """Writes the picture of an ID, or its other spellings to standard output. picture: the suffix that was asked for, or ""."""
    if len(sources) > 2:
        raise FormatError("one ID at a time, and at most one file to write")
    _write_id(id_text(sources[0]), Path(sources[1] if len(sources) == 2 else STANDARD_OUTPUT), rules, picture)


def _write_id(text: str, target: Path, rules: Rules, picture: str) -> None:
    """The same of the text of an ID."""
    said = parse_id(text, rules.checkers)
    printed = target == Path(STANDARD_OUTPUT)
    if picture:
        _check_picture(f"--to {picture.lstrip('.')}", picture)
    if not printed:
        _check_picture(target.name, target.suffix)
    suffix = picture if printed else target.suffix
    if not suffix:
        for format_id in (format_gnuid, format_xgid, format_ogid):
            try:
                typer.echo(format_id(said))
            except FormatError as error:
                typer.echo(f"({error.translated()})")
        return
    near = None if said.owner is None else said.owner == said.player
    drawn = svg(said.position, meeting=rules.movement.meeting, dice=said.dice, cube=said.cube, cube_near=near)
    data = png(drawn) if suffix == ".png" else drawn.encode()
    if printed:
        typer.echo(data, nl=False)
        return
    write_whole(target, data)
    typer.echo(_("picture written to %(file)s", file=target))


def _check_picture(name: str, suffix: str) -> None:
    if suffix not in PICTURES:
        raise FormatError("%(name)r: an ID can be written as .svg or .png", name=name)
