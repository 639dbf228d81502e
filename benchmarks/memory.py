"""Memory and time of a fresh process: python -m benchmarks.memory

Peak resident memory and elapsed time of a new Python that imports barpoint and answers one question; best of several
runs; and the disk that `pip install barpoint` takes. Targets: the import under 40 MB and 0.25 s, the first answer of the net alone
under 150 MB and a second, a 2-ply analysis under 400 MB, installed under 25 MB besides numpy.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

import barpoint

RUNS = 3
QUESTIONS: Final = {
    "import": "import barpoint",
    "first answer of the net alone": (
        "import barpoint as bp; engine = bp.Engine(); engine.evaluate(engine.rules.start); engine.rank(engine.rules.start, (3, 1))"
    ),
    "plays and cube at two plies": (
        "import barpoint as bp; engine = bp.Engine(plies=2); engine.cube(engine.rules.start)\n"
        "for roll in ((3, 1), (6, 6), (5, 2)): engine.rank(engine.rules.start, roll, cube=bp.engine.CubeState())"
    ),
    "a race at two plies, tables made": (
        "import barpoint as bp; side = bp.Side.of({6: 4, 5: 4, 3: 4, 1: 3}); engine = bp.Engine(plies=2)\n"
        "engine.cube(bp.Position(side, side)); engine.rank(bp.Position(side, side), (6, 5))"
    ),
}
# The peak of the new program alone; ru_maxrss would include that of its parent.
REPORT = r"""
import json, re, time
print(json.dumps([time.time() - began, int(re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())[1]) / 1000]))
"""


@cache
def compiled() -> dict[str, str]:
    """The environment of a Python that finds the package compiled, as pip leaves it; compiling takes 4 MB."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    found = {**kept, "PYTHONPYCACHEPREFIX": folder}
    for question in QUESTIONS.values():
        subprocess.run([sys.executable, "-c", question], env=found, check=True)
    return found


def measure(question: str) -> tuple[float, float]:
    """Seconds since the program began, and peak memory in MB."""
    code = f"import time; began = time.time()\n{question}\n{REPORT}"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True, env=compiled())
    seconds, megabytes = json.loads(done.stdout)
    return seconds, megabytes


def installed_mb() -> dict[str, float]:
    """Megabytes of the files of the package and of what it needs besides numpy, without compiled Python."""
    found = {}
    for package in (barpoint, msgspec):
        files = (file for folder in package.__path__ for file in Path(folder).rglob("*"))
        sizes = (file.stat().st_size for file in files if file.is_file() and "__pycache__" not in file.parts)
        found[package.__name__] = sum(sizes) / 1e6
    return found


def main() -> None:
    """Prints what is installed, and a line for each question."""
    print("installed: " + ", ".join(f"{name} {size:.1f} MB" for name, size in installed_mb().items()))
    for name, question in QUESTIONS.items():
        runs = [measure(question) for _ in range(RUNS)]
        print(f"{name}: {max(memory for _, memory in runs):.0f} MB, {min(seconds for seconds, _ in runs):.2f} s")


if __name__ == "__main__":
    main()
