"""How long it takes to find the positions like another one among a million: `python -m benchmarks.similar`.

Positions of random games, on one core. Target: within 300 ms.
"""

from __future__ import annotations

import time
from statistics import median

import numpy as np

from barpoint.analysis.similar import PLACES, PositionCollection

COUNT = 1_000_000
CHECKERS = 15
ASKED = 24
TIMES = 15


def random_positions(rng: np.random.Generator) -> np.ndarray:
    """int8 [n, 2, 27]: checkers anywhere; what they look like changes no time."""
    places = rng.integers(0, PLACES - 1, (COUNT, 2, CHECKERS), dtype=np.int8)
    found = np.zeros((COUNT, 2, PLACES), np.int8)
    for place in range(PLACES):
        found[:, :, place] = (places == place).sum(axis=2)
    return found


def main() -> None:
    """Prints how long a search keeps a core busy, and the memory."""
    rng = np.random.default_rng(1)
    positions = random_positions(rng)
    for classes in (1, 8):
        collection = PositionCollection(positions, rng.integers(0, classes, COUNT, dtype=np.uint8))
        taken = []
        for number in range(TIMES):
            began = time.process_time()
            found = collection.nearest(positions[number], 0, ASKED)
            taken.append(1000 * (time.process_time() - began))
            assert len(found.indices) == ASKED
        print(
            f"{COUNT:,} positions in {classes} class{'es' if classes > 1 else ''}: {median(taken):.0f} ms, "
            f"{min(taken):.0f} to {max(taken):.0f}; {collection.nbytes / 1e6:.0f} MB"
        )


if __name__ == "__main__":
    main()
