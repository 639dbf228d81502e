"""What the limits of the search and of rollouts cut off: python -m benchmarks.cuts [DECISIONS]

Each part recomputes in Python what one constant of core/search/ decides, for other values of it too. Cubeless points
unless a cube is named; processor of one core.
Filters: root plays that are searched to a depth (number, margin), the others as they are. Loss: the best value at that
depth among the plays that the filter of one ply keeps, less that of the chosen one.
Rivals: at 0 plies a rollout with a cube chooses among the plays within a margin of the best without it.
Near: a rollout with plies searches a reroll one ply deeper where a new roll and the play differ by less than a margin.
Early: positions that games of one start reach after some rolls, each distinct one evaluated once.
Selected: plays of backgammon, in games and in each hard family, and of rolls with very many plays (2-1 of Acey-Deucey), that the
pruning net selects for the net: so many, or one in so many of all where that is more. Loss by the net.
"""

from __future__ import annotations

import random
import sys
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from barpoint.board import Position
from barpoint.chances import Chances
from barpoint.engine import CubeState, Engine
from barpoint.engine.net import find_net, load, load_pruning_net
from barpoint.moves import outcome
from barpoint.native import core, core_rules, pack, row_index
from barpoint.variants import variant
from benchmarks.judged.families import FAMILIES
from benchmarks.judged.values import read
from benchmarks.search import decisions

Filter = tuple[int, float]
Values = dict[int, npt.NDArray[np.float64]]
"""{plies: [n] equities of the same plays for the mover}."""

KEPT: dict[int, Filter] = {1: (8, 0.16), 2: (4, 0.05), 3: (3, 0.05), 4: (2, 0.04)}
"""kFilters of core/search/candidates.cpp."""
OTHERS: dict[int, tuple[Filter, ...]] = {
    2: ((2, 0.02), (3, 0.04), (5, 0.06), (8, 0.12)),
    3: ((2, 0.02), (2, 0.04), (4, 0.06), (5, 0.08)),
    4: ((1, 0.0), (2, 0.02), (3, 0.05), (4, 0.08)),
}
EFFORT = {2: 1.0, 3: 0.5, 4: 0.15}
"""Share of the decisions that is searched to a depth."""
MARGINS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)
NEAR = (0.0, 0.05, 0.125, 0.25, 0.5)
Selection = tuple[int, float, int]
"""Filter of core/search/filter.hpp: most, margin, share."""

SELECTED: tuple[Selection, ...] = (
    (4, 0.16, 0),
    (4, 0.16, 8),
    (8, 0.30, 5),
    (10, 0.30, 0),
    (10, 0.40, 3),
    (20, 0.60, 0),
)
MANY: tuple[Selection, ...] = ((16, 0.60, 0), (64, 0.30, 0), (64, 0.60, 0), (256, 2.40, 0))


def passing(order: list[int], merit: npt.NDArray[np.float64], limit: Filter) -> list[int]:
    """The plays that pass a filter, best first."""
    best = sorted(order, key=lambda i: -merit[i])[: limit[0]]
    return [i for i in best if merit[i] >= merit[best[0]] - limit[1]]


def chosen(values: Values, filters: dict[int, Filter], plies: int) -> tuple[int, int]:
    """The play that a search chooses, and how many it searches to the last depth."""
    order = list(range(len(values[0])))
    for stage in range(1, plies + 1):
        order = passing(order, values[stage - 1], filters[stage])
    return max(order, key=lambda i: values[plies][i]), len(order)


def searched(engines: list[Engine[Chances]], position: Position, faces: tuple[int, ...]) -> Values:
    """Values at every depth of the plays that may be the best at one ply."""
    rules = engines[0].rules
    ranked = [play for play in engines[0].rank(position, faces) if play.loss <= KEPT[1][1]][: KEPT[1][0]]
    found = {0: np.array([play.equity for play in ranked])}
    if len(ranked) == 1:
        return dict.fromkeys(range(len(engines)), found[0])
    for plies, engine in enumerate(engines[1:], 1):
        found[plies] = np.array(
            [
                play.equity if outcome(rules, play.play.next) else -engine.evaluate(play.play.next).equity
                for play in ranked
            ]
        )
    return found


def filters(count: int) -> None:
    """Prints the loss and the work of filters at two, three and four plies."""
    rules = variant()
    engines = [Engine(rules, plies=plies) for plies in range(5)]
    for plies, others in OTHERS.items():
        sample = decisions(rules, int(count * EFFORT[plies]), seed=10 + plies)
        every = [searched(engines[: plies + 1], *decision) for decision in sample]
        for limit in (KEPT[plies], *others):
            picked = [chosen(values, {**KEPT, plies: limit}, plies) for values in every]
            lost = [1000 * float(v[plies].max() - v[plies][i]) for v, (i, _) in zip(every, picked, strict=True)]
            error = np.std(lost, ddof=1) / np.sqrt(len(lost))
            wide = sum(len(values[0]) for values in every) / len(every)
            work = sum(number for _, number in picked) / len(every)
            print(
                f"{plies} plies, {len(every)} decisions, at most {limit[0]} within {limit[1]:.2f}: "
                f"{work:.2f} plays of {wide:.2f} searched, loss {np.mean(lost):.3f} +- {error:.3f} millipoints"
                f"{' (kept)' if limit == KEPT[plies] else ''}",
                flush=True,
            )


def rivals(count: int) -> None:
    """Prints how much a cubeful choice at 0 plies loses that looks only at plays nearly the best without the cube."""
    engine, lost, wide = Engine(), dict.fromkeys(MARGINS, 0.0), dict.fromkeys(MARGINS, 0)
    changed = 0
    sample = decisions(engine.rules, 4 * count, seed=21)
    for position, faces in sample:
        ranked = engine.rank(position, faces, cube=CubeState())
        best = max(play.chances.equity for play in ranked)
        changed += max(ranked, key=lambda play: play.chances.equity).loss > 0
        for margin in MARGINS:
            rest = [play for play in ranked if play.chances.equity >= best - margin]
            lost[margin] += min(play.loss for play in rest)
            wide[margin] += len(rest)
    print(f"rivals, {len(sample)} decisions: another play is best with the cube in {100 * changed / len(sample):.1f} %")
    for margin in MARGINS:
        print(
            f"rivals within {margin:.2f}: {wide[margin] / len(sample):.1f} plays, "
            f"loss {1000 * lost[margin] / len(sample):.3f} millipoints"
        )


def near(count: int) -> None:
    """Prints what rerolls of Roll-Over lose that are not searched one ply deeper, by how near the decision was."""
    rules = variant("roll-over")
    engines = [Engine(rules, plies=plies) for plies in range(3)]
    found = []
    for position, faces in decisions(rules, count, seed=31):
        for theirs in (0, 1):
            kept = engines[1].rank(position, faces, tokens=(1, theirs), limit=1)[0].equity
            found.append([engine.evaluate(position, tokens=(0, theirs)).equity - kept for engine in engines[1:]])
    shallow, deep = np.array(found).T
    for margin in NEAR:
        left = (np.abs(shallow) >= margin) & ((shallow > 0) != (deep > 0))
        print(
            f"reroll searched two plies within {margin:.3f}: {100 * np.mean(np.abs(shallow) < margin):.0f} % of "
            f"{len(shallow)} decisions, {left.sum()} others wrong, loss {1000 * np.sum(np.abs(deep[left])) / len(deep):.3f} "
            "millipoints"
        )


def early(games: int = 1296, rolls: int = 4) -> None:
    """Prints how many positions of a rollout of the opening position are distinct after each roll."""
    engine, dice = Engine(), random.Random(41)
    rows, weights = engine.rules.dice.rows, [row.weight for row in engine.rules.dice.rows]
    positions, best = [engine.rules.start] * games, {}
    distinct = []
    for _ in range(rolls):
        distinct.append(len(set(positions)))
        following = []
        for position in positions:
            key = position, dice.choices(rows, weights)[0].faces
            if key not in best:
                best[key] = engine.rank(*key, limit=1)[0].play.next
            following.append(best[key])
        positions = following
    for roll, number in enumerate(distinct):
        print(f"{games} games after {roll} rolls: {number} distinct positions, {games - number} evaluations saved")
    assert all(one <= two for one, two in pairwise(distinct))


def selected(
    name: str, limits: tuple[Selection, ...], sample: list[tuple[Position, int]], fewest: int = 2, where: str = ""
) -> None:
    """Prints what is lost when the net evaluates only plays that the pruning net selects. fewest: plays of a roll."""
    rules = variant(name)
    entry, payout = find_net(rules), np.array((0, 1, -1) if rules.scoring.per_checker else (2, 1, 1, -1, -1))
    judges = [core.Searcher(core_rules(rules), net) for net in (load(entry), load_pruning_net(entry))]
    lost: dict[Selection, list[float]] = {limit: [] for limit in limits}
    kept = dict.fromkeys(limits, 0)
    for position, row in sample:
        found = [searcher.candidates(pack(position), row, 0)[4][:, 0, : len(payout)] for searcher in judges]
        values, guesses = (each @ payout for each in found)
        if len(values) < fewest:
            continue
        for limit in limits:
            number, margin, share = limit
            most = max(number, len(values) // share) if share else number
            left = passing(list(range(len(values))), guesses, (most, margin))
            lost[limit].append(1000 * float(values.max() - values[left].max()))
            kept[limit] += len(left)
    for limit, losses in lost.items():
        print(
            f"{where or name}, {len(losses)} rolls, at most {limit[0]}{f' or one in {limit[2]}' if limit[2] else ''} within "
            f"{limit[1]:.2f}: {kept[limit] / len(losses):.1f} plays selected, loss {np.mean(losses):.2f} "
            f"+- {np.std(losses, ddof=1) / np.sqrt(len(losses)):.2f} millipoints, another play in "
            f"{100 * np.mean(np.array(losses) > 0):.1f} %",
            flush=True,
        )


def pruned(count: int) -> None:
    """Prints both parts about the pruning net."""
    rules = variant()
    sample = [(position, row_index(rules, faces)) for position, faces in decisions(rules, 4 * count, seed=51)]
    selected("backgammon", SELECTED, sample)
    dice, judged = np.random.default_rng(53), read()
    for family in FAMILIES:
        hard = [each.position for each in judged if each.family == family]
        selected("backgammon", SELECTED, [(each, int(dice.integers(21))) for each in hard], where=family)
    rules = variant("acey-deucey")
    row = row_index(rules, (2, 1))
    selected("acey-deucey", MANY, [(position, row) for position, _ in decisions(rules, count // 4, seed=52)], 400)


def main(count: int = 400) -> None:
    """Prints all parts."""
    early()
    rivals(count)
    near(4 * count)
    pruned(count)
    filters(count)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
