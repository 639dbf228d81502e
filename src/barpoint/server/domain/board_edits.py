"""Edits of the analysis board: checkers carried by hand, and the whole position at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from barpoint.board import BAR, HAND, OFF, Position, Side
from barpoint.error import FormatError
from barpoint.rules import Capture, Rules
from barpoint.server.domain.analysis_board import BoardSetup, BoardSide


class BoardEdit(Struct, frozen=True, forbid_unknown_fields=True):
    """One edit of a position. side: whose checker. place: 1 to 24 of that side, 0 off, 25 the bar, 26 the hand.

    add: takes a checker from the tray of the side. remove: puts one there. move: from `place` to `to`. start, clear:
    all checkers. flip: the sides change places. turn: the other side is to act.
    """

    kind: Literal["add", "remove", "move", "start", "clear", "flip", "turn"]
    side: BoardSide = "near"
    place: Annotated[int, Meta(ge=0, le=HAND)] = 0
    to: Annotated[int, Meta(ge=0, le=HAND)] = 0


def edited(setup: BoardSetup, edit: BoardEdit) -> BoardSetup:
    """The board after an edit; FormatError where there is no checker to take."""
    rules = setup.rules
    match edit.kind:
        case "start":
            return replace(setup, position=rules.start)
        case "clear":
            empty = Side.of({OFF: rules.checkers})
            return replace(setup, position=Position(empty, empty), faces=())
        case "turn":
            return replace(setup, turn="far" if setup.turn == "near" else "near")
        case "flip":
            return _flipped(setup)
        case "add":
            return _carried(setup, edit.side, OFF, edit.place)
        case "remove":
            return _carried(setup, edit.side, edit.place, OFF)
        case "move":
            return _carried(setup, edit.side, edit.place, edit.to)


def _flipped(setup: BoardSetup) -> BoardSetup:
    other: dict[str, Any] = {"near": "far", "far": "near", "": ""}
    return replace(
        setup,
        position=setup.position.flip(),
        turn=other[setup.turn],
        owner=other[setup.owner],
        score=setup.score[::-1],
        tokens=setup.tokens[::-1],
    )


def _carried(setup: BoardSetup, name: BoardSide, source: int, target: int) -> BoardSetup:
    """A checker carried by hand; checkers of the other side make room, except for one that can be pinned. Nothing is left of what
    the dice had to do.
    """
    position = setup.position if name == "near" else setup.position.flip()
    us = _put(_taken(position.us, source, setup.rules), target, setup.rules)
    them = position.them
    if 0 < target < BAR:
        met = setup.rules.movement.meeting.other(target)
        pins = setup.rules.movement.capture is Capture.PIN and them.points[met] == 1
        if pins:
            them = replace(them, pinned=them.pinned | 1 << met)
        elif them.points[met]:
            them = _changed(them, {OFF: them.points[met], met: -them.points[met]})
            them = replace(them, pinned=them.pinned & ~(1 << met))
    if 0 < source < BAR and not us.points[source]:
        them = replace(them, pinned=them.pinned & ~(1 << setup.rules.movement.meeting.other(source)))
    changed = Position(replace(us, plain_rolls=0, owed=0), replace(them, plain_rolls=0, owed=0))
    return replace(setup, position=changed if name == "near" else changed.flip())


def _taken(side: Side, place: int, rules: Rules) -> Side:
    if place == HAND:
        if not side.hand:
            raise FormatError("no checker is left in the hand")
        return replace(side, hand=side.hand - 1)
    if not side.points[place]:
        if place == OFF:
            raise FormatError("all %(checkers)s checkers of this side are on the board", checkers=rules.checkers)
        raise FormatError("there is no checker")
    gone = replace(side, pinned=side.pinned & ~(1 << place)) if side.points[place] == 1 else side
    return _changed(gone, {place: -1})


def _put(side: Side, place: int, rules: Rules) -> Side:
    if place != HAND:
        return _changed(side, {place: 1})
    if not rules.setup.hand:
        raise FormatError("%(name)s has no checkers in the hand", name=rules.name)
    return replace(side, hand=side.hand + 1)


def _changed(side: Side, by: dict[int, int]) -> Side:
    return replace(side, points=tuple(count + by.get(point, 0) for point, count in enumerate(side.points)))
