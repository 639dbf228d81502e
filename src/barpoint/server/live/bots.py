"""Seats bots at matches and chouettes: whenever one waits for a bot, the bot chooses and acts like any other player."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from barpoint.error import UnsupportedRules
from barpoint.rules import Rules
from barpoint.server.bots.opponents import OURS, BotPlayer, Opponents
from barpoint.server.child_process import EngineProcessFailed
from barpoint.server.live.event_log import StaleCommand

LOG: Final = logging.getLogger("barpoint.server")

THREADS: Final = 2
"""Bots that think at the same time; thinking happens in the core, which lets other threads run."""

RETRY_S: Final = 5.0
"""Pause after a bot has failed, before it is asked again; longer each time it fails again."""

MAX_RETRY_S: Final = 300.0

BotTask = Callable[[], Awaitable[object]]
"""Does what a bot has chosen."""


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A turn of a bot. choose: runs in a thread; returns what does the chosen event."""

    rules: Rules
    level: str
    choose: Callable[[BotPlayer], BotTask]


class Seats(Protocol):
    """Something bots are seated at: all matches, or all chouettes."""

    def watching(self, watcher: Callable[[str], None]) -> AbstractContextManager[None]:
        """Calls somebody with the id of each one that this process changes."""
        ...

    async def waiting_for_bots(self, idle_ms: int) -> Sequence[str]:
        """Those in which a bot may have to act, and nothing has happened for this long."""
        ...

    async def bot_turn(self, session_id: str) -> BotTurn | None:
        """The turn of a bot that must act now, after everything that needs no thought was done; None where none must."""
        ...


class BotThreads:
    """The threads in which bots think; our bots do not wait for other engines."""

    def __init__(self, opponents: Opponents) -> None:
        self._own = ThreadPoolExecutor(THREADS, thread_name_prefix="bot")
        self._others = ThreadPoolExecutor(THREADS, thread_name_prefix="bot, engine")
        self._other_levels = {level.name for level in opponents.levels if level.engine != OURS}

    async def run(self, level: str, choose: Callable[[], BotTask]) -> BotTask:
        """What the bot of a level chooses."""
        threads = self._others if level in self._other_levels else self._own
        return await asyncio.get_running_loop().run_in_executor(threads, choose)

    def stop(self) -> None:
        """Ends all thinking."""
        for threads in (self._own, self._others):
            threads.shutdown(wait=True, cancel_futures=True)


class BotRunner:
    """Has bots act wherever they are waited for. delay_ms: a bot takes at least this long."""

    def __init__(self, seats: Sequence[Seats], opponents: Opponents, delay_ms: int, takeover_ms: int = 15_000) -> None:
        self._seats, self._opponents = tuple(seats), opponents
        self._delay_ms, self._takeover_ms = delay_ms, takeover_ms
        self._threads = BotThreads(opponents)
        self._tasks: dict[tuple[Seats, str], asyncio.Task[None]] = {}
        self._again: set[tuple[Seats, str]] = set()
        self._watching = ExitStack()

    async def start(self) -> None:
        """Listens for changes, and takes up everything that already waits for a bot."""
        for seats in self._seats:
            self._watching.enter_context(seats.watching(partial(self._wake, seats)))
        await self._take_up(0)

    async def stop(self) -> None:
        """Stops in mid-thought; what was not written is thought of again after the next start."""
        self._watching.close()
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._opponents.close()  # an engine that is being waited for answers no more
        self._threads.stop()

    async def take_over(self) -> None:
        """Takes up what another process, which was killed, has left. A bot that two ask at once acts once all the same."""
        await self._take_up(self._takeover_ms)

    async def _take_up(self, idle_ms: int) -> None:
        for seats in self._seats:
            for session_id in await seats.waiting_for_bots(idle_ms):
                self._wake(seats, session_id)

    def _wake(self, seats: Seats, session_id: str) -> None:
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
            except (EngineProcessFailed, UnsupportedRules) as error:  # an engine beside this program is started again
                LOG.warning("the bot of %s cannot act: %s", session_id, error)
            except Exception:  # the outermost handler: a bot that fails is asked again, and its match waits
                LOG.exception("the bot of %s cannot act", session_id)
            await asyncio.sleep(pause)
            pause = min(MAX_RETRY_S, 2 * pause)

    async def step(self, seats: Seats, session_id: str) -> bool:
        """Lets a bot act once; False when none has to."""
        turn = await seats.bot_turn(session_id)
        if turn is None:
            return False
        loop = asyncio.get_running_loop()
        began = loop.time()
        act = await self._threads.run(turn.level, partial(turn.choose, self._opponents.player(turn.rules, turn.level)))
        await asyncio.sleep(max(0.0, began + self._delay_ms / 1000 - loop.time()))
        await act()
        return True
