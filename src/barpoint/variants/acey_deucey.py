"""American Acey-Deucey: checkers enter from the hand, 2-1 earns a double and another roll (rulings 4.2)."""

from barpoint.dice import two_dice_with_2_1_bonus
from barpoint.language import N_
from barpoint.rules import Dice, FirstRoll, Obligation, OpeningRule, Scoring, Setup, Variant

VARIANT = Variant(
    name="acey-deucey",
    title="Acey-Deucey",
    line=N_(
        "All checkers enter first; 2-1 gives a double of your choice and another roll; every checker left costs a point."
    ),
    source="The game of the U.S. Navy, as bkgm.com has it",
    axes={
        "setup": Setup((), hand=15),
        "opening": OpeningRule(FirstRoll.AGAIN),
        "dice": Dice(two_dice_with_2_1_bonus(), Obligation.PER_OPTION),
        "scoring": Scoring(per_checker=True),
        "cube": False,
    },
    aliases=("acey", "american-acey-deucey"),
)
