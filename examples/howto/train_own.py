"""A net for a game of one's own, from nothing: python train_own.py [FILE.net] [GAMES] [LABELLED GAMES]"""

import sys

import barpoint as bp
from barpoint import train
from barpoint.rules import Capture, Movement, Setup

file, games, labelled = sys.argv[1:] if len(sys.argv) > 3 else ("short-pins.net", "10000", "3000")
own = bp.Variant(
    *("short-pins", "Short pins", "Ten checkers each; blots are pinned.", "our club"),
    {"setup": Setup(((24, 5), (13, 5))), "movement": Movement(capture=Capture.PIN)},
)
recipe = train.Recipe.small(bp.register(own), hidden=64)
player = train.learn_by_playing(recipe.fresh_net(), recipe, games=int(games))
labels, unseen = train.label(player, recipe, int(labelled)).split(0.9)
net = train.fit(player, labels, progress=lambda done, error: print(f"{done:,} fitted, error {error:.4f}"))
for name, one in (("fresh", recipe.fresh_net()), ("after playing", player), ("fitted", net)):
    print(f"{name}: off by {train.equity_error(one, recipe, unseen):.3f} points")
engine = bp.Engine(recipe.rules, net=train.publish(net, file))
beginner = bp.Engine(recipe.rules, net=recipe.fresh_net())
won = bp.play_batch(recipe.rules, 200, (engine.policy, beginner.policy)).scores.mean()
print(f"{won:+.2f} points a game against a net that knows nothing")
print("3-1 is played", engine.rank(recipe.rules.start, (3, 1))[0].play)
