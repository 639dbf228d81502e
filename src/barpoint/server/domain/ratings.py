"""Ratings, from match results alone: the FIBS formula, and Glicko-2 alongside."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

MIN_K: Final = 1.0
"""The factor for newcomers falls to this at experience 400."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in one pool. value: starts at 1500. experience: total length of all rated matches."""

    value: float = 1500.0
    experience: int = 0


def upset_chance(difference: float, length: int) -> float:
    """The winning probability of the player rated lower by `difference` (>= 0), in a match to `length` points."""
    return 1 / (10 ** (difference * math.sqrt(length) / 2000) + 1)


def win_chance(player: Rating, other: Rating, length: int) -> float:
    """A player's winning probability in a match to `length` points."""
    chance = upset_chance(abs(player.value - other.value), length)
    return chance if player.value < other.value else 1 - chance


def after_match(winner: Rating, loser: Rating, length: int) -> tuple[Rating, Rating]:
    """The winner's and the loser's rating after a match to `length` points; ValueError for a length below 1.

    Experience grows first; each rating changes by its own K (rulings 8).
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
    """How much faster a newcomer's rating changes: K of the formula, for the experience after the match."""
    return max(MIN_K, 5 - rating.experience / 100)


SCALE: Final = 173.7178
"""From Glicko-2's own scale to the rating scale (Glickman, "Example of the Glicko-2 system", 2013, step 2)."""

TAU: Final = 0.5
"""How fast volatility may change."""

CLOSE_ENOUGH: Final = 1e-6
"""Convergence tolerance of the search for the new volatility; Glickman's value."""

PROVISIONAL_DEVIATION: Final = 110.0
"""Ratings with a larger deviation are marked as provisional."""


@dataclass(frozen=True, slots=True)
class Glicko:
    """A player's Glicko-2 state in one pool; starts at 1500. Used for pairing and to mark new players."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    @property
    def provisional(self) -> bool:
        """Whether little is known about this player yet."""
        return self.deviation > PROVISIONAL_DEVIATION


def glicko_after(player: Glicko, results: Iterable[tuple[Glicko, float]], tau: float = TAU) -> Glicko:
    """A player after a rating period; results are (opponent before the period, 1 won, 0.5 drawn, 0 lost).

    A period without results only increases the deviation. The steps are named as in Glickman's paper.
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
    """Both players after a match, which is a rating period of its own."""
    return glicko_after(winner, [(loser, 1.0)]), glicko_after(loser, [(winner, 0.0)])


def _g(phi: float) -> float:
    """The weight of a result against a player of this deviation."""
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
