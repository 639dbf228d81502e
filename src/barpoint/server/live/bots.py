"""The bots that can be seated, and who makes them move: an actor like any other, through the same door."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Final, TypeVar

from barpoint.error import StoreError, UnsupportedRules
from barpoint.match import Match
from barpoint.server.bots.opponents import OURS, Opponents
from barpoint.server.child_process import EngineProcessFailed
from barpoint.server.domain.matches import SeatKind
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.live.matches import Matches, StaleCommand
from barpoint.server.live.pubsub import EVERYTHING
from barpoint.server.storage import deadlines as deadline_storage

LOG: Final = logging.getLogger("barpoint.server")

THREADS: Final = 2
"""Bots that think at the same time; thinking happens in the core, which lets other threads run."""

RETRY_S: Final = 5.0
"""Pause after a bot has failed, before it is asked again; longer each time it fails again."""

MAX_RETRY_S: Final = 300.0


Chosen = TypeVar("Chosen")


class Minds:
    """The threads in which bots think; ours do not wait for other engines. name: what the threads are called."""

    def __init__(self, opponents: Opponents, name: str) -> None:
        self._opponents = opponents
        self._own = ThreadPoolExecutor(THREADS, thread_name_prefix=name)
        self._outside = ThreadPoolExecutor(THREADS, thread_name_prefix=f"{name}, engine")
        self._others = {level.name for level in opponents.levels if level.engine != OURS}

    async def ask(self, level: str, choose: Callable[[], Chosen]) -> Chosen:
        """What is chosen by the bot of a level."""
        threads = self._outside if level in self._others else self._own
        return await asyncio.get_running_loop().run_in_executor(threads, choose)

    def stop(self) -> None:
        """Ends all thinking."""
        self._opponents.close()  # an engine that is being waited for answers no more
        for threads in (self._own, self._outside):
            threads.shutdown(wait=True, cancel_futures=True)


class Driver:
    """Makes the bots of all matches act whenever a match waits for them."""

    def __init__(self, matches: Matches, opponents: Opponents, delay_ms: int, takeover_ms: int = 15_000) -> None:
        self._matches, self._opponents = matches, opponents
        self._delay_ms, self._takeover_ms = delay_ms, takeover_ms
        self._watch: asyncio.Task[None] | None = None
        self._minds = Minds(opponents, "bot")
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._listening = ExitStack()

    async def start(self) -> None:
        """Listens for changes, and takes up every match that already waits for a bot."""
        self._listening.enter_context(self._matches.pubsub.listening(EVERYTHING, self._wake))
        await self._take_up(0)
        self._watch = asyncio.create_task(self._look_out(), name="bots")

    async def stop(self) -> None:
        """Stops in mid-thought; what was not committed is thought of again after the next start."""
        self._listening.close()
        if self._watch is not None:
            self._watch.cancel()
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._minds.stop()

    async def _take_up(self, idle_ms: int) -> None:
        """Wakes the bots of matches in which nothing has happened for so long."""
        since = self._matches.clock() - idle_ms
        for match_id in await self._matches.store.read(partial(deadline_storage.waiting_for_bots, since=since)):
            self._wake(match_id)

    async def _look_out(self) -> None:
        """Takes up what another process, which was killed, has left. A bot that two ask at once acts once all the same."""
        while True:
            await asyncio.sleep(self._takeover_ms / 3000)
            try:
                await self._take_up(self._takeover_ms)
            except StoreError as error:
                LOG.warning("bots are not looked after: %s", error)
            except Exception:  # the outermost handler: what fails now is looked at again
                LOG.exception("bots are not looked after")

    def _wake(self, match_id: str) -> None:
        if match_id in self._tasks:
            self._again.add(match_id)
            return
        task = asyncio.create_task(self._drive(match_id), name=f"bot {match_id}")
        self._tasks[match_id] = task
        task.add_done_callback(lambda _: self._ended(match_id))

    def _ended(self, match_id: str) -> None:
        self._tasks.pop(match_id, None)
        if match_id in self._again:
            self._again.discard(match_id)
            self._wake(match_id)

    async def _drive(self, match_id: str) -> None:
        pause = RETRY_S
        while True:
            self._again.discard(match_id)
            try:
                if not await self._step(match_id):
                    return
                pause = RETRY_S
            except StaleCommand:
                continue
            except (
                EngineProcessFailed,
                UnsupportedRules,
            ) as error:  # an engine beside this program: it is started again
                LOG.warning("the bot of match %s cannot act: %s", match_id, error)
                await asyncio.sleep(pause)
                pause = min(MAX_RETRY_S, 2 * pause)
            except Exception:  # the outermost handler: a bot that fails is asked again, and its match waits
                LOG.exception("the bot of match %s cannot act", match_id)
                await asyncio.sleep(pause)
                pause = min(MAX_RETRY_S, 2 * pause)

    async def _step(self, match_id: str) -> bool:
        """Lets a bot act once; False when none has to."""
        await self._matches.begin(match_id)  # a server that was killed may still owe it
        live_match = await self._matches.live_match(match_id)
        match, seats = live_match.match, live_match.header.seats
        if match.over or not live_match.header.complete:
            return False
        if match.game.over and all(seat.kind is SeatKind.BOT for seat in seats):
            await self._matches.proceed(match_id)
            return True
        seat = match.game.actor
        if seat is None or seats[seat].kind is not SeatKind.BOT:
            return False
        await self._act(live_match, match, seat)
        return True

    async def _act(self, live_match: LiveMatch, match: Match, seat: int) -> None:
        loop = asyncio.get_running_loop()
        seq, level = live_match.seq, live_match.header.seats[seat].level
        assert level is not None, "a bot's seat has a level"
        began = loop.time()
        player = self._opponents.player(match.rules, level)
        event = await self._minds.ask(level, partial(player.event, match, seat))
        if event is None:
            raise UnsupportedRules(f"the bot does not know what to do: {match.game.phase}")
        await asyncio.sleep(max(0.0, began + self._delay_ms / 1000 - loop.time()))
        await self._matches.act(live_match.header.id, seat, f"bot-{seq + 1}", seq, event)
