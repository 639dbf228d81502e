"""Everything the database holds about one person: packed for download, and deleted with their account."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Collection, Iterator
from typing import Any, Final

from sqlalchemy import Column, Connection, Table, delete, select, update

from barpoint.error import StoreError
from barpoint.server.domain.ledger import account
from barpoint.server.domain.seat_names import FORMER
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import reviews as review_storage
from barpoint.server.storage.schema.accounts import ACCESS_TOKEN, ACCOUNT, SESSION
from barpoint.server.storage.schema.chouettes import CHOUETTE_CHAT
from barpoint.server.storage.schema.lobby import CHAT
from barpoint.server.storage.schema.matches import EVENT, GUEST, MATCH, SEAT
from barpoint.server.storage.schema.results import LEDGER_LINE
from barpoint.server.storage.schema.shapes import METADATA
from barpoint.server.storage.schema.study import REVIEW

SECRET: Final = frozenset(
    {"auth", "endpoint", "p256dh", "password", "name_key", "look", "invitation", "server_seed", "client_seed", "state"}
)
"""Columns that are secret, not yet revealed, or redundant."""

APART: Final = frozenset(
    {"seat", "review", "uploaded_file", "mail_link", "recovery_code", "mute", "chouette_mute", "notice", "presence"}
    | {"vacation_pause"}
)
"""Tables that are left out of a download: seats and reviews come with their matches; the others say nothing more."""

LASTING: Final = frozenset(
    {"guest", "seat", "rating", "rating_change", "chat", "chouette_chat", "chat_report", "chouette_seat", "review"}
    | {"tournament", "tournament_player", "account", "club_result", "ladder_match", "administration", "board_player"}
)
"""Tables whose rows an account leaves behind, without its name, so that other players' results still add up.

The texts of its chat, its reviews and the account itself are deleted apart.
"""


def own_data(connection: Connection, person_id: str) -> bytes:
    """A ZIP file of JSON files: one per table that mentions the person, one per match, played or imported."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as pack:
        for table, owner in _personal_tables(APART):
            found = connection.execute(select(*_shown(table)).where(owner == person_id))
            _put(pack, f"{table.name}.json", [dict(row._mapping) for row in found])
        held = LEDGER_LINE.c.account == account(person_id)
        _put(pack, "tickets.json", [dict(row._mapping) for row in connection.execute(select(LEDGER_LINE).where(held))])
        mine = select(SEAT.c.match_id).where(SEAT.c.guest_id == person_id)
        for match in connection.execute(select(*_shown(MATCH)).where(MATCH.c.id.in_(mine))).all():
            seats = connection.execute(select(*_shown(SEAT)).where(SEAT.c.match_id == match.id).order_by(SEAT.c.seat))
            events = connection.execute(
                select(*_shown(EVENT)).where(EVENT.c.match_id == match.id).order_by(EVENT.c.seq)
            )
            log = {
                **match._mapping,
                "seats": [dict(seat._mapping) for seat in seats],
                "events": [{**event._mapping, "payload": json.loads(event.payload)} for event in events],
            }
            _put(pack, f"match/{match.id}.json", log)
        for review in connection.execute(select(REVIEW).where(REVIEW.c.guest_id == person_id)).all():
            _put(pack, f"review/{review.id}.json", {**review._mapping, "log": json.loads(gzip.decompress(review.log))})
    return buffer.getvalue()


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


def _put(pack: zipfile.ZipFile, name: str, value: object) -> None:
    pack.writestr(name, json.dumps(value, ensure_ascii=False, indent=1, default=str))
