"""What the players of a chouette have agreed on besides the rules of its game (rulings 4.13)."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from barpoint.error import StakesError
from barpoint.game import MAX_CUBE, Stakes


class Consulting(StrEnum):
    """Who may discuss the team's plays with the captain. Cube decisions are each player's own."""

    FREE = "free"  # the whole team
    IN_GAME = "in_game"  # those whose cube was turned and accepted
    NONE = "none"


class ChouetteTerms(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The terms of a chouette; always money play.

    one_cube: one cube for the whole team, which the captain turns; otherwise each player has their own.
    half_taken: a box that passes the captain's double and takes less than half of those offered loses the box.
    The rest as in `Stakes`.
    """

    cube: bool = True
    one_cube: bool = False
    consulting: Consulting = Consulting.FREE
    half_taken: bool = False
    jacoby: bool = True
    beavers: int = 0
    automatic_doubles: int = 0
    cube_limit: int = MAX_CUBE

    def __post_init__(self) -> None:
        self.stakes()
        if self.one_cube and not self.cube:
            raise StakesError("one cube for the team needs a cube")
        if self.one_cube and self.beavers:
            raise StakesError("beavers are each player's own choice, so they need a cube for each player")
        if self.half_taken and (self.one_cube or not self.cube):
            raise StakesError("the box can take half of the cubes only where each player has one")

    def stakes(self) -> Stakes:
        """The stakes of the game between the box and one player."""
        return Stakes(
            cube=self.cube,
            jacoby=self.jacoby,
            beavers=self.beavers,
            automatic_doubles=self.automatic_doubles,
            cube_limit=self.cube_limit,
        )
