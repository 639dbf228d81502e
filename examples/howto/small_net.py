"""A small net that learns from the engine who wins: python small_net.py [POSITIONS.npz] [ROUNDS]"""

import sys

import numpy as np

import barpoint as bp

# positions of self-play, as self_play.py writes them
positions = np.load(sys.argv[1] if len(sys.argv) > 1 else "games.npz")["positions"]
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 500
rng = np.random.default_rng(1)
positions = rng.permutation(positions)[:20_000]
inputs = positions.reshape(len(positions), -1) / 4.0
wanted = bp.Engine("backgammon", plies=0).evaluate_array(positions)[:, :1]
first, second = rng.normal(0, 0.2, (inputs.shape[1], 32)), np.zeros((32, 1))
part = len(inputs) * 9 // 10  # the others tell how good it is
for number in range(rounds + 1):
    hidden = np.tanh(inputs @ first)
    error = 1 / (1 + np.exp(-hidden @ second)) - wanted
    if number % max(1, rounds // 5) == 0:
        print(f"round {number}: off by {np.abs(error[part:]).mean():.3f} on positions it has not seen")
    second -= 0.5 / part * hidden[:part].T @ error[:part]
    first -= 0.5 / part * inputs[:part].T @ (error[:part] @ second.T * (1 - hidden[:part] ** 2))
