"""Plots of values over time, as SVG: grid, lines and dots in the colours of the page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

WIDTH: Final = 640
HEIGHT: Final = 220
LEFT: Final = 46
EDGE: Final = 14


@dataclass(frozen=True, slots=True)
class Axes:
    """Where values lie. count: how many there are, from left to right. low, high: the range of what is shown. below: the room for labels."""

    count: int
    low: float
    high: float
    below: int = EDGE

    def x(self, index: float) -> float:
        """The place of the value with this number."""
        return LEFT + index * (WIDTH - LEFT - EDGE) / max(1, self.count - 1)

    def y(self, value: float) -> float:
        """The height of a value; one beyond the range lies at its edge."""
        inside = min(max(value, self.low), self.high)
        return HEIGHT - self.below - (inside - self.low) * (HEIGHT - EDGE - self.below) / (self.high - self.low)

    def grid(self, step: float) -> str:
        """Lines at the multiples of a step, with their values."""
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        lines = (
            f'<line x1="{LEFT}" x2="{WIDTH - EDGE}" y1="{self.y(mark):.1f}" y2="{self.y(mark):.1f}"/>'
            f'<text x="{LEFT - 6}" y="{self.y(mark) + 4:.1f}">{mark:g}</text>'
            for mark in (number * step for number in range(first, last + 1))
        )
        return f'<g class="grid">{"".join(lines)}</g>'

    def labels(self, texts: Mapping[int, str]) -> str:
        """Texts below the values with these numbers."""
        found = (
            f'<text x="{self.x(index):.1f}" y="{HEIGHT - 7}">{escape(text)}</text>' for index, text in texts.items()
        )
        return f'<g class="labels">{"".join(found)}</g>'

    def points(self, values: Iterable[float]) -> str:
        """The places of values, as the points of a line."""
        return " ".join(f"{self.x(index):.1f},{self.y(value):.1f}" for index, value in enumerate(values))

    def dot(self, index: int, value: float, radius: float, said: str = "") -> str:
        """A dot at a value. said: what is read when it is pointed at."""
        title = f"<title>{escape(said)}</title>" if said else ""
        end = f">{title}</circle>" if title else "/>"
        return f'<circle cx="{self.x(index):.1f}" cy="{self.y(value):.1f}" r="{radius:g}"{end}'


def picture(said: str, *parts: str) -> str:
    """A plot of these parts. said: what it shows, in words."""
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(said)}">'
        f"{''.join(parts)}</svg>"
    )


def line_with_band(axes: Axes, values: Sequence[float], margins: Sequence[float]) -> str:
    """A line, and around it the range in which the true values lie."""
    lower = [value - margin for value, margin in zip(values, margins, strict=True)]
    upper = [value + margin for value, margin in zip(values, margins, strict=True)]
    back = " ".join(reversed(axes.points(lower).split()))
    return f'<polygon points="{axes.points(upper)} {back}"/><polyline points="{axes.points(values)}"/>'
