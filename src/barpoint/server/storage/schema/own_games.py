"""Games of one's own that a server offers."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.domain.limits import MAX_VARIANT_NAME
from barpoint.server.storage.schema.shapes import METADATA, column, time

OWN_GAME: Final = sa.Table(
    "own_game",
    METADATA,
    column("name", sa.String(MAX_VARIANT_NAME), primary_key=True),
    column("text", sa.Text),
    column("net", sa.LargeBinary),
    time("added_at"),
)
"""text: of the variant's file. net: the file of the net that plays it; empty for none of its own."""
