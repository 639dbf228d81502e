"""Which plans of tournaments are playable, and a plan in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import replace as changed

from barpoint.error import FormatError
from barpoint.language import N_, _, ngettext, percent, time
from barpoint.match import MatchTerms
from barpoint.server.domain.agreement_form import describe_agreement
from barpoint.server.domain.agreements import MAX_FEE, Agreement, time_control_named
from barpoint.server.domain.limits import MAX_POINTS, MAX_TOURNAMENT_NAME, MIN_TOURNAMENT_NAME
from barpoint.server.domain.time_control import DAY, HOUR, MINUTE, UNTIMED, in_days
from barpoint.server.domain.tournament_events import Form, Plan
from barpoint.variants import variant

MAX_PLAYERS: Final = 128
MAX_ALL_MEET: Final = 24
"""Maximum players of a tournament in which everybody meets everybody."""
MAX_PRIZES: Final = 8
MAX_GROUPS: Final = 16
MAX_ADVANCE: Final = 4
PATIENCE: Final = 10
PATIENCE_OF: Final = {Form.LEAGUE: 14 * 24 * 60, Form.ARENA: 2}
"""Minutes that a match waits for its players, if the form does not say otherwise; PATIENCE in all other forms."""
ARENA_ADJOURNED: Final = 10 * MINUTE
"""How long a match of an arena may stay adjourned at least; else until the arena's time is over."""
YEAR: Final = 365 * DAY

RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "length": (1, MAX_POINTS),
    "semi": (1, MAX_POINTS),
    "final": (1, MAX_POINTS),
    "starts": (1, 60 * 24 * 60),
    "fee": (0, MAX_FEE),
    "min_players": (2, MAX_PLAYERS),
    "max_players": (2, MAX_PLAYERS),
    "rounds": (0, 15),
    "late": (0, 3),
    "byes": (0, 3),
    "groups": (2, MAX_GROUPS),
    "advance": (1, MAX_ADVANCE),
    "consolation": (0, MAX_POINTS),
    "patience": (1, 60 * 24 * 60),
    "round": (10, 60 * 24 * 60),
    "duration": (10, 24 * 60),
}
"""The least and the most of each number of a plan, or of the form it comes from; starts, patience, round and duration in minutes."""

FORMS: Final = {
    Form.KNOCKOUT: N_("Knock-out"),
    Form.DOUBLE: N_("Knock-out with two lives"),
    Form.SWISS: N_("Swiss"),
    Form.ROBIN: N_("Round robin"),
    Form.LEAGUE: N_("League"),
    Form.GROUPS: N_("Groups, then a knock-out"),
    Form.ARENA: N_("Arena"),
}


def out_of_range(name: str, found: object) -> FormatError:
    """The refusal of a number of a plan, with what is allowed."""
    lowest, highest = RANGES[name]
    return FormatError(
        "%(name)s: %(found)r; allowed: %(lowest)s to %(highest)s",
        name=name,
        found=str(found)[:20],
        lowest=lowest,
        highest=highest,
    )


def checked_plan(plan: Plan, now: int) -> Plan:
    """The plan as it is announced at `now`, ms since 1970; FormatError, UnknownVariant and VariantsClash if it is not playable.

    Its name is cleaned, its variant gets its full name, matches without an end of their round get a day, other forms than knock-outs of
    one life lose their consolation, and arenas their real boards and other lengths than the first. Where all matches are played at
    real boards, they may be.
    """
    name = re.sub(r"\s+", " ", "".join(c for c in plan.name if c.isprintable())).strip()[:MAX_TOURNAMENT_NAME]
    plan = changed(plan, name=name, variant=variant(plan.variant).name, round_ms=plan.round_ms or DAY)
    if plan.form is Form.LEAGUE:
        plan = changed(plan, round_ms=max(plan.round_ms, plan.patience_ms))
    if plan.form.continuous:
        adjourned = max(ARENA_ADJOURNED, plan.patience_ms)
        plan = changed(plan, round_ms=adjourned, boards=False, boards_only=False, lengths=plan.lengths[:1])
    if plan.boards_only:
        plan = changed(plan, boards=True)
    _check_numbers(plan)
    if not plan.form.continuous:
        plan = changed(plan, duration_ms=0)
    if not plan.form.single:
        plan = changed(plan, consolation=0)
    _check_start(plan, now)
    _check_prizes(plan.prizes)
    _check_combination(plan)
    return plan


def _check_numbers(plan: Plan) -> None:
    numbers = [("length", length) for length in plan.lengths]
    numbers += [("patience", plan.patience_ms // MINUTE), ("round", plan.round_ms // MINUTE)]
    numbers += [(name, getattr(plan, name)) for name in RANGES if name in Plan.__struct_fields__]
    if plan.form.continuous:
        numbers.append(("duration", plan.duration_ms // MINUTE))
    for name, number in numbers:
        lowest, highest = RANGES[name]
        if not lowest <= number <= highest:
            raise out_of_range(name, number)
    if len(plan.lengths) not in (1, 3):
        raise FormatError(
            "lengths: %(count)s; allowed: 1, or 3 with those of the last two rounds", count=len(plan.lengths)
        )


def _check_start(plan: Plan, now: int) -> None:
    if plan.starts_at is not None and not now < plan.starts_at <= now + YEAR:
        near = abs(plan.starts_at - now) < 50 * YEAR
        raise bad_date(time(plan.starts_at, year=True) if near else str(plan.starts_at))


def bad_date(found: str) -> FormatError:
    """The refusal of a start, with what is allowed."""
    return FormatError("date: %(found)r; allowed: a date and time still to come, within a year", found=found)


def _check_prizes(shares: tuple[int, ...]) -> None:
    if sum(shares) != 100 or min(shares) <= 0 or len(shares) > MAX_PRIZES:
        raise bad_prizes(",".join(map(str, shares)))


def bad_prizes(found: str) -> FormatError:
    """The refusal of how a pot is shared out, with what is allowed."""
    return FormatError(
        "prizes: %(found)r; allowed: up to %(max_prizes)s shares in percent that sum to 100",
        found=found[:40],
        max_prizes=MAX_PRIZES,
    )


def _check_combination(plan: Plan) -> None:
    if len(plan.name) < MIN_TOURNAMENT_NAME:
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
    if plan.boards_only and plan.bots:
        raise FormatError("bots do not play at real boards; allowed: bots, or that all matches are played there")
    _check_groups(plan)
    _check_arena(plan)
    if plan.form is Form.LEAGUE and plan.patience_ms < DAY:
        raise FormatError(
            "“A match waits for its players”: %(found)s; allowed in a league: a day or longer",
            found=duration(plan.patience_ms),
        )
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


def _check_arena(plan: Plan) -> None:
    if not plan.form.continuous:
        return
    if in_days(plan.time_control):
        raise FormatError("clock: %(name)s; allowed in an arena: clocks by the minute", name=plan.time_control)
    if plan.patience_ms > plan.duration_ms:
        raise FormatError(
            "“A match waits for its players”: %(found)s; allowed in an arena of %(time)s: as long as it lasts, or shorter",
            found=duration(plan.patience_ms),
            time=duration(plan.duration_ms),
        )


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


def describe_plan(plan: Plan) -> str:
    """One line about a tournament, such as "Swiss, 5 points, cube, Crawford rule, Normal clock, rated"; without the clock at real boards."""
    rules = variant(plan.variant)
    cube = plan.cube and rules.cube
    terms = MatchTerms(length=plan.lengths[0], cube=cube, crawford=cube)
    clock = UNTIMED.name if plan.boards_only else plan.time_control
    words = [_describe_form(plan), describe_agreement(Agreement(rules, terms, clock, plan.rated, plan.fee))]
    if plan.boards_only:
        words.append(_("at real boards"))
    if len(plan.lengths) == 3:
        usual, semi, final = plan.lengths
        if semi != usual:
            words.append(_("%(points)s in the semi-final", points=semi))
        words.append(_("%(points)s in the last round", points=final))
    if plan.consolation:
        words.append(ngettext("consolation to %(num)s point", "consolation to %(num)s points", plan.consolation))
    if plan.fee:
        shares = prize_shares(plan.prizes)
        words.append(_("all to the winner") if plan.prizes == (100,) else _("prizes %(shares)s", shares=shares))
    return ", ".join(words)


def prize_shares(prizes: Iterable[int]) -> str:
    """How a pot is shared out, such as "60% / 40%"."""
    return " / ".join(percent(share / 100) for share in prizes)


def _describe_form(plan: Plan) -> str:
    if plan.form is Form.GROUPS:
        return _("%(groups)s groups, the best %(advance)s to a knock-out", groups=plan.groups, advance=plan.advance)
    if plan.form is Form.SWISS and plan.rounds:
        return ngettext("Swiss, %(num)s round", "Swiss, %(num)s rounds", plan.rounds)
    if plan.form.continuous:
        return _("Arena of %(time)s", time=_span(plan.duration_ms // MINUTE))
    return _(FORMS[plan.form])


def _span(minutes: int) -> str:
    """ "90 minutes", "2 hours"."""
    return duration(minutes * MINUTE) if minutes % 60 == 0 else ngettext("%(num)s minute", "%(num)s minutes", minutes)


def duration(ms: int) -> str:
    """ "10 minutes", "1 day"."""
    if ms >= DAY:
        return ngettext("%(num)s day", "%(num)s days", ms // DAY)
    if ms >= HOUR:
        return ngettext("%(num)s hour", "%(num)s hours", ms // HOUR)
    return ngettext("%(num)s minute", "%(num)s minutes", ms // MINUTE) if ms >= MINUTE else _("a moment")
