"""The luck of rolls: the equity of each with its best play, less the mean over all possible rolls."""

from __future__ import annotations

from barpoint.engine import DecisionPoint, Engine, OutcomeProbabilities
from barpoint.engine.cube_info import cube_info_of
from barpoint.engine.decision_point import Tokens, point_of, tokens_of
from barpoint.match import Match
from barpoint.native import row_index
from barpoint.rules import FirstRoll


class LuckMeter:
    """Measures the luck of rolls with one engine; the mean over all rolls uses the same equities, so luck is 0 on average.

    Reroll tokens count: the equity of a roll assumes that both sides reroll when they should (rulings 2.7).
    """

    def __init__(self, engine: Engine[OutcomeProbabilities]) -> None:
        self.engine = engine
        self._rows = engine.rules.dice.rows

    def of_roll(self, match: Match, faces: tuple[int, ...]) -> float:
        """The luck of the player who rolls now, in their equity."""
        values = self._equities(point_of(match))
        weight = sum(row.weight for row in self._rows)
        mean = sum(row.weight * value for row, value in zip(self._rows, values, strict=True)) / weight
        return values[row_index(self.engine.rules, faces)] - mean

    def of_opening(self, match: Match, faces: tuple[int, int]) -> float:
        """The luck of the player who starts: of starting, and of the dice they start with; ties do not count."""
        sides = self.engine.rules.dice.sides
        rolls = [(a, b) for a in range(1, sides + 1) for b in range(1, sides + 1) if a != b]
        equity = [self._starts(match, starter) for starter in (0, 1)]
        gains = {(a, b): equity[0][(a, b)] if a > b else -equity[1][(a, b)] for a, b in rolls}
        luck = gains[faces] - sum(gains.values()) / len(gains)
        return luck if faces[0] > faces[1] else -luck

    def _starts(self, match: Match, starter: int) -> dict[tuple[int, int], float]:
        """The starter's equity by the dice of the opening roll."""
        game, rules = match.game, self.engine.rules
        point = DecisionPoint(game.position, cube_info_of(match, starter), tokens_of(game, starter))
        sides = rules.dice.sides
        dice = [
            (a, b) for a in range(1, sides + 1) for b in range(1, sides + 1) if (a > b) == (starter == 0) and a != b
        ]
        if rules.opening.first_roll is FirstRoll.AGAIN:
            return dict.fromkeys(dice, self.engine.equity(point))
        alone = rules.opening.first_roll is FirstRoll.OWN_NUMBER
        values = self._equities(point, spendable=None if rules.rerolls.opening_cancellable else (0, 0))
        return {pair: values[row_index(rules, (max(pair),) if alone else (max(pair), min(pair)))] for pair in dice}

    def _equities(self, point: DecisionPoint, spendable: Tokens | None = None) -> list[float]:
        """The roller's equity after every roll of the dice. spendable: the tokens that may be used; None for all."""
        engine, rerolls = self.engine, self.engine.rules.rerolls
        assert point.tokens is not None
        tokens = point.tokens if spendable is None else spendable
        values = engine.roll_equities(point)
        if rerolls.other and tokens[1]:
            again = engine.equity_after_reroll(point, "them")
            values = [min(value, again) for value in values]
        if rerolls.own and tokens[0]:
            again = engine.equity_after_reroll(point, "us")
            values = [max(value, again) for value in values]
        return values
