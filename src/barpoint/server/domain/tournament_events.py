"""The plan of a tournament and its events; the log of these is the source of truth."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from barpoint.error import BarpointError

BOT: Final = "bot:"
"""Prefix of the ids of this server's bots; the level follows, then a number."""

WALK_IN: Final = "walk-in:"
"""Prefix of the ids of players without an account or a browser here, whom the director has entered by name; a number follows."""


def is_person(player: str) -> bool:
    """Whether a player is somebody whom this server knows, with an account or as a guest."""
    return not player.startswith((BOT, WALK_IN))


def is_walk_in(player: str | None) -> bool:
    """Whether a player is known by name alone: they play at real boards, and the director enters their results."""
    return player is not None and player.startswith(WALK_IN)


class TournamentError(BarpointError):
    """What a tournament does not allow now; the message may be shown."""


class Form(StrEnum):
    """The format of a tournament. DOUBLE: double elimination. LEAGUE: a round robin without rounds.

    In a league all matches are ready from the start, and the players choose when they play them. GROUPS: a round robin
    in each group, then single elimination of the best. ARENA: for a time, players come and go, and whoever is free is
    paired at once.
    """

    KNOCKOUT = "knockout"
    DOUBLE = "double"
    SWISS = "swiss"
    ROBIN = "robin"
    LEAGUE = "league"
    GROUPS = "groups"
    ARENA = "arena"

    @property
    def in_rounds(self) -> bool:
        """Whether it is paired round by round, not by a bracket; with groups, before the knock-out."""
        return self not in (Form.KNOCKOUT, Form.DOUBLE, Form.ARENA)

    @property
    def continuous(self) -> bool:
        """Whether it has no rounds: who is free is paired until its time is over, and who has left may come back."""
        return self is Form.ARENA

    @property
    def has_byes(self) -> bool:
        """Whether players may ask for byes: it is played round by round, and nobody is out."""
        return self in (Form.SWISS, Form.ROBIN, Form.GROUPS)

    @property
    def single(self) -> bool:
        """Whether it has a bracket of which who loses is out, or goes on to a consolation."""
        return self in (Form.KNOCKOUT, Form.GROUPS)

    @property
    def eliminating(self) -> bool:
        """Whether its winner is found by a bracket."""
        return self in (Form.KNOCKOUT, Form.DOUBLE, Form.GROUPS)


class How(StrEnum):
    """Why a match of a tournament was decided.

    ABSENT: a player was not at the board in time. LEFT: a player left the board before the first roll. AWAY: a player
    has left the tournament. DIRECTOR: the director entered its result. TIME: it was adjourned when its round ended.
    BOARD: it was played at a real board, and both players reported the same result.
    """

    PLAYED = "played"
    ABSENT = "absent"
    LEFT = "left"
    AWAY = "away"
    DIRECTOR = "director"
    TIME = "time"
    BOARD = "board"


class TournamentStage(StrEnum):
    """How far a tournament has come."""

    OPEN = "open"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


class Plan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The plan of a tournament; its director can change it before the start. Times in ms, dates in ms since 1970.

    lengths: points of a match; the last value is for the last round, the one before it for the round before, the first
    one for all earlier rounds.
    time_control, rated: as in `Agreement`. fee: whole tickets that each player pays in.
    prizes: percent of all fees, from the first rank on.
    min_players, max_players: number of players.
    starts_at: when it begins with whoever is there; None: as soon as there are `max_players`.
    rounds: of a Swiss tournament; 0 for as many as determine a winner.
    patience_ms: how long a match waits for its players; in a league, the time to play it.
    late: how many rounds of a Swiss tournament may be paired before nobody enters any more; 0: nobody enters after its
    start.
    round_ms: how long after its creation a match may stay adjourned; then it is decided as it stands. 0: no limit.
    by_lot: seeds are drawn, not taken from ratings. bots: they may play, and the director may seat the server's.
    groups, advance: how many groups play before the knock-out, and how many of each go on to it.
    consolation: points of a match of the consolation, in which losers of a knock-out of one life go on; 0: there is none.
    boards: players may play their matches at real boards, and report the results. boards_only: all matches are played
    there; the server makes none of them, so that nobody loses one by the clock or by not coming.
    duration_ms: how long an arena pairs its players.
    byes: how often a player may have a bye that they ask for, where the form has byes. bye_won: in a Swiss tournament it
    counts as won.
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
    min_players: int = 2
    max_players: int = 16
    starts_at: int | None = None
    rounds: int = 0
    patience_ms: int = 600_000
    by_lot: bool = False
    bots: bool = False
    round_ms: int = 0
    late: int = 0
    groups: int = 2
    advance: int = 2
    consolation: int = 0
    byes: int = 1
    bye_won: bool = False
    boards: bool = False
    boards_only: bool = False
    duration_ms: int = 0


class TournamentEventBase(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True, omit_defaults=True):
    """Base of all tournament events."""


class Joined(TournamentEventBase, frozen=True, tag="join"):
    """A player has joined, or the director has entered them, as the log's actor says.

    name: of a bot or a walk-in; names of persons are stored elsewhere, since they may change. game: the match of the
    first round of a knock-out whose bye a latecomer takes. rounds: of a Swiss tournament with a latecomer, where they
    make more of them; 0: it has as many as before.
    """

    player: str
    name: str = ""
    game: int | None = None
    rounds: int = 0


class Renamed(TournamentEventBase, frozen=True, tag="rename"):
    """The director has corrected the name of a walk-in. before: as it was, so that the log tells it."""

    player: str
    name: str
    before: str


class Left(TournamentEventBase, frozen=True, tag="leave"):
    """A player has left. Before the start they are removed; later they lose their remaining matches; in an arena they
    are not paired until they come back.

    removed: by the director.
    """

    player: str
    removed: bool = False


class Started(TournamentEventBase, frozen=True, tag="start"):
    """The tournament begins. order: all players by seed. rounds: if it is played in rounds. until: an arena pairs until then."""

    order: tuple[str, ...]
    rounds: int = 0
    until: int = 0


class Closed(TournamentEventBase, frozen=True, tag="close"):
    """The time of an arena is over: nobody is paired any more, and matches that have been paired are played."""


class Paired(TournamentEventBase, frozen=True, tag="pair"):
    """The next round, or in an arena players who are free. pairs: those at the end have BYE as their second player. excused: who asked for their bye."""

    pairs: tuple[tuple[str, str], ...]
    excused: tuple[str, ...] = ()


class PairedAgain(TournamentEventBase, frozen=True, tag="pair_again"):
    """The last round of a Swiss tournament is paired again, before anybody has played in it."""


class ByeAsked(TournamentEventBase, frozen=True, tag="ask_bye"):
    """A player asks for a bye in the next round, or does so no longer."""

    player: str
    wanted: bool = True


class ByeGiven(TournamentEventBase, frozen=True, tag="give_bye"):
    """The director gives a player a bye in the next round, or refuses it or takes it back."""

    player: str
    given: bool = True


class Reported(TournamentEventBase, frozen=True, tag="report"):
    """A player says who has won their match at a real board, "" while it is played there.

    It counts once the other player says the same. withdrawn: they play it here after all. score: the points of the winner and of the loser,
    if they say that.
    """

    game: int
    player: str
    winner: str
    withdrawn: bool = False
    score: tuple[int, int] | None = None


class Advanced(TournamentEventBase, frozen=True, tag="advance"):
    """The groups are over. order: the players of the knock-out, by seed."""

    order: tuple[str, ...]


class Extended(TournamentEventBase, frozen=True, tag="extend"):
    """No match is decided by the end of its round before this time; an arena pairs until then."""

    until: int


class Decided(TournamentEventBase, frozen=True, tag="result"):
    """A match has ended. winner: None if both lost it. corrects: it had a result, which this one replaces.

    score: the points of the winner and of the loser, where the director or the players have entered them.
    """

    game: int
    winner: str | None
    how: How = How.PLAYED
    corrects: bool = False
    score: tuple[int, int] | None = None


class TakenBack(TournamentEventBase, frozen=True, tag="take_back"):
    """The director takes a result back, or what was played or reported of a match without one: it is open again, as if nobody had played it."""

    game: int


class HelperNamed(TournamentEventBase, frozen=True, tag="helper"):
    """The director names somebody who may enter results and nothing else, or does so no longer."""

    player: str
    named: bool = True


class Changed(TournamentEventBase, frozen=True, tag="change"):
    """The director has changed the plan before the start, or later the late entries of a Swiss tournament. before: as it was, so that the log can be read from its beginning."""

    plan: Plan
    before: Plan


class TournamentCancelled(TournamentEventBase, frozen=True, tag="cancel"):
    """The tournament is cancelled, before its start or during it; all fees are refunded."""

    reason: str = ""


TournamentEvent = (
    Joined
    | Renamed
    | Left
    | Started
    | Closed
    | Paired
    | PairedAgain
    | ByeAsked
    | ByeGiven
    | Reported
    | Advanced
    | Extended
    | Decided
    | TakenBack
    | HelperNamed
    | Changed
    | TournamentCancelled
)
