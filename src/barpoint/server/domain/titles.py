"""What a game is called on a page: the titles of its parts."""

from __future__ import annotations

import re

from barpoint.rules import Rules, Variant
from barpoint.variants import variants


def parts_of(rules: Rules) -> tuple[Variant, ...]:
    """The variants a name joins, in catalogue order; backgammon alone when there is none."""
    names = set(re.sub(r"\([^()]*\)", "", rules.name).split("+"))
    return tuple(header for header in variants() if header.name in names)


def variant_title(rules: Rules) -> str:
    """ "Roll-Over + Duodecagammon"."""
    return " + ".join(header.title for header in parts_of(rules))
