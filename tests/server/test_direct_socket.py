"""WebSockets that were taken over from ASGI, against clients who do as RFC 6455 says and others."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection

from barpoint.server.frames import close_frame
from tests.server.web.test_abuse import connections, frame, heard_last, shaken_hands
from tests.server.web.test_match_socket import hear, say, two_at_a_table
from tests.support.machine import PATIENCE_S
from tests.support.scripted_bots import ScriptedDice
from tests.support.serving import Served, serve

JOIN = '{"do":"join","protocol":2,"seq":null}'


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    running = serve(tmp_path, dice=ScriptedDice([(6, 5)]))
    yield running
    running.stop()


@pytest.fixture
def watching(served: Served) -> Iterator[socket.socket]:
    """A raw WebSocket at a match, before its first message."""
    match_id, _, _ = two_at_a_table(served)
    with shaken_hands(served, f"/ws/match/{match_id}") as raw:
        yield raw


def masked(kind: Opcode, data: bytes, final: bool = True) -> bytes:
    return Frame(kind, data, fin=final).serialize(mask=True)


def farewell(raw: socket.socket) -> int:
    """The code that the server closes with; the rest that it sends is skipped."""
    return int.from_bytes(everything(raw).rpartition(b"\x88")[2][1:3])


def everything(raw: socket.socket) -> bytes:
    """All that is received until the other side closes."""
    found = b""
    while more := raw.recv(65536):
        found += more
    return found


def said(raw: socket.socket, text: bytes) -> bool:
    """Whether this is received."""
    found = b""
    while text not in found:
        if not (more := raw.recv(65536)):
            return False
        found += more
    return True


def test_a_message_in_parts_is_answered(watching: socket.socket) -> None:
    half = len(JOIN) // 2
    watching.sendall(masked(Opcode.TEXT, JOIN[:half].encode(), final=False))
    watching.sendall(masked(Opcode.PING, b"between") + masked(Opcode.CONT, JOIN[half:].encode()))
    assert said(watching, b'"say":"state"')


def test_bytes_that_come_one_by_one_are_answered(watching: socket.socket) -> None:
    watching.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in frame(JOIN):
        watching.sendall(bytes([byte]))
    assert said(watching, b'"say":"state"')


def test_a_ping_is_answered_with_its_payload(watching: socket.socket) -> None:
    watching.sendall(masked(Opcode.PING, b"are you there"))
    assert said(watching, b"\x8a\x0dare you there")


def test_a_farewell_is_answered_with_its_code(served: Served, watching: socket.socket) -> None:
    watching.sendall(frame(JOIN))
    assert said(watching, b'"say":"state"')
    assert connections(served) == 1
    watching.sendall(masked(Opcode.CLOSE, (1001).to_bytes(2) + b"bye"))
    assert farewell(watching) == 1001
    assert connections(served) == 0


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (masked(Opcode.TEXT, b"x" * 20_000), 1009),
        (masked(Opcode.TEXT, b'"\xff"'), 1007),
        (Frame(Opcode.TEXT, JOIN.encode()).serialize(mask=False), 1002),
        (masked(Opcode.CONT, JOIN.encode()), 1002),
        (masked(Opcode.CLOSE, (1005).to_bytes(2)), 1002),
        (bytes((0xF1, 0x80, 0, 0, 0, 0)), 1002),
    ],
    ids=["too long", "no text", "no mask", "no beginning", "no such code", "reserved bits"],
)
def test_who_breaks_the_protocol_hears_why(served: Served, watching: socket.socket, sent: bytes, code: int) -> None:
    watching.sendall(sent)
    assert farewell(watching) == code
    assert connections(served) == 0


def test_data_after_a_farewell_is_not_read(served: Served) -> None:
    match_id, anna, _ = two_at_a_table(served)
    with anna.at(match_id):
        play = {"do": "act", "id": "a1", "seq": 1, "event": {"kind": "play", "moves": [[24, 18, 6], [18, 13, 5]]}}
        cookie = "; ".join(f"{name}={value}" for name, value in anna.http.cookies.items())
        with shaken_hands(served, f"/ws/match/{match_id}", f"Cookie: {cookie}") as raw:
            raw.sendall(frame(JOIN))
            assert said(raw, b'"say":"state"')
            raw.sendall(masked(Opcode.CLOSE, b"") + masked(Opcode.TEXT, json.dumps(play).encode()))
            everything(raw)
    with anna.at(match_id):
        assert anna.state["seq"] == 1


def test_a_client_that_gives_no_sign_is_let_go_and_one_that_answers_stays(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("barpoint.server.direct_socket.LOOK_S", 0.1)
    monkeypatch.setattr("barpoint.server.direct_socket.SILENT_S", 0.3)
    match_id, anna, _ = two_at_a_table(served)
    with anna.at(match_id) as answering, shaken_hands(served, f"/ws/match/{match_id}") as silent:
        silent.sendall(frame(JOIN))
        assert everything(silent).count(b"\x89\x00") >= 1, "it was asked"
        until_pinged(answering)
        say(answering, do="ping", number=3)
        assert hear(answering, "pong")["number"] == 3


def until_pinged(socket: ClientConnection) -> None:
    """Waits longer than a client may be silent; the library answers pings in a thread of its own."""
    with suppress(TimeoutError):
        while True:
            socket.recv(timeout=1.0)


def test_who_does_not_answer_a_farewell_is_let_go(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("barpoint.server.direct_socket.CLOSE_S", 0.2)
    match_id, _, _ = two_at_a_table(served)
    with shaken_hands(served, f"/ws/match/{match_id}") as raw:
        raw.sendall(frame("nonsense"))
        assert heard_last(raw, close_frame(1008, "join first"))
    with shaken_hands(served, f"/ws/match/{match_id}") as raw:
        raw.sendall(frame("nonsense"))
        everything(raw)  # ends although nothing is answered


def test_a_server_that_stops_says_so(tmp_path: Path) -> None:
    served = serve(tmp_path, dice=ScriptedDice([(6, 5)]))
    match_id, anna, _ = two_at_a_table(served)
    with anna.at(match_id) as socket:
        served.stop()
        with suppress(ConnectionClosed):
            while True:
                socket.recv(timeout=PATIENCE_S)
        assert socket.close_code == 1012


def test_many_messages_at_once_are_answered_in_order(served: Served) -> None:
    match_id, anna, _ = two_at_a_table(served)
    with anna.at(match_id):
        with shaken_hands(served, f"/ws/match/{match_id}") as raw:
            raw.sendall(frame(JOIN))
            assert said(raw, b'"say":"state"')
            pings = b"".join(frame(f'{{"do":"ping","number":{number}}}') for number in range(30))
            raw.sendall(pings + masked(Opcode.CLOSE, b""))
            answered = everything(raw)
        numbers = [part.partition(b"}")[0] for part in answered.split(b'"number":')[1:]]
        assert numbers == sorted(numbers, key=int)


def test_a_client_that_goes_while_it_is_let_in_leaves_nothing(served: Served) -> None:
    match_id, _, _ = two_at_a_table(served)
    for _ in range(20):
        raw = shaken_hands(served, f"/ws/match/{match_id}")
        raw.sendall(frame(JOIN))
        raw.close()
    with shaken_hands(served, f"/ws/match/{match_id}") as last:
        last.sendall(frame(JOIN))
        assert said(last, b'"say":"state"')
        assert connections(served) >= 1
        last.sendall(masked(Opcode.CLOSE, b""))
        everything(last)
    assert connections(served) == 0
