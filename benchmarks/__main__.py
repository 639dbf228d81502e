"""Run benchmarks and record their output: python -m benchmarks [--speed | --strength | NAME ...]
Compare two nets, nothing recorded: python -m benchmarks compare NEW [OLD] [--file F] (see compare.py)

Nearly every other module of this folder is a benchmark: a script that prints results with their spread. Each has a section of
results.md, with commit and machine; a run keeps the other sections, "Tried and reverted" among them.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

from benchmarks import pictures

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results.md"
HEAD = """# Results

Written by `make bench` and `make bench-strength`, a section for each benchmark.
"""


STRENGTH = (
    "agreement",
    "cube_games",
    "deepest",
    "exact",
    "families",
    "head_to_head",
    "judges",
    "level",
    "loss",
    "match_cubes",
    "match_games",
    "opening",
    "people",
    "races",
    "strength",
    "value",
)
"""Benchmarks of playing strength; the others measure speed and memory."""


TOOLS = ("__main__", "compare", "pictures", "training_curve")
"""Files of this folder that are no benchmarks; each says itself what it does."""


def names() -> list[str]:
    """The names of all benchmarks."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in TOOLS)


def processor() -> str:
    """The name of the processor and its number of cores."""
    found = None
    if Path("/proc/cpuinfo").exists():
        found = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return f"{found[1] if found else platform.processor() or platform.machine()}, {os.cpu_count()} cores"


def commit() -> str:
    """The measured commit, with a + when files differ from it."""
    asked = subprocess.run(["git", "describe", "--always", "--dirty=+"], cwd=FOLDER, capture_output=True, text=True)
    return asked.stdout.strip() or "no repository"


def replaced(text: str, name: str, body: str) -> str:
    """The page with the section of that name replaced, or added before the last kept section."""
    section = f"## {name}\n\n{body}\n"
    found = re.search(rf"^## {re.escape(name)}\n.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found:
        return text[: found.start()] + section + "\n" * (found.end() < len(text)) + text[found.end() :]
    tried = text.find("## Tried and reverted")
    if tried >= 0:
        return f"{text[:tried]}{section}\n{text[tried:]}"
    return f"{text.rstrip()}\n\n{section}"


def main(chosen: list[str]) -> int:
    """Runs the chosen benchmarks, all by default; returns how many failed."""
    if chosen[:1] == ["compare"]:
        return subprocess.run([sys.executable, "-m", "benchmarks.compare", *chosen[1:]], cwd=FOLDER.parent).returncode
    if chosen in (["--speed"], ["--strength"]):
        chosen = [name for name in names() if (name in STRENGTH) == (chosen == ["--strength"])]
    unknown = [name for name in chosen if name not in names()]
    if unknown:
        print(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(names())}", file=sys.stderr)
        return 2
    failed = 0
    for name in chosen or names():
        print(f"--- {name}", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{name}"], cwd=FOLDER.parent, stdout=subprocess.PIPE, text=True
        )
        print(done.stdout, flush=True)
        if done.returncode:
            failed += 1
            continue
        text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else HEAD
        body = (
            f"Commit {commit()}, {processor()}, Python {platform.python_version()}.\n\n```\n{done.stdout.rstrip()}\n```"
        )
        RESULTS.write_text(replaced(text, name, body), encoding="utf-8")
    pictures.main()
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
