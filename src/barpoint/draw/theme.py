"""The colours of still pictures of a board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.draw.palette import BOARDS, Colours


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of a board; `near`, `far` and `cube` are (face, edge and ring, text), `shine` and `umbra` light and shadow."""

    frame: str = "#5a4334"
    field: str = "#ece3d2"
    bar: str = "#6c5241"
    tray: str = "#84705e"
    points: tuple[str, str] = ("#d8bf9c", "#b9b79b")
    near: tuple[str, str, str] = ("#fbf8f1", "#a8977f", "#3c3228")
    far: tuple[str, str, str] = ("#3a3733", "#77706a", "#f6f1e6")
    number: str = "#cdbba4"
    name: str = "#f6f1e6"
    arrow: str = "#c2571a"
    token: str = "#e0b04a"
    cube: tuple[str, str, str] = near
    shine: str = "#fffaf0"
    umbra: str = "#1d0f06"


def _as_on_pages(board: Colours) -> Theme:
    """A board theme of the pages, for still pictures."""
    light, dark = board["light"], board["dark"]
    return Theme(
        frame=board["wood"],
        field=board["field"],
        bar=board["wood"],
        tray=board["tray"],
        points=(board["even"], board["odd"]),
        near=(light, board["light-line"], dark),
        far=(dark, board["dark-inlay"], light),
        number=board["wood-text"],
        shine=board["shine"],
        umbra=board["umbra"],
    )


THEMES: Final = {
    "linen": Theme(),
    "slate": Theme(
        frame="#2d3439",
        field="#c9d0d0",
        bar="#3b444a",
        tray="#5a676f",
        points=("#aab8bb", "#93a3ad"),
        near=("#fbf8f1", "#9aa3a5", "#2d3439"),
        far=("#7c2f2a", "#b5675c", "#fbf3ee"),
        number="#aebabf",
    ),
    "night": Theme(
        frame="#1d1a18",
        field="#3a3530",
        bar="#282420",
        tray="#332e2a",
        points=("#574d43", "#4b4f49"),
        near=("#efe8da", "#a8977f", "#2a2520"),
        far=("#a4502f", "#d08a67", "#fff6ee"),
        number="#8d8175",
    ),
    **{name: _as_on_pages(board) for name, board in BOARDS.items()},
}
"""Themes by name, for `svg(theme=...)`; walnut, harbour and orchard are the board themes of the pages."""
