"""The programs of the how-tos: short, typed, named in the docs, and they run."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from barpoint.client import AsyncClient
from tests.record.test_mat import MATCH
from tests.support.accounts import hasten, serving
from tests.support.programs import Member, simple
from tests.support.serving import serve

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "examples" / "howto").glob("*.py"))
MAX_LINES = 25
NUMBERS = {18: "Eighteen", 19: "Nineteen", 20: "Twenty"}

RUNS: dict[str, tuple[tuple[str, ...], str]] = {
    "best_move": ((), "8/5 6/5"),
    "blunders": (("season",), "Anna"),
    "convert": (("out", ".sgf", "season"), ""),
    "decision_table": (("table.npz", "season"), "lost a play"),
    "environment": (("3",), "reward"),
    "go_on": (("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:31:2:4:0:7:10",), " wins "),
    "own_player": ((), "the careful player"),
    "own_sequence": ((), "'backgammon', 'nackgammon'"),
    "own_variant": (("short.mat",), "roll-over+short-game"),
    "pictures": (("position.svg",), "+-13--14-"),
    "positions": (("300",), "(300, 2, 32) int8 (300, 5) float32"),
    "rollout": (("4HPwATDgc/ABMA", "36"), "±"),
    "self_play": (("20", "games.npz"), "20 games"),
    "server_bot": (("SERVER",), "near"),
    "small_net": (("games.npz", "5"), "round 5"),
    "swiss": (("SERVER", "TOKEN"), "Barpoint Easy"),
    "take_back": ((), "8/5 6/5 played: 2 events"),
    "train_own": (("short-pins.net", "40", "10"), "fitted: off by"),
    "two_bots": (("2",), "#"),
}
"""The arguments of each program, and what it prints. SERVER, TOKEN: of a server, and of an account there."""


ENDLESS = ["waiting_bot"]
"""Programs that run until they are stopped."""


def command(name: str, *arguments: str) -> dict[str, Any]:
    """A program as `subprocess` runs it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return {"args": [sys.executable, str(ROOT / "examples" / "howto" / f"{name}.py"), *arguments], "env": environment}


def run(name: str, folder: Path, *arguments: str) -> str:
    done = subprocess.run(**command(name, *arguments), cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_program_is_short_and_shown_on_its_page() -> None:
    assert [program.stem for program in PROGRAMS] == sorted([*RUNS, *ENDLESS])
    page = (ROOT / "docs" / "howto.md").read_text(encoding="utf-8")
    assert f"{NUMBERS[len(PROGRAMS)]} programs of at most {MAX_LINES} lines" in page
    for program in PROGRAMS:
        assert len(program.read_text(encoding="utf-8").splitlines()) <= MAX_LINES, program.name
        assert f'--8<-- "examples/howto/{program.name}"' in page, program.name


def test_every_block_of_the_page_imports_what_it_uses() -> None:
    page = (ROOT / "docs" / "howto.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert all("import barpoint as bp" in block for block in blocks if "bp." in block)


def test_every_program_is_typed() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *map(str, PROGRAMS)], cwd=ROOT, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout


def test_every_program_runs(tmp_path: Path) -> None:
    season = tmp_path / "season"
    season.mkdir()
    (season / "match.mat").write_text(MATCH.replace("8/5 6/5", "24/23 24/21"), encoding="utf-8")
    (tmp_path / "served").mkdir()
    served = hasten(serve(tmp_path / "served", scheduler_ms=20))
    given = {"SERVER": served.address, "TOKEN": Member(served, "Dora").token}
    try:
        for name in ("self_play", *(one for one in RUNS if one != "self_play")):
            arguments, printed = RUNS[name]
            found = run(name, tmp_path, *(given.get(one, one) for one in arguments))
            assert printed in found, name
    finally:
        served.stop()
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["match-1.sgf"]
    saved = np.load(tmp_path / "games.npz")
    points = np.where(saved["players"] == 0, 1, -1) * saved["scores"][saved["games"]]
    assert len(points) == len(saved["positions"])
    last = saved["games"].tolist()[::-1].index(0)  # whoever rolls last in a game has won it
    assert points[::-1][last] > 0
    assert (tmp_path / "position.svg").read_text(encoding="utf-8").startswith("<svg")


async def test_a_bot_that_waits_plays_two_people_at_once_and_declines_what_takes_long(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        bot, people = Member(served, "Dora"), [Member(served, name).token for name in ("Eve", "Finn")]
        program = subprocess.Popen(**command("waiting_bot", served.address, bot.token))
        try:
            async with AsyncClient(served.address, people[0]) as eve, AsyncClient(served.address, people[1]) as finn:
                matches = [await one.challenge_person("Dora", "hypergammon", 1) for one in (eve, finn)]
                begun = [
                    await anext(event async for event in one.events() if event["type"] == "matchStart")
                    for one in (eve, finn)
                ]
                assert [event["match"]["id"] for event in begun] == matches
                heard = eve.events()
                assert (await anext(heard))["type"] == "matchStart"  # so it is open
                refused = await eve.challenge_person("Dora", "longgammon")
                assert await anext(heard) == {"type": "challengeGone", "id": refused}, "however soon it is declined"
                await heard.aclose()
                over = await asyncio.gather(
                    *(one.play(match, simple) for one, match in zip((eve, finn), matches, strict=True))
                )
        finally:
            program.kill()
            program.wait()
    assert all(state["over"] for state in over)
