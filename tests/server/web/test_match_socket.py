"""The WebSocket protocol: answers, refusals, and that the server trusts nothing a client sends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from barpoint.error import StoreError
from barpoint.server.domain import guests
from barpoint.server.domain.guests import Guest
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.web.connections import TRY_AGAIN
from barpoint.server.web.credentials import Credentials
from barpoint.server.web.match_socket import _AtMatch
from tests.support.accounts import serving
from tests.support.machine import PATIENCE_S
from tests.support.programs import Bot, Member
from tests.support.scripted_bots import ScriptedDice
from tests.support.serving import Served

Message = dict[str, Any]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, dice=ScriptedDice([(6, 5)], [(2, 1)])) as running:
        yield running


class Client:
    """A player without a browser."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.http = served.guests.enter_context(httpx.Client(base_url=served.address, follow_redirects=False))
        self.state: Message = {}

    def create(self, **fields: str) -> str:
        answer = self.http.post("/match", data={"opponent": "friend", "length": "3", "cube": "1", **fields})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].rpartition("/")[2]

    def accept(self, match_id: str, page: str) -> None:
        link = page.partition("/join/")[2].partition('"')[0]
        answer = self.http.post(f"/join/{link}", data={"x": "1"})
        assert answer.headers["location"] == f"/match/{match_id}"

    @contextmanager
    def at(self, match_id: str, seq: int | None = None, **headers: str) -> Iterator[ClientConnection]:
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = f"ws://127.0.0.1:{self.served.port}/ws/match/{match_id}"
        with connect(address, additional_headers={"Cookie": cookie, **headers}, close_timeout=1) as socket:
            say(socket, do="join", protocol=2, seq=seq)
            self.state = hear(socket, "state")
            yield socket


def say(socket: ClientConnection, **message: Any) -> None:
    socket.send(json.dumps(message))


def hear(socket: ClientConnection, kind: str) -> Message:
    """The next message of a kind; skips others."""
    while True:
        message: Message = json.loads(socket.recv(timeout=PATIENCE_S))
        if message["say"] == kind:
            return message


def two_at_a_table(served: Served, **fields: str) -> tuple[str, Client, Client]:
    anna, ben = Client(served), Client(served)
    match_id = anna.create(**fields)
    ben.accept(match_id, anna.http.get(f"/match/{match_id}").text)
    with anna.at(match_id), ben.at(match_id):
        pass  # both have joined without seeds for the dice: the match has begun
    return match_id, anna, ben


def test_both_players_and_a_spectator_see_their_side_and_their_rights(served: Served) -> None:
    match_id, anna, ben = two_at_a_table(served)
    with anna.at(match_id), ben.at(match_id), Client(served).at(match_id) as watching:
        mine, their = anna.state["view"], ben.state["view"]
        assert (anna.state["seat"], ben.state["seat"]) == (0, 1)
        assert mine["to_act"] == "near"
        assert their["to_act"] == "far"
        assert [may["kind"] for may in mine["allowed"]] == ["play", "resign"]
        assert [may["kind"] for may in their["allowed"]] == ["resign"]
        assert len(mine["turn"]["nodes"]) > 1
        assert their["turn"]["nodes"] == [[False, []]], "the other side is given nothing to play"
        say(watching, do="ping", number=7)
        assert hear(watching, "pong")["number"] == 7


def test_a_spectator_can_do_nothing(served: Served) -> None:
    match_id, anna, _ = two_at_a_table(served)
    with anna.at(match_id), Client(served).at(match_id) as watching:
        say(watching, do="act", id="a", seq=1, event={"kind": "roll"})
        assert hear(watching, "refused")["code"] == "seat"
        say(watching, do="try", seq=1, version=1, moves=[[24, 18, 6]])
        assert hear(watching, "refused")["code"] == "seat"


def test_a_play_is_acknowledged_and_everybody_sees_it(served: Served) -> None:
    match_id, anna, ben = two_at_a_table(served)
    with anna.at(match_id) as first, ben.at(match_id) as second:
        say(first, do="act", id="a1", seq=1, event={"kind": "play", "moves": [[24, 18, 6], [18, 13, 5]]})
        assert hear(first, "done") == {"say": "done", "id": "a1", "seq": 2}
        seen = hear(second, "state")
        assert seen["seq"] == 2
        assert seen["view"]["last"]["text"] == "24/13"
        assert [line["text"] for line in seen["log"]] == ["24/13"]
        assert [may["kind"] for may in seen["view"]["allowed"]][:2] == ["roll", "double"]


def test_a_repeated_command_is_acknowledged_as_it_was(served: Served) -> None:
    match_id, anna, _ = two_at_a_table(served)
    command = {"do": "act", "id": "a1", "seq": 1, "event": {"kind": "play", "moves": [[24, 18, 6], [18, 13, 5]]}}
    with anna.at(match_id) as socket:
        for _ in range(2):
            say(socket, **command)
            assert hear(socket, "done")["seq"] == 2
    with anna.at(match_id) as socket:
        say(socket, **command)
        assert hear(socket, "done")["seq"] == 2
        assert anna.state["seq"] == 2


def test_a_stale_command_is_refused(served: Served) -> None:
    match_id, anna, _ = two_at_a_table(served)
    with anna.at(match_id) as socket:
        say(socket, do="act", id="a1", seq=0, event={"kind": "play", "moves": [[24, 18, 6], [18, 13, 5]]})
        refused = hear(socket, "refused")
        assert refused["code"] == "stale"
        assert refused["id"] == "a1"


def test_a_client_resumes_by_the_last_event_it_knows(served: Served) -> None:
    match_id, anna, ben = two_at_a_table(served)
    with anna.at(match_id) as first:
        say(first, do="act", id="a1", seq=1, event={"kind": "play", "moves": [[24, 18, 6], [18, 13, 5]]})
        hear(first, "done")
    with ben.at(match_id, seq=1):
        assert [line["seq"] for line in ben.state["log"]] == [2]
    with ben.at(match_id, seq=2):
        assert ben.state["log"] == []
    with ben.at(match_id):
        assert [line["seq"] for line in ben.state["log"]] == [1, 2]


def test_tried_moves_are_kept_and_shown_and_not_logged(served: Served) -> None:
    match_id, anna, ben = two_at_a_table(served)
    with anna.at(match_id) as first, ben.at(match_id) as second:
        say(first, do="try", seq=1, version=1, moves=[[24, 18, 6]])
        assert hear(first, "tried")["version"] == 1
        shown = hear(second, "state")
        assert shown["view"]["turn"] == {"nodes": [[False, [[24, 18, 6, 0, 1]]], [False, []]], "made": [[24, 18, 6]]}
        assert shown["seq"] == 1
    with anna.at(match_id):
        assert anna.state["view"]["turn"]["made"] == [[24, 18, 6]]
        assert anna.state["version"] == 1


def test_a_second_tab_learns_of_moves_tried_in_the_first(served: Served) -> None:
    match_id, anna, _ = two_at_a_table(served)
    with anna.at(match_id) as one, anna.at(match_id) as two:
        say(one, do="try", seq=1, version=1, moves=[[24, 18, 6]])
        assert hear(two, "state")["view"]["turn"]["made"] == [[24, 18, 6]]
        say(two, do="try", seq=1, version=1, moves=[[13, 7, 6]])
        assert hear(two, "refused")["code"] == "stale"
        say(two, do="try", seq=1, version=2, moves=[[13, 7, 6]])
        assert hear(one, "state")["view"]["turn"]["made"] == [[13, 7, 6]]


BAD_FRAMES = (
    "",
    "null",
    "[]",
    "{",
    '{"do":"act"}',
    '{"do":"nothing"}',
    '{"do":"act","id":"","seq":1,"event":{"kind":"roll"}}',
    '{"do":"act","id":"a b","seq":1,"event":{"kind":"roll"}}',
    '{"do":"act","id":"a","seq":-1,"event":{"kind":"roll"}}',
    '{"do":"act","id":"a","seq":99999999999999999999,"event":{"kind":"roll"}}',
    '{"do":"act","id":"a","seq":1,"event":{"kind":"roll","faces":[6,6]}}',
    '{"do":"act","id":"a","seq":1,"event":{"kind":"roll","player":1}}',
    '{"do":"act","id":"a","seq":1,"event":{"kind":"opening","faces":[6,1]}}',
    '{"do":"act","id":"a","seq":1,"event":{"kind":"settle","points":9}}',
    '{"do":"act","id":"a","seq":1,"event":{"kind":"timeout"}}',
    '{"do":"act","id":"a","seq":1,"event":{"kind":"play","moves":[[1,2]]}}',
    '{"do":"act","id":"a","seq":1,"event":{"kind":"play","moves":[[99,1,1]]}}',
    '{"do":"act","id":"a","seq":1,"event":{"kind":"play","moves":"x"}}',
    '{"do":"act","id":"a","seq":1,"event":{"kind":"play","moves":[[24,18,6]],"position":[]}}',
    '{"do":"act","id":"a","seq":1,"event":{"kind":"resign","level":4}}',
    '{"do":"try","seq":1,"version":0,"moves":[]}',
    "[" * 3000,
    '{"do":"ping","number":"' + "9" * 5000 + '"}',
)


def test_frames_that_are_no_messages_are_refused_one_by_one(served: Served) -> None:
    match_id, anna, _ = two_at_a_table(served)
    for start in range(0, len(BAD_FRAMES), 15):
        with anna.at(match_id) as socket:
            before = anna.state["seq"]
            for frame in BAD_FRAMES[start : start + 15]:
                socket.send(frame)
                refused = hear(socket, "refused")
                assert refused["code"] == "format", frame
                assert refused["message"]
            socket.send(b"\xff\xfe\x00")
            assert hear(socket, "refused")["code"] == "format"
            say(socket, do="ping", number=1)
            assert hear(socket, "pong")["number"] == 1
        with anna.at(match_id):
            assert anna.state["seq"] == before == 1


def send_until_closed(socket: ClientConnection, *frames: str) -> None:
    """Sends something the server refuses, and reads until the end."""
    for frame in frames:
        socket.send(frame)
    while True:
        socket.recv(timeout=PATIENCE_S)


@pytest.mark.parametrize(
    "frames",
    [["x"] * 40, ['{"do":"ping","number":1}'] * 2000, ["x" * 1_000_000]],
    ids=["errors", "messages", "one too large"],
)
def test_a_flood_ends_the_connection_and_nothing_else(served: Served, frames: list[str]) -> None:
    match_id, anna, _ = two_at_a_table(served)
    with anna.at(match_id) as socket, pytest.raises(ConnectionClosed):
        send_until_closed(socket, *frames)
    with anna.at(match_id):
        assert anna.state["seq"] == 1


def test_a_page_of_another_site_is_not_let_in(served: Served) -> None:
    match_id, anna, _ = two_at_a_table(served)
    with pytest.raises(InvalidStatus), anna.at(match_id, Origin="http://elsewhere.example"):
        pass
    with anna.at(match_id, Origin=served.address):
        assert anna.state["seat"] == 0


def test_a_program_plays_by_its_access_token_and_follows_the_match(served: Served) -> None:
    bot, other = Bot(served, "Botty"), Client(served)
    made = bot.post("/api/challenge/open", length=1).json()
    match_id = made["id"]
    other.http.post(made["join"], data={"x": "1"})
    program = Client(served)
    program.http.cookies.update(other.http.cookies)
    with (
        program.at(match_id, Authorization=bot.client.headers["Authorization"]) as mine,
        other.at(match_id) as theirs,
    ):
        assert program.state["seat"] == 0, "the token counts, and cookies beside it do not"
        assert other.state["seat"] == 1
        state = hear(mine, "state")
        while not state["seq"]:
            state = hear(mine, "state")
        say(mine, do="act", id="a", seq=state["seq"], event={"kind": "resign", "level": 1})
        assert hear(mine, "done")["seq"] > state["seq"]
        assert hear(theirs, "state")
        with (
            pytest.raises(InvalidStatus),
            program.at(match_id, Authorization=bot.client.headers["Authorization"], Origin="http://elsewhere.example"),
        ):
            pass


def test_a_token_that_is_wrong_or_does_not_allow_play_is_refused_with_the_reason(served: Served) -> None:
    match_id, anna, _ = two_at_a_table(served)
    reader = Member(served, "Reader", scopes=("challenge",))
    for token in ("bp_nothing", reader.token, ""):
        with pytest.raises(InvalidStatus) as refused, anna.at(match_id, Authorization=f"Bearer {token}"):
            pass
        assert refused.value.response.status_code == 401
        error = json.loads(refused.value.response.body or b"")["error"]
        assert error["code"] == "token"
        assert "does not allow play; allowed:" in error["message"]


def test_connections_by_a_token_spend_the_calls_of_its_owner(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id, anna, _ = two_at_a_table(served)
    bot = Bot(served, "Botty")
    calls = served.services.allowance.calls
    now = calls._clock()
    monkeypatch.setattr(calls, "_clock", lambda: now)  # none come back while this looks
    while calls.spend(bot.id):
        pass
    with pytest.raises(InvalidStatus) as refused, anna.at(match_id, Authorization=bot.client.headers["Authorization"]):
        pass
    assert refused.value.response.status_code == 429
    assert int(refused.value.response.headers["Retry-After"]) >= 1


def test_a_connection_ends_once_its_token_is_withdrawn(served: Served) -> None:
    match_id, _, _ = two_at_a_table(served)
    member, client = Member(served, "Member"), Client(served)
    with client.at(match_id, Authorization=f"Bearer {member.token}") as socket:
        token_id = member.client.get("/access-tokens").text.partition('name="token" value="')[2].partition('"')[0]
        member.client.post("/access-tokens/withdraw", data={"token": token_id})
        with pytest.raises(ConnectionClosed) as closed:
            hear(socket, "nothing of that kind")
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, "logged out")


def test_who_watches_in_one_tab_plays_there_too_once_another_has_taken_the_seat(served: Served) -> None:
    anna, ben = Client(served), Client(served)
    match_id = anna.create()
    page = anna.http.get(f"/match/{match_id}").text
    ben.http.get("/")
    ben.create()  # somebody whom the server knows
    with anna.at(match_id), ben.at(match_id) as watching:
        assert ben.state["seat"] is None
        ben.accept(match_id, page)
        state = hear(watching, "state")
        while state["seat"] is None:
            state = hear(watching, "state")
        assert state["seat"] == 1
        with ben.at(match_id):
            pass
        assert served.services.seat_presence.of(match_id, 1).here, "he is at the board in the first tab"
        say(watching, do="act", id="a", seq=state["seq"], event={"kind": "resign", "level": 1})
        assert hear(watching, "refused")["code"] != "seat", "it plays for its seat"


@pytest.mark.parametrize("sits", [True, False], ids=["who was about to sit down", "who was about to lose the seat"])
def test_who_leaves_while_the_news_are_read_is_not_at_the_board(
    served: Served, sits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = Client(served), Client(served)
    match_id = anna.create()
    page = anna.http.get(f"/match/{match_id}").text
    services, presence = served.services, served.services.seat_presence
    live_match = served.call(services.matches.live_match(match_id))
    free = live_match.header
    ben.accept(match_id, page)
    taken = live_match.header
    before, after = (free, taken) if sits else (taken, free)
    socket = SimpleNamespace(close=None, start=None)
    monkeypatch.setattr("barpoint.server.web.connections.take_over", lambda *_: socket)

    async def leaves() -> None:
        assert taken.seats[1].guest is not None
        person, header = Guest(taken.seats[1].guest, "Ben"), live_match.header
        live_match.header = before
        connection = _AtMatch(services, Credentials({}), live_match, person)
        connection.begin({})
        connection._present = connection._seat
        presence.enter(match_id, connection._present)
        assert presence.of(match_id, 1).here is not sits

        async def slowly(_: str) -> LiveMatch:
            connection.ended()
            live_match.header = after
            return live_match

        with monkeypatch.context() as slow:
            slow.setattr(services.matches, "live_match", slowly)
            await connection.news()
        live_match.header = header

    served.call(leaves())
    assert not presence.of(match_id, 1).here
    with presence.present(match_id, 1):
        assert presence.of(match_id, 1).here, "nor is anything left that counts against who comes back"
    assert not presence.of(match_id, 1).here


def test_a_match_that_does_not_exist_has_no_socket(served: Served) -> None:
    with pytest.raises(InvalidStatus), Client(served).at("nowhere"):
        pass


def test_a_forged_cookie_is_a_spectators(served: Served) -> None:
    match_id, anna, _ = two_at_a_table(served)
    signed = anna.http.cookies[guests.COOKIE]
    forged = Client(served)
    forged.http.cookies.set(guests.COOKIE, signed[:-1] + ("0" if signed[-1] != "0" else "1"))
    with forged.at(match_id):
        assert forged.state["seat"] is None


@pytest.mark.parametrize(
    ("first", "code"),
    [({"do": "ping"}, "join_first"), ({"do": "join", "protocol": 3}, "protocol"), ({"do": "join"}, "format")],
)
def test_a_connection_begins_by_joining(served: Served, first: Message, code: str) -> None:
    match_id, _, _ = two_at_a_table(served)
    with connect(f"ws://127.0.0.1:{served.port}/ws/match/{match_id}") as socket:
        say(socket, **first)
        assert hear(socket, "refused")["code"] == code
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE_S)


def test_moves_tried_belong_to_whose_turn_it_is(served: Served) -> None:
    match_id, anna, ben = two_at_a_table(served)
    with anna.at(match_id) as first, ben.at(match_id) as second:
        say(second, do="try", seq=1, version=1, moves=[[24, 18, 6]])
        assert hear(second, "refused")["code"] == "seat"
        say(first, do="try", seq=1, version=1, moves=[[24, 20, 4]])
        assert hear(first, "refused")["code"] == "illegal"


async def away(*_: Any, **__: Any) -> None:
    """What the store does during an outage."""
    raise StoreError("the database is away")


def test_a_connection_that_comes_while_the_database_is_away_is_told_to_come_again(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match_id, anna, _ = two_at_a_table(served)

    with monkeypatch.context() as outage:
        outage.setattr(type(served.services.store), "read", away)
        with pytest.raises(InvalidStatus) as refused, anna.at(match_id):
            pass
        assert refused.value.response.status_code == 403
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    with anna.at(match_id):
        assert anna.state["seq"] == 1


def test_a_connection_during_which_the_database_goes_away_is_closed_and_comes_again(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match_id, anna, _ = two_at_a_table(served)

    with monkeypatch.context() as outage:
        outage.setattr(served.services.adjournments, "seen", away)
        with pytest.raises(ConnectionClosed) as closed, anna.at(match_id):
            pass
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == TRY_AGAIN
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    with anna.at(match_id):
        assert anna.state["seq"] == 1


@pytest.mark.parametrize("path", ["/lobby", "/join/a-secret"])
def test_a_page_asked_for_while_the_database_is_away_says_so_in_one_line_of_the_log(
    served: Served, path: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _, anna, _ = two_at_a_table(served)

    with monkeypatch.context() as outage:
        outage.setattr(type(served.services.store), "read", away)
        answers = [anna.http.get(path), anna.http.post(path, data={"x": "1"})]
    for answer in answers:
        assert answer.status_code == 503
        assert "The database does not answer just now" in answer.text
    logged = [
        record for record in caplog.records if record.name.startswith("barpoint")
    ]  # `serve` turns access logs off
    assert len([record for record in logged if "was not done" in record.getMessage()]) == 2
    assert not [record for record in logged if "a-secret" in record.getMessage()]
    assert not [record for record in caplog.records if record.exc_info]
