"""Writes constraints-server.txt: the versions of this environment that a server needs, which its tests ran with.

`--check` changes nothing, and fails where the file lacks a package, or has a version that pyproject.toml does not allow.
"""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import requires, version
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[1]
LOCK: Final = ROOT / "constraints-server.txt"
EXTRAS: Final = ("server", "postgres", "redis", "push")

HEADER: Final = """\
# Versions that a server is tested with; written by tools/lock.py.
# pip install --constraint constraints-server.txt 'barpoint[server,postgres,redis,push]'
"""


def needed() -> list[Requirement]:
    """What pyproject.toml asks for directly, for a server with all extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras, waiting, found = set[str](), list(EXTRAS), [Requirement(text) for text in project["dependencies"]]
    while waiting:
        extra = waiting.pop()
        if extra in extras:
            continue
        extras.add(extra)
        for requirement in map(Requirement, project["optional-dependencies"][extra]):
            if requirement.name == project["name"]:
                waiting.extend(requirement.extras)
            else:
                found.append(requirement)
    return found


def pinned() -> dict[str, str]:
    """The version in this environment of everything that is needed, directly or not, by name."""
    found: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(requirement, "") for requirement in needed()]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        found[name] = version(name)
        for each in ("", *requirement.extras):
            if (name, each) not in seen:
                seen.add((name, each))
                waiting += [(Requirement(text), each) for text in requires(name) or ()]
    return found


def problems(lock: str) -> list[str]:
    """What is wrong with a file of versions: packages that are missing, not pinned, or not allowed."""
    pins = [Requirement(line) for line in lock.splitlines() if line and not line.startswith("#")]
    known = {canonicalize_name(pin.name): str(pin.specifier) for pin in pins}
    wrong = [f"{name} is not pinned" for name, spec in known.items() if not spec.startswith("==")]
    for requirement in needed():
        if canonicalize_name(requirement.name) not in known and (
            not requirement.marker or requirement.marker.evaluate()
        ):
            wrong.append(f"{requirement.name} is missing")
        pin = known.get(canonicalize_name(requirement.name), "")
        if pin and not requirement.specifier.contains(pin.removeprefix("==")):
            wrong.append(f"{requirement.name}{pin}; pyproject.toml asks for {requirement.specifier}")
    return wrong


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        sys.exit("\n".join(problems(LOCK.read_text(encoding="utf-8"))) or 0)
    LOCK.write_text(
        HEADER + "".join(f"{name}=={found}\n" for name, found in sorted(pinned().items())), encoding="utf-8"
    )
