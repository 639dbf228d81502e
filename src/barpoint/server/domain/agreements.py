"""What two players agree on before a match: rules, terms, time control, rated or not, entry fee."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from barpoint.error import FormatError
from barpoint.language import _, ngettext
from barpoint.match import MatchTerms
from barpoint.number_text import number_in
from barpoint.rules import Rules
from barpoint.server.domain.limits import MAX_CORRESPONDENCE_DAYS
from barpoint.server.domain.time_control import (
    CORRESPONDENCE,
    DAY,
    SECOND,
    TIME_CONTROLS,
    UNTIMED,
    TimeControl,
    correspondence,
)

MAX_FEE: Final = 10_000
"""Tickets of the highest entry fee."""

_DAYS: Final = f"{CORRESPONDENCE.name} "


@dataclass(frozen=True, slots=True)
class Agreement:
    """What two players agree on before a match is made.

    time_control: the name of a clock preset, as `time_control_named` reads it. rated: the result changes both ratings.
    fee: whole tickets that each player pays in and the winner gets; 0 for none.
    """

    rules: Rules = field(default_factory=Rules)
    terms: MatchTerms = field(default_factory=MatchTerms)
    time_control: str = UNTIMED.name
    rated: bool = False
    fee: int = 0

    @property
    def needs_account(self) -> bool:
        """Whether it needs an account: guests can play neither rated matches nor for tickets."""
        return self.rated or self.fee > 0


def time_control_named(name: str) -> TimeControl:
    """The clock preset of that name; "Correspondence 5" gives five days per turn. FormatError lists the presets."""
    for time_control in TIME_CONTROLS:
        if time_control.name == name:
            return time_control
    if name.startswith(_DAYS) and (days := number_in(name.removeprefix(_DAYS), 1, MAX_CORRESPONDENCE_DAYS)):
        return correspondence(days)
    raise FormatError(
        "clock: %(name)r; allowed: %(allowed)s, %(days)s1 to %(max_correspondence_days)s",
        name=name[:20],
        allowed=", ".join(time_control.name for time_control in TIME_CONTROLS),
        days=_DAYS,
        max_correspondence_days=MAX_CORRESPONDENCE_DAYS,
    )


def clock_words(name: str) -> str:
    """How a clock of that name appears in a line about a match: "Fast clock", "3 days a turn", "no clock"."""
    time_control = time_control_named(name)
    if not time_control.timed:
        return _("no clock")
    days = time_control.delay_ms // DAY
    if days:
        return ngettext("%(num)s day a turn", "%(num)s days a turn", days)
    return _("%(name)s clock", name=_(name))


def clock_choices() -> list[tuple[str, str]]:
    """The clocks that a page offers: names, each with a line about reserve and delay."""
    live = [time_control for time_control in TIME_CONTROLS if time_control.point_ms]
    lines = [
        _(
            "%(name)s: %(reserve)s s/point + %(delay)s s",
            name=_(time_control.name),
            reserve=time_control.point_ms // SECOND,
            delay=time_control.delay_ms // SECOND,
        )
        for time_control in live
    ]
    days = [f"{_DAYS}{days}" for days in (1, 3, 7)]
    chosen = [(time_control.name, line) for time_control, line in zip(live, lines, strict=True)]
    return [(UNTIMED.name, _("No clock")), *chosen, *((name, clock_words(name)) for name in days)]


def check_agreement(agreement: Agreement, registered: bool) -> Agreement:
    """Returns the agreement if this person, with or without an account, may accept it; otherwise FormatError."""
    time_control_named(agreement.time_control)
    if not 0 <= agreement.fee <= MAX_FEE:
        raise FormatError("entry fee: %(fee)s; allowed: 0 to %(max_fee)s", fee=agreement.fee, max_fee=MAX_FEE)
    if agreement.terms.money and agreement.needs_account:
        raise FormatError("a money session has no end to rate or to pay out at; choose a length of 1 to 15 points")
    if agreement.needs_account and not registered:
        if agreement.rated:
            raise FormatError("rated matches are for players with an account; register, or play a casual match")
        raise FormatError("matches with an entry fee are for players with an account; register, or play a casual match")
    return agreement
