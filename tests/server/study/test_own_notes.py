"""Own notes on matches and decisions: kept, found in the library, shown after the answer of a card, and nobody else's business."""

from __future__ import annotations

import asyncio
import io
import json
import threading
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection

from barpoint.error import IllegalEvent
from barpoint.server.domain.accounts import Account
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.own_notes import MAX_TAG, MAX_TAGS, clean_tags
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import own_notes as note_storage
from barpoint.server.storage import reviews as review_storage
from barpoint.server.storage.own_notes import OwnNote
from barpoint.server.storage.personal_data import forget_account, own_data
from barpoint.server.storage.reviews import ListedReview, StoredReview
from barpoint.server.storage.store import Store
from barpoint.server.study.own_notes import keep_note
from tests.analysis.test_statistics import MATCH
from tests.server.study.test_statistics import REPORT, imported
from tests.support import databases
from tests.support.accounts import register
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served

MISTAKE = max((one for one in REPORT.decisions if one.kind == "play"), key=lambda one: one.loss)


@pytest.fixture(scope="module")
def anna(served: Served) -> Iterator[httpx.Client]:
    """The browser of Anna, who has an account."""
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as client:
        register(client, "Anna")
        yield client


@pytest.fixture(scope="module")
def match(served: Served, anna: httpx.Client) -> str:
    """A match of Anna's, with notes on it and on her worst play in it; two others have none."""
    imported(served, anna, MATCH.replace("Ben", "Cleo"))
    imported(served, anna, MATCH.replace("Ben", "Dora"), analysed=False)
    found = imported(served, anna, MATCH)
    kept(anna, found, 0, starred=True, tags=["Lesson 3", " lesson  3", ""], comment="My first <win>.\n")
    kept(anna, found, MISTAKE.event, tags=["back game"], comment="Run sooner!")
    return found


def kept(http: httpx.Client, match: str, event: int, **parts: object) -> dict[str, Any]:
    answer = http.post("/api/note", json={"source": "review", "match": match, "event": event, **parts})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_what_is_left_out_of_a_note_stays_and_an_empty_note_is_none(anna: httpx.Client, match: str) -> None:
    place = {"source": "review", "match": match}
    whole, decision = anna.get("/api/note", params=place).json()["notes"]
    assert whole == place | {"event": 0, "starred": True, "tags": ["Lesson 3"], "comment": "My first <win>."}
    assert decision | place == place | {
        "event": MISTAKE.event,
        "starred": False,
        "tags": ["back game"],
        "comment": "Run sooner!",
    }
    assert kept(anna, match, 7, starred=True)["comment"] == ""
    assert kept(anna, match, 7, comment="Why?") == place | {"event": 7, "starred": True, "tags": [], "comment": "Why?"}
    kept(anna, match, 7, starred=False, comment=" ")
    assert len(anna.get("/api/note").json()["notes"]) == 2


def test_the_library_finds_matches_and_decisions_by_tag_star_and_words(anna: httpx.Client, match: str) -> None:
    def matches(**query: str) -> tuple[bool, bool]:
        page = anna.get("/library", params={"show": "matches", **query}).text
        return f"/review/{match}/replay" in page, "– Cleo" in page or "– Dora" in page

    assert matches() == (True, True)
    for query in ({"tag": "LESSON 3"}, {"starred": "1"}, {"comment": "first"}, {"comment": "sooner"}):
        assert matches(**query) == (True, False), query
    for query in ({"tag": "lesson"}, {"comment": "nothing"}, {"tag": "back game", "starred": "1"}):
        assert matches(**query) == (False, False), query

    wanted = {"tag": "back game", "loss": "0.0", "side": "both"}
    page = unescape(anna.get("/library", params=wanted).text)
    assert "1 decision<" in page.replace(" ·", "<")
    assert "Run sooner!" in page
    assert f"/review/{match}/replay#{MISTAKE.event - 1}" in page
    assert "0 decisions" in anna.get("/library", params={"starred": "1"}).text
    packed = anna.get("/library/export.mat.zip?show=matches&starred=1").content
    with zipfile.ZipFile(io.BytesIO(packed)) as pack:
        assert len(pack.namelist()) == 1


def test_a_star_is_given_and_taken_in_the_list_without_a_script(anna: httpx.Client, match: str) -> None:
    back = "/library?show=matches"
    for starred in ("", "1"):
        answer = anna.post(f"/review/{match}/star", data={"starred": starred, "back": back})
        assert (answer.status_code, answer.headers["location"]) == (303, back)
        whole, _decision = anna.get("/api/note", params={"source": "review", "match": match}).json()["notes"]
        assert (whole["starred"], whole["tags"]) == (bool(starred), ["Lesson 3"])
        assert anna.get(back).text.count("★") == bool(starred)


def test_the_comment_is_told_after_the_card_of_the_decision_is_answered(anna: httpx.Client, match: str) -> None:
    moment = {"source": "review", "match": match, "event": MISTAKE.event, "player": MISTAKE.player}
    (card,) = anna.post("/api/practice/moment", json=moment).json()["cards"]
    asked = anna.get("/api/practice/session").json()
    assert "Run sooner!" not in json.dumps(asked)
    answer = anna.post(f"/api/practice/card/{card}/answer", json={"moves": MISTAKE.best.moves})
    assert answer.json()["comment"] == "Run sooner!", answer.text


def test_nobody_else_sees_or_writes_them_and_they_go_with_the_match(
    served: Served, anna: httpx.Client, match: str
) -> None:
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as other:
        place = {"source": "review", "match": match}
        assert other.get("/api/note").status_code == 401
        token = other.post("/api/guest", json={"name": "Gus"}).json()["token"]
        guest = {"Authorization": f"Bearer {token}"}
        assert other.post("/api/note", json={**place, "starred": True}, headers=guest).status_code == 403
        register(other, "Kim")
        assert other.post("/api/note", json={**place, "starred": True}).status_code == 404
        assert other.post(f"/review/{match}/star", data={"starred": "1"}).status_code == 404
        assert other.get("/api/note", params=place).json() == {"notes": []}
        assert "Run sooner!" not in other.get(f"/review/{match}/replay").text
        assert "Run sooner!" in anna.get(f"/review/{match}/replay").text

        own = imported(served, other, MATCH)
        kept(other, own, 3, comment="Private")
        person = served.call(served.services.store.read(account_storage.find_account, "Kim"))
        assert person
        packed = served.call(served.services.store.read(own_data, person.id))
        with zipfile.ZipFile(io.BytesIO(packed)) as pack:
            assert [row["comment"] for row in json.loads(pack.read("own_note.json"))] == ["Private"]
        other.post(f"/review/{own}/delete")
        assert other.get("/api/note").json() == {"notes": []}
        kept(other, imported(served, other, MATCH), 3, comment="Private")
        served.call(served.services.store.write(forget_account, person.id, served.services.matches.clock()))
        assert served.call(served.services.store.read(note_storage.notes, person.id)) == ()


def test_tags_and_notes_have_limits(
    served: Served, anna: httpx.Client, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = tuple(f"{number:0{MAX_TAG}}" for number in range(MAX_TAGS))
    assert clean_tags(most) == most
    for tags in ((*most, "more"), ("x" * (MAX_TAG + 1),), ("a, b",)):
        with pytest.raises(IllegalEvent, match=f"allowed: {MAX_TAGS} of them"):
            clean_tags(tags)
    body = {"source": "review", "match": match, "event": 9}
    assert anna.post("/api/note", json={**body, "tags": ["x" * 40]}).json()["error"]["code"] == "illegal"
    assert anna.post("/api/note", json={**body, "comment": "x" * 4001}).status_code == 400
    monkeypatch.setattr(note_storage, "MAX_NOTES", 2)
    refused = anna.post("/api/note", json={**body, "starred": True})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "full")
    assert kept(anna, match, 0, starred=True)["starred"], "what is there can still be changed"


@pytest.mark.usefixtures("each_database")
async def test_two_processes_that_change_one_note_at_once_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = [await Store.open(databases.address(tmp_path)) for _process in range(2)]
    person, about = Guest("anna", "Anna", registered=True), ListedReview("m", "", ("", ""), "backgammon", 1, "", 0)

    def make(connection: Connection) -> None:
        guest_storage.put_guest(connection, person, 0)
        account_storage.put_account(connection, Account(person.id, person.name, ""), ())
        review_storage.put(connection, StoredReview(about, person.id, "", b""), 1)

    await here.write(make)
    both, read = threading.Barrier(2), note_storage.note

    def read_together(*given: Any) -> OwnNote:
        found = read(*given)
        with suppress(threading.BrokenBarrierError):
            both.wait(0.3)  # the other one has read it, too, unless it has to wait
        return found

    monkeypatch.setattr(note_storage, "note", read_together)
    place = OwnNote("review", "m")
    await asyncio.gather(
        here.write(keep_note, person, place, 1, starred=True), there.write(keep_note, person, place, 2, comment="Run!")
    )
    kept = await here.read(read, person.id, "review", "m", 0)
    for store in (here, there):
        await store.close()
    assert (kept.starred, kept.comment) == (True, "Run!")
