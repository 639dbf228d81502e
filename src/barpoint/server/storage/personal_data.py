"""Everything the database holds about one person: packed for download, and deleted with their account."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, Connection, Table, delete, or_, select, update

from barpoint.error import StoreError
from barpoint.server.domain.ledger import account
from barpoint.server.domain.seat_names import FORMER
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import reviews as review_storage
from barpoint.server.storage import studies as study_storage
from barpoint.server.storage import uploads as upload_storage
from barpoint.server.storage.schema.accounts import ACCESS_TOKEN, ACCOUNT, SESSION
from barpoint.server.storage.schema.chouettes import CHOUETTE_CHAT
from barpoint.server.storage.schema.lobby import CHAT
from barpoint.server.storage.schema.matches import EVENT, GUEST, MATCH, SEAT
from barpoint.server.storage.schema.messages import MESSAGE
from barpoint.server.storage.schema.results import LEDGER_LINE
from barpoint.server.storage.schema.shapes import METADATA
from barpoint.server.storage.schema.study import REVIEW

SECRET: Final = frozenset(
    {
        "auth",
        "endpoint",
        "p256dh",
        "password",
        "name_key",
        "look",
        "invitation",
        "server_seed",
        "client_seed",
        "state",
        "command_id",
    }
)
"""Columns that are secret, not yet revealed, redundant, or the other player's, too."""

APART: Final = frozenset(
    {"seat", "review", "uploaded_file", "mail_link", "recovery_code", "mute", "chouette_mute", "notice", "presence"}
    | {"vacation_pause", "message"}
)
"""Tables that are left out of a download: seats and reviews come with their matches, messages with those of the others, positions of uploaded files as texts; the rest says nothing more."""

LASTING: Final = frozenset(
    {"guest", "seat", "rating", "rating_change", "chat", "chouette_chat", "chat_report", "chouette_seat", "review"}
    | {"tournament", "tournament_player", "account", "club_result", "ladder_match", "administration", "board_player"}
)
"""Tables whose rows an account leaves behind, without its name, so that other players' results still add up.

The texts of its chat, its reviews and the account itself are deleted apart.
"""


AT_ONCE: Final = 20
"""Matches that one read of own data takes: thousands of them would keep others waiting for long."""

OwnFile = tuple[str, object]
"""The name of a JSON file, and what it holds."""

ReadFiles = Callable[[Connection, Sequence[str]], list[OwnFile]]
"""Reads the files with these ids."""


@dataclass(frozen=True, slots=True)
class OwnTables:
    """What the database holds about a person, but for their matches. matches, reviews: the ids of these, played and imported."""

    files: list[OwnFile]
    matches: list[str]
    reviews: list[str]

    def reads(self) -> Iterator[tuple[ReadFiles, list[str]]]:
        """How to read the matches, at most AT_ONCE at a time."""
        for read, ids in ((_match_files, self.matches), (_review_files, self.reviews)):
            for first in range(0, len(ids), AT_ONCE):
                yield read, ids[first : first + AT_ONCE]


class Pack:
    """A ZIP file of JSON files, in memory."""

    def __init__(self) -> None:
        self._buffer = io.BytesIO()
        self._zip = zipfile.ZipFile(self._buffer, "w", zipfile.ZIP_DEFLATED)

    def put(self, files: Iterable[OwnFile]) -> None:
        """Adds files."""
        for name, value in files:
            self._zip.writestr(name, json.dumps(value, ensure_ascii=False, indent=1, default=str))

    def closed(self) -> bytes:
        """The whole file; nothing can be added any more."""
        self._zip.close()
        return self._buffer.getvalue()


def own_data(connection: Connection, person_id: str) -> bytes:
    """A ZIP file of JSON files: one per table that mentions the person, one per match, played or imported.

    `Accounts.own_data` makes the same for a server with other things to do.
    """
    found, pack = own_tables(connection, person_id), Pack()
    pack.put(found.files)
    for read, ids in found.reads():
        pack.put(read(connection, ids))
    return pack.closed()


def own_tables(connection: Connection, person_id: str) -> OwnTables:
    """One file per table that mentions the person, and the ids of their matches."""
    files: list[OwnFile] = []
    for table, owner in _personal_tables(APART):
        found = connection.execute(select(*_shown(table)).where(owner == person_id))
        files.append((f"{table.name}.json", [dict(row._mapping) for row in found]))
    held = connection.execute(select(LEDGER_LINE).where(LEDGER_LINE.c.account == account(person_id)))
    files.append(("tickets.json", [dict(row._mapping) for row in held]))
    written = or_(MESSAGE.c.guest_id == person_id, MESSAGE.c.other_id == person_id)
    shown = [one for one in _shown(MESSAGE) if one.name not in ("read_at", "told")]
    found = connection.execute(select(*shown).where(written).order_by(MESSAGE.c.id))
    files.append((f"{MESSAGE.name}.json", [dict(row._mapping) for row in found]))
    brought = upload_storage.positions(connection, person_id)
    files.append(("position.json", [{"file": name, "text": text} for name, text in brought]))
    played = select(SEAT.c.match_id).where(SEAT.c.guest_id == person_id).distinct()
    imported = select(REVIEW.c.id).where(REVIEW.c.guest_id == person_id)
    return OwnTables(files, list(connection.scalars(played)), list(connection.scalars(imported)))


def _match_files(connection: Connection, match_ids: Sequence[str]) -> list[OwnFile]:
    files: list[OwnFile] = []
    for match in connection.execute(select(*_shown(MATCH)).where(MATCH.c.id.in_(match_ids))).all():
        seats = connection.execute(select(*_shown(SEAT)).where(SEAT.c.match_id == match.id).order_by(SEAT.c.seat))
        events = connection.execute(select(*_shown(EVENT)).where(EVENT.c.match_id == match.id).order_by(EVENT.c.seq))
        log = {
            **match._mapping,
            "seats": [dict(seat._mapping) for seat in seats],
            "events": [{**event._mapping, "payload": json.loads(event.payload)} for event in events],
        }
        files.append((f"match/{match.id}.json", log))
    return files


def _review_files(connection: Connection, review_ids: Sequence[str]) -> list[OwnFile]:
    found = connection.execute(select(REVIEW).where(REVIEW.c.id.in_(review_ids)))
    return [(f"review/{row.id}.json", {**row._mapping, "log": json.loads(gzip.decompress(row.log))}) for row in found]


def _personal_tables(but: Collection[str]) -> Iterator[tuple[Table, Column[Any]]]:
    """Every table with rows of persons, and the column that names them; those that refer to others first.

    but: tables to leave out.
    """
    for table in reversed(METADATA.sorted_tables):
        own = "id" if table in (GUEST, ACCOUNT) else "account_id" if "account_id" in table.c else "guest_id"
        if own in table.c and table.name not in but:
            yield table, table.c[own]


def forget_account(connection: Connection, account_id: str, now: int) -> None:
    """Deletes an account. Its matches stay, without its name; StoreError if there is no such account.

    Its id, a random text, stays in seats, ratings and the ledger, so that other players' results still add up. Clubs
    that it alone owns go to others.
    """
    club_storage.hand_over(connection, account_id, now)
    study_storage.drop_answers(connection, account_id)
    for table, owner in _personal_tables(LASTING):
        own = owner == account_id
        connection.execute(
            delete(table).where(own | (table.c.other_id == account_id) if "other_id" in table.c else own)
        )
    review_storage.drop_all(connection, account_id)
    for chat in (CHAT, CHOUETTE_CHAT):
        connection.execute(update(chat).where(chat.c.guest_id == account_id).values(text="(deleted)"))
    if connection.execute(delete(ACCOUNT).where(ACCOUNT.c.id == account_id)).rowcount != 1:
        raise StoreError("there is no such account")
    account_storage.rename(connection, account_id, FORMER)


def _shown(table: Table) -> list[Any]:
    hidden = SECRET | ({"id"} if table in (SESSION, ACCESS_TOKEN) else set())
    return [column for column in table.c if column.name not in hidden]
