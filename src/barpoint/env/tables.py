"""Many games side by side as learners see them: arrays of observations and masks, and a step of all games at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from barpoint.board import BAR
from barpoint.dice import NUMBERS, numbers_for
from barpoint.env.batch_actions import BatchActions, Flags, Indices, Packed, bare, has_place, keys_of
from barpoint.env.number_streams import NumberStreams
from barpoint.env.table import ACTIONS, OBSERVATION, Mask, Observation, rules_of_one_game
from barpoint.error import NOT_ALLOWED, ArgumentError, IllegalMove, UnsupportedRules, not_allowed
from barpoint.moves import BatchTurns, outcomes
from barpoint.moves.batch import array_of
from barpoint.native import pack
from barpoint.rules import FirstRoll, Rules

_BLOCK = 512
"""Games whose actions are found together: so many positions fit the caches. The results do not depend on it."""

Selection = Indices | Flags | Sequence[int] | Sequence[bool]
"""Which of n games: their numbers, each once, or bool [n]."""


class Tables:
    """n games as `Table` has one. rngs: one for the dice of each game, PCG64 as numpy makes them; used by this alone.

    actors: int64 [n], who must act, 0 or 1; who acted last where the game is over. over: bool [n]. points: float64 [n], won by
    player 0. mask: int8 [n, 1352], 1 for every action allowed now. made: bool [n], where the first half of a double is played.
    UnsupportedRules as `Table`, and for dice of which a roll is not two numbers, or one twice or four times.

    Methods take the numbers of games, each once, or bool [n]. ArgumentError for anything else; nothing has changed then.
    """

    def __init__(self, rules: Rules | str, rngs: Sequence[np.random.Generator]) -> None:
        self.rules = rules_of_one_game(rules)
        if not has_place(self.rules):
            raise UnsupportedRules(
                "%(name)s is not played side by side, for which a roll is two numbers, or one twice or four times; Table plays it or says why",
                name=self.rules.name,
            )
        generators = checked_generators(rngs)
        count = len(generators)
        self._finder, self.numbers = BatchActions(self.rules), NumberStreams(generators)
        self._start = np.frombuffer(pack(self.rules.start), np.uint8)
        self._goes_on = bool(self.rules.follow_ups.rolls) or any(row.again for row in self.rules.dice.rows)
        self._rows = np.cumsum([row.weight for row in self.rules.dice.rows])
        self._row_of = {row.faces: index for index, row in enumerate(self.rules.dice.rows)}
        self._starts, self._positions = np.zeros((2, count, 64), np.uint8)
        self._rolls = np.zeros(count, np.int64)
        self.actors, self.points = np.zeros(count, np.int64), np.zeros(count)
        self.over, self.made = np.zeros((2, count), np.bool_)
        self.mask: Mask = np.zeros((count, ACTIONS), np.int8)
        self.begin(np.arange(count))

    def __len__(self) -> int:
        return len(self.over)

    def begin(self, which: Selection, rngs: Sequence[np.random.Generator] | None = None) -> None:
        """Begins these games anew; with new generators where they are given, one for each."""
        which = self._games(which)
        generators = None if rngs is None else checked_generators(rngs)
        if generators is not None and len(generators) != len(which):
            raise ArgumentError(
                "%(found)s generators; allowed: one for each of %(count)s games",
                found=len(generators),
                count=len(which),
            )
        for index, rng in zip(which.tolist(), generators or (), strict=generators is not None):
            self.numbers.replace(index, rng)
        self.points[which], self.over[which], self.made[which] = 0.0, False, False
        self._starts[which] = self._start
        waiting, sides = which, self.rules.dice.sides
        while len(waiting):
            faces = np.stack([self._number(waiting) % sides + 1 for _player in (0, 1)])
            self.actors[waiting] = faces[0] < faces[1]
            if self.rules.opening.first_roll is FirstRoll.OPENING_ROLL:
                shown = np.sort(faces, axis=0)[::-1].T.tolist()
                self._rolls[waiting] = [self._row_of[tuple(roll)] for roll in shown]
            waiting = waiting[faces[0] == faces[1]]
        if self.rules.opening.first_roll is not FirstRoll.OPENING_ROLL:
            self._roll(which)
        self._find(which)

    def observation(self, player: int | None = None) -> Observation:
        """float32 [n, 56]: what a player sees of each game; None for the one to act."""
        return self.observation_of(np.arange(len(self)), player)

    def observation_of(self, which: Selection, player: int | None = None) -> Observation:
        """float32 [k, 56]: the same of these games."""
        which = self._games(which)
        checkers, acts = self.rules.checkers, np.ones(len(which), np.bool_)
        sides = self._positions[which].reshape(-1, 2, 32)
        if player is not None:
            acts = self.actors[which] == player
            sides = np.where(acts[:, None, None], sides, sides[:, ::-1])
        found = np.zeros((len(which), OBSERVATION), np.float32)
        shares = np.arange(checkers + 1).astype(np.float32) / np.float32(checkers)
        found[:, :52] = shares[sides[:, :, : BAR + 1]].reshape(-1, 52)
        rolled = ~self.over[which]
        faces = self._finder.numbers[self._rolls[which[rolled]]]
        found[rolled, 52:54] = faces.astype(np.float32) / np.float32(6)
        found[:, 54], found[:, 55] = self.made[which], acts
        return found

    def turns(self, which: Selection) -> BatchTurns:
        """The whole plays of these games, each at the beginning of a roll, as a policy of `play_batch` sees them; `games` are `which`."""
        which = self._games(which)
        if (self.over | self.made)[which].any():
            raise IllegalMove("whole plays of a game that is over, or after the first half of a double; allowed: step")
        starts, rows = self._starts[which], self._rolls[which]
        found = self._finder.results(starts, rows)
        none = np.zeros(len(which), np.int8)
        return BatchTurns(
            self.rules,
            array_of(starts),
            rows,
            array_of(found.positions),
            found.offsets,
            found.again,
            which,
            self.actors[which].astype(np.int8),
            none.astype(np.bool_),
            np.stack([none, none], axis=1),
        )

    def play(self, turns: BatchTurns, choices: npt.NDArray[np.integer] | Sequence[int]) -> None:
        """Makes the chosen play of each of these turns, and rolls for who is next. choices: int64 [k], numbers of plays."""
        chosen = np.asarray(choices)
        whole = chosen.shape == (len(turns),) and (not len(turns) or np.issubdtype(chosen.dtype, np.integer))
        if not whole or ((chosen < 0) | (chosen >= turns.counts)).any():
            raise IllegalMove("choices are int64 [%(count)s], each the number of a play of its turn", count=len(turns))
        index = turns.offsets[:-1] + chosen.astype(np.int64)
        self._finish(turns.games, turns.results[index].view(np.uint8).reshape(-1, 64), turns.again[index])
        self._find(turns.games)

    def step(self, which: Selection, actions: npt.NDArray[np.integer] | Sequence[int]) -> None:
        """Plays an action in each of these games, and rolls for who is next; IllegalMove for one that its mask forbids."""
        which = self._games(which)
        if not len(which):
            return
        numbers = checked_actions(actions, len(which))
        if not self.mask[which, numbers].all():
            raise IllegalMove("an action that its mask forbids")
        rows = self._rolls[which]
        ends = self._finder.after(self._positions[which], rows, self.actors[which], numbers)
        whole, again = self._finished(which, ends)
        half = which[~whole]
        self._positions[half], self.made[half] = ends[~whole], True
        self._finish(which[whole], ends[whole], again[whole])
        self._find(which)

    def _games(self, which: Selection) -> Indices:
        return checked_games(which, len(self))

    def _finished(self, which: Indices, ends: Packed) -> tuple[Flags, Flags]:
        """bool [k]: where these bare positions end the roll, and where who made them acts again. ends: gets what is then owed."""
        doubles = self._finder.is_double[self._rolls[which]]
        whole, again = ~doubles | self.made[which], np.zeros(len(which), np.bool_)
        asked = np.flatnonzero(~whole | self._goes_on)
        if len(asked):
            found = self._finder.results(self._starts[which[asked]], self._rolls[which[asked]])
            index = np.flatnonzero(found.keys == keys_of(ends[asked], np.arange(len(asked)))[found.games])
            ended = asked[found.games[index]]
            whole[ended], again[ended], ends[ended] = True, found.again[index], found.positions[index]
        return whole, again

    def _number(self, which: Indices) -> Indices:
        return self.numbers.below(which, np.full(len(which), NUMBERS))

    def _roll(self, which: Indices) -> None:
        """Rolls the dice of these games, as `barpoint.dice.roll` does."""
        if not len(which):
            return
        point = np.zeros(len(which), np.int64)
        for _digit in range(numbers_for(self.rules.dice.rows)):
            point = point * NUMBERS + self._number(which)
        self._rolls[which] = np.searchsorted(self._rows, point % self._rows[-1], side="right")

    def _finish(self, which: Indices, results: Packed, again: Flags) -> None:
        """Goes on after whole plays, seen by who made them."""
        flipped = np.ascontiguousarray(results.reshape(-1, 2, 32)[:, ::-1]).reshape(-1, 64)
        following = np.where(again[:, None], results, flipped)
        found = outcomes(self.rules, array_of(following))
        self.over[which], self.made[which] = found.over, False
        won = np.where(self.actors[which] == 0, -found.winner, found.winner)
        self.points[which] = won * found.points
        self.actors[which] ^= ~again & ~found.over
        self._starts[which] = np.where(found.over[:, None], results, following)
        owed = following[:, 27].astype(np.int64) >> 2
        self._rolls[which] = owed - 1
        self._roll(which[~found.over & (owed == 0)])

    def _find(self, which: Indices) -> None:
        """Finds what is allowed in these games."""
        self.mask[which] = 0
        fresh = which[~self.made[which]]
        self._positions[fresh] = bare(self._starts[fresh])
        playing = which[~self.over[which]]
        for at in range(0, len(playing), _BLOCK):
            block = playing[at : at + _BLOCK]
            games, actions = self._finder.allowed(
                self._starts[block], self._positions[block], self._rolls[block], self.actors[block], self.made[block]
            )
            self.mask[block[games], actions] = 1


def checked_games(which: Selection, count: int) -> Indices:
    """int64 [k]: the numbers of the games that are meant, each once, of so many; ArgumentError for anything else."""
    try:
        found = np.asarray(which)
    except ValueError:  # lists of several lengths in one another
        found = np.asarray(which, object)
    if found.dtype == np.bool_ and found.shape == (count,):
        return np.flatnonzero(found)
    if found.shape == (0,):
        return np.zeros(0, np.int64)
    if found.ndim != 1 or not np.issubdtype(found.dtype, np.integer):
        raise ArgumentError(
            "games are %(dtype)s %(shape)s; they are integers [k], or bool [%(count)s]",
            dtype=found.dtype,
            shape=list(found.shape),
            count=count,
        )
    if found.min() < 0 or found.max() >= count:
        raise ArgumentError(
            "games from %(least)s to %(most)s; allowed: 0 to %(last)s",
            least=found.min(),
            most=found.max(),
            last=count - 1,
        )
    games = found.astype(np.int64)
    times = np.bincount(games)
    if times.max() > 1:
        raise ArgumentError(
            "game %(game)s is named %(times)s times; allowed: once", game=times.argmax(), times=times.max()
        )
    return games


def checked_generators(rngs: Sequence[np.random.Generator]) -> list[np.random.Generator]:
    """The generators as a list; ArgumentError for what is none."""
    if not isinstance(rngs, Sequence) or isinstance(rngs, str | bytes):
        raise ArgumentError(NOT_ALLOWED, **not_allowed("rngs", rngs, "a list of numpy.random.Generator"))
    for index, rng in enumerate(rngs):
        if not isinstance(rng, np.random.Generator):
            raise ArgumentError(NOT_ALLOWED, **not_allowed(f"rngs[{index}]", rng, "numpy.random.Generator"))
    return list(rngs)


def checked_actions(
    actions: npt.NDArray[np.integer] | Sequence[int], count: int, ignored: Flags | None = None
) -> Indices:
    """int64 [count]; IllegalMove for what are no numbers of actions. ignored: bool [count], where 0 takes their place."""
    found = np.asarray(actions)
    if found.shape != (count,) or not np.issubdtype(found.dtype, np.integer):
        raise IllegalMove(
            "actions are %(dtype)s %(shape)s; they are integers [%(count)s]",
            dtype=found.dtype,
            shape=list(found.shape),
            count=count,
        )
    if ignored is not None:
        found = np.where(ignored, 0, found)
    if found.size and not 0 <= found.min() <= found.max() < ACTIONS:
        raise IllegalMove(
            "actions from %(least)s to %(most)s; allowed: 0 to %(last)s",
            least=found.min(),
            most=found.max(),
            last=ACTIONS - 1,
        )
    return found.astype(np.int64)
