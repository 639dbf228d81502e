"""Tavli: Portes, Plakoto and Fevga in turn, and the winner of a game begins the next (rulings 4.7)."""

from barpoint.language import N_
from barpoint.rules import GameSequence, Variant

VARIANT = Variant(
    name="tavli",
    title="Tavli",
    line=N_("Portes, Plakoto and Fevga in turn, as in Greece; whoever wins a game begins the next one."),
    source="Greek tavli",
    axes={"sequence": GameSequence(("portes", "plakoto", "fevga"), winner_starts=True)},
)
