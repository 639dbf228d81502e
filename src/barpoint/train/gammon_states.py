"""The states of a net that says apart which gammons count (docs/decisions/0013), and what it says in each."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.native import core

MONEY: Final = 3
"""The state in which both sides' gammons count."""

WEIGHTS: Final = np.array([[2, own, own, -theirs, -theirs] for theirs in (0, 1) for own in (0, 1)], np.float32)
"""float32 [state, probabilities]: how an equity is made of probabilities."""

UNIT: Final = 0.125
"""A point, where 0 is a match lost and 1 a match won: no game wins or loses more than three."""


def stakes(state: int) -> core.Stakes:
    """A game in which every point counts alike, and gammons as the state says."""
    won, lost = (
        [0.5] + [0.5 + sign * UNIT * (1 + more * (state >> side & 1)) for more in range(3)]
        for side, sign in ((0, 1), (1, -1))
    )
    return core.Stakes(
        won=won,
        lost=lost,
        cube=1,
        owner=0,
        in_play=False,
        jacoby=False,
        beavers=False,
        may_double=False,
    )


def values_by_state(
    searcher: core.Searcher, net: core.Net, positions: npt.NDArray[np.uint8], plies: int
) -> npt.NDArray[np.float32]:
    """float32 [n, states, probabilities]: those of every state of the net. positions: uint8 [n, 64], packed, the side to act first."""
    if not net.by_gammons:
        return searcher.evaluate(positions, plies)
    return np.concatenate([searcher.evaluate(positions, plies, stakes(state)) for state in range(len(WEIGHTS))], 1)
