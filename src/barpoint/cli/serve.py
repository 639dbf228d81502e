"""`barpoint serve`: the play server and its pages."""

from __future__ import annotations

from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for every one.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="Port; the next free one is used when it is taken.", min=0, max=65535)
    ] = 8000,
    database: Annotated[str, typer.Option(help="sqlite:///file; by default a file in your data folder.")] = "",
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    bot_delay_ms: Annotated[int, typer.Option(help="Shortest time between two acts of a bot.", min=0)] = 700,
) -> None:
    """Serve until stopped; everything is kept in the database, also what is being tried in mid-turn."""
    from barpoint.server.command import run

    run(host, port, database, open_page, bot_delay_ms)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help="Serve the pages on which to play.")(serve)
