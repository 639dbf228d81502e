"""Games of one's own in the database: matches of them can be read wherever it is, and their rules stay what they were."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msgspec import Struct
from sqlalchemy import Connection, select, update

from barpoint.error import StoreError
from barpoint.server.domain.titles import part_names
from barpoint.server.storage.database import insert_where_absent
from barpoint.server.storage.schema.chouettes import CHOUETTE
from barpoint.server.storage.schema.matches import MATCH
from barpoint.server.storage.schema.own_games import OWN_GAME
from barpoint.server.storage.schema.study import REVIEW
from barpoint.variants.variant_file import format_variant, parse_variant


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
    games, before = tuple(games), {game.name: game for game in kept(connection)}
    _free_spellings(connection, before, games)
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


def _free_spellings(connection: Connection, before: dict[str, OwnGame], games: tuple[OwnGame, ...]) -> None:
    """Other spellings go from games of before to those that have them now: nothing is kept by them. StoreError where a name would."""
    entries = {game.name: parse_variant(game.text) for game in games}
    taken = {spelling for name, entry in entries.items() for spelling in (name, *entry.aliases)}
    for known in before.values():
        if known.name in entries:
            continue
        if known.name in taken:
            raise StoreError("%(name)r is the name of a game that was offered before: choose another", name=known.name)
        entry = parse_variant(known.text)
        left = tuple(alias for alias in entry.aliases if alias not in taken)
        if left != entry.aliases:
            text = format_variant(replace(entry, aliases=left))
            connection.execute(update(OWN_GAME).where(OWN_GAME.c.name == known.name).values(text=text))


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
    entries = {name: parse_variant(game.text) for name, game in known.items()}
    names = {spelling: entry.name for entry in entries.values() for spelling in (entry.name, *entry.aliases)}
    for name in found & entries.keys():
        for axis in entries[name].axes.values():
            in_turn = (part for game in getattr(axis, "games", ()) for part in part_names(game))
            found.update(names.get(part, part) for part in in_turn)
    return found
