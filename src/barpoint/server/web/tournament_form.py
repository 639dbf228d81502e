"""Converts a form to the plan of a tournament, and a plan to text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from barpoint.error import FormatError
from barpoint.language import N_, _, ngettext, time
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
MAX_ALL_MEET: Final = 24
"""Maximum players of a tournament in which everybody meets everybody."""
MAX_PRIZES: Final = 8
MAX_LATE: Final = 3
MAX_BYES: Final = 3
MAX_GROUPS: Final = 16
MAX_ADVANCE: Final = 4
YEAR: Final = 365 * DAY

FORMS: Final = {
    Form.KNOCKOUT: N_("Knock-out"),
    Form.DOUBLE: N_("Knock-out with two lives"),
    Form.SWISS: N_("Swiss"),
    Form.ROBIN: N_("Round robin"),
    Form.LEAGUE: N_("League"),
    Form.GROUPS: N_("Groups, then a knock-out"),
}
STARTS: Final = {
    "": N_("When all places are taken"),
    "10": N_("In 10 minutes"),
    "30": N_("In 30 minutes"),
    "60": N_("In an hour"),
    "180": N_("In 3 hours"),
    "1440": N_("In a day"),
    "10080": N_("In a week"),
}
"""When a tournament begins: minutes from its announcement."""

PATIENCE: Final = {
    "5": N_("5 minutes"),
    "10": N_("10 minutes"),
    "15": N_("15 minutes"),
    "30": N_("30 minutes"),
    "1440": N_("a day"),
    "10080": N_("a week"),
    "20160": N_("two weeks"),
    "40320": N_("four weeks"),
    "86400": N_("two months"),
}
ROUNDS: Final = {
    "60": N_("an hour"),
    "180": N_("3 hours"),
    "1440": N_("a day"),
    "4320": N_("3 days"),
    "10080": N_("a week"),
    "43200": N_("30 days"),
}
"""How long after its creation a match may stay adjourned, in minutes."""

PRIZES: Final = {
    "100": N_("All to the winner"),
    "60,40": N_("60 %% and 40 %%"),
    "50,30,20": N_("50 %%, 30 %% and 20 %%"),
}
SIZES: Final = (2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128)


def read_plan(form: Mapping[str, str], now: int) -> Plan:
    """The plan of a form, `now` in ms since 1970; FormatError, UnknownVariant, VariantsClash.

    variant: a name as everywhere; other: a typed name instead. length, semi, final: points, the last two empty to
    repeat the one before. starts: minutes from now, empty to start when all places are taken;
    date: a date and time (UTC) instead. patience, round: minutes.
    """
    name = re.sub(r"\s+", " ", "".join(c for c in form.get("name", "") if c.isprintable())).strip()[
        :MAX_TOURNAMENT_NAME
    ]
    starts = form.get("starts", "")
    starts_at = now + MINUTE * _number(form, "starts", 0, 1, 60 * 24 * 60) if starts else None
    kind, patience_ms = _form(form.get("form", Form.KNOCKOUT)), MINUTE * _number(form, "patience", 10, 1, 60 * 24 * 60)
    round_ms = MINUTE * _number(form, "round", 1440, 10, 60 * 24 * 60)
    plan = Plan(
        name=name,
        form=kind,
        variant=variant(form.get("other", "").strip() or form.get("variant", "backgammon")).name,
        lengths=_lengths(form),
        cube="cube" in form,
        time_control=form.get("time_control", "Normal"),
        rated="rated" in form,
        fee=_number(form, "fee", 0, 0, MAX_FEE),
        prizes=_prizes(form.get("prizes", "100")),
        min_players=_number(form, "min_players", 2, 2, MAX_PLAYERS),
        max_players=_number(form, "max_players", 8, 2, MAX_PLAYERS),
        starts_at=_date(form.get("date", ""), now) or starts_at,
        rounds=_number(form, "rounds", 0, 0, MAX_ROUNDS),
        late=_number(form, "late", 0, 0, MAX_LATE),
        byes=_number(form, "byes", 1, 0, MAX_BYES),
        bye_won=bool(form.get("bye_won")),
        boards="boards" in form,
        groups=_number(form, "groups", 2, 2, MAX_GROUPS),
        advance=_number(form, "advance", 2, 1, MAX_ADVANCE),
        patience_ms=MINUTE * _number(form, "patience", 10, 1, 30 * 24 * 60),
        by_lot="by_lot" in form,
        bots="bots" in form,
        round_ms=max(round_ms, patience_ms) if kind is Form.LEAGUE else round_ms,
    )
    return check_plan(plan)


def check_plan(plan: Plan) -> Plan:
    """The plan, if it is playable; FormatError says what was found and what is allowed."""
    if len(plan.name) < 3:
        raise FormatError(
            "name: %(name)r; allowed: %(min_tournament_name)s to %(max_tournament_name)s characters",
            name=plan.name,
            min_tournament_name=MIN_TOURNAMENT_NAME,
            max_tournament_name=MAX_TOURNAMENT_NAME,
        )
    if not time_control_named(plan.time_control).timed:
        raise FormatError(
            "clock: %(name)s; a tournament is played on the clock, so that it comes to an end", name=UNTIMED.name
        )
    if plan.form in (Form.ROBIN, Form.LEAGUE) and plan.max_players > MAX_ALL_MEET:
        raise FormatError(
            "players: %(max_players)s at most; allowed where everybody meets everybody: %(allowed)s",
            max_players=plan.max_players,
            allowed=MAX_ALL_MEET,
        )
    _check_groups(plan)
    if plan.form is Form.LEAGUE and plan.patience_ms < DAY:
        raise FormatError("a league: its matches wait for their players for a day or longer")
    if plan.round_ms and plan.round_ms < plan.patience_ms:
        raise FormatError(
            "round: %(round)s, and matches wait for their players for %(patience)s; a round is not over before that",
            round=duration(plan.round_ms),
            patience=duration(plan.patience_ms),
        )
    if plan.min_players > plan.max_players:
        raise FormatError(
            "players: %(min_players)s at least, %(max_players)s at most; the first may not be more",
            min_players=plan.min_players,
            max_players=plan.max_players,
        )
    return plan


def _check_groups(plan: Plan) -> None:
    least, most = plan.groups * (plan.advance + 1), plan.groups * MAX_ALL_MEET
    if plan.form is Form.GROUPS and not least <= plan.max_players <= most:
        raise FormatError(
            "players: %(max_players)s at most; allowed with %(groups)s groups of which %(advance)s each go on: %(least)s to "
            "%(most)s",
            max_players=plan.max_players,
            groups=plan.groups,
            advance=plan.advance,
            least=least,
            most=most,
        )


def _date(text: str, now: int) -> int | None:
    """A date and time in universal time, such as 2026-12-24T19:30, in ms since 1970; None without one. FormatError."""
    if not text.strip():
        return None
    try:
        at = int(datetime.fromisoformat(text.strip()).replace(tzinfo=UTC).timestamp() * 1000)
    except (ValueError, OverflowError):
        at = 0
    if not now < at <= now + YEAR:
        raise FormatError("date: %(found)r; allowed: a date and time within a year", found=text[:20])
    return at


def _form(text: str) -> Form:
    try:
        return Form(text)
    except ValueError:
        raise FormatError("form: %(found)r; allowed: %(allowed)s", found=text[:20], allowed=", ".join(Form)) from None


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
    raise FormatError(
        "prizes: %(found)r; allowed: up to %(max_prizes)s shares in percent that sum to 100",
        found=text[:40],
        max_prizes=MAX_PRIZES,
    )


def _number(form: Mapping[str, str], name: str, default: int, lowest: int, highest: int) -> int:
    text = form.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 7 and lowest <= int(text) <= highest):
        raise FormatError(
            "%(name)s: %(found)r; allowed: %(lowest)s to %(highest)s",
            name=name,
            found=text[:20],
            lowest=lowest,
            highest=highest,
        )
    return int(text)


def describe_plan(plan: Plan) -> str:
    """One line about a tournament, such as "Swiss, 5 points, cube, Crawford rule, Normal clock, rated"."""
    rules = variant(plan.variant)
    cube = plan.cube and rules.cube
    terms = MatchTerms(length=plan.lengths[0], cube=cube, crawford=cube)
    words = [_describe_form(plan), describe_agreement(Agreement(rules, terms, plan.time_control, plan.rated, plan.fee))]
    if len(plan.lengths) == 3:
        usual, semi, final = plan.lengths
        if semi != usual:
            words.append(_("%(points)s in the semi-final", points=semi))
        words.append(_("%(points)s in the last round", points=final))
    if plan.fee:
        shares = " / ".join(f"{share} %" for share in plan.prizes)
        words.append(_("all to the winner") if plan.prizes == (100,) else _("prizes %(shares)s", shares=shares))
    return ", ".join(words)


def _describe_form(plan: Plan) -> str:
    if plan.form is Form.GROUPS:
        return _("%(groups)s groups, the best %(advance)s to a knock-out", groups=plan.groups, advance=plan.advance)
    return _(FORMS[plan.form])


def duration(ms: int) -> str:
    """ "10 minutes", "1 day"."""
    if ms >= DAY:
        return ngettext("%(num)s day", "%(num)s days", ms // DAY)
    if ms >= HOUR:
        return ngettext("%(num)s hour", "%(num)s hours", ms // HOUR)
    return ngettext("%(num)s minute", "%(num)s minutes", ms // MINUTE) if ms >= MINUTE else _("a moment")


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
        "starts": time(plan.starts_at) if plan.starts_at is not None else None,
    }
