"""What is odd about a file that is nevertheless read: where, what was found, and what was assumed."""

from __future__ import annotations

from dataclasses import dataclass

from barpoint.error import FormatError
from barpoint.language import Said, _

MAX_ODDITIES = 500
"""Maximum that is kept of one file; a file with more is damaged in a way that repeats itself."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file. line, column: counted from 1; 0 when the whole file is meant.

    offset: of a binary file, the byte in its unpacked contents; None for text. ply: of a file of plies, its number.
    """

    line: int = 0
    column: int = 0
    offset: int | None = None
    ply: int | None = None

    def __str__(self) -> str:
        if self.ply is not None:
            return f"ply {self.ply}"
        if self.offset is not None:
            return f"byte {self.offset}"
        return f"line {self.line}, column {self.column}" if self.line else ""

    def translated(self) -> str:
        """The place in the language that holds now; "" for the whole file."""
        if self.offset is not None:
            return _("byte %(offset)s", offset=self.offset)
        return _("line %(line)s, column %(column)s", line=self.line, column=self.column) if self.line else ""


WHOLE_FILE = Place()


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something in a file that does not follow the rules or the format. assumed: how it was read. str() is English."""

    found: Said
    assumed: Said
    place: Place = WHOLE_FILE

    def __str__(self) -> str:
        where = str(self.place)
        return f"{where}{': ' if where else ''}{self.found}; {self.assumed}"

    def translated(self) -> str:
        """Where it is, what was found and how it was read, in the language that holds now."""
        where = self.place.translated()
        return f"{where}{': ' if where else ''}{self.found.translated()}; {self.assumed.translated()}"


class Oddities:
    """Collects what is odd about one file, or refuses the first oddity when the reading is strict."""

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.found: list[Oddity] = []

    def add(self, found: Said, assumed: Said, place: Place = WHOLE_FILE) -> None:
        """Notes an oddity; FormatError when the reading is strict."""
        if self.strict:
            raise FormatError(found, place.line, place.column)
        if len(self.found) < MAX_ODDITIES:
            self.found.append(Oddity(found, assumed, place))
