"""Messages about tournaments in the bot API."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from barpoint.server.api.messages import Body, Person
from barpoint.server.domain.tournament_events import Plan, TournamentEvent
from barpoint.server.protocol.matches import CommandId, Seq


class TournamentListing(Struct, frozen=True):
    """A tournament. form: knockout, double, swiss, robin, league, groups or arena. stage: open, running, over or cancelled.

    lengths: points of a match; the last value is for the last round, the one before it for the round before, the first
    one for all earlier rounds. prizes: percent of all fees, from the first rank on. bots: they may enter.
    players: how many have entered. starts_at: ms since 1970; null: when all places are taken. round_ms: how long a
    match may be adjourned; 0: no limit.
    """

    id: str
    name: str
    form: str
    variant: str
    lengths: tuple[int, ...]
    time_control: str
    rated: bool
    fee: int
    prizes: tuple[int, ...]
    bots: bool
    stage: str
    players: int
    max_players: int
    starts_at: int | None
    round_ms: int


class TournamentList(Struct, frozen=True):
    """Tournaments, latest first."""

    tournaments: tuple[TournamentListing, ...]


class TournamentQuery(Struct, frozen=True):
    """Which tournaments. stage: "" for those that are open or being played."""

    stage: Literal["", "open", "running", "over", "cancelled"] = ""


class TournamentBody(Body, frozen=True):
    """A tournament to announce. club: the id of the one it belongs to; private: only its members see it."""

    plan: Plan
    club: Annotated[str, Meta(max_length=16)] = ""
    private: bool = False


class PlanBody(Body, frozen=True):
    """The whole plan as it shall be; id, seq: as in `TournamentAction`."""

    plan: Plan
    id: CommandId | None = None
    seq: Seq | None = None


class Entrant(Struct, frozen=True):
    """A player of a tournament, a person, a bot of the server, or a walk-in, whose id is such as walk-in:1. bot: a program. away: they have left after the start.

    asks_bye, has_bye: in the next round.
    """

    id: str
    name: str
    bot: bool
    away: bool
    asks_bye: bool
    has_bye: bool


class TournamentMatchMessage(Struct, frozen=True):
    """A match of a tournament. players: null for a player not known yet, and for a bye. winner: an id.

    how: played, absent, left, away, director, time or board; null while it is open. match: id of the latest match played for
    it. group: from 1, if it is played in a group before the knock-out; otherwise 0. score: as it was entered, or is in that match. due_at: when its
    players have to be at the board; ends_at: when it is decided if it is still adjourned; ms since 1970. reports: the
    winner at a real board, as each player has reported, "" while they play there; reported_scores: the points of the winner and the loser, where
    they said that. corrected: the director has replaced
    its result.
    """

    number: int
    round: int
    length: int
    players: tuple[str | None, str | None]
    bye: bool
    winner: str | None
    how: str | None
    match: str | None
    group: int = 0
    score: tuple[float, float] | None = None
    due_at: int | None = None
    ends_at: int | None = None
    reports: dict[str, str] = {}
    corrected: bool = False
    reported_scores: dict[str, tuple[int, int]] = {}


class StandingMessage(Struct, frozen=True):
    """A row of a tournament's standings. median, buchholz: tie-breaks of a Swiss tournament; otherwise 0.

    beaten: Sonneborn-Berger, where everybody meets everybody. prize: tickets. won, played: matches of an arena; otherwise 0.
    """

    id: str
    name: str
    rank: int
    points: int
    median: float
    buchholz: float
    beaten: int
    prize: int
    won: int = 0
    played: int = 0


class TournamentShown(Struct, frozen=True):
    """A tournament with its players, matches and standings. seq: of its last event. director: who announced it.

    round, rounds: paired so far, and in all, if it is played in rounds. late: players may still enter after the start.
    directs: the token's owner may direct it. enters_results: they may enter results, as helpers do. reason: why it was cancelled.
    """

    tournament: TournamentListing
    plan: Plan
    seq: int
    director: Person
    directs: bool
    club: str | None
    round: int
    rounds: int
    late: bool
    reason: str
    players: tuple[Entrant, ...]
    matches: tuple[TournamentMatchMessage, ...]
    standings: tuple[StandingMessage, ...]
    enters_results: bool = False
    helpers: tuple[Person, ...] = ()


class TournamentLogEntry(Struct, frozen=True):
    """An event of a tournament. at: ms since 1970. by: the name of who caused it; null for the server."""

    seq: int
    at: int
    by: str | None
    event: TournamentEvent


class TournamentLogShown(Struct, frozen=True):
    """All events of a tournament, the first first."""

    events: tuple[TournamentLogEntry, ...]
