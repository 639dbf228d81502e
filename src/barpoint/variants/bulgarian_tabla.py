"""Bulgarian tabla: Tabla, Gul bara and Tapa in turn, and the winner of a game begins the next (rulings 4.8)."""

from barpoint.language import N_
from barpoint.rules import GameSequence, Variant

VARIANT = Variant(
    name="bulgarian-tabla",
    title="Bulgarian Tabla",
    line=N_("Tabla, Gul bara and Tapa in turn, as in Bulgaria; whoever wins a game begins the next one."),
    source="Bulgaria",
    axes={"sequence": GameSequence(("tabla", "gul-bara", "tapa"), winner_starts=True)},
)
