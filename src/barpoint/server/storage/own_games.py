"""Games of one's own in the database: matches of them can be read wherever it is, and their rules stay what they were."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from sqlalchemy import Connection, select, update

from barpoint.error import StoreError
from barpoint.server.domain.titles import part_names
from barpoint.server.storage.database import insert_where_absent
from barpoint.server.storage.schema.chouettes import CHOUETTE
from barpoint.server.storage.schema.matches import MATCH
from barpoint.server.storage.schema.own_games import OWN_GAME
from barpoint.server.storage.schema.study import REVIEW
from barpoint.variants.variant_file import parse_variant


class OwnGame(Struct, frozen=True):
    """A game. text: of its file. net: the file of the net that plays it, empty for none of its own."""

    name: str
    text: str
    net: bytes = b""


def kept(connection: Connection) -> tuple[OwnGame, ...]:
    """All of them, games that others are played in turn with first."""
    rows = connection.execute(select(OWN_GAME).order_by(OWN_GAME.c.added_at, OWN_GAME.c.name))
    games = (OwnGame(row.name, row.text, row.net) for row in rows)
    return tuple(sorted(games, key=lambda game: parse_variant(game.text).is_sequence))


def keep(connection: Connection, games: Iterable[OwnGame], now: int) -> tuple[OwnGame, ...]:
    """Keeps these games beside those of before, and returns all. StoreError where a match has been played by other rules of that name."""
    before = {game.name: game for game in kept(connection)}
    for game in games:
        known = before.get(game.name)
        if known is None:
            row = {"name": game.name, "text": game.text, "net": game.net, "added_at": now}
            insert_where_absent(connection, OWN_GAME, **row)
        elif known != game:
            _check_rules_kept(connection, known, game, before)
            changed = update(OWN_GAME).where(OWN_GAME.c.name == game.name)
            connection.execute(changed.values(text=game.text, net=game.net))
    return kept(connection)


def _check_rules_kept(connection: Connection, known: OwnGame, game: OwnGame, all_known: dict[str, OwnGame]) -> None:
    same = parse_variant(known.text).axes == parse_variant(game.text).axes
    if not same and game.name in _played(connection, all_known):
        raise StoreError(
            "%(name)s has matches that were played by other rules: give the changed game another name", name=game.name
        )


def _played(connection: Connection, known: dict[str, OwnGame]) -> set[str]:
    """The names of all variants of which there are matches, and of those that these play in turn."""
    found: set[str] = set()
    for table in (MATCH, CHOUETTE, REVIEW):
        for name in connection.scalars(select(table.c.variant).distinct()):
            found |= part_names(name)
    for name in found & known.keys():
        for axis in parse_variant(known[name].text).axes.values():
            found.update(getattr(axis, "games", ()))
    return found
