"""The repository's own files, found without git, so that tests run in an unpacked archive too."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]

FOLDERS: Final = (".ci", "benchmarks", "core", "docs", "examples", "src", "tests", "tools", "training")
"""Folders of the repository; what else lies beside them is built, cached or downloaded."""

_MADE: Final = {"__pycache__", "node_modules"}


def repository_files(*folders: str, root: Path = ROOT) -> list[Path]:
    """The files below these folders, relative to the root and sorted. FileNotFoundError if a folder is missing."""
    return sorted(path.relative_to(root) for folder in folders for path in _walk(root / folder))


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in _MADE or path.name.startswith(".") or path.suffix == ".egg-info":
            continue
        if path.is_dir():
            yield from _walk(path)
        else:
            yield path
