"""Programs that use the bot API, for tests over HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx

from barpoint.client import ChosenAction, JsonObject
from tests.support.accounts import register
from tests.support.serving import Served

WAIT_S = 60


def simple(state: JsonObject, plays: list[JsonObject]) -> ChosenAction | None:
    """Chooses the first play, rolls, and takes whatever is offered, for `AsyncClient.play`."""
    kinds = [item["kind"] for item in state["view"]["allowed"]]
    if "play" in kinds:
        return "play", {"moves": plays[0]["moves"] if plays else []}
    return next(((kind, {}) for kind in ("keep", "take", "accept", "roll", "next") if kind in kinds), None)


def client_of(served: Served) -> httpx.Client:
    return served.guests.enter_context(httpx.Client(base_url=served.address, timeout=WAIT_S))


class Bot:
    """A program with an access token."""

    def __init__(self, served: Served, name: str) -> None:
        self.client = client_of(served)
        made = self.client.post("/api/guest", json={"name": name})
        assert made.status_code == 201, made.text
        self.id = made.json()["person"]["id"]
        self.client.headers["Authorization"] = f"Bearer {made.json()['token']}"

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.client.post(path, json=body)

    def get(self, path: str) -> Any:
        return self.client.get(path).json()


def lines(response: httpx.Response) -> Iterator[dict[str, Any]]:
    for line in response.iter_lines():
        if line:
            yield json.loads(line)


class Member(Bot):
    """A program with the access token of an account."""

    def __init__(self, served: Served, name: str, scopes: tuple[str, ...] = ("play", "challenge")) -> None:
        self.client = client_of(served)
        register(self.client, name)
        page = self.client.post("/access-tokens", data={"name": "one", "scope": scopes})
        secret = re.search(r"bp_[\w-]+", page.text)
        assert secret
        self.token = secret[0]
        self.client.headers["Authorization"] = f"Bearer {self.token}"
        self.id = self.get("/api/account")["id"]
