"""Nackgammon: two more checkers back (rulings 4.1)."""

from barpoint.language import N_
from barpoint.rules import Setup, Variant

VARIANT = Variant(
    name="nackgammon",
    title="Nackgammon",
    line=N_("Backgammon from a start with four checkers back."),
    source="Nack Ballard",
    axes={"setup": Setup(((24, 2), (23, 2), (13, 4), (8, 3), (6, 4)))},
    aliases=("nack",),
)
