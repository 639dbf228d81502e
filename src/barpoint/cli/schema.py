"""`barpoint schema`: the protocols of the server as documents for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from barpoint.language import N_


def schema(
    folder: Annotated[Path, typer.Argument(help="Where to write websocket.json and openapi.json.")] = Path("."),
) -> None:
    """Write JSON Schema and OpenAPI, made from the types that read and write the messages."""
    from barpoint.server.api.openapi import files

    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (folder / name).write_text(text, encoding="utf-8")
        typer.echo(folder / name)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Write the protocols of the server as JSON Schema and OpenAPI."))(schema)
