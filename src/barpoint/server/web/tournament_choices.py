"""What the form of a tournament offers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from barpoint.language import N_, _, ngettext
from barpoint.number_text import number_in
from barpoint.server.domain.agreements import clock_choices
from barpoint.server.domain.limits import MAX_POINTS
from barpoint.server.domain.time_control import MINUTE
from barpoint.server.domain.tournament_plans import FORMS, MAX_ADVANCE, MAX_GROUPS, duration, prize_shares
from barpoint.server.web.variants import games_listed

Choices = list[tuple[str, str]]
"""(value, line) of everything that a field offers."""

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
    "2": N_("2 minutes"),
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

DURATIONS: Final = {
    "30": N_("30 minutes"),
    "60": N_("an hour"),
    "90": N_("90 minutes"),
    "120": N_("2 hours"),
    "180": N_("3 hours"),
    "360": N_("6 hours"),
}
"""How long an arena pairs its players, in minutes."""

BOARDS_ONLY: Final = "only"
BOARDS: Final = {
    "": N_("Here, on this server"),
    "1": N_("Here or at real boards, as the players like"),
    BOARDS_ONLY: N_("All at real boards: results only"),
}
"""Where matches are played."""

PRIZES: Final = ("100", "60,40", "50,30,20")


def choices(fields: Mapping[str, str]) -> dict[str, Choices]:
    """What each field offers; a number that a plan has from elsewhere, such as the API, is offered too.

    fields: what the form shows, as `plan_fields` returns it.
    """
    points = [(str(count), _points(count)) for count in range(1, MAX_POINTS + 1)]
    late = [(str(count), _("until round %(count)s is over", count=count)) for count in (1, 2, 3)]
    offered = {
        "form": [(form.value, _(title)) for form, title in FORMS.items()],
        "variant": games_listed(),
        "length": points,
        "semi": [("", _("the same")), *points],
        "final": [("", _("the same")), *points],
        "time_control": [(name, line) for name, line in clock_choices() if name != "None"],
        "starts": _translated(STARTS),
        "patience": [("", _("10 min; arena 2, league 2 weeks")), *_translated(PATIENCE)],
        "round": _translated(ROUNDS),
        "duration": _translated(DURATIONS),
        "boards": _translated(BOARDS),
        "rounds": [("0", _("as many as tell a winner")), *_numbers(range(1, MAX_POINTS + 1))],
        "late": [("0", _("none")), *late],
        "byes": [("0", _("none")), *_numbers(range(1, 4))],
        "bye_won": [("", _("nothing")), ("1", _("as won"))],
        "groups": _numbers(range(2, MAX_GROUPS + 1)),
        "advance": _numbers(range(1, MAX_ADVANCE + 1)),
        "consolation": [("0", _("none")), *points],
        "prizes": [(prizes, _shares(prizes)) for prizes in PRIZES],
    }
    for name, listed in offered.items():
        value = fields.get(name, "")
        if value not in dict(listed) and (line := _line(name, value)):
            offered[name] = [*listed, (value, line)]
    return offered


def _points(count: int) -> str:
    return ngettext("%(num)s point", "%(num)s points", count)


def _translated(lines: Mapping[str, str]) -> Choices:
    return [(value, _(line)) for value, line in lines.items()]


def _numbers(numbers: Iterable[int]) -> Choices:
    return [(str(number), str(number)) for number in numbers]


def _line(name: str, value: str) -> str:
    """A value of a field that is not among what is listed, in words; "" for one that no plan can have."""
    numbers = value.split(",") if name == "prizes" else [value]
    if any(number_in(number, 0, 999_999_999) is None for number in numbers):
        return ""
    if name in ("patience", "round", "duration"):
        return duration(MINUTE * int(value))
    return _shares(value) if name == "prizes" else value


def _shares(prizes: str) -> str:
    """Shares of the pot in words, such as "60% / 40%"."""
    return _("All to the winner") if prizes == "100" else prize_shares(map(int, prizes.split(",")))
