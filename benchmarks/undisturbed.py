"""Whether analyses disturb play: an action in MATCHES live matches, without and with analyses on the same machine.

Clients and server share all cores. The analyses are those of FILES matches to 7 points that a guest has brought, at two
plies in the server's own workers. Target: the same 99th percentile.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import closing
from typing import Final

import httpx

from barpoint import dice
from barpoint.driver import play_match
from barpoint.engine import Bot
from barpoint.match import Match
from barpoint.record import Book, format_mat
from benchmarks.sockets import PAUSE_S, Served, played, prepare, show
from tests.support.machine import held_port

MATCHES: Final = 50
FILES: Final = 12
LENGTH: Final = 7
RUNS: Final = 3


def match_file(seed: int) -> bytes:
    """A match between two bots that err."""
    players = (Bot(level_name="club", seed=seed), Bot(level_name="club", seed=seed + 100))
    *_, match = play_match(Match.start(LENGTH), *players, dice=dice.seeded(seed))
    return format_mat(Book(match)).encode()


async def measure(files: list[bytes]) -> None:
    """Prints a line: live matches while these files are analysed."""
    with tempfile.TemporaryDirectory() as folder, held_port() as port:
        database = f"sqlite:///{folder}/db"
        made = await prepare(database, MATCHES)
        with closing(Served(port, database, pinned=False)) as served:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
                for number, data in enumerate(files):
                    answer = await http.post("/review", files={"file": (f"{number}.mat", data)})
                    assert answer.status_code in (200, 303), answer.text
                show(
                    "live" + (", while matches are analysed" if files else ""),
                    MATCHES,
                    await played([served], made, PAUSE_S["live"]),
                )


def main() -> None:
    """Prints the results."""
    files = [match_file(seed) for seed in range(FILES)]
    for _ in range(RUNS):
        for brought in ([], files):
            asyncio.run(measure(brought))


if __name__ == "__main__":
    main()
