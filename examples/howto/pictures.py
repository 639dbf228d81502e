"""What a cell of a notebook shows: positions, plays, games and matches draw themselves: python pictures.py [FILE]"""

import sys
from pathlib import Path

import barpoint as bp

rules = bp.variant("backgammon")
play = bp.legal_plays(rules, rules.start, (3, 1))[0]
match = bp.Match.start(length=5)
print(rules.start, play, match.score, sep="\n")  # in a notebook, a cell that ends with one of them shows its picture
picture = bp.svg(rules.start, dice=(3, 1), moves=play.moves)
Path(sys.argv[1] if len(sys.argv) > 1 else "position.svg").write_text(picture, encoding="utf-8")
