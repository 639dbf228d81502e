"""Messages between people with accounts: written, told on every page, read, refused, and reported."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from barpoint.server.domain.limits import MAX_MESSAGE_TEXT, MAX_REPORT_TEXT, Allowance, Credits
from barpoint.server.domain.messages import MAX_UNREAD
from barpoint.server.live.notifications import Notifier
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import messages as message_storage
from barpoint.server.storage.chat import open_reports
from tests.server.web.test_appointments import person
from tests.server.web.test_news import at, hear
from tests.support.accounts import anna, ben, browser_of, serving
from tests.support.serving import PATIENCE_S, Served

__all__ = ["anna", "ben"]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as running:
        running.services.allowance.chat._burst = 10_000.0
        yield running


class Told:
    """Keeps what is told by push instead of sending it: to whom, the text, and the page."""

    works = True

    def __init__(self) -> None:
        self.told: list[tuple[str, str, str]] = []

    def tell(self, guest_id: str, title: str, text: str, path: str, topic: str) -> None:
        assert title == "A message"
        assert len(topic) <= 32, "of what a push service takes"
        self.told.append((guest_id, text, path))


def send(http: httpx.Client, name: str, text: str) -> httpx.Response:
    return http.post(f"/messages/{name}", data={"text": text})


def test_a_message_is_told_on_every_page_until_it_is_read(anna: httpx.Client, ben: httpx.Client) -> None:
    assert 'href="/messages/Ben#write"' in anna.get("/player/Ben").text
    assert "None yet" in ben.get("/messages").text
    assert send(anna, "Ben", " A match tonight?\r\nAt nine. ").headers["location"] == "/messages/Ben#write"
    news = ben.get("/rules").text
    assert "Anna has written to you" in news
    assert 'href="/messages/Anna"' in news
    listed = ben.get("/messages").text
    assert "1 new message" in listed
    assert "A match tonight?" in listed
    assert "A match tonight?\nAt nine.</span>" in ben.get("/messages/Anna").text
    assert "has written to you" not in ben.get("/rules").text, "it has been read"
    assert "new message" not in ben.get("/messages").text
    assert "You: A match tonight?" in " ".join(anna.get("/messages").text.split())


def test_both_see_what_is_written_while_their_pages_are_open(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    with at(served, anna, "/ws/messages/Ben") as page, at(served, ben, "/ws/messages/Anna") as other:
        assert "Nothing has been written yet" in hear(page, "part")["html"]
        hear(other, "part")
        send(anna, "Ben", "<b>Hello</b> https://example.org/x")
        for link in (page, other):
            told = hear(link, "part")["html"]
            assert "&lt;b&gt;Hello&lt;/b&gt;" in told
            assert '<a href="https://example.org/x" rel="nofollow noopener ugc">' in told
            unread = re.findall(r'data-unread="(\d+)"', told)
            assert len(unread) == (link is other)
        assert "Anna has written to you" in ben.get("/rules").text, "nobody has looked at the open page yet"
        assert ben.post("/messages/Anna/read", data={"last": unread[0]}).status_code == 204
        assert "data-unread" not in hear(other, "part")["html"]
    assert "has written to you" not in ben.get("/rules").text
    assert ben.post("/messages/Anna/read", data={"last": "all"}).status_code == 204


def test_messages_are_between_two_accounts_and_read_by_nobody_else(served: Served, anna: httpx.Client) -> None:
    with browser_of(served) as guest, browser_of(served, "Cleo") as cleo, browser_of(served, "Dora") as dora:
        send(anna, "Cleo", "Only for you")
        assert "Only for you" in cleo.get("/messages/Anna").text
        assert "Only for you" not in dora.get("/messages/Anna").text
        assert guest.get("/messages/Anna").headers["location"] == "/login?back=/messages/Anna"
        assert send(guest, "Anna", "Hello").status_code == 403
        for name in ("Nobody", "Anna"):
            assert anna.get(f"/messages/{name}").status_code == 404, "nobody, or oneself"
        with at(served, guest, "/ws/messages/Anna") as page, pytest.raises(ConnectionClosed, match="logged out"):
            page.recv(timeout=PATIENCE_S)
        for stranger, path in (
            (anna, "/ws/messages/Anna"),
            (anna, "/ws/messages/Nobody"),
        ):
            with pytest.raises(InvalidStatus), at(served, stranger, path):
                pass


def test_what_cannot_be_sent_is_refused_with_the_reason_and_stays_in_the_field(
    anna: httpx.Client, ben: httpx.Client
) -> None:
    for text, reason in ((" \r\n ", "A message of 0 characters"), ("x" * (MAX_MESSAGE_TEXT + 1), "of 2001 characters")):
        refused = send(anna, "Ben", text)
        assert refused.status_code == 422
        assert reason in refused.text
        assert "allowed: 1 to 2000" in refused.text
        assert text.strip() in refused.text
    for number in range(MAX_UNREAD):
        assert send(anna, "Ben", f"Are you there? {number}").status_code == 303
    full = send(anna, "Ben", "And now?")
    assert full.status_code == 422
    assert "Ben has not read your messages yet; wait until then." in full.text
    ben.get("/messages/Anna")
    assert send(anna, "Ben", "And now?").status_code == 303


def test_who_is_blocked_neither_writes_nor_is_written_to(anna: httpx.Client, ben: httpx.Client) -> None:
    send(anna, "Ben", "Hello")
    ben.post("/player/Anna/block")
    assert "has written to you" not in ben.get("/rules").text
    for writer, other in ((anna, "Ben"), (ben, "Anna")):
        page = writer.get(f"/messages/{other}").text
        assert "You two do not write to each other." in page
        assert '<textarea name="text" id="write"' not in page
        refused = send(writer, other, "Hello again")
        assert refused.status_code == 422
        assert "You two do not write to each other." in refused.text


def test_whoever_writes_to_many_strangers_has_to_wait_but_answers_and_friends_do_not_count(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    send(ben, "Anna", "Hello")
    allowance: Allowance = served.services.allowance
    object.__setattr__(allowance, "strangers", Credits(1, 1 / 300, lambda: 0.0))
    with browser_of(served, "Cleo") as cleo, browser_of(served, "Dora"), browser_of(served, "Eva"):
        cleo.post("/player/Anna/friend")
        assert send(anna, "Ben", "An answer").status_code == 303
        assert send(anna, "Cleo", "Dear friend").status_code == 303
        assert send(anna, "Dora", "You do not know me").status_code == 303
        refused = send(anna, "Eva", "You do not know me")
        assert refused.status_code == 422
        assert "Too many messages at once" in refused.text


def test_a_report_tells_the_administrators_how_the_latest_messages_begin(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    assert anna.post("/messages/Ben/report", data={"text": "He is rude"}).status_code == 403, "he has written nothing"
    for number in range(3):
        send(ben, "Anna", f"Rude words {number}\n> Nice words")
    send(ben, "Anna", "Rude " * 400)
    send(anna, "Ben", "Stop that")
    answer = anna.post("/messages/Ben/report", data={"text": "He is rude"})
    assert "The administrators have been told" in anna.get(answer.headers["location"]).text
    anna.post("/messages/Ben/report", data={"text": "very " * 300})
    short, long = served.call(served.services.store.read(open_reports))
    assert (short.by, short.about) == ("Anna", "Ben")
    first, *quoted = short.text.split("\n")
    assert first == "(messages) He is rude"
    assert [line[:27] for line in quoted] == [
        "> Rude words 1 > Nice words",
        "> Rude words 2 > Nice words",
        "> Rude Rude Rude Rude Rude ",
    ], "a line each, whatever they hold"
    assert long.text.endswith("\n".join(quoted)), "also after a long complaint"
    assert len(long.text) <= MAX_REPORT_TEXT


def test_a_report_too_many_keeps_what_was_written(served: Served, anna: httpx.Client, ben: httpx.Client) -> None:
    send(ben, "Anna", "Rude words")
    object.__setattr__(served.services.allowance, "letters", Credits(0, 1 / 300, lambda: 0.0))
    refused = anna.post("/messages/Ben/report", data={"text": "He is <rude>\nand often"})
    assert refused.status_code == 429
    assert "Too many requests" in refused.text
    assert "He is &lt;rude&gt;\nand often</textarea>" in refused.text
    assert '<form method="post" class="form">' in refused.text, "to the same address"
    assert served.call(served.services.store.read(open_reports)) == []


def test_a_list_that_is_open_shows_what_comes(served: Served, anna: httpx.Client, ben: httpx.Client) -> None:
    with at(served, ben, "/ws/messages") as page:
        assert "None yet" in hear(page, "part")["html"]
        send(anna, "Ben", "Hello")
        assert "1 new message" in hear(page, "part")["html"]
    ben.post("/player/Anna/block")
    assert "new message" not in ben.get("/messages").text
    with (
        browser_of(served) as guest,
        at(served, guest, "/ws/messages") as page,
        pytest.raises(ConnectionClosed, match="logged out"),
    ):
        page.recv(timeout=PATIENCE_S)


def test_a_download_of_own_data_holds_what_one_wrote_and_heard(anna: httpx.Client, ben: httpx.Client) -> None:
    send(anna, "Ben", "Hello")
    send(ben, "Anna", "Hello you")
    with zipfile.ZipFile(io.BytesIO(anna.get("/account/barpoint.zip").content)) as pack:
        found = json.loads(pack.read("message.json"))
    assert [one["text"] for one in found] == ["Hello", "Hello you"]
    assert {"read_at", "told"}.isdisjoint(found[0]), "when the other has read it is theirs"


def test_older_messages_have_pages_of_their_own(served: Served, anna: httpx.Client, ben: httpx.Client) -> None:
    write, read = served.services.store.write, served.services.store.read
    ids = [served.call(read(account_storage.find_account, name)).id for name in ("Anna", "Ben")]
    for number in range(26):
        for by, to, text in ((*ids, "Question"), (*ids[::-1], "Answer")):
            served.call(write(message_storage.put_message, by, to, f"{text} {number}.", 1, read=True))
    page = anna.get("/messages/Ben").text
    assert "Question 0." not in page
    assert "Answer 25." in page
    address = page.partition('id="older"')[0].rpartition('href="')[2].partition('"')[0]
    older = anna.get(address).text
    assert "Question 0." in older
    assert "Answer 25." not in older
    assert anna.get("/messages/Ben?before=none").status_code == 200


def test_whoever_is_away_is_told_once_of_what_somebody_has_written(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    people = {name: person(served, name) for name in ("Anna", "Ben")}
    services, told = served.services, Told()
    pusher: Any = told
    notifier = Notifier(services.matches, services.mailer, pusher, services.presence, 0)
    send(ben, "Anna", "Hello")
    served.call(notifier.look())
    assert told.told == [(people["Anna"].id, "Ben has written to you.", "/messages/Ben")]
    send(ben, "Anna", "Are you there?")
    served.call(notifier.look())
    assert len(told.told) == 1, "they have not read the first one yet"
    send(anna, "Ben", "Here I am")
    ben.get("/messages/Anna")
    served.call(notifier.look())
    assert len(told.told) == 1, "it has been read"
    anna.get("/messages/Ben")
    send(ben, "Anna", "Good")
    anna.post("/player/Ben/block")
    served.call(notifier.look())
    assert len(told.told) == 1, "it is from somebody whom she has blocked"
