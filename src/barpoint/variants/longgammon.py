"""LongGammon: all fifteen checkers start on the other side's ace point (rulings 4.1)."""

from barpoint.language import N_
from barpoint.rules import Setup, Variant

VARIANT = Variant(
    name="longgammon",
    title="LongGammon",
    line=N_("All fifteen checkers start on the 24 point."),
    source="bkgm.com, Longgammon",
    axes={"setup": Setup(((24, 15),))},
    aliases=("long", "long-gammon"),
)
