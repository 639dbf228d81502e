"""Games of self-play as arrays of numpy, by a policy on arrays: python self_play.py [GAMES] [FILE]"""

import sys

import numpy as np
import numpy.typing as npt

import barpoint as bp

games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
file = sys.argv[2] if len(sys.argv) > 2 else "games.npz"
engine = bp.Engine("backgammon")
seen: list[bp.BatchTurns] = []


def policy(turns: bp.BatchTurns) -> npt.NDArray[np.int64]:
    seen.append(turns)  # all games that go on, the one to roll as "us"
    return engine.policy(turns)


played = bp.play_batch(engine.rules, games, policy, seed=1)
fields = ("positions", "games", "players")
positions, numbers, players = (np.concatenate([getattr(one, name) for one in seen]) for name in fields)
np.savez_compressed(file, positions=positions, games=numbers, players=players, scores=played.scores, rolls=played.rolls)
print(f"{games} games, {len(positions)} positions, {played.points.mean():.2f} points a game")
