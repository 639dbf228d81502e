"""Limits of engine requests; every command, form and protocol uses these."""

from __future__ import annotations

from typing import Final

MAX_PLIES: Final = 4
"""Maximum search depth: rolls of lookahead. A play of backgammon takes 0.1 s at three, 1.4 s at four on one
busy core (mean of 30 and of 8 decisions of `benchmarks/search.py`); each further ply takes some ten times as long."""

MAX_TIME_MS: Final = 3_600_000
"""Maximum milliseconds for one decision: an hour. No search takes as long, and a mistaken unit is refused."""

MAX_THREADS: Final = 1024
"""A bound of what a process is asked to start; more threads than cores gain nothing."""

MAX_TRIALS: Final = 1 << 24
"""Maximum games of one rollout: its standard error is then a four-thousandth of one game's, far below the net's bias."""

MAX_ROLLS: Final = 5000
"""Maximum number of rolls after which a rollout may truncate games or reduce its search depth; no game runs so long."""

MAX_SEED: Final = (1 << 64) - 1
