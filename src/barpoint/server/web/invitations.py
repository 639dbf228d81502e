"""Invitations of friends: the page behind the link, its QR code, taking the seat, and withdrawing the invitation."""

from __future__ import annotations

import logging
from typing import Final

from msgspec import structs
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.language import _
from barpoint.match import Match
from barpoint.server.domain.agreement_form import describe_agreement
from barpoint.server.domain.analysis_board import BoardAddress, BoardSetup, query_of, setup_from_game, setup_of
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import MatchHeader, SeatKind
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.protocol.proposition_text import proposition_text
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.web.link_preview import link_preview
from barpoint.server.web.rendering import qr_picture, render
from barpoint.server.web.requests import address_here, form_of, go, may_create, with_guest
from barpoint.server.web.variants import card_for

LOG: Final = logging.getLogger("barpoint.server")


async def join_page(request: Request) -> Response:
    """The page that a friend sees after following an invitation."""
    services, person = service_of(request), await person_of(request)
    live_match = await _invited(request)
    header = live_match.header
    if header.complete or header.seat_of(person.id if person else None) is not None:
        return go(f"/match/{header.id}")
    host = next(seat.shown_name for seat in header.seats if seat.kind is not SeatKind.OPEN)
    open_seat = next(number for number, seat in enumerate(header.seats) if seat.kind is SeatKind.OPEN)
    boards, terms = _boards(header, open_seat), describe_agreement(header.agreement)
    first = boards[0] if boards else setup_of(BoardAddress(header.rules.name))
    title = _("%(host)s invites you", host=host)
    preview = link_preview(request, title, f"{variant_title(header.rules)}: {terms}.", first)
    return render(
        request,
        "join.html",
        410 if live_match.match.over else 200,
        preview=preview,
        host=host,
        card=card_for(services.opponents, header.rules, header.agreement.terms),
        terms=terms,
        barred=_is_barred(header, person),
        withdrawn=live_match.match.over,
        boards=[query_of(one.address) for one in boards],
        proposed=proposition_text(live_match.match, live_match.names(open_seat))[1:],
    )


def _boards(header: MatchHeader, near: int) -> list[BoardSetup]:
    """Set-up positions in which the games begin, seen by whoever is invited."""
    terms, start = header.terms, Match.start(rules=header.rules, terms=header.terms)
    if terms.begins(0) is None:
        return []
    found = []
    for number in range(len(terms.proposition.plays) if terms.proposition else 0) or (0,):
        begins = terms.begins(number)
        assert begins is not None
        match = structs.replace(start, game=begins.game(start.game.rules, start.game.stakes))
        found.append(setup_from_game(match, near))
    return found


async def _invited(request: Request) -> LiveMatch:
    """The match of an invitation; 404 if there is none."""
    services = service_of(request)
    match_id = await services.store.read(match_storage.find_invitation, request.path_params["token"])
    if match_id is None:
        raise HTTPException(404)
    return await services.matches.live_match(match_id)


def _is_barred(header: MatchHeader, person: Guest | None) -> bool:
    """Whether the match requires an account that this person lacks."""
    return header.agreement.needs_account and not (person and person.registered)


async def join(request: Request) -> Response:
    """Takes the open seat of an invitation."""
    services, token = service_of(request), request.path_params["token"]
    live_match = await _invited(request)
    header = live_match.header
    if not may_create(request):
        raise HTTPException(429)
    if live_match.match.over and not header.complete:
        return go(f"/join/{token}")
    if _is_barred(header, await person_of(request)):
        return go(f"/login?back=/join/{token}")
    name = (await form_of(request)).get("name", "")
    person = await person_of(request) or await services.accounts.guest(None, name)
    if header.seat_of(person.id) is None:
        try:
            await services.matches.join(token, person)
        except Conflict:
            LOG.info("a seat of match %s is taken", header.id)  # the board shows who sits there; the guest may watch
        else:
            person = await services.accounts.guest(person, name)
    return with_guest(request, person, go(f"/match/{header.id}"))


async def qr_code(request: Request) -> Response:
    """The link of an invitation as a picture for the camera of a phone."""
    await _invited(request)
    return qr_picture(address_here(request, f"/join/{request.path_params['token']}"))


async def withdraw(request: Request) -> Response:
    """Drops the match of one's own invitation that nobody has accepted."""
    services, person = service_of(request), await person_of(request)
    match_id = request.path_params["match_id"]
    header = (await services.matches.live_match(match_id)).header
    if header.seat_of(person.id if person else None) is None:
        return go(f"/match/{match_id}")
    await services.matches.call_off(match_id, header.seat_of(person.id if person else None))
    after = (await services.matches.live_match(match_id)).header
    return go(f"/match/{match_id}" if after.complete else "/")  # somebody may have come in the meantime


ROUTES: Final = (
    Route("/join/{token}", join_page),
    Route("/join/{token}", join, methods=["POST"]),
    Route("/join/{token}/qr.svg", qr_code),
    Route("/match/{match_id}/withdraw", withdraw, methods=["POST"]),
)
