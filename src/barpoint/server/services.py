"""Everything that a request may need, put together once when the server starts."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from barpoint.server.bots.opponents import Opponents
from barpoint.server.domain import guests
from barpoint.server.domain.accounts import SESSION_COOKIE
from barpoint.server.domain.dice import DiceSource
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import Allowance
from barpoint.server.domain.settings import Settings
from barpoint.server.domain.web_push import PushKey, available, fresh_key
from barpoint.server.live.accounts import Accounts
from barpoint.server.live.adjournments import Adjournments
from barpoint.server.live.bots import Driver
from barpoint.server.live.chat import Chat
from barpoint.server.live.chouette_bots import ChouetteBots
from barpoint.server.live.chouettes import Chouettes
from barpoint.server.live.lobby import Lobby
from barpoint.server.live.mail import Mailer, parse_mail_server
from barpoint.server.live.matches import Clock, Matches
from barpoint.server.live.notifications import Notifier
from barpoint.server.live.presence import Presence
from barpoint.server.live.pubsub import PubSub
from barpoint.server.live.pubsub_channels import connector
from barpoint.server.live.pubsub_relay import PubSubRelay
from barpoint.server.live.push import Pusher
from barpoint.server.live.scheduler import Scheduler
from barpoint.server.live.tournaments import Tournaments
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage.store import Store
from barpoint.server.study.analyses import Analyses
from barpoint.server.study.quiz import Examiner
from barpoint.server.study.reviews import Reviews


@dataclass(frozen=True, slots=True)
class Services:
    """What a request may need. key: signs cookies. relay: None where one process is alone."""

    settings: Settings
    store: Store
    pubsub: PubSub
    matches: Matches
    adjournments: Adjournments
    opponents: Opponents
    key: bytes
    mailer: Mailer
    presence: Presence
    lobby: Lobby
    director: Tournaments
    analyst: Analyses
    chouettes: Chouettes
    pusher: Pusher
    reviews: Reviews
    accounts: Accounts
    chat: Chat
    allowance: Allowance
    examiner: Examiner = field(default_factory=Examiner)
    relay: PubSubRelay | None = None

    async def guest(self, cookies: Mapping[str, str]) -> Guest | None:
        """Who asks, by the session that he is logged in with, else by the cookie of a guest; None for somebody new."""
        secret = cookies.get(SESSION_COOKIE)
        guest_id = guests.read(self.key, cookies.get(guests.COOKIE))
        if secret is None and guest_id is None:
            return None
        now = self.matches.clock()
        return await self.store.read(lambda connection: account_storage.who(connection, secret, guest_id, now))


async def person_of(connection: HTTPConnection) -> Guest | None:
    """Who asks, looked up once for each request; None for somebody new."""
    if not hasattr(connection.state, "person"):
        connection.state.person = await service_of(connection).guest(connection.cookies)
    found: Guest | None = connection.state.person
    return found


def service_of(connection: HTTPConnection) -> Services:
    """The service that an app was started with."""
    found = connection.app.state.services
    assert isinstance(found, Services)
    return found


def address_of(connection: HTTPConnection) -> str:
    """Where a request comes from, as the reverse proxy says it where there is a trusted one."""
    return connection.client.host if connection.client else ""


def wall_clock() -> int:
    """The time in ms since 1970."""
    return time.time_ns() // 1_000_000


async def _push_key(store: Store) -> PushKey | None:
    """The key for web push, made at the first start; None where what seals messages is not installed."""
    if not available():
        return None
    fresh = fresh_key()
    return PushKey(await store.write(lambda connection: match_storage.secret(connection, "push_key", fresh)))


@asynccontextmanager
async def running(settings: Settings, dice: DiceSource, opponents: Opponents, clock: Clock) -> AsyncIterator[Services]:
    """A service with its bots and its clock at work."""
    store = await Store.open(settings.database)
    try:
        fresh = guests.new_key()
        key = await store.write(lambda connection: match_storage.secret(connection, "cookie_key", fresh))
        pubsub, allowance = PubSub(), Allowance()
        matches = Matches(store, pubsub, dice, clock, settings)
        adjournments = Adjournments(matches)
        driver = Driver(matches, opponents, settings.bot_delay_ms, settings.takeover_ms)
        sweeper = Scheduler(matches, adjournments, settings)
        mailer = Mailer(parse_mail_server(settings.mail) if settings.mail else None, settings.address)
        presence = Presence(store, clock, pubsub)
        lobby = Lobby(matches, presence)
        director = Tournaments(matches, opponents, settings.sweep_ms)
        analyst = Analyses(store, clock)
        contact = settings.address if settings.address.startswith("https://") else ""
        pusher = Pusher(store, clock, await _push_key(store), contact, settings.push_services)
        connect = connector(settings.pubsub, settings.database)
        relay = PubSubRelay(matches, connect) if connect else None
        if relay is not None:
            await relay.start()
        await sweeper.start()
        await driver.start()
        presence.start()
        lobby.start()
        notifier = Notifier(matches, mailer, pusher, presence, settings.notice_ms)
        notifier.start()
        director.start()
        chouettes = Chouettes(store, pubsub, dice, clock)
        chouette_bots = ChouetteBots(chouettes, opponents, settings)
        await chouette_bots.start()
        try:
            yield Services(
                settings,
                store,
                pubsub,
                matches,
                adjournments,
                opponents,
                bytes.fromhex(key),
                mailer,
                presence,
                lobby,
                director,
                analyst,
                chouettes,
                pusher,
                Reviews(store, clock),
                Accounts(store, matches, chouettes, allowance),
                Chat(store, pubsub, matches, allowance.words),
                allowance,
                relay=relay,
            )
        finally:
            await chouette_bots.stop()
            await analyst.stop()
            await director.stop()
            await lobby.stop()
            await notifier.stop()
            await pusher.close()
            await presence.stop()
            await mailer.close()
            await driver.stop()
            await sweeper.stop()
            if relay is not None:
                await relay.stop()
    finally:
        await store.close()
