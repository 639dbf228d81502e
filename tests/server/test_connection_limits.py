"""Limits on connections: half-sent requests end, and nobody takes every place."""

from __future__ import annotations

import asyncio
import errno
import logging
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from barpoint.server.connection_limits import (
    MAX_CONNECTIONS,
    RESERVED,
    LimitedConfig,
    ThrottledErrors,
    connections_among,
    unknown_proxies,
)
from barpoint.server.domain.limits import MAX_OPEN_FROM_ONE
from tests.support.accounts import serving
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served, serve

ELSEWHERE = "127.0.0.2"
"""An address of this machine that is no proxy's."""

PLACES = 4


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as running:
        yield running


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server with few places for one address."""
    monkeypatch.setattr("barpoint.server.connection_limits.MAX_OPEN_FROM_ONE", PLACES)
    monkeypatch.setattr("barpoint.server.web.middleware.MAX_OPEN_FROM_ONE", PLACES)
    running = serve(tmp_path)
    yield running
    running.stop()


def opened(port: int, source: str = ELSEWHERE) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), PATIENCE_S, source_address=(source, 0))


def heard(raw: socket.socket) -> bytes:
    """All that is received until the other side closes."""
    found = b""
    with raw:
        try:
            while more := raw.recv(4096):
                found += more
        except ConnectionResetError:
            pass
    return found


def is_well(port: int) -> bool:
    return httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE_S).json() == {"status": "ok"}


def test_a_request_that_is_never_sent_in_full_ends(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("barpoint.server.connection_limits.HEADERS_S", 0.2)
    silent, raw = opened(served.port), opened(served.port)
    raw.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    assert heard(raw).startswith(b"HTTP/1.1 408 ")
    assert heard(silent) == b"", "browsers open connections beforehand"
    assert is_well(served.port)


def test_a_second_request_that_is_never_sent_in_full_ends(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("barpoint.server.connection_limits.HEADERS_S", 0.2)
    raw = opened(served.port)
    raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    first = b""
    while b'"ok"' not in first:
        first += raw.recv(4096)
    raw.sendall(b"GET /healthz HTTP/1.1\r\nHo")
    assert heard(raw).lstrip(b"}").startswith(b"HTTP/1.1 408 ")


def test_a_form_that_is_never_sent_in_full_ends_without_a_fault(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("barpoint.server.connection_limits.BODY_S", 0.2)
    raw = opened(served.port)
    kind = b"Content-Type: application/x-www-form-urlencoded\r\n"
    raw.sendall(b"POST /match HTTP/1.1\r\nHost: x\r\n" + kind + b"Content-Length: 100\r\n\r\nlength=")
    with caplog.at_level(logging.WARNING):
        assert heard(raw).startswith(b"HTTP/1.1 408 ")
        assert is_well(served.port)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_a_request_that_is_sent_slowly_but_in_time_is_answered(served: Served) -> None:
    raw = opened(served.port)
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":
        raw.sendall(bytes([byte]))
    assert heard(raw).startswith(b"HTTP/1.1 200 ")


def test_a_long_body_over_a_slow_line_is_answered(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part has its own time: altogether these take longer than one part may."""
    monkeypatch.setattr("barpoint.server.connection_limits.BODY_S", 1.0)
    monkeypatch.setattr("barpoint.server.connection_limits.BODY_PART", 100)
    raw = opened(served.port)
    kind = b"Content-Type: application/x-www-form-urlencoded\r\n"
    raw.sendall(b"POST /match HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + kind + b"Content-Length: 1500\r\n\r\n")
    for _part in range(15):
        raw.sendall(b"x" * 100)
        time.sleep(0.1)
    answer = heard(raw)
    assert answer.startswith(b"HTTP/1.1 ")
    assert not answer.startswith(b"HTTP/1.1 408")


def test_one_address_cannot_take_every_place(small: Served) -> None:
    idle = [opened(small.port) for _ in range(PLACES)]
    assert heard(opened(small.port)).startswith(b"HTTP/1.1 503 ")
    assert is_well(small.port)
    assert b" 200 " in answer_from(small.port, "127.0.0.3")
    idle.pop().close()
    until(lambda: b" 200 " in answer_from(small.port, ELSEWHERE))
    for raw in idle:
        raw.close()


def answer_from(port: int, source: str) -> bytes:
    raw = opened(port, source)
    try:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    except (BrokenPipeError, ConnectionResetError):
        return b""
    return heard(raw)


def until(true: Callable[[], bool]) -> None:
    """Returns once this is true; it becomes true because the server hears of a close a moment later."""
    for _ in range(round(PATIENCE_S * 100)):
        if true():
            return
    raise AssertionError("it never became true")


def test_websockets_take_places_and_give_them_back(small: Served) -> None:
    where = f"ws://127.0.0.1:{small.port}/ws/lobby?part=lobby"
    for _ in range(3):
        with ExitStack() as links:
            for _ in range(PLACES):
                links.enter_context(connect(where, sock=opened(small.port)))
            assert heard(opened(small.port)).startswith(b"HTTP/1.1 503 ")
        until(lambda: b" 200 " in answer_from(small.port, ELSEWHERE))


def test_addresses_behind_a_proxy_are_told_apart(small: Served) -> None:
    where = f"ws://127.0.0.1:{small.port}/ws/lobby?part=lobby"
    one, other = {"X-Forwarded-For": "192.0.2.7"}, {"X-Forwarded-For": "192.0.2.8"}
    with ExitStack() as links:
        for _ in range(PLACES):
            links.enter_context(connect(where, additional_headers=one))
        with pytest.raises(InvalidStatus), connect(where, additional_headers=one):
            pass
        page = httpx.get(f"{small.address}/", headers={**one, "Accept-Language": "de"}, timeout=PATIENCE_S)
        assert page.status_code == 429
        assert 'lang="de"' in page.text
        answer = httpx.get(f"{small.address}/api/offered", headers=one, timeout=PATIENCE_S)
        assert answer.json()["error"]["code"] == "rate"
        assert httpx.get(f"{small.address}/", headers=other, timeout=PATIENCE_S).status_code == 200
    until(lambda: httpx.get(f"{small.address}/", headers=one, timeout=PATIENCE_S).status_code == 200)


def test_a_proxy_that_is_not_trusted_is_logged_once(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    headers = {"X-Forwarded-For": "192.0.2.7"}
    for _ in range(2):
        assert httpx.get(f"{served.address}/", headers=headers, timeout=PATIENCE_S).status_code == 200
    assert caplog.messages == [], "a proxy on this machine is trusted"
    elsewhere = httpx.HTTPTransport(local_address=ELSEWHERE)
    with httpx.Client(transport=elsewhere, timeout=PATIENCE_S) as proxy:
        for _ in range(2):
            assert proxy.get(f"{served.address}/", headers=headers).status_code == 200
    [message] = caplog.messages
    assert message.startswith(f"X-Forwarded-For from {ELSEWHERE} is ignored")
    assert message.endswith(f"set FORWARDED_ALLOW_IPS={ELSEWHERE}")


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_proxies_on_this_machine_are_trusted_unless_others_are_named(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    assert all(LimitedConfig(None, 1000).enter(address) for _ in range(MAX_OPEN_FROM_ONE + 1))
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.0.0.7")
    other = LimitedConfig(None, 1000)
    assert not all(other.enter(address) for _ in range(MAX_OPEN_FROM_ONE + 1))


@pytest.mark.parametrize(
    ("named", "unknown"),
    [
        ("", []),
        ("*", []),
        ("10.0.0.7, 10.1.0.0/16,::1", []),
        ("proxy, 10.0.0.7:80", ["proxy", "10.0.0.7:80"]),
        ("10.0.0.7,*", ["*"]),
    ],
)
def test_what_is_no_address_of_a_proxy_is_found(
    named: str, unknown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", named)
    assert unknown_proxies() == unknown


@contextmanager
def started(tmp_path: Path, soft: int, hard: int) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server process with these limits on descriptors, and its port."""
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))"
    command = [sys.executable, "-c", f"{limited}; from barpoint.cli import main; main()", "serve", "--port", "0"]
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen(
            [*command, "--database", f"sqlite:///{tmp_path / 'few.sqlite3'}", "--workers", "0"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            found = re.search(r":(\d+)/", process.stdout.readline())
            assert found is not None
            yield process, int(found[1])
        finally:
            process.kill()


def test_more_connections_than_descriptors_lock_nobody_out_and_fill_no_log(tmp_path: Path) -> None:
    with started(tmp_path, 128, 256) as (process, port):
        limits = Path(f"/proc/{process.pid}/limits").read_text()
        assert re.search(r"Max open files\s+256\s+256 ", limits), "raised as far as the system allows"
        many = [opened(port, f"127.0.0.{2 + number % 3}") for number in range(400)]
        refused = sum(1 for raw in many[250:] if heard(raw).startswith(b"HTTP/1.1 503 "))
        assert refused == 150
        for raw in many:
            raw.close()
        until(lambda: b" 200 " in answer_from(port, "127.0.0.1"))
        assert (tmp_path / "log").stat().st_size < 1000


def test_connections_leave_descriptors_to_the_rest() -> None:
    assert connections_among(256) == 128
    assert connections_among(4096) == 4096 - RESERVED
    assert connections_among(10**6) == MAX_CONNECTIONS


def test_a_lack_of_descriptors_is_logged_once_and_other_errors_each_time(caplog: pytest.LogCaptureFixture) -> None:
    handler, loop = ThrottledErrors(), asyncio.new_event_loop()
    with caplog.at_level(logging.WARNING):
        for _ in range(100):
            handler(loop, {"message": "accept", "exception": OSError(errno.EMFILE, "Too many open files")})
        for _ in range(2):
            handler(loop, {"message": "something else", "exception": ValueError("x")})
    loop.close()
    said = [record.getMessage() for record in caplog.records]
    assert sum("no connection can be accepted" in line for line in said) == 1
    assert sum("something else" in line for line in said) == 2
