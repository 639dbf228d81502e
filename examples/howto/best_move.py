"""The best plays of an XGID: python best_move.py [XGID]"""

import sys

import barpoint as bp

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
situation = bp.parse_id(sys.argv[1] if len(sys.argv) > 1 else XGID)
print(situation.position)
for found in bp.Engine(plies=1).rank(situation, limit=3):
    print(f"{found.play!s:16} {found.equity:+.3f}")
