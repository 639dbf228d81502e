"""The board of notebooks in a browser: the script and the style that a cell gets, with the real board in Python behind them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import barpoint as bp
from barpoint.notebook import Board
from tests.browser.hand import Hand
from tests.support.machine import PATIENCE_S

CELL = """async ([script, style, view, later]) => {
    document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
    const { default: widget } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    const listeners = {}, values = { view, options: { speed: "none" } };
    const model = { get: (name) => values[name], on: (what, then) => { listeners[what] = then; }, off() {},
      send: async (message) => { for (values.view of await window.kernel(message)) listeners["change:view"](); } };
    const cell = document.createElement("div");
    if (!later) document.body.append(cell);
    widget.render({ model, el: cell });
    if (later) document.body.append(cell);
}"""


class Cell:
    """A cell of a notebook that shows a board."""

    def __init__(self, page: Page, board: Board) -> None:
        self.page, self.board = page, board
        self.views: list[str] = []
        board.observe(lambda change: self.views.append(change.new), "view")
        page.expose_function("kernel", self.heard)

    def heard(self, message: dict[str, Any]) -> list[str]:
        """The views that answer a message of the script."""
        self.views.clear()
        self.board._handle_custom_msg(message, [])
        return self.views

    def show(self, later: bool = False) -> Hand:
        """Shows the board; later: its element joins the page after it was filled, as JupyterLab does it."""
        self.page.evaluate(CELL, [self.board._esm, self.board._css, self.board.view, later])
        return Hand(self.page)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 900, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_S * 1000)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    context.close()
    assert complaints == []


def test_a_play_is_dragged_and_ended_and_the_bot_answers(page: Page) -> None:
    cell = Cell(page, Board(opponent=bp.Bot(), dice=bp.dice.seeded(1)))  # 5-2
    hand = cell.show()
    hand.drag("p13", "p8")
    hand.drag("p24", "p22")
    page.get_by_role("button", name="Done").click()
    hand.until("document.querySelector('.bg-status').textContent === 'Roll, or double first'")
    assert cell.board.match.game.turn_number == 3


def test_a_board_filled_before_it_is_part_of_the_page_shows_its_checkers(page: Page) -> None:
    hand = Cell(page, Board(dice=bp.dice.seeded(1))).show(later=True)
    hand.until("document.querySelectorAll('.bg-checker').length === 30")


def test_two_boards_stand_in_one_notebook(page: Page) -> None:
    cell = Cell(page, Board(dice=bp.dice.seeded(1)))
    cell.show()
    cell.show()
    page.wait_for_function("document.querySelectorAll('bg-board .bg-checker').length === 60")
