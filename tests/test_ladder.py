"""The ladder: a file imports only from lines above its own (ARCHITECTURE.md)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "barpoint"

LADDER = (
    ("error", "document"),
    ("board",),
    ("dice", "chances"),
    ("rules",),
    ("variants",),
    ("native",),
    ("moves",),
    ("game",),
    ("match",),
    ("driver",),
    ("chouette",),
    ("draw", "record", "engine"),
    ("analysis",),
    ("server",),
    ("cli",),
)
LINE = {unit: line for line, units in enumerate(LADDER) for unit in units}


def unit_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_units(file: Path, source: str) -> Iterator[str]:
    """Every unit of the package that a file imports, also inside functions; "" for the package itself."""
    package = ("barpoint", *file.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else [])))
            names = [f"{module}.{alias.name}" for alias in node.names] if module == "barpoint" else [module]
        for name in names:
            if name.split(".")[0] == "barpoint":
                yield ".".join(name.split(".")[1:2])


def misplaced(file: Path, source: str) -> list[str]:
    """What a file imports against the ladder."""
    own = unit_of(file)
    return [
        unit
        for unit in imported_units(file, source)
        if unit != own and not (unit == "_core" and own == "native") and not LINE.get(unit, len(LADDER)) < LINE[own]
    ]


FILES = [
    file
    for file in sorted(PACKAGE.rglob("*.py"))
    if file.parent != PACKAGE or file.stem not in ("__init__", "__main__")  # the public surface gathers every line
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_a_file_imports_only_from_lines_above_its_own(file: Path) -> None:
    assert unit_of(file) in LINE, "a new unit needs a line of the ladder"
    assert misplaced(file, file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("name", "source", "found"),
    [
        ("moves/play.py", "from barpoint.game import Game", ["game"]),
        ("moves/play.py", "import barpoint.server.live.live_match", ["server"]),
        ("moves/play.py", "def f():\n    from barpoint import match", ["match"]),
        ("moves/play.py", "from ..game.event import Play", ["game"]),
        ("moves/play.py", "from .. import game", ["game"]),
        ("moves/play.py", "import barpoint", [""]),
        ("moves/play.py", "from barpoint import _core", ["_core"]),
        ("record/mat.py", "from barpoint.engine import Engine", ["engine"]),
        ("board.py", "from barpoint.native import legal_plays", ["native"]),
        ("moves/play.py", "from barpoint.moves.turn import Turn\nfrom . import turn\nimport numpy", []),
        ("moves/play.py", "from barpoint.board import Side\nfrom barpoint import native", []),
        ("native.py", "from barpoint import _core", []),
    ],
)
def test_the_walk_sees_every_way_of_importing(name: str, source: str, found: list[str]) -> None:
    assert misplaced(PACKAGE / name, source) == found


def test_the_public_surface_is_imported_by_nobody_below() -> None:
    assert misplaced(PACKAGE / "server" / "app.py", "import barpoint as bp") == [""]
