"""Reads an agreement from a submitted form, and describes one in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from barpoint.error import FormatError
from barpoint.language import _, ngettext
from barpoint.match import MatchTerms, Proposition
from barpoint.number_text import number_in
from barpoint.rules import Rules
from barpoint.server.domain.agreements import MAX_FEE, Agreement, check_agreement, clock_words
from barpoint.server.domain.limits import MAX_POINTS
from barpoint.server.domain.time_control import UNTIMED
from barpoint.variants import variant

MAX_BEAVERS: Final = 3
MAX_AUTOMATIC: Final = 3


def read_form(form: Mapping[str, str]) -> tuple[Rules, MatchTerms]:
    """The rules and terms that a form describes. Missing fields have their defaults; an unticked box is missing.

    variant: a name, to which modifier names and options are joined as in `names_in`. length: 0 for a money session.
    Ignores fields that do not apply to the length or the rules (a cube in a 1-point match, Jacoby in a match).
    FormatError, UnknownVariant and VariantsClash say what was found and what is allowed.
    """
    rules = variant(form.get("variant", "backgammon"))
    length = _number(form, "length", 3, MAX_POINTS)
    cube = "cube" in form and rules.cube
    money = length == 0
    terms = MatchTerms(
        length=length,
        cube=cube,
        crawford="crawford" in form and cube and not money,
        jacoby="jacoby" in form and cube and money,
        beavers=_number(form, "beavers", 0, MAX_BEAVERS) if cube and money else 0,
        automatic_doubles=_number(form, "automatic_doubles", 0, MAX_AUTOMATIC) if cube and money else 0,
    )
    return rules, terms


def read_agreement(form: Mapping[str, str], registered: bool) -> Agreement:
    """The agreement that a form describes: `read_form`, with time_control, rated and fee.

    registered: whether the person has an account. FormatError also for what that person may not agree to.
    """
    rules, terms = read_form(form)
    time_control = form.get("time_control") or UNTIMED.name
    return check_agreement(
        Agreement(rules, terms, time_control, "rated" in form, _number(form, "fee", 0, MAX_FEE)), registered
    )


def _number(form: Mapping[str, str], name: str, default: int, highest: int) -> int:
    text = form.get(name, "")
    if not text:
        return default
    number = number_in(text, 0, highest)
    if number is None:
        raise FormatError(
            "%(replace)s: %(found)r; allowed: 0 to %(highest)s",
            replace=name.replace("_", " "),
            found=text[:20],
            highest=highest,
        )
    return number


def describe_agreement(agreement: Agreement) -> str:
    """One line about a match with its clock, rating and fee, such as "5 points, cube, Fast clock, rated"."""
    words = [describe_terms(agreement.rules, agreement.terms)]
    if agreement.time_control != UNTIMED.name:
        words.append(clock_words(agreement.time_control))
    if agreement.rated:
        words.append(_("rated"))
    if agreement.fee:
        words.append(ngettext("entry fee %(num)s ticket", "entry fee %(num)s tickets", agreement.fee))
    return ", ".join(words)


def describe_terms(rules: Rules, terms: MatchTerms) -> str:
    """One line about a match, such as "5 points, cube, Crawford rule"."""
    words = [ngettext("%(num)s point", "%(num)s points", terms.length) if terms.length else _session_words(terms)]
    if rules.cube and terms.length != 1:
        words.append(_("cube") if terms.cube else _("no cube"))
        if terms.cube and terms.crawford and terms.length:
            words.append(_("Crawford rule"))
    if terms.jacoby:
        words.append(_("Jacoby rule"))
    if terms.beavers:
        words.append(_("beavers"))
    if terms.automatic_doubles:
        words.append(_("automatic doubles"))
    if terms.begins_at is not None:
        words.append(_("from a position that was set up"))
    if terms.proposition is not None:
        words += _proposition_words(terms.proposition)
    return ", ".join(words)


def _session_words(terms: MatchTerms) -> str:
    if terms.proposition is None:
        return _("Money session")
    games = terms.proposition.games
    return ngettext("Proposition, %(num)s game", "Proposition, %(num)s games", games) if games else _("Proposition")


def _proposition_words(proposition: Proposition) -> list[str]:
    """What a proposition is, such as "sides change" and "1 point a game to whoever is not to act"."""
    words = [_("sides change")] if proposition.sides_change else []
    return [*words, spot_words(proposition)] if proposition.spot else words


def spot_words(proposition: Proposition) -> str:
    """What each game gives, whoever wins it, such as "1 point a game to whoever is not to act"."""
    points = abs(proposition.spot)
    if proposition.spot > 0:
        return ngettext(
            "%(num)s point a game to whoever is not to act", "%(num)s points a game to whoever is not to act", points
        )
    return ngettext("%(num)s point a game to whoever is to act", "%(num)s points a game to whoever is to act", points)
