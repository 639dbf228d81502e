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
print("\nready", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    board = tuple(tuple(side) for side in asked["board"])
    context = {"cubeful": asked["cubeful"], "plies": asked["plies"], "deterministic": 1, "prune": 1, "noise": 0.0}
    value, owner, player, length, points, crawford, variant = asked["cube"]
    info = gnubg.cubeinfo(value, owner, player, length, tuple(points), crawford, variant)
    info["jacoby"] = info["beavers"] = 0
    began = time.process_time()
    if asked["dice"]:
        found = gnubg.findbestmove(board, info, context, tuple(asked["dice"]))
    else:
        found = gnubg.cfevaluate(board, info, context)[:4]
    took = time.process_time() - began
    print("\nanswer " + json.dumps({"found": found, "seconds": took}), flush=True)
