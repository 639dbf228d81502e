"""Bots are marked as such wherever their names appear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, insert

from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.live.matches import seat_for
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage.schema.results import RATING_CHANGE
from barpoint.variants import variant
from tests.support.accounts import register, serving
from tests.support.serving import Served

MARK = re.compile(r'([\w ]+?)(?:</a>)? ?<span class="bot">bot</span>')


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as running:
        yield running


def somebody(served: Served, name: str) -> httpx.Client:
    client = served.guests.enter_context(httpx.Client(base_url=served.address, follow_redirects=True, timeout=60))
    register(client, name)
    return client


def guest_of(served: Served, name: str) -> Guest:
    async def look() -> Guest:
        account = await served.services.store.read(partial(account_storage.find_account, name=name))
        assert account is not None
        return Guest(account.id, account.name, registered=True)

    return served.call(look())


def seats(client: httpx.Client, match_id: str) -> list[tuple[str, bool]]:
    shown = client.get(f"/api/bot/match/{match_id}").json()["match"]["seats"]
    return [(seat["name"], seat["bot"]) for seat in shown]


def test_an_account_that_a_program_plays_for_is_marked_everywhere(served: Served) -> None:
    mary, rob = somebody(served, "Mary"), somebody(served, "Rob")
    assert "bot</span>" not in mary.get("/player/Rob").text
    found = (guest_of(served, "Mary"), guest_of(served, "Rob"))
    header = served.call(
        served.services.matches.make(
            Agreement(variant("hypergammon"), MatchTerms(length=1)), (seat_for(found[0]), seat_for(found[1]))
        )
    )
    rob.post("/lobby/pair", data={"variant": "nackgammon", "length": "5", "cube": "1", "time_control": "Normal"})
    assert "Mark me as a bot" in rob.get("/access-tokens").text
    assert "You are marked as a bot" in rob.post("/access-tokens/bot").text
    assert MARK.findall(mary.get("/player/Rob").text) == ["Rob"]
    assert "bot</span>" not in rob.get("/player/Mary").text
    assert "Rob" in MARK.findall(mary.get("/lobby").text)  # in challenges, on line, and in the list of live matches
    assert "Rob" in MARK.findall(mary.get("/matches").text)
    assert "Mary" not in MARK.findall(rob.get("/matches").text)
    made = mary.post("/access-tokens", data={"name": "own", "scope": ["play", "challenge"]}).text
    mary.headers["Authorization"] = f"Bearer {re.findall(r'bp_[A-Za-z0-9_-]+', made)[0]}"
    assert seats(mary, header.id) == [("Mary", False), ("Rob", True)]


def test_a_token_can_mark_its_account_for_good(served: Served) -> None:
    client = somebody(served, "Tick")
    token = re.findall(
        r"bp_[A-Za-z0-9_-]+", client.post("/access-tokens", data={"name": "own", "scope": ["play"]}).text
    )[0]
    api = {"Authorization": f"Bearer {token}"}
    assert client.get("/api/account", headers=api).json()["bot"] is False
    for _ in range(2):
        assert client.post("/api/bot/account/upgrade", headers=api).json()["bot"] is True
    assert client.get("/api/account", headers=api).json()["bot"] is True
    assert MARK.findall(client.get("/player/Tick").text) == ["Tick"]


def test_who_was_rated_as_a_person_is_not_marked_afterwards(served: Served) -> None:
    client, other = somebody(served, "Una"), somebody(served, "Vic")
    assert other
    una, vic = guest_of(served, "Una"), guest_of(served, "Vic")
    header = served.call(
        served.services.matches.make(
            Agreement(variant("hypergammon"), MatchTerms(length=1)), (seat_for(una), seat_for(vic))
        )
    )
    numbers = {"length": 1, "won": True, "at": 0, "before": 1500, "after": 1510, "experience": 1, "deviation": 300}

    def rated(connection: Connection) -> None:
        connection.execute(
            insert(RATING_CHANGE).values(
                match_id=header.id, guest_id=una.id, other_id=vic.id, pool="hypergammon", **numbers
            )
        )

    served.call(served.services.store.write(rated))
    answer = client.post("/access-tokens/bot")
    assert answer.status_code == 422
    assert "a bot needs an account of its own" in answer.text
    assert "bot</span>" not in client.get("/player/Una").text


def test_bots_of_the_server_and_guests_made_by_programs_are_marked(served: Served) -> None:
    made: Any = httpx.post(f"{served.address}/api/guest", json={"name": "Robot"}).json()
    assert made["person"]["bot"] is True
    client = served.guests.enter_context(httpx.Client(base_url=served.address, timeout=60))
    client.headers["Authorization"] = f"Bearer {made['token']}"
    match_id = client.post("/api/challenge/bot", json={"variant": "hypergammon", "length": 1}).json()["id"]
    assert seats(client, match_id) == [("Robot", True), ("Barpoint Chance", True)]


def test_nobody_is_marked_without_asking(served: Served) -> None:
    assert httpx.post(f"{served.address}/access-tokens/bot").status_code == 403
    assert httpx.post(f"{served.address}/api/bot/account/upgrade").status_code == 401
