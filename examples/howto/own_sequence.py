"""Games that take turns: Backgammon and Nackgammon in one match, played by bots: python own_sequence.py"""

import barpoint as bp
from barpoint.rules import GameSequence
from barpoint.variants import rules_of_game

mixed = bp.Variant(
    name="mixed",
    title="Mixed",
    line="Backgammon and Nackgammon in turn.",
    source="our club",
    axes={"sequence": GameSequence(("backgammon", "nackgammon"))},
)
rules = bp.register(mixed)
first, second = bp.Bot(rules, "club", seed=1), bp.Bot(rules, "club", seed=2)
*_, match = bp.play_match(bp.Match.start(length=5, rules=rules, cube=False), first, second, dice=bp.dice.seeded(1))
report = bp.analyse(match, plies=0)
print(match.score, report.rules, [rules_of_game(rules, number).name for number in range(len(match.finished))])
