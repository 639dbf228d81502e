"""The first page, and pages of a match: play now, the match itself, and error messages."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.draw import svg, thumbnail
from barpoint.error import FormatError, UnknownVariant, VariantsClash
from barpoint.language import _, listed, time
from barpoint.record.transcriber import VARIATIONS
from barpoint.record.xg_writer import OF_PLAYED
from barpoint.rules import Rules
from barpoint.server.bots.opponents import LevelShown, find_level, starting_level
from barpoint.server.domain import guests
from barpoint.server.domain.agreement_form import describe_agreement, read_agreement
from barpoint.server.domain.agreements import clock_choices
from barpoint.server.domain.analysis_board import setup_from_game
from barpoint.server.domain.automatic import may_be_automatic
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import MAX_GUEST_NAME, MAX_POINTS
from barpoint.server.domain.matches import MatchSeat, SeatKind, open_seat
from barpoint.server.domain.seat_names import PLAYERS
from barpoint.server.domain.time_control import in_days
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.chat import may_write_around, other_player
from barpoint.server.live.discards import decline_rematch
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.live.matches import real_board_seats, seat_for
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage import access_tokens as token_storage
from barpoint.server.storage import appointments as appointment_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import ladders as ladder_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage import tournament_reports as report_storage
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.study.nets import net_of
from barpoint.server.study.tutor import may_tutor
from barpoint.server.web.appointments import times_shown
from barpoint.server.web.chat import SAID, NotReported, report
from barpoint.server.web.last_choice import choice_of, keep_choice
from barpoint.server.web.link_preview import LinkPreview, link_preview, match_text
from barpoint.server.web.match_summary import match_summary
from barpoint.server.web.practice import practice_standing
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import as_sentence, back_from, fields_of, form_of, go, may_create, with_guest
from barpoint.server.web.vacations import vacations_told
from barpoint.server.web.variants import card_for, choices, name_from, rules_page_of
from barpoint.variants import variant

LOG: Final = logging.getLogger("barpoint.server")

SAVED_SHOWN: Final = 3
"""Unfinished matches in sight on the first page; the others are folded away."""

SAVED_LISTED: Final = 60
"""Unfinished matches on the first page in all."""

BETWEEN_PAGES_MS: Final = 5_000
"""Whoever goes from a match to its rematch is away for less than this."""


async def play_page(request: Request, problem: str = "", status: int = 200) -> Response:
    """The form to choose a game and play."""
    services, person = service_of(request), await person_of(request)
    registered = person is not None and person.registered
    choice = choice_of(request, services.opponents, registered=registered)
    going = await services.store.read(lobby_storage.matches_unfinished, person.id, SAVED_LISTED) if person else []
    now = services.matches.clock()
    saved = [match_summary(one, person.id if person else None, now=now) for one in going]
    chouettes = await services.chouettes.running_of(person.id, SAVED_LISTED) if person else []
    waiting = await services.chouettes.waiting_for(person, chouettes)
    return render(
        request,
        "play.html",
        status,
        choice=choice,
        choices=choices(choice.rules),
        card=card_for(services.opponents, choice.rules),
        levels=services.opponents.levels,
        level=choice.level or starting_level(services.opponents.levels),
        lengths=range(1, MAX_POINTS + 1),
        time_controls=[(name, line, in_days(name)) for name, line in clock_choices()],
        tickets=await services.store.read(result_storage.tickets_of, person.id) if person and registered else 0,
        person=person,
        standing=await practice_standing(services, person),
        appointments=times_shown(await services.store.read(appointment_storage.agreed_by, person.id, now), person.id)
        if person
        else [],
        going=next((one for one in saved if one.mine or one.between or one.bots[1]), None),
        saved=saved[:SAVED_SHOWN],
        more_saved=saved[SAVED_SHOWN:],
        chouettes=[
            (one, variant_title(one.rules), listed([other.shown_name for other in one.others]), one.id in waiting)
            for one in chouettes
        ],
        problem=problem,
        said=_("Your account is deleted.") if "deleted" in request.query_params else "",
    )


async def card(request: Request) -> Response:
    """A description of the chosen variants: a part of the home page."""
    try:
        rules = variant(name_from(request.query_params.multi_items()))
    except (UnknownVariant, VariantsClash) as error:
        return render(request, "problem.html", 422, problem=error.translated())
    return render(request, "card.html", card=card_for(service_of(request).opponents, rules))


async def picture(request: Request) -> Response:
    """A picture of a game's starting position; with ?small= a mini-board."""
    try:
        rules = variant(request.query_params.get("variant", "backgammon"))
    except (UnknownVariant, VariantsClash):
        raise HTTPException(404) from None
    if "small" in request.query_params:
        drawn = thumbnail(rules.start, meeting=rules.movement.meeting)
        return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})
    tokens = (1, 1) if rules.rerolls.tokens else None
    drawn = svg(rules.start, meeting=rules.movement.meeting, tokens=tokens, theme="walnut")
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


async def board_picture(request: Request) -> Response:
    """A small picture of the board of a match as it stands, seen by the first player."""
    match = (await service_of(request).matches.live_match(request.path_params["match_id"])).match
    drawn = thumbnail(match.game.seen_by(0), meeting=match.game.rules.movement.meeting)
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=60"})


async def scene(request: Request) -> Response:
    """The picture of the first page: a game that has just begun, and a roll that makes a point."""
    drawn = svg(Rules().start, dice=(3, 1), moves=((8, 5), (6, 5)), cube=1, theme="walnut")
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


async def create_match(request: Request) -> Response:
    """Creates the match of a form and redirects to it."""
    services = service_of(request)
    if not may_create(request):
        return await play_page(request, _("Too many matches at once; try again in a minute."), 429)
    fields = await fields_of(request)
    person = await person_of(request)
    try:
        name = name_from(fields)
        opponent = dict(fields).get("opponent", "bot")
        member = person is not None and person.registered and opponent in ("friend", "lobby")
        agreement = read_agreement({**dict(fields), "variant": name}, registered=member)
        have = await services.store.read(result_storage.tickets_of, person.id) if person else 0
        if person and agreement.fee > have:
            raise FormatError("entry fee: %(fee)s tickets; you have %(have)s", fee=agreement.fee, have=have)
        people = _people(dict(fields))
        level = None if people else _level(services, agreement.rules, dict(fields))
        if opponent == "lobby":
            person = person or await services.accounts.new_guest()
            await services.lobby.challenge(person, agreement)
            return _started(request, person, "/lobby", fields)
    except (FormatError, UnknownVariant, VariantsClash, Conflict) as error:
        return await play_page(request, error.translated(), 422)
    person = person or await services.accounts.new_guest()
    if people:
        agreement = replace(agreement, terms=msgspec.structs.replace(agreement.terms, manual=True))
        seats = real_board_seats(person, people)
    elif level is None:
        seats = (seat_for(person), open_seat())
    else:
        tutored = "tutor" in dict(fields)
        seats = (seat_for(person, tutored=tutored), seat_for(None, name=level.bot, level=level.name))
    header = await services.matches.make(agreement, seats, players_seed=True)
    return _started(request, person, f"/match/{header.id}", fields)


def _started(request: Request, person: Guest, path: str, fields: list[tuple[str, str]]) -> Response:
    """Leads to what was started, and keeps the choice for the next time."""
    response = with_guest(request, person, go(path))
    keep_choice(request, response, fields)
    return response


def _people(fields: dict[str, str]) -> tuple[str, str] | None:
    """The names of two people at a real board, to record their match; None for a match played here."""
    if fields.get("opponent") != "board":
        return None
    first, second = (guests.clean_name(fields.get(f"player{seat}", "")) or PLAYERS[seat - 1] for seat in (1, 2))
    return first, second if second != first else f"{second[: MAX_GUEST_NAME - 2]} 2"


def _level(services: Services, rules: Rules, fields: dict[str, str]) -> LevelShown | None:
    """The requested bot level, None for a person; FormatError."""
    opponent = fields.get("opponent", "bot")
    if opponent in ("friend", "lobby"):
        return None
    if opponent != "bot":
        raise FormatError("opponent: %(opponent)r; allowed: bot, friend, lobby or board", opponent=opponent[:20])
    return find_level(services.opponents, rules, fields.get("level"))


async def match_page(request: Request, problem: str = "", status: int = 200) -> Response:
    """The board of a match, for players and watchers. problem: with the report that was sent about one of these."""
    services = service_of(request)
    live_match = await services.matches.seated(request.path_params["match_id"])
    header, person = live_match.header, await person_of(request)
    seat = header.seat_of(person.id if person else None)
    base = str(request.base_url).rstrip("/")
    awaited = None if live_match.match.over else next((one for one in header.seats if one.kind is SeatKind.OPEN), None)
    challenged = awaited is not None and await services.store.read(token_storage.is_direct_challenge, header.id)
    club = await services.store.read(club_storage.club_of, header.id)
    other = other_player(header, person)
    talked = all(one.kind in (SeatKind.GUEST, SeatKind.OPEN) for one in header.seats)
    # The match of which this is the rematch, for whoever has just asked for it.
    after = request.query_params.get("after", "")
    tournament = await services.store.read(tournament_storage.tournament_of, header.id)
    ladder = await services.store.read(ladder_storage.ladder_of, header.id)
    appointment = await services.store.read(appointment_storage.appointment_of, header.id)
    return render(
        request,
        "match.html",
        status,
        preview=_preview(request, live_match),
        header=header,
        title=variant_title(header.rules),
        terms=describe_agreement(header.agreement),
        rules_page=rules_page_of(header.rules),
        seat=seat,
        person=person,
        awaited=awaited if seat is not None else None,
        awaits=_awaits(awaited, challenged=challenged, invited=seat is None and club is None) if awaited else "",
        challenged=challenged,
        join=f"{base}/join/",
        watch=f"{base}/match/{header.id}",
        talked=talked,
        writes_around=may_write_around(header, person),
        silent=seat is not None and not talked and not problem,
        other=other,
        tournament=tournament,
        at_board=seat is not None and await services.store.read(report_storage.has_report, header.id),
        ladder=ladder,
        ladder_due=time(ladder.due_at) if ladder is not None and ladder.due_at is not None else "",
        club=club,
        vacations=await services.store.read(vacations_told, header, services.matches.clock()),
        may_agree=person is not None
        and person.id in {one.id for one in await services.store.read(appointment_storage.players_of, header.id) or ()},
        agreed_time=appointment.agreed(services.matches.clock()) if appointment else None,
        covered=net_of(header.rules) is not None,
        xg=header.rules.name in VARIATIONS,
        xg_left_out=listed([_(name) for name in OF_PLAYED]),
        tutor=may_tutor(header, seat),
        days=in_days(header.time_control),
        away=live_match.automatic[seat]
        if seat is not None and may_be_automatic(header, seat) and not live_match.match.over
        else None,
        cubes=header.rules.cube and header.terms.cube and header.terms.length != 1,
        blocked=await _has_blocked(services, person, other),
        after=after,
        again=seat in (0, 1) and await services.store.read(lobby_storage.was_found_in_lobby, (header.id, after)),
        said=SAID.get(request.query_params.get("said", ""), ""),
        problem=problem,
        reported=(await form_of(request)).get("text", "") if problem else "",
    )


async def report_at_match(request: Request) -> Response:
    """Reports somebody met at a match; shows the page again, with what was written, if they cannot be found."""
    try:
        return await report(request)
    except NotReported as error:
        return await match_page(request, as_sentence(error), 422)


def _preview(request: Request, live_match: LiveMatch) -> LinkPreview:
    header = live_match.header
    text = match_text(variant_title(header.rules), describe_agreement(header.agreement), live_match.match)
    names = " – ".join(seat.shown_name for seat in header.seats)
    return link_preview(request, names, text, setup_from_game(live_match.match, 0))


def _awaits(awaited: MatchSeat, *, challenged: bool, invited: bool) -> str:
    """Who must come before the match begins. invited: the viewer would need the invitation."""
    if challenged:
        return _("Waiting for %(names)s.", names=awaited.shown_name)
    if invited:
        return _("Waiting for a second player. To play, ask for the invitation link.")
    return _("Waiting for a second player.")


async def _has_blocked(services: Services, person: Guest | None, other: str | None) -> bool:
    if person is None or other is None:
        return False
    blocked = await services.store.read(lobby_storage.blocked_by, person.id)
    return any(one.id == other for one in blocked)


async def rematch(request: Request) -> Response:
    """Starts another match on the same terms."""
    services = service_of(request)
    match_id = request.path_params["match_id"]
    person = await person_of(request)
    live_match = await services.matches.live_match(match_id)
    if person is not None and live_match.match.over and live_match.header.complete:
        if live_match.header.rematch is None and not may_create(request):
            raise HTTPException(429)
        rematch_id = await services.matches.rematch(match_id, person, players_seed=True)
        return go(f"/match/{rematch_id}?after={match_id}")
    return go(f"/match/{match_id}")


async def no_rematch(request: Request) -> Response:
    """Declines the rematch of a match."""
    match_id, person = request.path_params["match_id"], await person_of(request)
    if person is not None:
        await decline_rematch(service_of(request).matches, match_id, person)
    return go(f"/match/{match_id}")


async def rematch_awaited(request: Request) -> Response:
    """What is said to somebody who waits at the rematch of a match, as JSON: that the other player has left, or nothing."""
    services, person = service_of(request), await person_of(request)
    header = (await services.matches.live_match(request.path_params["match_id"])).header
    seat, presence = header.seat_of(person.id if person else None), services.seat_presence
    if seat not in (0, 1) or header.rematch is None or header.seats[1 - seat].bot:
        return JSONResponse({"text": ""})
    # In the rematch the seats are changed.
    known = (presence.of(header.id, 1 - seat), presence.of(header.rematch, seat))
    left_at = max((one.left_at or 0 for one in known), default=0)
    gone = not any(one.here for one in known) and left_at < services.matches.clock() - BETWEEN_PAGES_MS
    text = _("%(player)s has left.", player=header.seats[1 - seat].shown_name) if gone else ""
    return JSONResponse({"text": text})


async def rename(request: Request) -> Response:
    """Gives a guest the name they want."""
    services = service_of(request)
    if not may_create(request):
        raise HTTPException(429)
    form = await form_of(request)
    person = await services.accounts.guest(await person_of(request), form.get("name", ""))
    return with_guest(request, person, go(back_from(form.get("back", "/"))))


ROUTES: Final = (
    Route("/", play_page),
    Route("/card", card),
    Route("/picture", picture),
    Route("/picture/scene", scene),
    Route("/match", create_match, methods=["POST"]),
    Route("/match/{match_id}", match_page),
    Route("/match/{match_id}/report", report_at_match, methods=["POST"]),
    Route("/match/{match_id}/board.svg", board_picture),
    Route("/match/{match_id}/rematch", rematch, methods=["POST"]),
    Route("/match/{match_id}/rematch", rematch_awaited),
    Route("/match/{match_id}/rematch/decline", no_rematch, methods=["POST"]),
    Route("/name", rename, methods=["POST"]),
)
