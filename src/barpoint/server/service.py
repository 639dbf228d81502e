"""Everything that a request may need, put together once when the server starts."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from barpoint.server import archive, guest
from barpoint.server.bus import Bus
from barpoint.server.guest import Guest
from barpoint.server.hall import Clock, Hall
from barpoint.server.limit import Credits
from barpoint.server.opponent import Driver, Opponents
from barpoint.server.setting import Setting
from barpoint.server.store import Store
from barpoint.server.sweep import Sweeper
from barpoint.server.throw import DiceSource


@dataclass(frozen=True, slots=True)
class Service:
    """What a request may need. key: signs cookies."""

    setting: Setting
    store: Store
    bus: Bus
    hall: Hall
    opponents: Opponents
    key: bytes
    creations: Credits = field(default_factory=lambda: Credits(40, 0.5, time.monotonic))

    def guest_id(self, cookies: Mapping[str, str]) -> str | None:
        """Who asks, by his cookie; None for somebody new."""
        return guest.read(self.key, cookies.get(guest.COOKIE))

    async def guest(self, cookies: Mapping[str, str]) -> Guest | None:
        """Who asks, with his name."""
        guest_id = self.guest_id(cookies)
        if guest_id is None:
            return None
        return await self.store.read(lambda connection: archive.get_guest(connection, guest_id))

    async def new_guest(self) -> Guest:
        """Somebody new."""
        made, now = guest.new_guest(), self.hall.clock()
        await self.store.write(lambda connection: archive.put_guest(connection, made, now))
        return made


def service_of(connection: HTTPConnection) -> Service:
    """The service that an app was started with."""
    found = connection.app.state.service
    assert isinstance(found, Service)
    return found


def wall_clock() -> int:
    """The time in ms since 1970."""
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def running(setting: Setting, dice: DiceSource, opponents: Opponents, clock: Clock) -> AsyncIterator[Service]:
    """A service with its bots and its clock at work."""
    store = await Store.open(setting.database)
    try:
        fresh = guest.new_key()
        key = await store.write(lambda connection: archive.secret(connection, "cookie_key", fresh))
        bus = Bus()
        hall = Hall(store, bus, dice, clock, setting)
        driver = Driver(hall, opponents, setting.bot_delay_ms)
        sweeper = Sweeper(hall, setting)
        await sweeper.start()
        await driver.start()
        try:
            yield Service(setting, store, bus, hall, opponents, bytes.fromhex(key))
        finally:
            await driver.stop()
            await sweeper.stop()
    finally:
        await store.close()
