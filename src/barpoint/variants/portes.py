"""Portes, in Turkey called Tavla: backgammon in which a checker that hits at home stays there (rulings 4.7)."""

from barpoint.language import N_
from barpoint.rules import FirstRoll, Movement, OpeningRule, Scoring, Variant

VARIANT = Variant(
    name="portes",
    title="Portes",
    line=N_("Backgammon without the cube; a checker that hits in its own home moves no further in that turn."),
    source="Greek tavli",
    axes={
        "opening": OpeningRule(FirstRoll.AGAIN),
        "movement": Movement(hit_and_run=False),
        "scoring": Scoring(gammon=2, backgammon=2),
        "cube": False,
    },
    aliases=("tavla",),
)
