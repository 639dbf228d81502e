"""Variants on a page: cards to choose and combine, the meaning of a choice, and its options."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from barpoint.document import rules_file
from barpoint.language import _, listed, ngettext
from barpoint.match import MatchTerms
from barpoint.rules import Rules, Variant, spell_value
from barpoint.server.bots.opponents import Opponents
from barpoint.server.domain.titles import parts_of, variant_title
from barpoint.variants import clash, games_of, variants

OPTION: Final = "opt-"
"""Prefix of option fields, which are called opt-variant-option."""


JOINED: Final = ("roll-over+nackgammon", "roll-over+duodecagammon")
"""Compositions in lists of games; the home page offers all others."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A variant to choose. clashes: names of variants it cannot combine with."""

    name: str
    title: str
    line: str
    chosen: bool
    clashes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VariantChoice:
    """A choice within a variant. part: its title. field: of the form. values: (spelling, chosen), the default first."""

    part: str
    field: str
    line: str
    values: tuple[tuple[str, bool], ...]

    @property
    def ticked(self) -> bool | None:
        """Whether a checkbox is checked; None for other fields."""
        if {value for value, _ in self.values} != {"true", "false"}:
            return None
        return next(value for value, chosen in self.values if chosen) == "true"


@dataclass(frozen=True, slots=True)
class Card:
    """A summary of rules for players. documented: variants of it with a page of rules; lines: of the others, what they are.
    levels: names of the bots that play it.
    """

    name: str
    title: str
    documented: tuple[Variant, ...]
    lines: tuple[str, ...]
    facts: tuple[str, ...]
    options: tuple[VariantChoice, ...]
    cube: bool
    levels: tuple[str, ...]

    @property
    def covered(self) -> bool:
        """Whether a bot plays them."""
        return bool(self.levels)


def choices(rules: Rules) -> tuple[Choice, ...]:
    """A card for each variant; those of these rules are chosen."""
    chosen = {part.name for part in parts_of(rules)}
    clashes = _clashes(tuple(header.name for header in variants()))
    return tuple(
        Choice(header.name, header.title, _(header.line), header.name in chosen, clashes[header.name])
        for header in variants()
    )


def documented(entries: Iterable[Variant]) -> tuple[Variant, ...]:
    """Those that have a page of rules; a registered variant has none."""
    return tuple(entry for entry in entries if rules_file(entry.name).is_file())


def rules_page_of(rules: Rules) -> str:
    """The name of the page that says the rules; "" if there is none."""
    return next((entry.name for entry in documented(parts_of(rules))), "")


def games_listed(in_turn: bool = True) -> list[tuple[str, str]]:
    """(name, title) of every listed game: the single variants, and some compositions. in_turn: also games that take turns."""
    games = [(header.name, header.title) for header in variants() if in_turn or not header.is_sequence]
    return games + [(name, " + ".join(dict(games)[one] for one in name.split("+"))) for name in JOINED]


@lru_cache(maxsize=4)
def _clashes(_known: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """For every variant, those it cannot combine with; plain backgammon changes nothing and combines with none.

    _known: names of all variants, because `register` adds to them.
    """
    entries = [header for header in variants() if header.axes]
    plain = [header.name for header in variants() if not header.axes]
    table = {
        one.name: (*plain, *(other.name for other in entries if other is not one and clash(one, other)))
        for one in entries
    }
    return {**table, **{name: tuple(table) for name in plain}}


def card_of(rules: Rules, levels: tuple[str, ...], terms: MatchTerms | None = None) -> Card:
    """The summary of these rules; terms: of the match that is about to be played, if it is known."""
    parts = parts_of(rules)
    said = _said_options(rules)
    options = [
        VariantChoice(
            part.title,
            f"{OPTION}{part.name}-{choice.name}",
            _(choice.line),
            tuple(
                (
                    spell_value(value),
                    spell_value(value) == said.get((part.name, choice.name), spell_value(choice.default)),
                )
                for value in choice.values
            ),
        )
        for part in parts
        for choice in part.options
    ]
    chapters = documented(parts)
    lines = tuple(part.line for part in parts if part.line and part not in chapters)
    return Card(
        rules.name, variant_title(rules), chapters, lines, _facts(rules, terms), tuple(options), rules.cube, levels
    )


def card_for(opponents: Opponents, rules: Rules, terms: MatchTerms | None = None) -> Card:
    """The summary of these rules, with the bots that play them. terms: as in `card_of`."""
    return card_of(rules, tuple(level.name for level in opponents.levels_for(rules)), terms)


def _said_options(rules: Rules) -> dict[tuple[str, str], str]:
    """The options in the rules' name, as (variant, option) -> spelling."""
    said: dict[tuple[str, str], str] = {}
    for part in rules.name.split("+"):
        name, _, inside = part.rstrip(")").partition("(")
        for item in filter(None, inside.split(",")):
            key, equals, value = item.partition("=")
            said[name, key] = value if equals else "true"
    return said


def _facts(rules: Rules, terms: MatchTerms | None) -> tuple[str, ...]:
    """The facts a backgammon player needs, read from the axes of the rules; those that mean something under these terms.

    A match for one point has no cube and no gammons; in other matches, `describe_terms` tells of the cube.
    """
    facts = [ngettext("%(num)s checker each", "%(num)s checkers each", rules.checkers)]
    if rules.sequence.games:
        facts.append(_("%(games)s in turn", games=listed([variant_title(game) for game in games_of(rules)])))
    elif rules.setup.hand:
        all_enter = rules.setup.hand == rules.checkers
        facts.append(_("all enter from the hand") if all_enter else _("%(count)s enter", count=rules.setup.hand))
    else:
        facts.append(_("%(pips)s pips to go", pips=rules.start.us.pips))
    facts.append({"1d12": _("one 12-sided die"), "2d6": _("two dice"), "3d6": _("three dice")}[rules.dice.kind])
    if rules.follow_ups.rolls:
        facts.append(
            _("another double follows a double") if rules.follow_ups.once else _("higher doubles follow a double")
        )
    if rules.rerolls.tokens:
        one, many = {
            (True, True): ("%(num)s token to reroll any roll", "%(num)s tokens to reroll any roll"),
            (True, False): ("%(num)s token to reroll own rolls", "%(num)s tokens to reroll own rolls"),
            (False, True): ("%(num)s token to reroll the other’s rolls", "%(num)s tokens to reroll the other’s rolls"),
        }[rules.rerolls.own, rules.rerolls.other]
        facts.append(ngettext(one, many, rules.rerolls.tokens))
    if terms is not None and terms.length == 1:
        return tuple(facts)
    if terms is None or not rules.cube:
        facts.append(_("doubling cube") if rules.cube else _("no cube"))
    if rules.scoring.per_checker:
        facts.append(_("a point for every checker left"))
    else:
        gammon, backgammon = rules.scoring.payments
        worth = (
            _("gammons do not count"),
            _("a gammon is worth %(gammon)s", gammon=gammon),
            _("gammon %(gammon)s, backgammon %(backgammon)s", gammon=gammon, backgammon=backgammon),
        )
        facts.append(worth[rules.scoring.levels - 1])
    return tuple(facts)


def name_from(fields: Iterable[tuple[str, str]]) -> str:
    """The name of the rules chosen in a form: every `variant`, with its options."""
    fields = list(fields)
    said = dict(fields)
    names = [value for key, value in fields if key == "variant" and value]
    if not names:
        return "backgammon"
    return "+".join(_with_options(name, said) for name in names)


def _with_options(name: str, said: dict[str, str]) -> str:
    header = next((header for header in variants() if header.name == name), None)
    if header is None:
        return name
    spelt = [
        f"{choice.name}={said[field]}"
        for choice in header.options
        if (field := f"{OPTION}{name}-{choice.name}") in said and said[field] != spell_value(choice.default)
    ]
    return f"{name}({','.join(spelt)})" if spelt else name
