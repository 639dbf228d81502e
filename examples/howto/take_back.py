"""Takes back a play and makes another one: python take_back.py"""

import barpoint as bp
from barpoint.game import Opening

match = bp.Match.start(length=3).apply(Opening((3, 1)))
plays = match.game.legal_plays()
match = match.play(plays[0])
match = match.undo()  # the roll waits again
best = bp.Engine().rank(match)[0].play
match = match.play(best)
print(f"{plays[0]} taken back, {best} played: {len(match.events)} events")
