"""CancelGammon: once a game each side may have a roll of the other side rerolled (rulings 2.6)."""

from barpoint.language import N_
from barpoint.rules import Rerolls, Variant
from barpoint.variants.reroll_choice import reroll_choices

REROLLS = Rerolls(tokens=1, other=True, opening_cancellable=False, double_after_cancel=True)

VARIANT = Variant(
    name="cancelgammon",
    title="CancelGammon",
    line=N_("Once a game you may make the other side roll again."),
    source="Ilia Guzei; Wisconsin tournament rules",
    axes={"rerolls": REROLLS},
    options=reroll_choices(REROLLS),
    aliases=("cancel",),
)
