"""Our engine against other programs at standard backgammon: python -m benchmarks.head_to_head [GAMES] [DEEP GAMES]
[NAME]

Cubeless money, pairs of games on the same dice with the seats exchanged. Results are luck-adjusted: after every roll
the benchmark subtracts the difference between the best play of that roll and the mean over all rolls, by our engine's
evaluation (1-ply for games at 2-ply). Each line ends with both sides' processor time a play. NAME: only match-ups whose
name contains it.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Sequence

import numpy as np

from barpoint.board import Position
from barpoint.engine.net import find_net, load, load_pruning_net
from barpoint.moves import outcome
from barpoint.native import core, core_rules, pack
from barpoint.rules import Rules
from barpoint.variants import variant
from benchmarks.peer.gnubg import Gnubg
from benchmarks.peer.player import GnubgNn, Own, Player, Sage
from benchmarks.peer.puretd import PureTd


def spread(values: Sequence[float]) -> tuple[float, float]:
    """Mean and standard error."""
    found = np.asarray(values)
    return float(found.mean()), float(found.std(ddof=1) / math.sqrt(len(found)))


class Luck:
    """Measures luck with our engine."""

    def __init__(self, rules: Rules, plies: int) -> None:
        entry, rows = find_net(rules), rules.dice.rows
        self.plies = plies
        self._weights = np.array([row.weight for row in rows]) / sum(row.weight for row in rows)
        self._searcher = core.Searcher(core_rules(rules), load(entry), tables=True, pruning_net=load_pruning_net(entry))

    def of(self, position: Position, row: int) -> float:
        """The luck of a roll for the roller, in points."""
        equity = self._searcher.rolls(pack(position), self.plies)[:, 0]
        return float(equity[row] - self._weights @ equity)


def one_game(rules: Rules, players: tuple[Player, Player], luck: Luck, seed: str) -> tuple[float, float]:
    """Points of player 0, who starts, as played and luck-adjusted. Doubles may open: they are luck too."""
    dice = random.Random(seed)
    weights = [row.weight for row in rules.dice.rows]
    position, turn, lucky = rules.start, 0, 0.0
    while True:
        row = dice.choices(range(len(weights)), weights)[0]
        sign = 1 if turn == 0 else -1
        lucky += sign * luck.of(position, row)
        position = players[turn].play(position, rules.dice.rows[row].faces).flip()
        if found := outcome(rules, position):
            points = -sign * found.winner * found.level
            return points, points - lucky
        turn = 1 - turn


def meet(ours: Player, theirs: Player, games: int) -> None:
    """Plays and prints one match-up; every ten pairs it reports the standing on standard error."""
    rules = variant("backgammon")
    luck = Luck(rules, max(0, ours.plies - 1))
    plain, adjusted = [], []
    for pair in range(games // 2):
        first = one_game(rules, (ours, theirs), luck, f"{pair}")
        second = one_game(rules, (theirs, ours), luck, f"{pair}")
        plain.append((first[0] - second[0]) / 2)
        adjusted.append((first[1] - second[1]) / 2)
        if pair % 10 == 9:
            mean, error = spread(adjusted)
            print(
                f"{ours.name} v {theirs.name}, {2 * pair + 2} games: {mean:+.4f} +- {error:.4f}",
                file=sys.stderr,
                flush=True,
            )
    (mean, error), (raw, raw_error) = spread(adjusted), spread(plain)
    times = [1000 * player.seconds / player.decisions for player in (ours, theirs)]
    print(
        f"{ours.name} v {theirs.name}, {games} games: {mean:+.4f} +- {error:.4f} points a game, luck-adjusted "
        f"(as played {raw:+.3f} +- {raw_error:.3f}); {times[0]:.2f} and {times[1]:.2f} ms a play",
        flush=True,
    )


MEETINGS: tuple[tuple[int, Callable[[], Player]], ...] = (
    (0, lambda: GnubgNn(0)),
    (0, lambda: Sage(0)),
    (0, PureTd),
    (2, lambda: Gnubg(2)),
    (2, lambda: Sage(2)),
)
"""Plies of our engine, and its opponent."""


def main(games: int = 1000, deep: int = 300, name: str = "") -> None:
    """Plays all match-ups; names programs that are not installed."""
    for plies, make in MEETINGS:
        try:
            theirs = make()
        except ImportError as missing:
            print(f"{missing.name} is not installed")
            continue
        except FileNotFoundError as missing:
            print(missing)
            continue
        if name in theirs.name:
            meet(Own(plies), theirs, deep if plies else games)


if __name__ == "__main__":
    main(*(int(word) if word.isdigit() else word for word in sys.argv[1:]))  # type: ignore[arg-type]
