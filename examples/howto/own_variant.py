"""A game of one's own: registered, played, written and read again: python own_variant.py [FILE]"""

import sys

import barpoint as bp
from barpoint.rules import Scoring, Setup

own = bp.Variant(
    name="short-game",
    title="Short game",
    line="Ten checkers; a gammon pays four points.",
    source="our club",
    axes={"setup": Setup(((24, 2), (8, 3), (6, 5))), "scoring": Scoring(gammon=4, backgammon=6)},
)
rules = bp.register(own)
first, second = bp.Bot(rules, "club", seed=1), bp.Bot(rules, "club", seed=2)
*_, match = bp.play_match(bp.Match.start(length=3, rules=rules), first, second, dice=bp.dice.seeded(1))
file = sys.argv[1] if len(sys.argv) > 1 else "short.mat"
bp.write_match(match, file, ("Anna", "Ben"))
print(bp.read_match(file).match.score, bp.variant("roll-over+short-game").name)
