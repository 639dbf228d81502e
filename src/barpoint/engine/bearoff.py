"""Exact bear-off databases: turns of one side, and races in which both sides have few checkers left.

core/tables/bearoff.hpp defines the index of a side's position; 0 is the side that has borne off everything.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.board import Position, Side
from barpoint.engine import table as files
from barpoint.error import TableError
from barpoint.native import core, core_rules, pack
from barpoint.rules import Rules

DEFAULT_CHECKERS: Final = 6
"""Default checkers a side of the two-sided database: 27 MB, made in 0.6 s (docs/engine.md)."""

MAX_CHECKERS: Final = 15
"""Checkers a side of the largest one-sided database: 54,264 positions, made in 0.7 s (docs/engine.md)."""

MAX_TWO_SIDED: Final = 10
"""Checkers a side of the largest two-sided database: 2 GB (docs/engine.md)."""

Doubles = npt.NDArray[np.float64]

_KIND: Final = "barpoint two-sided bear-off 2"
_EMPTY: Final = Side.of({})


def home_index(side: Side, most: int) -> int | None:
    """The index of a side; None when not all its checkers are home and free, or more than `most` are on the board."""
    index = core.home_index(pack(Position(side, _EMPTY)), most)
    return None if index < 0 else index


@dataclass(frozen=True, slots=True)
class OneSided:
    """How many turns a side needs that minimises their mean; in most variants a turn is one roll."""

    rules: Rules
    core: core.OneSided

    @classmethod
    def of(cls, rules: Rules) -> OneSided:
        """The database of these rules' dice, made once in a process; TableError when there can be none."""
        return _one_sided(rules)

    @property
    def means(self) -> Doubles:
        """[positions] mean turns by bear-off index; read-only, not copied."""
        return self.core.means()

    def covers(self, side: Side) -> bool:
        """Whether all of the side's checkers are home."""
        return home_index(side, self.core.checkers) is not None

    def turns(self, side: Side) -> Doubles:
        """[n] probabilities of needing exactly 0, 1, 2, ... turns to bear off; TableError unless covered."""
        return np.array(self.core.turns(self._index(side)))

    def first(self, side: Side) -> Doubles:
        """[n] the same until the first checker is off, with play that aims only at that: what saves a gammon."""
        return np.array(self.core.first(self._index(side)))

    def mean(self, side: Side) -> float:
        """Mean turns to bear off."""
        return float(self.means[self._index(side)])

    def effective_pips(self, side: Side) -> float:
        """The effective pip count: mean turns times mean pips of a roll (rulings 9.5)."""
        return self.mean(side) * core.mean_pips(core_rules(self.rules))

    def win(self, position: Position) -> float:
        """The probability that the player to act wins the race when both sides minimise their mean turns."""
        return core.race(self.turns(position.us), self.turns(position.them))

    def win_gammon(self, position: Position) -> float:
        """The probability that the player to act wins before the other side bears off its first checker."""
        return core.race(self.turns(position.us), self.first(position.them))

    def lose_gammon(self, position: Position) -> float:
        """The probability that the other side wins before the player to act bears off their first checker."""
        return 1 - core.race(self.first(position.us), self.turns(position.them))

    def _index(self, side: Side) -> int:
        index = home_index(side, self.core.checkers)
        if index is None:
            raise TableError("not all checkers are home; a one-sided table has points 1 to 6 only")
        return index


@cache
def _one_sided(rules: Rules) -> OneSided:
    try:
        return OneSided(rules, core.OneSided(core_rules(rules), min(rules.checkers, MAX_CHECKERS)))
    except ValueError as error:
        raise TableError(str(error)) from None


@dataclass(frozen=True, slots=True)
class Race:
    """Exact points for the player to act with the cube at 1, money play without the Jacoby rule.

    cubeless: without a cube. owned, centred, theirs: the player to act owns the cube, nobody, the other side; before a double.
    roll_owned, roll_centred: they roll without doubling. double_take: they double (from 1 to 2) and it is taken.
    """

    cubeless: float
    owned: float
    centred: float
    theirs: float
    roll_owned: float
    roll_centred: float
    double_take: float

    @property
    def win(self) -> float:
        """Probability of winning, without a cube."""
        return (self.cubeless + 1) / 2


@dataclass(frozen=True, slots=True)
class TwoSided:
    """Exact values of races of few checkers (rulings 9.6), with rerolls as in rulings 2.7."""

    rules: Rules
    core: core.TwoSided

    @property
    def checkers(self) -> int:
        """Most checkers a side."""
        return self.core.checkers

    @property
    def values(self) -> Doubles:
        """[size, size, states, 4] by side to act, other side, token state: cubeless, owned, centred, theirs.

        States are 0 in games without tokens, else 0 none left, 1 own, 2 the other side's, 3 both. Read-only, not copied.
        """
        return self.core.values()

    def indices(self, position: Position) -> tuple[int, int] | None:
        """The indices of both sides; None when the database does not hold the position."""
        us, them = home_index(position.us, self.checkers), home_index(position.them, self.checkers)
        return None if us is None or them is None else (us, them)

    def covers(self, position: Position) -> bool:
        """Whether the database holds the position and the game is not over in it."""
        indices = self.indices(position)
        return indices is not None and 0 not in indices

    def race(self, position: Position, tokens: tuple[int, int] = (0, 0)) -> Race:
        """The exact values of a position for the player to act; TableError unless covered.

        tokens: left of the player to act and of the other side.
        """
        indices = self.indices(position)
        if indices is None or 0 in indices:
            raise TableError("not in a table of 1 to %(checkers)s checkers a side, all home", checkers=self.checkers)
        if max(tokens) >= 2 or min(tokens) < 0 or (self.core.states == 1 and any(tokens)):
            raise TableError(
                "tokens %(tokens)s; this table has %(what)s",
                tokens=tokens,
                what="none" if self.core.states == 1 else "0 or 1 a side",
            )
        state = tokens[0] + 2 * tokens[1]
        cubeless, owned, centred, theirs = self.values[(*indices, state)].tolist()
        _, roll_owned, roll_centred, roll_theirs = self.core.rolling(*indices, state)
        return Race(cubeless, owned, centred, theirs, roll_owned, roll_centred, 2 * roll_theirs)


BuildProgress = Callable[[int, int], None]
"""Called with the number of a side's positions done so far, and their total."""


def build(rules: Rules, checkers: int = DEFAULT_CHECKERS, progress: BuildProgress | None = None) -> TwoSided:
    """Solves a two-sided database; TableError for rules or sizes that allow none. Can be interrupted between steps."""
    table = _empty(rules, checkers)
    while table.core.done < table.core.size:
        table.core.advance(8)
        if progress:
            progress(table.core.done, table.core.size)
    return table


def _empty(rules: Rules, checkers: int) -> TwoSided:
    most = largest(rules)
    if not 1 <= checkers <= most:
        raise TableError(
            "%(checkers)s checkers a side; a bear-off database of %(name)s has 1 to %(most)s",
            checkers=checkers,
            name=rules.name,
            most=most,
        )
    try:
        return TwoSided(rules, core.TwoSided(core_rules(rules), checkers))
    except ValueError as error:
        raise TableError(str(error)) from None


def fingerprint(rules: Rules) -> str:
    """Twelve hexadecimal digits that are equal for rules that share a database."""
    rerolls = rules.rerolls
    marks = (rerolls.own, rerolls.other, rerolls.double_after_cancel, rerolls.final_roll_cancellable)
    return files.fingerprint(rules.dice, rules.movement.bear_off, marks if rerolls.tokens else ())


def cache_file(rules: Rules, checkers: int) -> Path:
    """The path of a database in the cache."""
    return files.cache_folder() / f"bearoff-{fingerprint(rules)}-{checkers}.table"


def save(table: TwoSided, file: Path) -> None:
    """Writes a database atomically. OSError."""
    content = np.ascontiguousarray(table.values, "<f8").reshape(-1).view(np.uint8).data
    files.save(file, _KIND, fingerprint(table.rules), table.checkers, [content])


def load(rules: Rules, file: Path) -> TwoSided:
    """Reads a database; TableError says what is wrong with the file, OSError why it cannot be read."""
    states = 4 if rules.rerolls.tokens else 1
    checkers, start = files.check(
        file, _KIND, fingerprint(rules), rules, lambda checkers: (32 * states * comb(checkers + 6, 6) ** 2,)
    )
    table = _empty(rules, checkers)
    table.core.fill(np.fromfile(file, "<f8", offset=start).astype(np.float64, copy=False))
    return table


def kept(rules: Rules, checkers: int = DEFAULT_CHECKERS, progress: BuildProgress | None = None) -> TwoSided:
    """The database from the cache; makes and caches it when it is missing or unusable.

    When the cache cannot be written the database is used without being kept. TableError when there can be none.
    """
    file = cache_file(rules, checkers)
    try:
        return load(rules, file)
    except (OSError, TableError):
        table = build(rules, checkers, progress)
    with suppress(OSError):
        save(table, file)
    return table


def largest(rules: Rules) -> int:
    """Maximum checkers of a two-sided database under these rules: whoever may have borne off none can lose a gammon."""
    return min(MAX_TWO_SIDED, rules.checkers - 1)
