"""Frames of WebSockets (RFC 6455): those of clients read into messages, those of the server written; without I/O."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

CONTINUED: Final = 0
TEXT: Final = 1
BINARY: Final = 2
CLOSE: Final = 8
PING: Final = 9
PONG: Final = 10
"""Kinds of frames."""

NORMAL: Final = 1000
AGAINST_PROTOCOL: Final = 1002
NO_CODE: Final = 1005
NOT_TEXT: Final = 1007
TOO_LONG: Final = 1009
"""Codes of closing; NO_CODE is never sent."""

SENT_CODES: Final = (*range(1000, 1004), *range(1007, 1015), *range(3000, 5000))
"""Codes that a client may send."""

MAX_CONTROL: Final = 125
"""Bytes of the payload of a control frame."""

FINAL: Final = 0x80
RESERVED: Final = 0x70
MASKED: Final = 0x80

Heard = tuple[int, str | bytes]
"""A message or control frame: TEXT with its text, any other kind with its bytes."""


class FrameError(Exception):
    """A client breaks the protocol. code: what its connection is closed with."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class FrameReader:
    """What one client sends, put together. max_size: bytes of the longest message."""

    __slots__ = ("_kind", "_max_size", "_parts", "_rest")

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        self._rest = b""  # the beginning of a frame
        self._kind = CONTINUED  # of the message whose end is still to come
        self._parts = b""  # of that message

    def feed(self, data: bytes) -> Iterator[Heard]:
        """The messages and control frames that these bytes complete. FrameError, after which nothing more is read."""
        data, at = self._rest + data if self._rest else data, 0
        while (frame := self._frame(data, at)) is not None:
            first, payload, at = frame
            kind, final = first & 15, first & FINAL
            if kind >= CLOSE:
                yield kind, payload
                continue
            if (kind == CONTINUED) != (self._kind != CONTINUED):
                raise FrameError(AGAINST_PROTOCOL, "a message continues that has not begun, or begins in another")
            if kind != CONTINUED:
                self._kind = kind
            if not final:
                self._parts += payload
                continue
            kind, payload = self._kind, self._parts + payload if self._parts else payload
            self._kind, self._parts = CONTINUED, b""
            yield kind, (_text(payload) if kind == TEXT else payload)
        self._rest = data[at:]

    def _frame(self, data: bytes, at: int) -> tuple[int, bytes, int] | None:
        """The frame at a place: its first byte, its payload unmasked, and its end. None if it is not there in full."""
        have = len(data) - at
        if have < 2:
            return None
        first, second = data[at], data[at + 1]
        size, head = second & 0x7F, 6
        if first & RESERVED or first & 15 not in (CONTINUED, TEXT, BINARY, CLOSE, PING, PONG):
            raise FrameError(AGAINST_PROTOCOL, "an unknown kind of frame")
        if not second & MASKED:
            raise FrameError(AGAINST_PROTOCOL, "a frame without a mask")
        if first & 15 >= CLOSE and (size > MAX_CONTROL or not first & FINAL):
            raise FrameError(AGAINST_PROTOCOL, "a control frame that is long or in parts")
        if size > MAX_CONTROL:
            head = 8 if size == 126 else 14
            if have < head - 4:
                return None
            size = int.from_bytes(data[at + 2 : at + head - 4])
        if size + len(self._parts) > self._max_size and first & 15 < CLOSE:
            raise FrameError(TOO_LONG, f"more than {self._max_size} bytes")
        start = at + head
        if have < head + size:
            return None
        return first, _unmasked(data[start : start + size], data[start - 4 : start]), start + size


def _unmasked(data: bytes, mask: bytes) -> bytes:
    """The payload of a frame without its mask, or with it."""
    size = len(data)
    repeated = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data) ^ int.from_bytes(repeated)).to_bytes(size)


def _text(payload: bytes) -> str:
    try:
        return payload.decode()
    except UnicodeDecodeError:
        raise FrameError(NOT_TEXT, "text that is not UTF-8") from None


def close_code(payload: bytes) -> int:
    """The code of a close frame, NO_CODE for an empty one; FrameError."""
    if not payload:
        return NO_CODE
    _text(payload[2:])
    code = int.from_bytes(payload[:2]) if len(payload) > 1 else 0
    if code not in SENT_CODES:
        raise FrameError(AGAINST_PROTOCOL, "an unknown code")
    return code


def frame(kind: int, payload: bytes) -> bytes:
    """A frame of the server: a message or control frame in one piece."""
    size = len(payload)
    if size <= MAX_CONTROL:
        return bytes((FINAL | kind, size)) + payload
    if size < 1 << 16:
        return bytes((FINAL | kind, 126)) + size.to_bytes(2) + payload
    return bytes((FINAL | kind, 127)) + size.to_bytes(8) + payload


def close_frame(code: int, reason: str = "") -> bytes:
    """A close frame of the server; a long reason is cut."""
    if code == NO_CODE:
        return frame(CLOSE, b"")
    kept = reason.encode()[: MAX_CONTROL - 2].decode(errors="ignore")
    return frame(CLOSE, code.to_bytes(2) + kept.encode())
