"""Reads a client's bytes as lines: without telnet's control bytes, bounded, printable."""

from __future__ import annotations

from enum import Enum
from typing import Final

MAX_LINE: Final = 1024
"""Maximum bytes of a line."""

_END, _SUB, _IAC, _LF = 240, 250, 255, 10
_OPTIONS = range(251, 255)


class _Telnet(Enum):
    """State of the telnet parser (RFC 854)."""

    TEXT = 0
    COMMAND = 1  # after IAC
    OPTION = 2  # after WILL, WONT, DO, DONT
    SUB = 3  # in a subnegotiation
    SUB_COMMAND = 4  # after an IAC in it


class Lines:
    """Splits bytes into lines. No input is an error, and memory stays bounded."""

    def __init__(self) -> None:
        self._pending = bytearray()
        self._long = False
        self._state = _Telnet.TEXT

    def feed(self, data: bytes) -> list[str | None]:
        """The lines completed by these bytes; None for each line that was too long."""
        found: list[str | None] = []
        for byte in data:
            if byte == _LF:
                found.append(None if self._long else clean(bytes(self._pending)))
                self._pending.clear()
                self._long, self._state = False, _Telnet.TEXT
            elif self._is_text(byte):
                if len(self._pending) < MAX_LINE:
                    self._pending.append(byte)
                else:
                    self._long = True
        return found

    def _is_text(self, byte: int) -> bool:
        """Whether a byte belongs to the line."""
        match self._state:
            case _Telnet.TEXT if byte != _IAC:
                return True
            case _Telnet.TEXT:
                self._state = _Telnet.COMMAND
            case _Telnet.COMMAND:
                option = _Telnet.OPTION if byte in _OPTIONS else _Telnet.TEXT
                self._state = _Telnet.SUB if byte == _SUB else option
            case _Telnet.OPTION:
                self._state = _Telnet.TEXT
            case _Telnet.SUB if byte == _IAC:
                self._state = _Telnet.SUB_COMMAND
            case _Telnet.SUB_COMMAND:
                self._state = _Telnet.TEXT if byte == _END else _Telnet.SUB
        return False


def clean(line: bytes) -> str:
    """A line as stripped text: invalid UTF-8 and unprintable characters become spaces."""
    text = line.decode("utf-8", "replace").replace("\ufffd", " ")
    return "".join(character if character.isprintable() else " " for character in text).strip()
