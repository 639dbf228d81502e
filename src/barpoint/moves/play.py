"""Legal plays of a roll, one for each distinct result. Results come first; moves are found when they are asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, overload

from barpoint.board import Position
from barpoint.error import ArgumentError, FormatError, IllegalMove, PositionError, brief, check_kind
from barpoint.moves.notation import Move, format_moves
from barpoint.native import POSITION_BYTES, RollFaces, core, core_rules, owed_error, pack, row_index
from barpoint.rules import Rules
from barpoint.variants import rules_of

_SIDE_BYTES: Final = POSITION_BYTES // 2


class _Listed:
    """Where a play of legal_plays comes from; its fields are made from it when they are first asked for."""

    __slots__ = ("_index", "_plays")
    _plays: LegalPlays
    _index: int


@dataclass(frozen=True, slots=True)
class Play(_Listed):
    """The moves of a whole roll and their result. `str` gives the notation of rulings 7.7.

    Plays are equal when they lead to the same `result` and `again`, whichever of several ways their moves take.
    moves: one way to the result, in an order in which they can be made; empty when nothing can be played.
    result: the position afterwards, seen by the mover.
    next: the same seen by the side that acts next, which is the mover again when `again`.
    again: the mover rolls again.
    effects: [len(moves)] the effect of each move: 0 nothing, 1 a hit, 2 a pin.
    """

    moves: tuple[Move, ...] = field(compare=False)
    result: Position
    next: Position = field(compare=False)
    again: bool = False
    effects: tuple[int, ...] = field(default=(), compare=False)

    _repr_svg_: ClassVar[Callable[[Play], str | None]]
    """A picture of the result for notebooks, bound by `draw`."""

    def __getattr__(self, name: str) -> Any:
        # Called only for what is not there yet.
        if name not in _FIELDS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        found = self._plays._field(self._index, name)
        object.__setattr__(self, name, found)
        return found

    def __repr__(self) -> str:
        return f"<Play {self}>"

    def __str__(self) -> str:
        return format_moves(self.moves, self.effects)


_FIELDS: Final = ("moves", "result", "next", "again", "effects")
_new_play: Final = object.__new__
_set_plays = vars(_Listed)["_plays"].__set__  # the slots themselves: a frozen class refuses assignments
_set_index = vars(_Listed)["_index"].__set__


def make_play(moves: tuple[Move, ...], effects: tuple[int, ...], result: Position, again: bool) -> Play:
    """A play of moves known to be legal."""
    return Play(moves, result, result if again else result.flip(), again, effects)


class LegalPlays(Sequence[Play]):
    """All plays of a roll, one for each distinct (result, again); the order depends on position and roll alone.

    A sequence like a tuple; `find`, `index` and `in` take a Play, a text such as "8/5 6/5", or the position after the play, seen by
    the mover. The core has found the results; a Play is made when it is taken out, and the moves of all of them when those of
    one are first asked for, which takes thirty times as long as the results.
    """

    __slots__ = ("_again", "_moves", "_position", "_results", "_row", "_rules")

    _parse: ClassVar[Callable[..., Play]]
    """`parse_play`, which stands above this file and is bound by the package."""

    def __init__(self, rules: Rules, position: bytes, row: int) -> None:
        self._rules, self._position, self._row = rules, position, row
        self._results, self._again = core.play_results(core_rules(rules), position, row)
        self._moves: dict[tuple[bytes, bool], tuple[tuple[Move, ...], tuple[int, ...]]] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return LegalPlays, (self._rules, self._position, self._row)

    def __len__(self) -> int:
        return len(self._again)

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Play, ...]: ...

    def __getitem__(self, index: int | slice) -> Play | tuple[Play, ...]:
        count = len(self._again)
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(count)))
        at = index + count if index < 0 else index
        if not 0 <= at < count:
            raise IndexError(f"play {index} of {count}")
        play = _new_play(Play)
        _set_plays(play, self)
        _set_index(play, at)
        return play

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, LegalPlays | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"LegalPlays({', '.join(map(str, self))})"

    def find(self, wanted: Play | Position | str) -> Play:
        """The play with the same result as this one, the one that a text means, or the one that leads to a position.

        IllegalMove when there is none, FormatError for a text that is no notation, ArgumentError for anything else.
        """
        return self[self.index(wanted)]

    def index(self, value: object, start: int = 0, stop: int = sys.maxsize) -> int:
        """The number of the play that `find` finds; errors as there. IllegalMove is a ValueError too."""
        at = self._at(value, hint=True)
        if at is None or at not in range(len(self))[start:stop]:
            raise no_legal_play(brief(value) if isinstance(value, Position) else value, self._faces)
        return at

    def __contains__(self, value: object) -> bool:
        """Whether `find` finds it; False also for what means nothing."""
        try:
            return self._at(value, hint=False) is not None
        except (ArgumentError, FormatError, IllegalMove):
            return False

    def count(self, value: object) -> int:
        """1 for what is among these plays, 0 for anything else."""
        return int(value in self)

    @property
    def _faces(self) -> tuple[int, ...]:
        return self._rules.dice.rows[self._row].faces

    def _at(self, value: object, *, hint: bool) -> int | None:
        if isinstance(value, str):
            value = LegalPlays._parse(self._rules, Position.of_packed(self._position), self._faces, value, hint=hint)
        if isinstance(value, Play):
            return self.index_of(pack(value.result), value.again)
        if not isinstance(value, Position):
            check_kind("play", value, Play, Position, str)
            return None
        found = (self.index_of(pack(value), again) for again in (False, True))
        return next((at for at in found if at is not None), None)

    def index_of(self, result: bytes, again: bool) -> int | None:
        """The number of the play with this packed result, seen by the mover; None when there is none."""
        start = self._results.find(result)
        while start >= 0:
            at, rest = divmod(start, POSITION_BYTES)
            if rest == 0 and (self._again[at] != 0) == again:
                return at
            start = self._results.find(result, start + 1)
        return None

    def _field(self, at: int, name: str) -> object:
        """A field of the play with this number."""
        again = self._again[at] != 0
        if name == "again":
            return again
        result = self._results[at * POSITION_BYTES : (at + 1) * POSITION_BYTES]
        if name == "next" and not again:
            return Position.of_packed(result[_SIDE_BYTES:] + result[:_SIDE_BYTES])
        if name in ("result", "next"):
            return Position.of_packed(result)
        if self._moves is None:
            found = core.plays(core_rules(self._rules), self._position, self._row)
            self._moves = {(packed, flag): (moves, effects) for packed, flag, moves, effects in found}
        return self._moves[result, again][name == "effects"]


def no_legal_play(value: object, faces: tuple[int, ...]) -> IllegalMove:
    """The error for a play or a text that no legal play of this roll is."""
    return IllegalMove(
        "%(value)s is no legal play of %(shown)s", value=str(value).strip(), shown="-".join(map(str, faces))
    )


def legal_plays(rules: Rules | str, position: Position, faces: RollFaces) -> LegalPlays:
    """All plays of a roll, one for each distinct (result, again); the order depends on position and roll alone.

    rules: these, or a name. position: seen by the mover. faces: as the dice show them, in any order.
    Raises RollError for faces these dice cannot show, PositionError for a position these rules do not allow,
    ArgumentError for arguments of another kind.
    """
    if not isinstance(rules, Rules):  # not always by a call: this is asked by the million
        rules = rules_of(rules)
    row = row_index(rules, faces)
    try:
        return LegalPlays(rules, pack(position), row)
    except ValueError as problem:
        raise PositionError(str(problem)) from None
    except IndexError:
        raise owed_error(rules, position, tuple(faces)) from None


def play_to(rules: Rules, position: Position, faces: RollFaces, result: Position, again: bool = False) -> Play | None:
    """The legal play that leads to this result, seen by the mover; None when there is none. Raises as legal_plays."""
    plays = legal_plays(rules, position, faces)
    at = plays.index_of(pack(result), again)
    return None if at is None else plays[at]


def format_play(play: Play) -> str:
    """The notation of a play, such as "bar/20*/19"."""
    return str(play)
