"""`barpoint analyse`: the decisions of a match judged, the worst errors first."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from barpoint.analysis import Study
from barpoint.record import read_book


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help="Judge the decisions of a match: errors, luck, performance rating.")(analyse)


def analyse(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A match: .mat, .txt, .sgf, .xg or .json.")],
    plies: Annotated[int, typer.Option("--plies", "-p", min=0, max=4, help="Rolls looked ahead.")] = 2,
    worst: Annotated[int, typer.Option("--worst", "-w", min=0, help="Errors listed; 0 for all.")] = 20,
    json: Annotated[bool, typer.Option("--json", help="Everything as JSON instead of text.")] = False,
    html: Annotated[Path | None, typer.Option("--html", help="Also write a page with pictures.")] = None,
    threads: Annotated[int, typer.Option("--threads", "-t", min=1, help="Threads of the search.")] = 1,
) -> None:
    """Analyse and print; Ctrl-C prints what is known by then."""
    from barpoint.engine import Engine

    book = read_book(file)
    study = Study(book, engine=Engine(book.match.rules, plies=plies, threads=threads))
    shows = sys.stderr.isatty()
    try:
        for done in study:
            if shows and done % 5 == 0:
                print(f"\r{done} of {len(study.match.events)} events", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("\nstopped; what is known so far:", file=sys.stderr)
    if shows:
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    report = study.report()
    typer.echo(report.json().decode() if json else report.text(worst or None), nl=json)
    if html is not None:
        html.write_text(report.html(), encoding="utf-8")
        print(f"page written to {html}", file=sys.stderr)
