"""The analysis of positions over HTTP, without an account: answers of the engine, the board, IDs, rollouts.

A position is given by the fields of an address (docs/analysis.md), the same as on the page.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.requests import Request
from starlette.responses import Response

from barpoint.analysis.adviser import AnswerKind
from barpoint.analysis.inquiry import Inquiry
from barpoint.analysis.position import PositionAnswer, play_text
from barpoint.analysis.position_rollout import RolloutMethod
from barpoint.error import BarpointError
from barpoint.game.event import MoveMade
from barpoint.language import _
from barpoint.moves import parse_play
from barpoint.server.api import messages
from barpoint.server.api.requests import (
    RequestRefused,
    answer_with,
    body_of,
    open_to_everybody,
    query_in,
    spend,
)
from barpoint.server.domain.analysis_board import BoardAddress, BoardSetup, setup_of
from barpoint.server.domain.board_edits import BoardEdit, edited
from barpoint.server.services import Services, address_of, person_of, service_of
from barpoint.server.study.analysis_board import BoardShown, board_shown, played_on, shown_of_text
from barpoint.server.study.decision_text import text_of_position
from barpoint.server.study.pasted_match import MAX_MATCH_TEXT, match_in, read_pasted
from barpoint.server.study.reference import ReferenceQuery, nearest_references
from barpoint.server.study.rollouts import RolloutAsker, RolloutState
from barpoint.variants import variant

DEFAULT_PLIES: Final[dict[AnswerKind, int]] = {"position": 2, "rolls": 0, "matrix": 1}

SearchDepth = Annotated[int, Meta(ge=0, le=4)]
_MOVES: Final[msgspec.json.Decoder[tuple[MoveMade, ...]]] = msgspec.json.Decoder(
    Annotated[tuple[MoveMade, ...], Meta(max_length=64)]
)


class AnswerQuery(BoardAddress, frozen=True):
    """A position, and how deeply to search it."""

    plies: SearchDepth | UnsetType = UNSET


class RolloutQuery(BoardAddress, frozen=True):
    """A position, and how it is rolled out. also: a play of its roll, in notation, that is rolled out beside the best ones; ""
    for none. plays: two to six of its roll instead of the best ones, with ";" between them.

    games: of each choice, that a request adds. plies, cube_plies, truncate, seed: as in `RolloutMethod`.
    """

    also: Annotated[str, Meta(max_length=100)] = ""
    plays: Annotated[str, Meta(max_length=1000)] = ""
    games: int | UnsetType = UNSET
    plies: int = 0
    cube_plies: int = 0
    truncate: int = 0
    seed: int = 1


class BoardQuery(BoardAddress, frozen=True):
    """A position, and one thing to do with it. edit, side, place, to: as in `BoardEdit`; id: a text to read instead.

    moves: tried, as JSON: [[from, to, number], ...]. play: those moves are made.
    """

    edit: Literal["add", "remove", "move", "start", "clear", "flip", "turn", ""] = ""
    side: Literal["near", "far"] = "near"
    place: int = 0
    to: int = 0
    moves: Annotated[str, Meta(max_length=1000)] = ""
    play: bool = False


class TextQuery(RolloutQuery, frozen=True):
    """A position, the rollout that is in its text, and how deeply it was searched. made: what was played there, a play in
    notation or such as "Take"; "" for nothing.
    """

    depth: SearchDepth = 2
    made: Annotated[str, Meta(max_length=100)] = ""


class DecisionText(Struct, frozen=True):
    """A decision with its analysis, to paste elsewhere."""

    text: str


class ReadBody(messages.Body, frozen=True):
    """A text to read: a position in any notation that `barpoint.parse_id` knows, or a match as text, SGF or our log."""

    text: Annotated[str, Meta(max_length=MAX_MATCH_TEXT)]
    variant: Annotated[str, Meta(max_length=300)] = "backgammon"


def _setup(query: BoardAddress) -> BoardSetup:
    names = BoardAddress.__struct_fields__
    return setup_of(BoardAddress(**{name: getattr(query, name) for name in names}))


async def _to_roll_out(
    request: Request, asked: RolloutQuery | None = None
) -> tuple[Inquiry, RolloutMethod, RolloutAsker]:
    """The rollout of a query, with its plays as `play_text` writes them, and who asks. asked: the query, if it holds more than that."""
    query = asked or query_in(request, RolloutQuery)
    _services, by, registered = await _asker(request)
    setup = _setup(query)

    def play(text: str) -> str:
        return play_text(parse_play(setup.rules, setup.of_actor, setup.faces, text))

    def method() -> RolloutMethod:
        also = play(query.also) if query.also else ""
        plays = {play(text) for text in query.plays.split(";") if text.strip()}
        if plays and also:
            plays, also = plays | {also}, ""
        return RolloutMethod(query.plies, query.cube_plies, query.truncate, query.seed, tuple(sorted(plays)), also)

    asker = RolloutAsker(by, registered, None if query.games is UNSET else query.games)
    return setup.inquiry, await asyncio.to_thread(method), asker


async def _asker(request: Request) -> tuple[Services, str, bool]:
    """The services, the name that limits count by, and whether the person who asks has an account."""
    person = await person_of(request)
    by, registered = (person.id, person.registered) if person else (address_of(request), False)
    return service_of(request), by, registered


async def _answer(request: Request, kind: AnswerKind) -> Response:
    query = query_in(request, AnswerQuery)
    services, _by, registered = await _asker(request)
    plies = DEFAULT_PLIES[kind] if query.plies is UNSET else query.plies
    inquiry = _setup(query).inquiry
    found = await services.advisers.answer(kind, inquiry, plies, registered=registered)
    return Response(found, media_type="application/json")


@open_to_everybody
async def position(request: Request) -> Response:
    """The plays of the roll, or the cube actions, with their equities, and counts of the position."""
    return await _answer(request, "position")


class KnownAnalysis(Struct, frozen=True):
    """What was found out about a position, by whoever asked.

    answer: the deepest one that is kept, of three plies and more; None where there is none. rollout: its state.
    """

    answer: PositionAnswer | None
    rollout: RolloutState


@open_to_everybody
async def known(request: Request) -> Response:
    """What is already known of a position beyond a quick answer; computes nothing."""
    services, asked = service_of(request), await _to_roll_out(request)
    found = await services.advisers.known(asked[0])
    rolled = await services.rollouts.state(*asked)
    answer = None if found is None else msgspec.json.decode(found, type=PositionAnswer)
    return answer_with(KnownAnalysis(answer, rolled))


@open_to_everybody
async def text(request: Request) -> Response:
    """The position with its answer and its rollout as a text to paste elsewhere, in the language of the request."""
    services, query = service_of(request), query_in(request, TextQuery)
    _inquiry, method, asker = await _to_roll_out(request, query)
    found = await text_of_position(
        services.advisers, services.rollouts, _setup(query), method, asker, query.depth, query.made
    )
    return answer_with(DecisionText(found))


@open_to_everybody
async def rolls(request: Request) -> Response:
    """The best play of every roll, and its equity."""
    return await _answer(request, "rolls")


@open_to_everybody
async def similar(request: Request) -> Response:
    """The reference positions nearest to a position, with what is right in them."""
    query: ReferenceQuery = query_in(request, ReferenceQuery)
    setup = await asyncio.to_thread(_setup, query)
    return answer_with(await asyncio.to_thread(nearest_references, setup.rules, setup.of_actor, query.count))


@open_to_everybody
async def matrix(request: Request) -> Response:
    """The cube action or the best play at every match score to 9 points away."""
    return await _answer(request, "matrix")


@open_to_everybody
async def board(request: Request) -> Response:
    """The board as the page draws it, after an edit or a play, with its IDs."""
    query = query_in(request, BoardQuery)
    return answer_with(await asyncio.to_thread(_board, query))


def _board(query: BoardQuery) -> BoardShown:
    setup, said = _setup(query), ""
    moves = _moves(query.moves)
    if query.edit:
        try:
            setup = edited(setup, BoardEdit(query.edit, query.side, query.place, query.to))
        except BarpointError as error:
            said = error.translated()
    if query.play:
        return played_on(setup, moves)
    return board_shown(setup, moves, said)


def _moves(text: str) -> tuple[MoveMade, ...]:
    try:
        return _MOVES.decode(text) if text else ()
    except msgspec.DecodeError as error:
        raise RequestRefused(400, "format", _("moves: %(error)s", error=error)) from None


@open_to_everybody
async def read(request: Request) -> Response:
    """The board that a text describes: an ID of any format, with the analysis below it, or a match, which opens at its last decision."""
    asked = await body_of(request, ReadBody)
    if (match := match_in(asked.text)) is not None:
        files = service_of(request).allowance.files
        spend(files, address_of(request), _("so many questions at once; try again in a moment"))
        opened, said = await read_pasted(*match)
        return answer_with(board_shown(opened, said=said))
    return answer_with(await asyncio.to_thread(lambda: shown_of_text(asked.text, variant(asked.variant))))


@open_to_everybody
async def rollout(request: Request) -> Response:
    """The state of the rollout of a position: its means so far, with their errors."""
    return answer_with(await service_of(request).rollouts.state(*await _to_roll_out(request)))


@open_to_everybody
async def roll_out(request: Request) -> Response:
    """Starts the rollout of a position, or goes on with it."""
    services, asked = service_of(request), await _to_roll_out(request)
    spend(services.allowance.rollouts, address_of(request), _("so many rollouts at once; try again in a few minutes"))
    return answer_with(await services.rollouts.ask(*asked), 202)


@open_to_everybody
async def stop_rollout(request: Request) -> Response:
    """Stops a rollout; what is done is kept."""
    return answer_with(await service_of(request).rollouts.stop(*await _to_roll_out(request)))
