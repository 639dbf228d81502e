"""Times at which two players agree to play their match, as values; and as an entry of a calendar."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
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

SEQUENCE_FROM_MS: Final = 1_767_225_600_000
"""The seconds since the beginning of 2026 number the entries of a match, in 32 bits."""

OCTETS: Final = 75
"""Maximum octets of a line of a calendar (RFC 5545, 3.1)."""


CALLED_OFF: Final = 0
"""`agreed_at` of a time that was agreed on and called off."""


WITHDRAWN: Final = (0,)
"""`times` of a proposal that was withdrawn: one that has passed, since older programs read the first."""


class AppointmentRefused(BarpointError):
    """Nobody can propose or accept this time; the message may be shown."""


@dataclass(frozen=True, slots=True)
class Appointment:
    """Times that somebody proposes to the other player of a match, the one that both have agreed on, or the one that somebody has called off.

    by: who proposed, or called off. times: once one was called off, that one, before those proposed instead; `WITHDRAWN`
    once they are. Times in ms since 1970.
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
        return self.times[0] if self.agreed_at == CALLED_OFF and self.times[0] > now - PAST_MS else None


def checked_times(times: Iterable[int], now: int, before: int | None) -> tuple[int, ...]:
    """The times of a proposal, in order. before: when the match has to have begun; None for no such time. AppointmentRefused."""
    found = tuple(sorted(set(times)))
    latest = min(now + AHEAD_MS, before if before is not None else now + AHEAD_MS)
    if not 1 <= len(found) <= MAX_TIMES:
        raise AppointmentRefused("%(count)s times; allowed: 1 to %(most)s", count=len(found), most=MAX_TIMES)
    if found[0] <= now or found[-1] >= latest:
        raise AppointmentRefused("propose times that are still to come, and not too late for the match")
    return found


class CalendarMethod(StrEnum):
    """What a calendar does with an entry (RFC 5546, 3.2): it takes it over, or drops it."""

    PUBLISH = "PUBLISH"
    CANCEL = "CANCEL"


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """A time to play in a calendar.

    at: ms since 1970. summary: its title. address: of the match. organizer: the address that mails come from, which
    RFC 5546 wants where there is a method; "" where no mail is sent, and then nothing is cancelled.
    """

    match_id: str
    at: int
    summary: str
    address: str
    organizer: str = ""
    method: CalendarMethod = CalendarMethod.PUBLISH

    def __post_init__(self) -> None:
        assert self.organizer or not self.cancels, "calendars take no cancellation without an organizer"

    @property
    def cancels(self) -> bool:
        """Whether it takes an entry out of a calendar."""
        return self.method is CalendarMethod.CANCEL

    def text(self, now: int) -> str:
        """The entry in iCalendar (RFC 5545). Of several for one match the one that was made last holds, and one that cancels before one of the same second."""
        method = [f"METHOD:{self.method}"] if self.organizer else []
        lines = (
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//Barpoint//Barpoint//EN",
            *method,
            "BEGIN:VEVENT",
            f"UID:{self.match_id}@barpoint",
            f"SEQUENCE:{max(0, now - SEQUENCE_FROM_MS) // 1000 + self.cancels}",
            f"DTSTAMP:{_stamp(now)}",
            *([f"ORGANIZER:mailto:{self.organizer}"] if self.organizer else []),
            f"DTSTART:{_stamp(self.at)}",
            "DURATION:PT1H",
            f"SUMMARY:{_escaped(self.summary)}",
            f"URL:{self.address}",
            *(["STATUS:CANCELLED"] if self.cancels else self._reminder()),
            "END:VEVENT",
            "END:VCALENDAR",
        )
        return "".join(f"{_folded(line)}\r\n" for line in lines)

    def _reminder(self) -> tuple[str, ...]:
        said = f"DESCRIPTION:{_escaped(self.summary)}"
        return "BEGIN:VALARM", "ACTION:DISPLAY", said, f"TRIGGER:-PT{REMIND_MS // MINUTE}M", "END:VALARM"


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
