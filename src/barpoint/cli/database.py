"""The option for the database of a server, which several commands take."""

from __future__ import annotations

from typing import Annotated, Final

import typer

DATABASE_VARIABLE: Final = "BARPOINT_DATABASE"
"""The environment variable that says the database; it keeps the password out of the list of processes."""

DatabaseOption = Annotated[
    str,
    typer.Option(
        help="sqlite:///file or postgresql://user:password@host/name; by default a file in your data folder.",
        envvar=DATABASE_VARIABLE,
    ),
]
