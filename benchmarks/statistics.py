"""How long a person waits for the statistics of a thousand matches: `python -m benchmarks.statistics`.

Twenty matches to 7 points are played by bots of the level club, analysed, and stored fifty times each as imported
matches. Target: within 1 s once the matches have been looked at before.
"""

from __future__ import annotations

import asyncio
import gzip
import tempfile
import time
from pathlib import Path
from statistics import median

from barpoint import dice
from barpoint.analysis import analyse
from barpoint.analysis.statistics import statistics_of
from barpoint.driver import play_match
from barpoint.engine import Bot
from barpoint.match import Match, write_log
from barpoint.server.domain.guests import Guest
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import reviews as review_storage
from barpoint.server.storage.analyses import Key
from barpoint.server.storage.reviews import ListedReview, StoredReview
from barpoint.server.storage.store import Store
from barpoint.server.study.statistics import AnalysedMatches, StatisticsQuery

DIFFERENT = 20
TIMES = 50
DAY_MS = 86_400_000
PERSON = Guest("anna", "Anna")


def played(seed: int) -> Match:
    """A match to 7 points between two bots that err."""
    *_, match = play_match(
        Match.start(7),
        Bot(level_name="club", seed=seed),
        Bot(level_name="club", seed=seed + 100),
        dice=dice.seeded(seed),
    )
    return match


async def fill(store: Store) -> None:
    """Stores the matches with their reports."""
    await store.write(guest_storage.put_guest, PERSON, 0)
    for seed in range(DIFFERENT):
        match = played(seed)
        report = analyse(match, 0)
        log, packed = gzip.compress(write_log(match)), gzip.compress(report.json())
        for number in range(seed, DIFFERENT * TIMES, DIFFERENT):
            names = ("Anna", f"Player {number % 37}")
            about = ListedReview(f"r{number}", "a.mat", names, "backgammon", 7, "7 : 3", number * DAY_MS)
            kept = StoredReview(about, PERSON.id, f"{number}", log)
            await store.write(review_storage.put, kept, DIFFERENT * TIMES)
            key = Key(about.id, report.net, 0, "review")
            await store.write(analysis_storage.put, key, packed, report.events, 1)


async def asked(analysed: AnalysedMatches) -> float:
    """Seconds until the statistics of all matches are there."""
    began = time.perf_counter()
    found = await analysed.of(PERSON.id)
    statistics = statistics_of(found.played(StatisticsQuery(), ("Anna",)))
    assert statistics.matches == DIFFERENT * TIMES
    return time.perf_counter() - began


async def main() -> None:
    """Prints how long the first time takes, the first after a restart, and later ones."""
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{Path(folder) / 'matches.sqlite'}")
        try:
            await fill(store)
            print(f"{DIFFERENT * TIMES} matches, the first time: {await asked(AnalysedMatches(store)):.2f} s")
            analysed = AnalysedMatches(store)
            print(f"after a restart: {await asked(analysed):.2f} s")
            later = [await asked(analysed) for _ in range(9)]
            print(f"later: {median(later):.2f} s, at most {max(later):.2f} s")
        finally:
            await store.close()


if __name__ == "__main__":
    asyncio.run(main())
