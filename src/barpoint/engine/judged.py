"""Choices with the equities that a rollout gave them, as text: "8/5 6/5=2409,42", equity and standard error in units of 0.0001."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

UNIT: Final = 10_000
"""Units of an equity in the files, a point."""

MOST: Final = 1_000
"""Points; no equity is larger."""

JudgedChoice = tuple[str, float, float]
"""A play or cube action in words, its equity and the standard error of that, in points."""


def format_judged(choices: Iterable[JudgedChoice]) -> list[str]:
    """A text for each choice."""
    return [f"{text}={round(UNIT * equity)},{round(UNIT * error)}" for text, equity, error in choices]


def parse_judged(items: Sequence[str]) -> tuple[JudgedChoice, ...]:
    """The choices of such texts; ValueError for other texts."""
    found = []
    for item in items:
        text, _, numbers = item.rpartition("=")
        equity, error = map(int, numbers.split(","))
        if max(abs(equity), abs(error)) > MOST * UNIT:
            raise ValueError(numbers)
        found.append((text, equity / UNIT, error / UNIT))
    return tuple(found)
