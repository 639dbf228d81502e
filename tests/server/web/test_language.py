"""Pages in another language: everything that is said on them is in the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

import httpx
import pytest

from barpoint.server.web.rules import GENERAL, chapter
from tests.support.all_pages import filled
from tests.support.machine import PATIENCE_S
from tests.support.marked import foreign, mark_german, without_marked
from tests.support.serving import Served

SHOWN = (
    "alt",
    "aria-label",
    "aria-description",
    "aria-roledescription",
    "aria-valuetext",
    "content",
    "label",
    "placeholder",
    "title",
)
"""Attributes whose text people see or hear."""


class Seen(HTMLParser):
    """Collects what people read on a page: text, and attributes with text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.hidden = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style"):
            self.hidden = tag
        fields = dict(attrs)
        if tag != "meta" or fields.get("name") == "description":
            self.found += [value for name, value in attrs if name in SHOWN and value]
        if tag == "input" and fields.get("type") in ("submit", "button", "reset"):
            self.found.append(fields.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == self.hidden:
            self.hidden = ""

    def handle_data(self, data: str) -> None:
        if not self.hidden and data.strip():
            self.found.append(data.strip())


def unmarked(html: str) -> list[str]:
    """What people read on a page that is in no catalogue: texts with a word that is no name."""
    seen = Seen()
    seen.feed(without_marked(html))
    return [text for text in seen.found if foreign(text)]


@pytest.fixture(scope="module")
def anna(served: Served) -> Iterator[tuple[httpx.Client, dict[str, str]]]:
    """A player's browser, and the pages of a server where much has happened."""
    with httpx.Client(base_url=served.address, headers={"accept-language": "de"}, timeout=PATIENCE_S) as client:
        yield client, filled(served, client)


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from mark_german(monkeypatch)


def test_a_sentence_outside_the_catalogue_is_found() -> None:
    page = '<p title="Press me">⟦Play ⟦Fast⟧⟧ <b>at once</b> 3 Barpoint 8/5*(2) bar/24</p><input type="submit" value="Go on"><script>let a</script>'
    assert unmarked(page) == ["Press me", "at once", "Go on"]


def test_a_guest_reads_nothing_that_is_in_no_catalogue(
    served: Served, anna: tuple[httpx.Client, dict[str, str]], marked: None
) -> None:
    with httpx.Client(base_url=served.address, headers={"accept-language": "de"}) as guest:
        found = {path: unmarked(guest.get(path, follow_redirects=True).text) for path in anna[1].values()}
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_a_player_reads_nothing_that_is_in_no_catalogue(
    anna: tuple[httpx.Client, dict[str, str]], marked: None
) -> None:
    http, pages = anna
    found = {name: unmarked(http.get(path, follow_redirects=True).text) for name, path in pages.items()}
    assert {name: texts for name, texts in found.items() if texts} == {}


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/login", {"name": "Anna", "password": "wrong"}),
        ("/register", {"name": "x", "password": "short"}),
        ("/register", {"name": "Anna", "password": "long enough"}),
        ("/recover", {"name": "Anna", "code": "none", "password": "long enough"}),
        ("/match", {"length": "99", "opponent": "bot"}),
        ("/match", {"length": "3", "opponent": "bot", "level": "none"}),
        ("/chouette", {"variant": "nothing"}),
        ("/account/password", {"password": "wrong", "new": "long enough"}),
        ("/tournaments/new", {"name": "", "form": "none"}),
        ("/review", {}),
    ],
)
def test_a_refused_form_says_nothing_that_is_in_no_catalogue(
    served: Served, anna: tuple[httpx.Client, dict[str, str]], marked: None, path: str, fields: dict[str, str]
) -> None:
    with httpx.Client(base_url=served.address, headers={"accept-language": "de"}, timeout=PATIENCE_S) as guest:
        answer = (guest if path == "/register" else anna[0]).post(path, data=fields, follow_redirects=True)
    assert answer.status_code >= 400
    assert unmarked(answer.text) == []


def test_what_an_installed_app_is_called_is_in_the_catalogue(
    anna: tuple[httpx.Client, dict[str, str]], marked: None
) -> None:
    told = anna[0].get("/manifest.webmanifest").json()
    assert [
        text
        for text in (told["name"], told["description"], *(one["name"] for one in told["shortcuts"]))
        if foreign(text)
    ] == []


def test_the_chapters_of_the_rules_are_listed_under_their_own_headings() -> None:
    assert {name: found.title for name in GENERAL if (found := chapter(name))} == GENERAL


def test_texts_of_scripts_are_fetched_ahead_where_scripts_use_them(http: httpx.Client) -> None:
    german = {"Accept-Language": "de"}
    assert 'rel="preload"' in http.get("/review", headers=german).text
    assert 'rel="preload"' not in http.get("/clubs/new", headers=german).text
