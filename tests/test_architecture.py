"""ARCHITECTURE.md names every folder and draws the imports; the files it names exist, and every file introduces itself.

`python -m tests.test_architecture` prints the picture of the imports.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.repository import ROOT, repository_files
from tests.test_ladder import LADDER, PACKAGE, SERVER_LADDER, imported_modules

FOLDERS = ("core", "src", "training", "benchmarks", "tools")
COMMENTS = {".py": '"""', ".hpp": "//", ".cpp": "//", ".js": "/", ".css": "/*"}  # a .cpp may leave it to its header
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
RECIPES = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

FILES = repository_files(*FOLDERS)
CODE = [
    file
    for file in FILES
    if file.suffix in COMMENTS
    and (ROOT / file).stat().st_size
    and not (file.suffix == ".cpp" and (ROOT / file).with_suffix(".hpp").exists())
]

WIDTH = 42


def imports(folder: Path, units: Sequence[str]) -> dict[str, set[str]]:
    """What each unit of a folder imports of the others. units: the lowest first; what lies higher is not counted."""
    package = ".".join(folder.relative_to(PACKAGE.parent).parts)
    found: dict[str, set[str]] = {unit: set() for unit in units}
    for file in folder.rglob("*.py"):
        own = file.relative_to(folder).parts[0].removesuffix(".py")
        if own in found:
            names = imported_modules(file, file.read_text(encoding="utf-8"))
            inside = (name for name in names if name.startswith(f"{package}."))
            parts = {name.removeprefix(f"{package}.").partition(".")[0] for name in inside}
            found[own] |= {unit for unit in parts if unit in units and units.index(unit) < units.index(own)}
    return found


def picture(folder: Path, layers: Sequence[Sequence[str]]) -> str:
    """The layers, the highest first, each with its imports; without those that come with another import."""
    units = [unit for layer in layers for unit in layer]
    found = imports(folder, units)
    below: dict[str, set[str]] = {}
    for unit in units:
        below[unit] = found[unit].union(*(below[other] for other in found[unit]))
    rule = f"+{'-' * WIDTH}+"
    lines = []
    for layer in reversed(layers):
        beside = set().union(*(found[unit] for unit in layer))
        direct = [
            unit for unit in reversed(units) if unit in beside and not any(unit in below[other] for other in beside)
        ]
        arrows = f"  --> {'  '.join(direct)}" if direct else ""
        lines.append(f"|{'   '.join(layer):^{WIDTH}}|{arrows}")
    return "\n".join([rule, *lines, rule])


def test_the_picture_shows_the_imports_as_they_are() -> None:
    for folder, layers in ((PACKAGE, LADDER), (PACKAGE / "server", SERVER_LADDER)):
        drawn = picture(folder, layers)
        assert drawn in PAGE, f"ARCHITECTURE.md draws other imports than these:\n{drawn}"


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z_./-]+\.[a-z]+)`", PAGE + RECIPES))))
def test_a_file_that_is_named_exists(name: str) -> None:
    assert any((folder / name).is_file() for folder in (ROOT, PACKAGE)), f"there is no {name}"


@pytest.mark.parametrize("folder", sorted({file.parent.as_posix() for file in CODE}))
def test_every_folder_is_named(folder: str) -> None:
    assert f"`{folder}/" in PAGE, f"ARCHITECTURE.md does not say what {folder}/ is for"


@pytest.mark.parametrize("file", CODE, ids=str)
def test_every_file_says_in_its_first_line_what_it_is(file: Path) -> None:
    first = (ROOT / file).read_text(encoding="utf-8").lstrip("\ufeff").splitlines()[0]
    assert first.startswith(COMMENTS[file.suffix]), f"{file} begins with {first!r}"
    assert len(first) > 20, f"{file} does not say what it is: {first!r}"


if __name__ == "__main__":
    print(picture(PACKAGE, LADDER), picture(PACKAGE / "server", SERVER_LADDER), sep="\n\n")
