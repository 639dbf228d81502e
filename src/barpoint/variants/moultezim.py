"""Moultezim: both sides travel the same way round, and the other side's start cannot be walled in (rulings 4.11)."""

from barpoint.language import N_
from barpoint.rules import Capture, FirstRoll, Meeting, Movement, OpeningRule, Scoring, Setup, Variant, VariantOption

_THEIR_START = (7, 12, 4)
_OWN_START = (19, 24, 5)

VARIANT = Variant(
    name="moultezim",
    title="Moultezim",
    line=N_("As Fevga, but with at most four points of the quarter in which the other side starts."),
    source="Turkey",
    axes={
        "setup": Setup(((24, 15),)),
        "opening": OpeningRule(FirstRoll.AGAIN),
        "movement": Movement(
            meeting=Meeting.FAR_CORNER, block=1, capture=Capture.NONE, runner=11, quarter_limits=(_THEIR_START,)
        ),
        "scoring": Scoring(gammon=2, backgammon=2),
        "cube": False,
    },
    options=(
        VariantOption(
            "own_quarter",
            N_("The quarter that may not be held whole is one's own start instead."),
            "movement",
            "quarter_limits",
            {False: (_THEIR_START,), True: (_OWN_START,)},
        ),
    ),
)
