"""Display titles of games, from the titles of their parts."""

from __future__ import annotations

import re
from functools import cache

from barpoint.rules import Rules, Variant
from barpoint.variants import variants


def parts_of(rules: Rules) -> tuple[Variant, ...]:
    """The variants that a name combines, in catalogue order; backgammon alone if it names none."""
    return _parts(rules.name)


def part_names(name: str) -> set[str]:
    """The names of the variants that a name combines, without their options."""
    return set(re.sub(r"\([^()]*\)", "", name).split("+"))


@cache
def _parts(name: str) -> tuple[Variant, ...]:
    names = part_names(name)
    return tuple(header for header in variants() if header.name in names)


def variant_title(rules: Rules) -> str:
    """ "Roll-Over + Duodecagammon"."""
    return " + ".join(header.title for header in parts_of(rules))


def title_in_turn(match: Rules, game: Rules) -> str:
    """The title of a game of a match where games take turns; "" where all are the same."""
    return variant_title(game) if match.sequence.games else ""
