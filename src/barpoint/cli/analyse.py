"""`barpoint analyse`: finds the errors of a match and lists the worst first."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from barpoint.analysis import Report, Study
from barpoint.analysis.decision_table import DECISION_COLUMNS, decision_rows
from barpoint.cli.match_sources import MatchPaths, given_files, name_in_errors, printable_name, show_oddities
from barpoint.cli.output_file import check_writable, write_text
from barpoint.cli.position import NetOption
from barpoint.cli.rules_option import OwnRulesOption, use_files
from barpoint.csv_text import csv_text
from barpoint.engine.limits import MAX_PLIES, MAX_ROLLS
from barpoint.error import FormatError, OptionError
from barpoint.language import N_, SOURCE, _, in_language, language
from barpoint.record import Book, read_matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from barpoint.analysis.deepening import Depth
    from barpoint.engine import Engine, OutcomeProbabilities
    from barpoint.record.collection import MatchFile


class DeeperKind(StrEnum):
    """Which decisions are looked at a second time, as in `analysis.deepening.Which`."""

    BLUNDER = "blunder"
    ERROR = "error"
    DOUBTFUL = "doubtful"
    CLOSE = "close"


DeeperOption = Annotated[
    DeeperKind | None,
    typer.Option("--deeper", help=N_("Then roll out decisions this bad or worse, or close cube decisions.")),
]
DeeperPliesOption = Annotated[
    int | None, typer.Option("--deeper-plies", min=1, max=MAX_PLIES, help=N_("Search them to this depth instead."))
]
DeeperGamesOption = Annotated[int | None, typer.Option("--deeper-games", min=36, max=1 << 20, help=N_("Games."))]
DeeperTruncateOption = Annotated[
    int | None,
    typer.Option(
        "--deeper-truncate", min=0, max=MAX_ROLLS, help=N_("Rolls after which the net evaluates a game; 0: never.")
    ),
]
DeeperGamePliesOption = Annotated[
    int | None,
    typer.Option("--deeper-game-plies", min=0, max=MAX_PLIES, help=N_("Search depth in the games, in rolls.")),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Find the errors of matches, their luck and the performance ratings."))(analyse)


def analyse(
    files: MatchPaths,
    plies: Annotated[int, typer.Option("--plies", "-p", min=0, max=MAX_PLIES, help=N_("Search depth in rolls."))] = 2,
    worst: Annotated[int, typer.Option("--worst", "-w", min=0, help=N_("Errors to list; 0 for all."))] = 20,
    json: Annotated[bool, typer.Option("--json", help=N_("Print the report as JSON."))] = False,
    html: Annotated[Path | None, typer.Option("--html", help=N_("Also write a page with pictures."))] = None,
    rollout: Annotated[
        bool, typer.Option("--rollout", help=N_("Roll out what a search finds close: minutes for a match."))
    ] = False,
    deeper: DeeperOption = None,
    deeper_plies: DeeperPliesOption = None,
    deeper_games: DeeperGamesOption = None,
    deeper_truncate: DeeperTruncateOption = None,
    deeper_game_plies: DeeperGamePliesOption = None,
    threads: Annotated[int, typer.Option("--threads", "-t", min=1, help=N_("Threads of the search."))] = 1,
    csv: Annotated[Path | None, typer.Option("--csv", help=N_("Also write every decision as a table."))] = None,
    net: NetOption = None,
    game: OwnRulesOption = "",
) -> None:
    """Analyse and print; Ctrl-C prints the result so far, with the status 130."""
    from barpoint.engine import Engine

    rolled = {
        "--deeper-games": deeper_games,
        "--deeper-truncate": deeper_truncate,
        "--deeper-game-plies": deeper_game_plies,
    }
    use_files(game, None)
    _check_deeper(deeper, deeper_plies, rolled)
    depth = _depth(deeper_plies, *rolled.values())
    found = given_files(files)
    _check_outputs(found, html, csv)
    read, rows = 0, list[tuple[object, ...]]()
    for file, books in _readable(found):
        read += 1
        name = printable_name(file)
        if html is not None and len(books) > 1:
            raise FormatError(
                "a page is written of one match; %(name)s holds %(count)s", name=file.name, count=len(books)
            )
        for at, book in enumerate(books, start=1):
            show_oddities(file.name, book)
            if len(found) + len(books) > 2 and not json:
                several = _("%(file)s, match %(number)s", file=file.name, number=at)
                typer.echo(f"== {several if len(books) > 1 else file.name}")
            with in_language(SOURCE if json else language()):  # lessons are part of the JSON
                engine = Engine(book.match.rules, net=net, plies=plies, threads=threads, rollout=rollout)
                report, finished = _analyse(book, engine)
                if finished and deeper is not None:
                    report, finished = _look_again(book, report, engine, deeper, depth)
                _print(report, {"file": name, "match": at}, worst, json)
            rows += ((name, at, *row) for row in decision_rows(book.match, report)) if csv is not None else ()
            if html is not None:
                write_text(html, report.html(book))
                print(_("page written to %(file)s", file=html), file=sys.stderr)
            if not finished:
                _write_table(csv, rows)
                raise typer.Exit(130)
    _write_table(csv, rows)
    if read < len(found):
        raise typer.Exit(1)


def _check_outputs(files: list[MatchFile], html: Path | None, csv: Path | None) -> None:
    """Before anything is analysed: FormatError for a page of several files, OSError for a file that cannot be written."""
    if html is not None and len(files) != 1:
        raise FormatError("a page is written of one match; %(count)s were given", count=len(files))
    for written in (html, csv):
        if written is not None:
            check_writable(written)


def _readable(files: list[MatchFile]) -> Iterator[tuple[MatchFile, tuple[Book, ...]]]:
    """The files with their matches. One that cannot be read is left out with a message; FormatError where it is the only one."""
    for file in files:
        try:
            books = read_matches(file.data, suffix=file.suffix, name=name_in_errors(file))
        except FormatError as error:
            if len(files) == 1:
                raise
            typer.echo(_("%(file)s: refused: %(why)s", file=file.name, why=error.translated()), err=True)
        else:
            yield file, books


def _write_table(csv: Path | None, rows: list[tuple[object, ...]]) -> None:
    if csv is not None:
        write_text(csv, csv_text(("file", "match", *DECISION_COLUMNS), rows, exact=("position",)))
        typer.echo(_("table written to %(file)s", file=csv), err=True)


def _print(report: Report, source: dict[str, str | int], worst: int, json: bool) -> None:
    """The report, or one line of JSON. source: the file of the match, and its number there."""
    if not json:
        typer.echo(report.text(worst or None), nl=False)
        return
    typer.echo(msgspec.json.encode(source | msgspec.json.decode(report.json())).decode())


def _analyse(book: Book, engine: Engine[OutcomeProbabilities]) -> tuple[Report, bool]:
    """Analyses one match; the report, and whether it was not stopped by Ctrl-C."""
    study = Study(book, engine=engine)
    finished = _done(study, len(study.match.events), 5)
    return study.report(), finished


def _check_deeper(kind: DeeperKind | None, plies: int | None, rolled: dict[str, int | None]) -> None:
    """OptionError for options that would do nothing. rolled: those of rollouts, by their names."""
    given = [name for name, value in (("--deeper-plies", plies), *rolled.items()) if value is not None]
    if given and kind is None:
        raise OptionError("%(option)s is given without --deeper", option=given[0])
    if plies is not None and len(given) > 1:
        raise OptionError("%(option)s is given beside --deeper-plies, which searches instead", option=given[1])


def _depth(plies: int | None, games: int | None, truncate: int | None, game_plies: int | None) -> Depth:
    """How deep a second look is: a search to so many plies, or rollouts as at the deepest level but for what is given."""
    from barpoint.analysis.deepening import ROLLED, Depth

    if plies is not None:
        return Depth(plies)
    given = {"games": games, "truncate": truncate, "plies": game_plies, "cube_plies": game_plies}
    return Depth(
        rollout=msgspec.structs.replace(ROLLED, **{name: value for name, value in given.items() if value is not None})
    )


def _look_again(
    book: Book, report: Report, engine: Engine[OutcomeProbabilities], kind: DeeperKind, depth: Depth
) -> tuple[Report, bool]:
    """The report after a second look, and whether it was not stopped by Ctrl-C."""
    from barpoint.analysis.deepening import Deepening, chosen

    events = chosen(report, kind.value, depth)
    deepening = Deepening(book.match, report, events, depth, engine)
    finished = _done(deepening, len(events), 1)
    return deepening.report(), finished


def _done(work: Iterable[int], events: int, step: int) -> bool:
    """Does all, and shows how much is done after every so many; False where Ctrl-C stopped it."""
    stopped, shows = False, sys.stderr.isatty()
    try:
        for done in work:
            if shows and done % step == 0:
                said = _("%(done)s of %(total)s events", done=done, total=events)
                print(f"\r{said}", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        stopped = True
        print("\n" + _("stopped; the result so far:"), file=sys.stderr)
    if shows:
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    return not stopped
