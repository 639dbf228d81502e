"""A folder of games of one's own: what is known after it was read, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import barpoint as bp
from barpoint import train
from barpoint.engine.net import own_nets
from barpoint.error import FormatError, NetError
from barpoint.own_games import use_folder
from tests.support.own_variants import SHORT_FILE, forgetting


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from forgetting(monkeypatch)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A game, one that begins with it, and both in turn, in files whose names sort the other way round."""
    (tmp_path / "z-short.toml").write_text(SHORT_FILE, encoding="utf-8")
    (tmp_path / "m-shorter.toml").write_text(
        'name = "shorter"\nbase = "short"\n[scoring]\ngammon = 3', encoding="utf-8"
    )
    turns = 'name = "turns"\n[sequence]\ngames = ["short-game", "shorter"]'
    (tmp_path / "a-turns.toml").write_text(turns, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no game", encoding="utf-8")
    return tmp_path


def test_every_file_of_a_folder_is_known_whatever_the_order_of_their_names(games: Path) -> None:
    assert [rules.name for rules in use_folder(games)] == ["short-game", "shorter", "turns"]
    assert bp.variant("shorter").scoring.payments == (3, 6)
    assert bp.variant("turns").sequence.games == ("short-game", "shorter")
    assert len(use_folder(str(games))) == 3, "the same folder once more changes nothing"


def test_a_net_beside_a_file_plays_its_game(games: Path) -> None:
    rules = bp.read_variant(games / "z-short.toml")
    train.publish(train.Recipe.small(rules, hidden=16).fresh_net(), games / "z-short.net")
    use_folder(games)
    assert [rules.name for rules in own_nets()] == ["short-game"]
    assert bp.Engine("short-game").evaluate(bp.variant("short-game").start).equity != 0


def test_what_is_wrong_is_said_with_its_file(games: Path) -> None:
    (games / "z-short.net").write_bytes(b"no net")
    with pytest.raises(NetError):
        use_folder(games)
    (games / "z-short.toml").write_text("[scoring]\ngamon = 4", encoding="utf-8")
    with pytest.raises(FormatError, match=r"no variant is called 'short'.*|z-short\.toml: .*gamon"):
        use_folder(games)
    with pytest.raises(FormatError, match=r"nowhere is no folder"):
        use_folder(games / "nowhere")


def test_a_module_runs_with_the_games_of_a_folder(games: Path) -> None:
    command = [sys.executable, "-m", "barpoint.own_games", str(games), "barpoint", "variants", "turns"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("turns"), said.stdout


def test_every_command_knows_the_games_of_the_folder_that_the_environment_names(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BARPOINT_GAMES", str(games))
    command = [sys.executable, "-m", "barpoint", "variants"]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "short-game" in said.stdout
    monkeypatch.setenv("BARPOINT_GAMES", str(games / "nowhere"))
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout) == (2, "")
    assert "is no folder" in said.stderr
