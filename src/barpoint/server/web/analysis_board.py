"""The analysis board: its page, pictures and text of a position, and the way there from a replay."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import msgspec
from msgspec import structs
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from barpoint.analysis.answer import before
from barpoint.analysis.position import play_text
from barpoint.draw import describe
from barpoint.error import BarpointError
from barpoint.game.event import Correct, PlayMade
from barpoint.language import _
from barpoint.match import Match
from barpoint.match.proposition import MAX_SPOT
from barpoint.moves import find_play
from barpoint.record.text_annotations import parse_annotated
from barpoint.server.bots.opponents import find_level, starting_level
from barpoint.server.child_process import JobFailed
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.analysis_board import (
    PATH,
    BoardAddress,
    BoardSetup,
    BoardSide,
    parse_address,
    path_of,
    query_of,
    setup_from_game,
    setup_from_situation,
    terms_from,
)
from barpoint.server.domain.matches import open_seat
from barpoint.server.domain.propositions import GAMES_OFFERED, proposition_terms, read_proposition
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.matches import seat_for
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.study.advisers import MAX_PLIES, MAX_PLIES_OF_ACCOUNTS
from barpoint.server.study.analysis_board import picture_of, text_of
from barpoint.server.study.file_notes import OtherShown, said_of_event
from barpoint.server.study.link_pictures import drawable
from barpoint.server.study.recordings import Recording
from barpoint.server.study.rollouts import allowed_rollouts
from barpoint.server.web.link_preview import LinkPreview, link_preview, question_of
from barpoint.server.web.rendering import render
from barpoint.server.web.replay import RECORDING_PATHS, recording_of
from barpoint.server.web.requests import allow_framing, as_sentence, form_of, go, may_create, with_guest
from barpoint.server.web.variants import games_listed
from barpoint.variants import variant

MAX_FIELDS: Final = 20
"""Fields of an address; it has fewer."""

MAX_ID: Final = 20_000
"""Characters of an ID or board text in an address."""

A_FRIEND_BY_LINK: Final = "friend"
"""What the form says instead of a level for an opponent who is sent a link."""

CUBES: Final = tuple(2**power for power in range(11))


async def analysis_page(request: Request) -> Response:
    """The board with the answers; its script asks for both.

    ?id= opens any text that can be pasted there, in the game of ?variant=; fields that an address does not have are left out. A text with an
    analysis is read by the script, which keeps what it says beside the address.
    """
    values = dict(request.query_params)
    if "id" in values:
        pasted, start = values["id"][:MAX_ID], ""
        try:
            game = variant(values.get("variant", "backgammon"))
            start = query_of(BoardAddress(game.name))
            said = await asyncio.to_thread(parse_annotated, pasted, game.checkers)
            setup = setup_from_situation(said.situation, game)
            if not said.annotation:
                return go(path_of(setup))
            preview = _preview(request, setup)
            return await _board_page(request, pasted=pasted, start=start, reads=True, preview=preview)
        except BarpointError as error:
            return await _board_page(request, 422, refused=as_sentence(error), pasted=pasted, start=start)
    known = {name: value for name, value in values.items() if name in BoardAddress.__struct_fields__}
    if known != values:
        return go(f"{PATH}?{urlencode(known)}")
    found: dict[str, Any] = {}
    with suppress(BarpointError):  # the page says what is wrong
        setup = parse_address(known)
        found["preview"] = _preview(request, setup)
    return await _board_page(request, **found)


def _preview(request: Request, setup: BoardSetup) -> LinkPreview:
    score = f"{setup.score[0]}-{setup.score[1]}"
    stake = _("Match to %(length)s, %(score)s", length=setup.length, score=score) if setup.length else _("Money")
    text = f"{stake}. {question_of(setup)}"
    return link_preview(request, variant_title(setup.rules), text, setup, path_of(setup))


async def _board_page(
    request: Request,
    status: int = 200,
    *,
    refused: str = "",
    pasted: str = "",
    start: str = "",
    reads: bool = False,
    **more: object,
) -> Response:
    """The page. refused: why the text of a link is no position; pasted: that text, or one that
    is to be read at once; start: the board to begin with then.

    more: values for the template.
    """
    person = await person_of(request)
    service_of(request).advisers.warm()
    registered = person is not None and person.registered
    deepest = MAX_PLIES_OF_ACCOUNTS if registered else MAX_PLIES
    levels = service_of(request).opponents.levels
    return render(
        request,
        "analysis.html",
        status,
        refused=refused,
        pasted=pasted,
        start=start,
        reads=reads,
        rollout=allowed_rollouts(registered=registered),
        games=games_listed(in_turn=False),
        cubes=CUBES,
        deepest=deepest,
        levels=levels,
        level=starting_level(levels),
        games_offered=GAMES_OFFERED,
        most_spot=MAX_SPOT,
        **more,
    )


async def play_on(request: Request) -> Response:
    """Begins an unrated match in the position of a form: `board`, the query of its address; `side`, whose checkers the
    person plays; `level` of the bot, or "friend" for whoever follows a link; `tutor`; and of a proposition the fields of `read_proposition`.
    """
    services, form = service_of(request), await form_of(request)
    if not may_create(request):
        raise HTTPException(429)
    side: BoardSide = "far" if form.get("side") == "far" else "near"
    friend = form.get("level") == A_FRIEND_BY_LINK
    try:
        setup = parse_address(dict(parse_qsl(form.get("board", ""), max_num_fields=MAX_FIELDS)))
        asked = read_proposition(form)
        terms = terms_from(setup) if asked is None else proposition_terms(setup, asked, side)
        Match.start(rules=setup.rules, terms=terms)
        level = None if friend else find_level(services.opponents, setup.rules, form.get("level"))
    except (BarpointError, ValueError) as error:
        text = as_sentence(error) if isinstance(error, BarpointError) else _("The server did not understand this.")
        return _not_possible(request, text)
    person = await person_of(request) or await services.accounts.new_guest()
    if level is None:
        seats = seat_for(person), open_seat()
    else:
        seats = seat_for(person, tutored="tutor" in form), seat_for(None, name=level.bot, level=level.name)
    header = await services.matches.make(Agreement(setup.rules, terms), seats if side == "near" else seats[::-1])
    return with_guest(request, person, go(f"/match/{header.id}"))


def _not_possible(request: Request, text: str) -> Response:
    return render(request, "error.html", 422, title=_("Not possible"), text=text)


def _setup(request: Request) -> BoardSetup:
    """The board of the query; 404 for one that cannot be."""
    values: dict[str, Any] = dict(request.query_params)
    try:
        return parse_address(values)
    except BarpointError:
        raise HTTPException(404) from None


async def picture(request: Request) -> Response:
    """The board as a picture."""
    drawn = await asyncio.to_thread(picture_of, _setup(request))
    return Response(drawn, media_type="image/svg+xml")


async def embedded_page(request: Request) -> Response:
    """The board for the page of another site: a picture that leads here, and nothing to press."""
    setup = _setup(request)
    allow_framing(request)
    return render(
        request,
        "embedded_board.html",
        title=variant_title(setup.rules),
        link=path_of(setup),
        query=query_of(setup.address),
        described=describe(setup.of_actor, setup.rules.movement.meeting),
    )


async def link_picture(request: Request) -> Response:
    """The board as the picture of a link; 404 without the library that draws it."""
    if not drawable():
        raise HTTPException(404)
    try:
        drawn = await service_of(request).link_pictures.png(_setup(request), address_of(request))
    except JobFailed:
        raise HTTPException(503) from None
    return Response(drawn, media_type="image/png", headers={"Cache-Control": "public, max-age=604800"})


async def text(request: Request) -> Response:
    """The board in letters."""
    return PlainTextResponse(text_of(_setup(request)))


async def open_moment(request: Request) -> Response:
    """Redirects to the board of a finished match, ?after= so many events; ?before= an event, as it had to be decided.

    Behind # stands where the board finds the names, the way back, and what the file of an imported match says; and who is at the bottom.
    """
    recording, setup, event, near = await _moment(request)
    return go(f"{path_of(setup)}#{recording.source}/{recording.id}/{event}/{near}")


async def decision_json(request: Request) -> Response:
    """The address of a decision of a finished match for /api/analysis: ?before= its event, ?player= who is at the bottom.

    {"query": "variant=...&position=...", "also": "13/8 6/5", "names": ["Anna", "Ben"], "said": [], "other": {}}; also: the play that was made, "" where
    none was. names: of both players. said: what the file of an imported match says of it, in lines;
    other: its program, and what that found of each choice.
    """
    recording, setup, number, _near = await _moment(request)
    events = recording.match.events
    made = events[number - 1] if number <= len(events) else None
    also = ""
    if isinstance(made, PlayMade | Correct):
        with suppress(BarpointError):  # against the rules
            also = play_text(find_play(setup.rules, setup.of_actor, setup.faces, made.moves))
    notes = recording.notes
    said = OtherShown() if notes is None else await asyncio.to_thread(said_of_event, notes, number)
    names = [recording.names.of(player) for player in (0, 1)]
    found = {"query": query_of(setup.address), "also": also, "names": names, "said": said.lines}
    return JSONResponse(found | {"other": msgspec.to_builtins(structs.replace(said, lines=()))})


async def setup_of_moment(request: Request) -> BoardSetup:
    """The board of a moment of a finished match; 404 for one that there is not."""
    return (await _moment(request))[1]


async def _moment(request: Request) -> tuple[Recording, BoardSetup, int, int]:
    """A finished match, the board of the moment that is asked for, the event that follows, and who is at the bottom: else ?player= who acts."""
    recording = await recording_of(request)
    if not recording.complete:
        raise HTTPException(404)
    asked = request.query_params
    try:
        event = int(asked["before"]) if "before" in asked else int(asked.get("after", "")) + 1
    except ValueError:
        raise HTTPException(404) from None
    if not 1 <= event <= len(recording.match.events) + 1:
        raise HTTPException(404)
    state = await asyncio.to_thread(before, recording.match, event)
    near = int(asked["player"]) if asked.get("player") in ("0", "1") else state.game.player
    return recording, setup_from_game(state, near), event, near


ROUTES: Final = (
    Route(PATH, analysis_page),
    Route(f"{PATH}/play", play_on, methods=["POST"]),
    Route(f"{PATH}/picture.svg", picture),
    Route(f"{PATH}/picture.png", link_picture),
    Route(f"{PATH}/embedded", embedded_page),
    Route(f"{PATH}/board.txt", text),
    *(Route(f"{path}/analysis-board", open_moment) for path in RECORDING_PATHS),
    *(Route(f"{path}/decision.json", decision_json) for path in RECORDING_PATHS),
)
