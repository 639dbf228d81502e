"""What a net is trained on: its rules, the starts of its games, and how much of everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from barpoint.error import NetError, UnsupportedRules, check_kind, check_names, whole_number
from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.variants import rules_of

SMALL: Final[dict[str, Any]] = {
    "hidden": 64,
    "hidden2": 0,
    "phases": 1,
    "first_games": 10_000,
    "rounds": 1,
    "epochs": 8,
    "pruning_games": 100,
}
"""What `Recipe.small` takes instead of the defaults."""


def check_least(name: str, value: int, least: int) -> None:
    """ArgumentError for a number that is none, NetError for one below the least."""
    if whole_number(name, value) < least:
        raise NetError("%(name)s %(value)s; at least %(least)s is needed", name=name, value=value, least=least)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one net is trained. UnsupportedRules for rules that no net can learn, NetError for a net that cannot be made.

    starts: (variant, share of the games): a name or rules that differ only in their start. The first is the net's own
        variant.
    hidden, hidden2: units of the first and the second hidden layer, multiples of 16 up to 1024 and 256; hidden2 may be 0.
    phases: 8 when each phase of a game has a second layer of its own (core/rules/phase.hpp), else 1.
    first_games: games of the first stage, learning while playing.
    rounds: rounds of labelling positions with 1-ply targets and fitting a fresh net to all labels so far.
    epochs: passes over the labels in the last fit; earlier fits take half as many.
    scatter: share of games that begin with some random plays.
    rare: share of the games with the standard start whose labels begin in a position of `rare.py` instead.
    exploration: probability that a roll is played with another play, nearly as good as the best.
    siblings: at most so many plays of each roll, nearly as good as the best, get labels besides the one made; 0 for none.
    second_ply: 1-ply targets look a second ply ahead by so many rolls, drawn at random, at a cost of as many labels each; 0 for none.
    lambda_: weight of later temporal differences in the targets of earlier positions; 1, as in games from rare positions, for outcome
        targets, which are known of the token state alone in which a game is played (docs/decisions/0016).
    pruning_games: games whose positions teach the pruning net that preselects replies while labelling.
    longest: rolls after which a game of self-play is abandoned.
    """

    starts: Sequence[tuple[str | Rules, float]]
    hidden: int = 1024
    hidden2: int = 64
    phases: int = 8
    first_games: int = 40_000
    rounds: int = 2
    epochs: int = 10
    scatter: float = 0.2
    exploration: float = 0.15
    rare: float = 0.0
    siblings: int = 0
    second_ply: int = 0
    lambda_: float = 0.8
    pruning_games: int = 400
    longest: int = 500

    def __post_init__(self) -> None:
        if not self.starts or any(share <= 0 for _, share in self.starts):
            raise NetError("a recipe needs at least one start, and shares of the games above 0")
        for name in ("scatter", "exploration", "rare", "lambda_"):
            check_kind(name, getattr(self, name), int, float)
            if not 0 <= getattr(self, name) <= 1:
                raise NetError("%(name)s %(value)s; 0 to 1 are allowed", name=name, value=getattr(self, name))
        for name in ("first_games", "rounds", "epochs", "pruning_games", "longest"):
            check_least(name, getattr(self, name), 1)
        check_least("second_ply", self.second_ply, 0)
        for name, least, most in (("hidden", 16, 1024), ("hidden2", 0, 256)):
            check_kind(name, units := getattr(self, name), int)
            if units % 16 or not least <= units <= most:
                raise NetError(
                    "%(name)s %(value)s; a multiple of 16 from %(least)s to %(most)s is allowed",
                    name=name,
                    value=units,
                    least=least,
                    most=most,
                )
        for rules, _ in self.rules_of_starts():
            if rules.rerolls.tokens > 1:
                raise UnsupportedRules(
                    "%(name)s gives each side %(tokens)s tokens; nets know at most one",
                    name=rules.name,
                    tokens=rules.rerolls.tokens,
                )

    @classmethod
    def small(cls, rules: str | Rules, **changes: Any) -> Self:
        """A recipe for a small net of one variant, trained in minutes; `changes` are fields of a recipe.

        64 hidden units, 10,000 games of learning while playing, one round of labels. ArgumentError for another field.
        """
        check_kind("rules", rules, str, Rules)
        check_names(changes, cls.__slots__)
        return cls(**{"starts": ((rules, 1.0),), **SMALL, **changes})

    @property
    def rules(self) -> Rules:
        """The rules of the net's own variant."""
        return self.rules_of_starts()[0][0]

    @property
    def token_states(self) -> int:
        """The number of token states of the net: 4 where a side has a reroll token, else 1."""
        return 4 if self.rules.rerolls.tokens else 1

    def rules_of_starts(self) -> list[tuple[Rules, float]]:
        """The rules of each start, with its share of the games."""
        return [(rules_of(start), share) for start, share in self.starts]

    def self_play(self) -> dict[str, Any]:
        """The settings of self-play, as the core takes them."""
        return {
            "starts": [(core_rules(rules), share) for rules, share in self.rules_of_starts()],
            "scatter": self.scatter,
            "exploration": self.exploration,
            "lambda_": self.lambda_,
            "longest": self.longest,
        }

    def fresh_net(self, seed: int = 1) -> core.Net:
        """A net with small random weights in the shape that these rules need; NetError for sizes that no net has."""
        try:
            return core.Net(
                inputs=core.inputs_for(core_rules(self.rules)),
                hidden=self.hidden,
                hidden2=self.hidden2,
                states=self.token_states,
                phases=self.phases,
                per_checker=self.rules.scoring.per_checker,
                seed=seed,
            )
        except ValueError as error:
            raise NetError(str(error).removeprefix("net file: ")) from None
