"""Which net judges a game, and the refusal of analyses that cannot be had."""

from __future__ import annotations

from barpoint.error import BarpointError, FormatError
from barpoint.native import core
from barpoint.rules import Rules
from barpoint.variants import registered, variant, variants


class AnalysisRefused(BarpointError):
    """The analysis is not available, or not now. status: the HTTP status of the answer."""

    def __init__(self, text: object, /, status: int, **values: object) -> None:
        super().__init__(text, **values)
        self.status = status


def check_instruction_set() -> None:
    """FormatError where BARPOINT_ISA names one that this machine lacks: said at the start, not when the first bot moves."""
    try:
        core.isa()
    except ValueError as error:
        raise FormatError(str(error)) from None


def net_of(rules: Rules) -> str | None:
    """The version of the nets for these rules; None if there is none."""
    from barpoint.engine.net import covers, net_version  # loads the nets, so only when needed

    return net_version(rules) if covers(rules) else None


def required_net(rules: Rules) -> str:
    """The version of the nets for these rules; AnalysisRefused if there is none."""
    net = net_of(rules)
    if net is None:
        raise AnalysisRefused("no net has learned this game, so nothing can judge it", 409)
    return net


def all_nets() -> tuple[str, ...]:
    """The versions of all nets of this program, of those that play several games in turn, and of those of one's own."""
    from barpoint.engine.net import entries

    more = (net_of(variant(one.name)) for one in variants() if one.is_sequence or one in registered())
    return (*(entry.version for entry in entries()), *(net for net in more if net is not None))
