"""Two nets against each other, until one is ahead: python -m benchmarks compare NEW [OLD] [--variant V] [--gain G] [--pairs N]
[--rare] [--executor E] [--workers N] [--file F]

NEW and OLD are files of nets, or "published", which OLD is by default, for the variant's own. Both play without search, in pairs of games on the
same dice with the seats exchanged, luck-adjusted by the net that is published. A sequential test (a generalised SPRT: Wald's
test with the variance as measured) stops when the odds are 19 to 1 that NEW is better than OLD by GAIN points a game (0.004 by
default) rather than equal, or the other way round; or after PAIRS pairs (10,000). For the standard game the judged
decisions of benchmarks/data are played besides, by both nets; what NEW loses less there is printed with its error, and so is what the
same test says of a gain of one millipoint a decision. --rare: games begin in back games, snakes and other rare positions (barpoint.train.rare). E is one of docs/cluster.md; the same games are played on each. Ctrl-C stops
at once and prints what stands; with --file finished games are kept, and the same command goes on.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import closing
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from barpoint.engine.comparison import MAX_ROLLS, pairs_of_net_games
from barpoint.engine.executors import add_executor_options, executor_chosen, in_order
from barpoint.engine.net import find_net, load, load_pruning_net, parse
from barpoint.engine.result_file import ResultFile
from barpoint.native import core, core_rules, pack, row_index
from barpoint.rules import Rules
from barpoint.train.rare import rare_positions
from barpoint.variants import variant
from benchmarks.head_to_head import spread
from benchmarks.judged.store import read

BLOCK = 100  # pairs between two looks at the result, and in one task of an executor
ODDS = math.log(19)  # 0.05 for each of the two errors
MIN_BLOCKS = 4  # before which the variance is not known well enough
AHEAD = 32  # blocks submitted before the first one is done: those not needed any more are lost work
DECISION_GAIN = 0.001  # points a decision

parsed = lru_cache(maxsize=4)(parse)


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


def pairs_of_games(rules: Rules, new: bytes, old: bytes, seed: int, pairs: int, rare: bool = False) -> list[float]:
    """Points a game that `new` wins, a number a pair, for one block of pairs; each from a rare position of its own, if wanted."""
    entry = find_net(rules)
    nets = parsed(new), parsed(old)
    starts = rare_positions(pairs, seed) if rare else None
    return pairs_of_net_games(rules, nets, load(entry), load_pruning_net(entry), seed, pairs, starts)


def play_until_decided(
    rules: Rules,
    new: bytes,
    old: bytes,
    gain: float,
    pairs: int,
    executor: Executor | None = None,
    file: Path | None = None,
    *,
    rare: bool = False,
) -> str:
    """Plays games, prints how it stands after every block and the result, and returns the verdict.

    It depends neither on the executor nor on how often the run was stopped: blocks are looked at in order.
    """
    said = (
        rules,
        sha256(new).hexdigest(),
        sha256(old).hexdigest(),
        find_net(rules).file,
        BLOCK,
        MAX_ROLLS,
        *["rare"] * rare,
    )
    kept = ResultFile(file, said)
    points: list[float] = []
    blocks = -(-pairs // BLOCK)
    known = kept.results[:blocks]
    left = [(rules, new, old, 2026 + number, BLOCK, rare) for number in range(len(known), blocks)]
    found, odds = "", 0.0
    try:
        with closing(in_order(executor, pairs_of_games, left, AHEAD)) as played:
            for number in range(blocks):
                if number < len(known):
                    points += known[number]
                else:
                    kept.add(next(played))
                    points += kept.results[number]
                odds = log_odds(points, gain)
                found = verdict(odds, gain) if number + 1 >= MIN_BLOCKS else ""
                mean, error = spread(points)
                print(
                    f"\r{2 * len(points):,} games: {mean:+.4f} +- {error:.4f}, log odds {odds:+.2f}  ",
                    end="",
                    file=sys.stderr,
                    flush=True,
                )
                if found:
                    break
    except KeyboardInterrupt:
        found = "stopped"
    if len(points) > 1:
        mean, error = spread(points)
        print(
            f"\n{2 * len(points):,} games: {mean:+.4f} +- {error:.4f} points a game, luck-adjusted; log odds "
            f"{odds:+.2f}: {found or 'undecided'}",
            flush=True,
        )
    return found or "undecided"


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


def compare_decisions(rules: Rules, new: bytes, old: bytes) -> None:
    """Prints what both lose on the judged decisions of the standard game, and what the test says of the difference."""
    ours, theirs = judged_losses(rules, (parsed(new), parsed(old)))
    mean, error = spread(list(1000 * (ours - theirs)))
    odds = log_odds(list(theirs - ours), DECISION_GAIN)
    print(
        f"{len(ours):,} judged plays: {1000 * ours.mean():.2f} and {1000 * theirs.mean():.2f} thousandths lost, "
        f"{mean:+.2f} +- {error:.2f}; log odds {odds:+.2f}: {verdict(odds, DECISION_GAIN) or 'undecided'}",
        flush=True,
    )


def net_of(rules: Rules, name: str) -> bytes:
    """The content of a net's file, or of the published one; NetError for what is none."""
    content = load(find_net(rules)).bytes() if name == "published" else Path(name).read_bytes()
    parse(content)
    return content


def main(words: Sequence[str]) -> None:
    """Compares two nets and prints the result."""
    parser = argparse.ArgumentParser("python -m benchmarks compare", description="Two nets until one is ahead.")
    parser.add_argument("new")
    parser.add_argument("old", nargs="?", default="published")
    parser.add_argument("--variant", default="backgammon")
    parser.add_argument("--gain", type=float, default=0.004, help="points a game that NEW must be ahead")
    parser.add_argument("--pairs", type=int, default=10_000, help="at most this many pairs of games")
    parser.add_argument("--rare", action="store_true", help="games begin in rare positions")
    add_executor_options(parser)
    parser.add_argument("--file", type=Path, help="keeps finished games")
    asked = parser.parse_args(words)
    if asked.gain <= 0 or asked.pairs <= 0:
        parser.error("--gain and --pairs are above 0")
    rules = variant(asked.variant)
    nets = net_of(rules, asked.new), net_of(rules, asked.old)
    if asked.variant == "backgammon":
        compare_decisions(rules, *nets)
    with executor_chosen(asked) as executor:
        play_until_decided(rules, *nets, asked.gain, asked.pairs, executor, asked.file, rare=asked.rare)


if __name__ == "__main__":
    main(sys.argv[1:])
