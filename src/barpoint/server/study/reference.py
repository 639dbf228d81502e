"""The reference positions nearest to a position, as a page and programs see them."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from barpoint.analysis.inquiry import cube_info_of_inquiry
from barpoint.analysis.position import PositionAnswer
from barpoint.analysis.reference import PASS, ReferencePosition, ReferenceSettings, reference_collection
from barpoint.board import Position
from barpoint.engine.cube_info import Owner
from barpoint.game.event import MoveMade
from barpoint.moves import parse_play
from barpoint.record import format_position
from barpoint.rules import Rules
from barpoint.server.domain.analysis_board import BoardAddress, BoardSetup, path_of
from barpoint.server.study.openings import judged_by_rollout

MAX_FOUND: Final = 24


class ReferenceQuery(BoardAddress, frozen=True):
    """A position, and how many reference positions to find."""

    count: Annotated[int, Meta(ge=1, le=MAX_FOUND)] = 12


class ReferenceChoice(Struct, frozen=True):
    """A play, or a cube action: no double, double/take or double/pass. equity: of the player who decides, with the present
    cube as 1; error: its standard error."""

    text: str
    equity: float
    error: float


class ReferenceDecision(Struct, frozen=True):
    """A reference position. position: its ID, seen by the side to act; stage: the kind of game. faces: () for a cube action.

    owner: of the cube, us or them, "" while it is centred. best: a play, or the cube action; equity: of it. choices: those
    that were rolled out, plays best first. moves: of the best play. board: its analysis board. pips: how far the position is
    from the one asked about.
    """

    position: str
    stage: str
    faces: tuple[int, ...]
    owner: str
    best: str
    equity: float
    choices: tuple[ReferenceChoice, ...]
    moves: tuple[MoveMade, ...]
    board: str
    pips: int


class ReferenceFound(Struct, frozen=True):
    """Reference positions, the nearest first. settings: how they were judged, for money, without the Jacoby rule."""

    settings: ReferenceSettings
    decisions: tuple[ReferenceDecision, ...]


def nearest_references(rules: Rules, position: Position, count: int) -> ReferenceFound:
    """The reference positions nearest to that of a side to act; none in a game that they say nothing about."""
    collection = reference_collection()
    found = collection.nearest(position, count) if collection.covers(rules) else ()
    return ReferenceFound(collection.settings, tuple(shown_reference(one, pips) for one, pips in found))


def shown_reference(one: ReferencePosition, pips: int = 0) -> ReferenceDecision:
    """A reference position for programs and pages. pips: how far it is from another one."""
    rules = reference_collection().rules
    choices = one.choices if one.faces else (*one.choices, ("double/pass", PASS, 0.0))
    return ReferenceDecision(
        position=format_position(one.position),
        stage=one.stage,
        faces=one.faces,
        owner=one.owner or "",
        best=one.best,
        equity=one.equity,
        choices=tuple(ReferenceChoice(*choice) for choice in choices),
        moves=one.best_play(rules).moves if one.faces else (),
        board=path_of(setup_of_reference(rules, one)),
        pips=pips,
    )


def judged_by_reference(setup: BoardSetup, answer: PositionAnswer) -> PositionAnswer:
    """An answer about a roll with the equities of the reference position, where it is about one."""
    collection = reference_collection()
    one = collection.find(setup.of_actor, setup.faces, cube_info_of_inquiry(setup.inquiry))
    if one is None or not collection.covers(setup.rules):
        return answer
    plays = [(parse_play(setup.rules, one.position, one.faces, text), equity) for text, equity, _error in one.choices]
    return judged_by_rollout(answer, plays)


def setup_of_reference(rules: Rules, one: ReferencePosition) -> BoardSetup:
    """Its board, the side to act near."""
    sides: dict[Owner, Literal["near", "far", ""]] = {None: "", "us": "near", "them": "far"}
    return BoardSetup(rules, one.position, faces=one.faces, cube=one.cube_info.cube_value, owner=sides[one.owner])
