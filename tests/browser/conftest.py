"""Chromium, and a page that shows only the board."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from os import environ
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserType, Page, ViewportSize, expect, sync_playwright

from tests.browser.hand import Hand
from tests.browser.site import Profiles, profiles_of
from tests.support.machine import PATIENCE_S

HERE = Path(__file__).parent
STATIC = HERE.parents[1] / "src" / "barpoint" / "server" / "web" / "static"
PALETTE = HERE.parents[1] / "src" / "barpoint" / "data" / "look" / "palette.css"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SHELL = "chromium-headless-shell"
"""Chromium without windows, for all tests but those that ask for what belongs to these. It needs half the time."""

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

ORDINARY: Final[ViewportSize] = {"width": 1000, "height": 760}
NO_MEDIA: Final = {
    "color_scheme": "light", "contrast": "no-preference", "forced_colors": "none", "reduced_motion": "no-preference",
}  # fmt: skip

expect.set_options(timeout=PATIENCE_S * 1000)  # 5 s otherwise


def chromium_path(*preferred: str) -> str:
    """The Chromium to use; BARPOINT_BROWSER names another than the one on PATH."""
    for name in (environ.get("BARPOINT_BROWSER", ""), *preferred, *NAMES):
        if name and (found := shutil.which(name)):
            return found
    pytest.fail("no Chromium found: install it (Debian: apt-get install chromium), or name it in BARPOINT_BROWSER")


# Package scope: Playwright keeps an event loop in this thread, which must end before asynchronous tests elsewhere run.
@pytest.fixture(scope="package")
def chromium() -> Iterator[BrowserType]:
    with sync_playwright() as playwright:
        yield playwright.chromium


def _launched(chromium: BrowserType, path: str) -> Iterator[Browser]:
    browser = chromium.launch(executable_path=path, args=list(ARGUMENTS))
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def browser(chromium: BrowserType) -> Iterator[Browser]:
    yield from _launched(chromium, chromium_path(SHELL))


@pytest.fixture
def whole_browser(chromium: BrowserType) -> Iterator[Browser]:
    """Chromium with windows and what belongs to them, such as notifications."""
    yield from _launched(chromium, chromium_path())


@pytest.fixture(scope="package")
def profiles(browser: Browser) -> Iterator[Profiles]:
    yield from profiles_of(browser)


class _Files(SimpleHTTPRequestHandler):
    """Serves /static/ from the package, like the server, and /page/ from this folder."""

    def translate_path(self, path: str) -> str:
        folder, _, rest = path.split("?")[0].lstrip("/").partition("/")
        if (folder, rest) == ("static", PALETTE.name):
            return str(PALETTE)
        return str({"static": STATIC, "page": HERE}.get(folder, HERE / "nothing") / rest)

    def end_headers(self) -> None:
        policy = "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self'; img-src 'self' data:"
        self.send_header("Content-Security-Policy", policy)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="package")
def board_address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/page/board.html"
    server.shutdown()
    server.server_close()
    thread.join()


class _Boards:
    """Pages with the board. A page is used again by the next test that wants the same kind of screen: it loads the
    document anew, which is much quicker than a new context.
    """

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address
        self._pages: dict[tuple[bool, bool], Page] = {}
        self.complaints: list[str] = []

    def open(
        self, *, viewport: ViewportSize = ORDINARY, has_touch: bool = False, is_mobile: bool = False, **media: Any
    ) -> Hand:
        """A hand at a fresh document with this screen; media: as for `emulate_media`."""
        kind = (has_touch, is_mobile)
        page = self._pages.get(kind) or self._new_page(*kind)
        self._pages[kind] = page
        page.mouse.up()  # a test may have left it down
        page.set_viewport_size(viewport)
        page.emulate_media(**{**NO_MEDIA, **media})
        page.goto(self._address)
        page.wait_for_function("Boolean(customElements.get('bg-board'))")
        return Hand(page)

    def _new_page(self, has_touch: bool, is_mobile: bool) -> Page:
        page = self._browser.new_context(has_touch=has_touch, is_mobile=is_mobile).new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        return page

    def drop(self, page: Page) -> None:
        """Closes a page that cannot be used again."""
        self._pages = {kind: kept for kind, kept in self._pages.items() if kept is not page}
        page.context.close()

    def close(self) -> None:
        """Closes all pages."""
        for page in [*self._pages.values()]:
            self.drop(page)


@pytest.fixture(scope="package")
def boards(browser: Browser, board_address: str) -> Iterator[_Boards]:
    made = _Boards(browser, board_address)
    yield made
    made.close()


@pytest.fixture
def open_board(boards: _Boards) -> Iterator[Any]:
    """A function that opens the board's page with these settings and returns its Hand."""
    boards.complaints.clear()
    opened: list[Hand] = []

    def open_page(**settings: Any) -> Hand:
        opened.append(boards.open(**settings))
        return opened[-1]

    yield open_page
    for hand in opened:
        if hand.spent:
            boards.drop(hand.page)
    assert boards.complaints == []


@pytest.fixture
def hand(open_board: Any) -> Hand:
    """A hand at a board of ordinary size, with reduced motion so that moves finish at once."""
    opened: Hand = open_board(reduced_motion="reduce")
    return opened
