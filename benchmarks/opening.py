"""Rolls out the first play of every roll: python -m benchmarks.opening [TRIALS] [TRUNCATE] [PLIES]

Cubeful money from the standard start: the plays that the engine ranks highest and those of public eXtreme Gammon
rollouts (tests/data/opening_xg.json), on the same dice. Plays behind by three standard errors of the difference are
dropped. Games are truncated after TRUNCATE rolls with the net's evaluation: full games spread four times as wide, and
the net's errors at that point are the same for all plays. Games are stored in the cache folder; the same command
resumes after a stop.

Our cubeful equity is followed by the cubeless equity of the same games. The published equities are labelled cubeful,
but they match the cubeless value of the probabilities published with them, within 0.006: 8/5 6/5 has 0.167, and 0.162
by its probabilities, while gnubg's cubeful equity is 0.218. So the benchmark compares both.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import barpoint as bp
from barpoint.engine import CubeState, Engine, RolledPlay
from barpoint.engine.table import cache_folder
from barpoint.moves import Play

PUBLIC = Path(__file__).parents[1] / "tests" / "data" / "opening_xg.json"
CANDIDATES = 3
CLEAR = ("3-1", "4-2", "5-3", "6-1", "6-5")
"""Rolls with a single best play (rulings 9.4)."""
NEAR = 0.02


def plays(engine: Engine, faces: tuple[int, int], public: list[str]) -> list[Play]:
    """The plays to roll out: the engine's best few and the published ones, each once."""
    start, found = engine.rules.start, []
    ranked = [item.play for item in engine.rank(start, faces, cube=CubeState())[:CANDIDATES]]
    for play in (*ranked, *(bp.parse_play(engine.rules, start, faces, text) for text in public)):
        if play.result not in [known.result for known in found]:
            found.append(play)
    return found


def roll(
    engine: Engine, faces: tuple[int, int], public: list[str], trials: int, truncate: int, plies: int
) -> tuple[RolledPlay, ...]:
    """The plays of one roll, best first."""
    file = (
        cache_folder()
        / "opening"
        / f"{engine.entry.file[:8] if engine.entry else 0}-{faces[0]}{faces[1]}-{truncate}-{plies}.rollout"
    )
    return engine.rollout_plays(
        engine.rules.start,
        faces,
        plays(engine, faces, public),
        trials=trials,
        plies=plies,
        late_plies=plies,
        truncate=truncate,
        stop_clear=3.0,
        file=file,
        cube=CubeState(),
    )


def main(trials: int = 1296, truncate: int = 12, plies: int = 0) -> None:
    """Prints a line for each roll, then how many agree."""
    published = json.loads(PUBLIC.read_text(encoding="utf-8"))
    engine = Engine("backgammon")
    near, same, worst, worst_cubeless = 0, 0, 0.0, 0.0
    print(
        f"{trials} games a play of {truncate} rolls, {plies} plies, cubeful money (cubeless); net {engine.entry.file if engine.entry else '?'}"
    )
    for high in range(1, 7):
        for low in range(1, high + 1):
            name = f"{high}-{low}"
            public = {
                bp.parse_play(engine.rules, engine.rules.start, (high, low), item["move"]).result: item
                for item in published.get(name, [])
            }
            found = roll(engine, (high, low), [item["move"] for item in public.values()], trials, truncate, plies)
            best, second = found[0], found[1] if len(found) > 1 else None
            equity = best.rollout.equity
            line = f"{name}  {best.play!s:<20} {equity.mean:+.4f} +- {equity.error:.4f} ({best.rollout.cubeless.mean:+.4f})"
            if second is not None:
                line += f"  next {second.play!s:<18} {-second.loss.mean:+.4f} +- {second.loss.error:.4f}"
            if public:
                top = max(item["equity"] for item in public.values())
                theirs = public.get(best.play.result)
                loss = top - theirs["equity"] if theirs else None
                near += loss is not None and loss <= NEAR
                same += name in CLEAR and loss == 0
                if theirs:
                    worst = max(worst, abs(equity.mean - theirs["equity"]))
                    worst_cubeless = max(worst_cubeless, abs(best.rollout.cubeless.mean - theirs["equity"]))
                line += "  published " + (
                    f"{theirs['equity']:+.4f}, loss {loss:.4f}" if theirs else "not among its best"
                )
            print(line, flush=True)
    print(
        f"within {NEAR} of the published best: {near} of {len(published)}; the same clear play: {same} of {len(CLEAR)}"
    )
    print(
        "largest difference from a published equity of our best play: "
        f"{worst_cubeless:.4f} without a cube, {worst:.4f} with it"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
