"""kill -9 at any instant under load: no acknowledged event is lost, every match resumes and ends (SERVER.md 8)."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from sqlalchemy import select
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from barpoint.server.schema import EVENT, MATCH
from barpoint.server.store import Store
from tests.server_hall import fold_equals_snapshot
from tests.server_run import PATIENCE_S, held_port

ROOT = Path(__file__).parents[1]
GAMES = (
    ("hypergammon",),
    ("roll-over", "hypergammon"),
    ("duodecagammon", "hypergammon"),
    ("cancelgammon", "hypergammon"),
    ("roll-over", "duodecagammon", "hypergammon"),
)
PLAYERS = 6

Message = dict[str, Any]


@dataclass
class Killable:
    """A server process on one database and one port, as often as it is killed."""

    database: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        command = [sys.executable, "-m", "tests.server_process", str(self.database), str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT)
        async with httpx.AsyncClient() as client:
            while True:
                assert self.process.poll() is None, "the server comes up again on what the last one left"
                with suppress(httpx.TransportError):
                    if (await client.get(f"http://127.0.0.1:{self.port}/healthz")).status_code == 200:
                        return
                await asyncio.sleep(0.05)

    def kill(self) -> None:
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()


@dataclass
class Person:
    """A guest who plays one match after the other against the bot, whatever happens to the server."""

    server: Killable
    random: Random
    acknowledged: list[tuple[str, str, int]]
    begun: int = 0
    finished: int = 0
    stopping: bool = False

    async def play(self) -> None:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.server.port}", timeout=30) as http:
            while not self.stopping or not self.finished:
                match_id = await self.begin(http)
                self.begun += 1
                await self.finish(match_id, http)
                self.finished += 1

    async def begin(self, http: httpx.AsyncClient) -> str:
        form = {"variant": list(self.random.choice(GAMES)), "length": self.random.choice("113"), "cube": "1"}
        while True:
            with suppress(httpx.TransportError):
                answer = await http.post("/match", data=form)
                if answer.status_code == 303:
                    return answer.headers["location"].rpartition("/")[2]
            await asyncio.sleep(0.05)

    async def finish(self, match_id: str, http: httpx.AsyncClient) -> None:
        """Plays to the end. A command that was not acknowledged is sent again with its id after a reconnection."""
        cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        address = f"ws://127.0.0.1:{self.server.port}/ws/match/{match_id}"
        state: Message = {"seq": None}
        open_command: Message | None = None
        awaited = 0
        while True:
            with suppress(OSError, WebSocketException, TimeoutError, EOFError):
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


async def check(database: Path, acknowledged: list[tuple[str, str, int]]) -> list[bool]:
    """Every acknowledged event is in the log where it was said to be, and every fold is its snapshot; who is over."""
    store = await Store.open(f"sqlite:///{database}")
    try:
        query = select(EVENT.c.match_id, EVENT.c.command_id, EVENT.c.seq).where(EVENT.c.actor == "0")
        logged = await store.read(lambda connection: {tuple(row) for row in connection.execute(query)})
        matches = await store.read(lambda connection: connection.scalars(select(MATCH.c.id)).all())
        assert set(acknowledged) <= logged
        return [(await fold_equals_snapshot(store, match_id)).over for match_id in matches]
    finally:
        await store.close()


async def survive(folder: Path, kills: int, seed: int) -> None:
    with held_port() as port:
        await survive_at(port, folder, kills, seed)


async def survive_at(port: int, folder: Path, kills: int, seed: int) -> None:
    random = Random(seed)
    server = Killable(folder / "killed.sqlite3", port)
    acknowledged: list[tuple[str, str, int]] = []
    people = [Person(server, Random(seed + number), acknowledged) for number in range(PLAYERS)]
    await server.start()
    tasks = [asyncio.create_task(person.play()) for person in people]
    try:
        for _ in range(kills):
            known = len(acknowledged)
            while len(acknowledged) == known:  # so that every life of the server has acknowledged something
                await asyncio.sleep(0.01)
            await asyncio.sleep(random.uniform(0, 0.8))
            server.kill()
            await check(server.database, acknowledged)
            await server.start()
        for person in people:
            person.stopping = True
        async with asyncio.timeout(5 * PATIENCE_S):
            await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        server.kill()
    over = await check(server.database, acknowledged)
    finished = sum(person.finished for person in people)
    assert finished == sum(person.begun for person in people) >= PLAYERS
    assert sum(over) >= finished  # a match whose making was not acknowledged may stand beside them
    assert len(acknowledged) > kills


async def test_no_acknowledged_event_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    await survive(tmp_path, kills=10, seed=4)


@pytest.mark.deep
async def test_no_acknowledged_event_is_lost_in_a_hundred_kills(tmp_path: Path) -> None:
    await survive(tmp_path, kills=100, seed=5)
