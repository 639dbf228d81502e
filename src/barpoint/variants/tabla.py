"""Tabla: backgammon without the cube and without triple games (rulings 4.8)."""

from barpoint.language import N_
from barpoint.rules import FirstRoll, OpeningRule, Scoring, Variant

VARIANT = Variant(
    name="tabla",
    title="Tabla",
    line=N_("Backgammon without the cube; the starter rolls again, and a gammon is the most a game pays."),
    source="Bulgaria, Serbia and North Macedonia",
    axes={
        "opening": OpeningRule(FirstRoll.AGAIN),
        "scoring": Scoring(gammon=2, backgammon=2),
        "cube": False,
    },
)
