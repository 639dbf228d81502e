"""The messages of a chouette's WebSocket, in both directions (docs/protocol.md); `matches` defines those they share."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from barpoint.chouette import BOX, TEAM
from barpoint.chouette import event as chouette_event
from barpoint.game import event as game_event
from barpoint.game.event import Points
from barpoint.server.protocol import matches as match_messages
from barpoint.server.protocol.board_view import BoardView
from barpoint.server.protocol.chouette_text import ChouetteLine
from barpoint.server.protocol.matches import (
    Action,
    AnswerBase,
    ChatLines,
    CommandId,
    Done,
    MuteRequest,
    NewsTold,
    PingRequest,
    Pong,
    Refused,
    RequestBase,
    SayRequest,
    SeedRequest,
    Seq,
    Tried,
    TryRequest,
    read_frame,
)

PlayerNumber = Annotated[int, Meta(ge=0, lt=chouette_event.MAX_NUMBERS)]


class OrderAction(Action, frozen=True, tag="order"):
    """Have the server roll for the first order, and begin."""


class LeaveAction(Action, frozen=True, tag="leave"):
    """Leave the chouette; during a game, once it is over."""


class WaiveAction(Action, frozen=True, tag="waive"):
    """Do not double this turn."""


class AskAction(Action, frozen=True, tag="ask"):
    """Choose whether rolls of one's side wait for one's decision about the cube."""

    on: bool


class ProposeAction(Action, frozen=True, tag="propose"):
    """Offer to settle the game between the box and a player of the team; points for the box, in quarters."""

    member: PlayerNumber
    points: Points


class WithdrawAction(Action, frozen=True, tag="withdraw"):
    """Withdraw one's offer to settle the game between the box and this player of the team."""

    member: PlayerNumber


class SettleAction(Action, frozen=True, tag="settle"):
    """Accept such an offer of the other side."""

    member: PlayerNumber
    points: Points


ChouetteAction = (
    match_messages.GameAction
    | OrderAction
    | LeaveAction
    | WaiveAction
    | AskAction
    | ProposeAction
    | WithdrawAction
    | SettleAction
)


class ChouetteJoinRequest(RequestBase, frozen=True, tag="join"):
    """The first message of a connection. seq: the last event known; null asks for the events of the present game. news: as at a match."""

    protocol: Annotated[int, Meta(ge=1)]
    seq: Seq | None = None
    news: bool = False


class ChouetteActRequest(RequestBase, frozen=True, tag="act"):
    """A command. id: the client's own, unique per chouette and player. seq: the last event the client has seen.

    to: players with whom the box does something on a cube; empty for all with whom it can.
    """

    id: CommandId
    seq: Seq
    event: ChouetteAction
    to: Annotated[tuple[PlayerNumber, ...], Meta(max_length=16)] = ()


ChouetteRequest = (
    ChouetteJoinRequest | ChouetteActRequest | TryRequest | PingRequest | SayRequest | MuteRequest | SeedRequest
)


class ChouetteShown(Struct, frozen=True):
    """The fixed part of a chouette. commitment: SHA-256 of the server's seed. seed: null until the chouette is closed."""

    id: str
    variant: str
    title: str
    terms: str
    one_cube: bool
    consulting: str
    decision_ms: int
    commitment: str
    seed: str | None


class SettlementShown(Struct, frozen=True):
    """An offered settlement. by: a player. points: for the box."""

    by: int
    points: float


class ChouetteSeatShown(Struct, frozen=True):
    """A player of a chouette, in line. bot: a program.

    role: box, captain or team in the running game, or in the next one; waiting for somebody who came during a game.
    state: "in": plays and has nothing to do now; "act": the game waits for them; "answer": they must answer; "ask": they
    are asked whether to double; "out": not in this game; "": no game is running.
    points: their running score. leaving: they leave after this game. asks: they want to be asked before each roll.
    cube, owner, offered: of their game against the box. cube: 0 without a cube. owner: box, player, or null for the
    middle. offered: 0 without a double.
    seed: the one they gave for the dice. won: points from this game or the last one; null while their game goes on.
    settle: settlements offered that can be accepted. resigned: a resignation that awaits its answer in their game, with what accepting it pays, in a
    sentence.
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
    settle: tuple[SettlementShown, ...]
    resigned: str = ""


class ChouetteAllowed(Struct, frozen=True, omit_defaults=True):
    """Something the viewer may do besides what the board offers. to: players with whom the box may do it.

    value: the cube after it, where it is the same in all these games.
    """

    kind: str
    to: tuple[int, ...] = ()
    value: int = 0


class ChouetteState(AnswerBase, frozen=True, tag="chouette"):
    """Everything about a chouette as one viewer may see it.

    player: the viewer's number; null for a spectator. facing: whose game against the box the board shows. places: the
    players, in line. box, captain: of the running game, or of the next one; null before the first order. view: as at a
    match, with the box as one side and the team as the other. may_chat: the viewer may write. due_ms: time left to those
    whose action is awaited. Other fields: as at a match.
    """

    protocol: int
    chouette: ChouetteShown
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
    places: tuple[ChouetteSeatShown, ...]
    waits_for: tuple[int, ...]
    may: tuple[ChouetteAllowed, ...]
    view: BoardView
    log: tuple[ChouetteLine, ...]
    may_chat: bool
    due_ms: int | None


ChouetteAnswer = ChouetteState | Done | Tried | Refused | Pong | ChatLines | NewsTold

_REQUESTS: Final[msgspec.json.Decoder[ChouetteRequest]] = msgspec.json.Decoder(ChouetteRequest)


def read_chouette_request(frame: str | bytes) -> ChouetteRequest:
    """Parses the message in a frame; FormatError says what is wrong with it."""
    return read_frame(_REQUESTS, frame)


def chouette_event_of(request: ChouetteActRequest, player: int, box: int | None) -> chouette_event.ChouetteEvent:
    """The event that a player of the chouette requests; a roll without faces."""
    match request.event:
        case OrderAction():
            return chouette_event.Order(())
        case match_messages.NextAction():
            return chouette_event.Act(game_event.Next())
        case LeaveAction():
            return chouette_event.Leave(player)
        case WaiveAction():
            return chouette_event.Waive(player)
        case AskAction(on):
            return chouette_event.Ask(player, on)
        case ProposeAction(member, points):
            return chouette_event.Propose(player, member, points)
        case WithdrawAction(member):
            return chouette_event.Withdraw(player, member)
        case SettleAction(member, points):
            return chouette_event.Act(game_event.Settle(points), player, (member,))
        case action:
            side = BOX if player == box else TEAM
            return chouette_event.Act(match_messages.event_of(action, side), player, request.to)
