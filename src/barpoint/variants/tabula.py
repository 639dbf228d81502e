"""Tabula: three dice, and both sides enter and go the same way round (rulings 4.12)."""

from barpoint.dice import THREE_DICE
from barpoint.language import N_
from barpoint.rules import (
    BearOff,
    Dice,
    FirstRoll,
    Meeting,
    Movement,
    Obligation,
    OpeningRule,
    Scoring,
    Setup,
    Variant,
    VariantOption,
)

VARIANT = Variant(
    name="tabula",
    title="Tabula",
    line=N_("Three dice; both sides enter in the same quarter, go the same way round and hit each other all the way."),
    source="The game of the Romans, put together from Agathias' poem about Zeno's roll",
    axes={
        "setup": Setup((), hand=15),
        "opening": OpeningRule(FirstRoll.AGAIN),
        "dice": Dice(THREE_DICE, Obligation.MOST_NUMBERS),
        "movement": Movement(meeting=Meeting.SAME, lowest_while_entering=13),
        "scoring": Scoring(gammon=1, backgammon=1),
        "cube": False,
    },
    options=(
        VariantOption(
            "exact",
            N_("Only exact numbers bear off."),
            "movement",
            "bear_off",
            {False: BearOff.HIGHEST, True: BearOff.EXACT},
        ),
    ),
)
