"""Fevga: both sides travel the same way round, and one checker holds a point (rulings 4.7)."""

from barpoint.language import N_
from barpoint.rules import Capture, FirstRoll, Meeting, Movement, OpeningRule, Prime, Scoring, Setup, Variant

VARIANT = Variant(
    name="fevga",
    title="Fevga",
    line=N_("Both sides run the same way round; a single checker holds its point, nothing is hit."),
    source="Greek tavli",
    axes={
        "setup": Setup(((24, 15),)),
        "opening": OpeningRule(FirstRoll.AGAIN),
        "movement": Movement(
            meeting=Meeting.FAR_CORNER,
            block=1,
            capture=Capture.NONE,
            runner=11,
            quarter_limits=((19, 24, 5),),
            prime=Prime.NEVER_BEFORE_ALL,
        ),
        "scoring": Scoring(gammon=2, backgammon=2),
        "cube": False,
    },
)
