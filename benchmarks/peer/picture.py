"""Pictures of strength as SVG that is readable on light and dark backgrounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

WIDE, HIGH = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 130, 24, 52
COLOURS = ("#2a78c2", "#c2592a", "#8a6d3b", "#3f8f4f")
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True, slots=True)
class Dot:
    """One measured figure. name: ends with what distinguishes it from others of its line. error: the standard error of y."""

    name: str
    x: float
    y: float
    error: float = 0.0

    @property
    def line(self) -> str:
        """The name without its last word."""
        return self.name.rpartition(" ")[0]


@dataclass(frozen=True, slots=True)
class _Frame:
    """The scales: x is logarithmic, from power of ten to power of ten; y begins at or below 0."""

    first: int
    last: int
    low: float
    high: float

    @classmethod
    def around(cls, dots: Sequence[Dot]) -> _Frame:
        powers = [math.log10(dot.x) for dot in dots]
        ends = [0.0, *(dot.y + sign * dot.error for dot in dots for sign in (-1, 1))]
        room = 0.1 * (max(ends) - min(ends))
        first = math.floor(min(powers))
        low = min(ends) - room if min(ends) < 0 else 0.0
        return cls(first, max(first + 1, math.ceil(max(powers))), low, max(ends) + room)

    def x(self, value: float) -> float:
        return LEFT + (math.log10(value) - self.first) / (self.last - self.first) * (WIDE - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return HIGH - BOTTOM - (value - self.low) / (self.high - self.low) * (HIGH - TOP - BOTTOM)

    def grid(self) -> list[str]:
        out = []
        for power in range(self.first, self.last + 1):
            at = self.x(10.0**power)
            out.append(f'<path d="M{at:.1f} {TOP}V{HIGH - BOTTOM}" stroke="#888" stroke-opacity="0.3"/>')
            out.append(f'<text x="{at:.1f}" y="{HIGH - BOTTOM + 18}" text-anchor="middle">{10.0**power:,g}</text>')
        step = next(step for step in STEPS if (self.high - self.low) / step <= 8)
        for number in range(math.ceil(self.low / step), math.floor(self.high / step) + 1):
            at = self.y(number * step)
            out.append(f'<path d="M{LEFT} {at:.1f}H{WIDE - RIGHT}" stroke="#888" stroke-opacity="0.3"/>')
            out.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{number * step:g}</text>')
        return out


def _series(frame: _Frame, line: Sequence[Dot], colour: str) -> list[str]:
    path = "L".join(f"{frame.x(dot.x):.1f} {frame.y(dot.y):.1f}" for dot in line)
    out = [f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
    for dot in line:
        x, y = frame.x(dot.x), frame.y(dot.y)
        if dot.error:
            ends = f"{frame.y(dot.y - dot.error):.1f}V{frame.y(dot.y + dot.error):.1f}"
            out.append(f'<path d="M{x:.1f} {ends}" stroke="{colour}" stroke-opacity="0.6"/>')
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"><title>{dot.name}</title></circle>')
        label = dot.name.rpartition(" ")[2] if dot is not line[-1] else dot.name
        before = len(line) == 1  # another line probably continues to the right
        at = f'x="{x + (-9 if before else 9):.1f}" y="{y - 7:.1f}"'
        anchor = "end" if before else "start"
        out.append(f'<text {at} text-anchor="{anchor}" style="fill:{colour}">{label}</text>')
    return out


def draw(dots: Sequence[Dot], x_label: str, y_label: str) -> str:
    """The dots, a line for those that share all but the last word of their names; x on a logarithmic axis."""
    frame = _Frame.around(dots)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="13">',
        "<style>text { fill: #555 } @media (prefers-color-scheme: dark) { text { fill: #bbb } }</style>",
        *frame.grid(),
        f'<text x="{(LEFT + WIDE - RIGHT) / 2}" y="{HIGH - 10}" text-anchor="middle">{x_label}</text>',
        f'<text x="{LEFT}" y="{TOP - 8}">{y_label}</text>',
    ]
    for colour, (_, group) in zip(COLOURS, groupby(dots, key=lambda dot: dot.line), strict=False):
        out += _series(frame, list(group), colour)
    return "\n".join([*out, "</svg>", ""])
