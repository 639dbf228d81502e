"""A turn in progress as a value: the moves tried so far, what may follow, what may be taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar, Final

from barpoint.board import Position
from barpoint.error import IllegalMove, PositionError
from barpoint.moves.notation import Move, format_moves, moves_of, point_name
from barpoint.moves.play import Play, make_play
from barpoint.native import RollFaces, core, core_rules, owed_error, pack, row_index, unpack
from barpoint.rules import Rules

LATER: Final = -1
"""A node of the graph that is not expanded yet: a further stage or another way to play, computed after the moves before
it.
"""

Edge = tuple[int, int, int, int, int]
"""(from, to, number, effect, next): effect 0 none, 1 hit, 2 pin; next is a node or LATER."""


PLAYS_KEPT: Final = 256
"""Plays that are kept after their use: one is checked, then described, and its graph takes a hundred times its memory."""


@dataclass(frozen=True, slots=True)
class TurnGraph:
    """Every beginning of a legal play; node 0 is the start of the turn.

    nodes: (may be committed, edges), in the form the pages use.
    positions: packed, seen by the mover. again: if committed there, the mover rolls again.
    """

    nodes: tuple[tuple[bool, tuple[Edge, ...]], ...]
    positions: tuple[bytes, ...] = field(repr=False)
    again: tuple[bool, ...] = field(repr=False)

    def edge(self, node: int, move: Move) -> Edge | None:
        """The edge of a move made at a node; None when it is not legal."""
        if node == LATER:
            return None
        return next((edge for edge in self.nodes[node][1] if edge[:3] == move), None)

    def end_of(self, moves: Iterable[Move]) -> int | None:
        """The node, or LATER, that these moves reach in this order; None when they begin no legal play."""
        node = 0
        for move in moves:
            edge = self.edge(node, move)
            if edge is None:
                return None
            node = edge[4]
        return node


def turn_graph(rules: Rules, position: Position, faces: RollFaces, made: tuple[Move, ...] = ()) -> TurnGraph:
    """The graph of a turn, deep enough for the moves made and for taking any one of them back.

    Raises RollError and PositionError as legal_plays.
    """
    row = row_index(rules, faces)
    try:
        nodes = core.turn(core_rules(rules), pack(position), row, made)
    except ValueError as problem:
        raise PositionError(str(problem)) from None
    except IndexError:
        raise owed_error(rules, position, tuple(faces)) from None
    commits, again, positions, edges = zip(*nodes, strict=True)
    return TurnGraph(tuple(zip(commits, edges, strict=True)), positions, again)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn in progress. Making and undoing moves returns new values; the game does not change.

    start: the position before the turn, seen by the mover. faces: in any order, kept highest first. made: the moves tried so far, in order.
    Raises IllegalMove when `made` is not the beginning of a legal play, RollError and PositionError as legal_plays.
    """

    rules: Rules
    start: Position
    faces: tuple[int, ...]
    made: tuple[Move, ...] = ()
    graph: TurnGraph = field(init=False, repr=False, compare=False)
    _node: int = field(init=False, repr=False, compare=False)
    _effects: tuple[int, ...] = field(init=False, repr=False, compare=False)

    _repr_svg_: ClassVar[Callable[[Turn], str | None]]
    _text_: ClassVar[Callable[[Turn], str]]
    """A picture of the position after the moves made for notebooks, and the same in letters, bound by `draw`."""

    def __str__(self) -> str:
        return self._text_()

    def __post_init__(self) -> None:
        made = moves_of(self.made)
        object.__setattr__(self, "made", made)
        object.__setattr__(self, "graph", turn_graph(self.rules, self.start, self.faces, made))
        object.__setattr__(self, "faces", self.rules.dice.rows[row_index(self.rules, self.faces)].faces)
        self._walk()

    def _walk(self) -> None:
        node, effects = 0, []
        for move in self.made:
            edge = self.graph.edge(node, move)
            if edge is None:
                raise IllegalMove(
                    "%(spell)s may not be played here; %(allowed)s", spell=_spell(move), allowed=self._allowed(node)
                )
            node = edge[4]
            effects.append(edge[3])
        object.__setattr__(self, "_node", node)
        object.__setattr__(self, "_effects", tuple(effects))

    def _with(self, made: tuple[Move, ...]) -> Turn:
        if self.graph.end_of(made) in (None, LATER):
            return Turn(self.rules, self.start, self.faces, made)
        turn = self._copy(made)
        turn._walk()
        return turn

    def _after(self, edge: Edge) -> Turn:
        """The turn after one of its next moves."""
        made = (*self.made, edge[:3])
        if edge[4] == LATER:
            return Turn(self.rules, self.start, self.faces, made)
        turn = self._copy(made)
        object.__setattr__(turn, "_node", edge[4])
        object.__setattr__(turn, "_effects", (*self._effects, edge[3]))
        return turn

    def _copy(self, made: tuple[Move, ...]) -> Turn:
        """A turn with other moves and the same graph: computing another one takes a thousand times as long."""
        turn = object.__new__(Turn)
        for name in ("rules", "start", "faces", "graph"):
            object.__setattr__(turn, name, getattr(self, name))
        object.__setattr__(turn, "made", made)
        return turn

    def _undo_graph(self) -> TurnGraph:
        """A graph deep enough for undoing any one of the moves; a graph of one stage always is."""
        stages = self.rules.dice.rows[row_index(self.rules, self.faces)].stages
        return self.graph if len(stages) == 1 else turn_graph(self.rules, self.start, self.faces, self.made)

    def _allowed(self, node: int) -> str:
        edges = self.graph.nodes[node][1]
        return "allowed: " + (", ".join(_spell(edge[:3]) for edge in edges) or "no more moves")

    @property
    def position(self) -> Position:
        """The position after the moves made, seen by the mover."""
        return unpack(self.graph.positions[self._node])

    @property
    def text(self) -> str:
        """The notation of the moves made; "" before the first."""
        return format_moves(self.made, self._effects) if self.made else ""

    @property
    def may_commit(self) -> bool:
        """Whether the moves made are a legal play."""
        return self.graph.nodes[self._node][0]

    @property
    def why_not(self) -> str:
        """Why the turn cannot be committed yet; empty when it can."""
        if self.may_commit:
            return ""
        numbers = sorted({number for _, _, number in self.next_moves()}, reverse=True)
        return f"a {' or a '.join(map(str, numbers))} can still be played"

    def next_moves(self) -> tuple[Move, ...]:
        """The moves that may follow; each leads on to a legal play."""
        return tuple(edge[:3] for edge in self.graph.nodes[self._node][1])

    def move(self, source: int, target: int, number: int | None = None) -> Turn:
        """The turn with one more move, or with several of one checker when they are unambiguous.

        number: needed only when two fit. Raises IllegalMove.
        """
        edges = self.graph.nodes[self._node][1]
        found = [edge for edge in edges if edge[:2] == (source, target) and number in (None, edge[2])]
        if len(found) == 1:
            return self._after(found[0])
        if found:
            numbers = " or ".join(str(edge[2]) for edge in found)
            raise IllegalMove(
                "%(source)s/%(target)s may be played with %(numbers)s; say which",
                source=point_name(source),
                target=point_name(target),
                numbers=numbers,
            )
        ways = list(self._ways(source, target)) if number is None else []
        turns = {(turn.graph.positions[turn._node], turn.numbers): turn for turn in reversed(ways)}
        if len(turns) == 1:
            return next(iter(turns.values()))
        asked = f"{point_name(source)}/{point_name(target)}" + (f" with a {number}" if number is not None else "")
        if turns:
            raise IllegalMove("%(asked)s can be played in ways that differ; make the moves one by one", asked=asked)
        raise IllegalMove(
            "%(asked)s may not be played here; %(allowed)s", asked=asked, allowed=self._allowed(self._node)
        )

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers played so far, lowest first."""
        return tuple(sorted(number for _, _, number in self.made))

    def _ways(self, source: int, target: int) -> Iterable[Turn]:
        """Turns in which one checker moves on from source to target."""
        for edge in self.graph.nodes[self._node][1]:
            if edge[0] != source or edge[1] < target:
                continue
            turn = self._after(edge)
            if edge[1] == target:
                yield turn
            else:
                yield from turn._ways(edge[1], target)

    def undo_sources(self) -> tuple[Move, ...]:
        """The moves that can be undone now: the remaining ones, in order, begin a legal play."""
        graph, kept = self._undo_graph(), dict[Move, None]()
        for index, move in enumerate(self.made):
            if graph.end_of(self.made[:index] + self.made[index + 1 :]) is not None:
                kept[move] = None
        return tuple(kept)

    def undo(self, move_or_source: Move | int) -> Turn:
        """The turn without that move, or without the last undoable move from that source; IllegalMove."""
        graph = self._undo_graph()
        for index in range(len(self.made) - 1, -1, -1):
            move = self.made[index]
            if move_or_source not in (move, move[0]):
                continue
            rest = self.made[:index] + self.made[index + 1 :]
            if graph.end_of(rest) is not None:
                return self._with(rest)
        allowed = ", ".join(map(_spell, self.undo_sources())) or "none"
        raise IllegalMove("that move cannot be taken back; these can: %(allowed)s", allowed=allowed)

    def play(self) -> Play:
        """The play of the moves made; IllegalMove says what can still be played."""
        if not self.may_commit:
            raise IllegalMove("the play is not finished: %(why_not)s", why_not=self.why_not)
        return make_play(self.made, self._effects, self.position, self.graph.again[self._node])


def find_play(rules: Rules, position: Position, faces: RollFaces, moves: Iterable[Move]) -> Play:
    """The play of these moves in the order made; IllegalMove, and RollError and PositionError as legal_plays."""
    made = moves_of(moves)
    row = row_index(rules, faces)
    found = _plays.get((core_rules(rules), pack(position), row, made))
    if found is None:
        found = Turn(rules, position, rules.dice.rows[row].faces, made).play()
        keep_play(rules, position, row, found)
    return found


def keep_play(rules: Rules, position: Position, row: int, play: Play) -> None:
    """Keeps a legal play of the roll of this row for `find_play`, which a play that is found is soon asked for."""
    if len(_plays) >= PLAYS_KEPT:
        _plays.clear()
    _plays[core_rules(rules), pack(position), row, play.moves] = play


_plays: Final[dict[tuple[core.Rules, bytes, int, tuple[Move, ...]], Play]] = {}


def _spell(move: Move | tuple[int, ...]) -> str:
    return f"{point_name(move[0])}/{point_name(move[1])} with a {move[2]}"
