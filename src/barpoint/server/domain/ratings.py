"""Ratings, by the result of a match alone: the formula of FIBS, and Glicko-2 beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

MIN_K: Final = 1.0
"""What is left of a newcomer's faster change once his experience is 400."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A place in one pool. value: 1500 at the start. experience: the lengths of all rated matches, added up."""

    value: float = 1500.0
    experience: int = 0


def upset_chance(difference: float, length: int) -> float:
    """The chance of the player who is rated lower by that difference (>= 0), in a match to `length` points."""
    return 1 / (10 ** (difference * math.sqrt(length) / 2000) + 1)


def win_chance(player: Rating, other: Rating, length: int) -> float:
    """The chance of a player in a match to `length` points."""
    chance = upset_chance(abs(player.value - other.value), length)
    return chance if player.value < other.value else 1 - chance


def after_match(winner: Rating, loser: Rating, length: int) -> tuple[Rating, Rating]:
    """The winner's and the loser's rating after a match to `length` points; ValueError where it has no length.

    Experience grows first; each changes by his own K (rulings 8).
    """
    if length < 1:
        raise ValueError(f"a match to {length} points is not rated; rated matches have 1 point or more")
    surprise = 1 - win_chance(winner, loser, length)
    step = 4 * math.sqrt(length) * surprise
    winner = replace(winner, experience=winner.experience + length)
    loser = replace(loser, experience=loser.experience + length)
    return (
        replace(winner, value=winner.value + step * growth(winner)),
        replace(loser, value=loser.value - step * growth(loser)),
    )


def growth(rating: Rating) -> float:
    """How much faster a rating changes than that of an old hand: K of the formula, for the experience after the match."""
    return max(MIN_K, 5 - rating.experience / 100)


SCALE: Final = 173.7178
"""From Glicko-2's own scale to that of ratings (Glickman, "Example of the Glicko-2 system", 2013, step 2)."""

TAU: Final = 0.5
"""How fast volatility may change."""

CLOSE_ENOUGH: Final = 1e-6
"""Where the search for the new volatility ends; Glickman's own figure."""

PROVISIONAL_DEVIATION: Final = 110.0
"""Above it a rating is marked as provisional."""


@dataclass(frozen=True, slots=True)
class Glicko:
    """What Glicko-2 knows of a player in one pool; 1500 at the start. It pairs players and marks new ones."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    @property
    def provisional(self) -> bool:
        """Whether little is known of this player yet."""
        return self.deviation > PROVISIONAL_DEVIATION


def glicko_after(player: Glicko, results: Iterable[tuple[Glicko, float]], tau: float = TAU) -> Glicko:
    """A player after a rating period: results are (the other as he was before it, 1 won, 0.5 drawn, 0 lost).

    A period without results only makes the deviation grow. Names of the steps as in Glickman's paper.
    """
    mu, phi = (player.rating - 1500) / SCALE, player.deviation / SCALE
    information = improvement = 0.0
    for other, score in results:
        weight = _g(other.deviation / SCALE)
        expected = 1 / (1 + math.exp(-weight * (mu - (other.rating - 1500) / SCALE)))
        information += weight * weight * expected * (1 - expected)
        improvement += weight * (score - expected)
    if information == 0:
        return replace(player, deviation=SCALE * math.hypot(phi, player.volatility))
    variance = 1 / information
    volatility = _volatility(phi, player.volatility, variance, variance * improvement, tau)
    before = math.hypot(phi, volatility)
    after = 1 / math.sqrt(1 / before**2 + information)
    return Glicko(1500 + SCALE * (mu + after**2 * improvement), SCALE * after, volatility)


def glicko_after_match(winner: Glicko, loser: Glicko) -> tuple[Glicko, Glicko]:
    """Both after a match, which is a rating period of its own."""
    return glicko_after(winner, [(loser, 1.0)]), glicko_after(loser, [(winner, 0.0)])


def _g(phi: float) -> float:
    """How much a result against a player of this deviation says."""
    return 1 / math.sqrt(1 + 3 * phi * phi / (math.pi * math.pi))


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """The new volatility: the root of f by the Illinois method (step 5)."""
    start = math.log(sigma * sigma)

    def f(x: float) -> float:
        power = math.exp(x)
        rest = phi * phi + variance + power
        return power * (delta * delta - rest) / (2 * rest * rest) - (x - start) / (tau * tau)

    low = start
    if delta * delta > phi * phi + variance:
        high = math.log(delta * delta - phi * phi - variance)
    else:
        steps = 1
        while f(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > CLOSE_ENOUGH:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
