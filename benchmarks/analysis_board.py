"""How long the analysis board waits for its answers: `python -m benchmarks.analysis_board`.

Each figure is the median and the longest of nine positions of a game, asked of a warm process as the server asks it.
Targets: the first answer within 100 ms, two plies within 300 ms, a matrix within 2 s.
"""

from __future__ import annotations

import sys
import time
from statistics import median
from typing import Final

import msgspec

from barpoint.analysis.adviser import LAST, AnswerKind, PositionQuestion
from barpoint.analysis.inquiry import Inquiry
from barpoint.board import Position
from barpoint.dice import roll, seeded
from barpoint.engine import Engine
from barpoint.record import format_position
from barpoint.rules import Rules
from barpoint.server.child_process import EngineProcess

POSITIONS: Final = 9

ASKED: Final[tuple[tuple[str, AnswerKind, bool, int], ...]] = (
    ("plays, 0-ply", "position", True, 0),
    ("plays, 2-ply (the first answer)", "position", True, 2),
    ("plays, 3-ply", "position", True, 3),
    ("cube, 2-ply (the first answer)", "position", False, 2),
    ("cube, 3-ply", "position", False, 3),
    ("rolls, 0-ply", "rolls", False, 0),
    ("rolls, 1-ply", "rolls", False, 1),
    ("matrix of cube actions, 1-ply", "matrix", False, 1),
    ("matrix of plays, 1-ply", "matrix", True, 1),
    ("matrix of cube actions, 2-ply", "matrix", False, 2),
)


def positions() -> list[Position]:
    """Positions of a game that the net plays against itself, every third turn."""
    rules, numbers = Rules(), seeded(5)
    engine, here, found = Engine(rules), rules.start, [rules.start]
    for turn in range(1, 3 * POSITIONS):
        here = engine.rank(here, roll(rules.dice.rows, [next(numbers)]), limit=1)[0].play.next
        if turn % 3 == 0:
            found.append(here)
    return found[:POSITIONS]


def main() -> None:
    """Prints a line for each kind of answer."""
    process = EngineProcess("adviser", (sys.executable, "-m", "barpoint.analysis.adviser"))
    places = positions()
    for name, kind, rolled, plies in ASKED:
        taken = []
        for number, place in enumerate(places):
            faces = ((3, 1), (6, 4), (5, 5))[number % 3] if rolled else ()
            question = PositionQuestion(kind, Inquiry("backgammon", format_position(place), faces), plies)
            line = msgspec.json.encode(question).decode()
            for _ in range(2 if not number else 1):  # the first one loads the net
                began = time.perf_counter()
                process.ask([line], LAST.__eq__, 120)
                passed = time.perf_counter() - began
            taken.append(1000 * passed)
        print(f"{name}: {median(taken):.0f} ms, at most {max(taken):.0f} ms")
    process.close()


if __name__ == "__main__":
    main()
