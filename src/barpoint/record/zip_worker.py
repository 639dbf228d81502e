"""Writes many matches as files of a zip, in a process of its own, so that it does not slow down a server.

`python -m barpoint.record.zip_worker SUFFIX` reads a `NamedMatch` as JSON from each line and writes the zip.
"""

from __future__ import annotations

import io
import sys
import zipfile
from contextlib import suppress
from typing import Final

import msgspec

from barpoint.error import BarpointError
from barpoint.match import read_log
from barpoint.priority import lower_priority
from barpoint.record.book import Book
from barpoint.record.file import format_book

BEHIND: Final = 5
"""How much nicer the process is than its parent."""


class NamedMatch(msgspec.Struct, frozen=True):
    """A match with the name of its file, without suffix. log: as `write_log`."""

    name: str
    players: tuple[str, str]
    log: msgspec.Raw


def zipped(lines: bytes, suffix: str) -> bytes:
    """The zip; without matches that the format cannot hold."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as pack:
        for one in msgspec.json.Decoder(NamedMatch).decode_lines(lines):
            with suppress(BarpointError):
                pack.writestr(f"{one.name}{suffix}", format_book(Book(read_log(bytes(one.log)), one.players), suffix))
    return buffer.getvalue()


def main() -> int:
    """Reads matches from standard input."""
    lower_priority(BEHIND)
    sys.stdout.buffer.write(zipped(sys.stdin.buffer.read(), sys.argv[1]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
