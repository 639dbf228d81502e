"""The data that the board displays and allows, as messages hold them.

`near` is the viewer, or player 0 for a spectator; `far` is the other player. Each side counts points along its own
path.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from barpoint.game.event import MoveMade
from barpoint.moves.turn import Edge
from barpoint.server.domain.real_board import Nodes


class SideShown(Struct, frozen=True, gc=False):
    """One side's checkers. points: [26]. pinned: own points."""

    points: tuple[int, ...]
    hand: int
    pinned: tuple[int, ...]


class DiceShown(Struct, frozen=True, gc=False):
    """The roll on the table. alternatives: the ways to use it in its present stage. follows: it was not rolled, but follows the one before."""

    kind: str
    faces: tuple[int, ...]
    of: str
    alternatives: tuple[tuple[int, ...], ...]
    follows: bool | UnsetType = UNSET


class OpeningRollShown(Struct, frozen=True, gc=False):
    """The dice of the opening roll, one of each side. kind: as of a roll."""

    kind: str
    near: int
    far: int


class TurnShown(Struct, frozen=True, gc=False):
    """The turn in progress as a graph. nodes: (may be committed, edges), node 0 is its start. made: the moves tried.

    free: with real dice, all other moves that can be made by hand after those.
    """

    nodes: Nodes
    made: tuple[MoveMade, ...]
    free: tuple[Edge, ...] | UnsetType = UNSET


class DoubleShown(Struct, frozen=True, gc=False):
    """A double that awaits its answer."""

    by: str
    value: int


class CubeShown(Struct, frozen=True, gc=False):
    """The cube. owner: null while it is in the middle."""

    value: int
    owner: str | None
    offered: DoubleShown | None


class ScoreShown(Struct, frozen=True, gc=False):
    """The score of the match; length 0 is a money session. game: title of the running game, where games take turns."""

    near: float
    far: float
    length: int
    crawford: bool
    game: str | UnsetType = UNSET


class Both(Struct, frozen=True, gc=False):
    """A number for each side."""

    near: int
    far: int


class Labels(Struct, frozen=True, omit_defaults=True, gc=False):
    """The names of the sides. near_short, far_short: for where there is little room, if other names are used there."""

    near: str
    far: str
    near_short: str | UnsetType = UNSET
    far_short: str | UnsetType = UNSET


class AllowedShown(Struct, frozen=True, omit_defaults=True, gc=False):
    """An action allowed to the viewer now; the kind decides which fields there are.

    by: its player, at a real board. reason: of a roll that is void, "cocked" or "premature"; of a double that gains nothing because a single
    game wins the match already, "dead"; of "abort" where who leaves loses the match, "loses". value: the cube after it. points: what the loser pays if the game ends by this; one
    number, or one for each of `levels`.
    """

    kind: str
    by: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    value: int | UnsetType = UNSET
    levels: tuple[int, ...] | UnsetType = UNSET
    points: tuple[int, ...] | UnsetType = UNSET
    roll: int | UnsetType = UNSET
    on: str | UnsetType = UNSET
    faces: tuple[int, ...] | UnsetType = UNSET


class Last(Struct, frozen=True, omit_defaults=True, gc=False):
    """The latest event to announce or animate. text: a play's notation, or a sentence."""

    by: str | None
    kind: str
    text: str
    moves: tuple[MoveMade, ...] | UnsetType = UNSET
    faces: tuple[int, ...] | UnsetType = UNSET
    level: int | UnsetType = UNSET


class RollAwaited(Struct, frozen=True, gc=False):
    """A roll of real dice that can be entered. of: the roller; null for the opening roll, of one die each."""

    of: str | None
    dice: int
    sides: int


class ResultShown(Struct, frozen=True, gc=False):
    """The result of the game. how: in one line. match: how it ends the match; absent where it wins none."""

    winner: str | None
    points: float
    kind: str
    how: str
    match: str | UnsetType = UNSET


class BoardView(Struct, frozen=True, gc=False):
    """Everything that the board shows and allows. roll: the next roll to be entered, with real dice."""

    near: SideShown
    far: SideShown
    meets: tuple[int, ...]
    to_act: str | None
    phase: str
    dice: DiceShown | None
    opening_roll: OpeningRollShown | None
    turn: TurnShown | None
    cube: CubeShown | None
    tokens: Both | None
    allowed: tuple[AllowedShown, ...]
    labels: Labels
    pips: Both
    score: ScoreShown
    last: Last | None
    result: ResultShown | None
    roll: RollAwaited | UnsetType = UNSET


class LogLine(Struct, frozen=True, gc=False):
    """An event in the list beside the board. by: a seat. text: a play's notation, or a sentence. title: of the game that it begins,
    where games take turns. result: of the game that ends with it, where the text does not say who won. automatic: the server has made the
    play for its player.
    """

    seq: int
    at: int
    game: int
    by: int | None
    kind: str
    text: str
    faces: tuple[int, ...]
    moves: tuple[MoveMade, ...]
    title: str | UnsetType = UNSET
    result: str | UnsetType = UNSET
    automatic: bool | UnsetType = UNSET
