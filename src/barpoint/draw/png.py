"""Turns a picture of a position into PNG, which needs the extra `png`."""

from __future__ import annotations

from typing import Final

from barpoint.draw.scene import Drawable
from barpoint.draw.svg import svg
from barpoint.error import ArgumentError, BarpointError, check_kind

_MOST_PX: Final = 10_000


def png(shown: Drawable | str, *, width_px: int = 640) -> bytes:
    """A picture as the content of a PNG file.

    shown: the text that `svg` made with all it was told, or anything that `svg` draws. ArgumentError for a width outside
    1 to 10,000 and a text that is no picture; BarpointError without the library resvg_py, which `pip install 'barpoint[png]'` brings.
    """
    check_kind("width_px", width_px, int)
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
