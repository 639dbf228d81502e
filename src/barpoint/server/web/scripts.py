"""What the scripts of a page import, so that a browser asks for all of it at once and not file after file."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

STATIC: Final = Path(__file__).parent / "static"

EVERYWHERE: Final = "/static/bar.js"
"""The script of every page."""

_MODULE: Final = re.compile(r'<script type="module" src="(/static/[^"]+)">')
_IMPORT: Final = re.compile(r"""^(?:import|export)\b[^"';]*"(\.\.?/[^"]+)";""", re.MULTILINE)


def imports_of(head: str) -> tuple[str, ...]:
    """The addresses of all modules that those in the head of a page, and the one of every page, import, directly or not."""
    begun = (EVERYWHERE, *_MODULE.findall(head))
    return tuple(sorted({path for one in begun for path in _imports(one)} - set(begun)))


@cache
def _imports(path: str) -> frozenset[str]:
    found: set[str] = set()
    waiting = [path]
    while waiting:
        for one in _direct_imports(waiting.pop()) - found:
            found.add(one)
            waiting.append(one)
    return frozenset(found)


@cache
def _direct_imports(path: str) -> frozenset[str]:
    folder = PurePosixPath(path).parent
    text = (STATIC / path.removeprefix("/static/")).read_text(encoding="utf-8")
    return frozenset(_resolved(folder / imported) for imported in _IMPORT.findall(text))


def _resolved(path: PurePosixPath) -> str:
    """The path without "..": addresses are compared."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return str(PurePosixPath(*parts))
