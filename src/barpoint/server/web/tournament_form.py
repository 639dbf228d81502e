"""Converts a form to the plan of a tournament, and a plan to text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from barpoint.error import FormatError
from barpoint.match import MatchTerms
from barpoint.server.domain.agreement_form import describe_agreement
from barpoint.server.domain.agreements import MAX_FEE, Agreement, time_control_named
from barpoint.server.domain.limits import MAX_POINTS, MAX_TOURNAMENT_NAME, MIN_TOURNAMENT_NAME
from barpoint.server.domain.time_control import DAY, HOUR, MINUTE, UNTIMED
from barpoint.server.domain.titles import variant_title
from barpoint.server.domain.tournament_events import Form, Plan
from barpoint.server.storage.tournaments import ListedTournament
from barpoint.variants import variant

MAX_PLAYERS: Final = 128
MAX_ROUNDS: Final = 15
MAX_PRIZES: Final = 8

FORMS: Final = {
    Form.KNOCKOUT: "Knock-out",
    Form.DOUBLE: "Knock-out with two lives",
    Form.SWISS: "Swiss",
}
STARTS: Final = {
    "": "When all places are taken",
    "10": "In 10 minutes",
    "30": "In 30 minutes",
    "60": "In an hour",
    "180": "In 3 hours",
    "1440": "In a day",
    "10080": "In a week",
}
"""When a tournament begins: minutes from its announcement."""

PATIENCE: Final = {"5": "5 minutes", "10": "10 minutes", "15": "15 minutes", "30": "30 minutes", "1440": "a day"}
ROUNDS: Final = {
    "60": "an hour",
    "180": "3 hours",
    "1440": "a day",
    "4320": "3 days",
    "10080": "a week",
    "43200": "30 days",
}
"""How long after its creation a match may stay adjourned, in minutes."""

PRIZES: Final = {"100": "All to the winner", "60,40": "60 % and 40 %", "50,30,20": "50 %, 30 % and 20 %"}
SIZES: Final = (2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128)


def read_plan(form: Mapping[str, str], now: int) -> Plan:
    """The plan of a form, `now` in ms since 1970; FormatError, UnknownVariant, VariantsClash.

    variant: a name as everywhere; other: a typed name instead. length, semi, final: points, the last two empty to
    repeat the one before. starts: minutes from now, empty to start when all places are taken. patience, round: minutes.
    """
    name = re.sub(r"\s+", " ", "".join(c for c in form.get("name", "") if c.isprintable())).strip()[
        :MAX_TOURNAMENT_NAME
    ]
    starts = form.get("starts", "")
    plan = Plan(
        name=name,
        form=_form(form.get("form", Form.KNOCKOUT)),
        variant=variant(form.get("other", "").strip() or form.get("variant", "backgammon")).name,
        lengths=_lengths(form),
        cube="cube" in form,
        time_control=form.get("time_control", "Normal"),
        rated="rated" in form,
        fee=_number(form, "fee", 0, 0, MAX_FEE),
        prizes=_prizes(form.get("prizes", "100")),
        min_players=_number(form, "min_players", 2, 2, MAX_PLAYERS),
        max_players=_number(form, "max_players", 8, 2, MAX_PLAYERS),
        starts_at=now + MINUTE * _number(form, "starts", 0, 1, 60 * 24 * 60) if starts else None,
        rounds=_number(form, "rounds", 0, 0, MAX_ROUNDS),
        patience_ms=MINUTE * _number(form, "patience", 10, 1, 30 * 24 * 60),
        by_lot="by_lot" in form,
        bots="bots" in form,
        round_ms=MINUTE * _number(form, "round", 1440, 10, 60 * 24 * 60),
    )
    return check_plan(plan)


def check_plan(plan: Plan) -> Plan:
    """The plan, if it is playable; FormatError says what was found and what is allowed."""
    if len(plan.name) < 3:
        raise FormatError(f"name: {plan.name!r}; allowed: {MIN_TOURNAMENT_NAME} to {MAX_TOURNAMENT_NAME} characters")
    if not time_control_named(plan.time_control).timed:
        raise FormatError(f"clock: {UNTIMED.name}; a tournament is played on the clock, so that it comes to an end")
    if plan.round_ms and plan.round_ms < plan.patience_ms:
        found = f"{duration(plan.round_ms)}, and matches wait for their players for {duration(plan.patience_ms)}"
        raise FormatError(f"round: {found}; a round is not over before that")
    if plan.min_players > plan.max_players:
        raise FormatError(
            f"players: {plan.min_players} at least, {plan.max_players} at most; the first may not be more"
        )
    return plan


def _form(text: str) -> Form:
    try:
        return Form(text)
    except ValueError:
        raise FormatError(f"form: {text[:20]!r}; allowed: {', '.join(Form)}") from None


def _lengths(form: Mapping[str, str]) -> tuple[int, ...]:
    usual = _number(form, "length", 5, 1, MAX_POINTS)
    semi = _number(form, "semi", usual, 1, MAX_POINTS)
    final = _number(form, "final", semi, 1, MAX_POINTS)
    return (usual,) if usual == semi == final else (usual, semi, final)


def _prizes(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        shares = tuple(int(part) for part in parts)
        if sum(shares) == 100 and min(shares) > 0 and len(shares) <= MAX_PRIZES:
            return shares
    raise FormatError(f"prizes: {text[:40]!r}; allowed: up to {MAX_PRIZES} shares in percent that sum to 100")


def _number(form: Mapping[str, str], name: str, default: int, lowest: int, highest: int) -> int:
    text = form.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 7 and lowest <= int(text) <= highest):
        raise FormatError(f"{name}: {text[:20]!r}; allowed: {lowest} to {highest}")
    return int(text)


def describe_plan(plan: Plan) -> str:
    """One line about a tournament, such as "Swiss, 5 points, cube, Crawford rule, Normal clock, rated"."""
    rules = variant(plan.variant)
    cube = plan.cube and rules.cube
    terms = MatchTerms(length=plan.lengths[0], cube=cube, crawford=cube)
    words = [FORMS[plan.form], describe_agreement(Agreement(rules, terms, plan.time_control, plan.rated, plan.fee))]
    if len(plan.lengths) == 3:
        usual, semi, final = plan.lengths
        words.append(f"{f'{semi} in the semi-final, ' if semi != usual else ''}{final} in the last round")
    if plan.fee:
        shares = " / ".join(f"{share} %" for share in plan.prizes)
        words.append("all to the winner" if plan.prizes == (100,) else f"prizes {shares}")
    return ", ".join(words)


def duration(ms: int) -> str:
    """ "10 minutes", "1 day"."""
    for unit, word in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if ms >= unit:
            return f"{ms // unit} {word}{'' if ms // unit == 1 else 's'}"
    return "a moment"


def when(at_ms: int) -> str:
    """ "3 May, 18:05", in UTC."""
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{at.day} {at:%B, %H:%M}"


def ticket(listed: ListedTournament) -> dict[str, object]:
    """A tournament in a list."""
    plan = listed.plan
    return {
        "id": listed.id,
        "name": plan.name,
        "title": variant_title(variant(plan.variant)),
        "terms": describe_plan(plan),
        "stage": listed.stage.value,
        "players": listed.players,
        "max_players": plan.max_players,
        "starts_at": plan.starts_at,
        "starts": when(plan.starts_at) if plan.starts_at is not None else None,
    }
