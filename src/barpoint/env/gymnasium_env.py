"""The Gymnasium environment: the learner is player 0, and a policy or a bot plays for player 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from barpoint.driver import Player
from barpoint.env.table import (
    ACTIONS,
    OBSERVATION,
    RENDER_MODES,
    Mask,
    Observation,
    Table,
    check_render_mode,
    checked_action,
)
from barpoint.error import ArgumentError, IllegalMove, brief
from barpoint.game import PlayMade
from barpoint.rules import Rules

ID: Final = "barpoint/Backgammon-v0"

OpponentPolicy = Callable[[Observation, Mask, np.random.Generator], int]
"""Chooses an action from an observation and the mask of those allowed; the generator is the environment's."""

Seen = dict[str, Any]


def random_policy(_observation: Observation, mask: Mask, rng: np.random.Generator) -> int:
    """Any action that is allowed, each with the same chance."""
    return int(rng.choice(np.flatnonzero(mask)))


class BackgammonEnv(gymnasium.Env[Seen, np.int64]):
    """A game without a cube against a policy or a bot.

    Observations: `observation` [56] float32, as `Table.observation`, and `action_mask` [1352] int8. Actions: as OpenSpiel numbers them
    (`barpoint.env.table`). Reward: at the end 1, 2 or 3 points, negative for a loss. An action that the mask forbids ends the
    game as a single loss, with `illegal` in the info. rules: a name or rules. opponent: a policy, or a player as `play_match`
    takes it, such as a `Bot`; random where it is None. render_mode: "ansi", "rgb_array" or None; ArgumentError for others.
    IllegalMove for an action that is no number of one, for a step of a game that is over, and where the opponent chooses what
    its mask forbids.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012 - the base class declares it so

    def __init__(
        self,
        rules: Rules | str = "backgammon",
        opponent: OpponentPolicy | Player | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        if opponent is not None and not callable(opponent) and not hasattr(opponent, "event"):
            raise ArgumentError(
                "opponent is %(kind)s; it is a function of an observation, a mask and a generator, which returns an action, "
                "or a player such as Bot(), or Bot(evaluator=engine)",
                kind=type(opponent).__name__,
            )
        self._rules, self._opponent = rules, opponent or random_policy
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(ACTIONS)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 2.0, (OBSERVATION,), np.float32),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        self.table = Table(rules)
        self._over = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begins a game; the opponent has played where it begins."""
        super().reset(seed=seed, options=options)
        self.table, self._over = Table(self._rules, self.np_random), False
        self._let_play()
        return self._seen(), {}

    def step(self, action: int | np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Plays for the learner, then for the opponent until the learner must act again."""
        number = checked_action(action)
        if self._over:
            raise IllegalMove("the game is over; allowed now: reset()")
        if number not in self.table.actions:
            self._over = True
            return self._seen(), -1.0, True, False, {"illegal": True}
        self.table.step(number)
        self._let_play()
        self._over = self.table.over
        return self._seen(), self.table.points, self._over, False, {}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """bool [1352]: the actions allowed now, as MaskablePPO of sb3-contrib asks for them; none once the game is over."""
        found: npt.NDArray[np.bool_] = self._seen()["action_mask"].astype(np.bool_)
        return found

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The board seen by the learner: as text for "ansi", uint8 [height, width, 3] for "rgb_array", which needs the extra `png`."""
        return self.table.picture(self.render_mode)

    def _let_play(self) -> None:
        table, opponent = self.table, self._opponent
        while not table.over and table.actor == 1:
            if callable(opponent):
                action = checked_action(opponent(table.observation(), table.mask(), self.np_random))
                if action not in table.actions:
                    raise IllegalMove("the opponent chose action %(action)s, which its mask forbids", action=action)
                table.step(action)
            else:
                event = opponent.event(table.match, 1)
                if not isinstance(event, PlayMade):
                    raise IllegalMove("the opponent does %(event)s; allowed: a play", event=brief(event))
                table.play(event.moves)

    def _seen(self) -> Seen:
        mask = self.table.mask() if not self._over else np.zeros(ACTIONS, np.int8)
        return {"observation": self.table.observation(0), "action_mask": mask}


if ID not in gymnasium.registry:
    gymnasium.register(
        ID,
        entry_point="barpoint.env.gymnasium_env:BackgammonEnv",
        vector_entry_point="barpoint.env.vector_env:make_vec",
    )
