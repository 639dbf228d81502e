"""The events of a game and a match: one list for the log, the protocols, the board and the engine.

Players are 0 and 1. Events carry their faces: nothing below a driver rolls dice. A `play` keeps the position it led
to, so that a log can be replayed without asking the rules again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from barpoint.board import Position, Side, dice_of
from barpoint.error import FormatError

PlayerIndex = Annotated[int, Meta(ge=0, le=1)]
Face = Annotated[int, Meta(ge=1, le=100)]
MovePoint = Annotated[int, Meta(ge=0, le=26)]
RollId = Annotated[int, Meta(ge=0, lt=2**31)]
"""The number of a roll within its game, counted from 1."""

MoveMade = tuple[MovePoint, MovePoint, Face]
"""(from, to, number): 25 is the bar, 26 the hand, 0 off."""

SideCounts = Annotated[tuple[Annotated[int, Meta(ge=0, lt=2**32)], ...], Meta(min_length=28, max_length=29)]
"""[28]: the 26 counts of a side, its hand, its pinned points as a bit mask; [29] with `Side.dice` where that is not 0."""

PositionCounts = tuple[SideCounts, SideCounts]
"""Both sides of a position, `us` first."""


class EventBase(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind"):
    """What all events share: they are frozen, and refuse unknown fields."""


class Opening(EventBase, frozen=True, tag="opening"):
    """Each player has rolled one die for the start; faces: player 0's, player 1's. A tie is rolled again."""

    faces: tuple[Face, Face]


class Roll(EventBase, frozen=True, tag="roll"):
    """The player rolls. Without faces it is a request to roll, and a driver fills them in."""

    player: PlayerIndex
    faces: Annotated[tuple[Face, ...], Meta(max_length=8)] = ()


class PlayMade(EventBase, frozen=True, tag="play"):
    """The player has finished their moves. The game writes the fields after `moves` when it applies the play.

    moves: in the order made.
    position: after the play, seen by the mover.
    again: the same player rolls again.
    ended: (winner, level) when the play ends the game; winner None is a draw, level as in `Result`.
    illegal: accepted against the rules, in manual mode or in a transcript.
    """

    player: PlayerIndex
    moves: Annotated[tuple[MoveMade, ...], Meta(max_length=64)]
    position: PositionCounts | None = None
    again: bool = False
    ended: tuple[PlayerIndex | None, int] | None = None
    illegal: bool = False


class Rollover(EventBase, frozen=True, tag="rollover"):
    """The player spends a token to reroll the roll with this id, their own or the other's."""

    player: PlayerIndex
    roll_id: RollId = msgspec.field(name="throw")  # as logs have always written it


class Keep(EventBase, frozen=True, tag="keep"):
    """The player lets the roll that ended the game stand."""

    player: PlayerIndex


class Double(EventBase, frozen=True, tag="double"):
    """The player offers to double the stake."""

    player: PlayerIndex


class Take(EventBase, frozen=True, tag="take"):
    """The player accepts the doubled stake, or the beaver or raccoon."""

    player: PlayerIndex


class Pass(EventBase, frozen=True, tag="pass"):
    """The player loses the game rather than accept the doubled stake."""

    player: PlayerIndex


class Beaver(EventBase, frozen=True, tag="beaver"):
    """The doubled player doubles at once and keeps the cube."""

    player: PlayerIndex


class Raccoon(EventBase, frozen=True, tag="raccoon"):
    """The doubler answers a beaver by doubling once more."""

    player: PlayerIndex


class Resign(EventBase, frozen=True, tag="resign"):
    """The player offers to lose a single game (1), a gammon (2) or a backgammon (3)."""

    player: PlayerIndex
    level: Annotated[int, Meta(ge=1, le=3)]


class Accept(EventBase, frozen=True, tag="accept"):
    """The player accepts the resignation."""

    player: PlayerIndex


class Reject(EventBase, frozen=True, tag="reject"):
    """The player rejects the resignation; the game goes on."""

    player: PlayerIndex


Points = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)] | Annotated[float, Meta(ge=-1e18, le=1e18)]
"""Points of a game or settlement: whole ones exactly, also with the highest cube."""


class Settle(EventBase, frozen=True, tag="settle"):
    """Both players agree on points instead of finishing; positive for player 0, negative for player 1.

    In a transcript: the points that the record gives, whatever the board shows; also after the end of the game.
    """

    points: Points


class Timeout(EventBase, frozen=True, tag="timeout"):
    """The player has run out of time, as whoever keeps the clock has judged."""

    player: PlayerIndex


class Claim(EventBase, frozen=True, tag="claim"):
    """The player claims the win because the other has left; whoever runs the match has checked it."""

    player: PlayerIndex


class Abort(EventBase, frozen=True, tag="abort"):
    """Ends a game before the first roll, or a money session between two games.

    voided: an administrator ends the match without a winner, whatever was played.
    """

    voided: bool = msgspec.field(default=False, name="annulled")  # as logs have always written it


class Void(EventBase, frozen=True, tag="void"):
    """Manual mode: the roll with this id is no roll, and is made again."""

    player: PlayerIndex
    roll_id: RollId = msgspec.field(name="throw")  # as logs have always written it
    reason: Literal["cocked", "on_checker", "premature"] = "cocked"


class Object(EventBase, frozen=True, tag="object"):
    """Manual mode: the player demands that the illegal play of the other is made legal."""

    player: PlayerIndex


class Correct(EventBase, frozen=True, tag="correct"):
    """Manual mode: the legal play that replaces an illegal one; fields as in `PlayMade`."""

    player: PlayerIndex
    moves: Annotated[tuple[MoveMade, ...], Meta(max_length=64)]
    position: PositionCounts | None = None
    again: bool = False
    ended: tuple[PlayerIndex | None, int] | None = None


class Next(EventBase, frozen=True, tag="next"):
    """The next game of the match begins."""


Event = (
    Opening
    | Roll
    | PlayMade
    | Rollover
    | Keep
    | Double
    | Take
    | Pass
    | Beaver
    | Raccoon
    | Resign
    | Accept
    | Reject
    | Settle
    | Timeout
    | Claim
    | Abort
    | Void
    | Object
    | Correct
    | Next
)
"""Any event; `Match.apply` takes it."""

KINDS: Final[dict[type, str]] = {
    Opening: "opening",
    Roll: "roll",
    PlayMade: "play",
    Rollover: "rollover",
    Keep: "keep",
    Double: "double",
    Take: "take",
    Pass: "pass",
    Beaver: "beaver",
    Raccoon: "raccoon",
    Resign: "resign",
    Accept: "accept",
    Reject: "reject",
    Settle: "settle",
    Timeout: "timeout",
    Claim: "claim",
    Abort: "abort",
    Void: "void",
    Object: "object",
    Correct: "correct",
    Next: "next",
}
"""The name of every kind of event, as logs and protocols write it."""


def kind_of(event: Event) -> str:
    """The event's kind, as logs and protocols write it."""
    return KINDS[type(event)]


_WRITTEN_LATER: Final = frozenset(("faces", "position", "again", "ended", "illegal"))
"""Fields that are empty in what a player asks for; the game or a driver writes them."""


def is_made_of(made: Event, asked: Event) -> bool:
    """Whether an event of a log is what a player asked for: the same, but for what is written when it is carried out."""
    if type(made) is not type(asked):
        return False
    for name in asked.__struct_fields__:
        wanted, found = getattr(asked, name), getattr(made, name)
        if name == "moves":
            if not lead_to_the_same(found, wanted):
                return False
        elif found != wanted and (wanted or name not in _WRITTEN_LATER):
            return False
    return True


def lead_to_the_same(first: Iterable[MoveMade], second: Iterable[MoveMade]) -> bool:
    """Whether moves take the same checkers to the same points. Where hands move the checkers, the log names a legal play for them."""
    counts = Counter[int]()
    for moves, sign in ((first, 1), (second, -1)):
        for source, target, _number in moves:
            counts[source] -= sign
            counts[target] += sign
    return not any(counts.values())


def event_to_dict(event: Event) -> dict[str, Any]:
    """The event as plain values for JSON, its kind under "kind"; what is at its default is left out."""
    made: dict[str, Any] = msgspec.to_builtins(event)
    return made


def event_from_dict(found: object) -> Event:
    """The event that plain values describe; FormatError says what is wrong with them."""
    try:
        event: Event = msgspec.convert(found, Event)
    except msgspec.ValidationError as error:
        raise _no_event(error) from None
    return event


def event_from_json(found: str | bytes) -> Event:
    """The same of the event's JSON."""
    try:
        return _DECODER.decode(found)
    except msgspec.DecodeError as error:
        raise _no_event(error) from None


_DECODER: Final[msgspec.json.Decoder[Event]] = msgspec.json.Decoder(Event)


def _no_event(error: Exception) -> FormatError:
    return FormatError("no event: %(error)s; kinds: %(allowed)s", error=error, allowed=", ".join(KINDS.values()))


def counts_of(position: Position) -> PositionCounts:
    """A position as events keep it."""
    return _side_counts(position.us), _side_counts(position.them)


def _side_counts(side: Side) -> SideCounts:
    return (*side.points, side.hand, side.pinned, *((side.dice,) if side.dice else ()))


def position_of(counts: PositionCounts) -> Position:
    """The position that an event keeps."""
    us, them = counts
    return Position(_side_of(us), _side_of(them))


def _side_of(counts: SideCounts) -> Side:
    hand, pinned, dice = (*counts[26:], 0)[:3]
    return Side(counts[:26], hand, pinned, *dice_of(dice))
