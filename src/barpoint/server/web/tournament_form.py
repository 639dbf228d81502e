"""Converts a form to the plan of a tournament, and a plan to the fields of a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from barpoint import language
from barpoint.error import FormatError
from barpoint.language import date, time
from barpoint.number_text import number_in
from barpoint.server.domain.own_settings import zone_in
from barpoint.server.domain.seat_names import shown_name
from barpoint.server.domain.time_control import DAY, MINUTE
from barpoint.server.domain.titles import variant_title
from barpoint.server.domain.tournament_events import Form, Plan
from barpoint.server.domain.tournament_plans import (
    PATIENCE,
    PATIENCE_OF,
    bad_date,
    bad_prizes,
    checked_plan,
    describe_plan,
    out_of_range,
)
from barpoint.server.domain.tournaments import AGREED
from barpoint.server.storage.tournament_lists import ListedTournament
from barpoint.server.web.tournament_choices import BOARDS_ONLY
from barpoint.server.web.variants import games_listed
from barpoint.variants import variant

NEW: Final = Plan(name="", max_players=8, round_ms=DAY)
"""What the form of a new tournament shows at first."""

NAMED_OTHERWISE: Final = {
    "variant": ("variant", "other"),
    "lengths": ("length", "semi", "final"),
    "boards_only": ("boards",),
}
"""Fields of a form that stand for a field of a plan with another name."""

AGREED_FIELDS: Final = frozenset(field for name in AGREED for field in NAMED_OTHERWISE.get(name, (name,)))
"""Fields of a form that do not change once somebody has entered."""


def plan_fields(plan: Plan) -> dict[str, str]:
    """The fields of a form that `read_plan` reads as this plan; boxes that are not ticked are left out.

    The start is a date in UTC, without its seconds.
    """
    listed = plan.variant in dict(games_listed())
    usual, semi, final = plan.lengths if len(plan.lengths) == 3 else (*plan.lengths, "", "")
    start = plan.starts_at
    ticked = ("cube", "rated", "by_lot", "bots")
    return {
        "name": plan.name,
        "form": plan.form.value,
        "variant": plan.variant if listed else "backgammon",
        "other": "" if listed else plan.variant,
        "length": str(usual),
        "semi": str(semi),
        "final": str(final),
        "time_control": plan.time_control,
        "fee": str(plan.fee),
        "prizes": ",".join(map(str, plan.prizes)),
        "min_players": str(plan.min_players),
        "max_players": str(plan.max_players),
        "starts": "",
        "date": "" if start is None else datetime.fromtimestamp(start / 1000, UTC).strftime("%Y-%m-%dT%H:%M"),
        "zone": "UTC",
        "boards": BOARDS_ONLY if plan.boards_only else "1" if plan.boards else "",
        "rounds": str(plan.rounds),
        "late": str(plan.late),
        "byes": str(plan.byes),
        "bye_won": "1" if plan.bye_won else "",
        "groups": str(plan.groups),
        "advance": str(plan.advance),
        "consolation": str(plan.consolation),
        "patience": str(plan.patience_ms // MINUTE),
        "round": str((plan.round_ms or DAY) // MINUTE),
        "duration": str(plan.duration_ms // MINUTE or 60),
    } | {name: "1" for name in ticked if getattr(plan, name)}


def with_agreed(form: Mapping[str, str], plan: Plan) -> dict[str, str]:
    """A form that changes a plan, with the fields that no longer change, which browsers do not send."""
    kept = {name: value for name, value in plan_fields(plan).items() if name in AGREED_FIELDS}
    return {**kept, **form}


def read_plan(form: Mapping[str, str], now: int) -> Plan:
    """The plan of a form, `now` in ms since 1970; FormatError, UnknownVariant, VariantsClash.

    variant: a name as everywhere; other: a typed name instead. length, semi, final: points, the last two empty to
    repeat the one before. starts: minutes from now, empty to start when all places are taken;
    boards: where matches are played, "" for here, "1" for here or at real boards, "only" for real boards alone.
    date: a date and time in this zone ("UTC" by default) instead. patience, round, duration: minutes; without patience what is
    usual for the form.
    """
    kind = _form(form.get("form", Form.KNOCKOUT))
    return checked_plan(
        Plan(
            name=form.get("name", ""),
            form=kind,
            variant=form.get("other", "").strip() or form.get("variant", "backgammon"),
            lengths=_lengths(form),
            cube="cube" in form,
            time_control=form.get("time_control", "Normal"),
            rated="rated" in form,
            fee=_number(form, "fee", 0),
            prizes=_prizes(form.get("prizes", "100")),
            min_players=_number(form, "min_players", 2),
            max_players=_number(form, "max_players", 8),
            starts_at=entered_time(form.get("date", ""), form.get("zone", "")) or _start(form, now),
            rounds=_number(form, "rounds", 0),
            late=_number(form, "late", 0),
            byes=_number(form, "byes", 1),
            bye_won=bool(form.get("bye_won")),
            boards=bool(form.get("boards")),
            boards_only=form.get("boards") == BOARDS_ONLY,
            groups=_number(form, "groups", 2),
            advance=_number(form, "advance", 2),
            consolation=_number(form, "consolation", 0),
            patience_ms=MINUTE * _number(form, "patience", PATIENCE_OF.get(kind, PATIENCE)),
            by_lot="by_lot" in form,
            bots="bots" in form,
            round_ms=MINUTE * _number(form, "round", 1440),
            duration_ms=MINUTE * _number(form, "duration", 60),
        ),
        now,
    )


def _start(form: Mapping[str, str], now: int) -> int | None:
    return now + MINUTE * _number(form, "starts", 0) if form.get("starts", "") else None


def entered_time(text: str, zone: str) -> int | None:
    """A date and time in a zone such as Europe/Berlin, "" for UTC, in ms since 1970; None without one. FormatError.

    text: such as 2026-12-24T19:30.
    """
    if not text.strip():
        return None
    here = zone_in(zone or "UTC")
    if here is None:
        raise FormatError("time zone %(zone)r; allowed: such as Europe/Berlin, or UTC", zone=zone[:40])
    try:
        return int(datetime.fromisoformat(text.strip()).replace(tzinfo=here).timestamp() * 1000)
    except (ValueError, OverflowError):
        raise bad_date(text[:20]) from None


def _form(text: str) -> Form:
    try:
        return Form(text)
    except ValueError:
        raise FormatError("form: %(found)r; allowed: %(allowed)s", found=text[:20], allowed=", ".join(Form)) from None


def _lengths(form: Mapping[str, str]) -> tuple[int, ...]:
    usual = _number(form, "length", 5)
    semi = _number(form, "semi", usual)
    final = _number(form, "final", semi)
    return (usual,) if usual == semi == final else (usual, semi, final)


def _prizes(text: str) -> tuple[int, ...]:
    prizes = []
    for part in text.split(","):
        if (prize := number_in(part.strip(), 0, 999)) is None:
            raise bad_prizes(text)
        prizes.append(prize)
    return tuple(prizes)


def _number(form: Mapping[str, str], name: str, default: int) -> int:
    text = form.get(name, "").strip()
    if not text:
        return default
    number = number_in(text, 0, 999_999)
    if number is None:
        raise out_of_range(name, text)
    return number


def ticket(listed: ListedTournament, won: Sequence[str] = ()) -> dict[str, object]:
    """A tournament in a list. won: the names of who won it, where the list says so."""
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
        "day": date(listed.ended_at) if listed.ended_at is not None else "",
        "winners": language.listed([shown_name(name, person=False) for name in won]),
    }
