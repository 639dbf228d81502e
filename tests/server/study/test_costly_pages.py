"""Pages of long matches: counted by address, kept, and made one at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from barpoint.game import Opening
from barpoint.match import Match
from barpoint.record import Book
from barpoint.server.domain.limits import Credits
from barpoint.server.study import costly_pages
from barpoint.server.study.costly_pages import CostlyPages, TooManyPages
from barpoint.server.study.recordings import Recording, of_book
from tests.support.accounts import serving
from tests.support.machine import PATIENCE_S
from tests.support.played import play_match
from tests.support.serving import Served


@pytest.fixture(autouse=True)
def every_match_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costly_pages, "LONG", 1)


@pytest.fixture
def recording() -> Recording:
    match = Match.start(3, "backgammon").apply(Opening((6, 1)))
    return of_book("one", Book(match, ("Anna", "Ben")), 0)


def counted(burst: float) -> Credits:
    return Credits(burst, 0, lambda: 0.0)


async def test_a_page_is_made_once_and_then_costs_nothing(recording: Recording) -> None:
    pages, made = CostlyPages(counted(2)), []

    def make() -> str:
        made.append(1)
        return "page"

    found = await asyncio.gather(*(pages.page(recording, "anna", make, "quiz", 7) for _ in range(2)))
    assert found == [b"page"] * 2
    for _ in range(50):
        assert await pages.page(recording, "ben", make, "quiz", 7) == b"page"
    assert len(made) == 1


async def test_a_page_is_made_again_when_other_notes_are_stored_of_the_same_match(recording: Recording) -> None:
    pages, made = CostlyPages(counted(9)), iter("ab")
    for edition, expected in ((1, b"a"), (2, b"b"), (2, b"b")):
        found = await pages.page(replace(recording, edition=edition), "anna", lambda: next(made), "contents")
        assert found == expected


async def test_pages_are_counted_by_address(recording: Recording) -> None:
    pages = CostlyPages(counted(3))
    for number in range(3):
        await pages.page(recording, "anna", lambda: b"", number)
    with pytest.raises(TooManyPages):
        await pages.page(recording, "anna", lambda: b"", 3)
    assert await pages.page(recording, "ben", lambda: b"another", 3) == b"another"


async def test_pages_of_short_matches_are_neither_counted_nor_kept(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costly_pages, "LONG", 2)
    pages, made = CostlyPages(counted(0)), iter("ab")
    assert await pages.page(recording, "anna", lambda: next(made)) == b"a"
    assert await pages.page(recording, "anna", lambda: next(made)) == b"b"


async def test_one_page_is_made_at_a_time_and_few_wait(recording: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costly_pages, "MAX_WAITING", 3)
    pages, go = CostlyPages(counted(99)), threading.Event()
    at_once = [0, 0]

    def make() -> bytes:
        at_once[0] += 1
        at_once[1] = max(at_once)
        go.wait(PATIENCE_S)
        at_once[0] -= 1
        return b""

    waiting = [asyncio.create_task(pages.page(recording, "anna", make, number)) for number in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(TooManyPages):
        await pages.page(recording, "ben", make, 9)
    go.set()
    await asyncio.gather(*waiting)
    assert at_once == [0, 1]


async def test_memory_for_pages_is_bounded_and_the_oldest_is_forgotten(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costly_pages, "MAX_KEPT_BYTES", 25)
    pages, made = CostlyPages(counted(99)), []

    def make() -> bytes:
        made.append(1)
        return bytes(10)

    for number in (0, 1, 2, 2, 1):
        await pages.page(recording, "anna", make, number)
    assert len(made) == 3
    await pages.page(recording, "anna", make, 0)
    assert len(made) == 4


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as running:
        yield running


@pytest.mark.parametrize(
    ("page", "others"),
    [
        ("export.mat", "export.sgf"),
        ("quiz.json?event=1&player=0", "quiz.json?event=2&player=0"),
        ("replay.json", "replay.json?game=1"),
    ],
)
def test_what_takes_seconds_to_make_is_refused_when_asked_for_too_often(served: Served, page: str, others: str) -> None:
    match_id = served.call(play_match(served.services, "backgammon", length=1))
    address = f"{served.address}/match/{match_id}/"
    credits = served.services.allowance.pages
    stands_still = credits._clock()
    credits._clock = lambda: stands_still
    first = httpx.get(address + page, timeout=PATIENCE_S)
    assert first.status_code == 200
    while credits.spend("127.0.0.1"):
        pass
    assert httpx.get(address + page, timeout=PATIENCE_S).content == first.content, "it is kept"
    refused = httpx.get(address + others, headers={"Accept-Language": "de"}, timeout=PATIENCE_S)
    assert refused.status_code == 429
    assert "Zu viele Anfragen" in refused.text
