"""What each net is trained on: its rules, the starts of its games, and the division of the time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one net is trained.

    starts: (variant, share of the games): rules that differ only in their start. The first is the net's own variant.
    hidden, hidden2: units of the first and the second hidden layer; 0 for none.
    phases: 8 when each phase of a game has a second layer of its own (core/rules/phase.hpp), else 1.
    first_games: games of the first stage, learning while playing.
    rounds: rounds of labelling positions with 1-ply targets and fitting a fresh net to all labels so far.
    epochs: passes over the labels in the last fit; earlier fits take half as many.
    scatter: share of games that begin with some random plays.
    rare: share of the games with the standard start whose labels begin in a position of `rare.py` instead.
    exploration: probability that a roll is played with another play, nearly as good as the best.
    lambda_: weight of later temporal differences in the targets of earlier positions; 1 in games from rare positions.
    pruning_games: games whose positions teach the pruning net that preselects replies while labelling.
    """

    starts: tuple[tuple[str, float], ...]
    hidden: int = 1024
    hidden2: int = 64
    phases: int = 8
    first_games: int = 40_000
    rounds: int = 2
    epochs: int = 10
    scatter: float = 0.2
    exploration: float = 0.15
    rare: float = 0.0
    lambda_: float = 0.8
    pruning_games: int = 400
    longest: int = 500


def _every_start(modifier: str = "") -> tuple[tuple[str, float], ...]:
    """Mostly the standard start, and all others, under a modifier such as "roll-over"."""
    shares = {"backgammon": 0.88, "nackgammon": 0.06, "longgammon": 0.01}
    shares |= {f"hypergammon(checkers={count})": 0.01 for count in range(1, 6)}
    return tuple((f"{modifier}+{name}" if modifier else name, share) for name, share in shares.items())


_HYPER: Final = tuple(
    (f"hypergammon(checkers={count})", share) for count, share in ((3, 0.4), (4, 0.2), (5, 0.2), (2, 0.12), (1, 0.08))
)

RECIPES: Final = {
    "standard": Recipe(_every_start(), rounds=3, epochs=8, scatter=0.25, rare=0.06),
    "roll-over": Recipe(_every_start("roll-over"), first_games=25_000),
    "cancelgammon": Recipe(_every_start("cancelgammon"), first_games=25_000),
    "duodecagammon": Recipe(_every_start("duodecagammon"), first_games=25_000),
    "roll-over-duodecagammon": Recipe(_every_start("roll-over+duodecagammon"), first_games=25_000),
    "cancelgammon-duodecagammon": Recipe(_every_start("cancelgammon+duodecagammon"), first_games=25_000),
    "hypergammon": Recipe(_HYPER, hidden=512, first_games=60_000, scatter=0.1),
    # A 2-1 can have thousands of plays, so 1-ply targets are slow here; fewer units suffice.
    "acey-deucey": Recipe((("acey-deucey", 1.0),), hidden=256, first_games=8_000, rounds=2, scatter=0.3),
}
