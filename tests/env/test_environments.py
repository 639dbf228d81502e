"""The environments pass the checkers of Gymnasium and PettingZoo, and end games as they say."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
import warnings
from copy import deepcopy
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import barpoint as bp
import barpoint.env
from barpoint.env import ACTIONS, BackgammonAEC, BackgammonEnv, make_vec
from barpoint.error import ArgumentError, IllegalMove, OptionError, UnsupportedRules


def test_gymnasium_accepts_the_environment() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice about spaces and names; faults are errors
        check_env(gymnasium.make("barpoint/Backgammon-v0").unwrapped)


def test_pettingzoo_accepts_the_environment() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(BackgammonAEC(render_mode="ansi"), num_cycles=300)
        seed_test(BackgammonAEC, num_cycles=60)


def test_an_action_that_is_not_allowed_loses_the_game() -> None:
    env = BackgammonEnv()
    seen, _ = env.reset(seed=1)
    forbidden = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    seen, reward, over, cut, info = env.step(forbidden)
    assert (reward, over, cut, info) == (-1.0, True, False, {"illegal": True})


def test_what_is_no_action_and_a_step_after_the_end_are_refused() -> None:
    env, agents = BackgammonEnv(), BackgammonAEC()
    env.reset(seed=1)
    agents.reset(seed=1)
    for action in (99999, -1, 1.5, None):
        for step in (env.step, agents.step):
            with pytest.raises(IllegalMove, match="allowed: a whole number from 0 to 1351"):
                step(action)
    assert not agents.terminations["player_0"]
    env.step(int(np.flatnonzero(env.action_masks() == 0)[0]))
    assert not env.action_masks().any()
    with pytest.raises(IllegalMove, match=r"the game is over; allowed now: reset\(\)"):
        env.step(0)
    assert env.reset(seed=2)[0]["action_mask"].any()


def test_the_mask_is_asked_for_as_sb3_contrib_does() -> None:
    env = gymnasium.make("barpoint/Backgammon-v0")
    seen, _ = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert (masks.dtype, masks.shape) == (np.bool_, (ACTIONS,))
    assert (masks == seen["action_mask"]).all()


def test_frames_are_pixels() -> None:
    env, agents = BackgammonEnv(render_mode="rgb_array"), BackgammonAEC(render_mode="rgb_array")
    env.reset(seed=1)
    agents.reset(seed=1)
    for frame in (env.render(), agents.render()):
        assert isinstance(frame, np.ndarray)
        assert (frame.dtype, frame.ndim, frame.shape[2]) == (np.uint8, 3, 3)


def test_the_package_lists_what_is_loaded_when_it_is_asked_for() -> None:
    assert {"BackgammonEnv", "BackgammonAEC", "make_vec", "Table"} <= set(dir(barpoint.env))


def test_the_learner_plays_to_the_end_against_an_opponent_of_theirs() -> None:
    asked = []

    def last(seen: np.ndarray, mask: np.ndarray, rng: np.random.Generator) -> int:
        asked.append(seen.shape)
        return int(np.flatnonzero(mask)[-1])

    env = BackgammonEnv("hypergammon", last, "ansi")
    seen, _ = env.reset(seed=4)
    over = False
    while not over:
        assert "+" in str(env.render())
        seen, reward, over, _, _ = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
    assert reward in (-3, -2, -1, 1, 2, 3)
    assert asked
    assert not seen["action_mask"].any()


def test_a_bot_is_an_opponent_too() -> None:
    env = BackgammonEnv("hypergammon", opponent=bp.Bot("hypergammon", "club"))
    for seed in range(5):
        seen, _ = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            action = int(np.flatnonzero(seen["action_mask"])[0])
            seen, reward, over, _, _ = env.step(action)
        assert abs(reward) in (1, 2, 3)


def test_a_bot_of_another_game_and_a_player_that_does_not_play_are_refused() -> None:
    class Idle:
        def event(self, match: bp.Match, player: int) -> None:
            """Nothing."""

    for opponent, error, said in (
        (bp.Bot("hypergammon"), UnsupportedRules, "this bot plays hypergammon"),
        (Idle(), IllegalMove, "the opponent does None; allowed: a play"),
    ):
        env = BackgammonEnv("backgammon", opponent=opponent)
        with pytest.raises(error, match=said):
            _play_some(env)


def test_many_games_are_played_side_by_side() -> None:
    games = make_vec(3, rules="hypergammon")
    seen, _ = games.reset(seed=2)
    ended = 0
    for _ in range(60):
        masks = seen["action_mask"]
        assert masks.shape == (3, ACTIONS)
        actions = np.array([int(np.flatnonzero(mask)[0]) if mask.any() else 0 for mask in masks])
        seen, rewards, over, _, _ = games.step(actions)
        ended += int(over.sum())
        assert ((rewards != 0) == over).all()
    assert ended


def test_environments_are_copied_and_pickled_in_the_middle_of_a_game() -> None:
    env, agents = BackgammonEnv(), BackgammonAEC()
    seen, _ = env.reset(seed=3)
    agents.reset(seed=3)
    action = int(np.flatnonzero(seen["action_mask"])[0])
    for copy in (deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert (copy.step(action)[0]["observation"] == deepcopy(env).step(action)[0]["observation"]).all()
    for other in (deepcopy(agents), pickle.loads(pickle.dumps(agents))):
        twin = deepcopy(agents)
        for one in (other, twin):
            one.step(next(iter(one.table.actions)))
        assert other.table.game == twin.table.game


def test_importing_the_environments_registers_them_with_gymnasium() -> None:
    script = "import barpoint.env, gymnasium; gymnasium.make('barpoint/Backgammon-v0').reset(seed=1)"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)


def test_what_cannot_be_an_opponent_or_a_way_to_draw_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"opponent is Engine; .* or a player such as Bot\(\)"):
        BackgammonEnv(opponent=bp.Engine("backgammon"))  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="render_mode is 'human'"):
        BackgammonEnv(render_mode="human")
    with pytest.raises(ArgumentError, match="render_mode is 'human'; allowed: None, 'ansi', 'rgb_array'"):
        BackgammonAEC(render_mode="human")
    env = BackgammonEnv(opponent=lambda seen, mask, rng: int(np.flatnonzero(mask == 0)[0]))
    with pytest.raises(IllegalMove, match="which its mask forbids"):
        _play_some(env)
    for found in (None, 1.5, 1352):
        with pytest.raises(IllegalMove, match=f"action {found}; allowed: a whole number from 0 to 1351"):
            _play_some(BackgammonEnv(opponent=lambda seen, mask, rng, found=found: found))  # type: ignore[arg-type, misc]


@pytest.mark.parametrize("made", [BackgammonEnv, barpoint.env.Table, lambda rules: make_vec(2, rules), BackgammonAEC])
def test_a_match_whose_games_take_turns_is_refused_with_the_games_to_choose_from(made) -> None:
    with pytest.raises(OptionError, match="tavli plays portes, plakoto, fevga in turn; name one of them"):
        made("tavli")


def test_the_programs_of_the_page_on_environments_run() -> None:
    page = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")
    known: dict[str, object] = {}
    exec("\n".join(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)), known)
    assert known["over"] is True
    assert known["reward"] != 0


def _play_some(env: BackgammonEnv) -> None:
    seen, _ = env.reset(seed=4)
    for _step in range(9):
        seen, *_rest = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
