"""Which extra of the package brings what a command lacks."""

from __future__ import annotations

from typing import Final

from barpoint.language import _

_CLI: Final = ("babel", "rich", "typer")
"""What `barpoint[cli]` installs; everything else that a command may lack is of `barpoint[server]`."""


def missing(error: ModuleNotFoundError) -> str:
    """What to install for a module that is not there; the error itself is raised again for one of our own."""
    name = (error.name or "").partition(".")[0]
    if name in ("", "barpoint"):
        raise error
    extra = "cli" if name in _CLI else "server"
    command = f"pip install 'barpoint[{extra}]'"
    return _("this needs %(name)s, which is not installed: %(command)s", name=name, command=command)
