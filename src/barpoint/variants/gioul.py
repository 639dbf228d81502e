"""Gioul: Gul bara with the sides running against each other (rulings 4.10)."""

from barpoint.dice import rising_doubles
from barpoint.language import N_
from barpoint.rules import Capture, FirstRoll, FollowUps, Movement, OpeningRule, Scoring, Setup, Variant

VARIANT = Variant(
    name="gioul",
    title="Gioul",
    line=N_("One checker holds a point, nothing is hit; from the fourth roll on a double goes on up to 6-6."),
    source="Greece and the Middle East",
    axes={
        "setup": Setup(((24, 15),)),
        "opening": OpeningRule(FirstRoll.AGAIN),
        "follow_ups": FollowUps(rising_doubles(), plain_rolls=3),
        "movement": Movement(block=1, capture=Capture.NONE),
        "scoring": Scoring(gammon=2, backgammon=2),
        "cube": False,
    },
)
