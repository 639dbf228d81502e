"""Takes back a play and makes another one: python take_back.py"""

import barpoint as bp
from barpoint.game import Opening, PlayMade

match = bp.Match.start(length=3).apply(Opening((3, 1)))
plays = bp.legal_plays(match.rules, match.game.position, match.game.faces)
match = match.apply(PlayMade(0, plays[0].moves))
match = match.undo()  # the roll waits again
best = bp.Engine().rank(match)[0].play
match = match.apply(PlayMade(0, best.moves))
print(f"{plays[0]} taken back, {best} played: {len(match.events)} events")
