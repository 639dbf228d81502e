"""Dutch backgammon: checkers enter from the hand, and nobody hits before one of their own is home (rulings 4.5)."""

from barpoint.language import N_
from barpoint.rules import FirstRoll, Movement, OpeningRule, Setup, Variant

VARIANT = Variant(
    name="dutch",
    title="Dutch Backgammon",
    line=N_("All checkers enter first, and a side hits only once one of its own checkers is home."),
    source="play65.com, Dutch backgammon",
    axes={
        "setup": Setup((), hand=15),
        "opening": OpeningRule(FirstRoll.AGAIN),
        "movement": Movement(hit_before_home=False),
    },
    aliases=("dutch-backgammon",),
)
