"""With numpy and msgspec alone the library works whole, and a command says what it lacks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ONLY = """
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder

ALLOWED = {"barpoint", "numpy", "msgspec", *%r}

class Nothing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if path is None and top not in ALLOWED and top not in sys.stdlib_module_names and not top.startswith("_"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Nothing())
"""
"""An interpreter in which nothing else can be imported, as after `pip install barpoint`."""

PROGRAM = """
import pickle
import barpoint as bp
from barpoint import dice

class First:
    def event(self, match, player):
        from barpoint.game import PlayMade, Roll
        game = match.game
        if not game.faces:
            return Roll(player)
        return PlayMade(player, bp.legal_plays(game.rules, game.position, game.faces)[0].moves)

match = bp.Match.start(length=1)
*_, match = bp.play_match(match, First(), First(), dice=dice.seeded(1))
for suffix in (".json", ".mat", ".sgf", ".xg"):
    bp.write_match(match, f"match{suffix}")
    assert bp.read_match(f"match{suffix}", strict=True).match.score == match.score
engine = pickle.loads(pickle.dumps(bp.Engine()))
assert engine.rank(bp.variant().start, (3, 1), limit=1)[0].play.moves
assert engine.rollout(bp.variant().start, trials=36, truncate=2).trials == 36
assert bp.analyse(match, plies=0).complete
assert bp.analyse(bp.parse_id("4HPwATDgc/ABMA"), plies=0).plays == ()
assert bp.features(bp.variant().start).us.anchors == (24,)
assert bp.svg(match).startswith("<svg")
assert len(bp.play_batch(bp.variant(), 10)) == 10
print("done")
"""


CLI = (
    "typer",
    "rich",
    "click",
    "babel",
    "typing_extensions",
    "shellingham",
    "pygments",
    "markdown_it",
    "mdurl",
    "annotated_doc",
)
"""What `barpoint[cli]` brings, with what that needs."""


def run(program: str, folder: Path, *allowed: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LC_") and key != "LANG"}
    return subprocess.run(
        [sys.executable, "-c", ONLY % (allowed,) + program],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        check=False,
    )


def test_the_library_needs_numpy_and_msgspec_alone(tmp_path: Path) -> None:
    done = run(PROGRAM, tmp_path)
    assert done.stdout == "done\n", done.stderr


@pytest.mark.parametrize(
    ("allowed", "arguments", "said"),
    [
        ((), ["variants"], "this needs typer, which is not installed: pip install 'barpoint[cli]'"),
        (CLI, ["serve"], "pip install 'barpoint[server]'"),
        (CLI, ["admin", "list"], "pip install 'barpoint[server]'"),
    ],
)
def test_a_command_says_which_extra_it_lacks(
    tmp_path: Path, allowed: tuple[str, ...], arguments: list[str], said: str
) -> None:
    program = f"import sys; sys.argv = ['barpoint', *{arguments!r}]\nfrom barpoint.cli import main\nmain()\n"
    done = run(program, tmp_path, *allowed)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_the_help_lists_commands_that_lack_something(tmp_path: Path) -> None:
    done = run("import sys; sys.argv = ['barpoint', '--help']\nfrom barpoint.cli import main\nmain()\n", tmp_path, *CLI)
    assert done.returncode == 0, done.stderr
    assert "analyse" in done.stdout
