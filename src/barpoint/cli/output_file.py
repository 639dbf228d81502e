"""A file that a command writes at the end of long work: checked before it begins."""

from __future__ import annotations

import os
from pathlib import Path


def check_writable(path: Path) -> None:
    """OSError, with the file's name, for a file that could not be written; it is left as it is, or absent."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        return  # a device or a pipe: opening it could already say something
    new = not os.path.lexists(path)
    with path.open("ab"):
        pass
    if new:
        path.unlink()


def write_text(path: Path, text: str) -> None:
    """Writes the file; OSError with its name, which that of a full disk lacks."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        error.filename = str(path)
        raise
