"""Do levels err like people? python -m benchmarks.people [--decisions N] [--plies N] [--processes N] [LEVEL ...]

Bots of each level that errs as people do play matches against themselves until N decisions count for the performance
rating; all are judged by the analysis that players get, people at two plies, bots too unless --plies says otherwise. Beside
each level stand the people of the real matches (BARPOINT_SAMPLES) whose own rating over all their matches, drawn towards
the mean of all as much as few decisions say little, is nearest to the level's name by ratio. Prints the rating, and how
many decisions lose how much; before it the same of real plays at 0-ply, as they were made and as the model expects of
players of their strength.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import count, islice
from math import log, sqrt
from multiprocessing import get_context
from typing import Final

import numpy as np

from barpoint.analysis.findings import PR_FACTOR
from barpoint.engine import Bot, levels
from barpoint.engine.level import Level, level
from barpoint.engine.people import AVERAGE_PR, people_model
from training.people import Seen, probabilities, skills
from training.seen_decisions import JUDGE_PLIES, JudgedLoss, SeenMatch, bot_match, real_matches

EDGES: Final = (0.001, 0.02, 0.04, 0.08, 0.16)
"""Losses that divide decisions: as good as the best, then doubtful, errors and blunders as analyses mark them."""

HEAD: Final = "| who | decisions | PR | plays | cube | below 0.001 | 0.020 | 0.040 | 0.080 | 0.160 | more |"
PLAYS_HEAD: Final = "| plays | number | PR | below 0.001 | 0.020 | 0.040 | 0.080 | 0.160 | more |"
BATCH: Final = 8


def rating(losses: Sequence[JudgedLoss]) -> str:
    """PR with its standard error; - without decisions."""
    values = np.array([one.loss for one in losses])
    if len(values) < 2:
        return "-"
    return f"{PR_FACTOR * values.mean():.2f} +- {PR_FACTOR * values.std(ddof=1) / sqrt(len(values)):.2f}"


def shares(losses: Sequence[JudgedLoss]) -> list[float]:
    """Of all decisions, the share that loses less than the first edge, then less than the next one, and so on."""
    found = np.histogram([one.loss for one in losses], [-1.0, *EDGES, np.inf])[0]
    return (found / max(1, found.sum())).tolist()


def row(who: str, losses: Sequence[JudgedLoss]) -> str:
    """A line of the table."""
    plays = [one for one in losses if one.kind == "play"]
    cube = [one for one in losses if one.kind != "play"]
    parts = " | ".join(f"{100 * share:.1f} %" for share in shares(losses))
    return f"| {who} | {len(losses):,} | {rating(losses)} | {rating(plays)} | {rating(cube)} | {parts} |"


def nearest(skill: float, known: Sequence[Level]) -> Level:
    """The level whose name is nearest to a skill by ratio."""
    return min(known, key=lambda each: abs(log(each.pr / AVERAGE_PR) - skill))


def people(matches: Sequence[SeenMatch], known: Sequence[Level]) -> dict[str, list[JudgedLoss]]:
    """{level: all decisions of the people nearest to it}; empty without matches."""
    if not matches:
        return {}
    of_players = skills(matches)
    found: dict[str, list[JudgedLoss]] = {each.name: [] for each in known}
    for match in matches:
        for one in match.losses:
            found[nearest(of_players[match.players[one.player].lower()], known).name].append(one)
    return found


def foreseen(matches: Sequence[SeenMatch], known: Sequence[Level]) -> Iterator[str]:
    """Lines: of the plays of people near each level, the share that loses how much at 0-ply, as made and by the model."""
    plays = Seen.of(matches, skills(matches)).plays
    weights = probabilities(people_model(known[0].name).parameters, plays, plays.skills)
    made = np.zeros(len(weights))
    made[plays.chosen] = 1
    bins = np.digitize(plays.losses, EDGES)
    near = np.array([nearest(skill, known).name for skill in plays.skills[plays.starts]]).repeat(plays.sizes)
    for each in known:
        for who, counts in (("made", made), ("by the model", weights)):
            chosen = near == each.name
            found = np.bincount(bins[chosen], counts[chosen], len(EDGES) + 1)
            parts = " | ".join(f"{100 * share:.1f} %" for share in found / max(1.0, found.sum()))
            rate = PR_FACTOR * float((counts * plays.losses)[chosen].sum()) / max(1.0, made[chosen].sum())
            yield f"| people near {each.pr:.0f}, {who} | {made[chosen].sum():,.0f} | {rate:.2f} | {parts} |"


def played(level_name: str, number: int, plies: int) -> tuple[JudgedLoss, ...]:
    """The decisions of one match of a level against itself."""
    return bot_match((Bot(level_name=level_name), Bot(level_name=level_name)), number, plies).losses


def measured(level_name: str, decisions: int, plies: int, pool: ProcessPoolExecutor) -> list[JudgedLoss]:
    """At least so many decisions of a level; the same ones on any number of processes."""
    found: list[JudgedLoss] = []
    numbers: Iterator[int] = count()
    while len(found) < decisions:
        batch = list(islice(numbers, BATCH))
        for losses in pool.map(played, [level_name] * len(batch), batch, [plies] * len(batch)):
            found += losses
    return found


def main() -> None:
    """Prints two lines a level: its bots, and people."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=5000)
    parser.add_argument("--plies", type=int, default=JUDGE_PLIES)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("levels", nargs="*")
    options = parser.parse_args()
    everybody = [each for each in levels() if each.people]
    matches = list(real_matches(processes=options.processes))
    real = people(matches, everybody)
    if matches:
        print(PLAYS_HEAD + "\n" + "|---" * (len(EDGES) + 4) + "|", *foreseen(matches, everybody), "", sep="\n")
    print(HEAD + "\n" + "|---" * (len(EDGES) + 6) + "|", flush=True)
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        for each in [level(name) for name in options.levels] or everybody:
            print(row(each.name, measured(each.name, options.decisions, options.plies, pool)), flush=True)
            if real.get(each.name):
                print(row(f"people near {each.pr:.0f}", real[each.name]), flush=True)


if __name__ == "__main__":
    main()
