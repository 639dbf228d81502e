"""`barpoint worker`: does analyses and rollouts for servers, on any machine."""

from __future__ import annotations

from typing import Annotated

import typer

from barpoint.cli.database import DATABASE_VARIABLE
from barpoint.language import N_


def worker(
    database: Annotated[
        str,
        typer.Option(
            help="The database of the servers: postgresql://user:password@host/name.", envvar=DATABASE_VARIABLE
        ),
    ],
    jobs: Annotated[int, typer.Option(help="Jobs at the same time, each in a process of low priority.", min=1)] = 1,
    log: Annotated[str, typer.Option(help="text, or json for a line of JSON for everything that happens.")] = "text",
) -> None:
    """Take analyses and rollouts from the queue until stopped; what is unfinished then waits for another worker."""
    from barpoint.server.worker import run

    run(database, jobs, log)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Do analyses and rollouts for servers."))(worker)
