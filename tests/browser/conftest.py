"""Chromium, and a page that shows only the board."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from os import environ
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.hand import Hand
from tests.support.machine import PATIENCE_S

HERE = Path(__file__).parent
STATIC = HERE.parents[1] / "src" / "barpoint" / "server" / "web" / "static"
PALETTE = HERE.parents[1] / "src" / "barpoint" / "data" / "look" / "palette.css"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

expect.set_options(timeout=PATIENCE_S * 1000)  # 5 s otherwise


def chromium_path() -> str:
    """The Chromium to use; BARPOINT_BROWSER names another than the one on PATH."""
    for name in (environ.get("BARPOINT_BROWSER", ""), *NAMES):
        if name and (found := shutil.which(name)):
            return found
    pytest.fail("no Chromium found: install it (Debian: apt-get install chromium), or name it in BARPOINT_BROWSER")


# Package scope: Playwright keeps an event loop in this thread, which must end before asynchronous tests elsewhere run.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = chromium_path()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield launched
        launched.close()


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


@pytest.fixture
def open_board(browser: Browser, board_address: str) -> Iterator[Any]:
    """A function that opens the board's page in a new context with these settings and returns its Hand."""
    contexts = []
    complaints: list[str] = []

    def open_page(**settings: Any) -> Hand:
        context = browser.new_context(**{"viewport": {"width": 1000, "height": 760}, **settings})
        contexts.append(context)
        page: Page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(board_address)
        page.wait_for_function("Boolean(customElements.get('bg-board'))")
        return Hand(page)

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def hand(open_board: Any) -> Hand:
    """A hand at a board of ordinary size, with reduced motion so that moves finish at once."""
    opened: Hand = open_board(reduced_motion="reduce")
    return opened
