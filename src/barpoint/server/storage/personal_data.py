"""Everything the database holds about one person, packed for download."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from typing import Any, Final

from sqlalchemy import Connection, Table, select

from barpoint.server.domain.ledger import account
from barpoint.server.storage.schema.accounts import ACCESS_TOKEN, ACCOUNT, PUSH_SUBSCRIPTION, SESSION
from barpoint.server.storage.schema.chouettes import CHOUETTE_CHAT, CHOUETTE_SEAT
from barpoint.server.storage.schema.fibs import FIBS_MESSAGE, FIBS_PLAYER
from barpoint.server.storage.schema.lobby import BLOCK, CHALLENGE, CHAT, CHAT_REPORT, DIRECT_CHALLENGE
from barpoint.server.storage.schema.matches import EVENT, GUEST, MATCH, SEAT
from barpoint.server.storage.schema.results import LEDGER_LINE
from barpoint.server.storage.schema.shapes import METADATA
from barpoint.server.storage.schema.study import REVIEW
from barpoint.server.storage.schema.tournaments import TOURNAMENT, TOURNAMENT_PLAYER

SECRET: Final = frozenset(
    {"auth", "endpoint", "p256dh", "password", "name_key", "look", "invitation", "server_seed", "client_seed", "state"}
)
"""Columns that are secret, not yet revealed, or redundant."""

_OWN: Final = ((GUEST, "id"), (ACCOUNT, "id"), (SESSION, "account_id"), (CHALLENGE, "guest_id"), (CHAT, "guest_id"))
_TABLES: Final = (CHOUETTE_SEAT, CHOUETTE_CHAT)
_OWN_TOO: Final = tuple(
    (table, "guest_id")
    for table in (
        BLOCK,
        CHAT_REPORT,
        ACCESS_TOKEN,
        DIRECT_CHALLENGE,
        FIBS_PLAYER,
        FIBS_MESSAGE,
        PUSH_SUBSCRIPTION,
        *_TABLES,
    )
)
_TOURNAMENTS: Final = ((TOURNAMENT, "guest_id"), (TOURNAMENT_PLAYER, "guest_id"))


def own_data(connection: Connection, person_id: str) -> bytes:
    """A ZIP file of JSON files: one per table that mentions the person, one per match, played or imported."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as pack:
        for table, column in (*_OWN, *_OWN_TOO, *_TOURNAMENTS, *_further()):
            found = connection.execute(select(*_shown(table)).where(table.c[column] == person_id))
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


def _further() -> list[tuple[Table, str]]:
    """Rating tables, with the column that names the person."""
    named = ("rating", "rating_change")
    return [(table, "guest_id") for name, table in METADATA.tables.items() if name in named and "guest_id" in table.c]


def _shown(table: Table) -> list[Any]:
    hidden = SECRET | ({"id"} if table in (SESSION, ACCESS_TOKEN) else set())
    return [column for column in table.c if column.name not in hidden]


def _put(pack: zipfile.ZipFile, name: str, value: object) -> None:
    pack.writestr(name, json.dumps(value, ensure_ascii=False, indent=1, default=str))
