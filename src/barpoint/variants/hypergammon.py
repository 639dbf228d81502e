"""Hyper-backgammon: three checkers a side, or one to five (rulings 4.1)."""

from barpoint.language import N_
from barpoint.rules import Setup, Variant, VariantOption


def _start(checkers: int) -> tuple[tuple[int, int], ...]:
    return tuple((24 - index, 1) for index in range(checkers))


VARIANT = Variant(
    name="hypergammon",
    title="Hyper-backgammon",
    line=N_("Three checkers a side, on the last three points."),
    source="bkgm.com, Hyper-Backgammon; solved by Hugh Sconyers",
    axes={"setup": Setup(_start(3))},
    options=(
        VariantOption("checkers", N_("Checkers a side."), "setup", "points", {n: _start(n) for n in (3, 1, 2, 4, 5)}),
    ),
    aliases=("hyper", "hyper-backgammon"),
)
