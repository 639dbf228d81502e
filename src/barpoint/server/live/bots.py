"""Runs the bots of matches and chouettes: whenever it is a bot's turn, it chooses and acts like any other player."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol

from barpoint.error import StoreError, UnsupportedRules
from barpoint.rules import Rules
from barpoint.server.bots.opponents import OURS, BotPlayer, Opponents
from barpoint.server.child_process import EngineProcessFailed
from barpoint.server.live.event_log import EventLog, StaleCommand

LOG: Final = logging.getLogger("barpoint.server")

THREADS: Final = 2
"""Bots that search at the same time; the core releases the GIL during a search."""

RETRY_S: Final = 5.0
"""Pause before retrying a bot that failed; grows with each failure."""

MAX_RETRY_S: Final = 300.0

BotTask = Callable[[], Awaitable[object]]
"""Executes a bot's choice."""


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A turn of a bot. choose: runs in a thread; returns the task that makes the chosen event."""

    rules: Rules
    level: str
    choose: Callable[[BotPlayer], BotTask]


class Seats(Protocol):
    """A collection with seats for bots: all matches, or all chouettes."""

    @property
    def log(self) -> EventLog[Any]:
        """Their event logs."""
        ...

    def needs_bots(self, session_id: str) -> bool:
        """Whether `bot_turn` may have something to do there after a write; asked for every one, and so cheap."""
        ...

    async def waiting_for_bots(self, idle_ms: int) -> Sequence[str]:
        """Ids of those where a bot may have to act and nothing has happened for this long."""
        ...

    async def bot_turn(self, session_id: str) -> BotTurn | None:
        """The turn of a bot that must act now, after all steps that need no search; None if there is none."""
        ...


class BotThreads:
    """The threads in which bots search; our own that answer at once do not queue behind slow ones and other engines."""

    def __init__(self, opponents: Opponents) -> None:
        self._own = ThreadPoolExecutor(THREADS, thread_name_prefix="bot")
        self._others = ThreadPoolExecutor(THREADS, thread_name_prefix="bot, engine")
        self._other_levels = {level.name for level in opponents.levels if level.engine != OURS or level.slow}

    async def run(self, level: str, choose: Callable[[], BotTask]) -> BotTask:
        """The task that a bot of this level chooses."""
        threads = self._others if level in self._other_levels else self._own
        return await asyncio.get_running_loop().run_in_executor(threads, choose)

    def stop(self) -> None:
        """Stops all searches."""
        for threads in (self._own, self._others):
            threads.shutdown(wait=True, cancel_futures=True)


class BotRunner:
    """Runs bots wherever it is their turn. delay_ms: minimum time for a bot's action."""

    def __init__(self, seats: Sequence[Seats], opponents: Opponents, delay_ms: int, takeover_ms: int = 15_000) -> None:
        self._seats, self._opponents = tuple(seats), opponents
        self._delay_ms, self._takeover_ms = delay_ms, takeover_ms
        self._threads = BotThreads(opponents)
        self._tasks: dict[tuple[Seats, str], asyncio.Task[None]] = {}
        self._again: set[tuple[Seats, str]] = set()
        self._watching = ExitStack()

    async def start(self) -> None:
        """Listens for changes, and resumes every turn already waiting for a bot."""
        for seats in self._seats:
            self._watching.enter_context(seats.log.watching(partial(self._wake, seats)))
        await self._take_up(0)

    async def stop(self) -> None:
        """Stops running searches; the next start repeats them."""
        self._watching.close()
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._opponents.close()  # unblocks a search that waits for an external engine
        self._threads.stop()

    async def take_over(self) -> None:
        """Takes over turns from a killed process. If two processes run the same turn, the bot still acts once."""
        await self._take_up(self._takeover_ms)

    async def _take_up(self, idle_ms: int) -> None:
        for seats in self._seats:
            for session_id in await seats.waiting_for_bots(idle_ms):
                self._wake(seats, session_id)

    def _wake(self, seats: Seats, session_id: str) -> None:
        if not seats.needs_bots(session_id):
            return
        key = (seats, session_id)
        if key in self._tasks:
            self._again.add(key)
            return
        task = asyncio.create_task(self._drive(seats, session_id), name=f"bot {session_id}")
        self._tasks[key] = task
        task.add_done_callback(lambda _: self._ended(seats, session_id))

    def _ended(self, seats: Seats, session_id: str) -> None:
        key = (seats, session_id)
        self._tasks.pop(key, None)
        if key in self._again:
            self._again.discard(key)
            self._wake(seats, session_id)

    async def _drive(self, seats: Seats, session_id: str) -> None:
        pause = RETRY_S
        while True:
            self._again.discard((seats, session_id))
            try:
                if not await self.step(seats, session_id):
                    return
                pause = RETRY_S
                continue
            except StaleCommand:
                continue
            except StoreError as error:  # it comes back at any time, and then matches go on
                LOG.warning("the bot of %s cannot act: %s", session_id, error)
                pause = RETRY_S
            except (EngineProcessFailed, UnsupportedRules) as error:  # an external engine is restarted
                LOG.warning("the bot of %s cannot act: %s", session_id, error)
            except Exception:  # the outermost handler: a bot that fails is retried, and its match waits
                LOG.exception("the bot of %s cannot act", session_id)
            await asyncio.sleep(pause)
            pause = min(MAX_RETRY_S, 2 * pause)

    async def step(self, seats: Seats, session_id: str) -> bool:
        """Runs one turn of a bot; False if there is none."""
        turn = await seats.bot_turn(session_id)
        if turn is None:
            return False
        loop = asyncio.get_running_loop()
        began = loop.time()
        act = await self._threads.run(turn.level, partial(turn.choose, self._opponents.player(turn.rules, turn.level)))
        await asyncio.sleep(max(0.0, began + self._delay_ms / 1000 - loop.time()))
        await act()
        return True
