"""Pictures as PNG."""

from __future__ import annotations

import struct

import pytest

import barpoint as bp


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
