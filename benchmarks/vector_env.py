"""Steps of vector environments a second on one core: python -m benchmarks.vector_env [SECONDS]

A step is one of each game: the learner's action, then the random opponent's, until the learner must act again; learner and opponent choose any allowed action,
from masks. Times are processor time, so that other work on the machine changes little; median of the rounds, with the slowest and
the fastest. Games a second, by the mean length of a game, compare environments whose steps differ: in pgx one is a move of one checker, by either side, and
in OpenSpiel an action of either side. Those two run where they are installed.
"""

from __future__ import annotations

import importlib
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.vector import SyncVectorEnv, VectorEnv

import barpoint as bp
from barpoint.env import BackgammonEnv, BackgammonVectorEnv

ROUNDS = 7


def rounds(name: str, play: Callable[[], int], steps_per_game: float, seconds: float) -> None:
    """Prints the steps and games a second of `play`, which makes some steps and says how many."""
    play()
    found = []
    for _ in range(ROUNDS):
        done, begun = 0, time.process_time()
        while (took := time.process_time() - begun) < seconds / ROUNDS or not done:
            done += play()
        found.append(done / took)
    middle, low, high = statistics.median(found), min(found), max(found)
    print(
        f"{name:48}{middle:>9,.0f} steps/s  ({low:,.0f} .. {high:,.0f}), {middle / steps_per_game:,.0f} games/s",
        flush=True,
    )


def length(rules: str) -> float:
    """The mean number of steps of a game."""
    env, lengths = BackgammonVectorEnv(64, rules), np.zeros(64)
    play, seen = stepped(env), np.zeros(64, np.bool_)
    while not seen.all():
        lengths += ~seen
        play()
        seen |= env.tables.over
    return float(lengths.mean())


def stepped(env: VectorEnv[Any, Any, Any]) -> Callable[[], int]:
    """A step of all games, random actions."""
    rng = np.random.default_rng(1)
    seen = [env.reset(seed=1)[0]]
    width = env.single_action_space.n  # type: ignore[attr-defined]

    def play() -> int:
        mask = seen[0]["action_mask"].view(np.bool_)
        allowed = np.flatnonzero(mask)
        counts = np.bincount(allowed // width, minlength=len(mask))
        chosen = np.cumsum(counts) - counts + rng.integers(0, np.maximum(counts, 1))
        actions = np.where(counts > 0, allowed[np.minimum(chosen, len(allowed) - 1)] % width, 0)
        seen[0] = env.step(actions)[0]
        return len(mask)

    return play


def pgx(games: int, steps: int = 64) -> tuple[Callable[[], int], float]:
    """Steps of pgx's environment with automatic reset, compiled by jax, and the steps of a game."""
    jax: Any = importlib.import_module("jax")
    wrappers: Any = importlib.import_module("pgx.experimental.wrappers")
    env = importlib.import_module("pgx").make("backgammon")
    step, init = jax.vmap(wrappers.auto_reset(env.step, env.init)), jax.vmap(env.init)

    @jax.jit  # type: ignore[untyped-decorator]
    def run(key: Any, state: Any) -> Any:
        def one(carry: Any, _: Any) -> Any:
            key, state = carry
            key, choose, roll = jax.random.split(key, 3)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
            state = step(state, jax.random.categorical(choose, logits), jax.random.split(roll, games))
            return (key, state), state.terminated

        return jax.lax.scan(one, (key, state), None, steps)

    found = [jax.random.PRNGKey(1), jax.jit(init)(jax.random.split(jax.random.PRNGKey(2), games))]

    def play() -> int:
        found[:] = jax.block_until_ready(run(*found)[0])
        return games * steps

    ended: list[Any] = []
    while not ended or not np.concatenate(ended).any(0).all():
        carry, over = run(*found)
        found[:] = carry
        ended.append(np.asarray(over))
    return play, float(np.concatenate(ended).argmax(0).mean() + 1)


def open_spiel() -> tuple[Callable[[], int], float]:
    """One game after the other, an observation and a mask for each action; and the actions of a game."""
    game = importlib.import_module("pyspiel").load_game("backgammon")
    dice = random.Random(1)

    def play() -> int:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(outcomes, weights)[0])
                continue
            np.array(state.observation_tensor(state.current_player()))
            mask = np.array(state.legal_actions_mask())
            state.apply_action(int(dice.choice(np.flatnonzero(mask))))
            actions += 1
        return actions

    return play, statistics.mean(play() for _ in range(30))


def main(seconds: float = 2.1) -> None:
    """Prints all lines."""
    steps = length("backgammon")
    print(f"A game of backgammon has {steps:.0f} steps of the learner.")
    single = SyncVectorEnv([BackgammonEnv for _ in range(64)])
    rounds("SyncVectorEnv of BackgammonEnv, 64 games", stepped(single), steps, seconds)
    for count in (8, 64, 1024, 4096):
        rounds(f"BackgammonVectorEnv, {count} games", stepped(BackgammonVectorEnv(count)), steps, seconds)
    for name in ("hypergammon", "plakoto", "fevga", "narde", "portes"):
        play = stepped(BackgammonVectorEnv(1024, name))
        rounds(f"BackgammonVectorEnv, 1024 of {name}", play, length(name), seconds)
    net = stepped(BackgammonVectorEnv(1024, opponent=bp.Engine()))
    rounds("BackgammonVectorEnv, 1024 against the net", net, steps, seconds)
    for name, make in (("OpenSpiel, a loop over its states", open_spiel), ("pgx, 256 games in step", lambda: pgx(256))):
        try:
            rounds(name, *make(), seconds)
        except ImportError as missing:
            print(f"{name}: {missing}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
