"""Narde, also called long nardi: one checker a turn leaves the start, and nobody walls in the other side (rulings 4.9)."""

from barpoint.language import N_
from barpoint.rules import Capture, FirstRoll, Meeting, Movement, OpeningRule, Prime, Scoring, Setup, Variant

VARIANT = Variant(
    name="narde",
    title="Narde",
    line=N_("Both sides run the same way round, nothing is hit, and one checker a turn leaves the start."),
    source="Caucasus and Russia",
    axes={
        "setup": Setup(((24, 15),)),
        "opening": OpeningRule(FirstRoll.AGAIN),
        "movement": Movement(
            meeting=Meeting.FAR_CORNER,
            block=1,
            capture=Capture.NONE,
            prime=Prime.ENEMY_AHEAD,
            leave=1,
            leave_two=(3, 4, 6),
        ),
        "scoring": Scoring(gammon=2, backgammon=2),
        "cube": False,
    },
    aliases=("nardi", "long-nardi"),
)
