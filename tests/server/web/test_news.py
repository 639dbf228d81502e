"""What waits for a person reaches every page that is open, over its own connection or over one for nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.support.accounts import anna, ben, serving
from tests.support.machine import PATIENCE_S
from tests.support.programs import Member
from tests.support.serving import Served

__all__ = ["anna", "ben"]

CHALLENGE = {"variant": "backgammon", "length": "5", "time_control": "Fast", "cube": "1"}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as running:
        yield running


@contextmanager
def at(served: Served, http: httpx.Client, path: str = "/ws/news", **join: Any) -> Iterator[ClientConnection]:
    """The connection of a page of somebody with these cookies."""
    cookies = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    with connect(f"ws://127.0.0.1:{served.port}{path}", additional_headers={"Cookie": cookies}) as link:
        if join:
            link.send(json.dumps({"do": "join", "protocol": 2, **join}))
        yield link


def hear(link: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind; skips others."""
    while True:
        message: dict[str, Any] = json.loads(link.recv(timeout=PATIENCE_S))
        if message["say"] == kind:
            return message


def challenge(http: httpx.Client, name: str) -> str:
    """Challenges somebody, and returns the match."""
    return http.post("/challenge", data={**CHALLENGE, "name": name}).headers["location"].rpartition("/")[2]


def test_a_challenge_reaches_whoever_reads_any_page_and_goes_when_it_is_answered(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    assert "data-live-news" in ben.get("/rules").text
    with at(served, ben, news=True) as page:
        assert hear(page, "news")["html"].strip() == ""
        match_id = challenge(anna, "Ben")
        told = hear(page, "news")["html"]
        assert "Challenged by Anna" in told
        assert "Backgammon: 5 points, cube, Crawford rule, Fast clock" in told
        for answer in ("accept", "decline"):
            assert f'action="/lobby/invitation/{match_id}/{answer}"' in told
        page.send(json.dumps({"do": "ping", "number": 3}))
        assert hear(page, "pong")["number"] == 3
        declined = ben.post(f"/lobby/invitation/{match_id}/decline", data={"back": "/rules"})
        assert declined.headers["location"] == "/rules", "they stay where they are"
        assert hear(page, "news")["html"].strip() == ""


def test_whoever_has_made_a_challenge_is_told_on_any_page_that_it_was_accepted(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    match_id = challenge(anna, "Ben")
    with at(served, anna, news=True) as page:
        assert hear(page, "news")["html"].strip() == ""
        ben.post(f"/lobby/invitation/{match_id}/accept", data={"x": "1"})
        told = hear(page, "news")["html"]
    assert "Ben has accepted your challenge" in told
    assert f'href="/match/{match_id}"' in told
    assert "has accepted" not in anna.get(f"/match/{match_id}").text, "the page of the match says it by itself"


def test_a_guest_needs_no_connection_and_gets_none(served: Served, http: httpx.Client) -> None:
    assert "data-live-news" not in http.get("/rules").text
    with at(served, http, news=True) as page, pytest.raises(ConnectionClosed):
        hear(page, "news")


def test_the_connection_of_a_match_carries_the_news_to_those_who_ask_for_them(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    path = ben.post("/match", data={"opponent": "friend", "length": "3", "cube": "1"}).headers["location"]
    with (
        at(served, ben, f"/ws{path}", seq=None, news=True) as asking,
        at(served, ben, f"/ws{path}", seq=None) as silent,
    ):
        assert hear(asking, "news")["html"].strip() == ""
        hear(silent, "state")
        challenge(anna, "Ben")
        assert "Challenged by Anna" in hear(asking, "news")["html"]
        silent.send(json.dumps({"do": "ping", "number": 1}))
        said = []
        while "pong" not in said:
            said.append(json.loads(silent.recv(timeout=PATIENCE_S))["say"])
        assert "news" not in said


def test_a_token_reads_nothing_of_what_waits_for_its_owner(served: Served, anna: httpx.Client) -> None:
    member = Member(served, "Member", scopes=("play",))
    headers = {"Authorization": member.client.headers["Authorization"]}
    address = f"ws://127.0.0.1:{served.port}/ws"
    with pytest.raises(InvalidStatus) as refused, connect(f"{address}/news", additional_headers=headers):
        pass
    error = json.loads(refused.value.response.body or b"")["error"]
    assert (refused.value.response.status_code, error["code"]) == (403, "scope")
    assert "/api/stream/event" in error["message"]
    challenge(anna, "Member")
    path = anna.post("/match", data={"opponent": "friend", "length": "3", "cube": "1"}).headers["location"]
    with connect(f"{address}{path}", additional_headers=headers) as program:
        program.send(json.dumps({"do": "join", "protocol": 2, "news": True}))
        hear(program, "state")
        program.send(json.dumps({"do": "ping", "number": 1}))
        said = []
        while "pong" not in said:
            said.append(json.loads(program.recv(timeout=PATIENCE_S))["say"])
        assert "news" not in said


def test_pages_that_are_kept_fresh_carry_the_news(served: Served, anna: httpx.Client, ben: httpx.Client) -> None:
    with at(served, ben, "/ws/lobby?part=watch") as page:
        hear(page, "part")
        match_id = challenge(anna, "Ben")
        while "Challenged by Anna" not in hear(page, "news")["html"]:
            pass
        ben.post(f"/lobby/invitation/{match_id}/decline", data={"x": "1"})
        assert hear(page, "news")["html"].strip() == ""
