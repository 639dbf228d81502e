"""Whether we and GNU Backgammon find the same losses in real matches: BARPOINT_SAMPLES=FOLDER python -m benchmarks.agreement

MATCHES of the folder's `galaxy` are analysed by both at two plies. Compared are the losses, normalised, of every play and
of every double, take and pass that both judge; then the decisions on which they differ most are rolled out. The judge is a
rollout with our own net. Nothing is printed about the players.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from barpoint.analysis import Decision, analyse
from barpoint.analysis.findings import mark_of
from barpoint.board import Position
from barpoint.engine import DecisionPoint, Engine, OutcomeProbabilities
from barpoint.engine.cube_info import CubeInfo
from barpoint.engine.decision_point import point_of
from barpoint.game.event import position_of
from barpoint.match import Match
from barpoint.moves import Play, legal_plays
from barpoint.record import Book, format_position
from barpoint.record.annotation import Annotation, EvaluatedCube
from barpoint.record.file import read_match
from barpoint.rules import Rules
from benchmarks.peer.gnubg import after, find_gnubg

PLIES: Final = 2
MATCHES: Final = 50
FEW: Final = 20
"""Differences that are judged by rollouts."""

TRIALS: Final = 1296
PLAY_ROLLS: Final = 8
CUBE_ROLLS: Final = 12
CUBE: Final = {"double": "double", "no double": "double", "take": "take", "pass": "take"}
COMMANDS: Final = f"""
set analysis chequerplay evaluation plies {PLIES}
set analysis cubedecision evaluation plies {PLIES}
set analysis luck off
import mat "{{source}}"
analyse match
save match "{{target}}"
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """The losses of one decision, normalised: as we and as GNU Backgammon find them.

    kind: "play", "double" or "take". point: the decision; of a double and its answer, that of the doubler.
    favourites: what they and we like best, of a play.
    """

    kind: str
    rules: Rules
    point: DecisionPoint
    decision: Decision
    theirs: float
    favourites: tuple[Position, ...] = ()

    @property
    def ours(self) -> float:
        """The loss as we find it."""
        return self.decision.loss

    @property
    def apart(self) -> float:
        """How far the two are apart."""
        return abs(self.ours - self.theirs)


def analysed_by_gnubg(program: str, source: Path, folder: Path) -> Book:
    """The match with GNU Backgammon's analysis."""
    target, commands, copy = (folder / f"{source.stem}.{end}" for end in ("sgf", "commands", "mat"))
    shutil.copy(source, copy)
    commands.write_text(COMMANDS.format(source=copy, target=target))
    subprocess.run(
        [program, "-t", "-q", "-r", "-c", commands],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder), "TERM": "dumb"},
        check=True,
    )
    return read_match(target)


def pairs(book: Book) -> Iterator[Pair]:
    """Every decision that the book's annotations and our analysis judge."""
    points, rules = points_before(book.match), book.match.rules
    for decision in analyse(book, plies=PLIES).decisions:
        point = points[decision.event]
        if decision.kind == "play" and decision.counted:
            yield from play_pair(rules, decision, point, book.annotations.get(decision.event))
        elif decision.kind in CUBE:
            found = cube_annotation(book, decision)
            if found is not None:
                yield Pair(CUBE[decision.kind], rules, point, decision, cube_loss(decision, point.cube_info, found))


def points_before(match: Match) -> dict[int, DecisionPoint]:
    """The decision before every event of a match, by its number from 1."""
    before, found = Match.start(rules=match.rules, terms=match.terms), {}
    for number, event in enumerate(match.events, start=1):
        found[number] = point_of(before)
        before = before.replay(event)
    return found


def play_pair(rules: Rules, decision: Decision, point: DecisionPoint, said: Annotation | None) -> Iterator[Pair]:
    """The pair of a play; none if GNU Backgammon does not list it."""
    plays = said.plays if said else ()
    results = [after(point.position, [place for step in play.steps for place in step]) for play in plays]
    places = [decision.made.position, decision.best.position]
    made, best = (position_of(place) for place in places if place is not None)
    if made in results:
        theirs = plays[0].equity - plays[results.index(made)].equity
        yield Pair("play", rules, point, decision, theirs, (made, best, results[0]))


def cube_annotation(book: Book, decision: Decision) -> EvaluatedCube | None:
    """What GNU Backgammon says about the double of a decision; of a double that is not made it says it at the play."""
    numbers = [decision.event, decision.event + 1] if decision.kind == "no double" else [decision.event]
    said = (book.annotations.get(number, Annotation()).cube for number in numbers)
    return next((cube for cube in said if cube is not None), None)


def cube_loss(decision: Decision, info: CubeInfo, said: EvaluatedCube) -> float:
    """The loss of a double, or of its answer, as GNU Backgammon finds it. info: of the doubler."""
    stay, take = (info.to_equity(value) if said.mwc else value for value in (said.no_double, said.take))
    match decision.kind:
        case "take":
            return max(0.0, take - 1)
        case "pass":
            return max(0.0, 1 - take)
        case "double":
            return max(0.0, stay - min(take, 1.0))
        case _:
            return max(0.0, min(take, 1.0) - stay)


def rolled_loss(engine: Engine[OutcomeProbabilities], pair: Pair) -> tuple[float, float]:
    """The loss of what was done by rollout, and its standard error."""
    if pair.kind == "play":
        listed = {one.result: one for one in legal_plays(pair.rules, pair.point.position, pair.point.faces)}
        plays: list[Play] = [listed[result] for result in dict.fromkeys(pair.favourites)]
        rolled = engine.rollout_plays(pair.point, (), plays, trials=TRIALS, truncate=PLAY_ROLLS)
        found = next(item for item in rolled if item.play.result == pair.favourites[0])
        return found.loss.mean, found.loss.error
    rolled_cube = engine.rollout_cube(pair.point, trials=TRIALS, truncate=CUBE_ROLLS)
    stay, take = rolled_cube.no_double.equity, rolled_cube.double_take.equity
    if pair.decision.kind in ("take", "pass"):
        return max(0.0, (take.mean - 1) * (1 if pair.decision.kind == "take" else -1)), take.error
    ahead = min(take.mean, 1.0) - stay.mean
    return max(0.0, -ahead if pair.decision.kind == "double" else ahead), float(np.hypot(stay.error, take.error))


def shown_kind(name: str, found: list[Pair]) -> str:
    """A row of the table: decisions, correlation, mean losses, and how often both give the same mark."""
    ours, theirs = np.array([pair.ours for pair in found]), np.array([pair.theirs for pair in found])
    correlation = np.corrcoef(ours, theirs)[0, 1]
    marks = np.mean([mark_of(pair.ours) == mark_of(pair.theirs) for pair in found])
    apart = 1000 * np.abs(ours - theirs)
    return (
        f"{name:8} {len(found):>9} {correlation:>12.4f} {1000 * ours.mean():>8.2f} {1000 * theirs.mean():>8.2f} "
        f"{apart.mean():>8.2f} {np.quantile(apart, 0.99):>8.1f} {marks:>9.1%}"
    )


def main(folder: str, matches: int = MATCHES) -> None:
    """Prints how far the losses agree, and who is right where they differ most."""
    program = find_gnubg()
    if program is None:
        raise SystemExit("gnubg is not installed (Debian: apt-get install gnubg)")
    sources = sorted(Path(folder, "galaxy").glob("*.txt"))
    found: list[Pair] = []
    with TemporaryDirectory() as scratch:
        chosen = sources[:: max(1, len(sources) // matches)][:matches]
        for number, source in enumerate(chosen, start=1):
            found += pairs(analysed_by_gnubg(program, source, Path(scratch)))
            print(f"\r{number} of {len(chosen)} matches", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{len(chosen)} matches, both at {PLIES} plies; losses in millipoints")
    print(
        f"{'':8} {'decisions':>9} {'correlation':>12} {'ours':>8} {'gnubg':>8} {'apart':>8} {'99 %':>8} {'same mark':>9}"
    )
    for kind in ("play", "double", "take"):
        print(shown_kind(kind, [pair for pair in found if pair.kind == kind]))
    print(shown_kind("all", found))
    print(f"\nthe {FEW} largest differences, rolled out ({TRIALS} games)")
    print(f"{'kind':8} {'ours':>8} {'gnubg':>8} {'rollout':>18}  nearer")
    engine: Engine[OutcomeProbabilities] = Engine("backgammon")
    for pair in sorted(found, key=lambda pair: -pair.apart)[:FEW]:
        loss, error = rolled_loss(engine, pair)
        nearer = "ours" if abs(pair.ours - loss) < abs(pair.theirs - loss) else "gnubg"
        position = format_position(pair.point.position)
        print(
            f"{pair.kind:8} {1000 * pair.ours:>8.1f} {1000 * pair.theirs:>8.1f} "
            f"{1000 * loss:>9.1f} +- {1000 * error:>5.1f}  {nearer:6} {position} {'-'.join(map(str, pair.point.faces))}",
            flush=True,
        )


if __name__ == "__main__":
    samples = os.environ.get("BARPOINT_SAMPLES")
    if not samples:
        raise SystemExit("BARPOINT_SAMPLES names no folder of real files")
    main(samples, *map(int, sys.argv[1:]))
