"""Writes files that are complete or unchanged, whatever happens while they are written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO


@contextmanager
def replacing(file: Path) -> Iterator[IO[bytes]]:
    """A file to write into that takes the place of another when it is complete; on an error nothing is left of it.

    It is written beside the other one, whose folder must exist; what a killed process leaves begins with the same name. OSError with that
    name, which the error of a full disk lacks.
    """
    beside = file.with_name(f"{file.name}.{token_hex(4)}")
    try:
        with beside.open("xb") as out:
            yield out
        beside.replace(file)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(file)) from None
        raise
