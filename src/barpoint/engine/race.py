"""What exact tables say about a position with a cube, for money."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from barpoint.engine.stake import Stake
from barpoint.native import core

_ROUNDING: Final = 1e-6
"""Tables of whole games hold floats; what is won in any case is worth a point and no more."""


@dataclass(frozen=True, slots=True)
class RaceCube:
    """Points for the player to act, who has not rolled; as core.cube_values gives them."""

    no_double: float
    double_take: float
    double_pass: float
    beaver: bool

    def best(self, may_double: bool) -> float:
        """With the best action of both sides."""
        return max(self.no_double, min(self.double_take, self.double_pass)) if may_double else self.no_double


def race_cube(rules: core.Rules, packed: bytes, head: int, stake: Stake) -> RaceCube | None:
    """The exact cube decision; None where no table has the position, without a cube, and in matches."""
    if stake.cube is None or stake.score is not None:
        return None
    row = core.cube_races(rules, np.frombuffer(packed, np.uint8).reshape(1, 64), head, stake.jacoby)[0].tolist()
    _, _, _, theirs, roll_owned, roll_centred = row
    if theirs != theirs:
        return None
    stay = {"us": roll_owned, "them": theirs, None: roll_centred}[stake.cube.owner]
    if abs(stay - 1) < _ROUNDING:
        stay = 1.0
    take = 2 * theirs
    # Beavered, the cube stands at four; the doubler may still give up the two that he offered.
    beavered = max(2 * take, -2.0)
    beaver = stake.beavers > 0 and beavered < take
    value = stake.value
    return RaceCube(stay * value, (beavered if beaver else take) * value, float(value), beaver)
