"""Chat at a match: who may write, who reads, what is refused, and what reaches the administrators."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from barpoint.server.live.chat import clean_text
from barpoint.server.storage.chat import open_reports
from tests.support.accounts import register
from tests.support.serving import Served


class Somebody:
    """A client at a match."""

    def __init__(self, served: Served, rooms: ExitStack) -> None:
        self.served, self.rooms = served, rooms
        self.http = rooms.enter_context(httpx.Client(base_url=served.address))
        self.link: ClientConnection
        self.state: dict[str, Any] = {}
        self.said: dict[str, Any] = {}

    def watch(self, where: str) -> None:
        """Connects, and reads the first state and the chat so far."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = f"{self.served.address.replace('http', 'ws')}/ws{where}"
        self.link = self.rooms.enter_context(connect(address, additional_headers={"Cookie": cookies}))
        self.send(do="join", protocol=2)
        self.hear("state")
        self.said = self.hear("chat")

    def send(self, **message: Any) -> None:
        self.link.send(json.dumps(message))

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        while True:
            message: dict[str, Any] = json.loads(self.link.recv(timeout=60))
            if message["say"] == "state":
                self.state = message
            if message["say"] in kinds:
                return message

    def says(self, text: str) -> dict[str, Any]:
        """Says something and returns the reply."""
        self.send(do="say", text=text)
        return self.hear("chat", "refused")


@pytest.fixture
def match(served: Served) -> Iterator[tuple[Somebody, Somebody, Somebody, str]]:
    """Two players with accounts and a spectator, at a match."""
    served.services.allowance.chat._credits.clear()
    with ExitStack() as rooms:
        one, two, third = (Somebody(served, rooms) for _ in range(3))
        where = one.http.post("/match", data={"length": "3", "opponent": "friend"}).headers["location"]
        link = re.search(r"/join/[\w-]+", one.http.get(where).text)
        assert link
        two.http.post(link[0], data={"x": ""})
        for person in (one, two, third):
            person.watch(where)
        yield one, two, third, where


def test_what_a_player_says_is_read_by_everybody_as_text(match: tuple[Somebody, Somebody, Somebody, str]) -> None:
    one, two, third, where = match
    text = "<img src=x onerror=alert(1)> '; DROP TABLE chat; -- good luck"
    assert one.says(text)["lines"][0]["text"] == text
    for person in (two, third):
        line = person.hear("chat")["lines"][0]
        assert (line["text"], line["seat"]) == (text, 0)
    assert "<img src=x" not in two.http.get(where).text
    late = Somebody(two.served, two.rooms)
    late.watch(where)
    assert late.said["lines"][0]["text"] == text, "who comes later reads it as well"


def test_who_watches_without_an_account_reads_and_does_not_write(
    match: tuple[Somebody, Somebody, Somebody, str],
) -> None:
    _, _, third, where = match
    assert third.says("play 8/5 6/5!")["code"] == "seat"
    assert third.http.post(f"{where}/report", data={"text": "x"}).status_code == 403
    assert third.http.post(f"{where}/block", data={"x": ""}).status_code == 403


def watcher(served: Served, rooms: ExitStack, name: str, where: str) -> Somebody:
    """Somebody with an account who watches."""
    found = Somebody(served, rooms)
    register(found.http, name)
    found.watch(where)
    return found


def end(one: Somebody, two: Somebody) -> None:
    """The second player resigns the match, and the first accepts."""
    for person, event in ((two, {"kind": "resign", "level": 3}), (one, {"kind": "accept"})):
        while event["kind"] not in [may["kind"] for may in person.state["view"]["allowed"]]:
            person.hear("state")
        person.send(do="act", id=event["kind"], seq=person.state["seq"], event=event)
        person.hear("done")


def texts(answer: dict[str, Any]) -> list[str]:
    return [line["text"] for line in answer["lines"]]


def test_who_watches_with_an_account_writes_and_the_players_read_it_only_once_they_have_played(
    match: tuple[Somebody, Somebody, Somebody, str], served: Served
) -> None:
    one, two, third, where = match
    wanda, willi = (watcher(served, one.rooms, name, where) for name in ("Wanda", "Willi"))
    (line,) = wanda.says("8/5 6/5 is better")["lines"]
    assert (line["seat"], line["name"], line["own"]) == (None, "Wanda", True)
    (heard,) = willi.hear("chat")["lines"]
    assert (heard["text"], heard["own"]) == (line["text"], False)
    assert texts(one.says("good luck")) == ["good luck"], "players read nothing of it"
    assert texts(two.hear("chat")) == ["good luck"]
    assert texts(wanda.hear("chat")) == ["good luck"]
    assert texts(third.hear("chat")) == ["good luck"], (
        "nor does who watches without an account: it may be a player's other window"
    )
    again = Somebody(served, one.rooms)
    again.http.cookies = one.http.cookies
    again.watch(where)
    assert texts(again.said) == ["good luck"], "in no other tab either"
    assert "Say something" in wanda.http.get(where).text
    assert "Say something" not in third.http.get(where).text

    end(one, two)
    for reader in (one, two, third):
        assert texts(reader.hear("chat")) == ["8/5 6/5 is better", "good luck"], "once they have played, at once"
    wanda.says("well played")
    for reader in (one, two, third, willi):
        while "well played" not in texts(reader.hear("chat")):
            pass
    again.watch(where)
    assert texts(again.said) == ["8/5 6/5 is better", "good luck", "well played"], "and from then on"


def test_who_watches_is_muted_blocked_and_reported_by_others(
    match: tuple[Somebody, Somebody, Somebody, str], served: Served
) -> None:
    one, _, third, where = match
    xaver, yara = (watcher(served, one.rooms, name, where) for name in ("Xaver", "Yara"))
    xaver.says("rubbish")
    yara.hear("chat")
    yara.send(do="mute", muted=True)
    assert yara.hear("chat")["muted"]
    assert texts(yara.says("quiet")) == ["quiet"], "of the others nothing"
    yara.send(do="mute", muted=False)
    yara.hear("chat")
    assert yara.http.post("/player/Xaver/block", data={"x": ""}).status_code == 303
    xaver.says("still here")
    assert texts(yara.says("good")) == ["good"]
    report = {"name": "Xaver", "text": "rude words"}
    assert third.http.post(f"{where}/report", data=report).status_code == 403, "without an account"
    refused = yara.http.post(f"{where}/report", data={"name": "Nobody", "text": "<b>rude"})
    assert refused.status_code == 422
    assert "&#39;Nobody&#39; has written nothing here while watching; choose a name out of the chat." in refused.text
    assert "&lt;b&gt;rude</textarea>" in refused.text, "what was written is still there"
    assert yara.http.post(f"{where}/report", data={**report, "name": " xAVER"}).status_code == 303, "in any spelling"
    found = served.call(served.services.store.read(open_reports))[-1]
    assert (found.by, found.about, found.text) == ("Yara", "Xaver", "rude words")


def test_who_watches_never_fills_the_chat_of_the_players(
    match: tuple[Somebody, Somebody, Somebody, str], served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _, _, where = match
    monkeypatch.setattr("barpoint.server.storage.chat.MAX_CHAT_LINES", 2)
    zora = watcher(served, one.rooms, "Zora", where)
    for text in ("a", "b"):
        assert texts(zora.says(text)) == [text]
    assert texts(zora.says("c")) == ["c"]
    late = watcher(served, one.rooms, "Zeno", where)
    assert texts(late.said) == ["b", "c"], "the oldest line has gone, and nobody closes the chat"
    for text in ("our own", "and more"):
        assert texts(one.says(text)) == [text]
    assert one.says("too much")["message"] == "enough has been said here"
    assert texts(zora.hear("chat")) == ["our own"]


def test_talk_is_bounded(match: tuple[Somebody, Somebody, Somebody, str]) -> None:
    one, _, _, _ = match
    assert one.says("x" * 301)["code"] == "format"
    assert one.says("")["code"] == "format"
    assert one.says(" \n ")["code"] == "refused"
    found = [one.says(f"word {number}") for number in range(12)]
    assert "too many lines" in next(answer for answer in found if answer["say"] == "refused")["message"]


def test_a_line_sent_again_is_written_once_and_acknowledged_twice(
    match: tuple[Somebody, Somebody, Somebody, str],
) -> None:
    one, two, third, _ = match
    line = {"do": "say", "text": "good  luck", "id": "c1", "after": 0}
    one.send(**line)
    done = one.hear("done")
    one.send(**line)
    assert one.hear("done") == done
    one.send(**{**line, "id": "c2", "after": done["seq"]})
    assert one.hear("done")["seq"] > done["seq"], "said once more, after the first was known"
    two.send(**{**line, "id": "c1"})
    two.hear("done")
    one.send(**{**line, "text": "the last", "id": "c3"})
    heard: list[str] = []
    while "the last" not in heard:
        heard += [line["text"] for line in third.hear("chat")["lines"]]
    assert heard == [*["good luck"] * 3, "the last"], "what the other player says is another line"


def test_a_refused_line_is_named(match: tuple[Somebody, Somebody, Somebody, str]) -> None:
    one, _, third, _ = match
    one.send(do="say", text=" ", id="c1")
    assert one.hear("refused")["id"] == "c1"
    third.send(do="say", text="play 8/5 6/5!", id="c2")
    assert third.hear("refused")["id"] == "c2"


def test_who_mutes_a_match_reads_only_their_own_lines(match: tuple[Somebody, Somebody, Somebody, str]) -> None:
    one, two, third, where = match
    two.send(do="mute", muted=True)
    assert two.hear("chat")["muted"]
    one.says("anybody there?")
    third.hear("chat")
    answer = two.says("silence")
    assert [line["text"] for line in answer["lines"]] == ["silence"]
    two.send(do="mute", muted=False)
    assert not two.hear("chat")["muted"]
    two.watch(where)
    assert two.said["muted"] is False, "a connection begins with it"
    one.says("and now?")
    assert two.hear("chat")["lines"][-1]["text"] == "and now?"


def test_a_blocked_player_is_not_read_and_a_report_reaches_the_administrators(
    match: tuple[Somebody, Somebody, Somebody, str], served: Served
) -> None:
    one, two, _, where = match
    assert "not meet" in two.http.get(two.http.post(f"{where}/block", data={"x": ""}).headers["location"]).text
    one.says("hello?")
    assert [line["text"] for line in two.says("peace")["lines"]] == ["peace"]
    two.http.post(f"{where}/block", data={"off": "1"})
    one.says("hello!")
    assert two.hear("chat")["lines"][-1]["text"] == "hello!"
    two.http.post(f"{where}/report", data={"text": "<b>rude</b>\x00\x1b[2J words"})
    reports = served.call(served.services.store.read(open_reports))
    assert reports[-1].text == "<b>rude</b>[2J words"
    assert f"/match/{reports[-1].match_id}" == where


def test_nobody_talks_to_a_bot(served: Served) -> None:
    with ExitStack() as rooms:
        one = Somebody(served, rooms)
        where = one.http.post("/match", data={"length": "1", "opponent": "bot", "level": "easy"}).headers["location"]
        one.watch(where)
        assert one.says("hello")["code"] == "seat"
        register(one.http, "Talker")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  a \n b ", "a b"),
        ("\u202eabc", "abc"),
        ("\x00", ""),
        ("x" * 400, "x" * 300),
        ("<b>", "<b>"),
        ("日本", "日本"),
    ],
)
def test_words_are_one_printable_line(typed: str, kept: str) -> None:
    assert clean_text(typed) == kept
