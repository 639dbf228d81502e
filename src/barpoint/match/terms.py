"""The terms two players agree on: the length, and the options that are not rules of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypedDict

import msgspec
from msgspec import Struct

from barpoint.error import StakesError
from barpoint.game import MAX_CUBE, Stakes
from barpoint.game.fields import check_fields, check_values
from barpoint.language import N_
from barpoint.match.proposition import Proposition
from barpoint.match.starting_position import StartingPosition

TERMS: Final = N_("terms of a match: %(error)s")
MAX_LENGTH: Final = 32_767
"""Maximum points of a match: what IDs have room for."""


class MatchTerms(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The terms of a match, or of a money session when `length` is 0.

    length: points that win the match, at most MAX_LENGTH. stake: what one point of a money session pays, in any unit.
    crawford: the first game in which a player needs one point has no cube. holland: after that game nobody doubles
    before each side has rolled twice. first_score: of player 0 and 1, where the record begins. begins_at: a position in which the
    first game begins. proposition: positions in which all games of a session begin. The rest as in `Stakes`.
    """

    length: int = 7
    stake: int = 1
    cube: bool = True
    crawford: bool = True
    holland: bool = False
    jacoby: bool = False
    beavers: int = 0
    automatic_doubles: int = 0
    cube_limit: int = MAX_CUBE
    manual: bool = False
    dice_on_checkers_count: bool = False
    transcript: bool = False
    first_score: tuple[int, int] = (0, 0)
    begins_at: StartingPosition | None = None
    proposition: Proposition | None = None

    def __post_init__(self) -> None:
        check_fields(self, TERMS)
        if self.length < 0 or self.stake < 0:
            raise StakesError(
                "length %(length)s, stake %(stake)s; both are counted from 0", length=self.length, stake=self.stake
            )
        if self.length > MAX_LENGTH:
            raise StakesError(
                "a match to %(length)s points; at most %(max_length)s", length=self.length, max_length=MAX_LENGTH
            )
        if min(self.first_score) < 0 or (self.length and max(self.first_score) >= self.length):
            raise StakesError(
                "a first score of %(first_score)s; allowed: from 0, and below the length of the match",
                first_score=self.first_score,
            )
        self.stakes(crawford_game=False, after_crawford=False)
        if self.proposition is not None:
            self._check_proposition(self.proposition)

    def _check_proposition(self, proposition: Proposition) -> None:
        if not self.money:
            raise StakesError("a proposition is played for money, without a score that somebody has to reach")
        if self.begins_at is not None:
            raise StakesError("a proposition says itself where its first game begins; there is no other position")
        if len({bool(position.faces) for position in proposition.positions}) > 1:
            raise StakesError("a roll is set up in all positions of a proposition or in none")

    def begins(self, game: int) -> StartingPosition | None:
        """The position in which a game begins, if not with the opening roll; the first is game 0."""
        if self.proposition is not None:
            return self.proposition.begins(game)
        return self.begins_at if game == 0 else None

    @property
    def money(self) -> bool:
        """A session of single games without a fixed end."""
        return self.length == 0

    def stakes(self, crawford_game: bool, after_crawford: bool) -> Stakes:
        """The stakes of one game of this match."""
        return Stakes(
            money=self.money,
            cube=self.cube and self.length != 1 and not crawford_game,
            jacoby=self.jacoby,
            beavers=self.beavers,
            automatic_doubles=self.automatic_doubles,
            cube_limit=self.cube_limit,
            rolls_before_double=2 if self.holland and after_crawford else 0,
            manual=self.manual,
            dice_on_checkers_count=self.dice_on_checkers_count,
            transcript=self.transcript,
        )


class MatchOptions(TypedDict, total=False):
    """The fields of `MatchTerms` but its length, as keywords."""

    stake: int
    cube: bool
    crawford: bool
    holland: bool
    jacoby: bool
    beavers: int
    automatic_doubles: int
    cube_limit: int
    manual: bool
    dice_on_checkers_count: bool
    transcript: bool
    first_score: tuple[int, int]
    begins_at: StartingPosition | None
    proposition: Proposition | None


def match_terms_of(found: Mapping[str, object]) -> MatchTerms:
    """Parses terms from names and values, as a form or a file gives them; StakesError says what is wrong."""
    made = check_values(MatchTerms, found, TERMS)
    try:
        return msgspec.convert({**found, **made}, MatchTerms)
    except msgspec.ValidationError as error:
        raise StakesError(TERMS, error=error) from None
