"""The dice of a chouette: what they are made of, and rolls that somebody has asked for."""

from __future__ import annotations

from barpoint.chouette import Act, Chouette, Event, Order
from barpoint.game import Opening, Phase, Roll
from barpoint.server.domain.dice import DiceSource, Seeds, made_seed
from barpoint.server.storage.chouettes import ChouetteHeader


def seeds_of(header: ChouetteHeader, table: Chouette, game: int) -> Seeds:
    """What the dice of a game are made of: the server's seed, two that follow from it, and those that players have given.

    game: counted from 1; 0 for the first order.
    """
    made = (made_seed(header.server_seed, header.id, seat) for seat in (0, 1))
    return Seeds(header.id, header.server_seed, (*made, *table.seeds_of(game)))


def opening(dice: DiceSource, header: ChouetteHeader, table: Chouette, attempt: int) -> Opening:
    """The contest of that number for the start of the running game, counted from 1."""
    game = len(table.finished) + 1
    return Opening(dice.opening(seeds_of(header, table, game), game, attempt, table.rules.dice.sides))


def with_dice(dice: DiceSource, header: ChouetteHeader, table: Chouette, event: Event) -> Event:
    """The event; a wish to roll gets its faces here and nowhere else."""
    if isinstance(event, Order):
        return Order(_order(dice, seeds_of(header, table, 0), len(table.line), table.rules.dice.sides))
    if not isinstance(event, Act) or not isinstance(event.event, Roll):
        return event
    board, player = table.board, event.event.player
    if not table.playing or board.phase not in (Phase.TO_ROLL, Phase.MUST_REROLL):
        return Act(Roll(player), event.by)  # refused without faces, with what is allowed
    game = len(table.finished) + 1
    faces = dice.roll(seeds_of(header, table, game), game, board.roll + 1, board.rules.dice.rows)
    return Act(Roll(player, faces), event.by)


def _order(dice: DiceSource, seeds: Seeds, players: int, sides: int) -> tuple[tuple[int, ...], ...]:
    """Rolls for the first order, which count as contests of a game 0: who ties rolls again."""
    rolls: list[tuple[int, ...]] = [()] * players
    attempt = 0
    while len(set(rolls)) < players:
        tied = [index for index, one in enumerate(rolls) if rolls.count(one) > 1]
        for index in tied:
            attempt += 1
            rolls[index] = (*rolls[index], dice.opening(seeds, 0, attempt, sides)[0])
    return tuple(rolls)
