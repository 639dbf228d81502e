"""What the sidebar of the board shows: both clocks, deadlines, adjournments, ratings."""

from __future__ import annotations

from msgspec import Struct


class ClockSide(Struct, frozen=True):
    """One side's clock. ms: what is left of its reserve. runs: its time runs."""

    ms: int
    runs: bool


class ClockShown(Struct, frozen=True):
    """Both clocks, as they stood when this was sent. name: of the preset. delay_ms: free for every turn and answer.

    free_ms: what is left of it in the running one; afterwards the reserve runs.
    """

    name: str
    delay_ms: int
    free_ms: int
    near: ClockSide
    far: ClockSide


class DueShown(Struct, frozen=True):
    """What happens when nobody does anything. ms: time left. by: the side that has to do something, null for both.

    kind: keep (the final roll stands), next (the next game begins), timeout (by the clock), claim (the match is lost by
    a player who has left), seeds (the server makes those that were sealed and not told).
    """

    kind: str
    ms: int
    by: str | None


class AdjournmentShown(Struct, frozen=True):
    """What has been asked for around the events, and what the viewer may `ask` for now. Sides are near and far."""

    adjourned: bool
    asked_by: str | None
    claimed_by: str | None
    may: tuple[str, ...]


class RatingShown(Struct, frozen=True):
    """What a side is rated in the pool of the match. provisional: little is known of it yet.

    before, after: what this match has changed; null while it is not over, and where it is not rated.
    """

    value: float
    provisional: bool
    before: float | None
    after: float | None


class RatingsShown(Struct, frozen=True):
    """Both sides' ratings."""

    near: RatingShown
    far: RatingShown
