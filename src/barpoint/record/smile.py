"""Reads Smile, the binary form of JSON that BGBlitz writes, by its published specification.

<https://github.com/FasterXML/smile-format-specification>. Numbers without bounds and raw bytes are refused.
"""

from __future__ import annotations

import struct
from typing import Final

from barpoint.error import FormatError
from barpoint.language import Said

SIGNATURE: Final = b":)\n"
MAX_DEPTH: Final = 60
"""Maximum depth of arrays and objects in each other."""

MAX_VALUES: Final = 2_000_000
"""Maximum values of a document; a long match with analyses has about 200,000."""

MAX_SHARED: Final = 1024
"""Names and texts that can be referred to; the next one forgets all of them."""

MAX_SHARED_BYTES: Final = 64
LONG_END: Final = 0xFC
"""Ends a text that does not say how long it is."""

ARRAY_END: Final = 0xF9
OBJECT_END: Final = 0xFB

SmileValue = None | bool | int | float | str | list["SmileValue"] | dict[str, "SmileValue"]


def parse_smile(data: bytes) -> SmileValue:
    """The value of a document; FormatError, with the byte where it is wrong."""
    if data[:3] != SIGNATURE or len(data) < 5:
        raise FormatError("no Smile document: it begins with something else than a smiley")
    reader = _SmileReader(data)
    try:
        return reader.value(reader.byte(), 0)
    except (IndexError, struct.error, UnicodeDecodeError):
        raise reader.error(Said("the document is cut off or damaged")) from None


class _SmileReader:
    """Reads from byte 4 on; the byte before says whether names and texts are referred to."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 4
        self.values = 0
        self.names: list[str] | None = [] if data[3] & 1 else None
        self.texts: list[str] | None = [] if data[3] & 2 else None

    def error(self, found: Said) -> FormatError:
        return FormatError("Smile, byte %(at)s: %(found)s", at=self.at, found=found)

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def value(self, token: int, depth: int) -> SmileValue:
        """The value that this token begins."""
        self.values += 1
        if self.values > MAX_VALUES or depth > MAX_DEPTH:
            raise self.error(Said("too many values, or too deep in each other"))
        match token:
            case 0x20:
                return ""
            case 0x21:
                return None
            case 0x22 | 0x23:
                return token == 0x23
            case 0x24 | 0x25:
                return self._integer()
            case 0x28:
                return float(struct.unpack(">f", self._bits(5, 4))[0])
            case 0x29:
                return float(struct.unpack(">d", self._bits(10, 8))[0])
            case 0xF8:
                return self._array(depth)
            case 0xFA:
                return self._object(depth)
            case _ if 0xC0 <= token <= 0xDF:
                return _zigzag(token - 0xC0)
            case _:
                return self._text(token)

    def _array(self, depth: int) -> list[SmileValue]:
        found = []
        while (token := self.byte()) != ARRAY_END:
            found.append(self.value(token, depth + 1))
        return found

    def _object(self, depth: int) -> dict[str, SmileValue]:
        found = {}
        while (token := self.byte()) != OBJECT_END:
            name = self._name(token)
            found[name] = self.value(self.byte(), depth + 1)
        return found

    def _name(self, token: int) -> str:
        if token == 0x20:
            return ""
        if 0x30 <= token <= 0x33:
            return self._shared(self.names, (token & 3) << 8 | self.byte())
        if token == 0x34:
            return self._long()
        if 0x40 <= token <= 0x7F:
            return self._shared(self.names, token - 0x40)
        if 0x80 <= token <= 0xBF:
            return self._known(self.names, token - 0x80 + 1)
        if 0xC0 <= token <= 0xF7:
            return self._known(self.names, token - 0xC0 + 2)
        raise self.error(Said("%(token)s begins no name", {"token": f"0x{token:02x}"}))

    def _text(self, token: int) -> str:
        if 0x01 <= token <= 0x1F:
            return self._shared(self.texts, token - 1)
        if 0x40 <= token <= 0x7F:
            return self._known(self.texts, token - 0x40 + 1)
        if 0x80 <= token <= 0xBF:
            return self._known(self.texts, token - 0x80 + 2)
        if token in (0xE0, 0xE4):
            return self._long()
        if 0xEC <= token <= 0xEF:
            return self._shared(self.texts, (token & 3) << 8 | self.byte())
        raise self.error(Said("%(token)s begins no value that is read", {"token": f"0x{token:02x}"}))

    def _known(self, table: list[str] | None, length: int) -> str:
        """A text of so many bytes, which later ones may refer to."""
        found = self._take(length).decode("utf-8")
        if table is not None and length <= MAX_SHARED_BYTES:
            if len(table) == MAX_SHARED:
                table.clear()
            table.append(found)
        return found

    def _shared(self, table: list[str] | None, number: int) -> str:
        if table is None or number >= len(table):
            raise self.error(Said("it refers to a text that has not occurred"))
        return table[number]

    def _long(self) -> str:
        end = self.data.find(LONG_END, self.at)
        if end < 0:
            raise IndexError
        found = self.data[self.at : end].decode("utf-8")
        self.at = end + 1
        return found

    def _take(self, count: int) -> bytes:
        found = self.data[self.at : self.at + count]
        if len(found) < count:
            raise IndexError
        self.at += count
        return found

    def _bits(self, groups: int, size: int) -> bytes:
        """So many bytes, packed as groups of seven bits, highest first."""
        number = 0
        for part in self._take(groups):
            number = number << 7 | part & 0x7F
        return (number & (1 << 8 * size) - 1).to_bytes(size, "big")

    def _integer(self) -> int:
        """A whole number: seven bits a byte, in the last one six; the lowest bit is the sign."""
        number = 0
        for _ in range(11):
            part = self.byte()
            if part & 0x80:
                return _zigzag(number << 6 | part & 0x3F)
            number = number << 7 | part
        raise self.error(Said("a number that does not end"))


def _zigzag(number: int) -> int:
    return number >> 1 ^ -(number & 1)
