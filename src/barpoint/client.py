"""A client of a server's HTTP API (docs/protocol.md), for programs with an event loop; the extra `client` installs httpx."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, Self

from barpoint.board import Position, Side
from barpoint.error import BarpointError
from barpoint.match.situation import GameState, Offer, Situation

try:
    import httpx
except ModuleNotFoundError as error:
    raise ImportError("barpoint.client needs httpx: pip install 'barpoint[client]'") from error

JsonObject = dict[str, Any]
"""An object of the API, as docs/protocol/openapi.json describes it."""

ChosenAction = tuple[str, JsonObject]
"""An event: its kind, and its fields."""

Chooser = Callable[[JsonObject, list[JsonObject]], ChosenAction | Awaitable[ChosenAction | None] | None]
"""Decides by the state of a match and the legal plays, which are [] unless there is a roll to play; None to wait."""

BUSY: Final = 429
LATE: Final = (409, 422)
"""Answers to an event that came too late: the next state says what is allowed now."""

WAIT_S: Final = 1.0
"""Seconds to wait where it was too much at once."""


class ClientError(BarpointError):
    """The server refused a request. status: of HTTP."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__("%(status)s: %(text)s", status=status, text=text)
        self.status = status


class AsyncClient:
    """Asks a server on behalf of the owner of an access token. An async context manager.

    server: its address. token: "" until `guest` makes one. transport: instead of the network. ClientError where the server refuses,
    httpx.HTTPError where it cannot be reached.
    """

    def __init__(self, server: str, token: str = "", transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.token = token
        self._http = httpx.AsyncClient(base_url=server, timeout=60, transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def get(self, path: str, **query: str | int) -> JsonObject:
        """What a GET of a path below /api answers, such as "offered"."""
        return await self._ask("GET", path, query, None)

    async def post(self, path: str, **body: Any) -> JsonObject:
        """What a POST to a path below /api answers."""
        return await self._ask("POST", path, {}, body)

    async def guest(self, name: str = "") -> str:
        """Makes a guest, whom this client then acts for; their access token."""
        made = await self.post("guest", name=name)
        self.token = str(made["token"])
        return self.token

    async def challenge_bot(self, variant: str = "backgammon", length: int = 1, **wanted: Any) -> str:
        """Begins a match against a bot of the server; its id. wanted: more fields of the challenge, such as level."""
        made = await self.post("challenge/bot", variant=variant, length=length, **wanted)
        return str(made["id"])

    async def plays(self, match: str) -> list[JsonObject]:
        """The legal plays of the roll that waits."""
        found: list[JsonObject] = (await self.get(f"bot/match/{match}/plays"))["plays"]
        return found

    async def act(self, match: str, kind: str, **fields: Any) -> JsonObject:
        """Makes an event, such as "roll", or "play" with its moves."""
        return await self.post(f"bot/match/{match}/{kind}", **fields)

    async def states(self, match: str) -> AsyncIterator[JsonObject]:
        """The states of a match, now and after every event, until it is over."""
        async with self._http.stream(
            "GET", f"/api/bot/match/stream/{match}", headers=self._headers(), timeout=None
        ) as answer:
            await _check(answer)
            async for line in answer.aiter_lines():
                if line.strip():
                    state: JsonObject = json.loads(line)
                    yield state
                    if state["over"]:
                        return

    async def play(self, match: str, choose: Chooser) -> JsonObject:
        """Plays a match to its end; its last state."""
        state: JsonObject = {}
        async for state in self.states(match):
            kinds = {item["kind"] for item in state["view"]["allowed"]}
            if state["over"] or not kinds:
                continue
            try:
                plays = await self.plays(match) if "play" in kinds else []
                found = choose(state, plays)
                chosen = await found if isinstance(found, Awaitable) else found
                if chosen is not None:
                    await self.act(match, chosen[0], seq=state["seq"], **chosen[1])
            except ClientError as error:
                if error.status not in LATE:
                    raise
        return state

    async def tournament(self, tournament: str) -> JsonObject:
        """A tournament: its plan, players, matches and standings."""
        return await self.get(f"tournament/{tournament}")

    async def announce(self, name: str, *, club: str = "", private: bool = False, **plan: Any) -> str:
        """Announces a tournament, which this client's person directs; its id. plan: more of its fields, such as form."""
        made = await self.post("tournament", plan={"name": name, **plan}, club=club, private=private)
        return str(made["tournament"]["id"])

    async def change_plan(self, tournament: str, **fields: Any) -> JsonObject:
        """Changes fields of the plan of a tournament before its start; ClientError if somebody else was faster."""
        shown = await self.tournament(tournament)
        return await self.post(f"tournament/{tournament}/plan", plan={**shown["plan"], **fields}, seq=shown["seq"])

    async def act_in_tournament(self, tournament: str, action: str, **said: Any) -> int:
        """Does something in a tournament, such as "join", or "decide" with its game and winner; the number of its event.

        What cannot be undone is done without asking.
        """
        done = await self.post(f"tournament/{tournament}/{action}", sure=True, **said)
        return int(done["seq"])

    async def tournament_log(self, tournament: str) -> list[JsonObject]:
        """All that has happened in a tournament, in order."""
        found: list[JsonObject] = (await self.get(f"tournament/{tournament}/log"))["events"]
        return found

    async def standings_csv(self, tournament: str) -> str:
        """The standings of a tournament as comma-separated values, as its page exports them."""
        answer = await self._http.get(f"/tournament/{tournament}/standings.csv", headers=self._headers())
        await _check(answer)
        return answer.text

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def _ask(self, method: str, path: str, query: dict[str, str | int], body: JsonObject | None) -> JsonObject:
        while True:
            answer = await self._http.request(method, f"/api/{path}", params=query, json=body, headers=self._headers())
            if answer.status_code != BUSY:
                await _check(answer)
                found: JsonObject = answer.json()
                return found
            await asyncio.sleep(WAIT_S)


def situation_in(view: JsonObject) -> Situation:
    """What the `view` of a state shows: near, the client's own side, is player 1, far is player 0.

    A view says nothing of the Jacoby rule, beavers and a resignation that waits; without a cube it is one at 1 in the middle. Scores lose their halves.
    """
    dice, score, phase = view["dice"], view["score"], view["phase"]
    cube = view["cube"] or {"value": 1, "owner": None, "offered": None}
    actor = turn = view["to_act"] or "near"
    offer = Offer.NONE
    if dice is not None:
        turn = dice["of"]
    elif phase == "doubled":
        offer = {2: Offer.DOUBLE, 4: Offer.BEAVER, 8: Offer.RACCOON}[cube["offered"]["value"] // cube["value"]]
        turn = "near" if (actor == "near") is (offer is Offer.BEAVER) else "far"
    position = Position(_side(view["near"]), _side(view["far"]))
    return Situation(
        position=position if turn == "near" else position.flip(),
        player=int(turn == "near"),
        actor=int(actor == "near"),
        dice=() if dice is None else tuple(dice["faces"]),
        cube=cube["value"],
        owner=None if cube["owner"] is None else int(cube["owner"] == "near"),
        length=score["length"],
        score=(int(score["far"]), int(score["near"])),
        crawford=score["crawford"],
        offer=offer,
        state=GameState.OVER if phase == "over" else GameState.PLAYING,
    )


def _side(shown: JsonObject) -> Side:
    return Side(tuple(shown["points"]), shown["hand"], sum(1 << point for point in shown["pinned"]))


async def _check(answer: httpx.Response) -> None:
    if answer.is_success:
        return
    await answer.aread()
    try:
        text = str(answer.json()["error"])
    except (ValueError, KeyError, TypeError):
        text = answer.text[:200]
    raise ClientError(answer.status_code, text)
