"""The picture of strength against time, as SVG that is readable on light and dark backgrounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby

WIDE, HIGH = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 130, 24, 52
COLOURS = ("#2a78c2", "#c2592a", "#8a6d3b", "#3f8f4f")


@dataclass(frozen=True, slots=True)
class Dot:
    """One program at one depth. name: ends with the depth. loss: millipoints a play."""

    name: str
    milliseconds: float
    loss: float

    @property
    def program(self) -> str:
        """The name without the depth."""
        return self.name.rpartition(" ")[0]


def draw(dots: list[Dot]) -> str:
    """Loss upwards, time to the right on a logarithmic axis; a line joins the dots of one program."""
    powers = [math.log10(dot.milliseconds) for dot in dots]
    first, last = math.floor(min(powers)), math.ceil(max(powers))
    top = max(dot.loss for dot in dots) * 1.1
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if top / step <= 8)

    def x(milliseconds: float) -> float:
        return LEFT + (math.log10(milliseconds) - first) / (last - first) * (WIDE - LEFT - RIGHT)

    def y(loss: float) -> float:
        return HIGH - BOTTOM - loss / top * (HIGH - TOP - BOTTOM)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="13">',
        "<style>text { fill: #555 } @media (prefers-color-scheme: dark) { text { fill: #bbb } }</style>",
    ]
    for power in range(first, last + 1):
        at = x(10**power)
        out.append(f'<path d="M{at:.1f} {TOP}V{HIGH - BOTTOM}" stroke="#888" stroke-opacity="0.3"/>')
        out.append(f'<text x="{at:.1f}" y="{HIGH - BOTTOM + 18}" text-anchor="middle">{10.0**power:g}</text>')
    for loss in range(0, int(top) + 1, step):
        out.append(f'<path d="M{LEFT} {y(loss):.1f}H{WIDE - RIGHT}" stroke="#888" stroke-opacity="0.3"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(loss) + 4:.1f}" text-anchor="end">{loss}</text>')
    out.append(
        f'<text x="{(LEFT + WIDE - RIGHT) / 2}" y="{HIGH - 10}" text-anchor="middle">milliseconds a play, one core</text>'
    )
    out.append(f'<text x="{LEFT}" y="{TOP - 8}">lost a play, millipoints</text>')
    for colour, (_, group) in zip(COLOURS, groupby(dots, key=lambda dot: dot.program), strict=False):
        line = list(group)
        path = "L".join(f"{x(dot.milliseconds):.1f} {y(dot.loss):.1f}" for dot in line)
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for dot in line:
            at = f'cx="{x(dot.milliseconds):.1f}" cy="{y(dot.loss):.1f}"'
            out.append(f'<circle {at} r="5" fill="{colour}"><title>{dot.name}</title></circle>')
            label = dot.name.rpartition(" ")[2] if dot is not line[-1] else dot.name
            before = len(line) == 1  # another program's line probably continues to the right
            at = f'x="{x(dot.milliseconds) + (-9 if before else 9):.1f}" y="{y(dot.loss) - 7:.1f}"'
            anchor = "end" if before else "start"
            out.append(f'<text {at} text-anchor="{anchor}" style="fill:{colour}">{label}</text>')
    return "\n".join([*out, "</svg>", ""])
