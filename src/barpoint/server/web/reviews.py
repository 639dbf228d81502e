"""The page that imports match files, with the stored ones and one's own finished matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Final

import msgspec
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from barpoint.error import BarpointError, FormatError
from barpoint.language import _, ngettext
from barpoint.record import Oddity
from barpoint.record.collection import ZIP, MatchFile, unzipped
from barpoint.record.text_annotations import parse_annotated
from barpoint.server.domain.dates import day_text
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.titles import variant_title
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import reviews as review_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.reviews import ListedReview
from barpoint.server.storage.uploads import RefusedFile
from barpoint.server.study.analysis_board import path_of_text
from barpoint.server.study.file_notes import position_summary, shown_text
from barpoint.server.study.pasted_match import match_in
from barpoint.server.study.reviews import (
    GUESTS_KEPT_DAYS,
    MAX_FILE_BYTES,
    MAX_ODDITY,
    MAX_UPLOAD_BYTES,
    TAKEN,
    UnknownReview,
    max_reviews,
    shown,
)
from barpoint.server.study.statistics import match_ratings
from barpoint.server.study.uploads import ReadUpload
from barpoint.server.web.match_summary import match_summary, rating_of_both
from barpoint.server.web.rendering import part, render
from barpoint.server.web.requests import TOO_MUCH, as_sentence, go, may_create, with_guest
from barpoint.variants import variant

MAX_FILES_OF_GUEST: Final = 20
MAX_FILES_OF_ACCOUNT: Final = 1_000
"""Maximum match files of one upload, those in zips included, without and with an account."""

LINES: Final = "application/x-ndjson"
"""What the script of the page accepts: a line of JSON for every file that has been read, as soon as it has been."""

BROUGHT_SHOWN: Final = 50
FINISHED_SHOWN: Final = 12
"""Imported and own finished matches on the page; the library and the page of own matches have the others."""

MAX_UNFOLDED: Final = 8
"""Files of an upload that are listed though nothing is to be said of them; more are folded."""


@dataclass(frozen=True, slots=True)
class Brought:
    """An imported match in the list. what: the game and its length. on: when it was played, or imported.

    rating: of both players, by the analysis; "" without one.
    """

    id: str
    file: str
    names: tuple[str, str]
    what: str
    score: str
    on: str
    oddities: tuple[str, ...]
    rating: str


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A match of a file that has just been uploaded. number: which one of its file; 0 for the only one.

    path: the common prefix of the URLs of its pages. names: of its players. what: how it ended, and its length. oddities: what was odd, and how it was read. refused: why it was
    not imported. known: why it was not imported again; "" if it was. played_here: the URL of the same match as it was played here, where the file was
    imported for what it says of it; "" otherwise. board: the analysis board with the position that the file holds instead of a match,
    position: that position as text, and other: what the file says of it.
    """

    name: str
    path: str = ""
    oddities: tuple[str, ...] = ()
    refused: str = ""
    status: int = 200
    number: int = 0
    names: tuple[str, str] = ("", "")
    what: str = ""
    known: str = ""
    played_here: str = ""
    board: str = ""
    position: str = ""
    other: str = ""

    @property
    def stem(self) -> str:
        """The name of the file without folders and suffix."""
        return PurePath(self.name).stem

    @property
    def kind(self) -> str:
        """Under what it is listed: "refused", "odd", "position", or "read" where there is nothing to say."""
        told = "odd" if self.oddities or self.played_here else "position" if self.position else "read"
        return "refused" if self.refused else told

    @property
    def opened(self) -> str:
        """Where its match or position is shown, if nothing is to be said of it; otherwise ""."""
        return "" if self.kind in ("refused", "odd") else self.board or f"{self.path}/replay"


class ReadLine(msgspec.Struct, frozen=True):
    """A line for the script of the page. html: what became of one file. done: files of how many.

    refused: of the files done, those in which nothing could be read. to: the page to go to when all is done.
    """

    html: str
    done: int
    count: int
    refused: int
    to: str = ""


class _Refused(Exception):
    """The whole upload is refused. said: to the person."""

    def __init__(self, said: str, status: int) -> None:
        super().__init__(said)
        self.said, self.status = said, status


async def review_page(
    request: Request, problem: str = "", status: int = 200, read: Sequence[ReadFile] = ()
) -> Response:
    """The form to import files, what became of those just uploaded, or else the positions of the last upload, and the matches to review."""
    services, person = service_of(request), await person_of(request)
    brought, finished = list[ListedReview](), list[lobby_storage.ListedMatch]()
    count, waiting, told = 0, 0, list[RefusedFile]()
    rated_here, rated_brought = dict[str, tuple[float, float]](), dict[str, tuple[float, float]]()
    if person is not None:
        waiting, refused = await services.uploads.state(person.id)
        if not read:
            held = await services.uploads.positions(person.id)
            read = await asyncio.to_thread(lambda: [one for file in held for one in _read_files(file)])
            told = refused
        brought = await services.reviews.listed(person.id, BROUGHT_SHOWN)
        count = await services.store.read(review_storage.count, person.id)
        finished = await services.store.read(lobby_storage.matches_finished, person.id, FINISHED_SHOWN)
        rated_here = await match_ratings(services.store, [one.id for one in finished])
        rated_brought = await match_ratings(services.store, [one.id for one in brought], "review")
    return render(
        request,
        "review.html",
        status,
        problem=problem,
        read=sorted(read, key=lambda one: one.name.casefold()),
        suffixes=(*TAKEN, ZIP),
        largest=MAX_FILE_BYTES,
        max_upload=MAX_UPLOAD_BYTES,
        max_files=_max_files(person),
        account_files=MAX_FILES_OF_ACCOUNT,
        max_reviews=max_reviews(person),
        days=GUESTS_KEPT_DAYS,
        unfolded=MAX_UNFOLDED,
        waiting=waiting,
        refused=[_refused(one) for one in told],
        brought=[_shown(one, rated_brought) for one in brought],
        count=count,
        finished=[match_summary(going, person.id if person else None, rated_here) for going in finished],
    )


async def bring(request: Request) -> Response:
    """Imports files, or a pasted match; redirects to the replay of a single match in which nothing was odd.

    To the script of the page it answers with a `ReadLine` for every file, as soon as it has been read.
    """
    services = service_of(request)
    try:
        if not services.allowance.files.spend(address_of(request)):
            raise _Refused(_("Too many files at once; try again in a minute."), 429)
        known = await person_of(request)
        if known is None and not may_create(request):
            raise _Refused(TOO_MUCH, 429)
        files, board = await _given(request)
    except _Refused as refused:
        return await review_page(request, refused.said, refused.status)
    to_script = LINES in request.headers.get("accept", "")
    if board:
        return Response(_line(ReadLine("", 1, 1, 0, board)), media_type=LINES) if to_script else go(board)
    person = known or await services.accounts.new_guest()
    files, read = await asyncio.to_thread(_unpacked, files, _max_files(person))
    try:
        outcomes = await services.uploads.accept(person, files)
    except Conflict as error:
        return await review_page(request, as_sentence(error), 429)
    if to_script:
        lines = _lines(outcomes, len(files), read)
        answer = StreamingResponse(
            lines, media_type=LINES, headers={"X-Accel-Buffering": "no", "Content-Encoding": "identity"}
        )
        return with_guest(request, person, answer)
    del files  # they wait in the database
    async for outcome in outcomes:
        read += await asyncio.to_thread(_read_files, outcome)
    if len(read) == 1 and read[0].refused:
        return with_guest(request, person, await review_page(request, read[0].refused, read[0].status))
    if len(read) == 1 and (opened := read[0].opened):
        return with_guest(request, person, go(opened))
    return with_guest(request, person, await review_page(request, read=read))


async def _given(request: Request) -> tuple[list[MatchFile], str]:
    """The files of the form, as they are, or its text as one; the analysis board instead if the text is a position."""
    try:
        async with request.form(max_files=MAX_FILES_OF_ACCOUNT, max_fields=2, max_part_size=MAX_UPLOAD_BYTES) as form:
            uploads = [one for one in form.getlist("file") if isinstance(one, UploadFile) and one.filename]
            files, text = [MatchFile(one.filename or "", await one.read()) for one in uploads], form.get("text")
    except HTTPException:
        raise _Refused(_at_most(MAX_FILES_OF_ACCOUNT), 422) from None
    if not files and isinstance(text, str) and text.strip():
        return _pasted(text)
    if not files:
        allowed = ", ".join((*TAKEN, ZIP))
        raise _Refused(_("No file was chosen; allowed: one of %(allowed)s.", allowed=allowed), 422)
    return files, ""


def _pasted(text: str) -> tuple[list[MatchFile], str]:
    """The match of a pasted text as a file, or the analysis board with its position."""
    try:
        match = match_in(text)
    except FormatError as error:
        raise _Refused(as_sentence(error), 422) from None
    if match is not None:
        data, suffix = match
        name = _("pasted text")
        return [MatchFile(f"{name}{suffix}", data)], ""
    with suppress(BarpointError):
        return [], path_of_text(text, variant("backgammon"))
    said = _(
        "%(text)s is neither a match nor a position; allowed: the text of a match, or an ID such as XGID.",
        text=f"“{shown(text, 40)}”",
    )
    raise _Refused(said, 422)


def _at_most(max_files: int) -> str:
    if max_files < MAX_FILES_OF_ACCOUNT:
        return _(
            "At most %(max_files)s files at once; with an account %(most)s.",
            max_files=max_files,
            most=MAX_FILES_OF_ACCOUNT,
        )
    return _("At most %(max_files)s files at once.", max_files=max_files)


def _unpacked(files: list[MatchFile], max_files: int) -> tuple[list[MatchFile], list[ReadFile]]:
    """The files, with those of a zip in its place, and what was refused: damaged and empty zips, too many files.

    All zips together unpack to at most MAX_UPLOAD_BYTES; one that would be too many is not opened.
    """
    found, refused, left = list[MatchFile](), list[ReadFile](), MAX_UPLOAD_BYTES
    for file in files:
        if file.suffix != ZIP or len(found) >= max_files:
            found.append(file)
            continue
        try:
            inside = []
            for one in unzipped(file.name, file.data, MAX_FILES_OF_ACCOUNT, MAX_FILE_BYTES, MAX_UPLOAD_BYTES, TAKEN):
                left -= len(one.data)
                if left < 0:
                    raise FormatError(
                        "%(name)s: the zips of one upload unpack to more than %(max_bytes)s bytes together",
                        name=file.name,
                        max_bytes=MAX_UPLOAD_BYTES,
                    )
                inside.append(one)
            if not inside:
                raise FormatError("0 match files in this zip; allowed: %(allowed)s", allowed=", ".join(TAKEN))
            found += inside
        except FormatError as error:
            refused.append(ReadFile(shown(file.name, 80), refused=f"{shown(error.translated(), 300)}.", status=422))
    for file in found[max_files:]:
        refused.append(ReadFile(shown(file.name, 80), refused=_at_most(max_files), status=422))
    return found[:max_files], refused


async def _lines(outcomes: AsyncIterator[ReadUpload], files: int, refused: list[ReadFile]) -> AsyncIterator[bytes]:
    """What became of each of so many files, as it becomes known; the last line says where to go."""
    read, done, failed, count = list(refused), 0, 0, len(refused) + files
    for one in refused:
        done, failed = done + 1, failed + 1
        yield _line(ReadLine(part("review_file.html", file=one), done, count, failed))
    async for outcome in outcomes:
        found = await asyncio.to_thread(_read_files, outcome)
        done += 1
        failed += all(one.refused for one in found)
        read += found
        to = "" if done < count else (read[0].opened if len(read) == 1 else "") or "/review"
        yield _line(ReadLine("".join(part("review_file.html", file=one) for one in found), done, count, failed, to))


def _line(line: ReadLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def _read_files(outcome: ReadUpload) -> list[ReadFile]:
    """What became of a file, one of several, for each match in it."""
    name = shown(outcome.name, 80)
    if outcome.refused is not None:
        return [ReadFile(name, refused=outcome.refused.translated(), status=outcome.refused.status)]
    if outcome.position:
        return [_read_position(name, outcome.position)]
    read, several = [], len(outcome.matches) > 1
    for number, one in enumerate(outcome.matches, start=1):
        known = (
            "" if not one.known else _("you had it already") if one.source == "review" else _("you have played it here")
        )
        oddities, what = _oddities(one.oddities), f"{one.score}, {_length_text(one.length)}"
        played, at = f"/match/{one.played_here}/replay" if one.played_here else "", number if several else 0
        match = ReadFile(
            name, one.path, oddities, names=one.names, what=what, number=at, known=known, played_here=played
        )
        if one.refused is not None:
            match = replace(match, refused=one.refused.translated(), status=one.refused.status)
        read.append(match)
    return read


def _read_position(name: str, text: str) -> ReadFile:
    """What became of a file that holds a position. text: as in `ReadUpload`."""
    rules, found = variant("backgammon"), parse_annotated(text)
    board, other = path_of_text(text, rules), position_summary(found, rules)
    return ReadFile(name, board=board, position=shown_text(found), other=other)


def _refused(one: RefusedFile) -> tuple[str, str]:
    """The name of a file that was refused, and why."""
    return shown(one.name, 80), " ".join(dict.fromkeys(why.translated() for why in one.why))


def _max_files(person: Guest | None) -> int:
    return MAX_FILES_OF_ACCOUNT if person is not None and person.registered else MAX_FILES_OF_GUEST


async def delete(request: Request) -> Response:
    """Deletes an imported match of the user."""
    person = await person_of(request)
    if person is None:
        raise UnknownReview("nobody is known here")
    await service_of(request).reviews.drop(person.id, request.path_params["review_id"])
    return go("/review")


def _oddities(found: Sequence[Oddity | str]) -> tuple[str, ...]:
    """What was odd, for the person who reads it now."""
    return tuple(shown(one if isinstance(one, str) else one.translated(), MAX_ODDITY) for one in found)


def _length_text(length: int) -> str:
    return ngettext("%(num)s point", "%(num)s points", length) if length else _("Money session")


def _shown(one: ListedReview, rated: Mapping[str, tuple[float, float]]) -> Brought:
    title, on = variant_title(variant(one.variant)), day_text(one.played_on, one.created_at)
    rating = rating_of_both(rated[one.id], one.names, None) if one.id in rated else ""
    return Brought(
        one.id,
        one.file,
        one.names,
        f"{title}, {_length_text(one.length)}",
        one.score,
        on,
        _oddities(one.oddities),
        rating,
    )


ROUTES: Final = (
    Route("/review", review_page),
    Route("/review", bring, methods=["POST"]),
    Route("/review/{review_id}/delete", delete, methods=["POST"]),
)
