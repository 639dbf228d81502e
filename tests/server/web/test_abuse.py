"""Abuse of a server: idle sockets, slow readers, and arbitrary text in every field."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import socket
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select
from websockets.asyncio.client import connect

from barpoint.server.command import UNREAD_MS, listen
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.matches import GUEST, MATCH
from tests.server.live.test_kill import check
from tests.server.web.test_match_socket import hear, say, two_at_a_table
from tests.support.accounts import register, serving
from tests.support.load import Killable
from tests.support.machine import PATIENCE_S, held_port
from tests.support.scripted_bots import ScriptedDice
from tests.support.serving import Served, serve

IDLE = 500


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, dice=ScriptedDice([(6, 5)] * 99)) as running:
        yield running


# ---------------------------------------------------------------- sockets


def resident_mib(pid: int) -> float:
    """Memory of a process."""
    said = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert said is not None
    return int(said[1]) / 1024


async def test_five_hundred_idle_sockets_leave_the_server_well_and_little_bigger(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'idle.sqlite3'}"
    with held_port() as port:
        server = Killable(database, port)
        await server.start()
        assert server.process is not None
        links: list[Any] = []
        try:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S) as http:
                made = await http.post("/match", data={"variant": "hypergammon", "length": "1", "opponent": "friend"})
                where = made.headers["location"]
                before = resident_mib(server.process.pid)
                for number in range(IDLE):
                    path = f"/ws{where}" if number % 2 else "/ws/lobby?part=lobby"
                    links.append(await connect(f"ws://127.0.0.1:{port}{path}", open_timeout=PATIENCE_S, max_queue=1))
                    if number % 2:
                        await links[-1].send(json.dumps({"do": "join", "protocol": 2, "seq": None}))
                for link in links:
                    assert json.loads(await asyncio.wait_for(link.recv(), PATIENCE_S))["say"] in ("state", "part")
                assert (await http.get("/healthz")).json() == {"status": "ok"}
                assert (resident_mib(server.process.pid) - before) / IDLE < 0.5
                match = await http.post("/api/challenge/bot", json={}, headers=await token(http))
                assert match.status_code == 201
                assert (await http.get(f"/match/{match.json()['id']}")).status_code == 200
        finally:
            await asyncio.gather(*(link.close() for link in links))
            server.kill()
    await check(database, [])


async def token(http: httpx.AsyncClient) -> dict[str, str]:
    made = (await http.post("/api/guest", json={})).json()
    return {"Authorization": f"Bearer {made['token']}"}


def test_who_connects_and_says_nothing_is_let_go(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id, anna, _ = two_at_a_table(served)
    with monkeypatch.context() as soon:
        soon.setattr("barpoint.server.web.connections.JOIN_S", 0.2)
        silent = shaken_hands(served, f"/ws/match/{match_id}")
        assert heard_last(silent, b"nothing was said")
    with anna.at(match_id):
        assert anna.state["seq"] == 1


def shaken_hands(served: Served, path: str, *headers: str) -> socket.socket:
    """A raw WebSocket, without a library that would read incoming data."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    raw.settimeout(PATIENCE_S)
    raw.connect(("127.0.0.1", served.port))
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{served.port}", "Upgrade: websocket", "Connection: Upgrade"]
    lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *headers, "", ""]
    raw.sendall("\r\n".join(lines).encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += raw.recv(1)
    assert b" 101 " in answer
    return raw


def frame(text: str) -> bytes:
    """A short message as a client sends it, with a zero mask."""
    data = text.encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data)]) + b"\0\0\0\0" + data


def heard_last(raw: socket.socket, said: bytes) -> bool:
    """Whether this was received before the other side closed."""
    found = b""
    with raw:
        while said not in found:
            if not (more := raw.recv(65536)):
                return False
            found += more
    return True


@pytest.fixture
def narrow(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server whose system buffers little, so that it soon detects clients who do not read."""

    def listen_narrowly(host: str, port: int) -> socket.socket:
        listener = listen(host, port)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return listener

    monkeypatch.setattr("tests.support.serving.listen", listen_narrowly)
    running = serve(tmp_path_factory.mktemp("narrow"), dice=ScriptedDice([(6, 5)] * 99))
    yield running
    running.stop()


def test_a_reader_that_does_not_read_is_let_go_and_delays_nobody(
    narrow: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = narrow
    monkeypatch.setattr("barpoint.server.web.connections.SEND_S", 0.3)
    monkeypatch.setattr("barpoint.server.web.connections.BURST", 10_000)  # the quick one writes without a pause
    match_id, anna, ben = two_at_a_table(served)
    slow = shaken_hands(served, f"/ws/match/{match_id}")
    slow.sendall(frame('{"do":"join","protocol":2,"seq":null}'))
    gone = connections(served)
    until = time.monotonic() + PATIENCE_S
    with anna.at(match_id) as one, ben.at(match_id) as other:
        mover = one if anna.state["view"]["to_act"] == "near" else other
        edges = anna.state["view"]["turn"]["nodes"] or ben.state["view"]["turn"]["nodes"]
        first = (edges if edges[0][1] else ben.state["view"]["turn"]["nodes"])[0][1][0][:3]
        version = 0
        while connections(served) > gone + 1:  # the slow one receives every draft
            assert time.monotonic() < until, "who does not read is let go"
            version += 1
            moves = [first] if version % 2 else []
            say(mover, do="try", seq=anna.state["roll_seq"], version=version, moves=moves)
            assert hear(mover, "tried")["version"] == version
    slow.close()


def test_the_system_keeps_nothing_for_ever_for_who_does_not_read() -> None:
    with listen("127.0.0.1", 0) as listener:
        assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == UNREAD_MS


def connections(served: Served) -> float:
    """Open sockets of matches."""
    found = re.search(r"^barpoint_sockets (\S+)$", served.services.store.metrics.text().decode(), re.MULTILINE)
    assert found is not None
    return float(found[1])


# ---------------------------------------------------------------- text

NASTY = "'\"><img src=x onerror=alert(1)><script>alert(1)</script>{{7*7}}${7*7}'; DROP TABLE guest; --\u202e\0"
"""HTML, SQL, a template, and characters that reverse the direction of a line."""


class Forms(HTMLParser):
    """The forms of a page: (action, method, fields with their values, names of text fields)."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str, dict[str, str], set[str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        have = dict(attrs)
        if tag == "form":
            self.found.append((have.get("action") or "", (have.get("method") or "get").lower(), {}, set()))
        if not self.found or tag not in ("input", "textarea", "select") or not have.get("name"):
            return
        name, kind = str(have["name"]), have.get("type") or "text"
        _, _, fields, texts = self.found[-1]
        if kind not in ("checkbox", "radio") or "checked" in have:
            fields.setdefault(name, have.get("value") or "")
        if tag == "textarea" or kind in ("text", "password", "email", "number", "hidden", "search"):
            texts.add(name)


PAGES = (
    "/",
    "/lobby",
    "/register",
    "/login",
    "/recover",
    "/account",
    "/access-tokens",
    "/matches",
    "/rules",
    "/verify",
)


def test_nothing_written_into_any_field_of_any_form_breaks_or_becomes_a_page(served: Served) -> None:
    match_id, anna, ben = two_at_a_table(served)
    http = anna.http
    register(http, "Anna")
    register(ben.http, "Ben")
    pages = [*PAGES, f"/match/{match_id}", "/player/Ben"]
    forms = {
        (action, name): (action, method, fields, name)
        for page in pages
        for action, method, fields, texts in Forms(http.get(page, follow_redirects=True).text).found
        for name in texts
        if action not in ("/logout", "/account/delete")
    }
    assert len(forms) > 15
    assert {"text", "name", "password", "variant"} <= {name for _, name in forms}
    for action, method, fields, name in forms.values():
        sent = {**fields, name: NASTY}
        answer = http.request(method, action, **({"data": sent} if method == "post" else {"params": sent}))
        assert answer.status_code < 500, (action, name)
        assert_harmless(answer.text, f"{action} {name}")
    for page in pages:
        for person in (http, ben.http):
            answer = person.get(page, follow_redirects=True)
            assert answer.status_code < 500, page
            assert_harmless(answer.text, page)
    store = served.services.store
    counts = [
        served.call(store.read(lambda c, t=t: c.scalar(select(func.count()).select_from(t))))
        for t in (GUEST, ACCOUNT, MATCH)
    ]
    assert counts[0] >= 2
    assert counts[1] == 2
    assert counts[2] >= 1


def assert_harmless(html: str, where: str) -> None:
    """Checks that the text was neither markup nor evaluated, and does not reverse a line."""
    for sign in ("<img src=x", "<script>alert", "49${", "${49", "\u202e'"):
        assert sign not in html, where


@pytest.mark.parametrize(
    "path",
    ["/player/{}", "/match/{}", "/join/{}", "/rules/{}", "/picture?variant={}", "/card?variant={}", "/verify?match={}"],
)
def test_nothing_written_into_an_address_breaks_or_becomes_a_page(served: Served, path: str) -> None:
    answer = httpx.get(served.address + path.format(httpx.QueryParams({"x": NASTY})["x"].replace("\0", "%00")))
    assert answer.status_code < 500
    assert_harmless(answer.text, path)


@pytest.mark.parametrize("path", ["/player/A%00b", "/match/%00", "/api/match/%00", "/rules/x?next=%00"])
def test_an_address_with_nul_in_it_is_not_understood(served: Served, path: str) -> None:
    assert httpx.get(served.address + path).status_code == 400


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/api/guest", "name"),
        ("/api/challenge/bot", "variant"),
        ("/api/challenge/bot", "level"),
        ("/api/challenge/bot", "time_control"),
        ("/api/challenge/open", "variant"),
        ("/api/challenge/person/x", "variant"),
    ],
)
def test_nothing_written_into_json_breaks_or_is_kept_as_it_is(served: Served, path: str, field: str) -> None:
    made = httpx.post(f"{served.address}/api/guest", json={}).json()
    api = {"Authorization": f"Bearer {made['token']}"}
    answer = httpx.post(served.address + path, json={field: NASTY}, headers=api)
    assert answer.status_code in (201, 400, 404, 422)
    assert "\u202e" not in answer.text
