"""The engine: what positions, plays, cube actions and calls are worth under given rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Unpack

import numpy as np
import numpy.typing as npt

from barpoint.board import Position
from barpoint.chances import Chances, Margins
from barpoint.engine import contact
from barpoint.engine.decision import CubeDecision, Figures, RankedPlay, RolloverDecision, Tokens
from barpoint.engine.net import DEFAULT_LIFE, NetEntry, find_net, load, load_pruner
from barpoint.engine.packed import equities
from barpoint.engine.race import race_cube
from barpoint.engine.rollout import RolledCube, RolledPlay, Rollout
from barpoint.engine.rollout_order import Order, RolloutOptions
from barpoint.engine.stake import CubeState, Score, Stake, cube_action, may_turn, moment_of
from barpoint.error import NetError, PositionError, StakesError
from barpoint.game import Game
from barpoint.match import Match
from barpoint.moves import Play, check_position, plays_to
from barpoint.native import core, core_rules, pack, row_index
from barpoint.rules import Rules
from barpoint.variants import variant

MAX_PLIES: Final = 4
MAX_THREADS: Final = 1024


class Engine:
    """Evaluates under one set of rules.

    variant: a name or rules. plies: how many rolls are looked ahead, 0 is the net alone (0..4).
    net: instead of the one that covers the rules. threads: that work on many positions, and on one from two plies on;
        the answers do not depend on them.
    UnsupportedRules when no net covers the rules, NetError when one does not fit.
    """

    def __init__(
        self,
        variant_or_rules: str | Rules = "backgammon",
        plies: int = 0,
        net: core.Net | None = None,
        threads: int = 1,
    ) -> None:
        self.rules = variant(variant_or_rules) if isinstance(variant_or_rules, str) else variant_or_rules
        if not 0 <= plies <= MAX_PLIES:
            raise StakesError(f"{plies} plies; 0 to {MAX_PLIES} are offered")
        if not 1 <= threads <= MAX_THREADS:
            raise StakesError(f"{threads} threads; 1 to {MAX_THREADS} are offered")
        self.plies = plies
        self.entry: NetEntry | None = find_net(self.rules) if net is None else None
        chosen = load(self.entry) if self.entry is not None else net
        self._own_net = None if net is None else net.bytes()
        pruner = load_pruner(self.entry) if self.entry is not None else None
        self.cube_life = self.entry.cube_life if self.entry is not None else DEFAULT_LIFE
        self._core = core_rules(self.rules)
        contact.attach(self.rules)
        try:
            self._searcher = core.Searcher(self._core, chosen, tables=True, pruner=pruner, threads=threads)
        except ValueError as error:
            raise NetError(str(error)) from None

    # -- positions

    def evaluate(self, position: Position | Game | Match, tokens: Tokens | None = None) -> Figures:
        """The outcome of the game for the player to act, who has not rolled. PositionError.

        A game or match in place of a position, here and below, says all the rest by itself.
        """
        if not isinstance(position, Position):
            moment = moment_of(position)
            position, tokens = moment.position, moment.tokens
        return self.evaluate_many([position], tokens)[0]

    def evaluate_many(self, positions: Sequence[Position], tokens: Tokens | None = None) -> tuple[Figures, ...]:
        """As `evaluate`, for each position."""
        for position in positions:
            check_position(self.rules, position)
        packed = np.frombuffer(b"".join(map(pack, positions)), np.uint8).reshape(-1, 64)
        figures = self._searcher.evaluate(packed, self.plies)[:, self._head(tokens)]
        return tuple(self._figures(row) for row in figures)

    def _figures(self, row: npt.NDArray[np.float32]) -> Figures:
        values = [float(value) for value in row]
        return Margins(*values) if self.rules.scoring.per_checker else Chances(*values)

    def _head(self, tokens: Tokens | None) -> int:
        """The state of the markers as nets number it: bit 0 own, bit 1 the other side's."""
        most = self.rules.rerolls.tokens
        own, other = (most, most) if tokens is None else tokens
        if not (0 <= own <= most and 0 <= other <= most):
            raise StakesError(f"tokens {own} and {other}; a side has 0 to {most} under {self.rules.name}")
        return min(own, 1) + 2 * min(other, 1) if most else 0

    # -- plays

    def rank(
        self,
        position: Position | Game | Match,
        faces: Sequence[int] = (),
        *,
        cube: CubeState | None = None,
        score: Score | None = None,
        jacoby: bool = False,
        beavers: int = 0,
        tokens: Tokens | None = None,
    ) -> tuple[RankedPlay, ...]:
        """Every play of the roll, best first. Without cube and score cubeless money. PositionError, RollError."""
        if not isinstance(position, Position):
            moment = moment_of(position)
            return self.rank_for(moment.position, faces or moment.faces, moment.stake, moment.tokens)
        return self.rank_for(position, faces, Stake(cube, score, jacoby, beavers), tokens)

    def rank_for(
        self,
        position: Position,
        faces: Sequence[int],
        stake: Stake,
        tokens: Tokens | None = None,
        most: int | None = None,
    ) -> tuple[RankedPlay, ...]:
        """As `rank`, for a stake as one value. most: only the best so many, which costs less where there are thousands."""
        check_position(self.rules, position)
        row = row_index(self.rules, tuple(faces))
        head = self._head(tokens)
        found, worths = self._searcher.worths(pack(position), row, self.plies, stake.core(), self.cube_life)
        results, again, _, deep, values = found
        worth = worths[:, head].copy()
        worth[~deep] = np.minimum(worth[~deep], worth[deep].min())  # seen with the net alone, and worse there
        # Of plays after which the other side cashes the best is the one that is worth most if it does not.
        order = np.lexsort((-equities(self.rules, values[:, head]), ~deep, -worth))[:most]
        plays = plays_to(self.rules, position, tuple(faces), [(results[i].tobytes(), bool(again[i])) for i in order])
        best = stake.normal(float(worth[order[0]]))
        return tuple(
            RankedPlay(
                play,
                equity := stake.normal(float(worth[i])),
                best - equity,
                self._figures(values[i, head]),
                float(worth[i]) if stake.score else None,
                bool(deep[i]),
            )
            for i, play in zip(order, plays, strict=True)
        )

    # -- cube

    def cube(
        self,
        position: Position | Game | Match,
        *,
        cube: CubeState | None = None,
        score: Score | None = None,
        jacoby: bool = False,
        beavers: int = 0,
        tokens: Tokens | None = None,
    ) -> CubeDecision:
        """Whether the player to act should double, and the other side take. A money game with a centred cube unless said."""
        if not isinstance(position, Position):
            moment = moment_of(position)
            return self.cube_for(moment.position, moment.stake, moment.tokens)
        return self.cube_for(position, Stake(cube or CubeState(), score, jacoby, beavers), tokens)

    def cube_for(self, position: Position, stake: Stake, tokens: Tokens | None = None) -> CubeDecision:
        """As `cube`, for a stake as one value; StakesError when there is no cube to turn."""
        if stake.cube is None or not self.rules.cube:
            raise StakesError(f"{self.rules.name} without a cube: no cube decision")
        check_position(self.rules, position)
        value = stake.core()
        figures, (stay, take, drop, _, beaver) = self._cube(position, stake, tokens, self.plies)
        life = core.cube_life(pack(position), self.cube_life)
        window = core.market_window(self._core, figures, life, value)
        if exact := race_cube(self._core, pack(position), self._head(tokens), stake):
            stay, take, drop, beaver = exact.no_double, exact.double_take, exact.double_pass, float(exact.beaver)
        return CubeDecision(
            stake.normal(stay),
            stake.normal(take),
            stake.normal(drop),
            cube_action(stay, take, drop, stake, beaver > 0),
            self._figures(figures[0]),
            *window,
            mwc=(stay, take, drop) if stake.score else None,
        )

    def stand(self, position: Position, stake: Stake, tokens: Tokens | None = None, plies: int | None = None) -> float:
        """The equity of the player to act, who has not rolled, with his best cube action."""
        if exact := race_cube(self._core, pack(position), self._head(tokens), stake):
            return stake.normal(exact.best(stake.may_double and stake.cube is not None and stake.cube.owner != "them"))
        _, (_, _, _, best, _) = self._cube(position, stake, tokens, self.plies if plies is None else plies)
        return stake.normal(best)

    def _cube(
        self, position: Position, stake: Stake, tokens: Tokens | None, plies: int
    ) -> tuple[npt.NDArray[np.float32], tuple[float, ...]]:
        """[1, figures] of the position, and a row of core.cube_values for it, the cube used down the tree."""
        figures, cubes = self._searcher.cube(pack(position), plies, stake.core(), self.cube_life)
        head = self._head(tokens)
        return figures[head : head + 1], tuple(float(value) for value in cubes[head])

    # -- rollouts

    def rollout(self, position: Position | Game | Match, **options: Unpack[RolloutOptions]) -> Rollout:
        """The position played out many times, for the player to act; cubeless money unless said. StakesError."""
        position, order = self._order(position, options, None)
        return order.position(position)

    def rollout_plays(
        self,
        position: Position | Game | Match,
        faces: Sequence[int] = (),
        candidates: int | Sequence[Play] = 5,
        **options: Unpack[RolloutOptions],
    ) -> tuple[RolledPlay, ...]:
        """The plays that the engine ranks highest, or given ones, rolled out on the same dice; best first, as rolled out."""
        faces = faces if isinstance(position, Position) else faces or moment_of(position).faces
        position, order = self._order(position, options, None)
        if isinstance(candidates, int):
            ranked = self.rank_for(position, faces, order.stake, options.get("tokens"))
            candidates = [item.play for item in ranked[: max(1, candidates)]]
        return order.plays(candidates)

    def rollout_cube(self, position: Position | Game | Match, **options: Unpack[RolloutOptions]) -> RolledCube:
        """Doubling now and not doubling, rolled out on the same dice; a centred cube for money unless said."""
        position, order = self._order(position, options, CubeState())
        if not may_turn(self.rules.cube, order.stake):
            raise StakesError("the player to act may not double here: no cube decision to roll out")
        return order.cube(position)

    def _order(
        self, position: Position | Game | Match, options: RolloutOptions, cube: CubeState | None
    ) -> tuple[Position, Order]:
        if isinstance(position, Position):
            cube, score = options.get("cube", cube), options.get("score")
            stake = Stake(cube, score, options.get("jacoby", False), options.get("beavers", 0))
            tokens = options.get("tokens")
        else:
            moment = moment_of(position)
            position, stake, tokens = moment.position, moment.stake, moment.tokens
        check_position(self.rules, position)
        return position, Order.of(self.rules, self._own_net, options, stake, self._head(tokens))

    # -- markers

    def rollover(
        self,
        position: Position,
        faces: Sequence[int],
        *,
        tokens: Tokens,
        caller: Literal["us", "them"] = "us",
        played: Position | None = None,
        cube: CubeState | None = None,
        score: Score | None = None,
        jacoby: bool = False,
        beavers: int = 0,
    ) -> RolloverDecision:
        """Whether to annul a roll; figures are for the caller.

        position: before the roll, the roller to act; tokens, cube and score are the roller's view too.
        played: the position after the roller's finished play, seen by the roller; None while he has not finished.
        """
        return self.rollover_for(position, faces, Stake(cube, score, jacoby, beavers), tokens, caller, played)

    def rollover_for(
        self,
        position: Position,
        faces: Sequence[int],
        stake: Stake,
        tokens: Tokens,
        caller: Literal["us", "them"],
        played: Position | None = None,
    ) -> RolloverDecision:
        """As `rollover`, for a stake as one value."""
        rerolls = self.rules.rerolls
        right, holder = (rerolls.own, tokens[0]) if caller == "us" else (rerolls.other, tokens[1])
        if not right or holder < 1:
            raise StakesError(f"{caller} may not call: {self.rules.name}, tokens {tokens[0]} and {tokens[1]}")
        self._head(tokens)
        again = self.rolled_again(position, stake, tokens, "us" if caller == "us" else "them")
        ranked = self.rank_for(position, faces, stake, tokens)
        kept = ranked[0].equity if played is None else _after(ranked, played)
        if caller == "them":
            return RolloverDecision(-kept, -again)
        if tokens[1] and rerolls.other:  # what the other side would annul is worth no more than the new roll
            kept = min(kept, self.rolled_again(position, stake, tokens, "them"))
        return RolloverDecision(kept, again)

    def rolled_again(self, position: Position, stake: Stake, tokens: Tokens, caller: str) -> float:
        """The roller's equity when a roll of his is annulled and he must roll again.

        position: before it, seen by him, as are stake and tokens. caller: "us", himself, or "them".
        """
        left = (tokens[0] - 1, tokens[1]) if caller == "us" else (tokens[0], tokens[1] - 1)
        double = stake.may_double and caller == "them" and self.rules.rerolls.double_after_cancel
        after = Stake(stake.cube, stake.score, stake.jacoby, stake.beavers, may_double=double)
        # One ply more than the play that is kept: both then look at the same positions.
        return self.stand(position, after, left, min(self.plies + 1, MAX_PLIES))


def _after(ranked: Sequence[RankedPlay], played: Position) -> float:
    for item in ranked:
        if item.play.result == played:
            return item.equity
    raise PositionError("the roll cannot lead to the position after the play")
