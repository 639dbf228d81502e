"""The page on which people correct a match they have entered or imported: its turns as lines, checked again from the first changed one."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import UNSET
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.draw import svg
from barpoint.error import BarpointError
from barpoint.game.event import event_from_json
from barpoint.language import _
from barpoint.match import Match
from barpoint.number_text import number_in
from barpoint.record.turn_lines import MAX_LINES_TEXT, ReadLines, TurnLine, line_names
from barpoint.server.domain.guests import Guest
from barpoint.server.protocol.matches import Moves
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.storage.event_log import Conflict
from barpoint.server.study.corrections import CorrectionRefused, may_correct
from barpoint.server.study.costly_pages import TooManyPages
from barpoint.server.study.line_boards import Entry
from barpoint.server.study.recordings import Recording
from barpoint.server.study.reviews import Unreadable
from barpoint.server.web.rendering import render
from barpoint.server.web.replay import RECORDING_PATHS, recording_of
from barpoint.server.web.requests import TOO_MUCH, as_sentence, form_of, go

CUT: Final = "cut"
"""What the button sends that leaves out a line and the rest; the number of the line follows."""

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
"""Where a line ends for browsers, too."""

_MOVES: Final[msgspec.json.Decoder[Moves]] = msgspec.json.Decoder(Moves)


async def correction_page(request: Request) -> Response:
    """The lines from the turn of event `after` on; without it those of the last game."""
    recording, _person = await _own_recording(request)
    service, corrections = service_of(request), service_of(request).corrections
    if not service.allowance.pages.spend(address_of(request)):
        raise HTTPException(429, TOO_MUCH)
    lines = await corrections.lines(recording)
    after = number_in(request.query_params.get("after", ""), 0, 999_999)
    at = recording.match.first if after is None else after - 1
    first = max((line.first for line in lines if line.first <= at), default=0)
    begun = await corrections.begun(recording, first)
    text = "\n".join(line.text for line in lines if line.first >= first)
    return await _page(request, recording, first, text, ReadLines(begun), _version(lines))


async def correct(request: Request) -> Response:
    """Checks the lines of the form, or saves them as the match; `do` is "check", "save", "back", or CUT with a line."""
    recording, person = await _own_recording(request)
    services, form = service_of(request), await form_of(request)
    do, text = form.get("do", ""), form.get("lines", "")
    first = 0 if do == "back" else _first(form, recording)
    written = _LINE_END.split(text)
    read, seen = ReadLines(recording.match), form.get("version", "")
    if not services.allowance.files.spend(address_of(request)):
        return await _page(request, recording, first, text, read, seen, TOO_MUCH, 429)
    version = _version(await services.corrections.lines(recording))
    if len(text) > MAX_LINES_TEXT:
        raise HTTPException(413)
    try:
        if do == "back":
            return go(f"{await services.corrections.take_back(recording, person)}/replay")
        read = await services.corrections.read(recording, first, written)
        if seen != version:
            raise Conflict("the match has gone on meanwhile; look again")
        if do == (f"{CUT}{read.line}" if read.line is not None else "save"):
            if read.match.events == recording.match.events:
                return go(f"{recording.path}/replay")
            path = await services.corrections.save(recording, person, read.match)
            return go(path if recording.source == "match" and not read.match.over else f"{path}/replay")
    except (CorrectionRefused, Conflict, Unreadable) as error:
        # with the version that was seen, so that a second press saves nothing over what has been added meanwhile
        return await _page(request, recording, first, text, read, seen, as_sentence(error), 422)
    problem = "" if read.line is None else _problem(written[read.line], read.why)
    return await _page(request, recording, first, "\n".join(written), read, version, problem, checked=True)


async def board(request: Request) -> Response:
    """The board at the line `at` of the form as JSON, and the lines that `event` gives there; `moves`: those that are tried."""
    recording, person = await _own_recording(request)
    services, form, address = service_of(request), await form_of(request), address_of(request)
    allowance = services.allowance
    if not allowance.positions.spend(address):
        return JSONResponse({"message": _(TOO_MUCH)}, 429)
    text = form.get("lines", "")
    if len(text) > MAX_LINES_TEXT:
        raise HTTPException(413)
    first, lines = _first(form, recording), _LINE_END.split(text)
    at = number_in(form.get("at", ""), 0, len(lines))
    try:
        event = event_from_json(form["event"]) if "event" in form else None
        entry = Entry(event, _MOVES.decode(form.get("moves", "[]")))
        place = recording, first, lines, len(lines) if at is None else at, entry
        found = await services.corrections.board(*place, person, lambda: allowance.pages.spend(address))
    except TooManyPages as error:
        return JSONResponse({"message": as_sentence(error)}, 429)
    except msgspec.DecodeError as error:
        return JSONResponse({"message": str(error)}, 422)
    except BarpointError as error:
        return JSONResponse({"message": as_sentence(_reason(error))}, 422)
    roll = None if found.roll is UNSET else found.roll
    said = {"at": found.at, "written": found.written, "line": found.line, "view": found.shown, "roll": roll}
    said["problem"] = _problem(*found.wrong) if found.wrong else ""
    return Response(msgspec.json.encode(said), media_type="application/json")


def _first(form: dict[str, str], recording: Recording) -> int:
    """Index of the event at which the lines of the form begin; 422 if there is none."""
    first = number_in(form.get("first", ""), 0, len(recording.match.events))
    if first is None:
        raise HTTPException(422)
    return first


async def _own_recording(request: Request) -> tuple[Recording, Guest]:
    """The recording at an address, and who may correct it; 404 for anybody else."""
    recording, person = await recording_of(request), await person_of(request)
    if person is None or not may_correct(recording):
        raise HTTPException(404)
    return recording, person


async def _page(
    request: Request,
    recording: Recording,
    first: int,
    text: str,
    read: ReadLines,
    version: str,
    problem: str = "",
    status: int = 200,
    *,
    checked: bool = False,
) -> Response:
    match, names = read.match, line_names(recording.players)
    return render(
        request,
        "correction.html",
        status,
        recording=recording,
        versions=await service_of(request).corrections.versions(recording),
        names=names,
        first=first,
        text=text,
        wrong=read.line,
        cut=CUT,
        problem=problem,
        checked=checked,
        unsaved=bool(problem) or (checked and match.events != recording.match.events),
        score=match.score,
        version=version,
        most=MAX_LINES_TEXT,
        picture=_picture(match, names),
    )


def _picture(match: Match, names: tuple[str, str]) -> str:
    """The board, the first player below; without styles, which pages do not apply inside a picture."""
    drawn = svg(match, near_to_act=match.game.player == 0, labels=names, theme="walnut")
    return re.sub(r' style="[^"]*"', "", drawn)


def _problem(line: str, why: BarpointError | None) -> str:
    assert why is not None, "a line that is not possible has a reason"
    return _(
        "%(line)s is not possible here: %(why)s.", line=f"“{line.strip()[:60]}”", why=_reason(why).translated()[:400]
    )


def _reason(error: BarpointError) -> BarpointError:
    """Why something is not possible, without what else is allowed, which names players by numbers."""
    found = error.values.get("why")
    return found if isinstance(found, BarpointError) else error


def _version(lines: tuple[TurnLine, ...]) -> str:
    """Tells one version of a match from others."""
    return sha256("\n".join(line.text for line in lines).encode()).hexdigest()[:16]


ROUTES: Final = tuple(
    route
    for path in RECORDING_PATHS
    for route in (
        Route(f"{path}/correct", correction_page),
        Route(f"{path}/correct", correct, methods=["POST"]),
        Route(f"{path}/correct/board", board, methods=["POST"]),
    )
)
