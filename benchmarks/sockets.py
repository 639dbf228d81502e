"""Load of `barpoint serve` with real WebSockets: both players of every match on a socket of their own.

The server runs as a process of its own on one core, the players on another. An action is timed from its request to its
acknowledgement, committed with an fsync. "hurry": each player acts as soon as it is their turn, in so many matches that none sends more messages than allowed; "live": 0.7 s later.
CPU is the server's, from its process times, so that the figure holds on a machine that does other work. Two processes
share a core; the players of a match are on the same one, as docs/Caddyfile has it, or "apart" on different ones. "echo" is Starlette alone, under the same uvicorn: a
message of the same size comes back, once for each action, where our server answers one player and tells both.

    python -m benchmarks sockets           the published table
    python -m benchmarks.sockets live 200  one line
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from barpoint.match import MatchTerms
from barpoint.server.bots.barpoint import EngineOpponents
from barpoint.server.domain import guests
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.dice import SeededDice
from barpoint.server.domain.settings import Settings
from barpoint.server.live.matches import seat_for
from barpoint.server.protocol.matches import PROTOCOL
from barpoint.server.services import running, wall_clock
from barpoint.variants import variant
from benchmarks.server import resident
from tests.support.databases import Postgres
from tests.support.machine import held_port

SECONDS = float(os.environ.get("BARPOINT_BENCH_S", "10"))
LIVE = tuple(int(n) for n in os.environ.get("BARPOINT_BENCH_LIVE", "100,150,200,300,400,500,600,700,800").split(","))
HURRY = (128, 256)
PAUSE_S = {"hurry": 0.0, "live": 0.7}
WARM_S = 3.0
LIMIT_MS = 50.0
CONNECTING = 20
"""Sockets that are opened at the same time."""

Cookies = tuple[str, str]


class Allowed(Struct):
    """An allowed action."""

    kind: str


class Turn(Struct):
    """The graph of a turn."""

    nodes: tuple[tuple[bool, tuple[tuple[int, int, int, int, int], ...]], ...]


class View(Struct):
    """What a player needs of the board."""

    to_act: str | None
    phase: str
    turn: Turn | None
    allowed: tuple[Allowed, ...]


class Message(Struct):
    """What a player needs of a message."""

    say: str
    id: str = ""
    seq: int = 0
    message: str = ""
    view: View | None = None


@dataclass
class Tally:
    """What all players measure: ms of every action sent between `begin` and `end`, in seconds of the loop's clock."""

    begin: float = float("inf")
    end: float = float("inf")
    acts_ms: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def line(self, cpu_s: float, memory: float) -> Line:
        """The measurement of all."""
        times = sorted(self.acts_ms)
        p50, p99 = (times[int(len(times) * share)] for share in (0.5, 0.99))
        return Line(len(times) / SECONDS, p50, p99, 1000 * cpu_s / len(times), memory)


@dataclass(frozen=True)
class Line:
    """One measurement. cpu_ms: of the server, an action. memory: KiB a match, with its sockets."""

    acts_per_second: float
    p50: float
    p99: float
    cpu_ms: float
    memory: float


READ = msgspec.json.Decoder(Message)


def event_for(view: View) -> dict[str, object] | None:
    """A legal action of this player: the first play, and nothing that ends a game early; None if they must wait."""
    if view.to_act == "far":
        return None
    if view.phase == "to_play":
        return {"kind": "play", "moves": first_play(view)}
    kinds = [one.kind for one in view.allowed]
    wanted = next((kind for kind in ("roll", "next", "take", "accept") if kind in kinds), None)
    return {"kind": wanted} if wanted else None


def first_play(view: View) -> list[tuple[int, int, int]]:
    """The moves of the first play in the graph of the turn."""
    assert view.turn is not None, "there is a roll to play"
    here, moves = 0, []
    while not view.turn.nodes[here][0]:
        source, target, die, _, here = view.turn.nodes[here][1][0]
        moves.append((source, target, die))
    return moves


async def say_join(socket: ClientConnection) -> None:
    """The first message of a connection."""
    await socket.send(msgspec.json.encode({"do": "join", "protocol": PROTOCOL, "seq": None}).decode())


class Player:
    """One seat, on a socket of its own."""

    def __init__(self, socket: ClientConnection, pause_s: float, tally: Tally) -> None:
        self._socket, self._pause_s, self._tally = socket, pause_s, tally
        self._acted = -1
        self._sent_at: dict[str, float] = {}
        self._acting: set[asyncio.Task[None]] = set()

    async def join(self) -> None:
        """Asks for the match."""
        await say_join(self._socket)

    async def play(self) -> None:
        """Plays until the connection is closed."""
        try:
            async for frame in self._socket:
                self._hear(READ.decode(frame))
        except ConnectionClosed:
            return

    def _hear(self, said: Message) -> None:
        now = asyncio.get_running_loop().time()
        if said.say == "refused":
            self._tally.refused.append(said.message)
        elif said.say == "done":
            began = self._sent_at.pop(said.id)
            if self._tally.begin < began < self._tally.end:
                self._tally.acts_ms.append((now - began) * 1000)
        elif said.view is not None and said.seq > self._acted and now < self._tally.end:
            event = event_for(said.view)
            if event is None:
                return
            self._acted = said.seq
            task = asyncio.create_task(self._act(said.seq, event))
            self._acting.add(task)
            task.add_done_callback(self._acting.discard)

    async def _act(self, seq: int, event: dict[str, object]) -> None:
        await asyncio.sleep(self._pause_s)
        command = {"do": "act", "id": f"c{seq}", "seq": seq, "event": event}
        self._sent_at[f"c{seq}"] = asyncio.get_running_loop().time()
        with suppress(ConnectionClosed):
            await self._socket.send(msgspec.json.encode(command).decode())


async def prepare(database: str, matches: int) -> list[tuple[str, Cookies]]:
    """Money sessions, which do not end, between guests who have not begun to play, with the cookies of both."""
    made = []
    async with running(Settings(database), SeededDice(), EngineOpponents(), wall_clock) as services:
        for _ in range(matches):
            pair = (await services.accounts.new_guest(), await services.accounts.new_guest())
            seats = (seat_for(pair[0]), seat_for(pair[1]))
            header = await services.matches.make(Agreement(variant("backgammon"), MatchTerms(length=0)), seats)
            first, second = (f"{guests.COOKIE}={guests.sign(services.key, guest.id)}" for guest in pair)
            made.append((header.id, (first, second)))
    return made


class Served:
    """A running `barpoint serve`; without a database a server that only echoes. pinned: to the first core."""

    def __init__(self, port: int, database: str = "", pinned: bool = True) -> None:
        main = "from barpoint.cli import main; main()"
        served = ["-c", main, "serve", "--port", str(port), "--database", database]
        command = [sys.executable, *(served if database else ["-m", "benchmarks.peer.echo", str(port)])]
        self.port = port
        on_one_core = ["taskset", "-c", "0"] if pinned and (os.cpu_count() or 1) > 1 else []
        self._process = subprocess.Popen([*on_one_core, *command], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None, "it is a pipe"
        while "is served at" not in self._process.stdout.readline():
            pass
        self._folder = Path(f"/proc/{self._process.pid}")

    @property
    def cpu_s(self) -> float:
        """Seconds of processor time so far."""
        fields = (self._folder / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def resident(self) -> int:
        """Bytes of memory in use now."""
        return resident(self._folder.name)

    def close(self) -> None:
        """Stops it."""
        self._process.terminate()
        self._process.wait()


async def measure(database: str, work: str, matches: int, processes: int = 1, apart: bool = False) -> Line:
    """One line of the table. apart: the players of a match are on different processes."""
    made = await prepare(database, matches)
    with ExitStack() as stack:
        ports = [stack.enter_context(held_port()) for _ in range(processes)]
        servers = [stack.enter_context(closing(Served(port, database))) for port in ports]
        return await played(servers, made, PAUSE_S[work], apart)


async def played(servers: list[Served], made: list[tuple[str, Cookies]], pause_s: float, apart: bool = False) -> Line:
    """The measurement of players who are connected to running servers."""
    loop, tally, before = asyncio.get_running_loop(), Tally(), sum(one.resident for one in servers)
    opening = asyncio.Semaphore(CONNECTING)

    async def opened(number: int, seat: int) -> Player:
        match_id, cookies = made[number]
        port, cookie = servers[(seat if apart else number) % len(servers)].port, cookies[seat]
        async with opening:
            address = f"ws://127.0.0.1:{port}/ws/match/{match_id}"
            socket = await connect(address, additional_headers={"Cookie": cookie}, open_timeout=60, max_size=None)
            return Player(socket, pause_s, tally)

    players = await asyncio.gather(*(opened(number, seat) for number in range(len(made)) for seat in (0, 1)))
    playing = [asyncio.create_task(player.play()) for player in players]
    await asyncio.sleep(1.0)
    for number, player in enumerate(players):
        await player.join()
        if pause_s and number % 2:
            await asyncio.sleep(pause_s / len(made))
    await asyncio.sleep(WARM_S)
    cpu_s, tally.begin, tally.end = sum(one.cpu_s for one in servers), loop.time(), loop.time() + SECONDS
    await asyncio.sleep(SECONDS)
    cpu_s, memory = sum(one.cpu_s for one in servers) - cpu_s, sum(one.resident for one in servers) - before
    await asyncio.sleep(0.5)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    if tally.refused:
        print(f"{len(tally.refused)} refused: {tally.refused[0]}", file=sys.stderr)
    return tally.line(cpu_s, memory / len(made) / 1024)


async def echoed(sockets: int) -> Line:
    """The same of the server that only echoes: every client sends a message as soon as the last one is back."""
    loop, tally = asyncio.get_running_loop(), Tally()
    frame = msgspec.json.encode(
        {"do": "act", "id": "c100", "seq": 100, "event": {"kind": "play", "moves": [[8, 5, 3]] * 2}}
    )

    async def talk(socket: ClientConnection) -> None:
        while True:
            began = loop.time()
            await socket.send(frame.decode())
            await socket.recv()
            if tally.begin < began < tally.end:
                tally.acts_ms.append((loop.time() - began) * 1000)

    with held_port() as port, closing(Served(port)) as served:
        links = [await connect(f"ws://127.0.0.1:{port}/") for _ in range(sockets)]
        talking = [asyncio.create_task(talk(link)) for link in links]
        await asyncio.sleep(1.0)
        cpu_s, tally.begin, tally.end = served.cpu_s, loop.time(), loop.time() + SECONDS
        await asyncio.sleep(SECONDS)
        cpu_s = served.cpu_s - cpu_s
        for task in talking:
            task.cancel()
        await asyncio.gather(*talking, return_exceptions=True)
    return tally.line(cpu_s, 0)


def show(what: str, matches: int, line: Line) -> None:
    """Prints a line of the table."""
    print(
        f"{what:32} {matches:5} matches {line.acts_per_second:6.0f} acts/s   p50 {line.p50:6.1f} ms   "
        f"p99 {line.p99:6.1f} ms   CPU {line.cpu_ms:5.2f} ms an action   {line.memory:5.0f} KiB a match",
        flush=True,
    )


def main() -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BARPOINT_BENCH_FOLDER")) as folder:
        for matches in HURRY:
            show("hurry, SQLite", matches, asyncio.run(measure(f"sqlite:///{folder}/hurry{matches}", "hurry", matches)))
        postgres = Postgres.start_new(durable=True)
        for name, processes, apart in (("1 process", 1, False), ("2 processes", 2, False), ("2, apart", 2, True)):
            found = asyncio.run(
                measure(postgres.address(f"hurry{processes}{apart}"), "hurry", HURRY[0], processes, apart)
            )
            show(f"hurry, PostgreSQL, {name}", HURRY[0], found)
        show("echo, Starlette", HURRY[0], asyncio.run(echoed(2 * HURRY[0])))
        for matches in LIVE:
            found = asyncio.run(measure(f"sqlite:///{folder}/live{matches}", "live", matches))
            show("live, SQLite", matches, found)
            if found.p99 > LIMIT_MS:
                break


if __name__ == "__main__":
    if sys.argv[1:]:
        work, count = sys.argv[1], int(sys.argv[2])
        with tempfile.TemporaryDirectory() as folder:
            if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
                os.sched_setaffinity(0, {1})
            show(work, count, asyncio.run(measure(f"sqlite:///{folder}/db", work, count)))
    else:
        main()
