"""Two processes behind Caddy are replaced by a later version, one after the other, under 300 live matches.

Prints how long players were without a connection; the figures stand in docs/checked.md.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

import pytest
from sqlalchemy import select
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from barpoint.match import MatchTerms
from barpoint.server.domain import guests
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.dice import SeededDice
from barpoint.server.domain.settings import Settings
from barpoint.server.domain.time_control import FAST
from barpoint.server.live.matches import seat_for
from barpoint.server.protocol.matches import PROTOCOL
from barpoint.server.services import running, wall_clock
from barpoint.server.storage.audit import differences
from barpoint.server.storage.schema.matches import EVENT
from barpoint.variants import variant
from tests.support import databases
from tests.support.load import ROOT, Client, Killable, say
from tests.support.machine import PATIENCE_S, held_port
from tests.support.scripted_bots import ChanceBots

pytestmark = pytest.mark.deep

MATCHES = 300
LENGTH = 5
THOUGHT_S = 1.5
"""Seconds that a player thinks about an action."""

FIRST_WAIT_S = 0.3
GROWTH = 1.7
"""How the page waits before it connects again (static/session/connection.js)."""

SEEN_S = 3
"""Seconds until the next process is replaced; Caddy looks every second."""

START = 20
"""Sockets opened at the same time."""


@dataclass
class Watched(Client):
    """A player of one match who connects again as the page does.

    away_s: seconds from each loss of the connection to the next state. attempts: connections that each took.
    """

    cookie: str = ""
    match_id: str = ""
    door: int = 0
    away_s: list[float] = field(default_factory=list)
    attempts: list[int] = field(default_factory=list)
    acted: int = -1
    open_command: dict[str, object] | None = None

    async def play(self, opening: asyncio.Semaphore) -> None:
        """Plays until cancelled."""
        loop, lost, wait, tries = asyncio.get_running_loop(), 0.0, FIRST_WAIT_S, 0
        while True:
            tries += 1
            with suppress(OSError, WebSocketException, TimeoutError, EOFError):
                async with opening:
                    link = await connect(
                        f"ws://127.0.0.1:{self.door}/ws/match/{self.match_id}",
                        additional_headers={"Cookie": self.cookie},
                        open_timeout=30,
                    )
                async with link:
                    await say(link, {"do": "join", "protocol": PROTOCOL, "seq": None})
                    if self.open_command:
                        await say(link, self.open_command)
                    async for frame in link:
                        if lost:
                            self.away_s.append(loop.time() - lost)
                            self.attempts.append(tries)
                            lost, wait = 0.0, FIRST_WAIT_S
                        await self.hear(link, json.loads(frame))
            lost, tries = (lost, tries) if lost else (loop.time(), 0)
            await asyncio.sleep(wait * self.random.uniform(0.6, 1.4))
            wait *= GROWTH

    async def hear(self, link: ClientConnection, said: dict[str, object]) -> None:
        """Takes a message in, and acts when it is this player's turn."""
        if said["say"] == "refused":
            self.refused[str(said["code"])] += 1
            self.open_command = None
        elif said["say"] == "done":
            self.acknowledged.append((self.match_id, str(said["id"]), int(str(said["seq"]))))
            self.open_command = None
        elif said["say"] == "state" and int(str(said["seq"])) > self.acted and (event := self.action(said)):
            self.acted = int(str(said["seq"]))
            await asyncio.sleep(THOUGHT_S * self.random.uniform(0.7, 1.3))
            name = f"c{self.random.getrandbits(60)}"
            self.open_command = {"do": "act", "id": name, "seq": self.acted, "event": event}
            await say(link, self.open_command)


async def prepare(database: str) -> list[tuple[str, str]]:
    """Matches on the clock between guests: id and cookie of every player."""
    found = []
    async with running(Settings(database), SeededDice(), ChanceBots(), wall_clock) as services:
        for _ in range(MATCHES):
            pair = (await services.accounts.new_guest(), await services.accounts.new_guest())
            agreement = Agreement(variant("backgammon"), MatchTerms(length=LENGTH), FAST.name)
            header = await services.matches.make(agreement, (seat_for(pair[0]), seat_for(pair[1])))
            found += [(header.id, f"{guests.COOKIE}={guests.sign(services.key, one.id)}") for one in pair]
    return found


def proxy(stack: ExitStack, folder: Path, servers: list[Killable]) -> int:
    """Caddy with our own configuration; its port."""
    port = stack.enter_context(held_port())
    program = subprocess.run([ROOT / "tools" / "find_program", "caddy"], capture_output=True, text=True)
    assert program.returncode == 0, program.stderr
    process = subprocess.Popen(
        [program.stdout.strip(), "run", "--config", ROOT / "docs" / "Caddyfile", "--adapter", "caddyfile"],
        env={
            **os.environ,
            "SITE": f"http://127.0.0.1:{port}",
            "PLAY": " ".join(f"127.0.0.1:{server.port}" for server in servers),
            "HOME": str(folder),
        },
        stderr=stack.enter_context((folder / "caddy.log").open("w")),
    )
    stack.callback(process.wait)
    stack.callback(process.terminate)
    until_answered(port)
    return port


def until_answered(port: int) -> None:
    """Waits until the proxy listens: players who came too early would seem to have lost a connection."""
    until = time.monotonic() + PATIENCE_S
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), PATIENCE_S):
            return
        assert time.monotonic() < until, "the proxy has started"
        time.sleep(0.05)


async def test_one_process_after_the_other_is_replaced_by_a_later_version_and_nobody_notices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases.BACKEND, "name", "postgresql")
    database, pubsub = databases.address(tmp_path), databases.redis_server().address
    seats = await prepare(database)
    acknowledged: list[tuple[str, str, int]] = []
    with ExitStack() as stack:
        servers = [Killable(database, stack.enter_context(held_port()), pubsub) for _ in range(2)]
        await asyncio.gather(*(server.start() for server in servers))
        stack.callback(stop_all, servers)
        door = proxy(stack, tmp_path, servers)
        players = [
            Watched(servers, Random(number), acknowledged, cookie, match_id, door)
            for number, (match_id, cookie) in enumerate(seats)
        ]
        opening = asyncio.Semaphore(START)
        tasks = [asyncio.create_task(player.play(opening)) for player in players]
        try:
            for number, server in enumerate(servers):
                await more_acknowledged(acknowledged, 2 * MATCHES)
                server.later = tmp_path / f"later{number}"
                await server.stop()
                await server.start()
                await asyncio.sleep(SEEN_S)
            await more_acknowledged(acknowledged, 2 * MATCHES)
            async with asyncio.timeout(PATIENCE_S):
                while sum(len(player.away_s) for player in players) < len(players):
                    await asyncio.sleep(0.1)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    away = sorted(seconds for player in players for seconds in player.away_s)
    print(
        f"\n{len(away)} connections were lost; without one for {median(away):.2f} s, at most {away[-1]:.2f} s; "
        f"{len(acknowledged)} actions"
    )
    assert {code for player in players for code in player.refused} <= {"stale"}
    assert max(tries for player in players for tries in player.attempts) == 1
    await check(database, acknowledged)


def stop_all(servers: list[Killable]) -> None:
    """Ends what still runs."""
    for server in servers:
        if server.process is not None and server.process.poll() is None:
            server.kill()


async def more_acknowledged(acknowledged: list[tuple[str, str, int]], count: int) -> None:
    """Waits for so many actions more."""
    async with asyncio.timeout(PATIENCE_S):
        wanted = len(acknowledged) + count
        while len(acknowledged) < wanted:
            await asyncio.sleep(0.05)


async def check(database: str, acknowledged: list[tuple[str, str, int]]) -> None:
    """Every acknowledged action is in its log, everything agrees with the logs, and no player's reserve was touched."""
    async with running(Settings(database), SeededDice(), ChanceBots(), wall_clock) as services:
        query = select(EVENT.c.match_id, EVENT.c.command_id, EVENT.c.seq)
        known = await services.store.read(lambda connection: {tuple(row) for row in connection.execute(query)})
        assert set(acknowledged) <= known
        assert await services.store.read(differences) == []
        for match_id in {match_id for match_id, _, _ in acknowledged}:
            live_match = await services.matches.live_match(match_id)
            assert live_match.logged_clock.reserves == (FAST.reserve(LENGTH),) * 2
