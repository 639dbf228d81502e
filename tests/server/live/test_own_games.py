"""Games of one's own on a server: played, analysed by its processes, and kept as they were when matches were played."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

import barpoint as bp
from barpoint import train
from barpoint.error import StoreError, UnknownVariant
from barpoint.own_games import use_folder
from barpoint.server import child_process
from barpoint.server.bots.barpoint import EngineOpponents
from barpoint.server.domain.dice import SeededDice
from barpoint.server.domain.settings import Settings
from barpoint.server.live.administration import Admin
from barpoint.server.live.own_games import keep_games, known_games
from barpoint.server.services import running, wall_clock
from barpoint.server.storage.store import Store
from tests.support import databases
from tests.support.machine import PATIENCE_S
from tests.support.own_variants import SHORT_FILE, forget, forgetting
from tests.support.played import play_match

pytestmark = pytest.mark.usefixtures("each_database")

QUICK_FILE = 'name = "quick-game"\nbase = "short-game"\n[setup]\npoints = { 6 = 3 }'
TURNS_FILE = 'name = "a-turns"\n[sequence]\ngames = ["short-game", "quick-game"]'


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from forgetting(monkeypatch)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "short.toml").write_text(SHORT_FILE, encoding="utf-8")
    (folder / "quick.toml").write_text(QUICK_FILE, encoding="utf-8")
    (folder / "turns.toml").write_text(TURNS_FILE, encoding="utf-8")
    rules = next(one for one in use_folder(folder) if one.name == "short-game")
    train.publish(train.Recipe.small(rules, hidden=16).fresh_net(), folder / "short.net")
    use_folder(folder)
    return folder


async def keep_again(database: str) -> None:
    store = await Store.open(database)
    try:
        await keep_games(store, wall_clock())
    finally:
        await store.close()


async def test_it_is_played_and_analysed_and_known_without_its_folder(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(databases.address(tmp_path), workers=1, analyse_ended="quick")
    async with running(settings, SeededDice(), EngineOpponents(), wall_clock) as services:
        assert services.opponents.covers(bp.variant("short-game"))
        match_id = await play_match(services, "short-game")
    forget(monkeypatch)
    with pytest.raises(UnknownVariant):
        bp.variant("short-game")
    admin = Admin(settings.database, wall_clock())
    assert await admin.differences() == [], "the command line knows it, too"
    forget(monkeypatch)
    async with running(settings, SeededDice(), EngineOpponents(), wall_clock) as services:
        rules = bp.variant("short-game")
        assert (rules.checkers, rules.scoring.payments) == (10, (4, 6))
        assert bp.variant("a-turns").sequence.games == ("short-game", "quick-game")
        assert services.opponents.covers(rules), "its net is kept, too"
        key = services.analyses.key(match_id, rules, 0)
        async with asyncio.timeout(PATIENCE_S):
            while (await services.analyses.state(key)).state != "done":
                await asyncio.sleep(0.05)
    assert child_process.command_of("some.module")[1:] == ("-m", "some.module"), "and none of it is left behind"


async def test_rules_change_only_while_nobody_has_played_by_them(games: Path, tmp_path: Path) -> None:
    database = databases.address(tmp_path)
    await keep_again(database)
    (games / "short.toml").write_text(SHORT_FILE.replace("gammon = 4", "gammon = 5"), encoding="utf-8")
    use_folder(games)
    async with running(Settings(database, workers=0), SeededDice(), EngineOpponents(), wall_clock) as services:
        assert bp.variant("short-game").scoring.gammon == 5
        await play_match(services, "a-turns")
    (games / "short.toml").write_text(SHORT_FILE.replace("Short game", "Shorter game"), encoding="utf-8")
    use_folder(games)
    with pytest.raises(
        StoreError, match="short-game has matches that were played by other rules: give the changed game"
    ):
        await keep_again(database)
    again = SHORT_FILE.replace("Short game", "Shorter game").replace("gammon = 4", "gammon = 5")
    (games / "short.toml").write_text(again, encoding="utf-8")
    use_folder(games)
    await keep_again(database)


async def test_rules_stay_however_a_sequence_spells_their_name(games: Path, tmp_path: Path) -> None:
    database = databases.address(tmp_path)
    turns = 'name = "b-turns"\n[sequence]\ngames = ["short", "quick-game"]'
    (games / "turns.toml").write_text(turns, encoding="utf-8")
    use_folder(games)
    async with running(Settings(database, workers=0), SeededDice(), EngineOpponents(), wall_clock) as services:
        await play_match(services, "b-turns")
    (games / "short.toml").write_text(SHORT_FILE.replace("gammon = 4", "gammon = 5"), encoding="utf-8")
    use_folder(games)
    with pytest.raises(StoreError, match="short-game has matches that were played by other rules"):
        await keep_again(database)


async def test_a_changed_game_with_a_new_name_takes_the_other_spellings_with_it(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(databases.address(tmp_path), workers=0)
    async with running(settings, SeededDice(), EngineOpponents(), wall_clock) as services:
        await play_match(services, "short-game")
    forget(monkeypatch)
    for file in games.iterdir():
        file.unlink()
    text = SHORT_FILE.replace('"short-game"', '"short-game-2"').replace("gammon = 4", "gammon = 5")
    (games / "short.toml").write_text(text, encoding="utf-8")
    use_folder(games)
    async with running(settings, SeededDice(), EngineOpponents(), wall_clock):
        assert bp.variant("short").name == "short-game-2"
        assert bp.variant("short-game").scoring.gammon == 4, "its matches are read as before"
    (games / "short.toml").write_text(text.replace('"short-game-2"', '"short-3"').replace('"short"', '"short-game"'))
    forget(monkeypatch)
    use_folder(games)
    with pytest.raises(StoreError, match="'short-game' is the name of a game that was offered before"):
        await keep_again(settings.database)


async def test_other_commands_change_nothing_that_a_server_offers(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = databases.address(tmp_path)
    await keep_again(database)
    (games / "other.toml").write_text('name = "other"', encoding="utf-8")
    use_folder(games)
    await Admin(database, wall_clock()).accounts()
    forget(monkeypatch)
    store = await Store.open(database)
    assert "other" not in {game.name for game in await known_games(store)}
    await store.close()
