"""The exact cube decision, for money, of a position that a bear-off or whole-game database holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from barpoint.engine.cube_info import CubeInfo
from barpoint.native import core

_ROUNDING: Final = 1e-6
"""Whole-game databases hold floats; a certain win is exactly one point."""


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


def race_cube(rules: core.Rules, packed: bytes, token_state: int, cube_info: CubeInfo) -> RaceCube | None:
    """The exact cube decision; None when no database holds the position, without a cube, and in matches."""
    if cube_info.cube is None or cube_info.score is not None:
        return None
    row = core.cube_races(rules, np.frombuffer(packed, np.uint8).reshape(1, 64), token_state, cube_info.stakes.jacoby)[
        0
    ].tolist()
    _, _, _, theirs, roll_owned, roll_centred = row
    if theirs != theirs:
        return None
    stay = {"us": roll_owned, "them": theirs, None: roll_centred}[cube_info.cube.owner]
    if abs(stay - 1) < _ROUNDING:
        stay = 1.0
    take, beaver = cube_info.answered(2 * theirs)
    value = cube_info.cube_value
    return RaceCube(stay * value, take * value, float(value), beaver)
