"""`barpoint stats`: a player's rating over many matches, where it is lost, and against whom."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from barpoint.analysis.many import FileSummaries, distinct, summaries
from barpoint.analysis.statistics import most_frequent_name, played_by, statistics_of
from barpoint.analysis.statistics_text import format_course, format_statistics
from barpoint.analysis.summary import AnalysedMatch
from barpoint.cli.match_sources import MatchPaths, given_files
from barpoint.cli.output_file import check_writable, write_text
from barpoint.cli.position import NetOption
from barpoint.cli.rules_option import OwnRulesOption, use_files
from barpoint.engine.limits import MAX_PLIES
from barpoint.engine.table import cache_folder
from barpoint.error import FormatError, OptionError
from barpoint.language import N_, _, ngettext
from barpoint.record.collection import MatchFile

DAYS: Final = ["%Y-%m-%d"]
"""How a day is given."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Show a player's rating over many matches, where it is lost, and against whom."))(stats)


def stats(
    files: MatchPaths,
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--player", help=N_("Whose statistics; several for all the names of one player. The most frequent.")
        ),
    ] = None,
    since: Annotated[
        datetime | None, typer.Option("--since", formats=DAYS, help=N_("The first day, such as 2026-01-01."))
    ] = None,
    until: Annotated[
        datetime | None, typer.Option("--until", formats=DAYS, help=N_("The last day, such as 2026-12-31."))
    ] = None,
    plies: Annotated[int, typer.Option("--plies", "-p", min=0, max=MAX_PLIES, help=N_("Search depth in rolls."))] = 0,
    processes: Annotated[int, typer.Option("--processes", min=1, help=N_("Matches analysed at the same time."))] = (
        os.cpu_count() or 1
    ),
    json: Annotated[bool, typer.Option("--json", help=N_("Print the statistics as JSON."))] = False,
    csv: Annotated[Path | None, typer.Option("--csv", help=N_("Also write the matches as a table."))] = None,
    game: OwnRulesOption = "",
    net: NetOption = None,
) -> None:
    """Analyse what has not been analysed, and print; Ctrl-C prints the result so far, with the status 130."""
    use_files(game, net)
    if since and until and since > until:
        raise OptionError(
            "--since %(since)s is after --until %(until)s",
            since=since.date().isoformat(),
            until=until.date().isoformat(),
        )
    if csv is not None:
        check_writable(csv)
    found, stopped = _summaries(given_files(files), plies, processes)
    if not found:
        raise FormatError("none of the files holds a match that can be analysed")
    names = tuple(players or (most_frequent_name(found),))
    played = played_by(found, names)
    if not played:
        known = sorted({name for one in found for name in one.names})
        raise FormatError(
            "nobody called %(names)s played these matches; players: %(known)s",
            names=" / ".join(names) or "-",
            known=", ".join(known[:20]) or "-",
        )
    played = [one for one in played if _within(one.match.played_on, since, until)]
    if not played:
        raise FormatError("none of these matches has a day in this period; matches without a day are left out")
    statistics = statistics_of(played)
    typer.echo(msgspec.json.encode(statistics).decode() if json else format_statistics(statistics), nl=json)
    unfinished = statistics.matches - statistics.won - statistics.lost
    if unfinished and not json:
        typer.echo(
            "\n"
            + ngettext(
                "%(num)s match is unfinished or ended even", "%(num)s matches are unfinished or ended even", unfinished
            )
        )
    if csv is not None:
        write_text(csv, format_course(statistics))
        typer.echo(_("table written to %(file)s", file=csv), err=True)
    if stopped:
        raise typer.Exit(130)


def _within(played_on: str, since: datetime | None, until: datetime | None) -> bool:
    """Whether a match of that day, such as 2026-05-03, is in a period; one without a day is only where there is no period."""
    if not played_on:
        return since is None and until is None
    first, last = (f"{day:%Y-%m-%d}" if day else "" for day in (since, until))
    return first <= played_on and (not last or played_on <= last)


def _summaries(files: list[MatchFile], plies: int, processes: int) -> tuple[list[AnalysedMatch], bool]:
    """The matches of the files, in order and each once; those there are when Ctrl-C is pressed, and whether it was.

    Refusals and matches that were there already go to standard error. Exit when Ctrl-C is pressed before the first match.
    """
    found: dict[int, FileSummaries] = {}
    stopped = False
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(_("files"), total=len(files))
            for number, one in summaries(files, plies, processes, cache_folder() / "summaries"):
                found[number] = one
                for why in one.refused:
                    bar.console.print(f"{files[number].name}: {why}", markup=False, highlight=False, soft_wrap=True)
                bar.advance(task)
    except KeyboardInterrupt:
        if not any(one.matches for one in found.values()):
            typer.echo(_("stopped; no match was analysed yet"), err=True)
            raise typer.Exit(130) from None
        stopped = True
        typer.echo(_("stopped; the result so far:"), err=True)
    matches, repeated = distinct((files[number].name, one) for number, one in sorted(found.items()))
    for name, first in repeated:
        typer.echo(_("%(file)s: the same match as %(first)s", file=name, first=first), err=True)
    return matches, stopped
