"""The events of a chouette. Events on its board and with its cubes are game events.

Players are numbered as they join, and keep their numbers. In game events the box is player 0, and whoever plays against
the box is player 1.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from barpoint.error import FormatError
from barpoint.game import event as game_event
from barpoint.game.event import EventBase, Face, Points

MAX_NUMBERS: Final = 1000
"""Maximum players that can ever join one chouette."""

Number = Annotated[int, Meta(ge=0, lt=MAX_NUMBERS)]
"""The number of a player in the chouette."""


class Join(EventBase, frozen=True, tag="join"):
    """The player joins: a new number, or one that has left. They play from the next game on, last in line."""

    player: Number


class Leave(EventBase, frozen=True, tag="leave"):
    """The player leaves; during a game, once it is over."""

    player: Number


class Order(EventBase, frozen=True, tag="order"):
    """The rolls for the first order, of every player in line; tied players have rolled again. The first game begins.

    rolls: the dice of each, in the order rolled.
    """

    rolls: Annotated[tuple[Annotated[tuple[Face, ...], Meta(max_length=100)], ...], Meta(max_length=100)] = (
        msgspec.field(
            name="throws"  # the key in the logs
        )
    )


class Ask(EventBase, frozen=True, tag="ask"):
    """Whether the team's rolls wait until this player has doubled or declined to."""

    player: Number
    on: bool = True


class Waive(EventBase, frozen=True, tag="waive"):
    """The player does not double this turn."""

    player: Number


class Propose(EventBase, frozen=True, tag="propose"):
    """The player offers to settle the game between the box and a player of the team.

    member: of the team. points: what the box receives, in quarters; negative when it pays.
    """

    player: Number
    member: Number
    points: Points


class Withdraw(EventBase, frozen=True, tag="withdraw"):
    """The player withdraws their offer to settle the game between the box and a player of the team, member."""

    player: Number
    member: Number


class Seed(EventBase, frozen=True, tag="seed"):
    """The player gives a seed text, used once, for the dice of the next game. This package rolls no dice itself."""

    player: Number
    text: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^|]+$")]


class Act(EventBase, frozen=True, tag="act"):
    """A game event.

    event: as in a game. by: the player who caused it; None for the opening roll, the next game and the end.
    to: the players at whom the box aims a cube action; () for everybody to whom it can apply.
    """

    event: game_event.Event
    by: Number | None = None
    to: Annotated[tuple[Number, ...], Meta(max_length=100)] = ()


ChouetteEvent = Join | Leave | Order | Ask | Waive | Propose | Withdraw | Seed | Act

_KINDS: Final[dict[type, str]] = {
    Join: "join",
    Leave: "leave",
    Order: "order",
    Ask: "ask",
    Waive: "waive",
    Propose: "propose",
    Withdraw: "withdraw",
    Seed: "seed",
}


def is_made_of(made: ChouetteEvent, asked: ChouetteEvent) -> bool:
    """Whether an event of a log is what a player asked for: the same, but for what is written when it is carried out."""
    if isinstance(made, Act) and isinstance(asked, Act):
        aimed = made.to == asked.to or isinstance(asked.event, game_event.Roll | game_event.PlayMade)  # at nobody
        return game_event.is_made_of(made.event, asked.event) and made.by == asked.by and aimed
    return made == asked or (isinstance(made, Order) and isinstance(asked, Order))


def kind_of(event: ChouetteEvent) -> str:
    """The event's kind, as logs and protocols write it; for an `Act`, the kind of the game event."""
    return game_event.kind_of(event.event) if isinstance(event, Act) else _KINDS[type(event)]


def event_to_dict(event: ChouetteEvent) -> dict[str, Any]:
    """The event as plain values for JSON, without fields that have their default."""
    made: dict[str, Any] = msgspec.to_builtins(event)
    return made


def event_from_dict(found: object) -> ChouetteEvent:
    """Parses an event from plain values; FormatError says what is wrong with them."""
    try:
        event: ChouetteEvent = msgspec.convert(found, ChouetteEvent)
    except msgspec.ValidationError as error:
        kinds = (*_KINDS.values(), "act")
        raise FormatError(
            "no event of a chouette: %(error)s; kinds: %(allowed)s", error=error, allowed=", ".join(kinds)
        ) from None
    return event
