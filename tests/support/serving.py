"""A server in a thread of the test, for external clients: browsers, and raw WebSockets."""

from __future__ import annotations

import asyncio
import faulthandler
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from starlette.applications import Starlette

from barpoint.server.app import create_app
from barpoint.server.bots.opponents import Opponents
from barpoint.server.command import config, listen
from barpoint.server.domain.dice import DiceSource
from barpoint.server.domain.settings import Settings
from barpoint.server.services import Services, wall_clock
from tests.support.machine import PATIENCE_S
from tests.support.scripted_bots import ChanceBots

T = TypeVar("T")


class _Quiet(uvicorn.Server):
    """Leaves signals to the test run and exposes its loop."""

    loop: asyncio.AbstractEventLoop

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: Any = None) -> None:
        self.loop = asyncio.get_running_loop()
        await super().startup(sockets=sockets)


@dataclass
class Served:
    """A running server. address: without a trailing slash. guests: clients to close when it stops."""

    app: Starlette
    port: int
    _server: _Quiet
    _thread: threading.Thread
    guests: ExitStack = field(default_factory=ExitStack)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def services(self) -> Services:
        found: Services = self.app.state.services
        return found

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine in the server's own loop and returns its result."""
        return asyncio.run_coroutine_threadsafe(work, self._server.loop).result(PATIENCE_S)

    def stop(self) -> None:
        """Stops it as Ctrl-C does."""
        self.guests.close()
        self._server.should_exit = True
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive(), "the server stops when it is told to"


def serve(
    folder: Path,
    *,
    port: int = 0,
    dice: DiceSource | None = None,
    opponents: Opponents | None = None,
    bot_delay_ms: int = 0,
    clock: Callable[[], int] = wall_clock,
    database: str = "",
    **settings: Any,
) -> Served:
    """Starts a server on the SQLite file of a folder, or on another database; port 0 chooses any.

    Matches are not analysed by themselves, unless settings say so.
    """
    address = database or f"sqlite:///{folder / 'served.sqlite3'}"
    told = Settings(address, bot_delay_ms=bot_delay_ms, **{"analyse_ended": "off", **settings})
    app = create_app(told, opponents or ChanceBots(), dice=dice, clock=clock)
    listener = listen("127.0.0.1", port)
    server = _Quiet(config(app))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    end = time.monotonic() + PATIENCE_S
    while not server.started:
        thread.join(0.01)
        assert thread.is_alive(), "the server has started"
        if time.monotonic() > end:
            faulthandler.dump_traceback()
            raise AssertionError("the server starts; what its threads wait for stands in the captured output")
    return Served(app, listener.getsockname()[1], server, thread)
