"""A file of a match read in a process of its own, which has a bounded time: for files from strangers.

`python -m barpoint.record.worker SUFFIX` reads the file and writes a `FoundMatch` as JSON.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

import msgspec

from barpoint.error import BarpointError, FormatError
from barpoint.match import write_log
from barpoint.record.file import parse_book

MAX_EVENTS: Final = 10_000
"""Events of a match that is taken: a match to 25 points has some 3,000."""

MAX_S: Final = 20
"""Seconds of work that one file may cost."""

BEHIND: Final = 5
"""Steps of priority below whoever started it."""


class FoundMatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a file holds. log: of the match, as `write_log`. refused: why it cannot be read; then there is nothing else."""

    players: tuple[str, str] = ("", "")
    log: msgspec.Raw = msgspec.Raw(b"null")
    refused: str = ""


def read(data: bytes, suffix: str) -> FoundMatch:
    """What a file with this suffix holds, its plays checked against today's rules."""
    try:
        book = parse_book(data, suffix, audit=True)
        events = len(book.match.events)
        if not 0 < events <= MAX_EVENTS:
            raise FormatError(f"a match of {events} events; allowed: 1 to {MAX_EVENTS}")
    except BarpointError as error:
        return FoundMatch(refused=str(error))
    return FoundMatch(book.players, msgspec.Raw(write_log(book.match)))


def main() -> int:
    """Read what comes in."""
    with suppress(OSError, AttributeError):  # not every system knows priorities
        os.nice(BEHIND)
    with suppress(ImportError, OSError, ValueError):  # nor limits
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (MAX_S, MAX_S))
    sys.stdout.buffer.write(msgspec.json.encode(read(sys.stdin.buffer.read(), sys.argv[1])))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
