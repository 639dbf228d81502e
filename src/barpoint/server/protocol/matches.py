"""The messages of the WebSocket, in both directions, and the limits for input (docs/protocol.md).

This file is long because it is one list of all messages.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from barpoint.error import FormatError
from barpoint.game import event as game_event
from barpoint.server.domain.limits import MAX_CHAT_TEXT
from barpoint.server.protocol.board_view import BoardView, LogLine
from barpoint.server.protocol.sidebar import AdjournmentShown, ClockShown, DueShown, PresenceShown, RatingsShown
from barpoint.wrong_field import wrong_json

T = TypeVar("T")

PROTOCOL: Final = 2

MAX_FRAME: Final = 4096
"""Size limit of a message in bytes; the longest play takes less than 500."""

CommandId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Seq = Annotated[int, Meta(ge=0, lt=2**31)]
PointIndex = Annotated[int, Meta(ge=0, le=26)]
DieNumber = Annotated[int, Meta(ge=1, le=24)]
Moves = Annotated[tuple[tuple[PointIndex, PointIndex, DieNumber], ...], Meta(max_length=24)]


class Action(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="kind"):
    """An event as a player requests it: without the player, whom the server knows, and without dice, which it rolls."""


class RollAction(Action, frozen=True, tag="roll"):
    """Roll."""


class PlayAction(Action, frozen=True, tag="play"):
    """Finish the turn with these moves, in the order made."""

    moves: Moves


class RolloverAction(Action, frozen=True, tag="rollover"):
    """Reroll, with a token; `roll` is the id of the roll, as `allowed` names it."""

    roll: Seq


class ResignAction(Action, frozen=True, tag="resign"):
    """Offer to lose a single game (1), a gammon (2), a backgammon (3)."""

    level: Annotated[int, Meta(ge=1, le=3)]


class KeepAction(Action, frozen=True, tag="keep"):
    """Let the roll that ended the game stand: no token is used on it."""


class DoubleAction(Action, frozen=True, tag="double"):
    """Offer a double."""


class TakeAction(Action, frozen=True, tag="take"):
    """Accept the double."""


class PassAction(Action, frozen=True, tag="pass"):
    """Decline the double and lose the game at the value before it."""


class BeaverAction(Action, frozen=True, tag="beaver"):
    """Redouble at once and keep the cube."""


class RaccoonAction(Action, frozen=True, tag="raccoon"):
    """Redouble a beaver at once."""


class AcceptAction(Action, frozen=True, tag="accept"):
    """Accept a resignation."""


class RejectAction(Action, frozen=True, tag="reject"):
    """Reject a resignation."""


class NextAction(Action, frozen=True, tag="next"):
    """Begin the next game."""


class AbortAction(Action, frozen=True, tag="abort"):
    """End a money session between two of its games."""


GameAction = (
    RollAction
    | PlayAction
    | RolloverAction
    | KeepAction
    | DoubleAction
    | TakeAction
    | PassAction
    | BeaverAction
    | RaccoonAction
    | ResignAction
    | AcceptAction
    | RejectAction
    | NextAction
)
"""Actions in a game, of a match or of a chouette."""

AnyAction = GameAction | AbortAction


def event_of(action: AnyAction, player: int) -> game_event.Event:
    """The event that a player requests: of the same kind, with the player before the fields; a roll without faces."""
    by = () if isinstance(action, NextAction | AbortAction) else (player,)
    event: game_event.Event = _EVENTS[action.__struct_config__.tag](*by, *msgspec.structs.astuple(action))
    return event


_EVENTS: Final[dict[object, type[Any]]] = {kind: event for event, kind in game_event.KINDS.items()}


def kinds_of(actions: object) -> tuple[str, ...]:
    """The kinds of a union of actions, in its order."""
    return tuple(action.__struct_config__.tag for action in get_args(actions))


EnteredEvent = (
    game_event.Opening
    | game_event.Roll
    | game_event.PlayMade
    | game_event.Rollover
    | game_event.Keep
    | game_event.Double
    | game_event.Take
    | game_event.Pass
    | game_event.Beaver
    | game_event.Raccoon
    | game_event.Resign
    | game_event.Accept
    | game_event.Reject
    | game_event.Void
    | game_event.Object
    | game_event.Correct
    | game_event.Next
    | game_event.Abort
)
"""Events of a real board that can be entered."""


class RequestBase(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do"):
    """What a client sends."""


class JoinRequest(RequestBase, frozen=True, tag="join"):
    """The first message of a connection. seq: the last event known; null asks for the events of the present game.

    commitment: the SHA-256, in hexadecimal, of the seed that this player will give for the dice; null when they give none. news: tell
    what waits for this person as well, such as a challenge.
    """

    protocol: Annotated[int, Meta(ge=1)]
    seq: Seq | None = None
    commitment: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None = None
    news: bool = False


class SeedRequest(RequestBase, frozen=True, tag="seed"):
    """The seed for the dice: at a match the one committed to, once both players have; at a chouette after sitting down."""

    seed: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^|]+$")]


AdjournAction = Literal["adjourn", "resume", "claim", "decline"]
"""What a player may ask for about the match itself."""

ADJOURN_ACTIONS: Final[tuple[str, ...]] = get_args(AdjournAction)


class AdjournRequest(RequestBase, frozen=True, tag="ask"):
    """Asks to adjourn the match, to resume it, or to claim the win; or declines what the other player asked for."""

    action: AdjournAction


class ActRequest(RequestBase, frozen=True, tag="act"):
    """A command. id: the client's own, unique per match and seat. seq: the last event the client has seen.

    lag: round trip of recent messages in ms; the clock gives some of it back.
    """

    id: CommandId
    seq: Seq
    event: AnyAction
    lag: Annotated[int, Meta(ge=0, le=60_000)] = 0


class EnterRequest(RequestBase, frozen=True, tag="enter"):
    """An event at a real board, as the log stores it: with its player, and with the faces of the dice."""

    id: CommandId
    seq: Seq
    event: EnteredEvent


class TryRequest(RequestBase, frozen=True, tag="try"):
    """Moves tried, not committed. seq: of the event that made the roll.

    version: the last known one for this roll plus 1; the first is 1.
    """

    seq: Seq
    version: Annotated[int, Meta(ge=1, lt=2**31)]
    moves: Moves


class PingRequest(RequestBase, frozen=True, tag="ping"):
    """Asks for a pong with the same number."""

    number: Seq = 0


class SayRequest(RequestBase, frozen=True, tag="say"):
    """A line of chat for everybody at the match or chouette. id: of the command, for `done` and `refused`.

    after: the last line that the writer knew. Where they have written the same after it, that line is the one meant.
    """

    text: Annotated[str, Meta(min_length=1, max_length=MAX_CHAT_TEXT)]
    id: CommandId | None = None
    after: Seq | None = None


class MuteRequest(RequestBase, frozen=True, tag="mute"):
    """Mutes or unmutes the other player's chat at this match."""

    muted: bool


MatchRequest = (
    JoinRequest
    | SeedRequest
    | ActRequest
    | EnterRequest
    | AdjournRequest
    | TryRequest
    | PingRequest
    | SayRequest
    | MuteRequest
)


class AnswerBase(Struct, frozen=True, gc=False, tag_field="say"):
    """What the server sends."""


class SeatShown(Struct, frozen=True, gc=False):
    """Who holds a seat. kind: guest, bot, open or board (a real one). bot: a program plays here, this server's or another.

    by_player: this player gives a seed for the dice, not the server. commitment: its SHA-256, once they have sent it. seed:
    null while it is not known.
    """

    kind: str
    name: str
    bot: bool
    by_player: bool
    commitment: str | None
    seed: str | None


class MatchShown(Struct, frozen=True, gc=False):
    """The fixed part of a match. commitment: SHA-256 of the server's seed. rematch: id of the match that follows.

    rated: it changes ratings. fee: tickets that each player pays; the winner gets both.
    """

    id: str
    variant: str
    title: str
    terms: str
    length: int
    seats: tuple[SeatShown, SeatShown]
    commitment: str
    rematch: str | None
    rated: bool
    fee: int


class MatchState(AnswerBase, frozen=True, tag="state"):
    """Everything about a match as one viewer may see it.

    seat: the viewer's, null for a spectator. seq: of the last event. roll_seq: of the event that made the roll on
    the table, to which tried moves belong; version: of those moves. log: events that the client has not seen.
    over: the match is over. clock: null without a clock. due: what happens at the deadline; null without one.
    presence: null where a program reads the match. proposition: in lines of text, which game of it this is, what for, and what the games so
    far have shown.
    """

    protocol: int
    match: MatchShown
    seat: int | None
    seq: int
    roll_seq: int
    version: int
    view: BoardView
    log: tuple[LogLine, ...]
    over: bool
    clock: ClockShown | None
    due: DueShown | None
    adjournment: AdjournmentShown
    ratings: RatingsShown | None
    presence: PresenceShown | None
    proposition: tuple[str, ...] = ()


class Done(AnswerBase, frozen=True, tag="done"):
    """The command with this id is in the log, as event `seq`; or in the chat, as line `seq`."""

    id: str
    seq: int


class Tried(AnswerBase, frozen=True, tag="tried"):
    """The tried moves are stored. Sent only to the connection that tried them."""

    seq: int
    version: int


class Refused(AnswerBase, frozen=True, tag="refused"):
    """A refusal; nothing was changed. id: of the command, null for other messages. code: see docs/protocol.md."""

    id: str | None
    code: str
    message: str


class Pong(AnswerBase, frozen=True, tag="pong"):
    """The answer to a ping."""

    number: int


class ChatLine(Struct, frozen=True, gc=False):
    """A line of chat. id: grows with time. seat: who said it; null for who watches. at: ms since 1970. own: the viewer has said it."""

    id: int
    seat: int | None
    name: str
    text: str
    at: int
    own: bool


class ChatLines(AnswerBase, frozen=True, tag="chat"):
    """Lines of chat that were not sent on this connection yet. muted: those of the other player are left out."""

    lines: tuple[ChatLine, ...]
    muted: bool


class NewsTold(AnswerBase, frozen=True, tag="news"):
    """What waits for the person of this connection, as a part of a page: all of it, at first and whenever it has changed."""

    html: str


MatchAnswer = MatchState | Done | Tried | Refused | Pong | ChatLines | NewsTold

_REQUESTS: Final[msgspec.json.Decoder[MatchRequest]] = msgspec.json.Decoder(MatchRequest)
_ANSWERS: Final = msgspec.json.Encoder()


def read_request(frame: str | bytes) -> MatchRequest:
    """Parses the message in a frame; FormatError says what is wrong with it."""
    return read_frame(_REQUESTS, frame)


def read_frame(decoder: msgspec.json.Decoder[T], frame: str | bytes) -> T:
    """Parses the message in a frame; FormatError says what is wrong with it."""
    if len(frame) > MAX_FRAME:
        raise FormatError(
            "a message of %(count)s bytes; at most %(max_frame)s are read", count=len(frame), max_frame=MAX_FRAME
        )
    try:
        return decoder.decode(frame)
    except msgspec.ValidationError as error:
        said = wrong_json(error, frame, decoder.type)
        raise FormatError("not a message of this protocol: %(error)s", error=said) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise FormatError("not a message of this protocol: %(error)s", error=error) from None


def write_answer(answer: AnswerBase) -> bytes:
    """Serializes a message for sending."""
    return _ANSWERS.encode(answer)
