"""What a game is played for: everything about a game that is not its rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.error import StakesError
from barpoint.game.fields import check_fields
from barpoint.language import N_

MAX_CUBE: Final = 2**62
"""No rule limits the cube; up to this value it is kept exactly everywhere (D-12)."""


def check_cube_value(value: int, most: int = MAX_CUBE) -> None:
    """StakesError for what no cube shows."""
    if not 1 <= value <= most or value & (value - 1):
        raise StakesError("a cube of %(value)s; it is a power of two up to %(max_cube)s", value=value, max_cube=most)


@dataclass(frozen=True, slots=True)
class Stakes:
    """How one game is played for points.

    money: unlimited play; False in a match. Settling, and what follows up to `automatic_doubles`, is for money only.
    cube: the players may double, where the rules have a cube; False in the Crawford game.
    jacoby: gammons count only once a player has offered a double (S3-11).
    beavers: how many beavers and raccoons may follow one double.
    automatic_doubles: how many ties for the start may double the cube (D-8).
    cube_limit: the highest value, a power of two.
    rolls_before_double: rolls each side makes before anybody may double (Holland rule: 2).
    manual: real dice and hands; the irregularities of S2-25, S2-26 and S3-12 to S3-14 can happen.
    dice_on_checkers_count: manual mode: a die that lies flat on a checker counts (D-4).
    transcript: a record of a game played elsewhere: illegal plays and other points than the board's stand.
    """

    money: bool = True
    cube: bool = True
    jacoby: bool = False
    beavers: int = 0
    automatic_doubles: int = 0
    cube_limit: int = MAX_CUBE
    rolls_before_double: int = 0
    manual: bool = False
    dice_on_checkers_count: bool = False
    transcript: bool = False

    def __post_init__(self) -> None:
        check_fields(self, N_("stakes of a game: %(error)s"))
        if not self.money and (self.jacoby or self.beavers or self.automatic_doubles):
            raise StakesError("Jacoby, beavers and automatic doubles are for money play only")
        if self.jacoby and not self.cube:
            raise StakesError("the Jacoby rule needs a cube")
        if not 1 <= self.cube_limit <= MAX_CUBE or self.cube_limit & (self.cube_limit - 1):
            raise StakesError(
                "a cube limit of %(cube_limit)s; allowed: powers of two from 1 to %(max_cube)s",
                cube_limit=self.cube_limit,
                max_cube=MAX_CUBE,
            )
        if min(self.beavers, self.automatic_doubles, self.rolls_before_double) < 0:
            raise StakesError("beavers, automatic doubles and rolls before a double are counted from 0")
