"""Every colour stands once, in data/look/palette.css: pages use its variables, pictures read it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from barpoint.draw import THEMES, svg
from barpoint.draw.palette import BOARDS, PAGE
from barpoint.variants import variant

BARPOINT = Path(__file__).parents[2] / "src" / "barpoint"
WEB = BARPOINT / "server" / "web"
COLOUR = re.compile(r"#[0-9a-f]{3,8}\b(?![\w-])|\b(?:rgb|hsl|oklch)a?\(", re.IGNORECASE)


@pytest.mark.parametrize("theme", BOARDS)
def test_a_picture_has_the_colours_of_the_board_on_the_pages(theme: str) -> None:
    board = BOARDS[theme]
    drawn = svg(variant("backgammon").start, theme=theme)
    for part in ("wood", "field", "odd", "even", "tray", "light", "light-line", "dark", "dark-inlay", "wood-text"):
        assert f'"{board[part]}"' in drawn, part


def test_the_settings_offer_the_themes_of_the_palette() -> None:
    offered = re.findall(r'<option value="([a-z]*)">\{\{ _\("([A-Z][a-z]+)"\) \}\}</option>', _settings())
    assert {name.lower(): value or "walnut" for value, name in offered} == {name: name for name in BOARDS}
    assert set(BOARDS) < set(THEMES)


def _settings() -> str:
    page = next(text for file in WEB.glob("templates/*.html") if '<select name="board"' in (text := file.read_text()))
    found = re.search(r'<select name="board">.*?</select>', page, re.DOTALL)
    assert found
    return found[0]


def test_no_style_sheet_page_or_script_has_a_colour_of_its_own() -> None:
    files = [file for kind in ("css", "js", "html") for file in WEB.rglob(f"*.{kind}")]
    assert len(files) > 80
    for file in files:
        text = re.sub(r"#[a-z][\w-]*(?=[^;{}]*\{)|&#\d+;|href=\"[^\"]*\"", "", file.read_text(encoding="utf-8"))
        assert COLOUR.findall(text) == [], file


def test_every_variable_that_a_style_sheet_uses_is_in_the_palette_or_a_sheet_or_set_by_a_script() -> None:
    palette = (BARPOINT / "data" / "look" / "palette.css").read_text(encoding="utf-8")
    sheets = {file: file.read_text(encoding="utf-8") for file in WEB.rglob("*.css")}
    made = "".join(
        file.read_text(encoding="utf-8") for suffix in ("js", "html", "py") for file in WEB.rglob(f"*.{suffix}")
    )
    by_scripts = set(re.findall(r"""(?:setProperty\(|style=)["'](--[\w-]+)""", made))
    known = by_scripts | set(re.findall(r"(--[\w-]+):", palette + "".join(sheets.values())))
    assert len(sheets) > 10
    for file, text in sheets.items():
        assert set(re.findall(r"var\((--[\w-]+)", text)) <= known, file


def test_the_icon_has_colours_of_walnut() -> None:
    icon = (WEB / "static" / "icon.svg").read_text(encoding="utf-8")
    assert set(re.findall(r"#[0-9a-f]{6}", icon)) <= set(BOARDS["walnut"].values())


def test_the_palette_says_the_colours_of_the_light_scheme() -> None:
    assert (PAGE["page"], PAGE["text"]) == ("#faf7f2", "#2b2420")
    assert BOARDS["harbour"]["goal"] == BOARDS["walnut"]["goal"], "what a theme does not set is as in walnut"
