"""The client of the HTTP API plays a match against a real server, and says what the server refuses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from barpoint.client import AsyncClient, ChosenAction, ClientError, JsonObject
from tests.support.serving import Served, serve


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = serve(tmp_path_factory.mktemp("served"))
    yield running
    running.stop()


def simple(state: JsonObject, plays: list[JsonObject]) -> ChosenAction | None:
    kinds = [item["kind"] for item in state["view"]["allowed"]]
    if "play" in kinds:
        return "play", {"moves": plays[0]["moves"] if plays else []}
    return next(((kind, {}) for kind in ("keep", "take", "accept", "roll", "next") if kind in kinds), None)


async def test_a_guest_plays_a_match_to_its_end(served: Served) -> None:
    async with AsyncClient(served.address) as client:
        await client.guest("Robin")
        assert (await client.get("account"))["bot"]
        match = await client.challenge_bot("hypergammon", 1)
        last = await client.play(match, simple)
        assert last["over"]
        assert sorted(last["view"]["score"].values())[0] == 0


async def test_what_the_server_refuses_is_an_error_with_its_status(served: Served) -> None:
    async with AsyncClient(served.address) as client:
        with pytest.raises(ClientError, match="401") as refused:
            await client.get("account")
        assert refused.value.status == 401
        await client.guest()
        with pytest.raises(ClientError, match="no variant is called"):
            await client.challenge_bot("nosuchgammon")
