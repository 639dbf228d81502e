"""What the sidebar of the board shows: both clocks, deadlines, adjournments, presence, ratings."""

from __future__ import annotations

from msgspec import Struct


class ClockSide(Struct, frozen=True, gc=False):
    """One side's clock. ms: what is left of its reserve. runs: it is running.

    free_ms: what is left of its delay; of the next one while it does not run.
    """

    ms: int
    runs: bool
    free_ms: int


class ClockShown(Struct, frozen=True, gc=False):
    """Both clocks when this was sent. name: of the preset. delay_ms: free time for every turn and answer.

    free_ms: what is left of the delay now; after it the reserve runs down.
    """

    name: str
    delay_ms: int
    free_ms: int
    near: ClockSide
    far: ClockSide


class DueShown(Struct, frozen=True, gc=False):
    """What happens at the next deadline. ms: time left. by: the side that must act before it; null for both.

    kind: keep (the final roll stands), next (the next game begins), timeout (on the clock), claim (a player who left
    loses the match), seeds (the server makes those committed to and not revealed).
    """

    kind: str
    ms: int
    by: str | None


class AdjournmentShown(Struct, frozen=True, gc=False):
    """Requests about adjourning and claiming, and what the viewer may `ask` now. Sides are near and far."""

    adjourned: bool
    asked_by: str | None
    claimed_by: str | None
    may: tuple[str, ...]


class SeatPresenceShown(Struct, frozen=True, gc=False):
    """Whether a player is connected. away_ms: how long they have not been; null if they are, or if it is not known."""

    here: bool
    away_ms: int | None


class PresenceShown(Struct, frozen=True, gc=False):
    """Whether the players are connected to the match; null for a side that needs no connection, such as a bot's."""

    near: SeatPresenceShown | None
    far: SeatPresenceShown | None


class RatingShown(Struct, frozen=True, gc=False):
    """A side's rating in the pool of the match. provisional: based on few matches.

    before, after: ratings before and after this match; null until it is over, and if it is not rated.
    """

    value: float
    provisional: bool
    before: float | None
    after: float | None


class RatingsShown(Struct, frozen=True, gc=False):
    """Both sides' ratings."""

    near: RatingShown
    far: RatingShown
