"""Endpoints for administrators: health, metrics, log lines; and an orderly shutdown."""

from __future__ import annotations

import json
import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from barpoint.error import FormatError
from barpoint.server.telemetry import JsonLines, configure
from barpoint.server.web.health import is_near
from tests.server.test_command import started
from tests.support import databases
from tests.support.played import play_match
from tests.support.serving import PATIENCE_S, serve


def metrics(text: str) -> dict[str, float]:
    """Every sample by its name, summed over its labels."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0) + sample.value
    return found


def test_the_metrics_count_what_has_happened(tmp_path: Path) -> None:
    served = serve(tmp_path)
    try:
        match_id = served.call(play_match(served.services, "hypergammon"))
        events = len(served.call(served.services.matches.live_match(match_id)).match.events)
        httpx.get(f"{served.address}/nowhere")
        found = metrics(httpx.get(f"{served.address}/metrics").text)
        assert found["barpoint_events_total"] == events
        assert 0 < found["barpoint_act_seconds_count"] <= events
        assert found["barpoint_commit_writes_sum"] >= found["barpoint_commit_writes_count"] > 0
        assert found["barpoint_matches_in_memory"] == 1
        assert found["barpoint_http_requests_total"] == 1
        assert found["process_resident_memory_bytes"] > 0
    finally:
        served.stop()


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_the_metrics_are_not_for_those_who_come_through_a_proxy(tmp_path: Path, header: str) -> None:
    served = serve(tmp_path)
    try:
        assert httpx.get(f"{served.address}/metrics", headers={header: "203.0.113.9"}).status_code == 404
        assert httpx.get(f"{served.address}/healthz", headers={header: "203.0.113.9"}).status_code == 200
    finally:
        served.stop()


@pytest.mark.parametrize(
    ("host", "near"),
    [("127.0.0.1", True), ("172.18.0.3", True), ("::1", True), ("8.8.8.8", False), ("", False), ("proxy", False)],
)
def test_a_private_network_is_near(host: str, near: bool) -> None:
    assert is_near(host, Headers({})) is near


def test_a_line_of_the_log_is_an_object_with_everything_known() -> None:
    record = logging.LogRecord("barpoint.server", logging.WARNING, "", 1, "no %s", ("life",), None)
    record.match_id = "abc"
    line = json.loads(JsonLines().format(record))
    assert line.pop("time").endswith("+00:00")
    assert line == {"level": "warning", "logger": "barpoint.server", "message": "no life", "match_id": "abc"}


def test_a_log_that_does_not_exist_is_refused() -> None:
    with pytest.raises(FormatError, match="text or json"):
        configure("xml")


def test_a_request_is_logged_by_its_route_without_the_secret_in_its_address(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'served.sqlite3'}"
    with started("--port", "0", "--database", database, "--log", "json") as (process, address):
        assert httpx.get(f"{address}join/secret").status_code == 404
        assert httpx.get(f"{address}nowhere/secret").status_code == 404
        assert httpx.post(f"{address}api/bot/match/secret/roll").status_code == 401
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE_S)
    lines = [json.loads(line) for line in errors.splitlines()]
    answered = [line for line in lines if line["message"] == "answered"]
    assert [(line["method"], line["route"], line["status"]) for line in answered] == [
        ("GET", "/join/{token}", 404),
        ("GET", "/nowhere", 404),
        ("POST", "/api/bot/match/{match_id}/{kind}", 401),
    ]
    assert "secret" not in errors


def joined(link: ClientConnection) -> dict[str, Any]:
    """The first state of a match."""
    link.send('{"do":"join","protocol":2}')
    return next_message(link, "state")


def next_message(link: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(link.recv(timeout=PATIENCE_S))
        if message["say"] == kind:
            return message


@contextmanager
def at_a_match(address: str, where: str, http: httpx.Client) -> Iterator[ClientConnection]:
    """A connection of the guest with these cookies."""
    cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    with connect(f"{address.replace('http', 'ws')}ws{where}", additional_headers={"Cookie": cookie}) as link:
        yield link


def own_turn(address: str, http: httpx.Client) -> str:
    """A match in which the guest has won the opening roll."""
    while True:
        where = http.post(f"{address}match", data={"variant": "backgammon", "length": "1"}).headers["location"]
        with at_a_match(address, where, http) as link:
            if joined(link)["view"]["to_act"] == "near":
                return str(where)


def test_what_was_being_tried_is_there_after_an_ordered_stop(tmp_path: Path) -> None:
    arguments = ("--port", "0", "--database", f"sqlite:///{tmp_path / 'served.sqlite3'}", "--bot-delay-ms", "600000")
    with httpx.Client(timeout=PATIENCE_S) as http:
        with started(*arguments) as (process, address):
            where = own_turn(address, http)
            with at_a_match(address, where, http) as link:
                state = joined(link)
                *move, _, _ = state["view"]["turn"]["nodes"][0][1][0]
                link.send(json.dumps({"do": "try", "seq": state["roll_seq"], "version": 1, "moves": [move]}))
                next_message(link, "tried")
                process.send_signal(signal.SIGTERM)
                with pytest.raises(ConnectionClosed) as closed:
                    next_message(link, "nothing")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            assert process.wait(PATIENCE_S) in (0, -signal.SIGTERM)
        with started(*arguments) as (_, address), at_a_match(address, where, http) as link:
            again = joined(link)
    assert again["version"] == 1
    assert again["view"]["turn"]["made"] == [move]


def test_a_process_on_postgresql_says_whether_it_hears_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases.BACKEND, "name", "postgresql")
    with started("--port", "0", "--database", databases.address(tmp_path)) as (_, address):
        while (answer := httpx.get(f"{address}healthz").json()) != {"status": "ok", "pubsub": "connected"}:
            assert answer["status"] == "ok"
