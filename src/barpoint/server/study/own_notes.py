"""Keeps the own notes of accounts on their matches, and finds the one that belongs to a moment."""

from __future__ import annotations

import re

from msgspec.structs import replace
from sqlalchemy import Connection

from barpoint.server.domain.guests import Guest
from barpoint.server.domain.own_notes import clean_tags
from barpoint.server.live.event_log import ForeignSeat
from barpoint.server.live.matches import UnknownMatch
from barpoint.server.storage import own_notes as note_storage
from barpoint.server.storage.analyses import AnalysisSource
from barpoint.server.storage.own_notes import OwnNote


def keep_note(
    connection: Connection,
    person: Guest,
    place: OwnNote,
    now: int,
    *,
    starred: bool | None = None,
    tags: tuple[str, ...] | None = None,
    comment: str | None = None,
) -> OwnNote:
    """Changes what a person keeps of a match or a decision; None leaves a part as it is. Returns the note.

    place: says of which. ForeignSeat for guests, UnknownMatch for a match that is not theirs, NotesFull, IllegalEvent.
    """
    if not person.registered:
        raise ForeignSeat("notes are for players with an account; log in or register")
    if not note_storage.owns(connection, person.id, place.source, place.match):
        raise UnknownMatch("you have no such match")
    note_storage.lock(connection, person.id)
    before = note_storage.note(connection, person.id, place.source, place.match, place.event)
    after = replace(
        before,
        starred=before.starred if starred is None else starred,
        tags=before.tags if tags is None else clean_tags(tags),
        comment=before.comment if comment is None else comment.replace("\0", "").strip(),
    )
    note_storage.put(connection, person.id, after, now)
    return after


def comment_at(connection: Connection, guest_id: str, moment: str) -> str:
    """A person's comment on the decision at a moment. moment: the link of the board before it, as cards keep it; "" for none."""
    found = re.fullmatch(r"/(match|review)/([^/]+)/replay#(\d{1,7})", moment)
    if found is None:
        return ""
    source: AnalysisSource = "match" if found[1] == "match" else "review"
    return note_storage.note(connection, guest_id, source, found[2], int(found[3]) + 1).comment
