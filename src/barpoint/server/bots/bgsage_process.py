"""Runs bgsage in a process of its own, as a script: one JSON question per line, answered by JSON and an empty line.

It imports nothing of this package, and the server loads nothing of bgsage.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def answer(analyzers: dict[tuple[int, bool], Any], question: dict[str, Any]) -> dict[str, Any]:
    """Evaluates a position, or its plays if there are dice; returns an error message if that fails."""
    from bgsage import BgBotAnalyzer

    kind = int(question["plies"]), bool(question["cubeful"])
    if kind not in analyzers:
        analyzers[kind] = BgBotAnalyzer(eval_level=f"{kind[0]}ply", cubeful=kind[1], parallel_threads=1)
    analyzer, about = analyzers[kind], question["about"]
    if question["dice"]:
        found = analyzer.checker_play(question["board"], *question["dice"], **about)
        return {"plays": [[list(move.board), move.equity, move.probs.to_list()] for move in found.moves[:60]]}
    cube = analyzer.cube_action(question["board"], **about)
    values = (cube.equity_nd, cube.equity_dt, cube.equity_dp)
    return {"cube": values, "doubles": cube.should_double, "takes": cube.should_take, "chances": cube.probs.to_list()}


def main() -> None:
    """Answers questions until the input ends."""
    analyzers: dict[tuple[int, bool], Any] = {}
    for line in sys.stdin:
        try:
            said = answer(analyzers, json.loads(line))
        except Exception as error:  # noqa: BLE001 - the outermost handler: the caller gets the error and may ask again
            said = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(said), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
