"""Servers as processes of their own, to be killed, and people who play on whatever happens to them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

ROOT = Path(__file__).parents[1]
GAMES = (
    ("hypergammon",),
    ("roll-over", "hypergammon"),
    ("duodecagammon", "hypergammon"),
    ("cancelgammon", "hypergammon"),
    ("roll-over", "duodecagammon", "hypergammon"),
)

Message = dict[str, Any]


@dataclass
class Killable:
    """A server process on a database and a port, as often as it is killed."""

    database: str
    port: int
    bus: str = ""
    process: subprocess.Popen[bytes] | None = None
    lives: int = 0
    up: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def command(self) -> list[str]:
        """The program and what it is told."""
        return [sys.executable, "-m", "tests.server_process", self.database, str(self.port), self.bus]

    async def start(self) -> None:
        """Starts it, and returns when it answers."""
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


@dataclass
class Person:
    """A guest who plays one match after the other against the bot, whatever happens to the servers.

    acknowledged: (match, command, event) of every command that a server has said to be done.
    """

    servers: list[Killable]
    random: Random
    acknowledged: list[tuple[str, str, int]]
    begun: int = 0
    finished: int = 0
    stopping: bool = False

    @property
    def port(self) -> int:
        """Any of the servers, as behind one address."""
        return self.random.choice(self.servers).port

    async def play(self) -> None:
        async with httpx.AsyncClient(timeout=30) as http:
            while not self.stopping or not self.finished:
                match_id = await self.begin(http)
                self.begun += 1
                await self.finish(match_id, http)
                self.finished += 1

    async def begin(self, http: httpx.AsyncClient) -> str:
        form = {"variant": list(self.random.choice(GAMES)), "length": self.random.choice("113"), "cube": "1"}
        while True:
            with suppress(httpx.TransportError):
                answer = await http.post(f"http://127.0.0.1:{self.port}/match", data=form)
                if answer.status_code == 303:
                    return answer.headers["location"].rpartition("/")[2]
            await asyncio.sleep(0.05)

    async def finish(self, match_id: str, http: httpx.AsyncClient) -> None:
        """Plays to the end. A command that was not acknowledged is sent again with its id after a reconnection."""
        cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        state: Message = {"seq": None}
        open_command: Message | None = None
        awaited = 0
        while True:
            with suppress(OSError, WebSocketException, TimeoutError, EOFError):
                address = f"ws://127.0.0.1:{self.port}/ws/match/{match_id}"
                async with connect(address, additional_headers={"Cookie": cookie}, open_timeout=30) as link:
                    await say(link, {"do": "join", "protocol": 1, "seq": state["seq"]})
                    if open_command:
                        await say(link, open_command)
                    async for frame in link:
                        message: Message = json.loads(frame)
                        if message["say"] == "state":
                            state = message
                        elif message["say"] == "done":
                            self.acknowledged.append((match_id, message["id"], message["seq"]))
                            awaited, open_command = message["seq"], None
                        elif message["say"] == "refused":
                            open_command = None
                        if state["over"]:
                            return
                        if open_command or state["seq"] < awaited:
                            continue
                        if wish := self.wish(state["view"]):
                            name = f"c{self.random.getrandbits(60)}"
                            open_command = {"do": "act", "id": name, "seq": state["seq"], "event": wish}
                            await say(link, open_command)
            await asyncio.sleep(0.02)

    def wish(self, view: Message) -> Message | None:
        """Something that may be done now; a play is any way through the graph of the turn."""
        kinds = [may for may in view["allowed"] if may["kind"] not in ("resign", "double", "beaver", "raccoon")]
        if not kinds or (view["to_act"] != "near" and kinds[0]["kind"] != "next"):
            return None
        may = self.random.choice(kinds)
        match may["kind"]:
            case "play":
                moves, node = [], 0
                nodes = view["turn"]["nodes"]
                while not nodes[node][0]:
                    *move, _, node = self.random.choice(nodes[node][1])
                    moves.append(move)
                return {"kind": "play", "moves": moves}
            case "rollover":
                return {"kind": "rollover", "throw": may["throw"]}
            case kind:
                return {"kind": kind}


async def say(link: ClientConnection, message: Message) -> None:
    await link.send(json.dumps(message))
