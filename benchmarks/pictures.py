"""Draws the pictures of docs/engine.md from what was measured: python -m benchmarks.pictures

docs/pictures/strength.svg: what a play loses against the time it takes, from the section `loss` of results.md.
docs/pictures/training.svg: how strong a net is after how much training, from benchmarks/data/training.tsv (training_curve.py).
`python -m benchmarks` draws them after every run.
"""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.peer.picture import Dot, draw

FOLDER = Path(__file__).parent
PICTURES = FOLDER.parent / "docs" / "pictures"
TRAINING = FOLDER / "data" / "training.tsv"


def strength_dots(page: str) -> list[Dot]:
    """Microseconds and lost millipoints a play of every program, as the section `loss` of the results has them."""
    section = re.search(r"^## loss\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    found = re.findall(
        r"^(\S.*? \d-ply), plays +([\d.]+) \+- +([\d.]+)(?:.*\n)+? +decisions of games: .*?([\d.]+) ms a play$",
        section[1] if section else "",
        re.MULTILINE,
    )
    return [Dot(name, 1000 * float(ms), float(loss), float(error)) for name, loss, error, ms in found]


def training_dots(lines: str) -> list[Dot]:
    """Processor minutes and points a game of every net of a training; lines as training_curve.py writes them."""
    rows = [line.split("\t") for line in lines.splitlines() if line and not line.startswith("#")]
    return [Dot(f"stage {name}", float(minutes), float(mean), float(error)) for name, minutes, _, mean, error in rows]


def pictures() -> dict[str, str]:
    """Each picture by the name of its file, drawn from the figures that are kept now."""
    return {
        "strength.svg": draw(
            strength_dots((FOLDER / "results.md").read_text(encoding="utf-8")),
            "microseconds a play, one core",
            "lost a play, millipoints",
        ),
        "training.svg": draw(
            training_dots(TRAINING.read_text(encoding="utf-8")),
            "processor minutes of training",
            "points a game against the net published then, luck-adjusted",
        ),
    }


def main() -> None:
    """Writes all pictures."""
    for name, picture in pictures().items():
        (PICTURES / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
