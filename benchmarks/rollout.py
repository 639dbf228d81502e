"""Time of a rollout of the opening position: python -m benchmarks.rollout [TRIALS]

Full games at 0 plies on one core, with variance reduction; processor seconds, since other work may share the machine.
Compared with GNU Backgammon in a separate process, where it is installed, without its start-up time.
"""

from __future__ import annotations

import os
import pty
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from barpoint.engine import CubeState, Engine
from barpoint.engine.rollout_plan import RolloutOptions
from barpoint.native import core

GNUBG = """set threads 1
set automatic game off
set automatic roll off
set automatic move off
set player 0 human
set player 1 human
new session
set board 4HPwATDgc/ABMA
set turn 0
set rollout varredn on
set rollout quasirandom on
set rollout seed 1
set rollout chequerplay plies 0
set rollout cubedecision plies 0
set rollout cubeful {cubeful}
set rollout trials {trials}
rollout
"""


def ours(name: str, trials: int, cube: CubeState | None) -> None:
    """Prints one line."""
    engine = Engine(name)
    options = RolloutOptions(threads=1, cube=cube)
    engine.rollout(engine.rules.start, **options, trials=1)
    began = time.process_time()
    found = engine.rollout(engine.rules.start, **options, trials=trials)
    took = time.process_time() - began
    kind = "with a cube" if cube else "without a cube"
    print(
        f"{name}, {kind}, {core.isa()}: {took:.1f} s for {trials:,} games, {trials / took:.0f} a second;"
        f" equity {found.equity.mean:+.4f} +- {found.equity.error:.4f}",
        flush=True,
    )


def gnubg(program: str, trials: int, cubeful: str) -> tuple[float, float]:
    """Processor seconds of one run, and the standard error of the equity it prints; gnubg prints that only on a
    terminal.
    """
    with tempfile.TemporaryDirectory() as home:
        commands = Path(home) / "commands"
        commands.write_text(GNUBG.format(trials=trials, cubeful=cubeful), encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        screen, terminal = pty.openpty()
        process = subprocess.Popen(
            [program, "-t", "-c", str(commands)],
            stdin=subprocess.DEVNULL,
            stdout=terminal,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": home, "TERM": "dumb"},
        )
        os.close(terminal)
        said = b""
        while chunk := _read(screen):
            said += chunk
        process.wait()
        os.close(screen)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    errors = re.findall(rb"\[[-0-9. ]+C[LF] +([0-9.]+)(?: +CF +([0-9.]+))?\]", said)
    error = float(errors[-1][1] or errors[-1][0]) if errors else float("nan")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, error


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 65536)
    except OSError:  # the other end is closed
        return b""


def main(trials: int = 1296) -> None:
    """Prints all results."""
    for name in ("backgammon", "roll-over", "duodecagammon"):
        for cube in (None, CubeState()):
            ours(name, trials if name == "backgammon" else trials // 4, cube)
    program = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
    if program is None:
        print("gnubg is not installed (Debian: apt-get install gnubg)")
        return
    few = max(36, trials // 36 // 4 * 36)  # it needs a minute for what takes us seconds
    for cubeful in ("off", "on"):
        (took, error), (start, _) = gnubg(program, few, cubeful), gnubg(program, 1, cubeful)
        took -= start
        print(
            f"gnubg 0-ply, {'with' if cubeful == 'on' else 'without'} a cube: {took:.1f} s for {few:,} games,"
            f" {few / took:.0f} a second, so {1296 * took / few:.0f} s and an error of {error * (few / 1296) ** 0.5:.4f} for 1,296",
            flush=True,
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
