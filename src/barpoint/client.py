"""A client of a server's HTTP API (docs/protocol.md), for programs with an event loop; the extra `client` installs httpx."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, Self, TypeVar

from barpoint.board import Position, Side
from barpoint.error import BarpointError
from barpoint.match.situation import GameState, Offer, Situation
from barpoint.number_text import number_in

try:
    import httpx
except ModuleNotFoundError as error:
    raise ImportError("barpoint.client needs httpx: pip install 'barpoint[client]'") from error

JsonObject = dict[str, Any]
"""An object of the API, as docs/protocol/openapi.json describes it."""

_Answer = TypeVar("_Answer")

ChosenAction = tuple[str, JsonObject]
"""An event: its kind, and its fields."""

Chooser = Callable[[JsonObject, list[JsonObject]], ChosenAction | Awaitable[ChosenAction | None] | None]
"""Decides by the state of a match and the legal plays, which are [] unless there is a roll to play; None to wait."""

BUSY: Final = (429, 503)
"""Answers of a server that has done nothing and wants to be asked again later."""

AWAY: Final = (*BUSY, 502, 504)
"""The same, and answers of a proxy whose server is away."""

NOT_NOW: Final = (403, 404, 409, 422)
"""Answers where a challenge has been withdrawn, or cannot be accepted."""

LATE: Final = 409
"""The answer to an event that came too late: the next state says what is allowed now."""

WAIT_S: Final = 1.0
"""Seconds to wait where the server does not say how long, and between attempts to reach it."""

PATIENCE_S: Final = 120.0

SILENCE_S: Final = 30.0
"""Seconds without even an empty line, which come every seven, after which a connection counts as lost."""


class ClientError(BarpointError):
    """The server refused a request. status: of HTTP. code: a word for the reason, such as "stale" (docs/protocol.md), "" where there is none."""

    def __init__(self, status: int, text: str, code: str = "") -> None:
        super().__init__("%(status)s: %(text)s", status=status, text=text)
        self.status, self.code = status, code

    def __reduce__(self) -> tuple[Any, ...]:
        return ClientError, (self.status, str(self.values["text"]), self.code)


class AsyncClient:
    """Asks a server on behalf of the owner of an access token. An async context manager.

    server: its address. token: "" until `guest` makes one. transport: instead of the network. patience_s: seconds to wait where the
    server says that it was too much at once, or is away while a match is played or followed, for example because it is
    started again. ClientError where it refuses or that takes longer, httpx.HTTPError where it cannot be reached.
    """

    def __init__(
        self,
        server: str,
        token: str = "",
        transport: httpx.AsyncBaseTransport | None = None,
        *,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.token, self.patience_s = token, patience_s
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

    async def challenge_person(self, person: str, variant: str = "backgammon", length: int = 1, **wanted: Any) -> str:
        """Challenges somebody, by id or by the name of their account; the id of the challenge."""
        made = await self.post(f"challenge/person/{person}", variant=variant, length=length, **wanted)
        return str(made["id"])

    async def answer(self, challenge: str, answer: str) -> JsonObject:
        """Answers a challenge: "accept" or "decline", or "withdraw" for one's own."""
        return await self.post(f"challenge/{challenge}/{answer}")

    async def events(self) -> AsyncIterator[JsonObject]:
        """What happens to this client's person, first what is open now: challenges, and matches that begin or end. It has no end."""
        async for event in self._lines("stream/event", lambda _: False):
            yield event

    async def plays(self, match: str) -> list[JsonObject]:
        """The legal plays of the roll that waits."""
        found: list[JsonObject] = (await self.get(f"bot/match/{match}/plays"))["plays"]
        return found

    async def act(self, match: str, kind: str, **fields: Any) -> JsonObject:
        """Makes an event, such as "roll", or "play" with its moves. seq: of the state it answers; ClientError if that is not the newest."""
        return await self.post(f"bot/match/{match}/{kind}", **fields)

    async def states(self, match: str) -> AsyncIterator[JsonObject]:
        """The states of a match, now and after every event, until it is over; after a lost connection again the one that holds then."""
        async for state in self._lines(f"bot/match/stream/{match}", lambda state: bool(state["over"])):
            yield state

    async def play(self, match: str, choose: Chooser) -> JsonObject:
        """Plays a match to its end; its last state. ClientError for a choice that is not allowed.

        An adjourned match waits until the other player wants to go on with it; this one agrees.
        """
        state: JsonObject = {}
        async for state in self.states(match):
            kinds = {item["kind"] for item in state["view"]["allowed"]}
            if state["adjournment"]["adjourned"]:
                if state["adjournment"]["asked_by"] == "far":
                    await self._act_in_time(match, state["seq"], ("resume", {}))
                continue
            if state["over"] or not kinds:
                continue
            plays = await self._patiently(lambda: self.plays(match)) if "play" in kinds else []
            found = choose(state, plays)
            chosen = await found if isinstance(found, Awaitable) else found
            if chosen is not None:
                await self._act_in_time(match, state["seq"], chosen)
        return state

    async def _act_in_time(self, match: str, seq: int, chosen: ChosenAction) -> None:
        """Makes an event unless it comes too late, as it does where it was made and only the answer was lost."""
        kind, fields = chosen
        try:
            await self._patiently(lambda: self.act(match, kind, seq=seq, **fields))
        except ClientError as error:
            if error.status != LATE:
                raise

    async def _patiently(self, ask: Callable[[], Awaitable[_Answer]]) -> _Answer:
        """The answer, asked for again while the server cannot be reached."""
        clock = asyncio.get_running_loop().time
        until = clock() + self.patience_s
        while True:
            try:
                return await ask()
            except httpx.TransportError:
                if clock() > until:
                    raise
            await asyncio.sleep(WAIT_S)

    async def play_all(self, choose: Chooser, accepts: Callable[[JsonObject], bool] = lambda challenge: True) -> None:
        """Answers challenges, and plays all matches of this client's person at once; it has no end.

        choose: as for `play`, for every match. accepts: whether to accept a challenge, which is declined otherwise.
        """
        playing: set[str] = set()
        async with asyncio.TaskGroup() as matches:
            async for event in self.events():
                if event["type"] == "challenge":
                    await self._answer_if_open(event["challenge"], accepts)
                elif event["type"] == "matchStart" and event["match"]["id"] not in playing:
                    playing.add(event["match"]["id"])
                    matches.create_task(self.play(event["match"]["id"], choose))

    async def _answer_if_open(self, challenge: JsonObject, accepts: Callable[[JsonObject], bool]) -> None:
        answer = "accept" if accepts(challenge) else "decline"
        try:
            await self._patiently(lambda: self.answer(challenge["id"], answer))
        except ClientError as error:
            if error.status not in NOT_NOW:
                raise

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
        left = self.patience_s
        while True:
            answer = await self._http.request(method, f"/api/{path}", params=query, json=body, headers=self._headers())
            wait = _wait_s(answer)
            left -= wait
            if answer.status_code not in BUSY or left < 0:
                await _check(answer)
                found: JsonObject = answer.json()
                return found
            await asyncio.sleep(wait)

    async def _lines(self, path: str, is_last: Callable[[JsonObject], bool]) -> AsyncIterator[JsonObject]:
        """The lines of a stream until the last one; a stream that breaks off is asked for again, after the first line."""
        clock, begun = asyncio.get_running_loop().time, False
        heard_at = clock()
        while True:
            wait = WAIT_S
            try:
                async with self._http.stream(
                    "GET", f"/api/{path}", headers=self._headers(), timeout=SILENCE_S
                ) as answer:
                    wait = _wait_s(answer)
                    if answer.status_code not in AWAY or clock() + wait - heard_at > self.patience_s:
                        await _check(answer)
                        async for line in answer.aiter_lines():
                            heard_at = clock()
                            if line.strip():
                                begun, found = True, json.loads(line)
                                yield found
                                if is_last(found):
                                    return
            except httpx.TransportError:
                if not begun or clock() - heard_at > self.patience_s:
                    raise
            await asyncio.sleep(wait)


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


def _wait_s(answer: httpx.Response) -> float:
    """How long the server asks to wait, in seconds."""
    said = number_in(answer.headers.get("Retry-After", ""), 0, 1_000_000)
    return WAIT_S if said is None else float(said)


async def _check(answer: httpx.Response) -> None:
    if answer.is_success:
        return
    await answer.aread()
    try:
        error = answer.json()["error"]
        text, code = str(error["message"]), str(error["code"])
    except (ValueError, KeyError, TypeError):
        text, code = answer.text[:200], ""
    raise ClientError(answer.status_code, text, code)
