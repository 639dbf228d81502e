"""Own notes over HTTP: read and kept by whoever has the token, or uses the pages; nobody else sees them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from starlette.responses import Response

from barpoint.server.api import messages
from barpoint.server.api.requests import Call, answer_with, guarded, query_in
from barpoint.server.domain.studies import NodeComment
from barpoint.server.storage import own_notes as note_storage
from barpoint.server.storage.analyses import AnalysisSource
from barpoint.server.storage.own_notes import OwnNote
from barpoint.server.study.own_notes import keep_note


class NoteBody(messages.Body, frozen=True):
    """What is kept of a match, or of a decision: event, with which it was made, from 1. What is left out stays as it is."""

    match: Annotated[str, Meta(min_length=1, max_length=16)]
    source: AnalysisSource = "match"
    event: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    starred: bool | None = None
    tags: tuple[str, ...] | None = None
    comment: NodeComment | None = None


class NoteQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The match that is meant; without one all notes."""

    match: Annotated[str, Meta(max_length=16)] = ""
    source: Literal["match", "review"] = "match"


class NoteList(Struct, frozen=True):
    """One's own notes: of a match in the order of play, of all matches the one changed last first."""

    notes: tuple[OwnNote, ...]


@guarded(None, pages=True)
async def notes(call: Call) -> Response:
    """One's own notes on matches and decisions."""
    query, read = query_in(call.request, NoteQuery), call.services.store.read
    if not query.match:
        return answer_with(NoteList(await read(note_storage.notes, call.person.id)))
    found = await read(note_storage.notes_of_match, call.person.id, query.source, query.match)
    return answer_with(NoteList(found))


@guarded(None, pages=True)
async def put_note(call: Call) -> Response:
    """Changes one's own note on a match or a decision; for accounts, on matches of theirs."""
    body = await call.body(NoteBody)
    place, now = OwnNote(body.source, body.match, body.event), call.services.matches.clock()
    kept = await call.services.store.write(
        keep_note, call.person, place, now, starred=body.starred, tags=body.tags, comment=body.comment
    )
    return answer_with(kept)
