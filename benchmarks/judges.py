"""The deepest levels beside each other on decisions of games, by two judges: python -m benchmarks.judges

All decisions of games in benchmarks/data/decisions.tsv, judged by rollouts with our own net; of those that bgsage's 3T has judged too
(benchmarks/judged/sage.py), once more by that. 3T, whose own error is larger, favours bgsage's side as our judge favours ours. bgsage's
1T and 2T are compared on what they have answered. Printed are PR, 500 times the mean loss in points of a play, of doubling and of taking, and the
difference to two plies of ours on the same decisions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import numpy as np

from barpoint.board import Position
from barpoint.engine import Engine
from barpoint.moves import parse_play
from barpoint.variants import variant
from benchmarks.deepest import Asked
from benchmarks.judged.sage import LEVELS, file_of, of_games
from benchmarks.judged.store import Judged, read
from benchmarks.loss import losses
from benchmarks.peer.gnubg import Gnubg
from benchmarks.peer.player import CubeWorth, Player

Key = tuple[Position, tuple[int, ...]]
Losses = dict[Key, list[float]]
"""Of each decision: one loss of a play, two of a cube, in points."""


class Answered:
    """bgsage's level as a player, from what it has answered."""

    plies, seconds, decisions = 0, 0.0, 0

    def __init__(self, level: int) -> None:
        self.name = f"bgsage {level}T"
        self.known: dict[Key, Judged] = {each.key: each for each in read(file_of(level))}

    def play(self, position: Position, faces: Sequence[int]) -> Position:
        """See Player."""
        found = self.known[position, tuple(faces)].values
        best = min(found, key=lambda text: found[text][0])
        return parse_play(variant("backgammon"), position, faces, best).result

    def cube(self, position: Position) -> CubeWorth:
        """See Player."""
        found = self.known[position, ()].values
        return found["no double"][0], found["double/take"][0], 1.0


def players() -> list[Player]:
    """Those that are installed or have answered, two plies of ours first."""
    found: list[Player] = [
        Asked("Barpoint 2-ply", Engine(plies=2)),
        Asked("Barpoint rollout", Engine(rollout=True)),
        Asked("Barpoint 0-ply", Engine()),
    ]
    try:
        found += [Gnubg(2), Gnubg(0)]
    except FileNotFoundError as missing:
        print(missing)
    return found + [player for player in map(Answered, LEVELS) if player.known]


def losses_of(player: Player, decisions: Sequence[Judged], progress: Callable[[str], None]) -> Losses:
    """What the player loses, of the decisions that it can answer."""
    known = player.known if isinstance(player, Answered) else None
    found: Losses = {}
    for number, each in enumerate(decisions):
        if known is None or each.key in known:
            found[each.key] = losses(player, each)
        if number % 50 == 0:
            progress(f"{player.name}: {number} of {len(decisions)}")
    return found


def pr(values: Sequence[float], sign: str = "") -> str:
    """PR and its standard error."""
    rates = 500 * np.array(values)
    return f"{rates.mean():{sign}6.3f} +- {rates.std(ddof=1) / np.sqrt(len(rates)):5.3f}"


def report(title: str, decisions: Sequence[Judged], lost: dict[str, Losses]) -> None:
    """Prints a line for each player. lost: by name what each loses, of these decisions and perhaps of others."""
    errors = [
        error for each in decisions for value, error in each.values.values() if error and (not each.faces or value)
    ]
    print(
        f"{title}: {len(decisions)} decisions, its own error {1000 * float(np.mean(errors)):.1f} millipoints on average"
    )
    asked, first = {each.key for each in decisions}, next(iter(lost.values()))
    for name, every in lost.items():
        found = {key: each for key, each in every.items() if key in asked}
        flat = [loss for each in found.values() for loss in each]
        apart = [loss - other for key, each in found.items() for loss, other in zip(each, first[key], strict=True)]
        print(
            f"{name:<18} {len(found):5} decisions, PR {pr(flat)}, more than two plies {pr(apart, '+')}",
            flush=True,
        )


def main() -> None:
    """Prints both comparisons."""

    def progress(text: str) -> None:
        print(f"\r{text}    ", end="", file=sys.stderr, flush=True)

    def lost(decisions: Sequence[Judged]) -> dict[str, Losses]:
        return {player.name: losses_of(player, decisions, progress) for player in everyone}

    ours, everyone = of_games(read()), players()
    second = {each.key: each for each in read(file_of(3))}
    both = [each for each in ours if each.key in second]
    by_us = lost(ours)
    report("by our rollouts", ours, by_us)
    if both:
        report("by our rollouts, those that 3T has judged", both, by_us)
        theirs = [second[each.key] for each in both]
        report("by bgsage's 3T", theirs, lost(theirs))


if __name__ == "__main__":
    main()
