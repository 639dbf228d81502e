"""Goes on from an ID and plays the match to its end with two bots: python go_on.py XGID"""

import sys

import barpoint as bp

situation = bp.parse_id(sys.argv[1])
match = bp.match_at(situation)
print(match)
bot = bp.Bot(level="casual")
*_, match = bp.play_match(match, bot, bot, dice=bp.dice.seeded(1))
print(f"player {match.winner} wins {match.score[0]}-{match.score[1]}")
