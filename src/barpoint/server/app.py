"""The server as one ASGI application: the routes of all pages and APIs; services start and stop with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from barpoint.server.api import openapi
from barpoint.server.bots.opponents import Opponents
from barpoint.server.domain.dice import DiceSource, SeededDice
from barpoint.server.domain.settings import Settings
from barpoint.server.fibs.listener import listening
from barpoint.server.live.matches import TimeSource
from barpoint.server.services import running, wall_clock
from barpoint.server.web import (
    access_tokens,
    account,
    administration,
    analysis,
    analysis_board,
    appointments,
    auth_pages,
    automatic,
    chat,
    chouette_socket,
    chouettes,
    club_records,
    clubs,
    corrections,
    daily_positions,
    decision_text,
    dice,
    direct_challenges,
    discards,
    drills,
    engine_use,
    export,
    group_ratings,
    health,
    installation,
    invitations,
    ladders,
    language,
    learn,
    library,
    library_export,
    lobby,
    match_equities,
    match_socket,
    messages,
    news,
    openings,
    own_notes,
    own_settings,
    play,
    players,
    practice,
    profiles,
    push,
    quiz,
    real_results,
    reference,
    replay,
    reviews,
    rules,
    statistics,
    studies,
    tickets,
    tournament_entries,
    tournament_plans,
    tournament_records,
    tournament_screen,
    tournaments,
    tutor,
    vacations,
)
from barpoint.server.web.errors import HANDLERS
from barpoint.server.web.language import ChooseLanguage
from barpoint.server.web.members_only import MembersOnly
from barpoint.server.web.middleware import Compress, Guard, LimitAddress, RecognizePerson, RequestLog, SharedApi

STATIC: Final = Path(__file__).parent / "web" / "static"

PARTS: Final = (
    play,
    discards,
    direct_challenges,
    invitations,
    auth_pages,
    account,
    own_settings,
    vacations,
    administration,
    push,
    access_tokens,
    lobby,
    players,
    group_ratings,
    tickets,
    profiles,
    match_socket,
    news,
    real_results,
    appointments,
    replay,
    corrections,
    export,
    analysis,
    analysis_board,
    decision_text,
    quiz,
    tutor,
    automatic,
    reviews,
    dice,
    chat,
    messages,
    chouettes,
    chouette_socket,
    tournament_plans,
    tournament_entries,
    tournament_records,
    tournament_screen,
    tournaments,
    ladders,
    club_records,
    clubs,
    rules,
    statistics,
    studies,
    drills,
    daily_positions,
    engine_use,
    practice,
    library,
    own_notes,
    reference,
    openings,
    library_export,
    match_equities,
    learn,
    health,
    installation,
    language,
    openapi,
)
"""Modules that declare routes, next to their handlers."""


def create_app(
    settings: Settings, opponents: Opponents, *, dice: DiceSource | None = None, clock: TimeSource = wall_clock
) -> Starlette:
    """Creates the application. Tests pass dice and clock to control rolls and time."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with running(settings, dice or SeededDice(), opponents, clock) as services, AsyncExitStack() as doors:
            app.state.services = services
            if settings.fibs:
                app.state.fibs = await doors.enter_async_context(listening(services, settings.fibs))
            yield

    return Starlette(
        routes=[
            *(route for part in PARTS for route in part.ROUTES),
            Mount("/static", StaticFiles(directory=STATIC, packages=[("barpoint", "data/look")])),
        ],
        middleware=[
            Middleware(RequestLog),
            Middleware(Compress),
            Middleware(ChooseLanguage),
            Middleware(SharedApi),
            Middleware(Guard),
            Middleware(LimitAddress),
            Middleware(RecognizePerson),
            Middleware(MembersOnly),
        ],
        exception_handlers=HANDLERS,
        lifespan=lifespan,
    )
