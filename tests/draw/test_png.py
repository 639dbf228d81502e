"""Pictures as PNG."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

import barpoint as bp
from barpoint.draw import pixels
from barpoint.error import ArgumentError


def size_of(picture: bytes) -> tuple[int, int]:
    """Width and height, which the header of a PNG file names first."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def test_whatever_svg_draws_and_its_own_pictures_become_png() -> None:
    match = bp.Match.start(length=3)
    for shown in (match, match.game, match.game.position, bp.svg(match, theme="night")):
        assert size_of(bp.png(shown))[0] == 640


def test_the_picture_keeps_its_proportions_at_any_width() -> None:
    narrow, wide = (size_of(bp.png(bp.variant().start, width_px=width)) for width in (200, 1000))
    assert (narrow[0], wide[0]) == (200, 1000)
    assert abs(wide[1] - 5 * narrow[1]) <= 5


def test_the_numbers_of_the_points_are_drawn_where_a_font_is_installed() -> None:
    picture = bp.svg(bp.variant().start)
    assert bp.png(picture) != bp.png(picture.replace(">13</text>", "></text>"))


@pytest.mark.parametrize("width", [0, -5, 10_001])
def test_a_width_that_no_picture_has_is_refused(width: int) -> None:
    with pytest.raises(bp.ArgumentError, match="allowed: 1 to 10000"):
        bp.png(bp.variant().start, width_px=width)


def test_a_text_that_is_no_picture_is_refused() -> None:
    with pytest.raises(bp.ArgumentError, match=r"the text is no picture: .*; allowed: what svg"):
        bp.png("<svg>")


def filtered(kind: int, row: bytes, above: bytes) -> bytes:
    """A row of pixels as PNG stores it, by RFC 2083, 6."""
    found = bytearray([kind])
    for at, value in enumerate(row):
        a, b, c = (row[at - 4] if at > 3 else 0), above[at], (above[at - 4] if at > 3 else 0)
        nearest = min((a, b, c), key=lambda one: abs(a + b - c - one))
        found.append((value - (0, a, b, (a + b) // 2, nearest)[kind]) % 256)
    return bytes(found)


def test_pixels_are_read_whatever_filter_a_row_has() -> None:
    rng = np.random.default_rng(1)
    shown = rng.integers(0, 256, (10, 7, 4), np.uint8)
    shown[5:, :, 3] = 255
    rows = [bytes(28), *(row.tobytes() for row in shown)]
    data = zlib.compress(b"".join(filtered(at % 5, row, rows[at]) for at, row in enumerate(rows[1:])))
    parts = (
        (b"IHDR", bytes((0, 0, 0, 7, 0, 0, 0, 10, 8, 6, 0, 0, 0))),
        (b"IDAT", data[:20]),
        (b"IDAT", data[20:]),
        (b"IEND", b""),
    )
    picture = b"\x89PNG\r\n\x1a\n" + b"".join(
        len(one).to_bytes(4, "big") + kind + one + bytes(4) for kind, one in parts
    )
    found = pixels(picture)
    assert (found[5:] == shown[5:, :, :3]).all()
    share = shown[:5, :, 3:] / 255
    assert np.abs(found[:5] - (shown[:5, :, :3] * share + 255 * (1 - share))).max() <= 0.51


def test_the_pixels_of_a_board_have_the_size_of_its_picture() -> None:
    picture = bp.png(bp.variant().start, width_px=200)
    assert pixels(picture).shape == (*size_of(picture)[::-1], 3)
    with pytest.raises(ArgumentError, match=r"no picture that png\(\) has made"):
        pixels(b"\xff\xd8")
