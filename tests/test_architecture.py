"""ARCHITECTURE.md names every file, and no file that is not there."""

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("core", "src", "training", "benchmarks", "tools")
MADE_BY_TOOLS = {"__pycache__", "node_modules", ".mypy_cache", ".ruff_cache", ".pytest_cache"}


def files_on_disk() -> list[str]:
    """Every file of the folders that ARCHITECTURE.md covers, relative to the root."""
    return sorted(
        path.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and not MADE_BY_TOOLS & set(path.parts)
        and path.suffix not in (".so", ".pyd", ".pyc")
        and path.name != "__init__.py"  # its folder's line speaks for it
    )


def names_in_text(text: str) -> Iterator[str]:
    """The patterns that the page names: a heading gives the folder, each bullet a file or several in it."""
    folder = ""
    for line in text.splitlines():
        if heading := re.match(r"#+ .*?`([^`]+/)`", line):
            folder = heading[1]
        elif bullet := re.match(r"- ((?:`[^`]+`(?:, )?)+)", line):
            yield from (folder + name for name in re.findall(r"`([^`]+)`", bullet[1]))


NAMES = list(names_in_text((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")))


@pytest.mark.parametrize("file", files_on_disk())
def test_every_file_is_named(file: str) -> None:
    assert [name for name in NAMES if fnmatch(file, name)], f"ARCHITECTURE.md does not name {file}"


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_there(name: str) -> None:
    assert any(ROOT.glob(name)), f"ARCHITECTURE.md names {name}, which is not there"
