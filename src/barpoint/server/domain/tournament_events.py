"""What is planned for a tournament, and everything that can happen in it; a log of these is the one truth about it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from barpoint.error import BarpointError

BOT: Final = "bot:"
"""Ids of this server's bots begin so; the level follows, then a number."""


class TournamentError(BarpointError):
    """What a tournament does not allow now; the text may be shown."""


class Form(StrEnum):
    """How a tournament is played. DOUBLE: a knock-out in which two losses put out."""

    KNOCKOUT = "knockout"
    DOUBLE = "double"
    SWISS = "swiss"


class How(StrEnum):
    """Why a game of a tournament was decided.

    ABSENT: who was not at the board in time. LEFT: who left the board before the first roll. AWAY: who has left the
    tournament. DIRECTOR: the director decided it. TIME: it was put off when its round ended.
    """

    PLAYED = "played"
    ABSENT = "absent"
    LEFT = "left"
    AWAY = "away"
    DIRECTOR = "director"
    TIME = "time"


class TournamentStage(StrEnum):
    """How far a tournament has come."""

    OPEN = "open"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


class Plan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a tournament is about; fixed when it is announced. Times in ms, dates in ms since 1970.

    lengths: points of a match; the last one in the last round, the one before it in the round before, the first one in all
    that come earlier. time_control, rated: as in `Agreement`. fee: whole tickets that each player pays in. prizes: percent of all fees,
    for the first rank and on. least, most: players. starts_at: when it begins with whoever is there; None: when `most` are.
    rounds: of a Swiss tournament; 0 for as many as tell a winner. patience_ms: how long a match waits for its players.
    round_ms: how long after a match was made it may still be put off; then it is decided as it stands. 0: for ever.
    by_lot: seeds are drawn, not taken from ratings. bots: programs may play, and the director may seat the server's.
    """

    name: str
    form: Form = Form.KNOCKOUT
    variant: str = "backgammon"
    lengths: tuple[int, ...] = (5,)
    cube: bool = True
    time_control: str = "Normal"
    rated: bool = False
    fee: int = 0
    prizes: tuple[int, ...] = (100,)
    least: int = 2
    most: int = 16
    starts_at: int | None = None
    rounds: int = 0
    patience_ms: int = 600_000
    by_lot: bool = False
    bots: bool = False
    round_ms: int = 0


class TournamentEventBase(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True, omit_defaults=True):
    """Anything that can happen in a tournament."""


class Joined(TournamentEventBase, frozen=True, tag="join"):
    """A player has entered. name: of a bot; persons have theirs elsewhere, since they may change it."""

    player: str
    name: str = ""


class Left(TournamentEventBase, frozen=True, tag="leave"):
    """A player has left; before the start without a trace, later he loses what he has still to play."""

    player: str
    removed: bool = False


class Started(TournamentEventBase, frozen=True, tag="start"):
    """It begins. order: all players by seed. rounds: of a Swiss tournament."""

    order: tuple[str, ...]
    rounds: int = 0


class Paired(TournamentEventBase, frozen=True, tag="pair"):
    """The next round of a Swiss tournament. pairs: with BYE as the second of the last one where somebody is free."""

    pairs: tuple[tuple[str, str], ...]


class Extended(TournamentEventBase, frozen=True, tag="extend"):
    """No match is decided by the end of its round before this time."""

    until: int


class Decided(TournamentEventBase, frozen=True, tag="result"):
    """A game has ended. winner: None where both have lost it."""

    game: int
    winner: str | None
    how: How = How.PLAYED


class TournamentCancelled(TournamentEventBase, frozen=True, tag="cancel"):
    """It does not take place, or not any further; all fees go back."""

    reason: str = ""


TournamentEvent = Joined | Left | Started | Paired | Extended | Decided | TournamentCancelled
