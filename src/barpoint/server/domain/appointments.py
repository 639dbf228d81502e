"""Times at which two players agree to play their match, as values; and as an entry of a calendar."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from barpoint.error import BarpointError
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import DAY, HOUR, MINUTE

MAX_TIMES: Final = 3
"""Times that one proposal names."""

AHEAD_MS: Final = 366 * DAY
"""How far ahead people arrange to play."""

REMIND_MS: Final = 15 * MINUTE
"""How long before the time both are reminded of it."""

QUIET_MS: Final = 6 * HOUR
"""For how long somebody who was told of a proposal is not told of another one by the same person."""

PAST_MS: Final = HOUR
"""For how long an agreed time is still shown."""

OCTETS: Final = 75
"""Maximum octets of a line of a calendar (RFC 5545, 3.1)."""


CALLED_OFF: Final = 0
"""`agreed_at` of a time that was agreed on and called off."""


class AppointmentRefused(BarpointError):
    """Nobody can propose or accept this time; the message may be shown."""


@dataclass(frozen=True, slots=True)
class Appointment:
    """Times that somebody proposes to the other player of a match, the one that both have agreed on, or the one that somebody has called off.

    by: who proposed, or called off. times: once one was called off, that one, before those proposed instead. Times in ms since 1970.
    """

    match_id: str
    by: Guest
    other: Guest
    times: tuple[int, ...]
    agreed_at: int | None = None

    def opponent_of(self, person_id: str) -> Guest:
        """The other player."""
        return self.other if self.by.id == person_id else self.by

    def offered(self, now: int) -> tuple[int, ...]:
        """The times that can still be accepted."""
        proposed = () if self.agreed_at else self.times[1:] if self.agreed_at == CALLED_OFF else self.times
        return tuple(at for at in proposed if at > now)

    def agreed(self, now: int) -> int | None:
        """The time that both have agreed on, unless it has passed."""
        return self.agreed_at if self.agreed_at and self.agreed_at > now - PAST_MS else None

    def called_off(self, now: int) -> int | None:
        """The time that was called off, unless it has passed."""
        at = self.times[0]
        return at if self.agreed_at == CALLED_OFF and at > now - PAST_MS else None


def checked_times(times: Iterable[int], now: int, before: int | None) -> tuple[int, ...]:
    """The times of a proposal, in order. before: when the match has to have begun; None for no such time. AppointmentRefused."""
    found = tuple(sorted(set(times)))
    latest = min(now + AHEAD_MS, before if before is not None else now + AHEAD_MS)
    if not 1 <= len(found) <= MAX_TIMES:
        raise AppointmentRefused("%(count)s times; allowed: 1 to %(most)s", count=len(found), most=MAX_TIMES)
    if found[0] <= now or found[-1] >= latest:
        raise AppointmentRefused("propose times that are still to come, and not too late for the match")
    return found


def calendar_entry(one: Appointment, summary: str, address: str, now: int) -> str:
    """An agreed time in iCalendar (RFC 5545), with a reminder. summary: its title. address: of the match."""
    assert one.agreed_at is not None, "both have agreed on a time"
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Barpoint//Barpoint//EN",
        "BEGIN:VEVENT",
        f"UID:{one.match_id}@barpoint",
        f"DTSTAMP:{_stamp(now)}",
        f"DTSTART:{_stamp(one.agreed_at)}",
        "DURATION:PT1H",
        f"SUMMARY:{_escaped(summary)}",
        f"URL:{address}",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{_escaped(summary)}",
        f"TRIGGER:-PT{REMIND_MS // MINUTE}M",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _stamp(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    return "".join(f"\\{one}" if one in "\\;," else one for one in text)


def _folded(line: str) -> str:
    """A line broken where it would be too long; no character is torn apart."""
    parts, size = [""], 0
    for character in line:
        length = len(character.encode())
        if size + length > OCTETS:
            parts.append(" ")
            size = 1
        parts[-1] += character
        size += length
    return "\r\n".join(parts)
