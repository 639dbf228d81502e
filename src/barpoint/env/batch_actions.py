"""The actions allowed in many games at once, and what they lead to.

The core plays single numbers in all games together: rules whose rolls are one number give every first move, and what may follow
it. Which of them belong to legal plays, the results of the whole rolls say.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from barpoint.board import BAR
from barpoint.dice import DiceRow
from barpoint.env.table import PASS, PLACES, axis_without_place, beginnings
from barpoint.moves.turn import turn_graph
from barpoint.native import core, core_rules, unpack
from barpoint.rules import Dice, FirstRoll, FollowUps, OpeningRule, Rules

Packed = npt.NDArray[np.uint8]
"""[n, 64] positions as the core has them, the side to act first."""

Indices = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_DICE: Final = (27, 59)
"""The bytes of a position that say what its sides play without rolling."""

_MIXER: Final = np.uint64(0x9E3779B97F4A7C15)
_LOW_FIRST: Final = PLACES * PLACES

_PLACE: Final = np.array([[PASS, *range(23, -1, -1), 24], [PASS, *range(24), 24]], np.int64)
"""The place of an action's number, by player and the point that a checker leaves; point 0 is no checker."""


class Results(NamedTuple):
    """The results of whole rolls of k games: those of game i at offsets[i]:offsets[i + 1], and which earn another roll."""

    positions: Packed
    offsets: Indices
    again: Flags
    games: Indices
    keys: npt.NDArray[np.uint64]


class _Moves(NamedTuple):
    """Moves that positions allow: the position, the point that a checker leaves, and what it leads to."""

    origins: Indices
    sources: Indices
    ends: Packed


def bare(positions: Packed) -> Packed:
    """The same positions without what is owed."""
    found = positions.copy()
    found[:, _DICE] = 0
    return found


def keys_of(positions: Packed, games: Indices) -> npt.NDArray[np.uint64]:
    """uint64 [m]: a hash of bare positions and their games."""
    words = positions.view(np.uint64)
    found = games.astype(np.uint64) * _MIXER
    for column in range(words.shape[1]):
        found ^= words[:, column]
        found *= _MIXER
        found ^= found >> np.uint64(32)
    return found


def _sources(before: Packed, origins: Indices, after: Packed) -> Indices:
    """int64 [m]: the point that a checker has left, 0 where none has: the highest byte of 0 to 25 that has changed.

    Bytes are compared eight at a time, and the highest bit of all four words is the exponent of their sum.
    """
    changed = before.view("<u8")[origins, :4] ^ after.view("<u8")[:, :4]
    changed[:, 3] &= np.uint64(0xFFFF)
    together = changed[:, 0].astype(np.float64)
    for word in (1, 2, 3):
        together += changed[:, word] * 2.0 ** (64 * word)
    found: Indices = np.maximum(np.frexp(together)[1].astype(np.int64) - 1, 0) >> 3
    return found


def has_place(rules: Rules) -> bool:
    """Whether these rules are played in this way: each roll is two numbers, or one of them twice or four times."""
    return axis_without_place(rules) is None and all(
        row.stages == ((row.faces,),) or (len(set(row.faces)) == 1 and row.stages == ((row.faces * 2,),))
        for row in rules.dice.rows
    )


def _among(keys: npt.NDArray[np.uint64], known: npt.NDArray[np.uint64]) -> Flags:
    """Which keys are known; at least one is."""
    ordered = np.sort(known)
    found: Flags = ordered[np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)] == keys
    return found


class BatchActions:
    """Finds actions under these rules. numbers: int64 [rows, 2], the faces of each row, higher first; is_double: bool [rows]."""

    def __init__(self, rules: Rules) -> None:
        steps = [DiceRow((number,), 1, (((number,),),)) for number in range(1, 7)]
        pairs = [DiceRow((number, number), 1, (((number, number),),)) for number in range(1, 7)]
        self._rules, self._core = rules, core_rules(rules)
        self._steps = replace(
            rules,
            opening=OpeningRule(FirstRoll.AGAIN),
            dice=Dice((*steps, *pairs)),
            follow_ups=FollowUps(),
            ending=replace(rules.ending, standstill_draws=False),
        )
        self._core_steps = core_rules(self._steps)
        self.numbers = np.array([row.faces for row in rules.dice.rows], np.int64)
        self.is_double = self.numbers[:, 0] == self.numbers[:, 1]
        # What a roll may not do, by the position before it, a single number knows only for the first move.
        self._looks_back = bool(rules.movement.leave) or not rules.movement.hit_and_run

    def results(self, positions: Packed, rows: Indices) -> Results:
        """The results of the whole rolls from these positions, before any move."""
        found, offsets, again = core.results(self._core, positions, rows)
        games = np.repeat(np.arange(len(positions)), np.diff(offsets))
        return Results(found, offsets, again, games, keys_of(bare(found), games))

    def after(self, positions: Packed, rows: Indices, players: Indices, actions: Indices) -> Packed:
        """The bare positions after these allowed actions. players: int64 [k], who acts in each."""
        low_first, places = actions // _LOW_FIRST, actions % _LOW_FIRST
        points = np.argsort(_PLACE, axis=1)  # by player and place; PASS is point 0
        reached, index = bare(positions), np.arange(len(positions))
        for order, place in enumerate((places % PLACES, places // PLACES)):
            sources = points[players, place]
            numbers = self.numbers[rows, low_first if order == 0 else 1 - low_first]
            moving = index[sources > 0]
            moves = self._moves(reached[moving], numbers[moving])
            made = moves.sources == sources[moving][moves.origins]
            reached[moving[moves.origins[made]]] = moves.ends[made]
        return reached

    def allowed(
        self, starts: Packed, positions: Packed, rows: Indices, players: Indices, halves: Flags
    ) -> tuple[Indices, Indices]:
        """int64 [m] games, int64 [m] numbers of actions, in no order.

        starts: before the roll. positions: after the first half of a double where halves says so, else the same.
        """
        doubles = self.is_double[rows]
        alone = doubles & self._one_by_one_in(starts)
        games, actions = [], []
        for chosen, find in (
            (~doubles, self._mixed),
            (doubles & ~alone, self._doubles),
            (alone, self._one_by_one),
        ):
            index = np.flatnonzero(chosen)
            if len(index):
                asked = (starts[index], bare(positions[index]), rows[index], halves[index])
                found, first, second, low_first = find(*asked)
                games.append(index[found])
                who = players[games[-1]]
                actions.append(_PLACE[who, second] * PLACES + _PLACE[who, first] + _LOW_FIRST * low_first)
        return np.concatenate(games), np.concatenate(actions)

    def _moves(self, positions: Packed, numbers: Indices, with_ends: bool = True) -> _Moves:
        """Every move of a number from each position."""
        ends, offsets, _ = core.results(self._core_steps, positions, numbers - 1)
        origins = np.repeat(np.arange(len(positions)), np.diff(offsets))
        sources = _sources(positions, origins, ends)
        moved = np.flatnonzero(sources)
        return _Moves(origins[moved], sources[moved], ends[moved] if with_ends else ends[:0])

    def _ended(self, positions: Packed) -> Flags:
        """Where the move before has ended the game."""
        if not self._rules.ending.start_pin_loses:
            found: Flags = positions[:, 0] == self._rules.checkers
            return found
        flipped = np.ascontiguousarray(positions.reshape(-1, 2, 32)[:, ::-1]).reshape(-1, 64)
        return core.outcomes(self._core_steps, flipped)[0]

    def _mixed(
        self, starts: Packed, positions: Packed, rows: Indices, _halves: Flags
    ) -> tuple[Indices, Indices, Indices, Flags]:
        """Rolls of two numbers: games, points of the first and the second move, whether the lower number is played first."""
        count, numbers = len(rows), self.numbers[rows]
        first = self._moves(np.concatenate([positions, positions]), numbers.T.reshape(-1))
        second_numbers = numbers[:, ::-1].T.reshape(-1)
        ended = self._ended(first.ends)
        open_ = np.flatnonzero(~ended)
        second = self._moves(first.ends[open_], second_numbers[first.origins[open_]], self._looks_back)
        before, sources = open_[second.origins], second.sources
        games, low_first = first.origins % count, first.origins >= count
        if self._looks_back:
            legal = _among(keys_of(second.ends, games[before]), self.results(starts, rows).keys)
            before, sources = before[legal], sources[legal]
        alone = self._alone(count, games, first.sources, low_first, ended, before)
        passing = np.flatnonzero(np.bincount(games, minlength=count) == 0)
        return (
            np.concatenate([games[before], games[alone], passing]),
            np.concatenate([first.sources[before], first.sources[alone], 0 * passing]),
            np.concatenate([sources, 0 * alone, 0 * passing]),
            np.concatenate([low_first[before], low_first[alone], passing >= 0]),
        )

    @staticmethod
    def _alone(
        count: int, games: Indices, sources: Indices, low_first: Flags, ended: Flags, before: Indices
    ) -> Indices:
        """The first moves that are whole plays: those that end the game, and where no two numbers can be played those of the
        higher number, or else of the lower one. Of a checker that either number bears off, those of the higher one.
        """
        more = np.zeros(len(games), np.bool_)
        more[before] = True
        complete = np.zeros(count, np.bool_)
        complete[games[more | ended]] = True
        alone = ~more & (ended | ~complete[games])
        high = alone & ~low_first
        owed = np.zeros(count, np.bool_)
        owed[games[high & ~ended]] = True
        same = np.zeros((count, BAR + 1), np.bool_)
        same[games[high], sources[high]] = True
        return np.flatnonzero(alone & ~(low_first & (owed[games] | same[games, sources])))

    def _doubles(
        self, starts: Packed, positions: Packed, rows: Indices, halves: Flags
    ) -> tuple[Indices, Indices, Indices, Flags]:
        """One number two or four times: games, points of the first and the second move, False but where nothing is played."""
        count, numbers = len(rows), self.numbers[rows, 0]
        first = self._moves(positions, numbers)
        open_ = np.flatnonzero(~self._ended(first.ends))
        second = self._moves(first.ends[open_], numbers[first.origins[open_]])
        before = open_[second.origins]
        alone = np.ones(len(first.origins), np.bool_)
        alone[before] = False
        games = np.concatenate([first.origins[before], first.origins[alone]])
        ends = np.concatenate([second.ends, first.ends[alone]])
        legal = self._begins(self.results(starts, rows), ends, games, numbers, halves)
        passing = np.flatnonzero(np.bincount(games, minlength=count) == 0)
        return (
            np.concatenate([games[legal], passing]),
            np.concatenate([np.concatenate([first.sources[before], first.sources[alone]])[legal], 0 * passing]),
            np.concatenate([np.concatenate([second.sources, 0 * np.flatnonzero(alone)])[legal], 0 * passing]),
            np.concatenate([np.zeros(int(legal.sum()), np.bool_), passing >= 0]),
        )

    def _begins(self, whole: Results, ends: Packed, games: Indices, numbers: Indices, halves: Flags) -> Flags:
        """bool [m]: where a position is the result of the whole roll, or leads to one as the first half of a double."""
        keys, first, inverse = np.unique(keys_of(ends, games), return_index=True, return_inverse=True)
        legal = _among(keys, whole.keys)
        asked = np.flatnonzero(~legal & ~halves[games[first]])
        if len(asked):
            # What may be played from there is legal in the whole roll, or nothing of it is: all of it is complete, or equally long.
            of = games[first[asked]]
            found, offsets, _ = core.results(self._core_steps, ends[first[asked]], numbers[of] + 5)
            legal[asked] = _among(keys_of(found[offsets[:-1]], of), whole.keys)
        return legal[inverse]

    def _one_by_one_in(self, starts: Packed) -> Flags:
        """Where the position before a double may forbid some of its later moves."""
        movement = self._rules.movement
        if movement.leave or movement.hit_and_run:
            return np.full(len(starts), bool(movement.leave))
        hit_at_home = [32 + movement.meeting.other(point) for point in range(1, 7)]
        found: Flags = (starts[:, hit_at_home] == 1).any(1)
        return found

    def _one_by_one(
        self, starts: Packed, positions: Packed, rows: Indices, _halves: Flags
    ) -> tuple[Indices, Indices, Indices, Flags]:
        """As `_doubles`, each from its turn graph."""
        found = []
        for game, row in enumerate(rows.tolist()):
            number = int(self.numbers[row, 0])
            graph = turn_graph(self._rules, unpack(starts[game].tobytes()), (number, number))
            nodes = bare(np.frombuffer(b"".join(graph.positions), np.uint8).reshape(-1, 64))
            node = int(np.flatnonzero((nodes == positions[game]).all(1))[0])
            for moves in beginnings(graph, node, number):
                sources = [source for source, _, _ in moves]
                found.append((game, *sources, *[0] * (2 - len(sources)), not sources))
        games, firsts, seconds, low_first = np.array(found, np.int64).T
        return games, firsts, seconds, low_first > 0
