"""Games of one's own on a server: offered like all others, and known to every process on its database."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from barpoint.error import BarpointError
from barpoint.own_games import NET_SUFFIX
from barpoint.rules import Variant
from barpoint.server import child_process
from barpoint.server.storage import own_games
from barpoint.server.storage.own_games import OwnGame
from barpoint.server.storage.store import Store
from barpoint.variants import register, rules_of
from barpoint.variants.variant_file import SUFFIX, format_variant, from_files, parse_variant

LOG: Final = logging.getLogger("barpoint.server")


async def keep_games(store: Store, now: int) -> tuple[OwnGame, ...]:
    """Keeps the games that this process has read from files, and has those known here that the database holds; all of them.

    StoreError for a game of which there are matches by other rules.
    """
    if own := from_files():
        await store.write(own_games.keep, _with_nets(own), now)
    return await known_games(store)


async def known_games(store: Store) -> tuple[OwnGame, ...]:
    """Has the games known in this process that the database holds, and returns them."""
    return tuple([game for game in await store.read(own_games.kept) if _learn(game)])


def _with_nets(entries: tuple[Variant, ...]) -> list[OwnGame]:
    from barpoint.engine.net import own_nets

    nets = own_nets()
    return [OwnGame(one.name, format_variant(one), nets.get(rules_of(one.name), b"")) for one in entries]


def _learn(game: OwnGame) -> bool:
    """Whether it is known now: a later version of the program may have a game of its own by that name."""
    try:
        rules = register(parse_variant(game.text), overwrite=True)
    except BarpointError as error:
        LOG.warning("the game %s of the database is left out: %s", game.name, error)
        return False
    if game.net:
        from barpoint.engine.net import parse, use_net

        use_net(rules, parse(game.net))
    return True


@contextmanager
def told_to_processes(games: tuple[OwnGame, ...]) -> Iterator[None]:
    """Has the processes that the server starts know these games."""
    if not games:
        yield
        return
    with TemporaryDirectory(prefix="barpoint-games-") as folder:
        for game in games:
            (Path(folder) / f"{game.name}{SUFFIX}").write_text(game.text, encoding="utf-8")
            if game.net:
                (Path(folder) / f"{game.name}{NET_SUFFIX}").write_bytes(game.net)
        child_process.use_games(folder)
        try:
            yield
        finally:
            child_process.use_games("")
