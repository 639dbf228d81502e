"""Limits of what the engine can be asked for; every command, form and protocol takes them from here."""

from __future__ import annotations

from typing import Final

MAX_PLIES: Final = 4
"""Search depth: rolls of lookahead."""

MAX_THREADS: Final = 1024

MAX_TRIALS: Final = 1 << 24
"""Games of one rollout."""

MAX_ROLLS: Final = 5000
"""Rolls after which a rollout may truncate games or search less deeply."""

MAX_SEED: Final = (1 << 64) - 1
