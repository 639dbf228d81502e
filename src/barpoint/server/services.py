"""Everything that a request may need, assembled when the server starts."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from starlette.requests import HTTPConnection

from barpoint.server.bots.opponents import Opponents
from barpoint.server.domain import guests
from barpoint.server.domain.accounts import SESSION_COOKIE
from barpoint.server.domain.dice import DiceSource
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import Allowance, counted_as
from barpoint.server.domain.settings import Settings
from barpoint.server.domain.web_push import PushKey, available, fresh_key
from barpoint.server.live.accounts import Accounts
from barpoint.server.live.adjournments import Adjournments
from barpoint.server.live.appointments import LOOK_S as REMINDERS_S
from barpoint.server.live.appointments import Reminders
from barpoint.server.live.bots import BotRunner
from barpoint.server.live.chat import Chat
from barpoint.server.live.chouettes import Chouettes
from barpoint.server.live.clubs import Clubs
from barpoint.server.live.deadlines import UNJOINED_S, Deadlines
from barpoint.server.live.discards import FORGOTTEN_S, discard_forgotten
from barpoint.server.live.ladders import Ladders
from barpoint.server.live.lobby import PAIRING_S, Lobby
from barpoint.server.live.mail import Mailer, parse_mail_server
from barpoint.server.live.matches import Matches, TimeSource
from barpoint.server.live.notifications import Notifier
from barpoint.server.live.own_games import keep_games, told_to_processes
from barpoint.server.live.presence import NOTE_S, Presence
from barpoint.server.live.pubsub import PubSub
from barpoint.server.live.pubsub_channels import connector
from barpoint.server.live.push import Pusher
from barpoint.server.live.real_results import RealResults
from barpoint.server.live.scheduler import Scheduler
from barpoint.server.live.seat_presence import SeatPresence
from barpoint.server.live.shared_pubsub import SharedPubSub
from barpoint.server.live.tournaments import Tournaments
from barpoint.server.live.vacations import LOOK_S as VACATIONS_S
from barpoint.server.live.vacations import Vacations
from barpoint.server.storage import access_tokens as token_storage
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage.store import Store
from barpoint.server.study.advisers import Advisers
from barpoint.server.study.analyses import DEPTHS_AT_END, Analyses
from barpoint.server.study.corrections import Corrections
from barpoint.server.study.costly_pages import CostlyPages
from barpoint.server.study.daily_positions import DailyPositions
from barpoint.server.study.deepenings import Deepenings
from barpoint.server.study.drills import Drills
from barpoint.server.study.jobs import Jobs
from barpoint.server.study.library import Library
from barpoint.server.study.link_pictures import LinkPictures
from barpoint.server.study.practice import Practice
from barpoint.server.study.quiz import Examiner
from barpoint.server.study.reviews import DROP_S, Reviews
from barpoint.server.study.rollouts import Rollouts
from barpoint.server.study.statistics import AnalysedMatches
from barpoint.server.study.studies import Studies
from barpoint.server.study.tutor import Tutor
from barpoint.server.study.uploads import LOOK_S, Uploads
from barpoint.server.study.workers import Workers


@dataclass(frozen=True, slots=True)
class Services:
    """What a request may need. key: signs cookies. shared_pubsub: None if there is only one process."""

    settings: Settings
    store: Store
    pubsub: PubSub
    matches: Matches
    adjournments: Adjournments
    deadlines: Deadlines
    opponents: Opponents
    key: bytes
    mailer: Mailer
    presence: Presence
    seat_presence: SeatPresence
    lobby: Lobby
    tournaments: Tournaments
    clubs: Clubs
    ladders: Ladders
    real_results: RealResults
    vacations: Vacations
    analyses: Analyses
    deepenings: Deepenings
    analysed_matches: AnalysedMatches
    advisers: Advisers
    rollouts: Rollouts
    workers: Workers
    chouettes: Chouettes
    pusher: Pusher
    reviews: Reviews
    corrections: Corrections
    uploads: Uploads
    practice: Practice
    library: Library
    studies: Studies
    drills: Drills
    daily_positions: DailyPositions
    tutor: Tutor
    accounts: Accounts
    chat: Chat
    allowance: Allowance
    costly_pages: CostlyPages
    link_pictures: LinkPictures
    examiner: Examiner = field(default_factory=Examiner)
    shared_pubsub: SharedPubSub | None = None

    async def guest(self, cookies: Mapping[str, str]) -> Guest | None:
        """Who sends the request, by the session or else by the guest cookie; None for somebody new."""
        return (await self.guest_until(cookies))[0]

    async def owner_of(self, secret: str | None) -> tuple[Guest, frozenset[str]] | None:
        """Whose token this is, and its scopes; None without one, or for an unknown one. StoreError."""
        if not secret or not secret.isascii():
            return None
        return await self.store.read(token_storage.find_token, secret)

    async def guest_until(self, cookies: Mapping[str, str]) -> tuple[Guest | None, int | None, str | None]:
        """The same, when their session ends, and the settings of their account as JSON, "null" for none; None without a session."""
        secret = cookies.get(SESSION_COOKIE)
        guest_id = guests.read(self.key, cookies.get(guests.COOKIE))
        if secret is None and guest_id is None:
            return None, None, None
        now = self.matches.clock()
        return await self.store.read(account_storage.who_until, secret, guest_id, now)


async def person_of(connection: HTTPConnection) -> Guest | None:
    """Who sends the request, looked up once per request; None for somebody new."""
    if not hasattr(connection.state, "person"):
        state, found = connection.state, await service_of(connection).guest_until(connection.cookies)
        state.person, state.session_end, state.own_settings = found
    person: Guest | None = connection.state.person
    return person


def service_of(connection: HTTPConnection) -> Services:
    """The services that the app was started with."""
    found = connection.app.state.services
    assert isinstance(found, Services)
    return found


def address_of(connection: HTTPConnection) -> str:
    """What limits count a request by: its address, as a trusted reverse proxy reports it if there is one."""
    return counted_as(connection.client.host) if connection.client else ""


def token_in(connection: HTTPConnection) -> str | None:
    """The access token that a request carries; None where it has none, or the password that a proxy asks for."""
    kind, _space, secret = connection.headers.get("authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else None


async def owner_of_token(connection: HTTPConnection) -> tuple[Guest, frozenset[str]] | None:
    """Whose token a request carries, and its scopes; None without a token, or with an unknown one. StoreError."""
    return await service_of(connection).owner_of(token_in(connection))


def wall_clock() -> int:
    """The time in ms since 1970."""
    return time.time_ns() // 1_000_000


async def _pusher(store: Store, clock: TimeSource, settings: Settings) -> Pusher:
    """Web push, with the key made at the first start; without one if the encryption library is not installed."""
    key = PushKey(await store.write(match_storage.secret, "push_key", fresh_key())) if available() else None
    contact = settings.address if settings.address.startswith("https://") else ""
    return Pusher(store, clock, key, contact, settings.push_services)


def _counted_workers(store: Store, clock: TimeSource, settings: Settings) -> Workers:
    """The workers of this process, with their metric."""
    workers = Workers(store, clock, settings.workers)
    store.metrics.watch(
        "barpoint_jobs_running", "Analyses and rollouts that run in this process.", lambda: len(workers)
    )
    return workers


def _analyse_unasked(matches: Matches, reviews: Reviews, analyses: Analyses, settings: Settings) -> None:
    """Has matches analysed when they end or are brought as files, as deep as the settings say."""
    depths = DEPTHS_AT_END[settings.analyse_ended]
    matches.at_end.append(partial(analyses.ask_at_end, depths))
    reviews.at_import.append(partial(analyses.ask_at_import, depths))


@asynccontextmanager
async def running(
    settings: Settings, dice: DiceSource, opponents: Opponents, clock: TimeSource
) -> AsyncIterator[Services]:
    """Starts and stops the services of a server, in opposite orders, also if one of them fails to start."""
    async with AsyncExitStack() as stack:
        store = await Store.open(settings.database)
        stack.push_async_callback(store.close)
        stack.enter_context(told_to_processes(await keep_games(store, clock())))
        services = await _assembled(settings, store, dice, opponents, clock)
        matches, chouettes, pusher = services.matches, services.chouettes, services.pusher
        if services.shared_pubsub is not None:
            stack.push_async_callback(services.shared_pubsub.stop)
            services.shared_pubsub.start()
        stack.push_async_callback(services.mailer.close)
        stack.push_async_callback(pusher.close)
        stack.callback(services.lobby.close)
        stack.callback(services.advisers.close)
        stack.push_async_callback(services.workers.stop)
        stack.push_async_callback(services.uploads.stop)
        services.workers.start(services.analyses, services.deepenings, services.rollouts)
        deadlines = services.deadlines
        await deadlines.start()
        bots = BotRunner((matches, chouettes), opponents, settings.bot_delay_ms, settings.takeover_ms)
        stack.push_async_callback(bots.stop)
        await bots.start()
        scheduler = Scheduler()
        stack.push_async_callback(scheduler.stop)
        look_s, takeover_s = settings.scheduler_ms / 1000, settings.takeover_ms / 3000
        scheduler.every(look_s, deadlines.expire, "deadlines of matches")
        scheduler.every(look_s, chouettes.expire_due, "deadlines of chouettes")
        scheduler.every(look_s, services.tournaments.look, "tournaments")
        scheduler.every(look_s, services.ladders.look, "ladders")
        scheduler.every(VACATIONS_S, services.vacations.look, "vacations")
        scheduler.every(settings.heartbeat_ms / 1000, deadlines.beat, "heartbeat")
        scheduler.every(UNJOINED_S, deadlines.call_off_unjoined, "matches nobody joined")
        scheduler.every(takeover_s, bots.take_over, "bots of other processes")
        scheduler.every(takeover_s, chouettes.close_forgotten, "forgotten chouettes")
        scheduler.every(FORGOTTEN_S, partial(discard_forgotten, matches), "forgotten matches")
        scheduler.every(DROP_S, services.reviews.drop_of_guests, "old imports of guests")
        scheduler.every(PAIRING_S, services.lobby.pair_waiting, "pairing")
        scheduler.every(NOTE_S, services.presence.note, "presence", wake=services.presence.arrived)
        scheduler.every(LOOK_S, services.uploads.look, "uploads")
        scheduler.every(NOTE_S, services.seat_presence.repeat, "presence at matches")
        scheduler.every(REMINDERS_S, Reminders(matches).look, "times to play")
        notifier = Notifier(matches, services.mailer, pusher, services.presence, settings.notice_ms)
        if notifier.works:
            scheduler.every(notifier.pause_s, notifier.look, "notifications")
        yield services


async def _assembled(
    settings: Settings, store: Store, dice: DiceSource, opponents: Opponents, clock: TimeSource
) -> Services:
    """Assembles the services of a server without starting them."""
    key = bytes.fromhex(await store.write(match_storage.secret, "cookie_key", guests.new_key()))
    pubsub, allowance = PubSub(), Allowance()
    matches, chouettes = Matches(store, pubsub, dice, clock, settings), Chouettes(store, pubsub, dice, clock)
    clubs = Clubs(store, clock)
    presence, seat_presence = Presence(store, clock, pubsub), SeatPresence(pubsub, clock)
    pusher, connect = await _pusher(store, clock, settings), connector(settings.pubsub, settings.database)
    workers = _counted_workers(store, clock, settings)
    jobs = Jobs(store, clock, workers)
    analyses, analysed = Analyses(store, clock, jobs), AnalysedMatches(store)
    reviews, advisers = Reviews(store, clock), Advisers(store, clock)
    _analyse_unasked(matches, reviews, analyses, settings)
    drills = Drills(store, clock, advisers, key)
    adjournments = Adjournments(matches, seat_presence)
    return Services(
        settings=settings,
        store=store,
        pubsub=pubsub,
        matches=matches,
        adjournments=adjournments,
        deadlines=Deadlines(matches, adjournments, settings),
        opponents=opponents,
        key=key,
        mailer=Mailer(parse_mail_server(settings.mail) if settings.mail else None, settings.address),
        presence=presence,
        seat_presence=seat_presence,
        lobby=Lobby(matches, presence),
        tournaments=Tournaments(matches, opponents, pusher=pusher),
        clubs=clubs,
        ladders=Ladders(matches, clubs),
        real_results=RealResults(matches),
        vacations=Vacations(matches),
        analyses=analyses,
        deepenings=Deepenings(store, clock, jobs),
        analysed_matches=analysed,
        advisers=advisers,
        rollouts=Rollouts(store, clock, jobs),
        workers=workers,
        chouettes=chouettes,
        pusher=pusher,
        reviews=reviews,
        corrections=Corrections(matches, reviews, analyses),
        uploads=Uploads(store, clock, reviews),
        practice=Practice(store, clock, advisers, analyses, matches, reviews, analysed),
        library=Library(store, analysed),
        studies=Studies(store, clock, advisers),
        drills=drills,
        daily_positions=DailyPositions(store, clock, drills),
        tutor=Tutor(advisers),
        accounts=Accounts(store, matches, allowance),
        chat=Chat(store, pubsub, matches, allowance.chat),
        allowance=allowance,
        costly_pages=CostlyPages(allowance.pages),
        link_pictures=LinkPictures(allowance.pages),
        shared_pubsub=SharedPubSub(pubsub, store.metrics, connect) if connect else None,
    )
