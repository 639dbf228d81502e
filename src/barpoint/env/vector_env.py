"""The vector environment of Gymnasium: thousands of games a step, as `BackgammonEnv` plays one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space

from barpoint.engine import Engine
from barpoint.engine.decision_point import same_game
from barpoint.env.batch_actions import Flags, Indices, has_place
from barpoint.env.gymnasium_env import BackgammonEnv, Seen
from barpoint.env.table import ACTIONS, Mask, Observation, check_place, rules_of_one_game
from barpoint.env.tables import Tables, checked_actions
from barpoint.error import ArgumentError, IllegalMove, UnsupportedRules, whole_number
from barpoint.rules import Rules

BatchOpponent = Callable[[Observation, Mask, np.random.Generator], npt.NDArray[np.integer]]
"""Chooses an action for each of k games from observations [k, 56] and masks [k, 1352]; the generator is the environment's."""

Stepped = tuple[Seen, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]


class BackgammonVectorEnv(VectorEnv[Seen, npt.NDArray[np.integer], npt.NDArray[Any]]):
    """num_envs games, each as `BackgammonEnv` plays it, with the same spaces; the learner is player 0.

    Game i of reset(seed=s) has the dice, and random opponents the choices, that a `BackgammonEnv` has after reset(seed=s + i), whatever
    num_envs is. seed may also be a list, one for each game. opponent: None for a random one, an `Engine` whose net chooses
    whole plays, or a function of arrays. autoreset_mode: as those of Gymnasium; options={"reset_mask": bool [n]} begins some games.
    IllegalMove for arrays that are no actions, and where the opponent chooses what its mask forbids. UnsupportedRules as `Tables`.
    """

    def __init__(
        self,
        num_envs: int,
        rules: Rules | str = "backgammon",
        opponent: BatchOpponent | Engine[Any] | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        num_envs = whole_number("num_envs", num_envs)
        if num_envs < 1:
            raise ArgumentError("num_envs is %(count)s; allowed: 1 and more", count=num_envs)
        if opponent is not None and not callable(opponent) and not isinstance(opponent, Engine):
            raise ArgumentError(
                "opponent is %(kind)s; it is a function of observations, masks and a generator, or an Engine; make_vec also takes a player",
                kind=type(opponent).__name__,
            )
        single = BackgammonEnv(rules)
        self.num_envs, self._opponent = num_envs, opponent
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self._mode}
        self.single_action_space, self.single_observation_space = single.action_space, single.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.tables = Tables(rules, [np_random()[0] for _ in range(num_envs)])
        if isinstance(opponent, Engine) and not same_game(self.tables.rules, opponent.rules):
            raise ArgumentError(
                "opponent is an Engine for %(found)s; the game is %(name)s",
                found=opponent.rules.name,
                name=self.tables.rules.name,
            )
        self._over = np.ones(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begins all games, or those of the mask; the opponent has played where it begins."""
        which = np.arange(self.num_envs)
        if options and "reset_mask" in options:
            which = np.flatnonzero(_checked_mask(options["reset_mask"], self.num_envs))
        seeds = [seed + game for game in range(self.num_envs)] if isinstance(seed, int | np.integer) else seed
        if seeds is not None and len(seeds) != self.num_envs:
            raise ArgumentError(
                "%(found)s seeds; allowed: one for each of %(count)s games", found=len(seeds), count=self.num_envs
            )
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
        self._begin(which, None if seeds is None else seeds)
        return self._seen(), {}

    def step(self, actions: npt.NDArray[np.integer]) -> Stepped:
        """Plays for the learner in every game, then for the opponent until the learner must act again.

        A game that is over begins anew by its next step, whatever its action (`AutoresetMode.NEXT_STEP`), or at once (`SAME_STEP`).
        """
        begins = self._over.copy()
        if self._mode is AutoresetMode.DISABLED and begins.any():
            raise IllegalMove("a game is over; allowed now: reset()")
        numbers = checked_actions(actions, self.num_envs, begins)
        illegal = (self.tables.mask[np.arange(self.num_envs), numbers] == 0) & ~begins
        playing = np.flatnonzero(~begins & ~illegal)
        self.tables.step(playing, numbers[playing])
        self._let_play(playing)
        self._begin(np.flatnonzero(begins))
        rewards = np.where(illegal, -1.0, self.tables.points)
        self._over = illegal | self.tables.over
        over = self._over.copy()
        infos: dict[str, Any] = {"illegal": illegal, "_illegal": illegal.copy()} if illegal.any() else {}
        if self._mode is AutoresetMode.SAME_STEP and over.any():
            infos = self._finals(over, illegal)
            self._begin(np.flatnonzero(over))
        return self._seen(), rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> Flags:
        """bool [n, 1352]: the actions allowed now; none where a game is over."""
        found: Flags = self._seen()["action_mask"].astype(np.bool_)
        return found

    def _begin(self, which: Indices, seeds: Sequence[int | None] | None = None) -> None:
        if not len(which):
            return
        rngs = None if seeds is None else [np_random(seeds[game])[0] for game in which.tolist()]
        self._over[which] = False
        self.tables.begin(which, rngs)
        self._let_play(which)

    def _let_play(self, which: Indices) -> None:
        """The opponent plays in these games until the learner must act."""
        tables, opponent = self.tables, self._opponent
        while len(which := which[(tables.actors[which] == 1) & ~tables.over[which]]):
            if isinstance(opponent, Engine):
                turns = tables.turns(which)
                tables.play(turns, opponent.policy(turns))
                continue
            if opponent is None:
                actions = self._random(which)
            else:
                found = opponent(tables.observation_of(which), tables.mask[which], self.np_random)
                try:
                    actions = checked_actions(found, len(which))
                except IllegalMove as error:
                    raise IllegalMove("the opponent: %(error)s", error=error) from None
                if not (allowed := tables.mask[which, actions] != 0).all():
                    raise IllegalMove(
                        "the opponent chose action %(action)s, which its mask forbids", action=actions[~allowed][0]
                    )
            tables.step(which, actions)

    def _random(self, which: Indices) -> Indices:
        """Any action that is allowed, each with the same chance, as `random_policy` chooses."""
        allowed = np.flatnonzero(self.tables.mask[which].view(np.bool_))
        counts = np.bincount(allowed // ACTIONS, minlength=len(which))
        chosen = np.cumsum(counts) - counts + self.tables.numbers.below(which, counts)
        found: Indices = allowed[chosen] % ACTIONS
        return found

    def _seen(self) -> Seen:
        mask = self.tables.mask.copy()
        mask[self._over] = 0
        return {"observation": self.tables.observation(0), "action_mask": mask}

    def _finals(self, over: Flags, illegal: Flags) -> dict[str, Any]:
        """What Gymnasium says of games that have ended in this step and begun anew."""
        seen, last = self._seen(), np.full(self.num_envs, None, object)
        for game in np.flatnonzero(over).tolist():
            last[game] = {key: value[game] for key, value in seen.items()}
        ends = {"illegal": illegal, "_illegal": illegal.copy()} if illegal.any() else {}
        return {"final_obs": last, "_final_obs": over.copy(), "final_info": ends, "_final_info": over.copy()}


def _checked_mask(mask: object, count: int) -> Flags:
    """bool [count]; ArgumentError for anything else, such as the numbers of games."""
    if isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (count,):
        return mask
    found = f"{mask.dtype} {list(mask.shape)}" if isinstance(mask, np.ndarray) else type(mask).__name__
    raise ArgumentError("reset_mask is %(found)s; it is an array bool [%(count)s]", found=found, count=count)


def make_vec(num_envs: int, rules: Rules | str = "backgammon", **options: Any) -> VectorEnv[Any, Any, Any]:
    """So many games side by side: observations, actions and rewards are arrays of that length. options: of `BackgammonEnv`,
    and autoreset_mode.

    A `BackgammonVectorEnv` against a random opponent or an `Engine`; a policy or a player for one game, and dice of other rolls, have
    Gymnasium's `SyncVectorEnv`, which steps one game after the other and takes no Engine; nor does it with a render_mode.
    """
    opponent = options.get("opponent")
    whole_plays = isinstance(opponent, Engine) and options.get("render_mode") is None
    one_by_one = opponent is not None and not whole_plays
    rules = options["rules"] = rules_of_one_game(rules)
    mode = options.pop("autoreset_mode", AutoresetMode.NEXT_STEP)
    if isinstance(opponent, Engine):
        check_place(rules)  # one game after the other helps only where there is a place for one
    if isinstance(opponent, Engine) and not has_place(rules):
        raise UnsupportedRules(
            "%(name)s is played one game after the other, and an Engine is no opponent there; allowed: a function of one observation, or a player"
            " such as Bot(evaluator=engine)",
            name=rules.name,
        )
    if one_by_one or options.get("render_mode") is not None or not has_place(rules):
        return SyncVectorEnv([lambda: BackgammonEnv(**options) for _ in range(num_envs)], autoreset_mode=mode)
    options.pop("render_mode", None)
    return BackgammonVectorEnv(num_envs, autoreset_mode=mode, **options)
