"""Judges decisions of the set once more, games played to their end: python -m benchmarks.judged.again [KIND ...]

For kinds in which a net that judges after some throws may be as wrong as before them. The plays judged before and what our
engine now ranks highest two plies deep, on the same dice; the file is written anew at the end.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from barpoint.engine import Engine
from barpoint.moves import parse_play
from barpoint.variants import variant
from benchmarks.judged.judge import NEAR, cube_worth, play_worth
from benchmarks.judged.store import FILE, Judged, format_line, read


def judged_again(engine: Engine, old: Judged) -> Judged:
    """The same decision with new figures."""
    if not old.faces:
        return replace(old, worth=cube_worth(engine, old.position))
    rules = variant("backgammon")
    plays = {play.result: play for text in old.worth for play in [parse_play(rules, old.position, old.faces, text)]}
    for item in engine.rank(old.position, old.faces)[:3]:
        if item.loss < NEAR:
            plays[item.play.result] = item.play
    return replace(old, worth=play_worth(engine, old.position, old.faces, list(plays.values())))


def main(*kinds: str) -> None:
    """Says how far it is."""
    engine, known = Engine("backgammon", plies=2), read()
    for number, old in enumerate(known):
        if not kinds or old.kind in kinds:
            known[number] = judged_again(engine, old)
            print(f"{number + 1} of {len(known)}: {old.kind}", flush=True)
    FILE.write_text("".join(format_line(each) + "\n" for each in known), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
