"""People in browsers at a real server, which alone answers their requests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Request, expect

from tests.browser.hand import BOARD, Hand
from tests.support.machine import PATIENCE_S, held_port
from tests.support.serving import Served, serve

View = dict[str, Any]
Move = list[int]
WAIT_MS = PATIENCE_S * 1000
MAX_FREE = 2
"""Contexts of one kind that are kept for later tests; most have two people."""

NO_SERVER = ("WebSocket", "ERR_CONNECTION")
"""What a browser complains of while the server is down: the live connection, and the worker that it wants to renew."""

VIEW = "document.querySelector('bg-board')?.turn?.view"


def until(page: Page, condition: str) -> None:
    """Waits until an expression is true. Playwright's own wait evaluates text in the page, which the page's CSP
    forbids. The page itself looks again and again: asking it each time from here would keep all processes busy.
    """
    loop = f"""(async () => {{ const end = Date.now() + {WAIT_MS};
        while (Date.now() < end) {{ if ({condition}) return true; await new Promise((again) => setTimeout(again, 20)); }}
        return false; }})()"""
    while True:
        try:
            if page.evaluate(loop):
                return
        except Error as error:
            if "context was destroyed" not in str(error):
                raise
            continue  # another page has come, which is to be waited for
        raise AssertionError(f"never so: {condition}; the view is {page.evaluate(VIEW)}")


def resize(page: Page, width: int, height: int) -> None:
    """Gives the window a size, and waits until what its scripts fit to it has the new form."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))")


class PatientHand(Hand):
    """A hand on a page with a strict policy."""

    def settle(self) -> None:
        until(self.page, f"!{BOARD}.busy && {BOARD}.getAnimations({{subtree: true}}).length === 0")


class Person:
    """A person with their own browser."""

    def __init__(self, context: BrowserContext, site: Site) -> None:
        self.context, self.site = context, site
        context.set_default_timeout(WAIT_MS)  # of its requests, too
        self.page: Page = context.new_page()
        self.page.on("pageerror", lambda error: site.complaints.append(str(error)))
        self.page.on("console", lambda said: site.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("request", self._note)

    def _note(self, request: Request) -> None:
        if not request.url.startswith((self.site.served.address, "data:")):
            self.site.complaints.append(f"a request to {request.url}")

    @cached_property
    def hand(self) -> Hand:
        return PatientHand(self.page)

    def go(self, path: str) -> None:
        self.__dict__.pop("hand", None)
        self.page.goto(self.site.served.address + path)

    def choose(self, *variants: str, opponent: str = "friend", length: int = 1, **options: str) -> None:
        """Fills in the first page and presses Play."""
        self.go("/")
        self.tick("backgammon", *variants)  # what was chosen last time is still ticked
        self.page.locator(f"label[for=o-{opponent}]").click()
        self.page.select_option("#length", str(length))
        if options:
            self.page.locator(".options summary").click()
        for field, value in options.items():
            self.page.select_option(f"[name={field.replace('_', '-')}]", value)
        self.page.get_by_role("button", name="Play", exact=True).click()
        self.page.wait_for_url("**/match/*")
        self.arrive()

    def tick(self, *variants: str) -> None:
        """Picks games on the first page, until their card appears."""
        for name in variants:
            box = self.page.locator(f"#v-{name}")
            if not box.is_checked():
                card = self.page.locator("#card-title").inner_text()
                box.check(force=True)
                expect(self.page.locator("#card-title")).not_to_have_text(card)

    def arrive(self) -> None:
        """Waits until the board shows something."""
        self.__dict__.pop("hand", None)
        until(self.page, VIEW)
        self.hand.settle()

    @property
    def path(self) -> str:
        return "/" + self.page.url.partition("//")[2].partition("/")[2]

    def invitation(self) -> str:
        found = self.page.locator("#invitation").input_value()
        assert found.startswith(self.site.served.address)
        return found.removeprefix(self.site.served.address)

    def challenge(self, *variants: str, length: int, **options: str) -> str:
        """Opens a match against a friend, as the first page does, and goes to it. Returns its invitation."""
        fields = [("variant", name) for name in variants or ("backgammon",)]
        fields += [("opponent", "friend"), ("length", str(length)), ("cube", "1"), ("crawford", "1"), *options.items()]
        self.go(self._sent("/match", fields))
        self.arrive()
        return self.invitation()

    def take(self, invitation: str) -> None:
        """Accepts an invitation, as its page does, and goes to the match."""
        self.go(self._sent(invitation, []))
        self.arrive()

    def _sent(self, path: str, fields: list[tuple[str, str]]) -> str:
        """Sends a form and returns where it leads."""
        address = self.site.served.address
        headers = {"Origin": address, "Content-Type": "application/x-www-form-urlencoded"}
        answer = self.context.request.post(  # once more where the server has just closed the idle connection
            address + path, data=urlencode(fields), headers=headers, max_redirects=0, max_retries=1
        )
        assert answer.status == 303, answer.text()
        return answer.headers["location"]

    def accept(self, invitation: str) -> None:
        self.go(invitation)
        self.page.get_by_role("button", name="Sit down and play").click()
        self.page.wait_for_url("**/match/*")
        self.arrive()

    @property
    def view(self) -> View:
        found: View = self.page.evaluate(VIEW)
        return found

    @property
    def kinds(self) -> list[str]:
        return [may["kind"] for may in self.view["allowed"]]

    def wait(self, condition: str) -> None:
        """Waits until a condition on the view `v` holds and all motion has ended."""
        until(self.page, f"(() => {{ const v = {VIEW}; return v && ({condition}); }})()")
        self.hand.settle()

    def wait_for(self, kind: str) -> None:
        """Waits until an action is allowed."""
        self.wait(f"v.allowed.some(may => may.kind === '{kind}')")

    def press(self, kind: str) -> None:
        """The board's button for an action, once it is offered and enabled."""
        self.wait_for(kind)
        self.page.locator(f'.bg-actions [data-kind="{kind}"]:not([aria-disabled="true"])').click()

    def roll(self) -> None:
        self.press("roll")
        self.wait_for("play")

    def move(self, *moves: tuple[int, int]) -> None:
        """Drags own checkers from point to point, each when the part of the roll that it belongs to has come; 25 is the bar and 0 off."""
        self.wait_for("play")
        for source, target in moves:
            until(self.page, f"!{BOARD}.turn?.waiting")
            self.hand.drag(spot(source), spot(target))

    def commit(self) -> None:
        before = self.page.locator("#lines tr").count()
        self.press("play")
        self.wait("!v.allowed.some(may => may.kind === 'play')")
        assert self.page.locator("#lines tr").count() >= before

    def turn(self, *moves: tuple[int, int]) -> None:
        """A whole turn with these moves."""
        self.move(*moves)
        self.commit()

    def anything(self) -> None:
        """Plays the current roll by any path through the turn graph."""
        self.wait_for("play")
        nodes, node = self.view["turn"]["nodes"], 0
        while not nodes[node][0]:
            source, target, _, _, node = nodes[node][1][0]
            self.hand.drag(spot(source), spot(target))
        self.commit()

    def resign(self, level: int) -> None:
        self.press("resign")
        self.page.locator(f'.bg-dialog [data-level="{level}"]').click()

    @property
    def said(self) -> list[str]:
        """The list of moves as text, line by line."""
        found: list[str] = self.page.locator("#lines tr").all_inner_texts()
        return [" ".join(line.split()) for line in found]


def spot(point: int) -> str:
    """The board's name of a place of the viewer's own."""
    return {0: "off-near", 25: "bar-near", 26: "hand-near"}.get(point, f"p{point}")


class Profiles:
    """Browser contexts that one test leaves to the next: without its cookies and storage, but with the files of the
    site in their cache. That makes the first page of a person much quicker.
    """

    def __init__(self, browser: Browser, port: int) -> None:
        self.port = port
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = {}

    def take(self, settings: dict[str, Any]) -> tuple[str, BrowserContext]:
        """A context with these settings, and the name under which it is given back."""
        kind = json.dumps(settings, sort_keys=True)
        free = self._free.get(kind)
        return kind, free.pop() if free else self._browser.new_context(**settings)

    def give_back(self, kind: str, context: BrowserContext) -> None:
        """Closes all pages of a context and empties it."""
        blank = context.new_page()
        for page in context.pages:
            if page is not blank:
                page.close()
        kinds = "cookies,local_storage,indexeddb,service_workers,cache_storage"
        context.new_cdp_session(blank).send(
            "Storage.clearDataForOrigin", {"origin": f"http://127.0.0.1:{self.port}", "storageTypes": kinds}
        )
        context.clear_cookies()
        blank.close()
        free = self._free.setdefault(kind, [])
        if len(free) < MAX_FREE:
            free.append(context)
        else:
            context.close()

    def close(self) -> None:
        """Closes all contexts."""
        for free in self._free.values():
            for context in free:
                context.close()


def profiles_of(browser: Browser) -> Iterator[Profiles]:
    """The body of a fixture: profiles of a browser, at one port."""
    with held_port() as port:
        made = Profiles(browser, port)
        yield made
        made.close()


class Site:
    """A server and its users. complaints: errors on any page, and requests to other hosts."""

    def __init__(self, profiles: Profiles, folder: Path) -> None:
        self._profiles, self._folder = profiles, folder
        self.complaints: list[str] = []
        self._was_down = False
        self._contexts: list[tuple[str, BrowserContext]] = []
        self._settings: dict[str, Any] = {}
        self.served: Served

    def open(self, **settings: Any) -> None:
        """Starts the server; settings as for `serve`."""
        self._settings = settings
        self.served = serve(self._folder, port=self._profiles.port, **settings)

    def restart(self) -> None:
        """Stops the server and starts it again at the same address."""
        with self.stopped():
            pass

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stops the server, and starts it again at the same address afterwards."""
        self._was_down = True
        self.served.stop()
        yield
        self.open(**self._settings)

    def forgive(self, *texts: str) -> None:
        """Removes complaints with one of these texts, when a test has caused them."""
        self.complaints[:] = [one for one in self.complaints if not any(text in one for text in texts)]

    @property
    def unforgiven(self) -> list[str]:
        """The complaints at the end. What pages say of a server that was down may come long after it is back."""
        if self._was_down:
            self.forgive(*NO_SERVER)
        return self.complaints

    def person(self, **settings: Any) -> Person:
        """A user with a browser of their own; settings as for a Playwright context. Without a service worker unless
        asked for: what passes through one is not seen by `page.route`, and starting one takes time.
        """
        wanted = {
            "viewport": {"width": 1280, "height": 800},
            "reduced_motion": "reduce",
            "service_workers": "block",
            **settings,
        }
        self._contexts.append(self._profiles.take(wanted))
        return Person(self._contexts[-1][1], self)

    def pair(self, *variants: str, length: int = 1, **options: str) -> tuple[Person, Person]:
        """Two players in a match; the first has seat 0."""
        first, second = self.person(), self.person()
        second.take(first.challenge(*variants, length=length, **options))
        for person in (first, second):
            person.wait("v.phase !== 'opening'")
        return first, second

    def close(self) -> None:
        for kind, context in self._contexts:
            self._profiles.give_back(kind, context)
        self.served.stop()


@pytest.fixture
def open_site(profiles: Profiles, tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """A function that opens a server with these settings; one at a time."""
    opened: list[Site] = []

    def open_now(**settings: Any) -> Site:
        made = Site(profiles, tmp_path)
        made.open(**settings)
        opened.append(made)
        return made

    yield open_now
    complaints = [one for made in opened for one in made.unforgiven]
    for made in opened:
        made.close()  # which cuts connections of its pages
    assert not complaints, complaints
