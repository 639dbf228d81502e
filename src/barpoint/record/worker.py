"""Reads a match file from a stranger in a process of its own, with limited CPU time.

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
"""Maximum events of a match; a match to 25 points has about 3,000."""

MAX_S: Final = 20
"""Maximum CPU seconds for one file."""

MAX_TOLD: Final = 100
"""Maximum oddities that are told."""

BEHIND: Final = 5
"""How much nicer the process is than its parent."""


class FoundMatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """The contents of a file. log: of the match, as `write_log`. oddities: what was odd, and how it was read. refused: why it cannot be read; the rest is then
    empty.
    """

    players: tuple[str, str] = ("", "")
    log: msgspec.Raw = msgspec.Raw(b"null")
    oddities: tuple[str, ...] = ()
    refused: str = ""


def read(data: bytes, suffix: str) -> FoundMatch:
    """Reads a file with this suffix and checks its plays against today's rules."""
    try:
        book = parse_book(data, suffix, audit=True)
        events = len(book.match.events)
        if not 0 < events <= MAX_EVENTS:
            raise FormatError(
                "a match of %(events)s events; allowed: 1 to %(max_events)s", events=events, max_events=MAX_EVENTS
            )
    except BarpointError as error:
        return FoundMatch(refused=str(error))
    told = tuple(str(one) for one in book.oddities[:MAX_TOLD])
    return FoundMatch(book.players, msgspec.Raw(write_log(book.match)), told)


def main() -> int:
    """Reads a file from standard input."""
    with suppress(OSError, AttributeError):  # not every system has priorities
        os.nice(BEHIND)
    with suppress(ImportError, OSError, ValueError):  # or limits
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (MAX_S, MAX_S))
    sys.stdout.buffer.write(msgspec.json.encode(read(sys.stdin.buffer.read(), sys.argv[1])))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
