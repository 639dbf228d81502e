"""Who sits where: the first order, the box, the captain and the line behind him (rulings 4.13)."""

from __future__ import annotations

from barpoint.chouette.table import Chouette


def order_of(rolls: tuple[tuple[int, ...], ...], sides: int) -> tuple[int, ...] | None:
    """The places in line, highest roll first; None when these rolls decide nothing, or more were made than needed.

    rolls: each player's, in the order rolled. Only who ties with somebody rolls again.
    """
    if len(set(rolls)) != len(rolls) or any(not 1 <= face <= sides for dice in rolls for face in dice):
        return None
    for dice in rolls:
        for count in range(1, len(dice) + 1):
            tied = sum(other[: count - 1] == dice[: count - 1] for other in rolls)
            if tied < 2:
                return None  # rolled again without need
        if any(other != dice and other[: len(dice)] == dice for other in rolls):
            return None  # did not roll again though tied
    return tuple(sorted(range(len(rolls)), key=lambda place: rolls[place], reverse=True))


def next_line(table: Chouette) -> tuple[int, ...]:
    """The line after a game, box first.

    The box stays while it beats the captain, who goes to the end. Who beats the box becomes it, and the old box goes to
    the end. Captains before him who could have become the box, and did not, have had their turn: they go to the end too.
    """
    box, *team = table.line
    assert table.captain is not None
    if table.heir is None:
        captains = (*table.tried, table.captain)
        line = (box, *(player for player in team if player not in captains), *captains)
    else:
        behind = (table.heir, *table.tried)
        line = (table.heir, *(player for player in team if player not in behind), *table.tried, box)
    return (*(player for player in line if player not in table.leaving), *table.joining)
