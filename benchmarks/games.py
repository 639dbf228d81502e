"""Random games a second on one core: python -m benchmarks.games [SECONDS]

Every play of a roll is equally likely; games of standard backgammon from the opening roll to the end. Times are processor
time, so that other work on the machine changes little; median of the rounds, with the slowest and the fastest.
Other programs run where they are installed: gnubg-nn (plays from its move list), OpenSpiel (pyspiel; each of a roll's two
checker moves is part of one action), pgx (steps of a vectorised environment on the processor, one checker move each).
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

import barpoint as bp
from barpoint.driver import random_policy

ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, 7))
MIXED = tuple(faces for faces in ROLLS if faces[0] != faces[1])
ROUNDS = 7


def rounds(name: str, play: Callable[[], int], seconds: float) -> None:
    """Prints the games a second of `play`, which plays some and says how many, and rolls."""
    play()
    found = []
    for _ in range(ROUNDS):
        done, begun = 0, time.process_time()
        while (took := time.process_time() - begun) < seconds / ROUNDS:
            done += play()
        found.append(done / took)
    middle, low, high = (f"{value:,.0f}" for value in (statistics.median(found), min(found), max(found)))
    print(f"{name:52}{middle:>10} games/s  ({low} .. {high})", flush=True)


def one_by_one(rules: bp.Rules, dice: random.Random) -> Callable[[], int]:
    """A loop over bp.legal_plays."""

    def play() -> int:
        position, faces = rules.start, dice.choice(MIXED)
        while True:
            position = dice.choice(bp.legal_plays(rules, position, faces)).next
            if bp.outcome(rules, position):
                return 1
            faces = dice.choice(ROLLS)

    return play


class RandomPlayer:
    """A player of `bp.play`: any legal play, no cube."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    def event(self, match: bp.Match, player: int) -> Any:
        """A roll, or a random play."""
        from barpoint.game import Phase, PlayMade, Roll

        game = match.game
        if game.phase is Phase.TO_ROLL:
            return Roll(player)
        return PlayMade(player, self.dice.choice(bp.legal_plays(game.rules, game.position, game.faces)).moves)


def driven(rules: bp.Rules, dice: random.Random) -> Callable[[], int]:
    """The whole game layer: events, phases, cube."""
    numbers, player = bp.dice.seeded(7), RandomPlayer(dice)

    def play() -> int:
        for _ in bp.play(rules, player, player, dice=numbers):
            pass
        return 1

    return play


def in_batches(rules: bp.Rules, policy: Any, games: int) -> Callable[[], int]:
    """bp.play_batch, a new seed each time."""
    seeds = iter(range(1, 1_000_000))

    def play() -> int:
        return len(bp.play_batch(rules, games, policy, seed=next(seeds)))

    return play


def gnubg_nn(dice: random.Random) -> Callable[[], int]:
    """A loop over gnubg-nn's moves()."""
    gnubg: Any = importlib.import_module("gnubg_nn")
    start = bp.Rules().start.us.points[1:]

    def play() -> int:
        board, faces = (start, start), dice.choice(MIXED)
        while True:
            found = gnubg.moves(board, *faces)
            if found:
                board = gnubg.boardfromkey(dice.choice(found))
                mine = board[1]
                if not any(mine):
                    return 1
                board = (mine, board[0])
            else:
                board = (board[1], board[0])
            faces = dice.choice(ROLLS)

    return play


def open_spiel(dice: random.Random) -> Callable[[], int]:
    """A loop over OpenSpiel's states."""
    game = importlib.import_module("pyspiel").load_game("backgammon")

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(actions, weights)[0])
            else:
                state.apply_action(dice.choice(state.legal_actions()))
        return 1

    return play


def pgx(games: int = 256, steps: int = 256) -> Callable[[], int]:
    """Steps of pgx's environment with automatic reset, compiled by jax."""
    jax: Any = importlib.import_module("jax")
    env = importlib.import_module("pgx").make("backgammon")
    step, init = jax.vmap(env.step), jax.vmap(env.init)

    @jax.jit  # type: ignore[untyped-decorator]
    def run(key: Any, state: Any) -> Any:
        def one(carry: Any, _: Any) -> Any:
            key, state = carry
            key, choose, roll, again = jax.random.split(key, 4)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
            state = step(state, jax.random.categorical(choose, logits), jax.random.split(roll, games))
            over, fresh = state.terminated, init(jax.random.split(again, games))

            def begin(new: Any, old: Any) -> Any:
                return jax.numpy.where(over.reshape(-1, *[1] * (old.ndim - 1)), new, old)

            return (key, jax.tree.map(begin, fresh, state)), over.sum()

        return jax.lax.scan(one, (key, state), None, steps)

    found = [jax.random.PRNGKey(1), init(jax.random.split(jax.random.PRNGKey(2), games))]

    def play() -> int:
        carry, over = run(*found)
        found[:] = carry
        return int(over.sum())

    return play


def main(seconds: float = 7.0) -> None:
    """Prints all lines."""
    rules, dice = bp.variant("backgammon"), random.Random(1)
    rounds("bp.play, events and all", driven(rules, dice), seconds)
    rounds("a loop over bp.legal_plays", one_by_one(rules, dice), seconds)
    policy = random_policy(np.random.default_rng(1))
    rounds("bp.play_batch, a random policy on arrays", in_batches(rules, policy, 4096), seconds)
    rounds("bp.play_batch, random games in the core", in_batches(rules, None, 4096), seconds)
    rounds("bp.play_batch, the net alone chooses", in_batches(rules, bp.Engine().policy, 256), seconds)
    for name in ("roll-over", "duodecagammon", "hypergammon", "plakoto"):
        rounds(f"bp.play_batch, {name} in the core", in_batches(bp.variant(name), None, 2048), seconds)
    others = (
        ("gnubg-nn, a loop over moves()", lambda: gnubg_nn(dice)),
        ("OpenSpiel, a loop over its states", lambda: open_spiel(dice)),
    )
    for name, make in (*others, ("pgx, 256 games in step", pgx)):
        try:
            rounds(name, make(), seconds)
        except ImportError as missing:
            print(f"{name}: {missing}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
