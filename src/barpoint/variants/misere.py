"""Misère: backgammon in which the first to bear off all checkers loses (rulings 4.6)."""

from barpoint.language import N_
from barpoint.rules import Ending, Scoring, Variant, Winner

VARIANT = Variant(
    name="misere",
    title="Misère",
    line=N_("Backgammon to lose: whoever has borne off all checkers first has lost."),
    source="backgammon to lose",
    axes={"ending": Ending(Winner.LAST_OFF), "scoring": Scoring(gammon=1, backgammon=1)},
    aliases=("backgammon-to-lose",),
)
