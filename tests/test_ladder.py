"""The ladder: a file imports only from lines above its own (ARCHITECTURE.md)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "barpoint"

LADDER = (
    ("language", "atomic_file", "number_text"),
    ("error", "document", "priority", "csv_text"),
    ("board", "wrong_field"),
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
    ("own_games",),
    ("analysis", "env", "train", "ubgi", "client"),
    ("server",),
    ("cli", "notebook"),
)
LINE = {unit: line for line, units in enumerate(LADDER) for unit in units}

SERVER_LADDER = (
    ("telemetry", "child_process", "frames"),
    ("direct_socket",),
    ("domain",),
    ("protocol",),
    ("storage",),
    ("bots",),
    ("live",),
    ("study",),
    ("services",),
    ("api", "fibs", "web"),
    ("app", "connection_limits"),
    ("command", "worker", "admin"),
)
SERVER_LINE = {unit: line for line, units in enumerate(SERVER_LADDER) for unit in units}

FORBIDDEN = {"bots": ("storage",)}
"""What stands above in the ladder and is still not to be known: a bot can be seated anywhere."""


def unit_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_modules(file: Path, source: str) -> Iterator[str]:
    """Every module or name of the package that a file imports, in full, also inside functions."""
    package = ("barpoint", *file.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else [])))
            names = [f"{module}.{alias.name}" for alias in node.names]
        yield from (name for name in names if name.split(".")[0] == "barpoint")


def imported_units(file: Path, source: str) -> Iterator[str]:
    """Every unit of the package that a file imports, also inside functions; "" for the package itself."""
    for name in imported_modules(file, source):
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


SERVER_FILES = [file for file in FILES if file.is_relative_to(PACKAGE / "server") and file.stem != "__init__"]


def misplaced_in_server(file: Path, source: str) -> list[str]:
    """What a file of the server imports of the server against its ladder."""
    own = file.relative_to(PACKAGE / "server").parts[0].removesuffix(".py")
    units = [name.split(".")[2] for name in imported_modules(file, source) if name.startswith("barpoint.server.")]
    return [
        unit
        for unit in units
        if unit != own
        and (not SERVER_LINE.get(unit, len(SERVER_LADDER)) < SERVER_LINE[own] or unit in FORBIDDEN.get(own, ()))
    ]


@pytest.mark.parametrize("file", SERVER_FILES, ids=lambda file: file.relative_to(PACKAGE / "server").as_posix())
def test_a_folder_of_the_server_imports_only_from_lines_above_its_own(file: Path) -> None:
    if "migrations" not in file.parts:
        assert misplaced_in_server(file, file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("name", "source", "found"),
    [
        ("domain/names.py", "from barpoint.server.storage.store import Store", ["storage"]),
        ("live/chat.py", "def f():\n    from barpoint.server.services import Services", ["services"]),
        ("live/chat.py", "from ..web import requests", ["web"]),
        ("api/matches.py", "from barpoint.server.web.requests import go", ["web"]),
        ("fibs/login.py", "from barpoint.server import api", ["api"]),
        ("bots/gnubg.py", "from barpoint.server.storage.store import Store", ["storage"]),
        ("web/play.py", "from barpoint.server.app import create_app", ["app"]),
        ("bots/gnubg.py", "from barpoint.server.child_process import EngineProcess", []),
        (
            "web/play.py",
            "from barpoint.server.web.requests import go\nfrom barpoint.server.services import Services",
            [],
        ),
    ],
)
def test_the_walk_sees_every_way_of_importing_in_the_server(name: str, source: str, found: list[str]) -> None:
    assert misplaced_in_server(PACKAGE / "server" / name, source) == found


def files_imported(sources: dict[str, tuple[Path, str]]) -> dict[str, set[str]]:
    """For every module the modules of the package that it imports; the public surface gathers all and counts for none."""
    found: dict[str, set[str]] = {}
    for module, (file, source) in sources.items():
        names = {name if name in sources else name.rpartition(".")[0] for name in imported_modules(file, source)}
        found[module] = {name for name in names if name in sources and name not in (module, "barpoint")}
    return found


def circles(imports: dict[str, set[str]]) -> set[str]:
    """The modules that, by way of others, import themselves: what is left when every end has been taken away."""
    left = {module: set(names) for module, names in imports.items()}
    while ends := {module for module, names in left.items() if not names}:
        left = {module: names - ends for module, names in left.items() if module not in ends}
    starts = {module for module in left if not any(module in names for names in left.values())}
    while starts:  # these lead into a circle and are in none
        left = {module: names for module, names in left.items() if module not in starts}
        starts = {module for module in left if not any(module in names for names in left.values())}
    return set(left)


def module_of(file: Path) -> str:
    return ".".join(("barpoint", *file.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


def test_no_files_import_each_other_in_a_circle() -> None:
    files = [file for file in sorted(PACKAGE.rglob("*.py")) if "migrations" not in file.parts]
    sources = {module_of(file): (file, file.read_text(encoding="utf-8")) for file in files}
    assert circles(files_imported(sources)) == set()


def test_a_circle_is_seen_also_inside_functions() -> None:
    sources = {
        "barpoint.a": (PACKAGE / "a.py", "from barpoint.b import f\nimport barpoint.d"),
        "barpoint.b": (PACKAGE / "b.py", "def f():\n    from barpoint import c"),
        "barpoint.c": (PACKAGE / "c.py", "from barpoint.a import g"),
        "barpoint.d": (PACKAGE / "d.py", "import json"),
        "barpoint.e": (PACKAGE / "e.py", "from barpoint.a import g"),
    }
    assert circles(files_imported(sources)) == {"barpoint.a", "barpoint.b", "barpoint.c"}
