"""Decisions of games rolled out by bgsage: python -m benchmarks.judged.sage {1,2,3} COUNT [--executor E] [--workers N]

bgsage's truncated rollouts 1T, 2T and 3T of the first COUNT decisions of games in benchmarks/data/decisions.tsv, kept in
benchmarks/data/bgsage_1t.tsv and so on in the form of that file; what is there already is not asked again, so that a long run can be stopped.
One decision takes about 1, 14 and 30 seconds of a core.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from barpoint.board import Position
from barpoint.engine import Engine
from barpoint.engine.executors import add_executor_options, executor_chosen, in_order
from benchmarks.judged.store import FILE, Judged, append, read
from benchmarks.peer.player import SAGE_MONEY, from_sage, sage_board

LEVELS: Final = (1, 2, 3)
NEAR: Final = 0.15
MOST: Final = 8
"""At most so many plays are kept, none of them further behind the best."""


def file_of(level: int) -> Path:
    """The file of a level."""
    return FILE.with_name(f"bgsage_{level}t.tsv")


def of_games(decisions: Sequence[Judged]) -> list[Judged]:
    """The decisions that come from games alone."""
    return [each for each in decisions if each.kind == "game"]


@cache
def _analyser(level: int) -> Any:
    import bgsage

    return bgsage.BgBotAnalyzer(eval_level=f"truncated{level}", cubeful=False, parallel_threads=1)


@cache
def _engine() -> Engine:
    return Engine("backgammon")


def rolled_out(level: int, decision: Judged) -> Judged:
    """The decision with bgsage's values: of plays the loss against its best, of a cube the equities, each with the standard error.

    Plays that it leaves to a search have the error 0.
    """
    board = sage_board(decision.position)
    if not decision.faces:
        cube = _analyser(level).cube_action(board, 1, "centered", **SAGE_MONEY)
        actions = {
            "no double": (cube.equity_nd, cube.equity_nd_se or 0.0),
            "double/take": (cube.equity_dt, cube.equity_dt_se or 0.0),
        }
        return replace(decision, values=actions)
    texts: dict[Position, str] = {
        item.play.result: str(item.play) for item in _engine().rank(decision.position, decision.faces)
    }
    moves = _analyser(level).checker_play(board, *decision.faces, **SAGE_MONEY).moves
    kept = (move for move in moves[:MOST] if moves[0].equity - move.equity < NEAR)
    losses = {texts[from_sage(move.board)]: (moves[0].equity - move.equity, move.std_error or 0.0) for move in kept}
    return replace(decision, values=losses)


def ask(level: int, count: int, executor: Executor | None = None) -> Iterator[Judged]:
    """Asks for what is missing of the first `count` decisions of games, and keeps it."""
    file = file_of(level)
    known = {each.key for each in read(file)}
    missing = [each for each in of_games(read())[:count] if each.key not in known]
    return append(in_order(executor, rolled_out, ((level, each) for each in missing)), file)


def main(words: Sequence[str]) -> None:
    """Asks and reports progress."""
    parser = argparse.ArgumentParser("python -m benchmarks.judged.sage")
    parser.add_argument("level", type=int, choices=LEVELS)
    parser.add_argument("count", type=int)
    add_executor_options(parser)
    asked = parser.parse_args(words)
    with executor_chosen(asked) as executor:
        for number, each in enumerate(ask(asked.level, asked.count, executor), 1):
            print(f"{number}: {len(each.values)} values", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
