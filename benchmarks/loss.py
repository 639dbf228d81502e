"""Error rates of programs on our own judged decisions: python -m benchmarks.loss [MAX PLIES]

The set is benchmarks/data/decisions.tsv (made by benchmarks/judged/judge.py): cubeless plays and actions with a centred
cube, for money. A cube counts twice: whether to double, and whether to take. The judge is a rollout with our own net,
so the comparison favours ours. Each play result is followed by the uncertainty of its judgement. A play that was not
judged counts as the worst of those judged. pictures.py draws loss against time from the results.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from barpoint.engine.net import find_net
from barpoint.variants import variant
from benchmarks.judged.place import KINDS
from benchmarks.judged.store import Judged, read
from benchmarks.peer.gnubg import Gnubg
from benchmarks.peer.player import CubeWorth, GnubgNn, Own, Player, Sage
from benchmarks.peer.puretd import PureTd

PLAYERS: tuple[tuple[str, Callable[[int], Player]], ...] = (
    ("Barpoint", Own),
    ("gnubg", Gnubg),
    ("gnubg-nn", GnubgNn),
    ("bgsage", Sage),
    ("PureTD", lambda _: PureTd()),
)
ALONE = ("gnubg-nn", "PureTD")
"""Only plays, by the net alone: with lookahead gnubg-nn is gnubg, and PureTD's net knows no cube."""


def cube_losses(stay: float, take: float, seen: CubeWorth) -> tuple[float, float]:
    """Losses of a doubler and a taker who believe in `stay` (no double) and `take` (double/take); a pass is 1."""
    best, doubled = max(stay, min(take, 1.0)), min(take, 1.0)
    doubler = best - (doubled if min(seen[1], seen[2]) > seen[0] else stay)
    taker = max(0.0, take - 1.0) if seen[1] <= seen[2] else max(0.0, 1.0 - take)
    return doubler, taker


def losses(player: Player, judged: Judged) -> list[float]:
    """Losses in points: one of a play, two of a cube."""
    if not judged.faces:
        seen = player.cube(judged.position)
        return list(cube_losses(judged.values["no double"][0], judged.values["double/take"][0], seen))
    known = judged.results
    return [known.get(player.play(judged.position, judged.faces), max(known.values()))]


def shown(found: list[float]) -> str:
    """Mean and standard error in millipoints."""
    values = 1000 * np.array(found)
    if len(values) < 2:
        return f"{'-':>14}"
    return f"{values.mean():6.1f} +- {values.std(ddof=1) / np.sqrt(len(values)):4.1f}"


def column(player: Player, sample: list[Judged], cubes: bool) -> dict[tuple[str, bool], list[float]]:
    """{(kind, whether of cubes): losses in points}."""
    found: dict[tuple[str, bool], list[float]] = {}
    for judged in sample:
        if judged.faces or cubes:
            found.setdefault((judged.kind, not judged.faces), []).extend(losses(player, judged))
    return found


def report(player: Player, found: dict[tuple[str, bool], list[float]]) -> None:
    """Prints a line for plays and one for cubes."""
    every = {
        cube: [loss for (_, is_cube), part in found.items() if is_cube == cube for loss in part]
        for cube in (False, True)
    }
    milliseconds = 1000 * player.seconds / max(1, player.decisions)
    for cube, word in ((False, "plays"), (True, "cubes")):
        if every[cube]:
            parts = " ".join(f"{shown(found.get((kind, cube), []))}" for kind in KINDS)
            print(f"{player.name + ', ' + word:<24}{shown(every[cube])} {parts}", flush=True)
    game = found.get(("game", False), []) + found.get(("game", True), [])
    rate = 500 * float(np.mean(game)) if game else float("nan")
    print(f"{'':<24}decisions of games: PR {rate:.2f}; {milliseconds:.2f} ms a play", flush=True)


def main(max_plies: int = 2) -> None:
    """Runs all programs that are installed."""
    sample = read()
    plays = [judged for judged in sample if judged.faces]
    errors = [error for judged in plays for loss, error in judged.values.values() if loss > 0]
    print(
        f"{len(plays)} plays, {len(sample) - len(plays)} cubes; the judge's error of a play's loss: "
        f"{1000 * float(np.mean(errors)):.1f} on average; millipoints a decision; "
        f"our net {find_net(variant('backgammon')).file}"
    )
    print(f"{'':<24}{'all':>14} " + " ".join(f"{kind:>14}" for kind in KINDS))
    for name, make in PLAYERS:
        for plies in range(1 if name in ALONE else max_plies + 1):
            try:
                player = make(plies)
            except (ImportError, FileNotFoundError) as missing:
                print(f"{name}: {missing}")
                break
            report(player, column(player, sample, cubes=name not in ALONE))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
