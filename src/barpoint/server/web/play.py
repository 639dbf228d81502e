"""Pages of a match: play now, invitation, the match itself, and error messages."""

from __future__ import annotations

import logging
import secrets
from dataclasses import replace
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.draw import svg
from barpoint.error import FormatError, UnknownVariant, VariantsClash
from barpoint.rules import Rules
from barpoint.server.bots.opponents import OURS, LevelShown, find_level
from barpoint.server.domain import guests
from barpoint.server.domain.agreement_form import describe_agreement, read_agreement
from barpoint.server.domain.agreements import clock_choices
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import MAX_GUEST_NAME, MAX_POINTS
from barpoint.server.domain.matches import MatchHeader, SeatKind
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.chat import other_player
from barpoint.server.live.matches import real_board_seats, seat_for
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.web.chat import SAID
from barpoint.server.web.match_summary import match_summary
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import back_from, fields_of, form_of, go, may_create, with_guest
from barpoint.server.web.variants import Card, card_of, choices, name_from
from barpoint.variants import variant

LOG: Final = logging.getLogger("barpoint.server")

SAVED_SHOWN: Final = 6
"""Unfinished matches on the home page."""


async def play_page(request: Request, problem: str = "", status: int = 200) -> Response:
    """The form to choose a game and play."""
    services, rules = service_of(request), Rules()
    person = await person_of(request)
    asked = request.query_params.get("opponent", "bot")
    saved = await services.store.read(lobby_storage.matches_unfinished, person.id, SAVED_SHOWN) if person else []
    levels = services.opponents.levels
    return render(
        request,
        "play.html",
        status,
        choices=choices(rules),
        card=_card(services, rules),
        levels=levels,
        level=_preferred(levels, request.query_params.get("level")),
        lengths=range(1, MAX_POINTS + 1),
        time_controls=clock_choices(),
        tickets=await services.store.read(result_storage.tickets_of, person.id) if person and person.registered else 0,
        person=person,
        saved=[match_summary(going, person.id if person else None) for going in saved],
        problem=problem,
        asked=asked if asked in ("friend", "lobby") else "bot",
    )


def _preferred(levels: tuple[LevelShown, ...], asked: str | None) -> LevelShown | None:
    """The preselected level: the requested one, else a middle level of our own bots."""
    own = [level for level in levels if level.engine == OURS] or list(levels)
    return next((level for level in levels if level.name == asked), own[len(own) // 2] if own else None)


async def card(request: Request) -> Response:
    """A description of the chosen variants: a part of the home page."""
    try:
        rules = variant(name_from(request.query_params.multi_items()))
    except (UnknownVariant, VariantsClash) as error:
        return render(request, "problem.html", 422, problem=str(error))
    return render(request, "card.html", card=_card(service_of(request), rules))


async def picture(request: Request) -> Response:
    """A picture of a game's starting position."""
    try:
        rules = variant(request.query_params.get("variant", "backgammon"))
    except (UnknownVariant, VariantsClash):
        raise HTTPException(404) from None
    tokens = (1, 1) if rules.rerolls.tokens else None
    drawn = svg(rules.start, meeting=rules.movement.meeting, tokens=tokens, theme="walnut")
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


async def create_match(request: Request) -> Response:
    """Creates the match of a form and redirects to it."""
    services = service_of(request)
    if not may_create(request):
        return await play_page(request, "Too many matches at once; try again in a minute.", 429)
    fields = await fields_of(request)
    person = await person_of(request)
    try:
        name = name_from(fields)
        opponent = dict(fields).get("opponent", "bot")
        member = person is not None and person.registered and opponent in ("friend", "lobby")
        agreement = read_agreement({**dict(fields), "variant": name}, registered=member)
        have = await services.store.read(result_storage.tickets_of, person.id) if person else 0
        if person and agreement.fee > have:
            raise FormatError(f"entry fee: {agreement.fee} tickets; you have {have}")
        people = _people(dict(fields))
        level = None if people else _level(services, agreement.rules, dict(fields))
        if opponent == "lobby":
            person = person or await services.accounts.new_guest()
            await services.lobby.challenge(person, agreement)
            return with_guest(request, person, go("/lobby"))
    except (FormatError, UnknownVariant, VariantsClash, Conflict) as error:
        return await play_page(request, str(error), 422)
    person = person or await services.accounts.new_guest()
    if people:
        agreement = replace(agreement, terms=msgspec.structs.replace(agreement.terms, manual=True))
        seats = real_board_seats(person, people)
    elif level is None:
        token = secrets.token_urlsafe(12)
        seats = (seat_for(person), seat_for(None, name="A friend", invitation=token))
    else:
        seats = (seat_for(person), seat_for(None, name=level.bot, level=level.name))
    header = await services.matches.make(agreement, seats, players_seed=True)
    return with_guest(request, person, go(f"/match/{header.id}"))


def _people(fields: dict[str, str]) -> tuple[str, str] | None:
    """The names of two people at a real board, to record their match; None for a match played here."""
    if fields.get("opponent") != "board":
        return None
    first, second = (guests.clean_name(fields.get(f"player{seat}", "")) or f"Player {seat}" for seat in (1, 2))
    return first, second if second != first else f"{second[: MAX_GUEST_NAME - 2]} 2"


def _level(services: Services, rules: Rules, fields: dict[str, str]) -> LevelShown | None:
    """The requested bot level, None for a person; FormatError."""
    opponent = fields.get("opponent", "bot")
    if opponent in ("friend", "lobby"):
        return None
    if opponent != "bot":
        raise FormatError(f"opponent: {opponent[:20]!r}; allowed: bot, friend, lobby or board")
    return find_level(services.opponents, rules, fields.get("level"))


async def match_page(request: Request) -> Response:
    """The board of a match, for players and watchers."""
    services = service_of(request)
    header = (await services.matches.live_match(request.path_params["match_id"])).header
    person = await person_of(request)
    seat = header.seat_of(person.id if person else None)
    base = str(request.base_url).rstrip("/")
    invitation = next((seat.invitation for seat in header.seats if seat.kind is SeatKind.OPEN), None)
    other = other_player(header, person)
    tournament = await services.store.read(tournament_storage.tournament_of, header.id)
    return render(
        request,
        "match.html",
        header=header,
        title=variant_title(header.rules),
        terms=describe_agreement(header.agreement),
        rules_name=header.rules.name.partition("(")[0].partition("+")[0],
        seat=seat,
        person=person,
        invitation=f"{base}/join/{invitation}" if invitation and seat is not None else "",
        watch=f"{base}/match/{header.id}",
        talked=all(one.kind in (SeatKind.GUEST, SeatKind.OPEN) for one in header.seats),
        other=other,
        tournament=tournament,
        blocked=await _has_blocked(services, person, other),
        said=SAID.get(request.query_params.get("said", ""), ""),
    )


async def _has_blocked(services: Services, person: Guest | None, other: str | None) -> bool:
    if person is None or other is None:
        return False
    blocked = await services.store.read(lobby_storage.blocked_by, person.id)
    return any(one.id == other for one in blocked)


async def join_page(request: Request) -> Response:
    """The page that a friend sees after following an invitation."""
    services, person = service_of(request), await person_of(request)
    header = await _invitation(request)
    if header.complete or header.seat_of(person.id if person else None) is not None:
        return go(f"/match/{header.id}")
    host = next(seat.name for seat in header.seats if seat.kind is not SeatKind.OPEN)
    return render(
        request,
        "join.html",
        host=host,
        card=_card(services, header.rules),
        terms=describe_agreement(header.agreement),
        barred=_is_barred(header, person),
    )


async def _invitation(request: Request) -> MatchHeader:
    """The match of an invitation; 404 if there is none."""
    services = service_of(request)
    match_id = await services.store.read(match_storage.find_invitation, request.path_params["token"])
    if match_id is None:
        raise HTTPException(404)
    return (await services.matches.live_match(match_id)).header


def _is_barred(header: MatchHeader, person: Guest | None) -> bool:
    """Whether the match requires an account that this person lacks."""
    return header.agreement.needs_account and not (person and person.registered)


async def join(request: Request) -> Response:
    """Takes the open seat of an invitation."""
    services, token = service_of(request), request.path_params["token"]
    header = await _invitation(request)
    if not may_create(request):
        raise HTTPException(429)
    if _is_barred(header, await person_of(request)):
        return go(f"/login?back=/join/{token}")
    person = await person_of(request) or await services.accounts.new_guest()
    if header.seat_of(person.id) is None:
        try:
            await services.matches.join(token, person)
        except Conflict:
            LOG.info("a seat of match %s is taken", header.id)  # the board shows who sits there; the guest may watch
    return with_guest(request, person, go(f"/match/{header.id}"))


async def rematch(request: Request) -> Response:
    """Starts another match on the same terms."""
    services = service_of(request)
    match_id = request.path_params["match_id"]
    person = await person_of(request)
    if person is not None and (await services.matches.live_match(match_id)).match.over:
        match_id = await services.matches.rematch(match_id, person, players_seed=True)
    return go(f"/match/{match_id}")


async def rename(request: Request) -> Response:
    """Gives a guest the name they want."""
    services = service_of(request)
    if not may_create(request):
        raise HTTPException(429)
    form = await form_of(request)
    person = await person_of(request) or await services.accounts.new_guest()
    name = guests.clean_name(form.get("name", "")) or person.name
    other = name != person.name and not person.registered
    if other and not await services.store.read(account_storage.looks_registered, name):  # an account keeps its name
        person = Guest(person.id, name)
        await services.store.write(guest_storage.rename_guest, person)
        services.pubsub.renamed(person.id)
    return with_guest(request, person, go(back_from(form.get("back", "/"))))


def _card(services: Services, rules: Rules) -> Card:
    return card_of(rules, tuple(level.name for level in services.opponents.levels_for(rules)))


ROUTES: Final = (
    Route("/", play_page),
    Route("/card", card),
    Route("/picture", picture),
    Route("/match", create_match, methods=["POST"]),
    Route("/match/{match_id}", match_page),
    Route("/match/{match_id}/rematch", rematch, methods=["POST"]),
    Route("/join/{token}", join_page),
    Route("/join/{token}", join, methods=["POST"]),
    Route("/name", rename, methods=["POST"]),
)
