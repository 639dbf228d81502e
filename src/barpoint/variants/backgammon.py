"""Backgammon as S2, S3 and S4 have it: the rules every other variant differs from."""

from barpoint.language import N_
from barpoint.rules import Variant

VARIANT = Variant(
    name="backgammon",
    title="Backgammon",
    line=N_("The standard game."),
    source="Las Vegas, Galore and GameColony rules pages",
    aliases=("standard", "bg"),
)
