"""Limits that several parts share; and rate limits, so that nobody can keep the server busy alone."""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import Final

ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""The alphabet of ids and recovery codes, without letters that look alike."""

ID_LENGTH: Final = 12
"""Length of the id of a match, a chouette or a tournament."""

MAX_POINTS: Final = 15
"""Points of the longest match (S4-14)."""

FORGOTTEN_DAYS: Final = 30
"""Days after which a match of guests that nobody has touched leaves the lists."""

MAX_CORRESPONDENCE_DAYS: Final = 30
"""Days a turn of the slowest clock."""

MIN_NAME: Final = 2
MAX_NAME: Final = 20
"""Letters of the name of an account."""

MAX_NAME_KEY: Final = 80
"""Characters of a name that are compared; compatible letters can make it longer than it was typed."""

MAX_GUEST_NAME: Final = 24
MAX_TOKEN_NAME: Final = 40
MIN_TOURNAMENT_NAME: Final = 3
MAX_TOURNAMENT_NAME: Final = 60
MAX_CANCEL_REASON: Final = 100
MAX_VARIANT_NAME: Final = 300

MIN_CLUB_NAME: Final = 3
MAX_CLUB_NAME: Final = 60
MAX_CLUB_TEXT: Final = 2000
MAX_SEASON_NAME: Final = 40

MAX_NOTICE_TEXT: Final = 1000
"""Characters of a notice of a club."""

MAX_NOTICES: Final = 50
"""Notices that a club keeps."""

MIN_PASSWORD: Final = 8
MAX_PASSWORD: Final = 200
MAX_EMAIL: Final = 254

MAX_CHAT_TEXT: Final = 300
"""Characters of a line of chat."""

MAX_MESSAGE_TEXT: Final = 2000
"""Characters of a message from one person to another."""

MAX_CHAT_LINES: Final = 500
"""Lines kept per match or chouette."""

MAX_REPORT_TEXT: Final = 1000
"""Characters of a report about somebody."""

MAX_BAN_REASON: Final = 200
MAX_LANGUAGE: Final = 16

MAX_OPEN_FROM_ONE: Final = 300
"""Connections from one address at the same time; behind a proxy, requests and WebSockets."""


@dataclass(slots=True)
class Credit:
    """A token bucket: `burst` acts at once, refilled by `per_second`. `now` is in seconds and only grows."""

    burst: float
    per_second: float
    left: float
    at: float

    def spend(self, now: float) -> bool:
        """Spends one act; False if none is left."""
        self.left = min(self.burst, self.left + (now - self.at) * self.per_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Credits:
    """A `Credit` for every name. Beyond `kept` names, the least recently used are forgotten."""

    def __init__(self, burst: float, per_second: float, clock: Callable[[], float], kept: int = 10_000) -> None:
        self._burst, self._per_second, self._clock, self._kept = burst, per_second, clock, kept
        self._credits: OrderedDict[str, Credit] = OrderedDict()

    @property
    def retry_s(self) -> int:
        """Seconds after which somebody who has none left has one again."""
        return math.ceil(1 / self._per_second)

    def spend(self, name: str) -> bool:
        """Spends one act of this name; False if none is left."""
        now = self._clock()
        credit = self._credits.setdefault(name, Credit(self._burst, self._per_second, self._burst, now))
        self._credits.move_to_end(name)
        while len(self._credits) > self._kept:
            self._credits.popitem(last=False)
        return credit.spend(now)


def counted_as(address: str) -> str:
    """What limits count an address as: IPv6 by its first 64 bits, because one connection has all the others."""
    if ":" not in address:
        return address
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64))


class Places:
    """Who is in at the same time: at most `most` in all, and `from_one` from one address."""

    def __init__(self, most: int, from_one: int) -> None:
        self.most, self.from_one, self.taken = most, from_one, 0
        self._from: Counter[str] = Counter()

    def enter(self, address: str, *, shared: bool = False) -> bool:
        """Takes a place, which `leave` gives back; False if there is none. shared: many people come from this address."""
        counted = counted_as(address)
        if self.taken >= self.most or (not shared and self._from[counted] >= self.from_one):
            return False
        self.taken += 1
        self._from[counted] += 1
        return True

    def leave(self, address: str) -> None:
        """Gives back a place."""
        counted = counted_as(address)
        self.taken -= 1
        self._from[counted] -= 1
        if not self._from[counted]:
            del self._from[counted]


def _credits(burst: float, per_second: float) -> Callable[[], Credits]:
    return lambda: Credits(burst, per_second, time.monotonic)


@dataclass(frozen=True, slots=True)
class Allowance:
    """Rate limits, each by address or by name.

    creations: guests and matches, by address and by person (`may_create`). registrations: accounts, as many as people register at a club evening. guesses: passwords and codes, by account name and
    address; names: the same by name alone, slowly, against many addresses; entries: by address alone. letters: mail, by address and by account. calls: of the bot API, by person. chat: lines and messages, by person. strangers: first messages to somebody, by person.
    lines: of FIBS clients, by account; address_lines: the same by address, also before a login.
    analyses: of matches, by address. files: imported matches, by address. answers: in a quiz, by address.
    positions: questions of the analysis board, by address; rollouts: the same. exports: of libraries, by person.
    pages: of long matches, by address.
    """

    creations: Credits = field(default_factory=_credits(40, 0.5))
    registrations: Credits = field(default_factory=_credits(30, 1 / 300))
    guesses: Credits = field(default_factory=_credits(10, 1 / 60))
    names: Credits = field(default_factory=_credits(200, 1 / 10))
    entries: Credits = field(default_factory=_credits(30, 1 / 10))
    letters: Credits = field(default_factory=_credits(5, 1 / 600))
    calls: Credits = field(default_factory=_credits(120, 40))
    lines: Credits = field(default_factory=_credits(60, 20))
    address_lines: Credits = field(default_factory=_credits(600, 100))
    chat: Credits = field(default_factory=_credits(6, 0.5))
    strangers: Credits = field(default_factory=_credits(20, 1 / 300))
    analyses: Credits = field(default_factory=_credits(10, 1 / 120))
    files: Credits = field(default_factory=_credits(20, 1 / 30))
    answers: Credits = field(default_factory=_credits(60, 0.5))
    positions: Credits = field(default_factory=_credits(300, 20))
    rollouts: Credits = field(default_factory=_credits(20, 1 / 30))
    exports: Credits = field(default_factory=_credits(20, 1 / 20))
    pages: Credits = field(default_factory=_credits(30, 1 / 3))

    def may_create(self, address: str, person_id: str | None = None) -> bool:
        """Whether one more guest or match may be created from this address and by this person; counts it."""
        return (person_id is None or self.creations.spend(f"person {person_id}")) and self.creations.spend(address)
