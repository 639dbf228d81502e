"""Asks the engine about positions, in processes beside the server: one for quick answers, one for those that take long.

The same question is computed once: answers are kept in memory, the dear ones in the database too.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Final

import msgspec

from barpoint.analysis.adviser import LAST, AnswerKind, NoAnswer, PositionQuestion
from barpoint.analysis.inquiry import Inquiry
from barpoint.error import BarpointError, StoreError
from barpoint.record import format_position
from barpoint.rules import Rules
from barpoint.server.child_process import EngineProcess, EngineProcessFailed, command_of
from barpoint.server.live.matches import TimeSource
from barpoint.server.storage import position_answers as answer_storage
from barpoint.server.storage.position_answers import AnswerKey
from barpoint.server.storage.store import Store
from barpoint.server.study.nets import AnalysisRefused, required_net

LOG: Final = logging.getLogger("barpoint.server")

QUICK_PLIES: Final[dict[AnswerKind, int]] = {"position": 2, "rolls": 1, "plays": 2, "matrix": 0}
"""Up to these depths an answer is quick: some hundredths of a second; for all plays of an opening 0.3 s."""

MAX_PLIES: Final[dict[AnswerKind, int]] = {"position": 3, "rolls": 2, "plays": 2, "matrix": 2}
"""The greatest depths on offer; `MAX_PLIES_OF_ACCOUNTS` for people with an account."""

MAX_PLIES_OF_ACCOUNTS: Final[dict[AnswerKind, int]] = {"position": 4, "rolls": 2, "plays": 2, "matrix": 2}

KEPT_PLIES: Final[dict[AnswerKind, int]] = {"position": 3, "rolls": 2, "plays": 3, "matrix": 2}
"""From these depths answers are kept in the database: reading them costs less than computing them."""

MAX_WAITING: Final = 24
"""Questions that may wait for each process."""

MAX_KEPT: Final = 2000
"""Answers kept in memory; some 8 kB each."""

PATIENCE_S: Final = {True: 30.0, False: 90.0}
"""How long a quick answer may take, and another one."""

WARM: Final = msgspec.json.encode(
    PositionQuestion("position", Inquiry("backgammon", format_position(Rules().start)))
).decode()
"""A question whose answer nobody reads: it loads the net."""

MODULE: Final = "barpoint.analysis.adviser"


class Advisers:
    """The engine's answers about positions."""

    def __init__(self, store: Store, clock: TimeSource) -> None:
        self._store, self._clock = store, clock
        self._processes = {quick: EngineProcess("adviser", command_of(MODULE)) for quick in (True, False)}
        # Threads of their own: those that wait for an answer must not keep others from working.
        self._threads = {quick: ThreadPoolExecutor(1, "adviser") for quick in (True, False)}
        self._waiting = dict.fromkeys((True, False), 0)
        self._kept: OrderedDict[AnswerKey, bytes] = OrderedDict()
        self._running: dict[AnswerKey, asyncio.Task[bytes]] = {}

    def close(self) -> None:
        """Ends the processes; the next question would start them again."""
        for quick, process in self._processes.items():
            self._threads[quick].shutdown(wait=False, cancel_futures=True)
            process.close()

    def warm(self) -> None:
        """Starts the process for quick answers, so that it is ready when the first question comes."""
        process = self._processes[True]
        if process.pid is None:
            self._threads[True].submit(process.ask, [WARM], LAST.__eq__, PATIENCE_S[True])

    async def answer(self, kind: AnswerKind, inquiry: Inquiry, plies: int, *, registered: bool) -> bytes:
        """The answer as JSON; AnalysisRefused says why there is none.

        registered: the person who asks has an account.
        """
        most = (MAX_PLIES_OF_ACCOUNTS if registered else MAX_PLIES)[kind]
        if not 0 <= plies <= most:
            raise AnalysisRefused("%(plies)s plies; allowed here: 0 to %(most)s", 422, plies=plies, most=most)
        key = AnswerKey(inquiry.digest, kind, required_net(inquiry.rules), plies)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        task = self._running.get(key)
        if task is None:
            quick = plies <= QUICK_PLIES[kind]
            if self._waiting[quick] >= MAX_WAITING:
                raise AnalysisRefused("too many questions are waiting; try again in a moment", 429)
            task = asyncio.create_task(self._find(key, PositionQuestion(kind, inquiry, plies), quick))
            self._running[key] = task
            task.add_done_callback(partial(self._done, key))
        return await asyncio.shield(task)

    async def known(self, inquiry: Inquiry) -> bytes | None:
        """The deepest answer about a position that is kept, whoever asked for it; None where there is none.

        AnalysisRefused where no net can judge it.
        """
        net = required_net(inquiry.rules)
        for plies in range(MAX_PLIES_OF_ACCOUNTS["position"], KEPT_PLIES["position"] - 1, -1):
            key = AnswerKey(inquiry.digest, "position", net, plies)
            found = self._kept.get(key) or await self._store.read(answer_storage.answer, key)
            if found is not None:
                return found
        return None

    def _done(self, key: AnswerKey, task: asyncio.Task[bytes]) -> None:
        """Forgets a question that is answered; whoever asked may be gone, so that nobody else looks at its error."""
        self._running.pop(key, None)
        if not task.cancelled():
            task.exception()

    async def _find(self, key: AnswerKey, question: PositionQuestion, quick: bool) -> bytes:
        """The answer from the database or else from a process."""
        dear = question.plies >= KEPT_PLIES[question.kind]
        found = await self._store.read(answer_storage.answer, key) if dear else None
        if found is None:
            found = await self._ask(question, quick)
            if dear:
                with suppress(StoreError):  # the answer is good without it
                    await self._store.write(answer_storage.put, key, found, self._clock())
        self._kept[key] = found
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return found

    async def _ask(self, question: PositionQuestion, quick: bool) -> bytes:
        line = msgspec.json.encode(question).decode()
        patience_s = PATIENCE_S[quick]
        self._waiting[quick] += 1
        try:
            ask = partial(self._processes[quick].ask, [line], LAST.__eq__, patience_s)
            said = await asyncio.get_running_loop().run_in_executor(self._threads[quick], ask)
        except EngineProcessFailed as error:
            LOG.warning("adviser: %s", error)
            raise AnalysisRefused("this cannot be judged now; try again in a moment", 503) from None
        finally:
            self._waiting[quick] -= 1
        if not said:
            raise BarpointError("the adviser said nothing")
        if said[0].startswith('{"refused"'):
            raise AnalysisRefused(msgspec.json.decode(said[0], type=NoAnswer).refused, 422)
        return said[0].encode()
