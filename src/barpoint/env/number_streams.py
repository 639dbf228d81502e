"""Random numbers of many generators at once: for each game those that its own generator would give one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

_BLOCK: Final = 64
"""Raw numbers that are taken from a generator at a time; each makes two words of 32 bits, the low one first."""

_WORD: Final = np.uint64(0xFFFFFFFF)


class NumberStreams:
    """The streams of n generators, which are PCG64 as `numpy.random.default_rng` and Gymnasium make them.

    A generator is read ahead, so nobody else may use it.
    """

    def __init__(self, generators: Sequence[np.random.Generator]) -> None:
        self._generators = list(generators)
        self._words = np.zeros((len(self._generators), 2 * _BLOCK), np.uint32)
        self._used = np.full(len(self._generators), 2 * _BLOCK)

    def replace(self, index: int, generator: np.random.Generator) -> None:
        """Goes on with another generator at this place."""
        self._generators[index], self._used[index] = generator, 2 * _BLOCK

    def below(self, which: npt.NDArray[np.int64], bounds: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """int64 [k]: what `integers(bound)` of these generators gives; each is named once. bounds: [k], 1 to 2**31.

        numpy takes a word for each, by Lemire's method, and none where the bound is 1.
        """
        found = np.zeros(len(which), np.int64)
        waiting = np.flatnonzero(bounds > 1)
        while len(waiting):
            bound = bounds[waiting].astype(np.uint64)
            products = self._take(which[waiting]) * bound
            found[waiting] = (products >> np.uint64(32)).astype(np.int64)
            waiting = waiting[(products & _WORD) < (np.uint64(1 << 32) - bound) % bound]
        return found

    def _take(self, which: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """uint64 [k]: the next word of each of these."""
        for index in which[self._used[which] == 2 * _BLOCK].tolist():
            raw = self._generators[index].bit_generator.random_raw(_BLOCK)
            self._words[index] = raw.astype("<u8").view("<u4")
            self._used[index] = 0
        words: npt.NDArray[np.uint64] = self._words[which, self._used[which]].astype(np.uint64)
        self._used[which] += 1
        return words
