"""What players and directors do with a tournament, by name, and what each action needs to say."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from barpoint.error import FormatError
from barpoint.server.domain.limits import MAX_CANCEL_REASON, MAX_GUEST_NAME

ActionKind = Literal[
    "join", "leave", "report", "play-here", "ask-bye", "play-on",
    "give-bye", "begin", "extend", "cancel", "remove", "seat", "enter", "rename", "late", "at-board", "decide", "correct",
    "take-back", "pair-again", "name-helper", "drop-helper",
]  # fmt: skip
"""Actions, those of players first. play-here: not at a real board after all. play-on: they no longer ask for a bye."""

ACTION_KINDS: Final[tuple[str, ...]] = get_args(ActionKind)

FINAL_ACTIONS: Final = ("begin", "decide", "correct", "take-back", "remove", "cancel")
"""Actions of directors that cannot be undone. Leaving can be undone before the start only."""

MIN_EXTENSION_MINUTES: Final = 10
MAX_EXTENSION_MINUTES: Final = 30 * 24 * 60

_Player = Annotated[str, Meta(max_length=48)]
_Points = Annotated[int, Meta(ge=0, lt=1000)]


class TournamentAction(Struct, frozen=True, forbid_unknown_fields=True):
    """What an action says beyond its name. sure: it is meant, although it cannot be undone.

    id: chosen by the client; an action repeated with the same id is done once. seq: the last event the client has seen;
    without it the action is checked against the current state. player: whom to remove, to give a bye to, or who helps no longer; given:
    false to refuse the bye. name: of the account to enter, or of who helps; walk_in: of somebody without one; to rename: the new one. game: the number of a match,
    to report, decide, correct or take back, to be played at a real board, or whose bye of the first round somebody enters; rounds: until so many are over, players may enter; winner: a player, null if both lose it, or while it is played at a real board; score: the points of the winner and the loser, if they are known. level: of the bot to seat. minutes: by which to extend the rounds. reason: of a
    cancellation.
    """

    id: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")] | None = None
    seq: Annotated[int, Meta(ge=0, lt=2**31)] | None = None
    sure: bool = False
    player: _Player = ""
    given: bool = True
    game: Annotated[int, Meta(ge=0, lt=100_000)] | UnsetType = UNSET
    winner: _Player | UnsetType | None = UNSET
    score: tuple[_Points, _Points] | None = None
    level: Annotated[str, Meta(max_length=24)] = ""
    name: Annotated[str, Meta(max_length=MAX_GUEST_NAME)] = ""
    walk_in: bool = False
    rounds: Annotated[int, Meta(ge=0, le=15)] = 0
    minutes: Annotated[int, Meta(ge=0, lt=10**6)] = 0
    reason: Annotated[str, Meta(max_length=MAX_CANCEL_REASON)] = ""

    @property
    def result(self) -> tuple[int, str | None]:
        """A match and its winner; FormatError if either is missing."""
        if isinstance(self.game, UnsetType) or isinstance(self.winner, UnsetType):
            raise FormatError("result: a game and its winner are needed")
        return self.game, self.winner

    @property
    def match(self) -> int:
        """The number of a match; FormatError if it is missing."""
        if isinstance(self.game, UnsetType):
            raise FormatError("match: a game is needed")
        return self.game
