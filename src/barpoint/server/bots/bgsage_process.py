"""bgsage in a process of its own, run as a script: a question in JSON on each line, an answer and an empty line for each.

It imports nothing of this package, and nothing of bgsage is loaded by the server.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def answer(analyzers: dict[tuple[int, bool], Any], question: dict[str, Any]) -> dict[str, Any]:
    """Figures about a position, with dice about its plays; or what went wrong."""
    from bgsage import BgBotAnalyzer

    kind = int(question["plies"]), bool(question["cubeful"])
    if kind not in analyzers:
        analyzers[kind] = BgBotAnalyzer(eval_level=f"{kind[0]}ply", cubeful=kind[1], parallel_threads=1)
    analyzer, about = analyzers[kind], question["about"]
    if question["dice"]:
        found = analyzer.checker_play(question["board"], *question["dice"], **about)
        return {"plays": [[list(move.board), move.equity, move.probs.to_list()] for move in found.moves[:60]]}
    cube = analyzer.cube_action(question["board"], **about)
    worth = (cube.equity_nd, cube.equity_dt, cube.equity_dp)
    return {"cube": worth, "doubles": cube.should_double, "takes": cube.should_take, "chances": cube.probs.to_list()}


def main() -> None:
    """Answers until nobody asks any more."""
    analyzers: dict[tuple[int, bool], Any] = {}
    for line in sys.stdin:
        try:
            said = answer(analyzers, json.loads(line))
        except Exception as error:  # noqa: BLE001 - the outermost handler: whoever asks is told, and may ask again
            said = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(said), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
