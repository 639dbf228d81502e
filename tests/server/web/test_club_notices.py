"""Notices of clubs over HTTP: who writes, reads and removes them, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from tests.server.web.test_clubs import do, founded, person_id
from tests.support.accounts import browser_of
from tests.support.serving import Served


@pytest.fixture(scope="module")
def people(served: Served) -> Iterator[dict[str, httpx.Client]]:
    with ExitStack() as stack:
        found = {name: stack.enter_context(browser_of(served, name)) for name in ("Anna", "Benedict", "Karla")}
        yield {**found, "": stack.enter_context(browser_of(served))}


def test_those_who_run_a_club_put_notices_up_and_take_them_down(people: dict[str, httpx.Client]) -> None:
    anna, ben, karla, stranger = people["Anna"], people["Benedict"], people["Karla"], people[""]
    path = founded(anna)
    for http in (ben, karla):
        do(http, path, "join")
    do(anna, path, "role", person=person_id(anna, path, "Benedict"), role="director")
    assert "News of the club" not in stranger.get(path).text
    assert "Write a notice" not in karla.get(path).text
    assert do(karla, path, "post", text="Me too").status_code == 403
    assert do(stranger, path, "post", text="Me too").headers["location"].startswith("/login")
    for http, text in ((anna, "first"), (anna, "<b>second\r\nhttps://example.org"), (ben, "third"), (ben, "fourth")):
        assert do(http, path, "post", text=text).status_code == 303
    assert do(ben, path, "post", text="fourth\n").status_code == 303, "sent again, it is the same notice"
    page = stranger.get(path).text
    shown, _summary, folded = page.partition("1 older notice</summary>")
    link = '<a href="https://example.org" rel="nofollow noopener ugc">https://example.org</a>'
    assert re.findall(rf'<p class="letter">(fourth|third|first|&lt;b&gt;second\n{link})', shown) == [
        "fourth",
        "third",
        f"&lt;b&gt;second\n{link}",
    ]
    assert '<p class="letter">first</p>' in folded.partition("</details>")[0]
    assert 'href="/player/Benedict"' in shown.partition("Season")[0]
    number = re.search(r'name="notice" value="(\d+)"', anna.get(path).text)
    assert number
    assert "Remove the notice?" in anna.post(f"{path}/unpost", data={"notice": number[1]}).text
    assert do(karla, path, "unpost", notice=number[1]).status_code == 403
    other = founded(ben)
    assert do(ben, other, "unpost", notice=number[1]).status_code == 409, "of another club"
    assert do(anna, path, "unpost", notice=number[1]).status_code == 303, "also one that another director wrote"
    assert "fourth" not in stranger.get(path).text
    assert do(anna, path, "unpost", notice=number[1]).status_code == 409
    assert do(anna, path, "unpost", notice="x").status_code == 409


def test_notices_are_refused_that_are_too_long_too_many_or_too_fast(people: dict[str, httpx.Client]) -> None:
    karla = people["Karla"]
    path = founded(karla)
    assert "A notice of 0 characters; allowed: 1 to 1000." in do(karla, path, "post", text=" \n").text
    page = do(karla, path, "post", text="long " * 201)
    assert page.status_code == 409
    assert "A notice of 1004 characters; allowed: 1 to 1000." in page.text
    assert ">long long" in page.text, "what was written is not lost"
    answers = [do(karla, path, "post", text=f"number {number}").status_code for number in range(8)]
    assert answers[:3] == [303] * 3
    assert 429 in answers, "as with lines of chat"
    assert do(karla, path, "close").status_code == 303
    assert "Write a notice" not in karla.get(path).text


def test_notices_of_a_club_that_is_joined_by_its_link_only_are_for_its_members(people: dict[str, httpx.Client]) -> None:
    anna, ben = people["Anna"], people["Benedict"]
    path = founded(anna, joining="invitation")
    assert "Members of the club read it on this page." in anna.get(path).text
    assert do(anna, path, "post", text="In the back room").status_code == 303
    assert "In the back room" in anna.get(path).text
    assert "In the back room" not in ben.get(path).text
