"""Ten thousand positions of random games to an array, evaluated together: python positions.py [COUNT]"""

import sys

import numpy as np
import numpy.typing as npt

import barpoint as bp

count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
rng, seen = np.random.default_rng(1), list[npt.NDArray[np.int8]]()


def random_plays(turns: bp.BatchTurns) -> npt.NDArray[np.int64]:
    seen.append(turns.positions)
    return rng.integers(turns.counts)


bp.play_batch(bp.variant("backgammon"), count // 30 + 1, random_plays)
positions = np.concatenate(seen)[:count]
chances = bp.Engine("backgammon").evaluate_array(positions)
print(positions.shape, positions.dtype, chances.shape, chances.dtype)
print("to win, with a gammon, a backgammon; to lose with:", np.round(chances.mean(axis=0), 3))
print(bp.decode(positions[-1:])[0])
