"""Roll-Over: once a game each side may reroll, its own roll or the other's (rulings 2)."""

from barpoint.language import N_
from barpoint.rules import Rerolls, Variant, VariantOption
from barpoint.variants.reroll_choice import reroll_choices

REROLLS = Rerolls(tokens=1, own=True, other=True)

VARIANT = Variant(
    name="roll-over",
    title="Roll-Over",
    line=N_("Once a game you may roll again, or make the other side roll again."),
    source="Richard L. Frey after Charles H. Goren; John Leet; Edward Collins",
    axes={"rerolls": REROLLS},
    options=(
        VariantOption("tokens", N_("Tokens a side has in a game."), "rerolls", "tokens", {n: n for n in (1, 2, 3)}),
        *reroll_choices(REROLLS),
    ),
    aliases=("rollover",),
)
