"""Who looks after chouettes: bots act, who is out of time is told so, and tables that people have left or forgotten are closed.

As with matches, all of it goes through the same door as what people do, and two processes that look after the same table
do nothing twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from barpoint.chouette.agent import decide
from barpoint.error import IllegalEvent, StoreError, UnsupportedRules
from barpoint.server.bots.opponents import Opponents
from barpoint.server.child_process import EngineProcessFailed
from barpoint.server.domain.settings import Settings
from barpoint.server.live.bots import MAX_RETRY_S, RETRY_S, Minds
from barpoint.server.live.chouettes import FORGOTTEN_MS, Chouettes
from barpoint.server.live.matches import StaleCommand
from barpoint.server.storage import chouettes as chouette_storage

LOG: Final = logging.getLogger("barpoint.server")


class ChouetteBots:
    """Looks after the tables of a chouettes."""

    def __init__(self, chouettes: Chouettes, opponents: Opponents, settings: Settings) -> None:
        self._chouettes, self._opponents, self._settings = chouettes, opponents, settings
        self._minds = Minds(opponents, "chouette")
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._watches: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Takes up every table that waits, and looks again from time to time."""
        self._chouettes.wakened = self._wake
        await self._take_up(0)
        self._watches = [
            asyncio.create_task(self._every(self._settings.sweep_ms, self._sweep), name="tables: time"),
            asyncio.create_task(self._every(self._settings.takeover_ms / 3, self._look), name="tables: bots"),
        ]

    async def stop(self) -> None:
        """Stops in mid-thought; what was not written is thought of again after the next start."""
        self._chouettes.wakened = lambda _: None
        tasks = [*self._watches, *self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._minds.stop()
        self._chouettes.close()

    async def _every(self, pause_ms: float, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(pause_ms / 1000)
            try:
                await work()
            except StoreError as error:
                LOG.warning("tables are not looked after: %s", error)
            except Exception:  # the outermost handler: what fails now is looked at again
                LOG.exception("tables are not looked after")

    async def _sweep(self) -> None:
        now = self._chouettes.clock()
        for table_id in await self._chouettes.store.read(lambda connection: chouette_storage.due(connection, now)):
            await self._chouettes.expire(table_id)

    async def _look(self) -> None:
        await self._take_up(self._settings.takeover_ms)
        since = self._chouettes.clock() - FORGOTTEN_MS
        for table_id in await self._chouettes.store.read(
            lambda connection: chouette_storage.forgotten(connection, since)
        ):
            await self._chouettes.closes(table_id)

    async def _take_up(self, idle_ms: int) -> None:
        since = self._chouettes.clock() - idle_ms
        for table_id in await self._chouettes.store.read(lambda c: chouette_storage.quiet_since(c, since)):
            self._wake(table_id)

    def _wake(self, table_id: str) -> None:
        if table_id in self._tasks:
            self._again.add(table_id)
            return
        task = asyncio.create_task(self._drive(table_id), name=f"table {table_id}")
        self._tasks[table_id] = task
        task.add_done_callback(lambda _: self._ended(table_id))

    def _ended(self, table_id: str) -> None:
        self._tasks.pop(table_id, None)
        if table_id in self._again:
            self._again.discard(table_id)
            self._wake(table_id)

    async def _drive(self, table_id: str) -> None:
        pause = RETRY_S
        while True:
            self._again.discard(table_id)
            try:
                if not await self._step(table_id):
                    return
                pause = RETRY_S
            except StaleCommand:
                continue
            except (
                EngineProcessFailed,
                UnsupportedRules,
            ) as error:  # an engine beside this program: it is started again
                LOG.warning("the bot of table %s cannot act: %s", table_id, error)
                await asyncio.sleep(pause)
                pause = min(MAX_RETRY_S, 2 * pause)
            except Exception:  # the outermost handler: a bot that fails is asked again, and its table waits
                LOG.exception("the bot of table %s cannot act", table_id)
                await asyncio.sleep(pause)
                pause = min(MAX_RETRY_S, 2 * pause)

    async def _step(self, table_id: str) -> bool:
        """Lets a bot act once; False when none has to."""
        live_chouette = await self._chouettes.live_chouette(table_id)
        table, seq = live_chouette.table, live_chouette.seq
        if await self._chouettes.closes(table_id) or not table.playing:
            return False
        bots = {place.player: place.level for place in live_chouette.places if place.level is not None}
        player = next((one for one in table.waits_for if one in bots), None)
        if player is None:
            return False
        loop = asyncio.get_running_loop()
        began = loop.time()
        level = bots[player] or ""
        chooser = self._opponents.player(table.rules, level)
        event = await self._minds.ask(level, partial(decide, table, player, chooser))
        await asyncio.sleep(max(0.0, began + self._settings.bot_delay_ms / 1000 - loop.time()))
        try:
            await self._chouettes.act(table_id, player, f"bot-{seq + 1}", seq, event)
        except IllegalEvent:
            if (await self._chouettes.live_chouette(table_id)).seq == seq:
                raise
        return True  # also where somebody else has acted meanwhile
