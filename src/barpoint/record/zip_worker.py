"""Writes many matches as files of a zip, in a process of its own, so that it does not slow down a server.

`python -m barpoint.record.zip_worker SUFFIX LANGUAGE MORE` reads a `NamedMatch` as JSON from each line and writes the zip; MORE
matches were not sent. What is not in the zip, or not whole, is named in the file LEFT_OUT in it.
"""

from __future__ import annotations

import io
import sys
import zipfile
from dataclasses import replace
from typing import Final

import msgspec

from barpoint.error import BarpointError
from barpoint.language import _, in_language, listed, ngettext
from barpoint.priority import lower_priority
from barpoint.record.file import format_book
from barpoint.record.log_notes import parse_book_log
from barpoint.record.xg_writer import left_out

BEHIND: Final = 5
"""How much nicer the process is than its parent."""

LEFT_OUT: Final = "left-out.txt"
"""The file of a zip that says what is not in it."""


class NamedMatch(msgspec.Struct, frozen=True):
    """A match with the name of its file, without suffix. log: as `book_log`; the names in it do not count."""

    name: str
    players: tuple[str, str]
    log: msgspec.Raw


def zipped(lines: bytes, suffix: str, more: int = 0) -> bytes:
    """The zip, without matches that the format cannot hold. more: how many matches are not in these lines."""
    buffer, notes = io.BytesIO(), []
    if more:
        notes.append(
            ngettext(
                "%(num)s more match is not in this file; choose fewer at once.",
                "%(num)s more matches are not in this file; choose fewer at once.",
                more,
            )
        )
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as pack:
        for one in msgspec.json.Decoder(NamedMatch).decode_lines(lines):
            name, book = f"{one.name}{suffix}", replace(parse_book_log(bytes(one.log)), players=one.players)
            try:
                pack.writestr(name, format_book(book, suffix))
            except BarpointError as error:
                notes.append(_("%(name)s is not in this file: %(reason)s", name=name, reason=error.translated()))
                continue
            if suffix == ".xg" and (things := left_out(book)):
                said = _("Left out there: %(things)s.", things=listed([_(thing) for thing in things]))
                notes.append(f"{name}: {said}")
        if notes:
            pack.writestr(LEFT_OUT, "\n".join(notes) + "\n")
    return buffer.getvalue()


def main() -> int:
    """Reads matches from standard input."""
    lower_priority(BEHIND)
    suffix, code, more = sys.argv[1:]
    with in_language(code):
        sys.stdout.buffer.write(zipped(sys.stdin.buffer.read(), suffix, int(more)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
