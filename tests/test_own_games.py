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
from barpoint.own_games import use_folder, use_what_is_right
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
    with pytest.raises(NetError, match=r"z-short\.net: net file: does not begin as one"):
        use_folder(games)
    (games / "z-short.toml").write_text("[scoring]\ngamon = 4", encoding="utf-8")
    with pytest.raises(FormatError, match=r"nowhere is no folder"):
        use_folder(games / "nowhere")


def test_a_file_that_is_wrong_is_named_before_those_that_wait_for_it(games: Path) -> None:
    (games / "z-short.toml").write_text('name = "short"\n[scoring]\ngamon = 4', encoding="utf-8")
    with pytest.raises(FormatError, match=r"z-short\.toml: .*gamon"):
        use_folder(games)
    (games / "other.toml").write_text('name = "other"', encoding="utf-8")
    found, refused = use_what_is_right(games)
    assert [rules.name for rules in found] == ["other"], "the others are known all the same"
    assert [str(error).split(": ")[0].rpartition("/")[2] for error in refused] == [
        *("z-short.toml", "a-turns.toml", "m-shorter.toml"),
    ]


def test_hidden_files_and_folders_are_no_games(games: Path) -> None:
    (games / ".#z-short.toml").symlink_to("nowhere")
    (games / "folder.toml").mkdir()
    assert len(use_folder(games)) == 3


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
    (games / "broken.toml").write_text("setpu = 3", encoding="utf-8")
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "short-game" in said.stdout, "one that is wrong does not keep the others away"
    assert "broken.toml: setpu is not known" in said.stderr
    monkeypatch.setenv("BARPOINT_GAMES", str(games / "nowhere"))
    for option in ("--version", "--help"):
        assert subprocess.run([*command[:3], option], capture_output=True, check=True).stderr == b""
    said = subprocess.run([*command[:3], "serve"], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout) == (2, "")
    assert "is no folder" in said.stderr
