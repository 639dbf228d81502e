"""What the games of a proposition have shown so far."""

from __future__ import annotations

from typing import NamedTuple

from barpoint.match.match import Match
from barpoint.match.starting_position import StartingPosition


class PositionTally(NamedTuple):
    """games: played to their end. points: of whoever is to act where they begin, less those of the other side; spots count."""

    games: int = 0
    points: float = 0

    @property
    def mean(self) -> float:
        """Points a game; 0 before the first."""
        return self.points / self.games if self.games else 0.0


def tallies(match: Match) -> dict[StartingPosition, PositionTally]:
    """A tally of each position in which games begin, whoever sits where: with player 0 to act. Empty for other matches."""
    proposition = match.terms.proposition
    if proposition is None:
        return {}
    found = {_seated(position): PositionTally() for position in proposition.positions}
    before: tuple[float, float] = match.terms.first_score
    for number, game in enumerate(match.finished):
        position = proposition.begins(number)
        acts, other = position.player, 1 - position.player
        gained = game.score[acts] - before[acts] - (game.score[other] - before[other])
        games, points = found[_seated(position)]
        found[_seated(position)] = PositionTally(games + 1, points + gained)
        before = game.score
    return found


def _seated(position: StartingPosition) -> StartingPosition:
    return position if position.player == 0 else position.other_seats()
