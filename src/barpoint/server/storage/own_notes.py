"""Own notes in the database: what a person keeps of their matches and of the decisions in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Row, Select, and_, delete, select, update

from barpoint.server.domain.own_notes import MAX_NOTES, NotesFull
from barpoint.server.storage.analyses import AnalysisSource
from barpoint.server.storage.database import count, insert_or_update
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.matches import SEAT
from barpoint.server.storage.schema.study import OWN_NOTE, REVIEW


class OwnNote(Struct, frozen=True):
    """What a person keeps of a match, or of a decision. event: with which that was made, from 1; 0 for the whole match."""

    source: AnalysisSource
    match: str
    event: int = 0
    starred: bool = False
    tags: tuple[str, ...] = ()
    comment: str = ""

    @property
    def path(self) -> str:
        """The common prefix of the URLs of the match."""
        return f"/{self.source}/{self.match}"


_TAGS: Final = msgspec.json.Decoder(tuple[str, ...])


def _stored(row: Row[Any]) -> OwnNote:
    return OwnNote(row.source, row.match_id, row.event, row.starred, _TAGS.decode(row.tags), row.comment)


def _of_match(guest_id: str, source: AnalysisSource, match_id: str) -> ColumnElement[bool]:
    own = OWN_NOTE.c.guest_id == guest_id
    return and_(own, OWN_NOTE.c.source == source, OWN_NOTE.c.match_id == match_id)


def notes(connection: Connection, guest_id: str) -> tuple[OwnNote, ...]:
    """All that a person keeps, the note changed last first."""
    order = (OWN_NOTE.c.changed_at.desc(), OWN_NOTE.c.match_id, OWN_NOTE.c.event)
    rows = connection.execute(select(OWN_NOTE).where(OWN_NOTE.c.guest_id == guest_id).order_by(*order))
    return tuple(_stored(row) for row in rows)


def starred(connection: Connection, guest_id: str) -> set[str]:
    """The paths of the matches to which a person has given a star."""
    own = OWN_NOTE.c.guest_id == guest_id, OWN_NOTE.c.event == 0, OWN_NOTE.c.starred.is_(True)
    rows = connection.execute(select(OWN_NOTE.c.source, OWN_NOTE.c.match_id).where(*own))
    return {f"/{row.source}/{row.match_id}" for row in rows}


def notes_of_match(connection: Connection, guest_id: str, source: AnalysisSource, match_id: str) -> tuple[OwnNote, ...]:
    """What a person keeps of a match, the whole first, then its decisions in order."""
    of = _of_match(guest_id, source, match_id)
    rows = connection.execute(select(OWN_NOTE).where(of).order_by(OWN_NOTE.c.event))
    return tuple(_stored(row) for row in rows)


def note(connection: Connection, guest_id: str, source: AnalysisSource, match_id: str, event: int) -> OwnNote:
    """What a person keeps of a match or a decision; an empty note where that is nothing."""
    of = and_(_of_match(guest_id, source, match_id), OWN_NOTE.c.event == event)
    row = connection.execute(select(OWN_NOTE).where(of)).first()
    return OwnNote(source, match_id, event) if row is None else _stored(row)


def owns(connection: Connection, guest_id: str, source: AnalysisSource, match_id: str) -> bool:
    """Whether a person has played this match here, or has imported it."""
    if source == "match":
        return count(connection, SEAT, SEAT.c.match_id == match_id, SEAT.c.guest_id == guest_id) > 0
    return count(connection, REVIEW, REVIEW.c.id == match_id, REVIEW.c.guest_id == guest_id) > 0


def lock(connection: Connection, guest_id: str) -> None:
    """Has other processes wait that change notes of the same account, until this transaction ends."""
    connection.execute(select(ACCOUNT.c.id).where(ACCOUNT.c.id == guest_id).with_for_update())


def put(connection: Connection, guest_id: str, note: OwnNote, now: int) -> None:
    """Stores a note instead of the one before; an empty one is none. NotesFull if the person has too many."""
    of = and_(_of_match(guest_id, note.source, note.match), OWN_NOTE.c.event == note.event)
    if not (note.starred or note.tags or note.comment):
        connection.execute(delete(OWN_NOTE).where(of))
        return
    if (
        not count(connection, OWN_NOTE, of)
        and count(connection, OWN_NOTE, OWN_NOTE.c.guest_id == guest_id) >= MAX_NOTES
    ):
        raise NotesFull("you keep notes on %(count)s matches and decisions; clear one to keep another", count=MAX_NOTES)
    key = {"guest_id": guest_id, "source": note.source, "match_id": note.match, "event": note.event}
    tags = msgspec.json.encode(note.tags).decode()
    values = {"starred": note.starred, "tags": tags, "comment": note.comment, "changed_at": now}
    insert_or_update(connection, OWN_NOTE, key, **values)


def move(connection: Connection, source: AnalysisSource, match_id: str, new_id: str, events: Mapping[int, int]) -> None:
    """Moves what people keep of a match to another version of it. events: numbers there; what has none, or a note already, stays."""
    of = OWN_NOTE.c.source == source, OWN_NOTE.c.match_id == match_id
    for row in connection.execute(select(OWN_NOTE.c.guest_id, OWN_NOTE.c.event).where(*of)).all():
        own = OWN_NOTE.c.guest_id == row.guest_id, OWN_NOTE.c.source == source
        there = OWN_NOTE.c.match_id == new_id, OWN_NOTE.c.event == events.get(row.event)
        if row.event in events and not count(connection, OWN_NOTE, *own, *there):
            here = OWN_NOTE.c.match_id == match_id, OWN_NOTE.c.event == row.event
            values = {"match_id": new_id, "event": events[row.event]}
            connection.execute(update(OWN_NOTE).where(*own, *here).values(**values))


def drop_of_reviews(connection: Connection, review_ids: Select[tuple[Any]]) -> None:
    """Deletes what is kept of imported matches that are deleted."""
    of = and_(OWN_NOTE.c.source == "review", OWN_NOTE.c.match_id.in_(review_ids))
    connection.execute(delete(OWN_NOTE).where(of))
