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

    The temporary file lies in the same folder, which must exist; its name begins with that of the file. An OSError names the file,
    also that of a full disk, which names none itself.
    """
    part = file.with_name(f"{file.name}.{token_hex(4)}")
    try:
        with part.open("xb") as out:
            yield out
        part.replace(file)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(file)) from None
        raise
