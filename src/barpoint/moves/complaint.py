"""Why a position is not allowed, as the core says it, for people in their language."""

from __future__ import annotations

import re
from typing import Final

from barpoint.error import PositionError
from barpoint.language import N_

TEXTS: Final = (
    N_("our checkers add up to %(count)s; these rules have %(checkers)s"),
    N_("their checkers add up to %(count)s; these rules have %(checkers)s"),
    N_("our plain rolls are %(count)s; these rules begin with %(most)s"),
    N_("their plain rolls are %(count)s; these rules begin with %(most)s"),
    N_("our hand holds checkers; these rules enter none"),
    N_("their hand holds checkers; these rules enter none"),
    N_("our bar holds checkers; these rules hit none"),
    N_("their bar holds checkers; these rules hit none"),
    N_("our checker on the bar cannot be pinned there"),
    N_("their checker on the bar cannot be pinned there"),
    N_("our checker on point %(point)s cannot be pinned there"),
    N_("their checker on point %(point)s cannot be pinned there"),
    N_("our checkers stand where the rules of the start quarter forbid it"),
    N_("their checkers stand where the rules of the start quarter forbid it"),
    N_("both sides stand on our point %(point)s"),
    N_("both checkers on our point %(point)s are pinned"),
    N_("both sides have borne off every checker"),
    N_("a roll is owed that these rules do not let the side to act owe"),
)
"""What complaint() of core/rules/rules.cpp says."""

PATTERNS: Final = tuple((text, re.compile(re.sub(r"%\\?\((\w+)\\?\)s", r"(?P<\1>[0-9]+)", text))) for text in TEXTS)


def position_error(said: str) -> PositionError:
    """The complaint as an error, its numbers apart from its words."""
    for text, pattern in PATTERNS:
        if found := pattern.fullmatch(said):
            return PositionError(text, **{name: int(value) for name, value in found.groupdict().items()})
    return PositionError(said)
