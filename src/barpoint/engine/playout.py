"""The unit of work of a rollout: a block of games that depends only on the specification and the games' numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import index
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.board import Position
from barpoint.engine import contact
from barpoint.engine.cube_info import CubeInfo
from barpoint.engine.limits import MAX_PLIES, MAX_ROLLS, MAX_SEED, MAX_TRIALS
from barpoint.engine.net import (
    DEFAULT_CUBE_EFFICIENCY,
    CubeEfficiency,
    find_net,
    load,
    load_cube_net,
    load_pruning_net,
    parse,
)
from barpoint.error import NetError, OptionError
from barpoint.native import core, core_rules, pack
from barpoint.rules import Rules

COLUMNS: Final = 6
"""Numbers of one game: five probabilities (three margins where the rules score by the checker), then its value, for the
player to act at the start.
"""

Games = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RolloutSettings:
    """How games are rolled out and when the rollout ends. OptionError for impossible settings.

    trials: maximum games. plies: search depth for plays; late_plies: the same after late_from rolls (0: never).
    cube_plies: search depth for cube decisions. truncate: the net's evaluation ends games after this many rolls (0:
    never).
    tables: games end in positions that an exact database holds; without a cube also in a bear-off without contact.
    reduced: variance reduction, which subtracts the luck of every roll: the same mean, a smaller variance.
    stratified: each first and second roll comes in its exact proportion.
    stop_error: stop when the standard error of every equity is at most this (0: never). stop_clear: drop a play or cube
        action that is behind by this many standard errors of the difference, stop when one is left (0: never).
        Neither applies before `minimum` games.
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
            "late_from": MAX_ROLLS,
            "truncate": MAX_ROLLS,
            "seed": MAX_SEED,
            "minimum": MAX_TRIALS,
        }
        for name, most in bounds.items():
            value, least = getattr(self, name), int(name in ("trials", "minimum"))
            try:
                number = int(index(value))
            except TypeError:
                number = -1
            if not least <= number <= most:
                raise OptionError(
                    "%(name)s %(value)r of a rollout; %(least)s to %(most)s are allowed",
                    name=name,
                    value=value,
                    least=least,
                    most=most,
                )
            object.__setattr__(self, name, number)
        for name in ("stop_error", "stop_clear"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise OptionError(
                    "%(name)s %(getattr)r of a rollout; it is 0 or more", name=name, getattr=getattr(self, name)
                )


@dataclass(frozen=True, slots=True)
class RolloutStart:
    """Where games start: seen by the player to act, who rolls, or may double first where `cube_info` allows it.

    token_state: the tokens left as the nets index them.
    """

    position: Position
    token_state: int
    cube_info: CubeInfo


@dataclass(frozen=True, slots=True)
class Specification:
    """Everything that decides how the games go; can be pickled. net: its bytes, None for the one that covers the rules.

    efficiency: cube efficiency, None for the net's own, by its cube net where it has one.
    """

    rules: Rules
    starts: tuple[RolloutStart, ...]
    settings: RolloutSettings
    net: bytes | None = None
    efficiency: CubeEfficiency | None = None

    @property
    def cube_efficiency(self) -> CubeEfficiency:
        """The cube efficiency of the games."""
        if self.efficiency is not None:
            return self.efficiency
        return find_net(self.rules).cube_efficiency if self.net is None else DEFAULT_CUBE_EFFICIENCY

    @property
    def cube_net(self) -> core.CubeNet | None:
        """What says the cube efficiency by position in the games, where there is such a net."""
        return load_cube_net(find_net(self.rules)) if self.net is None and self.efficiency is None else None


@lru_cache(maxsize=8)
def _nets(rules: Rules, content: bytes | None) -> tuple[core.Net, core.Net | None]:
    """The net and its pruning net."""
    if content is not None:
        return parse(content), None
    entry = find_net(rules)
    return load(entry), load_pruning_net(entry)


def start_block(specification: Specification, first: int, count: int, threads: int) -> core.RolloutBlock:
    """Starts games first .. first + count - 1 of every start in threads of their own."""
    rules, settings = specification.rules, specification.settings
    starts = [(pack(start.position), start.token_state, start.cube_info.core()) for start in specification.starts]
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
            efficiency=specification.cube_efficiency,
            cube_net=specification.cube_net,
        )
    except ValueError as error:
        raise NetError(str(error)) from None


def finished_games(block: core.RolloutBlock, starts: int) -> Games:
    """[starts, n, COLUMNS] the games of a block that has ended, up to the first one that was not finished."""
    count, content = block.games()
    return np.frombuffer(content).reshape(starts, count, COLUMNS)


def play_block(specification: Specification, first: int, count: int) -> Games:
    """[starts, count, COLUMNS] the results of the games, played in one thread."""
    block = start_block(specification, first, count, 1)
    while not block.wait(0.2):
        pass
    return finished_games(block, len(specification.starts))
