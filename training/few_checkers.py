"""Exact labels of whole games with few checkers: their positions as tables of such games know them, for fits of nets that play these games too.

`training.refine --exact` uses them: positions of its own games with up to so many checkers a side get their exact values, and random positions are
added, since games reach few of them. A table that is missing is made first and kept in the cache, which takes seconds for two checkers and a quarter of an
hour for three (docs/engine.md, Whole games with few checkers).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from barpoint.engine import contact
from barpoint.error import TableError
from barpoint.rules import Rules
from barpoint.train import Recipe, TrainingLabels
from training.train import shown

PLACES: Final = 27
"""Of a side: borne off, points 1 to 24, the bar, and its hand."""
BAR: Final = 25


def positions_at(places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """[n, 64] packed, from [n, 2, checkers] the place of each checker; without those in which a side has borne off all."""
    places = places[places.any(2).all(1)]
    found = np.zeros((len(places), 2, 32), np.uint8)
    position, side, _ = np.indices(places.shape)
    np.add.at(found, (position, side, places), 1)
    return found.reshape(-1, 64)


def random_games(checkers: int, count: int, seed: int) -> npt.NDArray[np.uint8]:
    """[about count, 64] packed: positions of so many checkers a side, each anywhere, from borne off to the bar, no point with both sides on it."""
    places = np.random.default_rng(seed).integers(0, BAR + 1, (count, 2, checkers))
    us, them = places[:, 0, :, None], places[:, 1, None, :]
    meeting = (us == BAR - them) & (us % BAR > 0)
    return positions_at(places[~meeting.any((1, 2))])


def table_of(rules: Rules) -> contact.Contact | None:
    """The table of all whole games under the rules, which is made where there is none; None where there can be none."""
    file = contact.cache_file(rules, rules.checkers)
    try:
        if not file.exists():
            contact.make(rules, rules.checkers, progress=partial(_told, rules.name))
        return contact.load(rules, file)
    except TableError:
        return None


def _told(name: str, stage: str, sweep: int, share: float, change: float) -> None:
    shown(f"table of {name}: {stage}, sweep {sweep}, %", round(100 * share), change)


def exact(table: contact.Contact, positions: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """[n, token states, 5] probabilities of positions that the table holds, packed."""
    states = range(table.core.states)
    found = [[table.core.probabilities(each.tobytes(), state) for state in states] for each in positions]
    return np.array(found, np.float32).reshape(len(positions), table.core.states, -1)


@dataclass(frozen=True, slots=True)
class FewCheckers:
    """tables: by the checkers of a side."""

    tables: dict[int, contact.Contact]

    @classmethod
    def of(cls, recipe: Recipe, most: int) -> Self:
        """For the starts of the recipe with up to `most` checkers a side. TableError where none has a table."""
        rules_of = {rules.checkers: rules for rules, _ in recipe.rules_of_starts() if rules.checkers <= most}
        found = {checkers: table for checkers, rules in rules_of.items() if (table := table_of(rules))}
        if not found:
            raise TableError("no start of %(name)s has up to %(most)s checkers", name=recipe.rules.name, most=most)
        return cls(found)

    def exactly(self, labels: TrainingLabels) -> TrainingLabels:
        """The labels with exact targets where a table holds the position."""
        checkers = labels.boards[:, 0, :PLACES].sum(1, dtype=int)
        targets = labels.targets.copy()
        for number, table in self.tables.items():
            targets[checkers == number] = exact(table, labels.positions[checkers == number])
        return TrainingLabels(labels.positions, targets, labels.rolls)

    def drawn(self, count: int, seed: int) -> TrainingLabels:
        """Labels of about so many random positions, three times as many with each further checker."""
        shares = {number: 3.0**number for number in self.tables}
        parts = []
        for number, table in self.tables.items():
            found = random_games(number, round(count * shares[number] / sum(shares.values())), seed)
            parts.append(TrainingLabels(found, exact(table, found)))
        return TrainingLabels.joined(parts)
