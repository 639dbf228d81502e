"""A chouette through its WebSocket: two people and two bots, and people who try what they may not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from barpoint.chouette import Chouette, read_log
from barpoint.server.domain.dice_report import check, read_report
from barpoint.server.domain.limits import Credits
from barpoint.server.protocol.chouettes import ChouetteRequest, read_chouette_request
from barpoint.server.storage import chat as chat_storage
from tests.support.accounts import serving
from tests.support.machine import PATIENCE_S
from tests.support.scripted_bots import ChanceBots, ScriptedDice
from tests.support.serving import Served

Message = dict[str, Any]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, dice=ScriptedDice(), opponents=ChanceBots()) as running:
        yield running


class Person:
    """A chouette player without a browser, who takes, does not double, and plays the first path in the graph."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.http = served.guests.enter_context(httpx.Client(base_url=served.address, follow_redirects=False))
        self.state: Message = {}
        self.said: Message = {}
        self.acts = 0

    def opens(self, **fields: str) -> str:
        form = {"variant": "hypergammon", "jacoby": "1", "listed": "1", **fields}
        answer = self.http.post("/chouette", data=form)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"]).rpartition("/")[2]

    def joins(self, chouette_id: str) -> None:
        assert self.http.post(f"/chouette/{chouette_id}/join", data={"x": "1"}).status_code == 303

    @contextmanager
    def at(self, chouette_id: str, seq: int | None = None, **headers: str) -> Iterator[ClientConnection]:
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = f"ws://127.0.0.1:{self.served.port}/ws/chouette/{chouette_id}"
        with connect(address, additional_headers={"Cookie": cookie, **headers}) as self.socket:
            self.say(do="join", protocol=2, seq=seq)
            self.hears("chouette")
            self.said = self.hears("chat")  # so far
            yield self.socket

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hears(self, kind: str) -> Message:
        """The next message of a kind; applies states on the way."""
        while True:
            message: Message = json.loads(self.socket.recv(timeout=PATIENCE_S))
            if message["say"] == "chouette":
                self.state = message
            if message["say"] == kind:
                return message

    def does(self, kind: str, to: tuple[int, ...] = (), **more: Any) -> Message:
        """Sends an event, and returns the answer."""
        self.acts += 1
        own = f"a{self.acts}"
        event = {"kind": kind, **more}
        self.say(do="act", id=own, seq=more.pop("seq", self.state["seq"]), event=event, to=to)
        while True:
            message: Message = json.loads(self.socket.recv(timeout=PATIENCE_S))
            if message["say"] == "chouette":
                self.state = message
            if message.get("id") == own:
                return message

    @property
    def kinds(self) -> set[str]:
        return {may["kind"] for may in (*self.state["view"]["allowed"], *self.state["may"])}

    def moves(self) -> list[list[int]]:
        """The first play in the graph of the turn."""
        nodes, node, made = self.state["view"]["turn"]["nodes"], 0, []
        while not nodes[node][0]:
            *move, _, node = nodes[node][1][0]
            made.append(move)
        return made

    def plays_on(self) -> bool:
        """Takes the action the chouette waits for, if it waits for this player; whether they did."""
        if self.state["player"] not in self.state["waits_for"]:
            return False
        for kind in ("waive", "take", "reject", "keep", "roll"):
            if kind in self.kinds:
                self.does(kind)
                return True
        self.does("play", moves=self.moves())
        return True


def two_and_two_bots(served: Served, people: ExitStack, **fields: str) -> tuple[str, Person, Person]:
    anna, ben = Person(served), Person(served)
    chouette_id = anna.opens(**{"bots": "2", "level": "easy", **fields})
    ben.joins(chouette_id)
    people.enter_context(anna.at(chouette_id))
    people.enter_context(ben.at(chouette_id))
    return chouette_id, anna, ben


def catch_up(*people: Person) -> None:
    """Brings all players to the same state, then waits for the bots."""
    newest = max(person.state["seq"] for person in people)
    behind = [person for person in people if person.state["seq"] < newest]
    for person in behind:
        while person.state["seq"] < newest:
            person.hears("chouette")
    if not behind:
        people[0].hears("chouette")


def fold(served: Served, chouette_id: str) -> Chouette:
    return served.call(served.services.chouettes.live_chouette(chouette_id)).chouette


def test_two_people_and_two_bots_play_a_whole_chouette(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("barpoint.server.web.connections.BURST", 10_000)  # nobody here takes time to think
    with ExitStack() as people:
        chouette_id, anna, ben = two_and_two_bots(served, people)
        assert [place["bot"] for place in anna.state["places"]] == [False, True, True, False]
        assert anna.does("order")["say"] == "done"
        for game in (1, 2):
            while anna.state["playing"] or anna.state["games"] < game:
                asked = any(place["state"] == "ask" for place in anna.state["places"])
                if (
                    asked and anna.state["view"]["to_act"]
                ):  # the board names nobody while others say whether they double
                    assert {anna.state["box"], anna.state["captain"]} & set(anna.state["waits_for"])
                if not (anna.plays_on() or ben.plays_on()):
                    catch_up(anna, ben)
            chouette = fold(served, chouette_id)
            assert sum(chouette.ledger) == 0
            assert len(chouette.finished) == game
            assert [place["player"] for place in anna.state["places"]] == list(chouette.line)
            assert anna.state["view"]["result"] is not None
            assert anna.does("next")["say"] == "done"
        assert Chouette.fold(chouette.rules, chouette.terms, fold(served, chouette_id).events, audit=True)


def test_players_give_seeds_and_the_dice_check_once_the_chouette_is_closed(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commitment comes before the seeds, and the server's seed only after the last roll."""
    monkeypatch.setattr("barpoint.server.web.connections.BURST", 10_000)
    with ExitStack() as people:
        chouette_id, anna, ben = two_and_two_bots(served, people)
        commitment = anna.state["chouette"]["commitment"]
        anna.say(do="seed", seed="anna's own")
        while anna.state["places"][0]["seed"] is None:
            anna.hears("chouette")
        anna.say(do="seed", seed="anna's own")  # sent twice
        anna.say(do="seed", seed="another")
        assert anna.hears("refused")["code"] == "illegal"
        watching = Person(served)
        people.enter_context(watching.at(chouette_id))
        watching.say(do="seed", seed="mine")
        assert watching.hears("refused")["code"] == "seat"
        answer = anna.http.get(f"/chouette/{chouette_id}/dice.json")
        assert (answer.status_code, answer.json()["commitment"]) == (409, commitment)
        anna.does("order")
        while anna.state["playing"] or anna.state["games"] < 1:
            if not (anna.plays_on() or ben.plays_on()):
                catch_up(anna, ben)
        for person in (anna, ben):
            person.does("leave")
        while not watching.state["over"]:
            watching.hears("chouette")
    check_sheet(served, chouette_id, anna, watching)
    report = read_report(anna.http.get(f"/chouette/{chouette_id}/dice.json").content)
    assert report.commitment == commitment
    assert [(one.player, one.game, one.seed) for one in report.given] == [(0, 0, "anna's own")]
    assert check(report).games == 1
    assert anna.http.get("/chouette/nowhere/dice.json").status_code == 404


def check_sheet(served: Served, chouette_id: str, player: Person, watching: Person) -> None:
    """Once a chouette is closed, its address shows the score sheet; those who played find it in their matches."""
    page = watching.http.get(f"/chouette/{chouette_id}").text
    assert "Score sheet" in page
    assert "Game 1: box" in page
    assert "bg-board" not in page
    assert "bg-board" in watching.http.get(f"/chouette/{chouette_id}?board=1").text
    for place in served.call(served.services.chouettes.live_chouette(chouette_id)).places:
        assert place.shown_name in page
    with_players = player.http.get("/matches").text
    assert f'href="/chouette/{chouette_id}"' in with_players
    assert "1 game, " in with_players
    assert chouette_id not in watching.http.get("/matches").text
    text = watching.http.get(f"/chouette/{chouette_id}/sheet.txt")
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    assert "Game 1: box" in text.text
    log = watching.http.get(f"/chouette/{chouette_id}/export.json")
    assert read_log(log.content, audit=True) == fold(served, chouette_id)
    assert watching.http.get("/chouette/nowhere/sheet.txt").status_code == 404
    wanted = re.findall(r'<option value="(1 \d)">Game 1: ', player.http.get(f"/chouette/{chouette_id}").text)
    opened = player.http.post(f"/chouette/{chouette_id}/review", data={"game": wanted[0]})
    assert opened.status_code == 303, opened.text
    assert player.http.get(opened.headers["location"]).status_code == 200
    assert player.http.post(f"/chouette/{chouette_id}/review", data={"game": "9 9"}).status_code == 404
    assert watching.http.post(f"/chouette/{chouette_id}/review", data={"game": wanted[0]}).status_code == 403


def test_everybody_sees_all_and_each_may_do_their_own(served: Served) -> None:
    with ExitStack() as people:
        chouette_id, anna, ben = two_and_two_bots(served, people)
        watching = Person(served)
        people.enter_context(watching.at(chouette_id))
        assert watching.state["player"] is None
        assert watching.kinds == {"join"}
        assert "order" in anna.kinds
        anna.does("order")
        ben.hears("chouette")
        assert {place["role"] for place in ben.state["places"]} == {"box", "captain", "team"}
        assert watching.does("roll")["code"] == "seat"
        ben.http.post("/name", data={"name": "Benjamin"})
        while "Benjamin" not in {place["name"] for place in anna.state["places"]}:
            anna.hears("chouette")


REFUSED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("waive", {}, "illegal"),
    ("next", {}, "illegal"),
    ("order", {}, "illegal"),
    ("take", {}, "illegal"),
    ("double", {}, "illegal"),
    ("settle", {"member": 1, "points": 1.0}, "illegal"),
    ("propose", {"member": 900, "points": 1.0}, "illegal"),
    ("resign", {"level": 9}, "format"),
    ("play", {"moves": [[24, 23, 1]] * 30}, "format"),
    ("propose", {"member": 1, "points": 1e19}, "format"),
    ("abort", {}, "format"),
    ("timeout", {"player": 0}, "format"),
    ("roll", {"faces": [6, 6]}, "format"),
    ("roll", {"by": 1}, "format"),
    ("join", {"player": 1}, "format"),
)


def test_what_is_not_allowed_is_refused_and_changes_nothing(served: Served) -> None:
    with ExitStack() as people:
        chouette_id, anna, _ = two_and_two_bots(served, people, bots="0")
        Person(served).joins(chouette_id)
        anna.hears("chouette")
        anna.does("order")
        before = fold(served, chouette_id)
        for kind, more, code in REFUSED:
            anna.say(do="act", id="x", seq=len(before.events), event={"kind": kind, **more}, to=[99])
            assert (kind, anna.hears("refused")["code"]) == (kind, code)
        assert fold(served, chouette_id) == before


def test_a_stale_command_and_anothers_moves_are_refused(served: Served) -> None:
    with ExitStack() as people:
        _, anna, ben = two_and_two_bots(served, people)
        anna.does("order")
        ben.hears("chouette")
        one = ben if ben.state["player"] not in ben.state["waits_for"] else anna
        one.say(do="try", seq=one.state["roll_seq"], version=1, moves=[[24, 23, 1]])
        assert one.hears("refused")["code"] in ("illegal", "stale")
        anna.say(do="act", id="old", seq=0, event={"kind": "resign", "level": 1})
        assert anna.hears("refused")["code"] == "stale"


def test_a_client_resumes_by_the_last_event_it_knows(served: Served) -> None:
    with ExitStack() as people:
        chouette_id, anna, _ = two_and_two_bots(served, people, bots="0")
        third = Person(served)
        third.joins(chouette_id)
        anna.hears("chouette")
        anna.does("order")
        seen = anna.state["seq"]
        people.enter_context(third.at(chouette_id, seq=seen - 1))
        assert next(line["seq"] for line in third.state["log"]) == seen
        people.enter_context(third.at(chouette_id))
        assert next(line["kind"] for line in third.state["log"]) == "opening"


def test_the_chouette_talks_and_hushes_where_consulting_is_not_allowed(served: Served) -> None:
    with ExitStack() as people:
        chouette_id, anna, ben = two_and_two_bots(served, people, consulting="none", bots="0")
        third = Person(served)
        third.joins(chouette_id)
        anna.say(do="say", text="Hello <b>all</b>")
        assert ben.hears("chat")["lines"][0]["text"] == "Hello <b>all</b>"
        watching = Person(served)
        people.enter_context(watching.at(chouette_id))
        watching.say(do="say", text="May I?")
        assert watching.hears("refused")["code"] == "seat"
        people.enter_context(third.at(chouette_id))
        anna.does("order")
        everybody = {0: anna, 1: ben, 2: third}
        while not ((chouette := fold(served, chouette_id)).board.player == 1 and chouette.board.faces):
            one = everybody[chouette.waits_for[0]]
            while one.state["seq"] < len(chouette.events):
                one.hears("chouette")
            assert one.plays_on()
        quiet = everybody[next(player for player in chouette.line[2:])]
        quiet.say(do="say", text="Hit there")
        assert quiet.hears("refused")["message"].startswith("the team has a roll to play")


def test_who_mutes_the_chouette_or_blocks_somebody_does_not_read_it_and_the_administrators_are_told(
    served: Served,
) -> None:
    with ExitStack() as people:
        chouette_id, anna, ben = two_and_two_bots(served, people, bots="0")
        ben.say(do="mute", muted=True)
        assert ben.hears("chat") == {"say": "chat", "lines": [], "muted": True}
        anna.say(do="say", text="first")
        anna.hears("chat")
        ben.say(do="say", text="own")
        assert [line["text"] for line in ben.hears("chat")["lines"]] == ["own"]
        people.enter_context(ben.at(chouette_id))  # it is kept
        assert ben.said["muted"]
        ben.say(do="mute", muted=False)
        assert not ben.hears("chat")["muted"]
        path = f"/chouette/{chouette_id}"
        assert ben.http.post(f"{path}/block", data={"player": "0"}).headers["location"] == f"{path}?said=block"
        people.enter_context(ben.at(chouette_id))
        assert [line["text"] for line in ben.said["lines"]] == ["own"]
        ben.http.post(f"{path}/block", data={"player": "0", "off": "1"})
        answer = ben.http.post(f"{path}/report", data={"player": "0", "text": "He <i>shouts</i>"})
        assert "told" in ben.http.get(answer.headers["location"]).text
        (found,) = served.call(served.services.store.read(chat_storage.open_reports))
        assert (found.match_id, found.text) == (None, f"(chouette {chouette_id}) He <i>shouts</i>")
        object.__setattr__(served.services.allowance, "letters", Credits(0, 1 / 300, lambda: 0.0))
        refused = ben.http.post(f"{path}/report", data={"player": "0", "text": "Again"})
        assert refused.status_code == 429
        assert '<input type="hidden" name="player" value="0">' in refused.text, "it can be sent again"
        assert ">Again</textarea>" in refused.text
        for data in ({"player": "1", "text": "me"}, {"player": "9", "text": "x"}, {"text": "x"}):
            assert ben.http.post(f"{path}/report", data=data).status_code == 403
        assert Person(served).http.post(f"{path}/block", data={"player": "0"}).status_code == 403
        assert ben.http.post("/chouette/nowhere/block", data={"player": "0"}).status_code == 404


FIRST: tuple[Any, ...] = (
    {"do": "act", "id": "a", "seq": 0, "event": {"kind": "roll"}},
    {"do": "join", "protocol": 99},
    {"do": "join"},
    {"do": "join", "protocol": 2, "commitment": "0" * 64},
    [],
)


def test_a_connection_begins_with_join(served: Served) -> None:
    chouette_id = Person(served).opens()
    for first in FIRST:
        with connect(f"ws://127.0.0.1:{served.port}/ws/chouette/{chouette_id}") as socket:
            socket.send(json.dumps(first))
            assert json.loads(socket.recv(timeout=PATIENCE_S))["say"] == "refused"
            with pytest.raises(ConnectionClosed):
                socket.recv(timeout=PATIENCE_S)
            assert socket.close_code == 1008


def test_other_origins_and_unknown_chouettes_are_turned_away(served: Served) -> None:
    chouette_id = Person(served).opens()
    for where, origin in ((chouette_id, "http://elsewhere.example"), ("nowhere", None)):
        headers = {"Origin": origin} if origin else {}
        with pytest.raises(InvalidStatus):
            connect(f"ws://127.0.0.1:{served.port}/ws/chouette/{where}", additional_headers=headers)
    assert Person(served).http.get("/chouette/nowhere").status_code == 404
    assert Person(served).http.post("/chouette/nowhere/join", data={"x": "1"}).status_code == 404


IMPOSSIBLE: tuple[tuple[dict[str, str], str], ...] = (
    ({"variant": "chess"}, "chess"),
    ({"cubes": "many"}, "allowed: each, one, none"),
    ({"decision": "never"}, "1 minute"),
    ({"consulting": "loud"}, "in_game"),
    ({"bots": "99"}, "allowed: 0 to 7"),
    ({"bots": "1", "level": "<script>"}, "allowed: easy, chance"),
    ({"variant": "plakoto", "bots": "1"}, "not played by the bot"),
)


def test_a_chouette_that_cannot_be_is_refused_with_what_is_allowed(served: Served) -> None:
    person = Person(served)
    for fields, said in IMPOSSIBLE:
        answer = person.http.post("/chouette", data={"jacoby": "1", **fields})
        assert answer.status_code == 422
        assert said in answer.text
        assert "<script>" not in answer.text.partition("<main")[2]


def test_chouettes_are_listed_and_lead_to_their_page(served: Served) -> None:
    anna, ben = Person(served), Person(served)
    chouette_id = anna.opens(cubes="one", beavers="1", half_taken="1", automatic_doubles="1")
    for page in ("/lobby", "/chouettes"):
        text = ben.http.get(page).text
        assert f"/chouette/{chouette_id}" in text
        assert "One cube for the team, Jacoby rule, automatic doubles" in text
    page = ben.http.get(f"/chouette/{chouette_id}").text
    assert "Sit down" in page
    assert chouette_id in page


def test_every_message_is_read_or_refused_in_words() -> None:
    known: ChouetteRequest = read_chouette_request('{"do":"act","id":"a","seq":1,"event":{"kind":"double"},"to":[1,2]}')
    assert known.__struct_fields__ == ("id", "seq", "event", "to")
    with pytest.raises(Exception, match="at most"):
        read_chouette_request(" " * 5000)
