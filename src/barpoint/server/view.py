"""What one viewer may see of a match, and may do: the value that the board is given.

`near` is the viewer, or player 0 for a spectator; `far` the other. Every side counts points on its own path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from msgspec import UNSET, Struct, UnsetType

from barpoint.board import Side
from barpoint.dice import Stage, row_index
from barpoint.game import event as happening
from barpoint.game.event import Move
from barpoint.game.phase import Allowed, Phase
from barpoint.game.state import Game
from barpoint.match import Match
from barpoint.moves import Turn
from barpoint.server.phrase import Names, Told, level_name, result_text, sentence

HIDDEN: Final = frozenset({"opening", "settle", "timeout", "claim", "void", "object", "correct"})
"""Events that a player does not ask this server for."""

Edge = tuple[int, int, int, int, int]
"""(from, to, number, effect, next node)."""

Nodes = tuple[tuple[bool, tuple[Edge, ...]], ...]
"""(may be committed, edges) each."""


class SideShown(Struct, frozen=True):
    """One side's checkers. points: [26]. pinned: own points."""

    points: tuple[int, ...]
    hand: int
    pinned: tuple[int, ...]


class DiceShown(Struct, frozen=True):
    """The throw on the table. alternatives: the ways to use it in its present stage."""

    kind: str
    faces: tuple[int, ...]
    of: str
    alternatives: tuple[tuple[int, ...], ...]


class TurnShown(Struct, frozen=True):
    """The turn in progress as a graph. nodes: (may be committed, edges), node 0 its start. made: the moves tried."""

    nodes: Nodes
    made: tuple[Move, ...]


class Offer(Struct, frozen=True):
    """A double that waits for its answer."""

    by: str
    value: int


class CubeShown(Struct, frozen=True):
    """The cube. owner: null while it is in the middle."""

    value: int
    owner: str | None
    offered: Offer | None


class Score(Struct, frozen=True):
    """The score of the match; length 0 is a money session."""

    near: float
    far: float
    length: int
    crawford: bool


class Both(Struct, frozen=True):
    """A number of each side."""

    near: int
    far: int


class Labels(Struct, frozen=True):
    """What the sides are called."""

    near: str
    far: str


class May(Struct, frozen=True, omit_defaults=True):
    """Something the viewer may do now; which fields there are depends on the kind."""

    kind: str
    value: int | UnsetType = UNSET
    levels: tuple[int, ...] | UnsetType = UNSET
    throw: int | UnsetType = UNSET
    on: str | UnsetType = UNSET
    faces: tuple[int, ...] | UnsetType = UNSET


class Last(Struct, frozen=True, omit_defaults=True):
    """The newest event worth announcing or animating. text: a play's notation, or a sentence."""

    by: str | None
    kind: str
    text: str
    moves: tuple[Move, ...] | UnsetType = UNSET
    faces: tuple[int, ...] | UnsetType = UNSET
    level: int | UnsetType = UNSET


class ResultShown(Struct, frozen=True):
    """How the game ended. how: in one line."""

    winner: str | None
    points: float
    kind: str
    how: str


class View(Struct, frozen=True):
    """Everything that the board shows and allows."""

    near: SideShown
    far: SideShown
    meets: tuple[int, ...]
    to_act: str | None
    phase: str
    dice: DiceShown | None
    contest: Both | None
    turn: TurnShown | None
    cube: CubeShown | None
    tokens: Both | None
    allowed: tuple[May, ...]
    labels: Labels
    pips: Both
    score: Score
    last: Last | None
    result: ResultShown | None


class Line(Struct, frozen=True):
    """An event in the list beside the board. by: a seat. text: a play's notation, or a sentence."""

    seq: int
    at: int
    game: int
    by: int | None
    kind: str
    text: str
    faces: tuple[int, ...]
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """What a view is made of.

    match: as it stands. last: the newest event. made: the moves tried by whoever is to play.
    playing: both seats are taken.
    """

    match: Match
    last: Told | None
    made: tuple[Move, ...]
    playing: bool


def view(scene: Scene, names: Names) -> View:
    """The match as one viewer sees it; `names.you` is his seat, None for a spectator."""
    match, game = scene.match, scene.match.game
    seat = names.you
    near = 0 if seat is None else seat
    other = 1 - near
    ahead = match.score
    return View(
        near=_side(game.side(near)),
        far=_side(game.side(other)),
        meets=(0, *(game.rules.movement.meeting.other(point) for point in range(1, 25))),
        to_act=_name(game.actor, near) if scene.playing else None,
        phase=game.phase.value,
        dice=_dice(game, scene.made, near),
        contest=_contest(game, near),
        turn=_turn(game, scene.made, seat) if scene.playing else None,
        cube=_cube(game, near),
        tokens=Both(game.tokens[near], game.tokens[other]) if game.rules.rerolls.tokens else None,
        allowed=_allowed(match.legal_events(), seat) if scene.playing and seat is not None else (),
        labels=Labels(names.of(near), names.of(other)),
        pips=Both(game.side(near).pips, game.side(other).pips),
        score=Score(ahead[near], ahead[other], match.length, match.crawford),
        last=_last(scene.last, near, names) if scene.last is not None else None,
        result=_result(game, near, names),
    )


def line(told: Told, names: Names) -> Line:
    """An event as the list beside the board has it."""
    moves = told.event.moves if isinstance(told.event, happening.PlayMade | happening.Correct) else ()
    return Line(told.seq, told.at, told.game, told.by, told.kind, sentence(told, names), told.faces, moves)


def _name(player: int | None, near: int) -> str | None:
    return None if player is None else ("near" if player == near else "far")


def _side(side: Side) -> SideShown:
    return SideShown(side.points, side.hand, tuple(point for point in range(1, 25) if side.pinned >> point & 1))


def _dice(game: Game, made: tuple[Move, ...], near: int) -> DiceShown | None:
    if not game.faces:
        return None
    of = "near" if game.player == near else "far"
    return DiceShown("1d12" if len(game.faces) == 1 else "2d6", game.faces, of, _stage(game, made))


def _stage(game: Game, made: tuple[Move, ...]) -> Stage:
    """The alternatives of the stage of the throw in which the moves made have come."""
    rows = game.rules.dice.rows
    stages = rows[row_index(rows, game.faces)].stages
    played = [move[2] for move in made]
    for stage in stages[:-1]:
        done = next((option for option in stage if sorted(option) == sorted(played[: len(option)])), None)
        if done is None:
            return stage
        played = played[len(done) :]
    return stages[-1]


def _contest(game: Game, near: int) -> Both | None:
    if len(game.contest) != 2 or game.turn_number > 1 or game.over:
        return None
    return Both(game.contest[near], game.contest[1 - near])


def _turn(game: Game, made: tuple[Move, ...], seat: int | None) -> TurnShown | None:
    if not game.faces:
        return None
    nodes: Nodes = Turn(game.rules, game.position, game.faces, made).graph.nodes
    if seat != game.player or game.phase is not Phase.TO_PLAY:
        nodes = _path(nodes, made)
    return TurnShown(nodes, made)


def _path(nodes: Nodes, made: tuple[Move, ...]) -> Nodes:
    """The graph with the moves made alone: a viewer can follow them and make none."""
    path: list[tuple[bool, tuple[Edge, ...]]] = []
    here = 0
    for index, move in enumerate(made):
        edge = next(edge for edge in nodes[here][1] if edge[:3] == move)
        here = edge[4]
        path.append((False, ((*edge[:4], index + 1),)))
    return (*path, (False, ()))


def _cube(game: Game, near: int) -> CubeShown | None:
    if not game.cube_in_play:
        return None
    offered = None
    if game.phase is Phase.DOUBLED or game.cube.offered:
        doubler = game.player if game.cube.raises % 2 == 0 else 1 - game.player
        offered = Offer("near" if doubler == near else "far", game.cube.offered)
    return CubeShown(game.cube.value, _name(game.cube.owner, near), offered)


def _allowed(legal: tuple[Allowed, ...], seat: int) -> tuple[May, ...]:
    return tuple(
        May(
            kind=allowed.kind,
            value=allowed.value or UNSET,
            levels=allowed.levels or UNSET,
            throw=allowed.throw or UNSET,
            on=allowed.on or UNSET,
            faces=allowed.faces or UNSET,
        )
        for allowed in legal
        if allowed.player in (seat, None) and allowed.kind not in HIDDEN
    )


def _last(told: Told, near: int, names: Names) -> Last:
    event = told.event
    return Last(
        by=_name(told.by, near),
        kind=told.kind,
        text=sentence(told, names),
        moves=event.moves if isinstance(event, happening.PlayMade | happening.Correct) else UNSET,
        faces=told.faces or UNSET,
        level=event.level if isinstance(event, happening.Resign) else UNSET,
    )


def _result(game: Game, near: int, names: Names) -> ResultShown | None:
    if game.result is None:
        return None
    result = game.result
    winner = _name(result.winner, near)
    return ResultShown(winner, result.points, level_name(game, result), result_text(game, result, names))
