"""Tapa: as Plakoto, but a pin on the last checker of the start does not end the game (rulings 4.8)."""

from barpoint.language import N_
from barpoint.rules import Capture, Ending, FirstRoll, Movement, OpeningRule, Scoring, Setup, Variant

VARIANT = Variant(
    name="tapa",
    title="Tapa",
    line=N_("As Plakoto, but a pinned last checker only waits; where nobody can ever move again, the game is drawn."),
    source="Bulgaria and North Macedonia",
    axes={
        "setup": Setup(((24, 15),)),
        "opening": OpeningRule(FirstRoll.AGAIN),
        "movement": Movement(capture=Capture.PIN),
        "ending": Ending(standstill_draws=True),
        "scoring": Scoring(gammon=2, backgammon=2),
        "cube": False,
    },
    aliases=("mahbouseh",),
)
