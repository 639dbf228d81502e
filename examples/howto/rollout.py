"""A rollout that says how far it is: python rollout.py [XGID] [TRIALS]"""

import sys

import barpoint as bp
from barpoint.engine import RolloutProgress


def progress(now: RolloutProgress) -> None:
    print(f"\r{now.done} of {now.trials}", end="", file=sys.stderr)


XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10"
situation = bp.parse_id(sys.argv[1] if len(sys.argv) > 1 else XGID)
trials = int(sys.argv[2]) if len(sys.argv) > 2 else 1296
found = bp.Engine().rollout(situation, trials=trials, truncate=11, progress=progress)
print(f"\n{found.equity.mean:+.4f} ± {1.96 * found.equity.error:.4f}")
