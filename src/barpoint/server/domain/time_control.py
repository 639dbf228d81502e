"""Clocks with a simple delay, as values: the time is an argument, in ms since 1970 (rulings 8).

A player's turn has one delay, from its start to the commit, also if an answer of the other player interrupts it; every
answer outside it has a delay of its own. Only what exceeds delay and lag is taken from the reserve, which is for the
whole match. Clocks stop between games.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeVar

from msgspec import Struct, structs

from barpoint.game import Event, Keep, Next, PlayMade, Timeout
from barpoint.game.phase import Phase
from barpoint.language import N_
from barpoint.match import Match

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

LAG_LIMIT: Final = 1_000
"""The maximum given back for network lag of one command, in ms; a dishonest client could ask for more."""

LAG_QUOTA: Final = 10 * SECOND
"""What a player has given back for lag, in ms, beyond what comes back to it turn by turn."""

LAG_REFILL: Final = 400
"""What comes back to a player's quota at the end of each of their turns and answers, in ms."""

SESSION_POINTS: Final = 3
"""Points whose reserve each game of a session without length gets; running out of time loses that game alone."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control. Times in ms.

    point_ms: reserve for each point of the match's length.
    final_ms: how long a roll that has ended the game may still be rerolled; None leaves it to the clock.
    rest_ms: the longest pause between two games of a match, in which both clocks stand; None for no limit.
    """

    name: str
    delay_ms: int = 0
    point_ms: int = 0
    timed: bool = True
    final_ms: int | None = None
    rest_ms: int | None = None

    def reserve(self, length: int) -> int:
        """Each player's reserve for a match of that length, or for one game of a session (length 0)."""
        return self.point_ms * (length or SESSION_POINTS)


REST_MS: Final = 2 * MINUTE
"""The pause between two games of a match on the clock, so that nobody can hold it up while no clock runs."""

FEDERATION: Final = TimeControl(N_("Federation"), 12 * SECOND, 2 * MINUTE, rest_ms=REST_MS)
NORMAL: Final = TimeControl(N_("Normal"), 10 * SECOND, 1 * MINUTE, rest_ms=REST_MS)
FAST: Final = TimeControl(N_("Fast"), 8 * SECOND, 20 * SECOND, rest_ms=REST_MS)
CASUAL: Final = TimeControl(N_("Casual"), 15 * SECOND, 3 * MINUTE, rest_ms=REST_MS)
CORRESPONDENCE: Final = TimeControl(N_("Correspondence"), 3 * DAY, final_ms=DAY)
UNTIMED: Final = TimeControl("None", timed=False, final_ms=MINUTE)
"""No time limits, except for the wait after a roll that has ended the game."""
TIME_CONTROLS: Final = (FEDERATION, NORMAL, FAST, CASUAL, CORRESPONDENCE, UNTIMED)


def correspondence(days: int) -> TimeControl:
    """This many days for a turn or an answer, and no reserve; ValueError outside 1 to 30."""
    if not 1 <= days <= 30:
        raise ValueError(f"{days} days for a turn; allowed are 1 to 30")
    return replace(CORRESPONDENCE, delay_ms=days * DAY)


_Answer = TypeVar("_Answer", covariant=True)


class TimeControlName(Protocol[_Answer]):
    """The name of a time control: a text, or a column of the database."""

    def startswith(self, prefix: str, /) -> _Answer: ...


def in_days(name: TimeControlName[_Answer]) -> _Answer:
    """Whether the time control with this name gives days for a turn; for a column, the condition that says so."""
    return name.startswith(CORRESPONDENCE.name)


@dataclass(frozen=True, slots=True)
class Period:
    """Whose time runs, and for what.

    turn: the number of the turn within its game, 0 for an answer. final: the wait after a roll that ended the game.
    """

    player: int
    turn: int = 0
    final: bool = False


def period_of(match: Match) -> Period | None:
    """The period that a match is in; None while no time runs: before the start, between games and after the end."""
    game = match.game
    if match.over or game.actor is None:
        return None
    if game.phase is Phase.PROVISIONAL_END:
        return Period(game.actor, final=True)
    if game.phase in (Phase.DOUBLED, Phase.RESIGNED, Phase.TO_CORRECT):
        return Period(game.actor)
    return Period(game.actor, turn=game.turn_number)


class Clock(Struct, frozen=True, gc=False):
    """The clocks of both players.

    reserves: ms left of player 0 and 1, before the running period is subtracted.
    running: whose time runs; None when both stand still. since: when it began. delay_ms: free time in it.
    lag_ms: given back for network lag of its commands so far.
    held: the turn that an answer has interrupted, and what is left of its delay.
    lag_left: what is left of both players' quotas for lag.
    resting: no time runs, and since `since` the players rest before the next game.
    game: in a session the number of the game that the reserves are for; 0 in a match.
    """

    time_control: TimeControl
    reserves: tuple[int, int]
    running: Period | None = None
    since: int = 0
    delay_ms: int = 0
    lag_ms: int = 0
    held: tuple[Period, int] | None = None
    game: int = 0
    resting: bool = False
    lag_left: tuple[int, int] = (LAG_QUOTA, LAG_QUOTA)

    @classmethod
    def start(cls, time_control: TimeControl, length: int) -> Clock:
        """Both clocks full and stopped, for a match of that length; 0 for a session."""
        return cls(time_control, (time_control.reserve(length),) * 2)

    def taken(self, now: int) -> int:
        """What the running period has taken from its player's reserve: max(0, elapsed - lag - delay), in ms."""
        if self.running is None or not self.time_control.timed or self._own_deadline:
            return 0
        return max(0, now - self.since - self.lag_ms - self.delay_ms)

    def reserve(self, player: int, now: int) -> int:
        """A player's reserve now, in ms, never below 0."""
        running = self.running is not None and self.running.player == player
        return max(0, self.reserves[player] - (self.taken(now) if running else 0))

    @property
    def deadline_at(self) -> int | None:
        """When the running player is out of time, or the next game begins; None if neither can happen."""
        if self.running is None:
            return (
                self.since + self.time_control.rest_ms
                if self.resting and self.time_control.rest_ms is not None
                else None
            )
        if self._own_deadline:
            assert self.time_control.final_ms is not None
            return self.since + self.time_control.final_ms
        if not self.time_control.timed:
            return None
        return self.since + self.lag_ms + self.delay_ms + self.reserves[self.running.player]

    def out_of_time(self, now: int) -> int | None:
        """The player who is out of time."""
        deadline = self.deadline_at
        return self.running.player if self.running and deadline is not None and now >= deadline else None

    def free_ms(self, now: int) -> int:
        """What is left of the delay in the running period, in ms."""
        return max(0, self.since + self.lag_ms + self.delay_ms - now) if self.running and not self._own_deadline else 0

    def free_ms_of(self, player: int, now: int) -> int:
        """What a player has left of a delay, in ms: in the period that runs, or in the one that begins when theirs runs next."""
        if self.running is not None and self.running.player == player:
            return self.free_ms(now)
        if self.held is not None and self.held[0].player == player:
            return self.held[1]
        return self.time_control.delay_ms

    def lag_given(self, player: int, lag_ms: int) -> int:
        """What is given back for this lag of a player's command, in ms: while their clock runs and quota lasts."""
        if self.running is None or self.running.player != player:
            return 0
        return min(max(lag_ms, 0), LAG_LIMIT, self.lag_left[player])

    @property
    def grace_ms(self) -> int:
        """How long after the deadline a command that was sent before it may still arrive."""
        return LAG_LIMIT if self.running is not None and not self._own_deadline else 0

    def pushed(self, ms: int) -> Clock:
        """Shifts the start of the running period, for a time in which the server could not be reached."""
        return structs.replace(self, since=self.since + ms) if ms and (self.running or self.resting) else self

    @property
    def _own_deadline(self) -> bool:
        """Whether the period has a time limit of its own instead of a reserve (rulings 2.3, state E)."""
        return self.running is not None and self.running.final and self.time_control.final_ms is not None


def after_event(clock: Clock, match: Match, now: int, lag_ms: int = 0) -> Clock:
    """The clocks after an event that took effect at `now`; match is the state after it.

    lag_ms: measured network lag of the command, counted up to LAG_LIMIT and for the player whose time ran; 0 if
    somebody else sent it. `Clock.lag_given` says beforehand what the quota allows, and `verdict` whether the event came
    in time.
    """
    period = period_of(match)
    clock = _lagged(clock, lag_ms)
    committed = isinstance(match.game.last, PlayMade) and not match.game.last.again
    if period is not None and period == clock.running and period.turn and not committed:
        return clock
    stopped = structs.replace(_stopped(clock, now, keep_turn=not committed), resting=False)
    if period is None:
        resting = (
            match.game.over and not match.over and not match.terms.money and clock.time_control.rest_ms is not None
        )
        return structs.replace(stopped, held=None, resting=resting, since=now if resting else 0)
    if match.length == 0 and clock.game != len(match.finished) + 1:
        full = Clock.start(clock.time_control, 0).reserves
        stopped = structs.replace(stopped, reserves=full, held=None, game=len(match.finished) + 1)
    if not period.turn:
        return structs.replace(stopped, running=period, since=now, delay_ms=clock.time_control.delay_ms)
    known = stopped.held is not None and stopped.held[0] == period
    delay = stopped.held[1] if known and stopped.held else clock.time_control.delay_ms
    return structs.replace(stopped, running=period, since=now, delay_ms=delay, held=None)


def _lagged(clock: Clock, lag_ms: int) -> Clock:
    """The clocks after giving back this lag to the player whose time runs, from their quota."""
    if clock.running is None or lag_ms <= 0:
        return clock
    given = min(lag_ms, LAG_LIMIT)
    return structs.replace(clock, lag_ms=clock.lag_ms + given, lag_left=_quota(clock, clock.running.player, -given))


def _quota(clock: Clock, player: int, ms: int) -> tuple[int, int]:
    """Both quotas after a change of one."""
    left = list(clock.lag_left)
    left[player] = min(LAG_QUOTA, max(0, left[player] + ms))
    return left[0], left[1]


def _stopped(clock: Clock, now: int, keep_turn: bool) -> Clock:
    """Both clocks stopped, with the time used subtracted. A turn that may continue keeps the rest of its delay."""
    period = clock.running
    if period is None:
        return clock
    reserves = list(clock.reserves)
    reserves[period.player] = clock.reserve(period.player, now)
    held = clock.held if keep_turn else None
    if period.turn and keep_turn:
        used = max(0, now - clock.since - clock.lag_ms)
        held = (period, max(0, min(clock.delay_ms, clock.delay_ms - used)))
    return structs.replace(
        clock,
        reserves=(reserves[0], reserves[1]),
        running=None,
        since=0,
        delay_ms=0,
        lag_ms=0,
        held=held,
        lag_left=_quota(clock, period.player, LAG_REFILL),
    )


def verdict(clock: Clock, match: Match, now: int) -> Event | None:
    """What running out of time leads to now; None if nobody has, and no pause has ended.

    A roll that has ended the game stands. Otherwise the player loses the match, or in money play the game, for the cube
    times the result that the position still allows the opponent; the game computes it (`Timeout`).
    """
    if clock.resting:
        return Next() if clock.deadline_at is not None and now >= clock.deadline_at else None
    player = clock.out_of_time(now)
    if player is None:
        return None
    return Keep(player) if match.game.phase is Phase.PROVISIONAL_END else Timeout(player)
