"""The messages of the bot API: bodies of requests, and lines and documents of answers (docs/protocol.md)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from barpoint.game.event import Points
from barpoint.server.domain.analysis_board import BoardAddress
from barpoint.server.domain.limits import MAX_GUEST_NAME, MAX_POINTS, MAX_VARIANT_NAME
from barpoint.server.domain.propositions import PropositionAsked
from barpoint.server.protocol.chouettes import ChouetteAction
from barpoint.server.protocol.matches import ADJOURN_ACTIONS, AnyAction, CommandId, MatchShown, Moves, Seq, kinds_of


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """What a client sends."""


class GuestBody(Body, frozen=True):
    """Creates a guest, with an access token for every scope. name: kept unless it looks like an account's or the server's."""

    name: Annotated[str, Meta(max_length=MAX_GUEST_NAME)] = ""


class ChallengeBody(Body, frozen=True):
    """What to play; every field has a default. level: of the server's bot, if it is the opponent.

    length: points; 0 for a money session. time_control: the name of a preset. Other fields: as in `MatchTerms`.
    """

    variant: Annotated[str, Meta(max_length=MAX_VARIANT_NAME)] = "backgammon"
    length: Annotated[int, Meta(ge=0, le=MAX_POINTS)] = 1
    time_control: Annotated[str, Meta(max_length=24)] = "None"
    cube: bool = True
    crawford: bool = True
    jacoby: bool = False
    beavers: Annotated[int, Meta(ge=0, le=3)] = 0
    automatic_doubles: Annotated[int, Meta(ge=0, le=3)] = 0
    level: Annotated[str, Meta(max_length=24)] | None = None


class BotChallengeBody(ChallengeBody, frozen=True):
    """What to play against a bot. board: a position to begin in, with its cube and score, instead of the fields above
    but time_control and level. side: whose checkers of that board you play. proposition: how it is played again and again,
    for money.
    """

    board: BoardAddress | None = None
    proposition: PropositionAsked | None = None
    side: Literal["near", "far"] = "near"


class ActionBody(Body, frozen=True):
    """A requested event; its kind is in the URL.

    id: chosen by the client; a request repeated with the same id is done once. seq: the last event the client has
    seen; without it the event is checked against the current state. moves, or play in notation: of a play. roll: of a
    rollover. level: of a resignation.
    """

    id: CommandId | None = None
    seq: Seq | None = None
    moves: Moves | None = None
    play: Annotated[str, Meta(max_length=200)] | None = None
    roll: Seq | None = None
    level: Annotated[int, Meta(ge=1, le=3)] | None = None


class ChouetteBody(Body, frozen=True):
    """A chouette to open; every field has the default of the page. cubes: each, one or none.

    consulting: free, in_game or none. decision: time limit per decision, by name. bots: how many of the server's bots
    join, of which level. listed: shown in the lobby.
    """

    variant: Annotated[str, Meta(max_length=MAX_VARIANT_NAME)] = "backgammon"
    cubes: Annotated[str, Meta(max_length=8)] = "each"
    consulting: Annotated[str, Meta(max_length=8)] = "free"
    decision: Annotated[str, Meta(max_length=16)] = "3 minutes"
    jacoby: bool = True
    beavers: bool = False
    automatic_doubles: bool = False
    half_taken: bool = False
    listed: bool = True
    bots: Annotated[int, Meta(ge=0, le=7)] = 0
    level: Annotated[str, Meta(max_length=24)] | None = None


class ChouetteActionBody(ActionBody, frozen=True):
    """As `ActionBody`, for a chouette. to: players with whom the box does it; null for all it can. on: of ask.

    member: of propose, withdraw and settle. points: of propose and settle, for the box, in quarters.
    """

    to: Annotated[tuple[Annotated[int, Meta(ge=0, lt=1000)], ...], Meta(max_length=16)] | None = None
    on: bool = True
    member: Annotated[int, Meta(ge=0, lt=1000)] = 0
    points: Points = 0


class Person(Struct, frozen=True):
    """A person or a bot. registered: has an account. bot: a program, marked as such everywhere."""

    id: str
    name: str
    registered: bool
    bot: bool


class LevelListing(Struct, frozen=True):
    """A level of the server's bots. engine: which one plays; engines other than Barpoint play only standard backgammon."""

    name: str
    title: str
    line: str
    engine: str


class VariantListing(Struct, frozen=True):
    """A variant. bot: the server's bot plays it."""

    name: str
    title: str
    line: str
    bot: bool


class OfferedMessage(Struct, frozen=True):
    """Variants, levels and time controls to choose from."""

    variants: tuple[VariantListing, ...]
    levels: tuple[LevelListing, ...]
    time_controls: tuple[str, ...]


class TokenMade(Struct, frozen=True):
    """A new access token; it is shown only once."""

    token: str
    scopes: tuple[str, ...]
    person: Person


class ChallengeMessage(Struct, frozen=True):
    """A challenge to one person; its id becomes that of the match."""

    id: str
    challenger: Person
    opponent: Person
    variant: str
    terms: str


class ChallengeList(Struct, frozen=True):
    """Open challenges: incoming to accept or decline, outgoing to withdraw."""

    incoming: tuple[ChallengeMessage, ...]
    outgoing: tuple[ChallengeMessage, ...]


class MatchMade(Struct, frozen=True):
    """A new match. join: the path of the link that takes its open seat; null if no seat is open."""

    id: str
    join: str | None


class PlayOffered(Struct, frozen=True):
    """A legal play. text: its notation; empty if no move is possible."""

    moves: Moves
    text: str


class PlayList(Struct, frozen=True):
    """The legal plays of a roll."""

    plays: tuple[PlayOffered, ...]


class DoneMessage(Struct, frozen=True):
    """The request was done. seq: the number of its event, if it made one."""

    seq: int | None = None


class ChouetteListing(Struct, frozen=True):
    """A chouette in a list. players: names, the box first once there is one. games: finished ones."""

    id: str
    variant: str
    terms: str
    players: tuple[str, ...]
    free_seats: int
    games: int
    playing: bool


class ChouetteList(Struct, frozen=True):
    """Public chouettes, latest first."""

    chouettes: tuple[ChouetteListing, ...]


class ChouetteMade(Struct, frozen=True):
    """A chouette just joined, and the player's number in it."""

    id: str
    player: int


class Problem(Struct, frozen=True):
    """Why a request was refused; nothing was changed. code: as on the WebSocket. message: what was found, what is allowed."""

    code: str
    message: str


class Refusal(Struct, frozen=True):
    """The answer to a refused request."""

    error: Problem


class ChallengeMadeMessage(Struct, frozen=True, tag="challenge", tag_field="type"):
    """Somebody challenges the reader."""

    challenge: ChallengeMessage


class ChallengeGoneMessage(Struct, frozen=True, tag="challengeGone", tag_field="type"):
    """A challenge, to the reader or of theirs, was accepted, declined or withdrawn."""

    id: str


class MatchStarted(Struct, frozen=True, tag="matchStart", tag_field="type"):
    """A match has begun. seat: the reader's."""

    match: MatchShown
    seat: int


class MatchFinished(Struct, frozen=True, tag="matchFinish", tag_field="type"):
    """A match is over. winner: a seat; null for a money session and for a match that was not played."""

    match: MatchShown
    seat: int
    winner: int | None
    score: tuple[float, float]


News = ChallengeMadeMessage | ChallengeGoneMessage | MatchStarted | MatchFinished
"""A line of the stream of events."""

KINDS: Final = (*kinds_of(AnyAction), *ADJOURN_ACTIONS)
"""Actions that a player may send, and what they may ask for about the match itself."""

CHOUETTE_KINDS: Final = kinds_of(ChouetteAction)
"""Actions that a player of a chouette may send."""

line = msgspec.json.Encoder().encode
