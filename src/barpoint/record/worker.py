"""Reads match files of strangers in a process of its own, one after the other, each with limited CPU time.

`python -m barpoint.record.worker` reads files from its input, each after a line with its suffix and its number of bytes,
and writes a line for each of them: a `FoundFile` as JSON.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Final

import msgspec

from barpoint.error import BarpointError, FormatError
from barpoint.language import Said
from barpoint.priority import lower_priority
from barpoint.record.book import Book
from barpoint.record.digest import match_digest
from barpoint.record.file import parse_books
from barpoint.record.log_notes import book_log
from barpoint.record.oddity import Oddity
from barpoint.record.text_annotations import format_annotated
from barpoint.record.xgp_reader import ARCHIVE, annotated_position, parse_annotated_xgp

MAX_EVENTS: Final = 10_000
"""Maximum events of a match; a match to 25 points has about 3,000."""

MAX_S: Final = 20
"""Maximum CPU seconds for one file."""

MAX_MATCHES: Final = 50
"""Maximum matches of one file."""

MAX_PLAYS: Final = 5
"""Maximum evaluated plays of a decision that are kept."""

MAX_TOLD: Final = 100
"""Maximum oddities that are told."""

BEHIND: Final = 5
"""How much nicer the process is than its parent."""


class FoundMatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match of a file. log: as `book_log`. digest: as `match_digest`. oddities: what was odd, and how it was read. refused: why it is not taken;
    the rest is then empty. played_on: as in `Book`.
    """

    players: tuple[str, str] = ("", "")
    log: msgspec.Raw = msgspec.Raw(b"null")
    oddities: tuple[Oddity, ...] = ()
    refused: Said | None = None
    played_on: str = ""
    digest: str = ""


class FoundFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """The matches of a file, in its order. refused: why none can be read. position: what the file holds instead, as a text that
    `parse_annotated` reads; "" for nothing.
    """

    matches: tuple[FoundMatch, ...] = ()
    refused: Said | None = None
    position: str = ""


def read(data: bytes, suffix: str) -> FoundFile:
    """Reads a file with this suffix and checks its plays against today's rules."""
    try:
        if suffix == ARCHIVE:
            return FoundFile(position=format_annotated(parse_annotated_xgp(data).shortened(MAX_PLAYS)))
        books = parse_books(data, suffix, audit=True)
        if len(books) > MAX_MATCHES:
            raise FormatError(
                "a file of %(count)s matches; at most %(max_matches)s are read",
                count=len(books),
                max_matches=MAX_MATCHES,
            )
    except BarpointError as error:
        return FoundFile(refused=error.said, position=_position_in(data))
    return FoundFile(tuple(map(_checked, books)))


def _position_in(data: bytes) -> str:
    """The one position that a file holds, with what it says of it; "" for none, or one that an ID cannot express."""
    try:
        return format_annotated(annotated_position(data).shortened(MAX_PLAYS))
    except BarpointError:
        return ""


def _checked(book: Book) -> FoundMatch:
    """The match, if it is neither empty nor too long."""
    events = len(book.match.events)
    if not 0 < events <= MAX_EVENTS:
        why = Said("a match of %(events)s events; allowed: 1 to %(most)s", {"events": events, "most": MAX_EVENTS})
        return FoundMatch(book.players, refused=why)
    told = book.oddities[:MAX_TOLD]
    log, digest = msgspec.Raw(book_log(book, MAX_PLAYS)), match_digest(book.match, book.players)
    return FoundMatch(book.players, log, told, played_on=book.played_on, digest=digest)


def main() -> int:
    """Reads files from standard input until it ends."""
    lower_priority(BEHIND)
    while header := sys.stdin.buffer.readline():
        suffix, size = header.decode().split()
        _limit_cpu()
        found = read(sys.stdin.buffer.read(int(size)), suffix)
        sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
        sys.stdout.buffer.flush()
    return 0


def _limit_cpu() -> None:
    """Lets the process use MAX_S more seconds of CPU; then the system ends it."""
    with suppress(ImportError, OSError, ValueError):  # not every system has limits
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + MAX_S, hard))


if __name__ == "__main__":
    raise SystemExit(main())
