"""The events of a chouette. What happens on its board, and with its cubes, are the events of a game.

Players are numbered as they join, and keep their numbers. In the events of a game the box is player 0, and
whoever plays against the box is player 1.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from barpoint.error import FormatError
from barpoint.game import event as game_event
from barpoint.game.event import EventBase, Face

MAX_NUMBERS: Final = 1000
"""The most players who can ever join one chouette."""

Number = Annotated[int, Meta(ge=0, lt=MAX_NUMBERS)]
"""A player of the chouette."""


class Join(EventBase, frozen=True, tag="join"):
    """The player joins: a new number, or one that has left. They play from the next game on, last in line."""

    player: Number


class Leave(EventBase, frozen=True, tag="leave"):
    """The player leaves; from a running game once it is over."""

    player: Number


class Order(EventBase, frozen=True, tag="order"):
    """The rolls for the first order, of every player in line; players who tie have rolled again. The first game begins.

    rolls: the dice of each, in the order rolled.
    """

    rolls: Annotated[tuple[Annotated[tuple[Face, ...], Meta(max_length=100)], ...], Meta(max_length=100)] = (
        msgspec.field(
            name="throws"  # as logs have always written it
        )
    )


class Ask(EventBase, frozen=True, tag="ask"):
    """Whether the team's rolls wait until this player has said whether they double."""

    player: Number
    on: bool = True


class Waive(EventBase, frozen=True, tag="waive"):
    """The player does not double this turn."""

    player: Number


class Propose(EventBase, frozen=True, tag="propose"):
    """The player offers to settle the game between the box and a player of the team.

    member: of the team. points: what the box gets; negative for what it pays, in quarters.
    """

    player: Number
    member: Number
    points: Annotated[float, Meta(ge=-1e6, le=1e6)]


class Seed(EventBase, frozen=True, tag="seed"):
    """The player gives a text that goes into the dice, once, from the next game on. This package rolls no dice itself."""

    player: Number
    text: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^|]+$")]


class Act(EventBase, frozen=True, tag="act"):
    """Something happens in the game.

    event: as a game has it. by: who caused it; None for the opening roll, the next game and the end.
    to: the players whom a cube action of the box is meant for; () for everybody it can be meant for.
    """

    event: game_event.Event
    by: Number | None = None
    to: Annotated[tuple[Number, ...], Meta(max_length=100)] = ()


ChouetteEvent = Join | Leave | Order | Ask | Waive | Propose | Seed | Act

_KINDS: Final[dict[type, str]] = {
    Join: "join",
    Leave: "leave",
    Order: "order",
    Ask: "ask",
    Waive: "waive",
    Propose: "propose",
    Seed: "seed",
}


def kind_of(event: ChouetteEvent) -> str:
    """The event's kind, as logs and protocols write it; of what happens in the game, that of the game's event."""
    return game_event.kind_of(event.event) if isinstance(event, Act) else _KINDS[type(event)]


def event_to_dict(event: ChouetteEvent) -> dict[str, Any]:
    """The event as plain values for JSON; what is at its default is left out."""
    made: dict[str, Any] = msgspec.to_builtins(event)
    return made


def event_from_dict(found: object) -> ChouetteEvent:
    """The event that plain values describe; FormatError says what is wrong with them."""
    try:
        event: ChouetteEvent = msgspec.convert(found, ChouetteEvent)
    except msgspec.ValidationError as error:
        kinds = (*_KINDS.values(), "act")
        raise FormatError(f"no event of a chouette: {error}; kinds: {', '.join(kinds)}") from None
    return event
