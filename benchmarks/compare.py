"""Two nets against each other, until one is ahead: python -m benchmarks compare NEW [OLD] [VARIANT] [GAIN] [PAIRS]

NEW and OLD are files of nets, or "published", which OLD is by default, for the variant's own. Both play without search, in pairs of games on the
same dice with the seats exchanged, luck-adjusted by the net that is published. A sequential test (Wald's SPRT with the
variance as measured) stops when the odds are 19 to 1 that NEW is better than OLD by GAIN points a game (0.004 by
default) rather than equal, or the other way round; or after PAIRS pairs (10,000). For the standard game the judged
decisions of benchmarks/data are played besides, by both nets, and the difference is printed with its error. Ctrl-C
stops at once, and prints what stands.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from barpoint.engine.net import find_net, load, load_pruning_net, parse
from barpoint.native import core, core_rules, pack, row_index
from barpoint.rules import Rules
from barpoint.variants import variant
from benchmarks.head_to_head import spread
from benchmarks.judged.store import read

BLOCK = 100  # pairs between two looks at the result
MAX_ROLLS = 2000
ODDS = math.log(19)  # 0.05 for each of the two errors
MIN_BLOCKS = 4  # before which the variance is not known well enough


def log_odds(values: Sequence[float], gain: float) -> float:
    """The logarithm of the likelihood of a mean of `gain` over that of a mean of 0, for normal values.

    Values that are all equal, as of a net against itself, decide at once.
    """
    found = np.asarray(values)
    ahead, variance = gain * (found.mean() - gain / 2), found.var(ddof=1)
    return float(len(found) * ahead / variance) if variance else math.copysign(math.inf, ahead)


def verdict(odds: float, gain: float) -> str:
    """What the test says, in words; "" while it goes on."""
    if odds >= ODDS:
        return f"better by {gain:g} rather than equal"
    if odds <= -ODDS:
        return f"equal rather than better by {gain:g}"
    return ""


def pairs_of_games(rules: Rules, new: Any, old: Any, seed: int) -> list[float]:
    """Points a game that `new` wins, a number a pair, for one block of pairs."""
    entry, own = find_net(rules), core_rules(rules)
    job = core.start_head_to_head(
        own,
        own,
        new,
        own,
        old,
        first_reluctance=0.0,
        second_reluctance=0.0,
        seed=seed,
        pairs=BLOCK,
        longest=MAX_ROLLS,
        judge=load(entry),
        judge_pruning_net=load_pruning_net(entry),
    )
    try:
        while not job.wait(0.5):
            pass
    except KeyboardInterrupt:
        job.stop()
        raise
    return list(job.points())


def play_until_decided(rules: Rules, new: Any, old: Any, gain: float, pairs: int) -> None:
    """Plays games and prints how it stands after every block, and the result."""
    points: list[float] = []
    said, odds = "", 0.0
    try:
        while len(points) < pairs and not said:
            points += pairs_of_games(rules, new, old, 2026 + len(points) // BLOCK)
            odds = log_odds(points, gain)
            said = verdict(odds, gain) if len(points) >= MIN_BLOCKS * BLOCK else ""
            mean, error = spread(points)
            print(
                f"\r{2 * len(points):,} games: {mean:+.4f} +- {error:.4f}, log odds {odds:+.2f}  ",
                end="",
                file=sys.stderr,
                flush=True,
            )
    except KeyboardInterrupt:
        said = "stopped"
    if len(points) > 1:
        mean, error = spread(points)
        print(
            f"\n{2 * len(points):,} games: {mean:+.4f} +- {error:.4f} points a game, luck-adjusted; log odds "
            f"{odds:+.2f}: {said or 'undecided'}",
            flush=True,
        )


def judged_losses(rules: Rules, nets: Sequence[Any]) -> np.ndarray:
    """What the nets' plays of the judged decisions cost, in points, [nets, decisions].

    A play that was not judged costs as much as the worst that was.
    """
    searchers = [core.Searcher(core_rules(rules), net, tables=True) for net in nets]
    found: list[list[float]] = [[] for _ in nets]
    for judged in read():
        if not judged.faces:
            continue
        known = {pack(result): loss for result, loss in judged.results.items()}
        packed, row, worst = pack(judged.position), row_index(rules, judged.faces), max(known.values())
        for searcher, losses in zip(searchers, found, strict=True):
            results, _, _, _, values = searcher.candidates(packed, row, 0)
            f = values[:, 0]
            best = int((2 * f[:, 0] + f[:, 1] + f[:, 2] - f[:, 3] - f[:, 4]).argmax())
            losses.append(known.get(results[best].tobytes(), worst))
    return np.array(found)


def compare_decisions(rules: Rules, new: Any, old: Any) -> None:
    """Prints what both lose on the judged decisions of the standard game."""
    ours, theirs = 1000 * judged_losses(rules, (new, old))
    mean, error = spread(list(ours - theirs))
    print(
        f"{len(ours):,} judged plays: {ours.mean():.2f} and {theirs.mean():.2f} thousandths lost, "
        f"{mean:+.2f} +- {error:.2f}",
        flush=True,
    )


def net_of(rules: Rules, name: str) -> Any:
    """The net in a file, or the published one."""
    return load(find_net(rules)) if name == "published" else parse(Path(name).read_bytes())


def main(new: str, old: str = "published", name: str = "backgammon", gain: str = "0.004", pairs: str = "10000") -> None:
    """Compares two nets and prints the result."""
    rules = variant(name)
    nets = net_of(rules, new), net_of(rules, old)
    if name == "backgammon":
        compare_decisions(rules, *nets)
    play_until_decided(rules, *nets, gain=float(gain), pairs=int(pairs))


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 6:
        sys.exit("python -m benchmarks compare NEW [OLD] [VARIANT] [GAIN] [PAIRS]")
    main(*sys.argv[1:])
