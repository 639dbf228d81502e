"""An episode in Gymnasium against a random opponent: python environment.py [SEED]"""

import sys

import numpy as np

from barpoint.env import BackgammonEnv

env = BackgammonEnv("backgammon", render_mode="ansi")
seen, info = env.reset(seed=int(sys.argv[1]) if len(sys.argv) > 1 else 1)
over, turns, reward = False, 0, 0.0
while not over:
    allowed = np.flatnonzero(seen["action_mask"])
    seen, reward, over, _cut, info = env.step(int(env.np_random.choice(allowed)))
    turns += 1
print(env.render())
print(f"{turns} actions, reward {reward:+.0f}")
