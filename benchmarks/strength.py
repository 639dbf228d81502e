"""Strength of the nets of the other variants: python -m benchmarks.strength [PAIRS]

The variant's net against the standard net under the variant's rules, both without search, in pairs of games on the same
dice with the seats exchanged. Results are luck-adjusted: the benchmark subtracts the value of each roll beyond the mean
of all rolls, by the variant's net. Under rules with tokens the standard net, which has no inputs for them, rerolls when
that gains the points in brackets. For the standard net itself see benchmarks/head_to_head.py.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from barpoint.engine.net import entry_named, find_net, load, load_pruning_net
from barpoint.native import core, core_rules
from barpoint.rules import Scoring
from barpoint.variants import variant
from benchmarks.head_to_head import spread

MAX_ROLLS = 2000
VARIANTS = (
    ("roll-over", (0.0, 0.3), 1.0),
    ("cancelgammon", (0.0, 0.3), 1.0),
    ("duodecagammon", (0.0,), 1.0),
    ("roll-over+duodecagammon", (0.0, 0.3), 0.5),
    ("cancelgammon+duodecagammon", (0.0, 0.3), 0.5),
    ("hypergammon(checkers=1)", (0.0,), 4.0),
    ("hypergammon(checkers=2)", (0.0,), 2.0),
    ("hypergammon", (0.0,), 1.0),
    ("hypergammon(checkers=4)", (0.0,), 1.0),
    ("hypergammon(checkers=5)", (0.0,), 1.0),
    ("acey-deucey", (0.0,), 0.1),  # its 2-1 takes a hundred times as long as any other roll
)
"""Rules, the minimum gain for which the standard net rerolls, and the share of the pairs that is played."""


def against_standard(name: str, pairs: int, reluctance: float) -> None:
    """Prints a head-to-head match of a variant's net against the standard net."""
    rules = variant(name)
    entry = find_net(rules)
    own = load(entry)
    standard = load(entry_named("standard"))
    if rules.rerolls.tokens:
        standard = standard.widened(4)
    judged = replace(rules, scoring=Scoring()) if rules.scoring.per_checker else rules
    job = core.start_head_to_head(
        core_rules(rules),
        core_rules(rules),
        own,
        core_rules(judged),
        standard,
        first_reluctance=0.0,
        second_reluctance=reluctance,
        seed=2026,
        pairs=pairs,
        longest=MAX_ROLLS,
        judge=own,
        judge_pruning_net=load_pruning_net(entry),
    )
    while not job.wait(1.0):
        pass
    mean, error = spread(job.points())
    note = f" [{reluctance}]" if rules.rerolls.tokens else ""
    clear = f" ({mean / error:.0f} errors)" if error else " (exact: both play by tables)"
    print(
        f"{name} v standard net{note}, {2 * pairs} games: {mean:+.4f} +- {error:.4f} points a game{clear}", flush=True
    )


def main(pairs: int = 600) -> None:
    """Prints all results."""
    for name, reluctances, share in VARIANTS:
        for reluctance in reluctances:
            against_standard(name, int(pairs * share), reluctance)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
