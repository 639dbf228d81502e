"""A game of one's own, as the how-to has it: the file, the commands and the program run as printed, from an empty folder."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from barpoint.rules import Rules
from barpoint.variants.variant_file import DICE_TABLES, parse_variant
from tests.support.machine import PATIENCE_S

ROOT = Path(__file__).parents[2]
HOWTO = (ROOT / "docs" / "howto.md").read_text(encoding="utf-8")
SECTION = HOWTO.partition("## A game of your own, from a file to a net\n")[2].partition("\n## ")[0]
KEYS = (ROOT / "docs" / "own_games.md").read_text(encoding="utf-8")
FASTER = {"train": ("--minutes", "0.2", "--first-games", "200", "--hidden", "16")}


def block(text: str, language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)[0]


def ran(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "LC_ALL": "C"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_is_written_played_trained_analysed_and_used_as_the_how_to_says(tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text(block(SECTION, "toml"), encoding="utf-8")
    said = []
    for line in block(SECTION, "bash").splitlines():
        program, command, *options = shlex.split(line, comments=True)
        assert program == "barpoint"
        said.append(ran(tmp_path, "-m", "barpoint", command, *options, *FASTER.get(command, ())))
    shown, _two, trained, played, analysed, evaluated = said
    assert shown.startswith("short\n")
    assert "trained/final.net" in trained
    assert "match.json" in played
    assert "short" in analysed
    assert "plays of 3-1" in evaluated
    (tmp_path / "own.py").write_text(block(SECTION, "python"), encoding="utf-8")
    assert ran(tmp_path, "own.py")


def test_the_file_of_the_page_is_one() -> None:
    entry = parse_variant(block(KEYS, "toml"))
    assert (entry.name, set(entry.axes)) == ("short-game", {"setup", "dice", "scoring"})


@pytest.mark.parametrize("axis", [field.name for field in fields(Rules)[1:]])
def test_every_key_of_a_file_is_on_the_page_with_its_values(axis: str) -> None:
    value = getattr(Rules(), axis)
    rows = [line for line in KEYS.splitlines() if line.startswith((f"| `[{axis}]", f"| `{axis}`"))]
    text = "\n".join(rows)
    assert rows
    for field in fields(value) if is_dataclass(value) and axis != "dice" else ():
        assert re.search(rf"\b{field.name}`|`{field.name}`", text), field.name
        kind = type(field.default)
        for choice in kind if hasattr(kind, "__members__") else ():
            assert f'"{choice}"' in text, choice
    if axis == "dice":
        for key in ("table", "doubles", "plays", "again", "weights", "obligation", *DICE_TABLES):
            assert key in text
