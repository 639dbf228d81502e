"""Judges decisions of the set again: python -m benchmarks.judged.again [KIND ...]

For a better net: rolls out the plays judged before and those that our engine now ranks highest at two plies, on the
same dice, and writes the file anew at the end. Games of some kinds are played to their end, because a net that
evaluates after some rolls may be as wrong there as before them.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from barpoint.engine import Engine
from barpoint.engine.rollout_plan import RolloutOptions
from barpoint.moves import parse_play
from barpoint.variants import variant
from benchmarks.judged.judge import CUBE_ROLLS, NEAR, PLAY_ROLLS, cube_values, play_values
from benchmarks.judged.store import FILE, Judged, format_line, read

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


def main(*kinds: str) -> None:
    """Judges the set again and reports progress."""
    engine, known = Engine("backgammon", plies=2), read()
    for number, old in enumerate(known):
        if not kinds or old.kind in kinds:
            known[number] = judged_again(engine, old)
            print(f"{number + 1} of {len(known)}: {old.kind}", flush=True)
    FILE.write_text("".join(format_line(each) + "\n" for each in known), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
