"""Turns a picture of a position into PNG and its pixels, which needs the extra `png`."""

from __future__ import annotations

import zlib
from typing import Final, Never

import numpy as np
import numpy.typing as npt

from barpoint.draw.scene import Drawable
from barpoint.draw.svg import svg
from barpoint.error import ArgumentError, BarpointError, check_kind, check_names, whole_number

_MOST_PX: Final = 10_000

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_RGBA: Final = bytes((8, 6, 0, 0, 0))
"""What a header says after the size: four channels of eight bits, row by row."""


def pixels(picture: bytes) -> npt.NDArray[np.uint8]:
    """uint8 [height, width, 3]: red, green and blue of a picture that `png` has made, on white. ArgumentError for other content."""
    check_kind("picture", picture, bytes)
    header = picture[16:29]
    if not picture.startswith(_SIGNATURE) or header[8:] != _RGBA:
        raise ArgumentError("the content is no picture that png() has made; allowed: its result")
    width, height = int.from_bytes(header[:4], "big"), int.from_bytes(header[4:8], "big")
    packed, at = b"", len(_SIGNATURE)
    while at < len(picture):
        size, kind = int.from_bytes(picture[at : at + 4], "big"), picture[at + 4 : at + 8]
        packed += picture[at + 8 : at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 4 * width + 1)
    found, above = np.zeros((height, 4 * width), np.uint8), np.zeros(4 * width, np.uint8)
    for number, row in enumerate(rows):
        above = found[number] = _unfiltered(int(row[0]), row[1:], above)
    shown = found.reshape(height, width, 4).astype(np.uint16)
    alpha = shown[..., 3:]
    return ((shown[..., :3] * alpha + 255 * (255 - alpha) + 127) // 255).astype(np.uint8)


def _unfiltered(kind: int, row: npt.NDArray[np.uint8], above: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """[4 * width] of a row of pixels before it was filtered: 0 none, 1 by its left, 2 by the row above, 3 by the mean of both, 4 by
    the nearest of both and their corner to left + above - corner (RFC 2083, 6).
    """
    if kind == 0:
        return row
    if kind == 1:
        return np.cumsum(row.reshape(-1, 4), axis=0, dtype=np.uint8).reshape(-1)
    if kind == 2:
        return row + above
    made, given, up = bytearray(len(row) + 4), row.tolist(), above.tolist()
    for at, value in enumerate(given):
        left, over, corner = made[at], up[at], up[at - 4] if at >= 4 else 0
        if kind == 3:
            guess = (left + over) // 2
        else:
            by_left, by_over, by_corner = abs(over - corner), abs(left - corner), abs(left + over - 2 * corner)
            guess = left if by_left <= by_over and by_left <= by_corner else over if by_over <= by_corner else corner
        made[at + 4] = (value + guess) & 255
    return np.frombuffer(made, np.uint8)[4:]


def png(shown: Drawable | str, *, width_px: int = 640, **unknown: Never) -> bytes:
    """A picture as the content of a PNG file.

    shown: the text that `svg` made with all it was told, or anything that `svg` draws. ArgumentError for a width outside
    1 to 10,000 and a text that is no picture; BarpointError without the library resvg_py, which `pip install 'barpoint[png]'` brings.
    """
    check_names(unknown, ("shown", "width_px"))
    width_px = whole_number("width_px", width_px)
    if not 1 <= width_px <= _MOST_PX:
        raise ArgumentError("width_px is %(width)s; allowed: 1 to %(most)s", width=width_px, most=_MOST_PX)
    try:
        import resvg_py
    except ModuleNotFoundError:
        raise BarpointError("pictures as PNG need the library resvg_py: pip install 'barpoint[png]'") from None
    try:
        return bytes(resvg_py.svg_to_bytes(svg_string=shown if isinstance(shown, str) else svg(shown), width=width_px))
    except ValueError as error:
        raise ArgumentError("the text is no picture: %(error)s; allowed: what svg() has made", error=error) from None
