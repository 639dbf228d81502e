"""Gul bara: the same way round, and a double goes on through all higher ones (rulings 4.10)."""

from barpoint.dice import rising_doubles
from barpoint.language import N_
from barpoint.rules import Capture, FirstRoll, FollowUps, Meeting, Movement, OpeningRule, Scoring, Setup, Variant

VARIANT = Variant(
    name="gul-bara",
    title="Gul bara",
    line=N_("The same way round and nothing is hit; from the fourth roll on a double goes on up to 6-6."),
    source="Bulgaria and Turkey",
    axes={
        "setup": Setup(((24, 15),)),
        "opening": OpeningRule(FirstRoll.AGAIN),
        "follow_ups": FollowUps(rising_doubles(), plain_rolls=3),
        "movement": Movement(meeting=Meeting.FAR_CORNER, block=1, capture=Capture.NONE),
        "scoring": Scoring(gammon=2, backgammon=2),
        "cube": False,
    },
    aliases=("gjul-bara", "crazy-narde", "rosespring"),
)
