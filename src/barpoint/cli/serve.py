"""`barpoint serve`: the play server and its pages."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from barpoint.cli.database import DatabaseOption
from barpoint.cli.program import GAMES
from barpoint.language import N_
from barpoint.own_games import use_folder


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for every one.")] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(help="Port; by default 8000, or the next one that is free.", min=0, max=65535)
    ] = None,
    database: DatabaseOption = "",
    pubsub: Annotated[
        str,
        typer.Option(
            help="redis://host, for several processes; by default PostgreSQL's own NOTIFY.", envvar="BARPOINT_PUBSUB"
        ),
    ] = "",
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    bot_delay_ms: Annotated[int, typer.Option(help="Shortest time between two acts of a bot.", min=0)] = 700,
    log: Annotated[str, typer.Option(help="text, or json for a line of JSON for everything that happens.")] = "text",
    fibs: Annotated[
        str, typer.Option(help="Port for FIBS clients, on this machine alone; HOST:PORT to be reached from others.")
    ] = "",
    address: Annotated[str, typer.Option(help="Where people find it, such as https://play.example.org.")] = "",
    workers: Annotated[
        int, typer.Option(help="Analyses and rollouts at the same time; 0 leaves them to barpoint worker.", min=0)
    ] = 2,
    games: Annotated[
        str,
        typer.Option(
            help="Folder with games of your own, such as short.toml, and their nets, short.net.",
            envvar=GAMES,
        ),
    ] = "",
    analyse_ended: Annotated[
        str, typer.Option(help="Analyse matches that end: deep (a quick look, then thoroughly), quick, or off.")
    ] = "deep",
) -> None:
    """Serve until stopped; everything is kept in the database, even unfinished turns.

    BARPOINT_MAIL names the mail server: smtp://user:password@host:587?from=club@example.org; it needs --address.
    """
    from barpoint.server.command import run
    from barpoint.server.domain.settings import Settings, default_database, parse_analyse_ended

    if games:
        use_folder(games)
    mail = os.environ.get("BARPOINT_MAIL", "")
    settings = Settings(
        database or default_database(),
        pubsub,
        bot_delay_ms=bot_delay_ms,
        address=address,
        mail=mail,
        fibs=fibs,
        workers=workers,
        analyse_ended=parse_analyse_ended(analyse_ended),
    )
    run(settings, host, port, open_page, log)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Serve the pages on which to play."))(serve)
