"""Ladders of clubs as values: who may challenge whom, and how places change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct

from barpoint.error import BarpointError
from barpoint.server.domain.guests import Guest


class LadderRefused(BarpointError):
    """A ladder does not allow this; the message may be shown."""


class LadderOutcome(StrEnum):
    """How a challenge ended. LAPSED: nobody won, because the match was not begun in time or was voided."""

    TAKEN = "taken"
    KEPT = "kept"
    LAPSED = "lapsed"


class LadderPlan(Struct, frozen=True):
    """What is played on a ladder. reach: how many places above one may challenge. play_ms: time to begin a match."""

    name: str
    variant: str
    length: int
    cube: bool
    time_control: str
    rated: bool
    reach: int
    play_ms: int


@dataclass(frozen=True, slots=True)
class LadderChallenge:
    """A challenge. outcome: None while it is open. begun: its match has events. Times in ms since 1970."""

    match_id: str
    number: int
    challenger: Guest
    other: Guest
    at: int
    due_at: int
    outcome: LadderOutcome | None
    begun: bool

    @property
    def players(self) -> tuple[Guest, Guest]:
        """Both players, in the order of the seats of its match."""
        return self.challenger, self.other


@dataclass(frozen=True, slots=True)
class Ladder:
    """A ladder. people: from the top. challenges: the latest first."""

    id: str
    club_id: str
    plan: LadderPlan
    people: tuple[Guest, ...]
    challenges: tuple[LadderChallenge, ...]
    closed_at: int | None

    @property
    def waiting(self) -> tuple[LadderChallenge, ...]:
        """The open challenges."""
        return tuple(one for one in self.challenges if one.outcome is None)

    def place_of(self, person_id: str) -> int | None:
        """The place of a player, from 1; None for whoever is not on it."""
        return next((place for place, one in enumerate(self.people, 1) if one.id == person_id), None)

    def busy(self, person_id: str) -> bool:
        """Whether a player has an open challenge."""
        return any(person_id in (one.challenger.id, one.other.id) for one in self.waiting)

    def may_challenge(self, person_id: str, other_id: str) -> bool:
        """Whether one player may challenge another: they stand above within reach, and neither has an open challenge."""
        own, theirs = self.place_of(person_id), self.place_of(other_id)
        if self.closed_at is not None or own is None or theirs is None:
            return False
        free = not self.busy(person_id) and not self.busy(other_id)
        return free and 0 < own - theirs <= self.plan.reach


def taken(order: Sequence[str], challenger: str, other: str) -> tuple[str, ...]:
    """The order after a challenger has won: they take the place, and everybody from there on moves down by one.

    Unchanged where one of them is not on the ladder any more.
    """
    rest = [one for one in order if one != challenger]
    if other not in rest or challenger not in order or list(order).index(challenger) < list(order).index(other):
        return tuple(order)
    place = rest.index(other)
    return (*rest[:place], challenger, *rest[place:])
