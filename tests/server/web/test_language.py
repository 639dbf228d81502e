"""Pages in another language: everything that is said on them is in the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from gettext import NullTranslations
from html.parser import HTMLParser

import httpx
import pytest

from barpoint import language
from barpoint.language import SOURCE, catalogue
from barpoint.server.web.rules import GENERAL, chapter
from barpoint.variants import variants
from tests.support.accounts import hasten, register
from tests.support.serving import Served, serve

PAGES = (
    "/", "/lobby", "/watch", "/tournaments", "/tournament/new", "/chouettes", "/review", "/statistics", "/analysis", "/rules",
    "/learn/first-game", "/verify", "/matches", "/login", "/register", "/recover", "/account", "/access-tokens",
    "/player/Anna", "/no-such-page",
)  # fmt: skip
SHOWN = ("alt", "aria-label", "content", "label", "placeholder", "title")
"""Attributes whose text people see or hear."""

NAMES = {
    "Barpoint", "Guest", "Anna", "English", "Deutsch", "Crawford", "Jacoby", "Easy", "Chance", "UTC", "SVG", "PNG",
    *(word for header in variants() for word in re.findall(r"[A-Za-z]+", header.title)),
}  # fmt: skip
"""Names, which are the same in every language."""

BOTS = {"Anything legal.", "Anything legal, too."}
"""What the bots of the tests say about themselves."""


class Marked(NullTranslations):
    """A language in which every text of the German catalogue stands in brackets, and no other text."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧" if catalogue("de").get(message) else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        text = msgid1 if n == 1 else msgid2
        return f"⟦{text}⟧" if catalogue("de").get((msgid1, msgid2)) else text

    def pgettext(self, context: str, message: str) -> str:
        return f"⟦{message}⟧" if catalogue("de").get(message, context) else message


class Seen(HTMLParser):
    """Collects what people read on a page: text, and attributes with text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.hidden = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style"):
            self.hidden = tag
        if tag != "meta":
            self.found += [value for name, value in attrs if name in SHOWN and value]

    def handle_endtag(self, tag: str) -> None:
        if tag == self.hidden:
            self.hidden = ""

    def handle_data(self, data: str) -> None:
        if not self.hidden and data.strip():
            self.found.append(data.strip())


def unmarked(html: str) -> list[str]:
    """What people read on a page that is in no catalogue: texts with a word that is no name."""
    while (shorter := re.sub("⟦[^⟦⟧]*⟧", "", html)) != html:
        html = shorter
    seen = Seen()
    seen.feed(html)
    return [text for text in seen.found if text not in BOTS and set(re.findall(r"[A-Za-z]{2,}", text)) - NAMES]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = hasten(serve(tmp_path_factory.mktemp("served")))
    yield running
    running.stop()


@pytest.fixture
def http(served: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    plain = language._translations
    monkeypatch.setattr(language, "_translations", lambda code: plain(code) if code == SOURCE else Marked())
    with httpx.Client(base_url=served.address, headers={"accept-language": "de"}) as client:
        yield client


def test_a_sentence_outside_the_catalogue_is_found() -> None:
    page = '<p title="Press me">⟦Play ⟦Fast⟧⟧ <b>at once</b> 3 Barpoint</p><script>let a</script>'
    assert unmarked(page) == ["Press me", "at once"]


@pytest.mark.parametrize("path", PAGES)
def test_a_guest_reads_nothing_that_is_in_no_catalogue(http: httpx.Client, path: str) -> None:
    assert unmarked(http.get(path, follow_redirects=True).text) == []


def test_a_player_reads_nothing_that_is_in_no_catalogue(http: httpx.Client) -> None:
    register(http, "Anna")
    found = {path: unmarked(http.get(path, follow_redirects=True).text) for path in PAGES}
    assert {path: texts for path, texts in found.items() if texts} == {}


@pytest.mark.parametrize("opponent", ["bot", "friend", "board"])
def test_the_page_of_a_match_says_nothing_that_is_in_no_catalogue(http: httpx.Client, opponent: str) -> None:
    made = http.post("/match", data={"length": "3", "opponent": opponent, "level": "easy"})
    assert unmarked(http.get(made.headers["location"]).text) == []


def test_the_page_of_a_chouette_says_nothing_that_is_in_no_catalogue(http: httpx.Client) -> None:
    terms = {
        "cubes": "each",
        "consulting": "in_game",
        "decision": "3 minutes",
        "jacoby": "1",
        "bots": "0",
        "listed": "1",
    }
    made = http.post("/chouette", data={"variant": "backgammon", **terms})
    assert made.status_code == 303
    assert unmarked(http.get(made.headers["location"]).text) == []
    assert unmarked(http.get("/chouettes").text) == []


def test_the_chapters_of_the_rules_are_listed_under_their_own_headings() -> None:
    assert {name: found.title for name in GENERAL if (found := chapter(name))} == GENERAL
