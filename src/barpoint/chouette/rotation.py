"""Rotation: the first order, the box, the captain and the line behind them (rulings 4.13)."""

from __future__ import annotations

from barpoint.chouette.state import Chouette


def order_of(rolls: tuple[tuple[int, ...], ...], sides: int) -> tuple[int, ...] | None:
    """The places in line, highest roll first; None when ties remain, or somebody rolled more often than needed.

    rolls: each player's, in the order rolled. Only tied players roll again.
    """
    if len(set(rolls)) != len(rolls) or any(not 1 <= face <= sides for dice in rolls for face in dice):
        return None
    for dice in rolls:
        for count in range(1, len(dice) + 1):
            tied = sum(other[: count - 1] == dice[: count - 1] for other in rolls)
            if tied < 2:
                return None  # rolled again needlessly
        if any(other != dice and other[: len(dice)] == dice for other in rolls):
            return None  # did not roll again though tied
    return tuple(sorted(range(len(rolls)), key=lambda place: rolls[place], reverse=True))


def next_line(chouette: Chouette) -> tuple[int, ...]:
    """The line after a game, box first.

    The box stays when it beats the captain, who goes to the end. A captain who beats the box replaces it, and the old
    box goes to the end. Earlier captains of the game who did not beat the box have had their turn and go to the end
    too.
    """
    box, *team = chouette.line
    assert chouette.captain is not None
    if chouette.heir is None:
        captains = (*chouette.tried, chouette.captain)
        line = (box, *(player for player in team if player not in captains), *captains)
    else:
        behind = (chouette.heir, *chouette.tried)
        line = (chouette.heir, *(player for player in team if player not in behind), *chouette.tried, box)
    return (*(player for player in line if player not in chouette.leaving), *chouette.joining)
