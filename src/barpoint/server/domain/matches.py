"""The fixed part of a match, apart from its events: who sits where, and the seeds of its dice."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from barpoint.match import MatchTerms
from barpoint.rules import Rules
from barpoint.server.domain.agreements import Agreement, time_control_named
from barpoint.server.domain.dice import Seeds
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.seat_names import A_FRIEND, shown_name
from barpoint.server.domain.time_control import UNTIMED, TimeControl

BOTH: Final = 2
"""The seat of the person who keeps the record for both players at a real board."""


class SeatKind(StrEnum):
    """Who holds a seat. REAL_BOARD: a person at a real board, for whom the guest keeps the record."""

    GUEST = "guest"
    BOT = "bot"
    OPEN = "open"
    REAL_BOARD = "board"


class SeedState(StrEnum):
    """How far the seed of a seat has come: awaited, committed to, or revealed."""

    AWAITED = "awaited"
    COMMITTED = "committed"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class MatchSeat:
    """A seat of a match.

    guest: the guest's id; level: the bot's level; invitation: the secret of the link that takes an open seat.
    client_seed: "" until it is revealed.
    commitment: its SHA-256, which the player has published before.
    by_player: the player gives the seed; otherwise the server makes it.
    bot: a program plays here, of this server or another.
    tutored: the player wants a tutor.
    """

    kind: SeatKind
    name: str
    client_seed: str = ""
    guest: str | None = None
    level: str | None = None
    invitation: str | None = None
    commitment: str | None = None
    by_player: bool = False
    bot: bool = False
    tutored: bool = False

    @property
    def shown_name(self) -> str:
        """What the holder is called, in the language that holds now."""
        return shown_name(self.name, person=self.kind is SeatKind.GUEST)

    @property
    def seeding(self) -> SeedState:
        """How far the seed of this seat has come."""
        return SeedState.KNOWN if self.client_seed else SeedState.COMMITTED if self.commitment else SeedState.AWAITED


def seat_for(
    guest: Guest | None,
    *,
    name: str = "",
    level: str | None = None,
    invitation: str | None = None,
    tutored: bool = False,
) -> MatchSeat:
    """A seat for a guest, for a bot of a level, or, with the secret of its link, an open one."""
    if guest is not None:
        return MatchSeat(SeatKind.GUEST, guest.name, guest=guest.id, bot=guest.bot, tutored=tutored)
    if level is not None:
        return MatchSeat(SeatKind.BOT, name, level=level, bot=True)
    return MatchSeat(SeatKind.OPEN, name, invitation=invitation)


def open_seat(name: str = A_FRIEND) -> MatchSeat:
    """A seat for whoever follows its link first, with a new secret."""
    return seat_for(None, name=name, invitation=secrets.token_urlsafe(12))


def real_board_seats(adjournments: Guest, names: tuple[str, str]) -> tuple[MatchSeat, MatchSeat]:
    """Two people at a real board, for whom a guest keeps the record."""
    first, second = (MatchSeat(SeatKind.REAL_BOARD, name, guest=adjournments.id) for name in names)
    return first, second


@dataclass(frozen=True, slots=True)
class Adjournment:
    """Pending requests about adjourning or abandoning a match. Times in ms since 1970.

    adjourned_at: since when the match is adjourned, with no clock running. asked_by: the seat that proposes to adjourn
    or to resume. claimed_by: the seat that claims the win because the other has left; it gets it at the deadline.
    """

    adjourned_at: int | None = None
    asked_by: int | None = None
    claimed_by: int | None = None


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """A match apart from its events. Times in ms since 1970.

    rules: as the catalogue spells and defines them today.
    rules_version: the version it was begun under.
    deadline_at: when the server acts if nobody else does: out of time, a claim, seeds of the dice that are not
    revealed.
    rematch: the id of the match that was agreed on after this one.
    time_control, rated, fee: as in `Agreement`. pause_ms: given back in the running period, for time in which nobody
    could play. replaced_by: the id of the corrected version of this record of a real board.
    """

    id: str
    rules: Rules
    terms: MatchTerms
    rules_version: int
    server_seed: bytes
    seats: tuple[MatchSeat, MatchSeat]
    created_at: int
    deadline_at: int | None = None
    rematch: str | None = None
    time_control: str = UNTIMED.name
    rated: bool = False
    fee: int = 0
    pause_ms: int = 0
    adjournment: Adjournment = Adjournment()
    replaced_by: str | None = None

    @property
    def agreement(self) -> Agreement:
        """What was agreed on."""
        return Agreement(self.rules, self.terms, self.time_control, self.rated, self.fee)

    @property
    def clock_preset(self) -> TimeControl:
        """The time control of the match."""
        time_control = time_control_named(self.time_control)
        return (
            replace(time_control, final_ms=None) if self.by_hand else time_control
        )  # at a real board players let a roll stand themselves

    @property
    def seeds(self) -> Seeds:
        """The seeds of this match's dice."""
        first, second = self.seats
        return Seeds(self.id, self.server_seed, (first.client_seed, second.client_seed))

    @property
    def commitments(self) -> tuple[str | None, str | None]:
        """The commitments to the seeds that players gave; None for a seed that the server made."""
        first, second = (seat.commitment if seat.by_player else None for seat in self.seats)
        return first, second

    @property
    def complete(self) -> bool:
        """Whether all seats are taken."""
        return all(seat.kind is not SeatKind.OPEN for seat in self.seats)

    @property
    def by_hand(self) -> bool:
        """Whether the match is played at a real board and entered here."""
        return self.terms.manual

    @property
    def ready(self) -> bool:
        """Whether dice can be rolled: all seats are taken, and the seeds are known."""
        return self.complete and all(seat.seeding is SeedState.KNOWN for seat in self.seats)

    @property
    def all_committed(self) -> bool:
        """Whether every seed is committed to, so that they can be revealed."""
        return self.complete and all(seat.seeding is not SeedState.AWAITED for seat in self.seats)

    def seat_of(self, guest: str | None) -> int | None:
        """The seat that a guest holds; BOTH for the person who keeps the record of a real board."""
        if self.by_hand:
            return BOTH if guest is not None and self.seats[0].guest == guest else None
        for index, seat in enumerate(self.seats):
            if guest is not None and seat.guest == guest:
                return index
        return None
