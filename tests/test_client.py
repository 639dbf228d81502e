"""The client of the HTTP API plays a match against a real server, and says what the server refuses."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path

import httpx
import msgspec
import pytest

import barpoint as bp
from barpoint.client import AsyncClient, ChosenAction, ClientError, JsonObject, situation_in
from barpoint.game import Phase
from barpoint.match.situation import situation_of
from barpoint.server.protocol.match_text import Names
from barpoint.server.protocol.match_view import BoardScene, view
from tests.support.accounts import serving
from tests.support.games import AnythingAllowed
from tests.support.programs import Member, simple
from tests.support.serving import Served, serve


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served")) as running:
        yield running


def shown(match: bp.Match, seat: int) -> JsonObject:
    """The view of a match that its player in this seat gets."""
    found = view(BoardScene(match, None, (), True), Names(("Anna", "Ben"), seat))
    read: JsonObject = msgspec.json.decode(msgspec.json.encode(found))
    return read


@pytest.mark.parametrize(("name", "length"), [("backgammon", 5), ("backgammon", 0), ("plakoto", 3), ("acey-deucey", 3)])
def test_a_view_is_the_situation_of_its_match_with_near_as_player_1(name: str, length: int) -> None:
    start = bp.Match.start(length, name, beavers=0 if length else 2)
    seen: set[Phase] = set()
    for match in islice(bp.play_match(start, AnythingAllowed(1), AnythingAllowed(2), dice=bp.dice.seeded(3)), 900):
        if match.game.phase in (Phase.OPENING, Phase.RESIGNED, Phase.OVER):
            continue
        seen.add(match.game.phase)
        said = replace(situation_of(match), beavers=False)
        for seat in (0, 1):
            found = situation_in(shown(match, seat))
            if seat == 0:
                owner = None if found.owner is None else 1 - found.owner
                score = found.score[1], found.score[0]
                found = replace(found, player=1 - found.player, actor=1 - found.actor, owner=owner, score=score)
            assert found == said
    assert Phase.TO_PLAY in seen
    assert not (start.rules.cube and Phase.DOUBLED not in seen)


def test_the_view_of_a_match_before_its_first_roll_or_after_it_is_one_too() -> None:
    match = bp.Match.start(3)
    over = match.apply(bp.game.Opening((3, 1))).apply(bp.game.Resign(0, 3)).apply(bp.game.Accept(1))
    begun, done = situation_in(shown(match, 0)), situation_in(shown(over, 0))
    assert begun == bp.Situation(match.rules.start, length=3)
    assert (done.state, done.score) == ("over", (3, 0))


async def test_a_guest_plays_a_match_to_its_end(served: Served) -> None:
    async with AsyncClient(served.address) as client:
        await client.guest("Robin")
        assert (await client.get("account"))["bot"]
        match = await client.challenge_bot("hypergammon", 1)
        last = await client.play(match, simple)
        assert last["over"]
        assert sorted(last["view"]["score"].values())[0] == 0


async def test_a_choice_that_is_not_allowed_is_an_error_and_loses_no_match_in_silence(served: Served) -> None:
    def wrong(state: JsonObject, plays: list[JsonObject]) -> ChosenAction | None:
        return ("play", {"moves": [[24, 1, 23]]}) if plays else simple(state, plays)

    async with AsyncClient(served.address) as client:
        await client.guest("Robin")
        match = await client.challenge_bot("backgammon", 1)
        with pytest.raises(ClientError) as refused:
            await client.play(match, wrong)
        assert (refused.value.status, refused.value.code) == (422, "illegal")


async def test_what_the_server_refuses_is_an_error_with_its_status(served: Served) -> None:
    async with AsyncClient(served.address) as client:
        with pytest.raises(ClientError, match="401") as refused:
            await client.get("account")
        assert refused.value.status == 401
        await client.guest()
        with pytest.raises(ClientError, match="no variant is called"):
            await client.challenge_bot("nosuchgammon")


async def test_a_director_announces_changes_and_directs_a_tournament(served: Served) -> None:
    member = Member(served, "Dora")
    async with AsyncClient(served.address, member.token) as client, AsyncClient(served.address) as player:
        plan = {"form": "swiss", "rounds": 1, "lengths": [1], "bots": True}
        tournament = await client.announce("By client", **plan)
        assert (await client.change_plan(tournament, rounds=2))["plan"]["rounds"] == 2
        await client.act_in_tournament(tournament, "seat", level="easy")
        await player.guest("Nadja")
        assert await player.act_in_tournament(tournament, "join") == 3
        with pytest.raises(ClientError, match="only who directs") as refused:
            await player.act_in_tournament(tournament, "begin")
        assert refused.value.status == 403
        async with AsyncClient(served.address) as third:
            await third.guest("Thirza")
            await third.act_in_tournament(tournament, "join")
        await client.act_in_tournament(tournament, "begin")
        game = next(one for one in (await client.tournament(tournament))["matches"] if not one["bye"])
        await client.act_in_tournament(tournament, "decide", game=game["number"], winner=game["players"][0])
        await client.act_in_tournament(tournament, "correct", game=game["number"], winner=game["players"][1])
        corrected = (await client.tournament(tournament))["matches"][game["number"]]
        assert (corrected["winner"], corrected["corrected"]) == (game["players"][1], True)
        with pytest.raises(ClientError, match="its result already"):
            await client.act_in_tournament(tournament, "correct", game=game["number"], winner=game["players"][1])
        kinds = [one["event"]["kind"] for one in await client.tournament_log(tournament)]
        assert kinds == ["change", "join", "join", "join", "start", "pair", "result", "pair", "result"]
        assert (await client.standings_csv(tournament)).startswith("rank,player,points,median")
        with pytest.raises(ClientError, match="404"):
            await client.standings_csv("nothing")


async def test_a_match_is_played_on_after_the_server_was_away(tmp_path: Path) -> None:
    with ExitStack() as doors:
        served = serve(tmp_path)
        doors.callback(lambda: served.stop())
        seen: list[int] = []

        async def choose(state: JsonObject, plays: list[JsonObject]) -> ChosenAction | None:
            nonlocal served
            seen.append(state["seq"])
            if len(seen) == 4:
                await asyncio.to_thread(served.stop)
                served = await asyncio.to_thread(serve, tmp_path, port=served.port)
            return simple(state, plays)

        async with AsyncClient(served.address) as client:
            await client.guest()
            last = await client.play(await client.challenge_bot("hypergammon"), choose)
        assert last["over"]
        assert len(seen) > 4


async def test_a_match_goes_on_where_answers_are_lost(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("barpoint.client.WAIT_S", 0.01)
    lost: list[str] = []

    class Losing(httpx.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            answer = await super().handle_async_request(request)
            if "/bot/match/" in request.url.path and "stream" not in request.url.path and len(lost) % 2 == 0:
                await answer.aclose()
                lost.append(request.url.path)
                raise httpx.ReadTimeout("nothing comes back")
            lost.append("")
            return answer

    async with AsyncClient(served.address, transport=Losing()) as client:
        await client.guest()
        last = await client.play(await client.challenge_bot("hypergammon"), simple)
    assert last["over"]
    assert any(path.endswith("/plays") for path in lost)
    assert any(path.endswith("/play") for path in lost)


async def test_who_has_no_patience_hears_that_it_was_too_much_at_once() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        error = {"code": "rate", "message": "so much at once; try again in a second"}
        return httpx.Response(429, json={"error": error}, headers={"Retry-After": "1" if len(asked) == 1 else "120"})

    async with AsyncClient("http://server", "bp_x", httpx.MockTransport(answer), patience_s=60) as client:
        with pytest.raises(ClientError, match="429: so much at once") as refused:
            await client.get("account")
        with pytest.raises(ClientError, match="429: so much at once"):
            await anext(client.events())
    assert (refused.value.code, asked) == ("rate", ["/api/account", "/api/account", "/api/stream/event"])
    again = pickle.loads(pickle.dumps(refused.value))
    assert (again.status, again.code, str(again)) == (429, "rate", str(refused.value))


async def test_a_program_waits_for_challenges_and_accepts_them(served: Served) -> None:
    anna = Member(served, "Anna")
    async with AsyncClient(served.address) as bot, AsyncClient(served.address, anna.token) as person:
        await bot.guest("Waits")
        name = (await bot.get("account"))["id"]
        challenge = await person.challenge_person(name, "hypergammon", 1)
        heard = []
        async for event in bot.events():
            heard.append(event["type"])
            if event["type"] == "challenge":
                assert event["challenge"]["id"] == challenge
                await bot.answer(challenge, "accept")
            if event["type"] == "matchStart":
                break
    assert (heard[0], heard[-1]) == ("challenge", "matchStart")


async def test_a_program_goes_on_with_an_adjourned_match_when_the_other_wants_to(served: Served) -> None:
    anna = Member(served, "Adele")
    async with AsyncClient(served.address) as bot, AsyncClient(served.address, anna.token) as person:
        await bot.guest("Agrees")
        match = await person.challenge_person((await bot.get("account"))["id"], "hypergammon", 1)
        await bot.answer(match, "accept")
        asked: list[str] = []

        async def choose(state: JsonObject, plays: list[JsonObject]) -> ChosenAction | None:
            if not asked:
                asked.append("adjourn")
                await person.act(match, "adjourn")
                shown = await person.get(f"bot/match/{match}")
                assert (shown["adjournment"]["adjourned"], shown["adjournment"]["may"]) == (True, ["resume"])
                with pytest.raises(ClientError, match="resume") as refused:
                    await person.act(match, "adjourn")
                assert (refused.value.status, refused.value.code) == (409, "stale")
                await person.act(match, "resume")
            return simple(state, plays)

        last, _ = await asyncio.gather(person.play(match, choose), bot.play(match, simple))
    assert last["over"]
    assert asked == ["adjourn"]


async def test_a_challenge_that_cannot_be_accepted_does_not_end_a_program() -> None:
    asked: list[str] = []
    refusals = {"gone": 404, "full": 409, "closed": 422}

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        if request.url.path.endswith("event"):
            told = [{"type": "challenge", "challenge": {"id": name}} for name in (*refusals, "token")]
            return httpx.Response(200, text="\n".join(map(json.dumps, told)))
        name = request.url.path.split("/")[3]
        error = {"code": "refused", "message": name}
        return httpx.Response(refusals.get(name, 401), json={"error": error})

    async with AsyncClient("http://server", "bp_x", httpx.MockTransport(answer)) as client:
        with pytest.raises(ExceptionGroup) as ended:
            await client.play_all(simple)
    assert [str(error) for error in ended.value.exceptions] == ["401: token"]
    assert [path.split("/")[3] for path in asked[1:]] == [*refusals, "token"]
