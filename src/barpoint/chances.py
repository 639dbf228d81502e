"""The outcome distribution of a game, as the net and the search give it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances for the player to act, each 0..1 and nested: a gammon includes its backgammons."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float

    @property
    def equity(self) -> float:
        """Cubeless points a game at the usual 1, 2, 3."""
        return 2 * self.win - 1 + self.win_gammon + self.win_backgammon - self.lose_gammon - self.lose_backgammon

    def flip(self) -> Chances:
        """The same chances seen by the other side."""
        return Chances(1 - self.win, self.lose_gammon, self.lose_backgammon, self.win_gammon, self.win_backgammon)


@dataclass(frozen=True, slots=True)
class Margins:
    """For games that pay by the checker: chances and the mean number of points for the player to act.

    win: chance to win, 0..1.
    won_points, lost_points: mean points from games won and lost, each over all games (so equity is their difference).
    """

    win: float
    won_points: float
    lost_points: float

    @property
    def equity(self) -> float:
        """Points a game."""
        return self.won_points - self.lost_points

    def flip(self) -> Margins:
        """The same outcome seen by the other side."""
        return Margins(1 - self.win, self.lost_points, self.won_points)
