"""Load the server carries: actions a second, latency, live matches at once, memory of a match.

An action is timed from its request to its acknowledgement, committed with an fsync. "As fast as they can" are two
people a match who act as soon as the other has; "live" are bots of the weakest level that act every 0.7 s, as in
`barpoint serve`. Each line is measured in processes of its own.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from barpoint.game import Event, Next, event_from_dict
from barpoint.match import Match, MatchTerms
from barpoint.moves import legal_plays
from barpoint.server.bots.barpoint import EngineOpponents
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.dice import SeededDice
from barpoint.server.domain.settings import Settings
from barpoint.server.live.matches import seat_for
from barpoint.server.services import Services, running, wall_clock
from barpoint.variants import variant
from tests.support.databases import Postgres

SECONDS = float(os.environ.get("BARPOINT_BENCH_S", "10"))
AT_ONCE = (1, 16, 64, 256)
LIVE = tuple(int(n) for n in os.environ.get("BARPOINT_BENCH_LIVE", "100,200,400,600,800").split(","))
BOT_DELAY_MS = 700
MEMORY = Path("/dev/shm")
LIMIT_MS = 50.0

Times = list[float]


class Measured(msgspec.Struct):
    """The measurements of one process: seconds, ms of every action, bytes before the matches existed and at the end."""

    seconds: float
    acts_ms: Times
    before: int
    after: int


def choose(match: Match) -> Event:
    """A legal action: the first play, and nothing that ends a game early."""
    game = match.game
    one = next(
        may for may in match.legal_events() if may.kind not in ("resign", "double", "beaver", "raccoon", "abort")
    )
    if one.kind == "play":
        moves = legal_plays(game.rules, game.position, game.faces)[0].moves
        return event_from_dict({"kind": "play", "player": one.player, "moves": moves})
    return Next() if one.kind == "next" else event_from_dict({"kind": one.kind, "player": one.player})


async def begin(services: Services, bots: bool) -> str:
    """A 7-point match of backgammon."""
    if bots:
        level = services.opponents.levels[0].name
        seats = (seat_for(None, name="One", level=level), seat_for(None, name="Other", level=level))
    else:
        seats = (seat_for(await services.accounts.new_guest()), seat_for(await services.accounts.new_guest()))
    return (await services.matches.make(Agreement(variant("backgammon"), MatchTerms(length=7)), seats)).id


async def hurry(services: Services, matches: int, taken: Times) -> None:
    """People who act as soon as they can."""

    async def play(match_id: str, stop: float) -> None:
        while time.perf_counter() < stop:
            live_match = await services.matches.live_match(match_id)
            if live_match.match.over:
                match_id = await begin(services, False)
                continue
            event = choose(live_match.match)
            began = time.perf_counter()
            await services.matches.act(
                match_id, getattr(event, "player", 0), f"c{live_match.seq}", live_match.seq, event
            )
            taken.append((time.perf_counter() - began) * 1000)

    ids = [await begin(services, False) for _ in range(matches)]
    await asyncio.gather(*(play(one, time.perf_counter() + SECONDS) for one in ids))


async def live(services: Services, matches: int, taken: Times) -> None:
    """Bots at their usual speed; the time of their actions counts, that of their decisions does not."""
    act = services.matches.act

    async def timed(*asked: object) -> int:
        began = time.perf_counter()
        done = await act(*asked)  # type: ignore[arg-type]
        taken.append((time.perf_counter() - began) * 1000)
        return done

    services.matches.act = timed  # type: ignore[assignment, method-assign]
    for _ in range(matches):
        await begin(services, True)
        await asyncio.sleep(BOT_DELAY_MS / 1000 / matches)
    await asyncio.sleep(2)
    taken.clear()
    await asyncio.sleep(SECONDS)


async def measure(work: Callable[[Services, int, Times], Awaitable[None]], database: str, matches: int) -> Measured:
    """Runs the measurement of one process."""
    async with running(
        Settings(database, bot_delay_ms=BOT_DELAY_MS), SeededDice(), EngineOpponents(), wall_clock
    ) as services:
        services.opponents.player(variant("backgammon"), services.opponents.levels[0].name)
        before, taken, began = resident(), Times(), time.perf_counter()
        await work(services, matches, taken)
        seconds = SECONDS if work is live else time.perf_counter() - began
        return Measured(seconds, list(taken), before, resident())


def resident(process: str = "self") -> int:
    """Bytes of memory that a process uses now. process: its id."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()


def line(what: str, work: str, database: str, matches: int, processes: int = 1) -> float:
    """Measures in separate processes and prints a line; the 99th percentile in ms."""
    command = [sys.executable, "-m", "benchmarks.server", work, database, str(matches // processes)]
    asked = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(processes)]
    found = [msgspec.json.decode(one.communicate()[0], type=Measured) for one in asked]
    times = sorted(ms for measured in found for ms in measured.acts_ms)
    rate = sum(len(measured.acts_ms) / measured.seconds for measured in found)
    p50, p99 = (times[int(len(times) * share)] for share in (0.5, 0.99))
    memory = sum(measured.after - measured.before for measured in found) / matches / 1024
    print(
        f"{what:32} {matches:5} matches {rate:7.0f} acts/s   p50 {p50:6.1f} ms   p99 {p99:6.1f} ms   {memory:5.0f} KiB a match",
        flush=True,
    )
    return p99


def without_a_disk() -> list[tuple[str, Callable[[int], str], int]]:
    """The same with everything in memory: the cost of the processes themselves, whatever the disk does."""
    if not MEMORY.is_dir():
        return []
    folder = tempfile.mkdtemp(dir=MEMORY)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    tempfile.tempdir = str(MEMORY)
    postgres = Postgres.start_new(durable=True)
    tempfile.tempdir = None
    return [
        ("live, SQLite in memory", lambda n: f"sqlite:///{folder}/live{n}", 1),
        ("live, 2 processes, in memory", lambda n: postgres.address(f"memory{n}"), 2),
    ]


def fsyncs(folder: Path) -> str:
    """How long a write of 4 KiB takes to reach the disk, as text."""
    taken = []
    with (folder / "fsync").open("wb", buffering=0) as file:
        for _ in range(200):
            file.write(b"x" * 4096)
            began = time.perf_counter()
            os.fsync(file.fileno())
            taken.append((time.perf_counter() - began) * 1000)
    taken.sort()
    return f"{taken[100]:.1f} ms, the slowest of 100 {taken[198]:.1f} ms"


def main() -> None:
    """Prints the results."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BARPOINT_BENCH_FOLDER")) as name:
        postgres = Postgres.start_new(durable=True)
        for matches in AT_ONCE:
            line("as fast as they can, SQLite", "hurry", f"sqlite:///{name}/hurry{matches}", matches)
        line("as fast as they can, 2 processes", "hurry", postgres.address("hurry"), AT_ONCE[-1], 2)
        for what, address, processes in (
            ("live, SQLite", lambda n: f"sqlite:///{name}/live{n}", 1),
            ("live, PostgreSQL, 2 processes", lambda n: postgres.address(f"live{n}"), 2),
            *without_a_disk(),
        ):
            for matches in LIVE:
                if line(what, "live", address(matches), matches, processes) > LIMIT_MS:
                    break
        print(f"An fsync of 4 KiB there takes {fsyncs(Path(name))}; in memory none is waited for.")
        if hasattr(os, "SCHED_RR") and os.sched_getscheduler(0) == os.SCHED_RR:
            print("Run before everything else on the machine (chrt -r 1); its disk was shared all the same.")
        print(f"Load average of the machine at the end: {os.getloadavg()[0]:.1f}; 0 besides this is a machine at rest.")


if __name__ == "__main__":
    if sys.argv[1:]:
        measured = asyncio.run(measure({"hurry": hurry, "live": live}[sys.argv[1]], sys.argv[2], int(sys.argv[3])))
        sys.stdout.buffer.write(msgspec.json.encode(measured))
    else:
        main()
