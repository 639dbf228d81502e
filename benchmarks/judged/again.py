"""Judges decisions of the set again: python -m benchmarks.judged.again [KIND ...] [--cubes]
[--executor E] [--workers N] [--file F]

For a better net: rolls out the plays judged before and those that our engine now ranks highest at two plies, on the
same dice, and writes the file anew at the end. Games of some kinds are played to their end, because a net that
evaluates after some rolls may be as wrong there as before them. --cubes: only cubes that are not settled (judge.py). E is one of docs/cluster.md; F keeps what is judged, and the same
command goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import replace
from math import hypot
from pathlib import Path

from barpoint.engine import Engine
from barpoint.engine.executors import add_executor_options, executor_chosen, in_order
from barpoint.engine.net import find_net
from barpoint.engine.result_file import ResultFile
from barpoint.engine.rollout_plan import RolloutOptions
from barpoint.moves import parse_play
from barpoint.variants import variant
from benchmarks.judged.judge import CUBE_ROLLS, NEAR, PLAY_ROLLS, cube_values, is_settled, play_values
from benchmarks.judged.store import FILE, Judged, format_line, parse_line, read

TO_THE_END = ("back game", "containment")


def rolls(old: Judged, most: int) -> RolloutOptions:
    """Options that say when its games are truncated."""
    return {} if old.kind in TO_THE_END else {"truncate": most}


def judged_again(engine: Engine, old: Judged) -> Judged:
    """The same decision with new values."""
    if not old.faces:
        return replace(old, values=cube_values(engine, old.position, **rolls(old, CUBE_ROLLS)))
    rules = variant("backgammon")
    plays = {play.result: play for text in old.values for play in [parse_play(rules, old.position, old.faces, text)]}
    for item in engine.rank(old.position, old.faces)[:3]:
        if item.loss < NEAR:
            plays[item.play.result] = item.play
    return replace(
        old, values=play_values(engine, old.position, old.faces, list(plays.values()), **rolls(old, PLAY_ROLLS))
    )


def unsettled(old: Judged) -> bool:
    """Whether it is a cube that is not settled; as if the errors of its equities were independent."""
    if old.faces:
        return False
    (stay, stay_error), (take, take_error) = (old.values[action] for action in ("no double", "double/take"))
    return not is_settled(stay, take, (stay_error, take_error, hypot(stay_error, take_error)))


def judge_all(
    engine: Engine,
    known: list[Judged],
    wanted: Callable[[Judged], bool],
    executor: Executor | None = None,
    file: Path | None = None,
) -> Iterator[Judged]:
    """The decisions in their order, those that are wanted judged again."""
    asked = [old for old in known if wanted(old)]
    kept = ResultFile(file, (find_net(engine.rules).file, [format_line(old) for old in asked]))
    left = in_order(executor, judged_again, [(engine, old) for old in asked[len(kept.results) :]])
    with closing(left) as found:
        number = 0
        for old in known:
            if not wanted(old):
                yield old
                continue
            if number == len(kept.results):
                kept.add(format_line(next(found)))
            yield parse_line(kept.results[number])
            number += 1


def main(words: Sequence[str]) -> None:
    """Judges the set again and reports progress."""
    parser = argparse.ArgumentParser("python -m benchmarks.judged.again")
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--cubes", action="store_true", help="only cubes that are not settled")
    add_executor_options(parser)
    parser.add_argument("--file", type=Path, help="keeps what is judged")
    asked = parser.parse_args(words)
    known, judged = read(), list[Judged]()

    def wanted(old: Judged) -> bool:
        return (not asked.kinds or old.kind in asked.kinds) and (not asked.cubes or unsettled(old))

    with executor_chosen(asked) as executor:
        for each in judge_all(Engine("backgammon", plies=2), known, wanted, executor, asked.file):
            judged.append(each)
            print(f"{len(judged)} of {len(known)}: {each.kind}", flush=True)
    FILE.write_text("".join(format_line(each) + "\n" for each in judged), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
