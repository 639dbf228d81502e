"""Runs inside gnubg, which has its own Python and the module `gnubg`: answers JSON lines; see gnubg.py."""

import json
import sys
import time

import gnubg

for command in (
    "set automatic game off",
    "set automatic roll off",
    "set automatic move off",
    "set threads 1",
    "set jacoby off",
    "new session",
):
    gnubg.command(command)
OWNERS = {"nobody": -1, "us": 1, "them": 0}  # player 1 is to act
MONEY = {name: gnubg.cubeinfo(1, owner, 1, 0, (0, 0), 0, 0) for name, owner in OWNERS.items()}
for info in MONEY.values():
    info["jacoby"] = info["beavers"] = 0
print("\nready", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    board = tuple(tuple(side) for side in asked["board"])
    context = {"cubeful": asked["cubeful"], "plies": asked["plies"], "deterministic": 1, "prune": 1, "noise": 0.0}
    info = MONEY[asked["owner"]]
    began = time.process_time()
    if asked["dice"]:
        found = gnubg.findbestmove(board, info, context, tuple(asked["dice"]))
    else:
        found = gnubg.cfevaluate(board, info, context)[:4]
    took = time.process_time() - began
    print("\nanswer " + json.dumps({"found": found, "seconds": took}), flush=True)
