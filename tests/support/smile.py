"""Writes Smile documents by the specification, for the tests of their reader: with shared names and texts, or without."""

from __future__ import annotations

import struct
from typing import Any


def smile(value: Any, *, shared: bool = True) -> bytes:
    """The document of a JSON value."""
    return _Writer(shared).document(value)


class _Writer:
    def __init__(self, shared: bool) -> None:
        self.shared = shared
        self.names: dict[str, int] = {}
        self.texts: dict[str, int] = {}

    def document(self, value: Any) -> bytes:
        return b":)\n" + bytes([3 if self.shared else 0]) + self.value(value)

    def value(self, value: Any) -> bytes:
        match value:
            case None:
                return b"\x21"
            case bool():
                return b"\x23" if value else b"\x22"
            case int():
                return self.integer(value)
            case float():
                bits = struct.unpack(">Q", struct.pack(">d", value))[0]
                return b"\x29" + bytes(bits >> 7 * group & 0x7F for group in range(9, -1, -1))
            case str():
                return self.text(value)
            case list():
                return b"\xf8" + b"".join(map(self.value, value)) + b"\xf9"
            case dict():
                return b"\xfa" + b"".join(self.name(name) + self.value(one) for name, one in value.items()) + b"\xfb"
        raise AssertionError(value)

    def integer(self, value: int) -> bytes:
        zigzag = value << 1 if value >= 0 else (-value << 1) - 1
        if zigzag < 32:
            return bytes([0xC0 + zigzag])
        found = [0x80 | zigzag & 0x3F]
        zigzag >>= 6
        while zigzag:
            found.insert(0, zigzag & 0x7F)
            zigzag >>= 7
        return b"\x24" + bytes(found)

    def name(self, name: str) -> bytes:
        data = name.encode()
        if not data:
            return b"\x20"
        if name in self.names:
            index = self.names[name]
            return bytes([0x40 + index]) if index < 64 else bytes([0x30 | index >> 8, index & 0xFF])
        if len(data) > (64 if data.isascii() else 57):
            return b"\x34" + data + b"\xfc"
        if self.shared:
            self.names[name] = len(self.names)
        return bytes([0x80 + len(data) - 1 if data.isascii() else 0xC0 + len(data) - 2]) + data

    def text(self, text: str) -> bytes:
        data = text.encode()
        if not data:
            return b"\x20"
        if text in self.texts:
            index = self.texts[text]
            return bytes([index + 1]) if index < 31 else bytes([0xEC | index >> 8, index & 0xFF])
        if len(data) > 64:
            return (b"\xe0" if data.isascii() else b"\xe4") + data + b"\xfc"
        if self.shared:
            self.texts[text] = len(self.texts)
        return bytes([0x40 + len(data) - 1 if data.isascii() else 0x80 + len(data) - 2]) + data
