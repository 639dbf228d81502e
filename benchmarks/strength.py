"""How strong the nets are: python -m benchmarks.strength [GAMES] [PAIRS]

Standard backgammon: the net alone against gnubg-nn at 0 plies, cubeless money, luck taken out: after every throw the
difference between the best play of that throw and the mean over all throws, both as our net sees them, is subtracted.
The other variants: the variant's net against the standard net under the variant's rules, the net alone on both sides,
pairs of games on the same dice with the seats exchanged. Where there are markers the standard net, which knows none,
annuls a throw when that gains so many points as stands in brackets.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from barpoint.board import Position
from barpoint.engine.net import entries, find_net, load
from barpoint.moves import outcome
from barpoint.native import core, core_rules, pack, unpack
from barpoint.rules import Rules, Scoring
from barpoint.variants import variant

LONGEST = 2000
VARIANTS = (
    ("roll-over", (0.0, 0.3), 1.0),
    ("cancelgammon", (0.0, 0.3), 1.0),
    ("duodecagammon", (0.0,), 1.0),
    ("roll-over+duodecagammon", (0.0, 0.3), 0.5),
    ("cancelgammon+duodecagammon", (0.0, 0.3), 0.5),
    ("hypergammon(checkers=1)", (0.0,), 4.0),
    ("hypergammon(checkers=2)", (0.0,), 2.0),
    ("hypergammon", (0.0,), 1.0),
    ("hypergammon(checkers=4)", (0.0,), 1.0),
    ("hypergammon(checkers=5)", (0.0,), 1.0),
    ("acey-deucey", (0.0,), 0.05),  # its 2-1 takes a hundred times as long as any other throw
)
"""Rules, what annulling must gain for the standard net, and the share of the pairs that is played."""


def spread(values: Sequence[float]) -> tuple[float, float]:
    """Mean and standard error."""
    found = np.asarray(values)
    return float(found.mean()), float(found.std(ddof=1) / math.sqrt(len(found)))


class Judge:
    """Our net, as a player and as the measure of luck."""

    def __init__(self, rules: Rules) -> None:
        self.rules = core_rules(rules)
        self.weights = np.array([row.weight for row in rules.dice.rows]) / sum(row.weight for row in rules.dice.rows)
        self.searcher = core.Searcher(self.rules, load(find_net(rules)), tables=True)

    def luck(self, position: Position, row: int) -> float:
        """What the throw gave the thrower, in points."""
        equity = self.searcher.throws(pack(position), 0)[:, 0]
        return float(equity[row] - self.weights @ equity)

    def choose(self, position: Position, row: int) -> Position:
        """The position after our best play, seen by the mover."""
        results, _, _, _, values = self.searcher.candidates(pack(position), row, 0)
        f = values[:, 0]
        equity = 2 * f[:, 0] - 1 + f[:, 1] + f[:, 2] - f[:, 3] - f[:, 4]
        return unpack(results[int(equity.argmax())].tobytes())


class Gnubg:
    """gnubg-nn at 0 plies. Its boards are two lists of 25, the other side first, then the side to act."""

    def __init__(self, rules: Rules) -> None:
        import gnubg_nn

        self.engine = gnubg_nn
        self.rules = rules

    def equity(self, position: Position) -> float:
        """Cubeless, for the side to act."""
        found = outcome(self.rules, position)
        if found is not None:
            return found.level if found.winner == "us" else -found.level
        board = [list(position.them.points[1:]), list(position.us.points[1:])]
        win, win_g, win_b, lose_g, lose_b = self.engine.probabilities(board, 0)
        return float(2 * win - 1 + win_g + win_b - lose_g - lose_b)

    def choose(self, position: Position, row: int) -> Position:
        """The position after its best play, seen by the mover; plays are ours, so no notation is in between."""
        results, _, _ = core.results(core_rules(self.rules), _array(position), np.array([row]))
        plays = [unpack(result.tobytes()) for result in results]
        return min(plays, key=lambda after: self.equity(after.flip()))


def _array(position: Position) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return np.frombuffer(pack(position), np.uint8).reshape(1, 64)


def one_game(
    rules: Rules, players: tuple[Judge | Gnubg, Judge | Gnubg], judge: Judge, seed: str
) -> tuple[float, float]:
    """Points of player 0, who starts, as they came and with luck taken out. Doubles may open: they are luck too."""
    dice = random.Random(seed)
    weights = [row.weight for row in rules.dice.rows]
    position, turn, luck = rules.start, 0, 0.0
    while True:
        row = dice.choices(range(len(weights)), weights)[0]
        sign = 1 if turn == 0 else -1
        luck += sign * judge.luck(position, row)
        position = players[turn].choose(position, row).flip()
        if found := outcome(rules, position):
            points = sign * (-found.level if found.winner == "us" else found.level)
            return points, points - luck
        turn = 1 - turn


def against_gnubg(games: int) -> None:
    """Prints the match against gnubg-nn."""
    rules = variant("backgammon")
    ours, theirs = Judge(rules), Gnubg(rules)
    plain, adjusted = [], []
    for pair in range(games // 2):
        first = one_game(rules, (ours, theirs), ours, f"{pair}")
        second = one_game(rules, (theirs, ours), ours, f"{pair}")
        plain.append((first[0] - second[0]) / 2)
        adjusted.append((first[1] - second[1]) / 2)
    (mean, error), (raw, raw_error) = spread(adjusted), spread(plain)
    print(
        f"backgammon v gnubg-nn 0-ply, {games} games: {mean:+.4f} +- {error:.4f} points a game, luck taken out "
        f"(as played {raw:+.3f} +- {raw_error:.3f})",
        flush=True,
    )


def against_standard(name: str, pairs: int, reluctance: float) -> None:
    """Prints the duel of a variant's net against the standard net."""
    rules = variant(name)
    own = load(find_net(rules))
    standard = load(next(entry for entry in entries() if entry.name == "standard"))
    if rules.rerolls.tokens:
        standard = standard.widened(4)
    judged = replace(rules, scoring=Scoring()) if rules.scoring.per_checker else rules
    job = core.start_duel(
        core_rules(rules),
        core_rules(rules),
        own,
        core_rules(judged),
        standard,
        first_reluctance=0.0,
        second_reluctance=reluctance,
        seed=2026,
        pairs=pairs,
        longest=LONGEST,
    )
    while not job.wait(1.0):
        pass
    mean, error = spread(job.points())
    note = f" [{reluctance}]" if rules.rerolls.tokens else ""
    print(
        f"{name} v standard net{note}, {2 * pairs} games: {mean:+.4f} +- {error:.4f} points a game ({mean / error:.0f} errors)",
        flush=True,
    )


def main(games: int = 1000, pairs: int = 2000) -> None:
    """All figures."""
    against_gnubg(games)
    for name, reluctances, share in VARIANTS:
        for reluctance in reluctances:
            against_standard(name, int(pairs * share), reluctance)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
