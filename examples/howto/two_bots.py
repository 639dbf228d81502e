"""Games of two bots, and how often each result came up, plotted: python two_bots.py [GAMES]"""

import sys
from collections import Counter

import barpoint as bp

games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
rules = bp.variant("backgammon")
strong, casual = bp.Bot(rules, "tournament"), bp.Bot(rules, "casual")
results: Counter[float] = Counter()
for number in range(games):
    *_, game = bp.play(rules, strong, casual, dice=bp.dice.seeded(number), cube=False)
    assert game.result is not None
    results[game.result.points if game.result.winner == 0 else -game.result.points] += 1
for points in sorted(results):
    print(f"{points:+3.0f} {'#' * round(60 * results[points] / games)} {results[points]}")
