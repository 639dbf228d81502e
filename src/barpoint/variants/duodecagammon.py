"""Duodecagammon: one die with twelve sides, split as its table allows (rulings 3)."""

from barpoint.dice import twelve_sided
from barpoint.language import N_
from barpoint.rules import Dice, FirstRoll, Obligation, OpeningRule, Variant, VariantOption

VARIANT = Variant(
    name="duodecagammon",
    title="Duodecagammon",
    line=N_("One twelve-sided die, split into two numbers or a triple as you choose."),
    source="David Moeser, 18 April 1999, revision 2.0 of July 2000",
    axes={"dice": Dice(twelve_sided()), "opening": OpeningRule(FirstRoll.AGAIN)},
    options=(
        VariantOption(
            "include_3_3",
            N_("A 6 may be 3+3."),
            "dice",
            "rows",
            {False: twelve_sided(), True: twelve_sided(include_3_3=True)},
        ),
        VariantOption(
            "per_option",
            N_("Choose any split freely, playable or not."),
            "dice",
            "obligation",
            {False: Obligation.GLOBAL, True: Obligation.PER_OPTION},
        ),
        VariantOption(
            "opening_uses_winning_number",
            N_("The starter plays the number that won the start."),
            "opening",
            "first_roll",
            {False: FirstRoll.AGAIN, True: FirstRoll.OWN_NUMBER},
        ),
    ),
    aliases=("duodeca",),
)
