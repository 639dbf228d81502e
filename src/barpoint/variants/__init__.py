"""The catalogue: every variant by name, and the rules a name stands for."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from functools import lru_cache
from typing import Final

from barpoint.error import BarpointError, UnknownVariant, brief, check_kind, hint_of, plain_number
from barpoint.language import N_
from barpoint.number_text import number_in
from barpoint.rules import GameSequence, Rules, Variant, compose
from barpoint.variants import (
    acey_deucey,
    backgammon,
    bulgarian_tabla,
    cancelgammon,
    duodecagammon,
    dutch,
    european_acey_deucey,
    fevga,
    gioul,
    gul_bara,
    hypergammon,
    longgammon,
    misere,
    moultezim,
    nackgammon,
    narde,
    plakoto,
    portes,
    roll_over,
    tabla,
    tabula,
    tapa,
    tavli,
)
from barpoint.variants.check import check_rules

CATALOGUE: Final[tuple[Variant, ...]] = (
    backgammon.VARIANT,
    roll_over.VARIANT,
    cancelgammon.VARIANT,
    duodecagammon.VARIANT,
    nackgammon.VARIANT,
    hypergammon.VARIANT,
    longgammon.VARIANT,
    acey_deucey.VARIANT,
    european_acey_deucey.VARIANT,
    dutch.VARIANT,
    tavli.VARIANT,
    bulgarian_tabla.VARIANT,
    tabla.VARIANT,
    portes.VARIANT,
    plakoto.VARIANT,
    tapa.VARIANT,
    fevga.VARIANT,
    moultezim.VARIANT,
    narde.VARIANT,
    gul_bara.VARIANT,
    gioul.VARIANT,
    tabula.VARIANT,
    misere.VARIANT,
)
"""In the order in which a composed name lists its parts."""

_registered: list[Variant] = []
"""What `register` has added, in that order; behind the catalogue."""

NO_VARIANT: Final = N_("no variant is called %(name)r; %(hint)s")
"""What is said of a name that stands for nothing."""

_PART = re.compile(r"^([a-z0-9_-]+)(?:\(([^()]*)\))?$")
_MAX_NAME = 300


def variants() -> tuple[Variant, ...]:
    """Every variant and modifier, in catalogue order, then those that were registered."""
    return (*CATALOGUE, *_registered)


def registered() -> tuple[Variant, ...]:
    """Those that were registered in this process, in that order."""
    return tuple(_registered)


def register(entry: Variant, *, overwrite: bool = False) -> Rules:
    """Adds a variant to those that names stand for, in this process, and returns its rules.

    It is played, written to files, read again, composed with others and, if a net covers its rules, analysed. Registering
    the same one again changes nothing. overwrite: in place of one of that name that was registered before, as after a change
    in a notebook; it keeps its place. UnknownVariant for a name that is no name or taken; PositionError for a start
    that the rules forbid, RollError for dice that no game can be played with, StakesError for points of a win, ArgumentError for values of
    another kind, UnknownVariant for other fields that no game can be played by.
    """
    check_kind("entry", entry, Variant)
    for name in (entry.name, *entry.aliases):
        part = _PART.match(name)
        if not part or "_" in part[1]:
            raise UnknownVariant(
                "%(name)r is no name of a variant; allowed: small letters, digits and hyphens", name=name
            )
        for other in variants():
            gone = overwrite and other in _registered and other.name == entry.name
            if other != entry and name in (other.name, *other.aliases) and not gone:
                raise UnknownVariant("%(name)r is taken by %(title)s", name=name, title=other.title)
    plain, known = Rules(), [field.name for field in fields(Rules)[1:]]
    for axis, value in entry.axes.items():
        kind = type(getattr(plain, axis, None))
        if axis in known and not isinstance(value, kind):
            raise UnknownVariant(
                "%(name)r sets %(axis)s to %(value)s (%(found)s); allowed: %(kind)s",
                name=entry.name,
                axis=axis,
                value=brief(value),
                found=type(value).__name__,
                kind=f"barpoint.rules.{kind.__name__}",
            )
        if axis not in known:
            raise UnknownVariant(
                "%(name)r sets %(axis)s to %(value)r; the axes are %(allowed)s",
                name=entry.name,
                axis=axis,
                value=value,
                allowed=", ".join(known),
            )
    _check_sequence(entry)
    check_rules(compose([(entry, {})]))
    if entry not in _registered:
        place = next((index for index, other in enumerate(_registered) if other.name == entry.name), len(_registered))
        _registered[place : place + 1] = [entry]
        _rules.cache_clear()
    return variant(entry.name)


def _check_sequence(entry: Variant) -> None:
    """UnknownVariant where an entry whose games take turns names itself or another such one, or says more than that."""
    sequence = entry.axes.get("sequence")
    if not isinstance(sequence, GameSequence) or not sequence.games:
        return
    if len(entry.axes) > 1:
        raise UnknownVariant("%(name)s: games that take turns have axes of their own; it sets more", name=entry.name)
    for game in sequence.games:
        if game in (entry.name, *entry.aliases) or variant(game).sequence.games:
            raise UnknownVariant("%(name)s plays %(game)r, which is no single game", name=entry.name, game=game)


def clash(first: Variant, second: Variant) -> bool:
    """Whether two entries cannot be composed."""
    try:
        variant(f"{first.name}+{second.name}")
    except BarpointError:
        return True
    return False


def variant(name: str = "backgammon", **options: bool | int) -> Rules:
    """The rules a name stands for, such as "roll-over+duodecagammon(include_3_3)".

    Options given as keywords go to the one part of the name that has them.
    UnknownVariant and VariantsClash say what was found and what there is.
    """
    check_kind("name", name, str)
    parts = _parse(name)
    for key, given in options.items():
        value = plain_number(given)
        takers = [said for entry, said in parts if any(choice.name == key for choice in entry.options)]
        if not takers:
            known = [choice.name for entry, _ in parts for choice in entry.options]
            raise UnknownVariant(
                "no part of %(name)r has an option %(key)r; %(hint)s", name=name, key=key, hint=hint_of(key, known)
            )
        takers[0][key] = value  # type: ignore[assignment] # the option says below whether it takes it
    for entry, said in parts:
        entry.with_options(said)  # refuses here what the cache below could not tell apart: True and 1 are one key
    return _rules(tuple((entry.name, tuple(sorted(said.items()))) for entry, said in parts))


def rules_of(name_or_rules: Rules | str) -> Rules:
    """These rules, or those that a name stands for; ArgumentError for anything else."""
    if isinstance(name_or_rules, Rules):
        return name_or_rules
    check_kind("rules", name_or_rules, Rules, str)
    return variant(name_or_rules)


@lru_cache(maxsize=256)
def _rules(parts: tuple[tuple[str, tuple[tuple[str, bool | int], ...]], ...]) -> Rules:
    catalogue = variants()
    order = {entry.name: index for index, entry in enumerate(catalogue)}
    entries = sorted(((catalogue[order[name]], dict(said)) for name, said in parts), key=lambda p: order[p[0].name])
    rules = compose(entries)
    check_rules(rules)
    return _in_turn(rules) if rules.sequence.games else rules


def _in_turn(rules: Rules) -> Rules:
    """The same with the axes of its first game; UnknownVariant where a game has other dice or opens in another way."""
    first, *others = games_of(rules)
    for other in others:
        if (other.dice, other.opening) != (first.dice, first.opening):
            raise UnknownVariant(
                "%(name)s: %(first)s and %(other)s have different dice or opening rolls",
                name=rules.name,
                first=first.name,
                other=other.name,
            )
    return replace(first, name=rules.name, sequence=rules.sequence)


def games_of(rules: Rules) -> tuple[Rules, ...]:
    """The rules of the games that a match plays in turn; these alone where all are played by the same."""
    return tuple(map(variant, rules.sequence.games)) or (rules,)


def rules_of_game(rules: Rules, number: int = 0) -> Rules:
    """The rules of a game of a match; number: how many games were finished before it."""
    games = rules.sequence.games
    return variant(games[number % len(games)]) if games else rules


def _parse(name: str) -> list[tuple[Variant, dict[str, bool | int]]]:
    if len(name) > _MAX_NAME:
        raise UnknownVariant(
            "a name of %(count)s characters; at most %(max_name)s are read", count=len(name), max_name=_MAX_NAME
        )
    parts: dict[str, tuple[Variant, dict[str, bool | int]]] = {}
    for text in re.sub(r"\s", "", name.strip().lower()).split("+"):
        found = _PART.match(text)
        if not found:
            raise UnknownVariant(
                "%(found)r is not a variant; write name or name(option,option=value), joined by +", found=text
            )
        entry = _entry(found[1].replace("_", "-"))
        said = dict(_option(entry, item) for item in (found[2] or "").split(",") if item)
        if entry.name in parts:
            raise UnknownVariant("%(name)s stands twice in %(text)r", name=entry.name, text=name)
        parts[entry.name] = (entry, said)
    return list(parts.values())


def _entry(name: str) -> Variant:
    for entry in variants():
        if name == entry.name or name in entry.aliases:
            return entry
    names, aliases = (entry.name for entry in variants()), (alias for entry in variants() for alias in entry.aliases)
    raise UnknownVariant(NO_VARIANT, name=name, hint=hint_of(name, names, aliases))


def _option(entry: Variant, text: str) -> tuple[str, bool | int]:
    key, equals, value = text.partition("=")
    entry.choice(key)
    if not equals or value == "true":
        return key, True
    if value == "false":
        return key, False
    if (number := number_in(value, 0, 99_999)) is not None:
        return key, number
    raise UnknownVariant(
        "%(name)s: %(key)s=%(value)r is no value; write true, false or a number", name=entry.name, key=key, value=value
    )
