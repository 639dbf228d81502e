"""Make the reference positions by rollout: python -m training.reference_positions [--games N] [--rolls N] [--cube-rolls N]

Decisions of money games that the engine plays against itself, with slips on both sides so that all kinds of games come up:
of each stage, a number of plays and of cube actions (WANTED). A play counts where another one is close, a cube action near a
border; none is nearer than APART pips to another one of its stage. The best few plays are rolled out on the same dice, and a
play behind by three standard errors is dropped. Writes a line when it is judged, so that the same command goes on where
it was stopped (Ctrl-C at any time). --anew: forgets what is there.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import msgspec
import numpy as np

from barpoint.analysis.phases import phase_of
from barpoint.analysis.reference import (
    FILE,
    ReferencePosition,
    ReferenceSettings,
    format_reference,
    parse_reference,
)
from barpoint.analysis.similar import PositionCollection, counts_of_places
from barpoint.board import Position
from barpoint.engine import CubeInfo, CubeState, DecisionPoint, Engine
from barpoint.engine.cube_info import can_double
from barpoint.moves import outcome
from barpoint.variants import variant

PATH: Final = Path(__file__).parents[1] / "src" / "barpoint" / "data" / FILE

WANTED: Final[dict[str, tuple[int, int]]] = {
    "opening": (90, 15),
    "blitz": (100, 35),
    "prime": (110, 40),
    "back game": (70, 25),
    "holding game": (100, 40),
    "contact": (100, 40),
    "race": (25, 35),
    "bear-off": (40, 35),
}
"""Plays and cube actions of each stage."""

FIRST_TURN: Final = 3
"""The opening book knows the turns before."""

CANDIDATES: Final = 4
CLOSE: Final = 0.1
"""Plays are rolled out whose loss by the engine's estimate at one ply is at most this; one besides the best must be."""

CUBE_CLOSE: Final = 0.15
"""A cube action counts where doubling, or taking, is that near to the other choice."""

APART: Final = 8
CLEAR_ERRORS: Final = 3.0
SLIPS: Final = (0.0, 0.05, 0.12)
"""Standard deviations of the random error of a side's plays, in points; each side of a game has one of them."""

PER_GAME: Final = 2


class Making:
    """The collection on its way."""

    def __init__(self, settings: ReferenceSettings, anew: bool) -> None:
        self.settings = settings
        self.engine = Engine("backgammon", plies=1)
        if anew or not PATH.exists():
            PATH.write_text(msgspec.json.encode(settings).decode() + "\n", encoding="utf-8")
        first, *rest = PATH.read_text(encoding="utf-8").splitlines()
        if msgspec.json.decode(first, type=ReferenceSettings) != settings:
            raise SystemExit(f"{PATH.name} was made otherwise, {first}; --anew forgets it")
        self.known = Counter[tuple[str, bool]]()
        self.near = defaultdict[tuple[str, bool], list[Position]](list)
        for line in map(parse_reference, rest):
            self._count(line)

    def _count(self, line: ReferencePosition) -> None:
        kind = (line.stage, not line.faces)
        self.known[kind] += 1
        self.near[kind].append(line.position)

    @property
    def missing(self) -> int:
        """Decisions that are still wanted."""
        return sum(
            max(0, most - self.known[stage, cube])
            for stage, wanted in WANTED.items()
            for cube, most in zip((False, True), wanted, strict=True)
        )

    def wants(self, line: ReferencePosition) -> bool:
        """Whether there is a place for a decision, and none like it."""
        kind = (line.stage, not line.faces)
        if self.known[kind] >= WANTED[line.stage][not line.faces]:
            return False
        held = self.near[kind]
        if not held:
            return True
        places = np.array([counts_of_places(one) for one in held], np.int8)
        collection = PositionCollection(places, np.zeros(len(held), np.uint8))
        return int(collection.nearest(counts_of_places(line.position), 0, 1).pips[0]) >= APART

    def judge(self, line: ReferencePosition) -> bool:
        """Rolls a decision out and writes it; False where nothing is to decide."""
        choices = self._play(line) if line.faces else self._cube(line)
        if choices is None:
            return False
        judged = replace(line, choices=choices)
        self._count(judged)
        with PATH.open("a", encoding="utf-8") as out:
            out.write(format_reference(judged) + "\n")
        return True

    def _play(self, line: ReferencePosition) -> tuple[tuple[str, float, float], ...] | None:
        point = DecisionPoint(line.position, line.cube_info, None, line.faces)
        ranked = [item for item in self.engine.rank(point) if item.loss <= CLOSE][:CANDIDATES]
        if len(ranked) < 2:
            return None
        rolled = self.engine.rollout_plays(
            point,
            (),
            [item.play for item in ranked],
            trials=self.settings.games,
            truncate=self.settings.rolls,
            stop_clear=CLEAR_ERRORS,
        )
        return tuple((str(item.play), item.rollout.equity.mean, item.rollout.equity.error) for item in rolled)

    def _cube(self, line: ReferencePosition) -> tuple[tuple[str, float, float], ...] | None:
        point = DecisionPoint(line.position, line.cube_info)
        seen = self.engine.cube(point)
        double = min(seen.double_take, seen.double_pass)
        close = abs(double - seen.no_double) <= CUBE_CLOSE, abs(seen.double_take - seen.double_pass) <= CUBE_CLOSE
        if not any(close) or abs(double - seen.no_double) > 2 * CUBE_CLOSE:
            return None
        found = self.engine.rollout_cube(point, trials=self.settings.games, truncate=self.settings.cube_rolls)
        stay, take = found.no_double.equity, found.double_take.equity
        return ("no double", stay.mean, stay.error), ("double/take", take.mean, take.error)


def decisions(seed: int) -> Iterator[list[ReferencePosition]]:
    """The decisions of each of endless games, not judged yet."""
    rules, engine = variant("backgammon"), Engine("backgammon")
    weights = [row.weight for row in rules.dice.rows]
    for game in range(sys.maxsize):
        dice = Random(f"{seed} {game}")
        slips = [dice.choice(SLIPS) for _ in range(2)]
        position, info, found = rules.start, CubeInfo(CubeState()), list[ReferencePosition]()
        for turn in range(1, 200):
            owner = info.cube.owner if info.cube else None
            stage = phase_of(rules, position, turn)
            if turn >= FIRST_TURN and can_double(rules.cube, info):
                found.append(ReferencePosition(stage, position, (), owner, ()))
                decided = engine.cube(DecisionPoint(position, info))
                if decided.action == "double/pass":
                    break
                if decided.doubles:
                    info = CubeInfo(CubeState(1, "them"))
            faces = dice.choices(rules.dice.rows, weights)[0].faces
            if turn >= FIRST_TURN:
                owner = info.cube.owner if info.cube else None
                found.append(ReferencePosition(stage, position, faces, owner, ()))
            ranked = engine.rank(DecisionPoint(position, info, None, faces))
            slip = slips[turn % 2]
            best = max(ranked, key=lambda item: item.equity + (dice.gauss(0, slip) if slip else 0.0))
            position, info = best.play.next, info.flip()
            if outcome(rules, position) is not None:
                break
        dice.shuffle(found)
        yield found


def main() -> None:
    """Goes on until all that is wanted is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=324)
    parser.add_argument("--rolls", type=int, default=8)
    parser.add_argument("--cube-rolls", type=int, default=11)
    parser.add_argument("--anew", action="store_true")
    wanted = parser.parse_args()
    entry = Engine("backgammon").entry
    assert entry is not None, "backgammon has a net"
    making = Making(
        ReferenceSettings(entry.file.removesuffix(".net"), wanted.games, wanted.rolls, wanted.cube_rolls), wanted.anew
    )
    try:
        for game in decisions(seed=making.missing):  # other games than those before it was stopped
            judged = 0
            for line in game:
                if judged < PER_GAME and making.wants(line) and making.judge(line):
                    judged += 1
                    print(f"\r{making.missing} to go  ", end="", file=sys.stderr, flush=True)
            if not making.missing:
                break
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here", file=sys.stderr)


if __name__ == "__main__":
    main()
