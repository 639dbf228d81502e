"""European Acey-Deucey: as the American, but every double is followed by its complement and another roll (rulings 4.3)."""

from barpoint.dice import complementary_doubles, two_dice_that_roll_again
from barpoint.language import N_
from barpoint.rules import BearOff, Dice, FollowUps, Movement, Obligation, Variant
from barpoint.variants import acey_deucey

VARIANT = Variant(
    name="european-acey-deucey",
    title="European Acey-Deucey",
    line=N_(
        "All checkers enter first; a double is followed by the one that makes seven with it and by another roll; "
        "only exact numbers bear off."
    ),
    source="As backgammon-play.net has it",
    axes={
        **acey_deucey.VARIANT.axes,
        "dice": Dice(two_dice_that_roll_again(), Obligation.PER_OPTION),
        "follow_ups": FollowUps(complementary_doubles(), once=True),
        "movement": Movement(bear_off=BearOff.EXACT),
    },
    aliases=("european-acey",),
)
