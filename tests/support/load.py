"""Server processes that tests kill, and players who carry on whatever happens to them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from barpoint.moves.turn import LATER
from barpoint.server.protocol.matches import PROTOCOL
from tests.support.machine import PATIENCE_S

ROOT = Path(__file__).parents[2]
GAMES = (
    ("hypergammon",),
    ("roll-over", "hypergammon"),
    ("duodecagammon", "hypergammon"),
    ("cancelgammon", "hypergammon"),
    ("roll-over", "duodecagammon", "hypergammon"),
)

QUIET = ("resign", "double", "beaver", "raccoon")
"""Actions that nobody takes here, so that games end on the board."""

Message = dict[str, Any]


@dataclass
class Killable:
    """A server process on a database and a port, restarted after each kill.

    later: a folder for what makes the next process one of a later version. bot_delay_ms: before each act of a bot.
    """

    database: str
    port: int
    pubsub: str = ""
    process: subprocess.Popen[bytes] | None = None
    lives: int = 0
    up: asyncio.Event = field(default_factory=asyncio.Event)
    later: Path | None = None
    bot_delay_ms: int = 0

    @property
    def command(self) -> list[str]:
        """The command line."""
        version = ["later_version", str(self.later)] if self.later else ["server_process"]
        module, *first = version
        last = [str(self.port), self.pubsub, str(self.bot_delay_ms)]
        return [sys.executable, "-m", f"tests.support.{module}", *first, self.database, *last]

    async def start(self) -> None:
        """Starts it, and returns once it answers."""
        self.process = subprocess.Popen(self.command, cwd=ROOT)
        async with httpx.AsyncClient() as client:
            while True:
                assert self.process.poll() is None, "the server comes up again on what the last one left"
                with suppress(httpx.TransportError):
                    if (await client.get(f"http://127.0.0.1:{self.port}/healthz")).status_code == 200:
                        self.lives += 1
                        self.up.set()
                        return
                await asyncio.sleep(0.05)

    def kill(self) -> None:
        """kill -9."""
        self.up.clear()
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    async def stop(self) -> None:
        """Ctrl-C, as an operator stops it; returns once it has ended."""
        self.up.clear()
        assert self.process is not None
        self.process.terminate()
        assert await asyncio.to_thread(self.process.wait, PATIENCE_S) in (0, -signal.SIGTERM)


@dataclass
class Client:
    """A player over WebSockets who reconnects whatever happens to the servers.

    acknowledged: (match or chouette, command, event) of every command that a server has acknowledged.
    refused: how many commands were refused, by code. headers: of every connection.
    """

    servers: list[Killable]
    random: Random
    acknowledged: list[tuple[str, str, int]]
    refused: Counter[str] = field(default_factory=Counter, kw_only=True)
    headers: dict[str, str] = field(default_factory=dict, kw_only=True)

    pause_s: ClassVar[float] = 0.02
    """Seconds before it connects again, or acts again after a refusal."""

    @property
    def port(self) -> int:
        """Any of the servers, as behind one address."""
        return self.random.choice(self.servers).port

    async def post(self, http: httpx.AsyncClient, path: str, form: Message) -> str:
        """Posts a form until a server accepts it; returns where it leads."""
        while True:
            with suppress(httpx.TransportError):
                answer = await http.post(f"http://127.0.0.1:{self.port}{path}", data=form)
                if answer.status_code == 303:
                    return answer.headers["location"].rpartition("/")[2]
            await asyncio.sleep(0.05)

    async def attend(self, cookies: Mapping[str, str], at: str) -> None:
        """Plays at `match/ID` or `chouette/ID` until nothing is left to do.

        After a reconnection a command without acknowledgement is sent again with its id.
        """
        state: Message = {"seq": None}
        open_command: Message | None = None
        awaited = 0
        while True:
            with suppress(OSError, WebSocketException, TimeoutError, EOFError):
                headers = {**self.headers, "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
                address = f"ws://127.0.0.1:{self.port}/ws/{at}"
                async with connect(address, additional_headers=headers, open_timeout=30) as link:
                    await say(link, {"do": "join", "protocol": PROTOCOL, "seq": state["seq"]})
                    if open_command:
                        await say(link, open_command)
                    trying = False
                    async for frame in link:
                        message: Message = json.loads(frame)
                        if message["say"] in ("state", "chouette"):
                            state = message
                        elif message["say"] == "done":
                            self.acknowledged.append((at.partition("/")[2], message["id"], message["seq"]))
                            awaited, open_command = message["seq"], None
                        elif message["say"] == "refused":
                            self.refused[message["code"]] += 1
                            open_command = None
                            await asyncio.sleep(self.pause_s)
                        if self.through(state):
                            return
                        trying = trying and message["say"] not in ("state", "chouette", "refused")
                        if open_command or trying or state["seq"] < awaited or not (action := self.action(state)):
                            continue
                        if action["kind"] == "try":
                            version, trying = state["version"] + 1, True
                            tried = {"seq": state["roll_seq"], "version": version, "moves": action["moves"]}
                            await say(link, {"do": "try", **tried})
                        else:
                            name = f"c{self.random.getrandbits(60)}"
                            open_command = {"do": "act", "id": name, "seq": state["seq"], "event": action}
                            await say(link, open_command)
            await asyncio.sleep(self.pause_s * self.random.uniform(0.5, 1.5))

    def through(self, state: Message) -> bool:
        """Whether nothing is left to do."""
        return bool(state["over"])

    def avoided(self) -> Collection[str]:
        """Actions that are not taken now."""
        return QUIET

    def action(self, state: Message) -> Message | None:
        """An action that is allowed now."""
        view = state["view"]
        avoided = self.avoided()
        kinds = [may for may in view["allowed"] if may["kind"] not in avoided]
        if not kinds or (view["to_act"] != "near" and kinds[0]["kind"] != "next"):
            return None
        return self.made(view, self.random.choice(kinds))

    def made(self, view: Message, may: Message) -> Message:
        """Turns an allowed action into a command; a play is any path through the turn graph.

        "try" where the graph goes on only after these moves have been tried.
        """
        match may["kind"]:
            case "play":
                moves, node = [], 0
                nodes, tried = view["turn"]["nodes"], view["turn"]["made"]
                while node != LATER and not nodes[node][0]:
                    edges = nodes[node][1]
                    if len(moves) < len(tried):
                        edges = [edge for edge in edges if edge[:3] == tried[len(moves)]]
                    *move, _, node = self.random.choice(edges)
                    moves.append(move)
                return {"kind": "try" if node == LATER else "play", "moves": moves}
            case "rollover":
                return {"kind": "rollover", "roll": may["roll"]}
            case kind:
                return {"kind": kind}


@dataclass
class Person(Client):
    """A guest who plays match after match against the bot."""

    begun: int = 0
    finished: int = 0
    stopping: bool = False

    async def play(self) -> None:
        async with httpx.AsyncClient(timeout=30) as http:
            while not self.stopping or not self.finished:
                form = {"variant": list(self.random.choice(GAMES)), "length": self.random.choice("113"), "cube": "1"}
                match_id = await self.post(http, "/match", form)
                self.begun += 1
                await self.attend(http.cookies, f"match/{match_id}")
                self.finished += 1


@dataclass
class Member(Client):
    """A guest in a chouette who leaves when told to, once the game is over. chouette: its id, once the host has it."""

    chouette: asyncio.Future[str] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    host: bool = False
    stopping: bool = False

    async def play(self) -> None:
        """Opens the chouette, or joins it, and plays until they have left."""
        async with httpx.AsyncClient(timeout=30) as http:
            if self.host:
                form = {"variant": "roll-over+hypergammon", "bots": "1", "cubes": "each", "beavers": "1"}
                self.chouette.set_result(await self.post(http, "/chouette", form))
            else:
                await self.post(http, f"/chouette/{await self.chouette}/join", {"x": "1"})
            await self.attend(http.cookies, f"chouette/{await self.chouette}")

    def through(self, state: Message) -> bool:
        return bool(state["over"]) or (self.stopping and state["player"] is None)

    def action(self, state: Message) -> Message | None:
        """The action the chouette waits for; the next game when one can begin."""
        kinds = {may["kind"] for may in state["may"]} | {may["kind"] for may in state["view"]["allowed"]}
        if not state["playing"]:
            if self.stopping:
                return {"kind": "leave"}
            return next(({"kind": kind} for kind in ("order", "next") if kind in kinds), None)
        if state["player"] not in state["waits_for"]:
            return None
        if "waive" in kinds:
            return {"kind": "waive"}
        wanted = [may for may in state["view"]["allowed"] if may["kind"] not in QUIET]
        return self.made(state["view"], self.random.choice(wanted)) if wanted else None


async def say(link: ClientConnection, message: Message) -> None:
    await link.send(json.dumps(message))
