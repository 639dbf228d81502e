"""Plays games by the thousand: rolls for all of them at once and asks a policy with arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from barpoint.error import ArgumentError, IllegalMove, OptionError, RollError, whole_number
from barpoint.moves import BatchTurns
from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.variants import rules_of

_AT_ONCE: Final = 1000
"""Random games between two checks for Ctrl-C; the results do not depend on it."""


class Policy(Protocol):
    """Chooses plays: integers [n], an array or a list, each 0 <= choice < turns.counts[i], or moves.REROLL where turns.may_reroll."""

    def __call__(self, turns: BatchTurns, /) -> npt.NDArray[np.integer] | Sequence[int]: ...


CallPolicy = Callable[[BatchTurns, npt.NDArray[np.int64], npt.NDArray[np.bool_]], npt.NDArray[np.bool_]]
"""Chooses for the side that did not roll: bool [n], whether it rerolls after the choices, int64 [n]. The third argument,
bool [n], says where it may.
"""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GamesBatch:
    """How n games ended. Player 0 made the first play of each.

    winners: int8 [n], 0 or 1, -1 drawn or not finished. levels: int8 [n], 1 single, 2 gammon, 3 backgammon, 0 without a winner.
    points: int16 [n], won by the winner with the cube at 1. rolls: int32 [n], of both players, rerolled ones included.
    finished: bool [n], False where a game was ended by max_rolls.
    """

    winners: npt.NDArray[np.int8]
    levels: npt.NDArray[np.int8]
    points: npt.NDArray[np.int16]
    rolls: npt.NDArray[np.int32]
    finished: npt.NDArray[np.bool_]

    def __repr__(self) -> str:
        return f"<GamesBatch of {len(self)} games, {int(self.finished.sum())} finished>"

    def __len__(self) -> int:
        return len(self.winners)

    @property
    def scores(self) -> npt.NDArray[np.int16]:
        """int16 [n]: points of player 0, negative where player 1 won."""
        return np.where(self.winners == 1, -self.points, self.points).astype(np.int16)


def play_batch(
    rules: Rules | str,
    games: int,
    policy: Policy | Sequence[Policy] | None = None,
    *,
    call: CallPolicy | None = None,
    seed: int = 1,
    at_once: int = 1024,
    max_rolls: int = 10_000,
) -> GamesBatch:
    """Games without a cube, played to the end.

    rules: these, or a name. policy: chooses plays for both players, or a pair for player 0, who begins, and player 1; None for random plays, each
    equally likely and without rerolls, which the core plays by itself.
    call: chooses rerolls of the other side's roll after its play; without it there are none.
    seed: of the dice and of random plays. A game depends on the seed, its number and the choices, not on `at_once`, the
    number of games that are played together. max_rolls: a game that is not over after so many ends without a winner.
    Raises IllegalMove for choices of another shape or type, or that are not allowed; OptionError for numbers out of range, RollError for dice that cannot show
    the opening roll.
    """
    chosen = tuple(policy) if isinstance(policy, Sequence) else (policy, policy)
    if policy is not None and not (len(chosen) == 2 and all(map(callable, chosen))):
        raise ArgumentError(
            "policy is %(policy)r; allowed: a function, or one for each of the two players", policy=policy
        )
    for name, value, least in (
        ("games", games, 0),
        ("at_once", at_once, 1),
        ("max_rolls", max_rolls, 1),
        ("seed", seed, 0),
    ):
        most = (1 << 64) - 1 if name == "seed" else (1 << 31) - 1
        if not least <= whole_number(name, value) <= most:
            raise OptionError(
                "%(name)s %(value)s; %(least)s to %(most)s are allowed", name=name, value=value, least=least, most=most
            )
    rules = rules_of(rules)
    compiled = core_rules(rules)
    try:
        batch = core.BatchGames(rules=compiled, seed=seed, games=games, size=at_once, max_rolls=max_rolls)
    except ValueError as error:
        raise RollError(str(error)) from None
    if policy is None and call is None:
        while batch.play_randomly(_AT_ONCE):
            pass
        return GamesBatch(*batch.results())
    random = np.random.default_rng(seed)
    asked = policy if policy is not None else random_policy(random)
    for turns in _rolled(rules, batch):
        choices = _choices(asked, turns)
        try:
            may_call = batch.may_call(choices)
            called = None
            if call is not None and may_call.any():
                called = _checked(call(turns, choices, may_call), len(turns), np.bool_, "calls")
            batch.follow(choices, called)
        except ValueError as error:
            raise IllegalMove(str(error)) from None
    return GamesBatch(*batch.results())


def random_policy(random: np.random.Generator) -> Policy:
    """A policy that chooses every play with the same probability, and never rerolls."""

    def choose(turns: BatchTurns) -> npt.NDArray[np.int64]:
        return random.integers(0, turns.counts)

    return choose


def _rolled(rules: Rules, batch: core.BatchGames) -> Iterator[BatchTurns]:
    """A roll of all games in progress, until none is left; each must be followed up before the next."""
    while (found := batch.roll()) is not None:
        positions, rows, results, offsets, again, games, players, may_reroll, own, other = found
        tokens = np.stack([own, other], axis=1)
        yield BatchTurns(rules, positions, rows, results, offsets, again, games, players, may_reroll, tokens)


def _choices(policy: Policy | Sequence[Policy], turns: BatchTurns) -> npt.NDArray[np.int64]:
    """The choices of both players, checked for shape and type."""
    if not isinstance(policy, Sequence):
        return _checked(policy(turns), len(turns), np.int64, "choices")
    choices = np.zeros(len(turns), np.int64)
    for player, choose in enumerate(policy):
        own = turns.players == player
        if own.any():
            choices[own] = _checked(choose(turns.only(own)), int(own.sum()), np.int64, "choices")
    return choices


_Kind = TypeVar("_Kind", np.int64, np.bool_)


def _checked(found: object, count: int, kind: type[_Kind], what: Literal["choices", "calls"]) -> npt.NDArray[_Kind]:
    name, given = np.dtype(kind).name, type(found).__name__
    if isinstance(found, list | tuple):
        with suppress(ValueError):  # lists of different lengths
            found = np.asarray(found)
    if not isinstance(found, np.ndarray) or found.shape != (count,) or not _is_lossless(found, kind):
        had = f"{found.dtype} {list(found.shape)}" if isinstance(found, np.ndarray) else given
        raise IllegalMove(
            "%(what)s are %(had)s; %(name)s [%(count)s] is expected", what=what, had=had, name=name, count=count
        )
    return np.ascontiguousarray(found, kind)


def _is_lossless(found: npt.NDArray[np.generic], kind: type[_Kind]) -> bool:
    """Whether an array holds the same values as this kind; integers are none of truths."""
    if kind is np.bool_:
        return found.dtype == np.bool_
    return np.issubdtype(found.dtype, np.integer) and bool((found.astype(np.int64) == found).all())
