"""Who sits where: the first order, the box, the captain and the line behind him (RULES.md 4.13)."""

from __future__ import annotations

from barpoint.chouette.table import Chouette


def order_of(throws: tuple[tuple[int, ...], ...], sides: int) -> tuple[int, ...] | None:
    """The places in line, highest throw first; None when these throws decide nothing, or more were made than needed.

    throws: each player's, in the order thrown. Only who ties with somebody throws again.
    """
    if len(set(throws)) != len(throws) or any(not 1 <= face <= sides for dice in throws for face in dice):
        return None
    for dice in throws:
        for count in range(1, len(dice) + 1):
            tied = sum(other[: count - 1] == dice[: count - 1] for other in throws)
            if tied < 2:
                return None  # threw again without need
        if any(other != dice and other[: len(dice)] == dice for other in throws):
            return None  # did not throw again though tied
    return tuple(sorted(range(len(throws)), key=lambda place: throws[place], reverse=True))


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
