"""The unit of work of a rollout: a block of games, a function of the specification and the games' numbers alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.board import Position
from barpoint.engine import contact
from barpoint.engine.net import DEFAULT_LIFE, Life, find_net, load, load_pruner, parse
from barpoint.engine.stake import Stake
from barpoint.error import NetError, StakesError
from barpoint.native import core, core_rules, pack
from barpoint.rules import Rules

COLUMNS: Final = 6
"""Of one game: five figures (three where games pay by the checker), then its worth, for the player to act at the start."""

MAX_TRIALS: Final = 1 << 24
MAX_PLIES: Final = 4
LONGEST: Final = 5000

Games = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RolloutSettings:
    """How games are rolled out and when that ends. StakesError for what cannot be.

    trials: games at most. plies: rolls looked ahead for plays; late_plies: the same after late_from rolls (0: never).
    cube_plies: for decisions about the cube. truncate: games end after so many rolls with the net's figures (0: never).
    tables: games end where exact tables know the rest; without a cube also where only bearing off is left.
    reduced: the luck of every roll is taken off the result, which leaves its mean and narrows its spread.
    stratified: first and second rolls come as often as they should.
    stop_error: done when the standard error of every equity is no more than this (0: never); stop_clear: a play or cube
        action that is behind by so many standard errors of the difference is left alone, and one that is left ends it
        (0: never). Neither before `minimum` games.
    """

    trials: int = 1296
    plies: int = 0
    late_plies: int = 0
    late_from: int = 0
    cube_plies: int = 0
    truncate: int = 0
    tables: bool = True
    reduced: bool = True
    stratified: bool = True
    seed: int = 1
    minimum: int = 288
    stop_error: float = 0.0
    stop_clear: float = 0.0

    def __post_init__(self) -> None:
        bounds = {
            "trials": MAX_TRIALS,
            "plies": MAX_PLIES,
            "late_plies": MAX_PLIES,
            "cube_plies": MAX_PLIES,
            "late_from": LONGEST,
            "truncate": LONGEST,
            "seed": 2**64 - 1,
            "minimum": MAX_TRIALS,
        }
        for name, most in bounds.items():
            value, least = getattr(self, name), int(name in ("trials", "minimum"))
            if not isinstance(value, int) or not least <= value <= most:
                raise StakesError(f"{name} {value!r} of a rollout; {least} to {most} are allowed")
        for name in ("stop_error", "stop_clear"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise StakesError(f"{name} {getattr(self, name)!r} of a rollout; it is 0 or more")


@dataclass(frozen=True, slots=True)
class Start:
    """Where games start: seen by the player to act, who rolls, or may double first where the stake says so.

    head: the state of the markers as nets number it.
    """

    position: Position
    head: int
    stake: Stake


@dataclass(frozen=True, slots=True)
class Specification:
    """All that decides how games go; can be pickled. net: the bytes of one, None for the one that covers the rules.

    life: of the cube, None for what the net says.
    """

    rules: Rules
    starts: tuple[Start, ...]
    settings: RolloutSettings
    net: bytes | None = None
    life: Life | None = None

    @property
    def cube_life(self) -> Life:
        """How alive cubes are in the games."""
        if self.life is not None:
            return self.life
        return find_net(self.rules).cube_life if self.net is None else DEFAULT_LIFE


@lru_cache(maxsize=8)
def _nets(rules: Rules, content: bytes | None) -> tuple[core.Net, core.Net | None]:
    """The net, and the small one that goes with it."""
    if content is not None:
        return parse(content), None
    entry = find_net(rules)
    return load(entry), load_pruner(entry)


def start_block(specification: Specification, first: int, count: int, threads: int) -> core.RolloutBlock:
    """Games first .. first + count - 1 of every start, under way in threads of their own."""
    rules, settings = specification.rules, specification.settings
    starts = [(pack(start.position), start.head, start.stake.core()) for start in specification.starts]
    if settings.tables:
        contact.attach(rules)
    try:
        return core.start_rollout(
            core_rules(rules),
            *_nets(rules, specification.net),
            starts,
            plies=settings.plies,
            late_plies=settings.late_plies,
            late_from=settings.late_from,
            cube_plies=settings.cube_plies,
            truncate=settings.truncate,
            tables=settings.tables,
            reduce=settings.reduced,
            stratify=settings.stratified,
            seed=settings.seed,
            first=first,
            count=count,
            threads=threads,
            life=specification.cube_life,
        )
    except ValueError as error:
        raise NetError(str(error)) from None


def finished_games(block: core.RolloutBlock, starts: int) -> Games:
    """[starts, n, COLUMNS] the games of a block that has ended, up to the first one that was not finished."""
    count, content = block.games()
    return np.frombuffer(content).reshape(starts, count, COLUMNS)


def play_block(specification: Specification, first: int, count: int) -> Games:
    """[starts, count, COLUMNS] what each game came to, played in one thread."""
    block = start_block(specification, first, count, 1)
    while not block.wait(0.2):
        pass
    return finished_games(block, len(specification.starts))
