"""Colours of the pages and of the board themes, read from the style sheet that browsers get."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_SHEET: Final = (Path(__file__).parents[1] / "data" / "look" / "palette.css").read_text(encoding="utf-8")
_BLOCK: Final = re.compile(r"^([^\s/][^\n]*) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_COLOUR: Final = re.compile(r"--bg-([a-z-]+): (?:light-dark\()?(#[0-9a-f]{6})")

Colours = Mapping[str, str]
"""The light scheme's values as `#rrggbb`, by variable name without `--bg-`."""


def _colours(block: str) -> dict[str, str]:
    return dict(_COLOUR.findall(block))


_BLOCKS: Final = {selector: _colours(block) for selector, block in _BLOCK.findall(_SHEET)}

PAGE: Final[Colours] = _BLOCKS[":root"]
"""Colours of the pages in the light scheme."""

_DARK: Final = re.compile(r"--bg-([a-z-]+): light-dark\(#[0-9a-f]{6}, (#[0-9a-f]{6})\)")

PAGE_DARK: Final[Colours] = dict(_DARK.findall(_SHEET.partition("}")[0]))
"""Those that differ in the dark scheme."""

BOARDS: Final[Mapping[str, Colours]] = {"walnut": _BLOCKS["bg-board"]} | {
    found[1]: _BLOCKS["bg-board"] | colours
    for selector, colours in _BLOCKS.items()
    if (found := re.search(r'data-theme="([a-z]+)"', selector))
}
"""Colours of the board by theme; a theme inherits from walnut what it does not change."""
