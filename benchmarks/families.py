"""How far values are off in hard families of positions: python -m benchmarks.families [--judge COUNT] [--family F] [--again] [--executor E] [--workers N]

Back games, massive back games, containments, snakes, crashed boards, deep primes; benchmarks/judged/families.py says what belongs to
each. The positions come from games of our net, judged by our own rollouts (benchmarks/judged/values.py), so the comparison favours our side.
Printed for each family: the mean distance of a value from the judge's, which includes the judge's own error; and the bias, the mean
difference for the side that the family is about (who holds the anchors, the prime, the crashed board), above 0 where it is
overvalued. --judge first judges until each family, or F alone, has COUNT positions, and anew those whose error is too large;
--again judges all anew by the present net. Both can be stopped, and go on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

import numpy as np

from barpoint.board import Position
from barpoint.engine import Engine
from barpoint.engine.executors import add_executor_options, executor_chosen
from benchmarks.head_to_head import spread
from benchmarks.judged.families import FAMILIES, holder_of
from benchmarks.judged.values import JudgedValue, judge_again, judge_more, read
from benchmarks.peer.player import GnubgNn
from benchmarks.peer.puretd import PureTd

Value = Callable[[Position], float]


def players() -> dict[str, Value]:
    """Cubeless equity for the side to act, of each program that is installed."""
    nets = {plies: Engine("backgammon", plies=plies) for plies in (0, 1)}
    found: dict[str, Value] = {
        f"Barpoint {plies}-ply": lambda position, plies=plies: nets[plies].evaluate(position).equity  # type: ignore[misc]
        for plies in nets
    }
    try:
        found["gnubg-nn 0-ply"] = GnubgNn(0).equity
    except ImportError as missing:
        print(f"{missing.name} is not installed")
    try:
        found[PureTd.name] = PureTd().equity
    except FileNotFoundError as missing:
        print(missing)
    return found


def line(name: str, value: Value, judged: Sequence[JudgedValue]) -> str:
    """What one program's values are off in one family."""
    signs = [1 if holder_of(each.family, each.position) == "us" else -1 for each in judged]
    off = np.array([value(each.position) - each.equity for each in judged])
    (mean, error), (bias, bias_error) = spread(list(abs(off))), spread(list(off * signs))
    return f"{judged[0].family}, {name}: off by {mean:.3f} +- {error:.3f}, bias {bias:+.3f} +- {bias_error:.3f}"


def report(judged: Sequence[JudgedValue]) -> None:
    """Prints all results."""
    programs = players()
    for family in FAMILIES:
        part = [each for each in judged if each.family == family]
        if len(part) < 2:
            continue
        print(f"{family}: {len(part)} positions, the judge's own error {np.mean([each.error for each in part]):.3f}")
        for name, value in programs.items():
            print(line(name, value, part), flush=True)


def main(words: Sequence[str]) -> None:
    """Judges more if asked to, and prints all results."""
    parser = argparse.ArgumentParser("python -m benchmarks.families")
    parser.add_argument("--judge", type=int, default=0, metavar="COUNT")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="judges this one; again for more")
    parser.add_argument("--again", action="store_true", help="judges all anew")
    add_executor_options(parser)
    asked = parser.parse_args(words)
    if asked.judge or asked.again:
        with executor_chosen(asked) as executor:
            families = asked.family or tuple(FAMILIES)
            found = judge_again(executor) if asked.again else judge_more(asked.judge, families, executor)
            for number, each in enumerate(found, 1):
                print(f"\r{number} judged, {each.family}  ", end="", file=sys.stderr, flush=True)
    report(read())


if __name__ == "__main__":
    main(sys.argv[1:])
