"""The fixed part of a chouette, apart from its events: who sits there and the seeds of its dice; and its rolls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.chouette import Act, Chouette, ChouetteEvent, ChouetteTerms, Order
from barpoint.game import Opening, Phase, Roll
from barpoint.language import N_
from barpoint.rules import Rules
from barpoint.server.domain.dice import DiceSource, Seeds, made_seed
from barpoint.server.domain.seat_names import numbered_name, shown_name
from barpoint.server.domain.time_control import DAY, MINUTE

DECISIONS: Final = {
    N_("1 minute"): MINUTE,
    N_("3 minutes"): 3 * MINUTE,
    N_("10 minutes"): 10 * MINUTE,
    N_("1 day"): DAY,
}
"""Time limits per decision to choose from, in ms."""


@dataclass(frozen=True, slots=True)
class ChouetteSeat:
    """A player of a chouette, past or present. guest: a person's id, None for a bot of a level.

    marked: the person's account is marked as a bot.
    """

    player: int
    name: str
    guest: str | None = None
    level: str | None = None
    marked: bool = False

    @property
    def shown_name(self) -> str:
        """What the player is called, in the language that holds now."""
        return shown_name(self.name, person=self.level is None)

    @property
    def short_name(self) -> str:
        """The same without the level of a bot, which stands in the list of players."""
        return self.shown_name if self.level is None else numbered_name(self.shown_name)


@dataclass(frozen=True, slots=True)
class ChouetteHeader:
    """A chouette apart from its events and seats. decision_ms: time limit per decision. listed: in the lobby."""

    id: str
    rules: Rules
    terms: ChouetteTerms
    rules_version: int
    server_seed: bytes
    created_at: int
    decision_ms: int
    listed: bool


@dataclass(frozen=True, slots=True)
class ListedChouette:
    """A chouette in a list. names, guests: of its players, the box first once there is one. games: finished ones."""

    id: str
    rules: Rules
    terms: ChouetteTerms
    decision_ms: int
    names: tuple[str, ...]
    guests: tuple[str | None, ...]
    games: int
    playing: bool


@dataclass(frozen=True, slots=True)
class OwnChouette:
    """A chouette in the list of somebody who plays or has played in it.

    others: everybody else who ever did. points: the person's own. games: finished ones. at: of the last event.
    playing: a game is going on.
    """

    id: str
    rules: Rules
    others: tuple[ChouetteSeat, ...]
    points: float
    games: int
    over: bool
    at: int
    playing: bool


def seeds_of(header: ChouetteHeader, chouette: Chouette, game: int) -> Seeds:
    """The seeds for the dice of a game: the server's, two derived from it, and those that players have given.

    game: counted from 1; 0 for the first order.
    """
    made = (made_seed(header.server_seed, header.id, seat) for seat in (0, 1))
    return Seeds(header.id, header.server_seed, (*made, *chouette.seeds_of(game)))


def opening(dice: DiceSource, header: ChouetteHeader, chouette: Chouette, attempt: int) -> Opening:
    """An attempt at the opening roll of the running game, counted from 1; ties roll again."""
    game = len(chouette.finished) + 1
    return Opening(dice.opening(seeds_of(header, chouette, game), game, attempt, chouette.rules.dice.sides))


def with_dice(dice: DiceSource, header: ChouetteHeader, chouette: Chouette, event: ChouetteEvent) -> ChouetteEvent:
    """Fills in the faces of a roll, the only place where this happens; returns other events unchanged."""
    if isinstance(event, Order):
        return Order(_order(dice, seeds_of(header, chouette, 0), len(chouette.line), chouette.rules.dice.sides))
    if not isinstance(event, Act) or not isinstance(event.event, Roll):
        return event
    board, player = chouette.board, event.event.player
    if not chouette.playing or board.phase not in (Phase.TO_ROLL, Phase.MUST_REROLL):
        return Act(Roll(player), event.by)  # refused without faces; the error says what is allowed
    game = len(chouette.finished) + 1
    faces = dice.roll(seeds_of(header, chouette, game), game, board.roll_id + 1, board.rules.dice.rows)
    return Act(Roll(player, faces), event.by)


def _order(dice: DiceSource, seeds: Seeds, players: int, sides: int) -> tuple[tuple[int, ...], ...]:
    """Rolls for the first order, which count as opening rolls of game 0: players who tie roll again."""
    rolls: list[tuple[int, ...]] = [()] * players
    attempt = 0
    while len(set(rolls)) < players:
        tied = [index for index, one in enumerate(rolls) if rolls.count(one) > 1]
        for index in tied:
            attempt += 1
            rolls[index] = (*rolls[index], dice.opening(seeds, 0, attempt, sides)[0])
    return tuple(rolls)
