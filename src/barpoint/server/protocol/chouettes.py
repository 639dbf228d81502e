"""The messages of the WebSocket of a chouette, both ways (docs/protocol.md). What is as at a match is not said again."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from barpoint.chouette import BOX, TEAM
from barpoint.chouette import event as table_event
from barpoint.error import FormatError
from barpoint.game import event as game_event
from barpoint.server.protocol import matches as match_messages
from barpoint.server.protocol.chouette_text import TableLine
from barpoint.server.protocol.match_view import View
from barpoint.server.protocol.matches import (
    MAX_FRAME,
    Asking,
    CommandId,
    Done,
    Moves,
    Mute,
    Pong,
    Refused,
    Saying,
    Seq,
    Tell,
    Tried,
    Wish,
    WordsTold,
)

Number = Annotated[int, Meta(ge=0, lt=table_event.MAX_NUMBERS)]
Points = Annotated[float, Meta(ge=-1e6, le=1e6)]


class Order(Wish, frozen=True, tag="order"):
    """Have the first order rolled for, and begin."""


class Leave(Wish, frozen=True, tag="leave"):
    """Leave the table, from a running game once it is over."""


class Waive(Wish, frozen=True, tag="waive"):
    """Not double this turn."""


class AskMe(Wish, frozen=True, tag="ask"):
    """Whether the team's rolls wait for one's decision about the cube."""

    on: bool


class Propose(Wish, frozen=True, tag="propose"):
    """Offer to settle the game of the box and a player of the team; points for the box, in quarters."""

    member: Number
    points: Points


class Settle(Wish, frozen=True, tag="settle"):
    """Take such an offer of the other side."""

    member: Number
    points: Points


class Next(Wish, frozen=True, tag="next"):
    """Begin the next game."""


ChouetteAction = (
    match_messages.Roll
    | match_messages.Play
    | match_messages.Rollover
    | match_messages.Resign
    | match_messages.Keep
    | match_messages.Double
    | match_messages.Take
    | match_messages.Pass
    | match_messages.Beaver
    | match_messages.Raccoon
    | match_messages.Accept
    | match_messages.Reject
    | Next
    | Order
    | Leave
    | Waive
    | AskMe
    | Propose
    | Settle
)


class TableJoin(Asking, frozen=True, tag="join"):
    """The first message of a connection. seq: the last event known; null asks for the events of the present game."""

    protocol: Annotated[int, Meta(ge=1)]
    seq: Seq | None = None


class TableAct(Asking, frozen=True, tag="act"):
    """A command. id: the client's own, unique per table and player. seq: the last event the client had seen.

    to: with whom the box does something on a cube; empty for everybody it can do it with.
    """

    id: CommandId
    seq: Seq
    event: ChouetteAction
    to: Annotated[tuple[Number, ...], Meta(max_length=16)] = ()


class TableTry(Asking, frozen=True, tag="try"):
    """Moves tried and not committed, as at a match."""

    seq: Seq
    version: Annotated[int, Meta(ge=1, lt=2**31)]
    moves: Moves


class TablePing(Asking, frozen=True, tag="ping"):
    """Asks for a pong with the same number."""

    number: Seq = 0


class TableSay(Asking, frozen=True, tag="say"):
    """Something for everybody at the table."""

    text: Annotated[str, Meta(min_length=1, max_length=match_messages.MAX_WORDS)]


TableRequest = TableJoin | TableAct | TableTry | TablePing | TableSay | Mute | Tell


class TableShown(Struct, frozen=True):
    """What is fixed about a table. commitment: SHA-256 of the seed of the dice; seed: once the table is closed."""

    id: str
    variant: str
    title: str
    terms: str
    one_cube: bool
    consulting: str
    decision_ms: int
    commitment: str
    seed: str | None


class OfferShown(Struct, frozen=True):
    """A settlement that is offered. by: a player. points: for the box."""

    by: int
    points: float


class PlaceShown(Struct, frozen=True):
    """A player at the table, in line. bot: a program.

    role: box, captain or team in the running game, or in the next one; waiting for who has come during a game.
    state: "in" and has nothing to do; "act": the game waits for him; "answer": he must answer; "ask": he is asked whether he
    doubles; "out" of this game; "" where no game is running.
    points: his running score. leaving: he does so after this game. asks: he wants to be asked. cube, owner, offered: of
    his game against the box; owner is box, player or null for the middle; offered is 0 where nothing is. cube 0: no cube.
    seed: what he has given for the dice.
    won: what he has got by this game, or by the last one; null while his game is not over. settle: what is offered.
    """

    player: int
    name: str
    bot: bool
    role: str
    state: str
    points: float
    leaving: bool
    asks: bool
    cube: int
    owner: str | None
    offered: int
    won: float | None
    seed: str | None
    settle: tuple[OfferShown, ...]


class TableMay(Struct, frozen=True, omit_defaults=True):
    """Something the viewer may do besides what the board offers. to: with whom the box may do it.

    value: the cube after it, or what a pass loses.
    """

    kind: str
    to: tuple[int, ...] = ()
    value: int = 0


class TableState(Saying, frozen=True, tag="table"):
    """Everything about a table as one viewer may see it.

    player: the viewer's number, null for who watches. facing: whose game against the box the board shows. places: who
    is at the table, in line. box, captain: of the running game, or of the next one; null before the first order. view:
    as at a match, with the box as one side and the team as the other. talk: the viewer may write. due_ms: until whoever
    is waited for is out of time. The rest as at a match.
    """

    protocol: int
    table: TableShown
    player: int | None
    facing: int | None
    seq: int
    roll_seq: int
    version: int
    playing: bool
    over: bool
    games: int
    box: int | None
    captain: int | None
    places: tuple[PlaceShown, ...]
    waits_for: tuple[int, ...]
    may: tuple[TableMay, ...]
    view: View
    log: tuple[TableLine, ...]
    talk: bool
    due_ms: int | None


TableAnswer = TableState | Done | Tried | Refused | Pong | WordsTold

_REQUESTS: Final = msgspec.json.Decoder(TableRequest)


def read_table_request(frame: str | bytes) -> TableRequest:
    """The message in a frame; FormatError says what is wrong with it."""
    if len(frame) > MAX_FRAME:
        raise FormatError(f"a message of {len(frame)} bytes; at most {MAX_FRAME} are read")
    try:
        request: TableRequest = _REQUESTS.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise FormatError(f"not a message of this protocol: {error}") from None
    return request


def table_event_of(request: TableAct, player: int, box: int | None) -> table_event.Event:
    """The event that a player at the table asks for; a roll without faces."""
    match request.event:
        case Order():
            return table_event.Order(())
        case Next():
            return table_event.Act(game_event.Next())
        case Leave():
            return table_event.Leave(player)
        case Waive():
            return table_event.Waive(player)
        case AskMe(on):
            return table_event.Ask(player, on)
        case Propose(member, points):
            return table_event.Propose(player, member, points)
        case Settle(member, points):
            return table_event.Act(game_event.Settle(points), player, (member,))
        case wish:
            side = BOX if player == box else TEAM
            return table_event.Act(match_messages.event_of(wish, side), player, request.to)
