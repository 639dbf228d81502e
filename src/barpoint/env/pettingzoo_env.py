"""The PettingZoo environment: two agents who take turns (AEC)."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from barpoint.env.table import (
    ACTIONS,
    OBSERVATION,
    RENDER_MODES,
    Table,
    check_render_mode,
    checked_action,
    rules_of_one_game,
)
from barpoint.rules import Rules

AGENTS: Final = ("player_0", "player_1")


class BackgammonAEC(AECEnv):  # type: ignore[misc] # the library has no types
    """A game without a cube between two agents. Observations and actions: as those of `BackgammonEnv`; rewards at the end.

    After a double the same agent acts twice. An action that the mask forbids ends the game as a single loss; IllegalMove for
    what is no number of an action. render_mode: "ansi", "rgb_array" or None; ArgumentError for others.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(RENDER_MODES),
        "name": "barpoint_backgammon_v0",
        "is_parallelizable": False,
    }

    def __init__(self, rules: Rules | str = "backgammon", render_mode: str | None = None) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self._rules, self.render_mode = rules_of_one_game(rules), render_mode
        self._rng = np.random.default_rng()
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 2.0, (OBSERVATION,), np.float32),
                    "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.table = Table(self._rules, self._rng)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.table.actor]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; the mask is empty for the one who does not act."""
        player = AGENTS.index(agent)
        acts = not self.table.over and self.table.actor == player and not self.terminations.get(agent, True)
        mask = self.table.mask() if acts else np.zeros(ACTIONS, np.int8)
        return {"observation": self.table.observation(player), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays for the agent who is selected."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = checked_action(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if number not in self.table.actions:
            self.infos[agent]["illegal"] = True
            self._end(-1.0 if agent == AGENTS[0] else 1.0)
        else:
            self.table.step(number)
            if self.table.over:
                self._end(self.table.points)
        self.agent_selection = AGENTS[self.table.actor] if not self.table.over else AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()

    def _end(self, points: float) -> None:
        self.rewards = {AGENTS[0]: points, AGENTS[1]: -points}
        self.terminations = dict.fromkeys(AGENTS, True)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The board seen by player 0, as `Table.picture`."""
        return self.table.picture(self.render_mode)

    def close(self) -> None:
        """Nothing to release."""
