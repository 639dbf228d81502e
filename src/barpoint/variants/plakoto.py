"""Plakoto: blots are pinned where they stand instead of hit (rulings 4.7)."""

from barpoint.language import N_
from barpoint.rules import Capture, Ending, FirstRoll, Movement, OpeningRule, Scoring, Setup, Variant

VARIANT = Variant(
    name="plakoto",
    title="Plakoto",
    line=N_("All checkers start on the 24 point; a blot is pinned, not hit."),
    source="Greek tavli",
    axes={
        "setup": Setup(((24, 15),)),
        "opening": OpeningRule(FirstRoll.AGAIN),
        "movement": Movement(capture=Capture.PIN),
        "ending": Ending(start_pin_loses=True),
        "scoring": Scoring(gammon=2, backgammon=2),
        "cube": False,
    },
)
