"""Net files as the package holds the large ones: compressed, the lower bytes of all weights before the higher ones, which are alike."""

from __future__ import annotations

import zlib
from typing import Final

import numpy as np

from barpoint.error import NetError

MAGICS: Final = b"\x78\xda", b"\x78\x01"
"""How zlib begins at its highest level and without repeats; the second byte is no letter, as in other net files."""
STRATEGIES: Final = zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY
"""Bytes of weights hardly ever repeat, but some are more frequent: one of these is 3 to 4 % smaller than zlib's default."""
MOST: Final = 1 << 26
"""Bytes of a net, so that a small file cannot ask for all memory."""


def packed(data: bytes) -> bytes:
    """The compressed form of a net file; `unpacked` gives it back."""
    packers = [zlib.compressobj(9, strategy=strategy) for strategy in STRATEGIES]
    return min((packer.compress(data[0::2] + data[1::2]) + packer.flush() for packer in packers), key=len)


def unpacked(data: bytes) -> bytes:
    """The net file, whether it was packed or not. NetError for a packed one that is damaged."""
    if not data.startswith(MAGICS):
        return data
    reader = zlib.decompressobj()
    try:
        halves = reader.decompress(data, MOST)
    except zlib.error as error:
        raise NetError("net file: %(error)s", error=error) from None
    if not reader.eof or len(halves) % 2:
        raise NetError("net file: %(size)s bytes that do not end as a packed one", size=len(data))
    return np.frombuffer(halves, np.uint8).reshape(2, -1).T.tobytes()
