"""The options of every game with reroll tokens; their defaults come from its own axis."""

from barpoint.language import N_
from barpoint.rules import Rerolls, VariantOption

_LINES = {
    "early_call": N_("Call before the other side has finished."),
    "opening_cancellable": N_("Also the opening roll."),
    "double_after_cancel": N_("Double before rolling again."),
    "final_roll_cancellable": N_("Also the winning roll."),
}


def reroll_choices(rerolls: Rerolls) -> tuple[VariantOption, ...]:
    """A choice for each flag of rulings 2.6 that may be set either way."""
    return tuple(_flag(name, line, bool(getattr(rerolls, name))) for name, line in _LINES.items())


def _flag(name: str, line: str, default: bool) -> VariantOption:
    return VariantOption(name, line, "rerolls", name, {value: value for value in (default, not default)})
