"""The luck of rolls: what each was worth with its best play, less the mean over all that could have come."""

from __future__ import annotations

from barpoint.board import Position
from barpoint.engine import Engine, Stake
from barpoint.engine.decision import Tokens
from barpoint.engine.prospect import tokens_of
from barpoint.engine.stake import stake_of
from barpoint.match import Match
from barpoint.native import row_index
from barpoint.rules import FirstRoll


class Fortune:
    """Weighs rolls with one engine: the means are over its own figures, so that luck is nothing on average.

    Markers are counted: a roll is worth what is left of it when both sides call as they should (rulings 2.7).
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._rows = engine.rules.dice.rows

    def of_roll(self, match: Match, faces: tuple[int, ...]) -> float:
        """The luck of the player who rolls now, in his equity."""
        game = match.game
        player = game.player
        values = self._values(game.position, stake_of(match, player), tokens_of(game, player))
        weight = sum(row.weight for row in self._rows)
        mean = sum(row.weight * value for row, value in zip(self._rows, values, strict=True)) / weight
        return values[row_index(self.engine.rules, faces)] - mean

    def of_opening(self, match: Match, faces: tuple[int, int]) -> float:
        """The luck of the player who starts: that he does, and with what; ties, which are rolled again, left out."""
        sides = self.engine.rules.dice.sides
        rolls = [(a, b) for a in range(1, sides + 1) for b in range(1, sides + 1) if a != b]
        worth = [self._starts(match, starter) for starter in (0, 1)]
        gains = {(a, b): worth[0][(a, b)] if a > b else -worth[1][(a, b)] for a, b in rolls}
        luck = gains[faces] - sum(gains.values()) / len(gains)
        return luck if faces[0] > faces[1] else -luck

    def _starts(self, match: Match, starter: int) -> dict[tuple[int, int], float]:
        """The starter's equity by the dice of the contest."""
        game, rules = match.game, self.engine.rules
        stake, tokens = stake_of(match, starter), tokens_of(game, starter)
        sides = rules.dice.sides
        dice = [
            (a, b) for a in range(1, sides + 1) for b in range(1, sides + 1) if (a > b) == (starter == 0) and a != b
        ]
        if rules.opening.first_roll is FirstRoll.AGAIN:
            stand = self.engine.stand(game.position, stake, tokens)
            return dict.fromkeys(dice, stand)
        alone = rules.opening.first_roll is FirstRoll.OWN_NUMBER
        callable_roll = rules.rerolls.opening_cancellable
        values = self._values(game.position, stake, tokens if callable_roll else (0, 0), tokens)
        return {pair: values[row_index(rules, (max(pair),) if alone else (max(pair), min(pair)))] for pair in dice}

    def _values(self, position: Position, stake: Stake, tokens: Tokens, held: Tokens | None = None) -> list[float]:
        """The roller's equity after every roll of the table. tokens: markers that may be spent; held: all there are."""
        engine, rerolls = self.engine, self.engine.rules.rerolls
        held = held or tokens
        values = [engine.rank_for(position, row.faces, stake, held, 1)[0].equity for row in self._rows]
        if rerolls.other and tokens[1]:
            again = engine.rolled_again(position, stake, held, "them")
            values = [min(value, again) for value in values]
        if rerolls.own and tokens[0]:
            again = engine.rolled_again(position, stake, held, "us")
            values = [max(value, again) for value in values]
        return values
