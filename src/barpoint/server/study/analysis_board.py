"""What the analysis board shows of a position without asking the engine: the board, its IDs, and plays made on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final
from urllib.parse import urlencode

from msgspec import UNSET, Struct, structs

from barpoint.analysis.decision_board import DecisionBoard, board_text
from barpoint.draw import svg
from barpoint.error import BarpointError, FormatError
from barpoint.game.event import MoveMade
from barpoint.game.phase import Cube, Phase, RollRecord
from barpoint.language import _
from barpoint.match import Match, MatchTerms
from barpoint.moves import Turn, find_play
from barpoint.record import format_gnuid, format_ogid, format_position, format_xgid
from barpoint.record.annotation import MAX_COMMENT, AnnotatedPosition
from barpoint.record.fibs_board import FibsBoard, format_board
from barpoint.record.text_annotations import parse_annotated
from barpoint.rules import Rules
from barpoint.server.domain.analysis_board import (
    PATH,
    BoardAddress,
    BoardSetup,
    path_of,
    setup_from_situation,
)
from barpoint.server.domain.board_steps import after_play, check_playable, may_double
from barpoint.server.domain.titles import variant_title
from barpoint.server.protocol.board_view import AllowedShown, BoardView, ScoreShown, TurnShown
from barpoint.server.protocol.match_text import Names
from barpoint.server.protocol.match_view import BoardScene, view
from barpoint.server.study.file_notes import OtherShown, said_of_position, shown_text
from barpoint.server.study.nets import net_of
from barpoint.server.study.score_values import ScoreValues, score_values

MAX_PATH: Final = 2_000
"""Characters of an address with a comment; proxies take 4,096 bytes of headers."""


class PositionId(Struct, frozen=True):
    """An ID of the position in one of the formats that can hold it."""

    name: str
    text: str


class PlayedShown(Struct, frozen=True):
    """The play that led here. text: its notation. id: of the position after it, as in `PlayAnswer`."""

    text: str
    id: str


class BoardShown(Struct, frozen=True, omit_defaults=True):
    """The analysis board. path: its link. address: the same as fields. view: as the board draws it.

    rolls: every roll of these dice. tokens: of a side at the start; cube: these rules have one.
    other: what the text that was read says of the decision. crawford: this can be the Crawford game. may_double: the player to act may. problem: why there is nothing to analyse, "" where there is. covered: a net has
    learned this game. ids: the position for other programs. said: what an edit could not do. score: what a match score makes of the game.
    """

    path: str
    address: BoardAddress
    title: str
    view: BoardView
    ids: tuple[PositionId, ...]
    rolls: tuple[tuple[int, ...], ...]
    tokens: int
    cube: bool
    crawford: bool
    covered: bool
    may_double: bool = False
    problem: str = ""
    said: str = ""
    other: OtherShown | None = None
    played: PlayedShown | None = None
    score: ScoreValues | None = None


def board_shown(setup: BoardSetup, moves: tuple[MoveMade, ...] = (), said: str = "") -> BoardShown:
    """The board of a setup after the moves tried; IllegalMove where they begin no legal play."""
    rules, problem = setup.rules, setup.problem
    return BoardShown(
        path=path_of(setup),
        address=setup.address,
        title=variant_title(rules),
        view=_view(setup, moves, playable=not problem),
        ids=ids_of(setup),
        rolls=tuple(row.faces for row in rules.dice.rows),
        tokens=rules.rerolls.tokens,
        cube=rules.cube,
        crawford=setup.length > 0 and setup.length - 1 in setup.score,
        covered=net_of(rules) is not None,
        may_double=may_double(setup),
        problem=problem,
        said=said,
        score=score_values(setup),
    )


def _view(setup: BoardSetup, moves: tuple[MoveMade, ...], *, playable: bool) -> BoardView:
    shown = view(BoardScene(match_of(setup), None, (), playing=True), names(), 0)
    shown = structs.replace(
        shown,
        to_act=setup.turn if playable else None,
        turn=None,
        allowed=(AllowedShown("roll"),) if playable else (),
        roll=UNSET,
        score=ScoreShown(*setup.score, setup.length, setup.crawford),
    )
    if not (playable and setup.faces):
        return shown
    nodes = Turn(setup.rules, setup.of_actor, setup.faces, moves).graph.nodes
    return structs.replace(shown, turn=TurnShown(nodes, moves), allowed=(AllowedShown("play"),))


def match_of(setup: BoardSetup) -> Match:
    """A match that stands as the board does; the position need not be one that the rules allow."""
    terms = MatchTerms(
        length=setup.length,
        cube=setup.cube > 0,
        jacoby=setup.jacoby,
        beavers=int(setup.beavers),
        first_score=setup.score,
    )
    match = Match.start(rules=setup.rules, terms=terms)
    player = 0 if setup.turn == "near" else 1
    owner = {"near": 0, "far": 1, "": None}[setup.owner]
    game = structs.replace(
        match.game,
        stakes=terms.stakes(setup.crawford, after_crawford=False),
        position=setup.of_actor,
        phase=Phase.TO_ROLL,
        player=player,
        turn_number=3,
        cube=Cube(value=max(1, setup.cube), owner=owner),
        tokens=setup.tokens,
    )
    if setup.faces:
        record = RollRecord(id=3, player=player, turn=3, count=1, faces=setup.faces, before=setup.of_actor)
        game = structs.replace(game, phase=Phase.TO_PLAY, last_roll=record, roll_id=3, roll_count=1)
    return structs.replace(match, game=game, crawford=setup.crawford)


def played_on(setup: BoardSetup, moves: tuple[MoveMade, ...]) -> BoardShown:
    """The board after a play: the other side is to roll, unless the mover rolls again. IllegalMove."""
    check_playable(setup)
    play = find_play(setup.rules, setup.of_actor, setup.faces, moves)
    shown = board_shown(after_play(setup, play))
    played = PlayedShown(str(play) if play.moves else "", format_position(play.next))
    return structs.replace(shown, played=played)


def ids_of(setup: BoardSetup) -> tuple[PositionId, ...]:
    """The position as every ID that can hold it."""
    situation = setup.situation
    ways: tuple[tuple[str, Callable[[], str]], ...] = (
        ("XGID", partial(format_xgid, situation)),
        ("OGID", partial(format_ogid, situation)),
        (_("GNU Backgammon ID"), partial(format_gnuid, situation)),
        (_("Position ID"), partial(format_position, setup.of_actor)),
        (_("FIBS board"), partial(_fibs_line, setup)),
    )
    found = []
    for name, way in ways:
        try:
            found.append(PositionId(name, way()))
        except BarpointError:
            continue
    return tuple(found)


def _fibs_line(setup: BoardSetup) -> str:
    if setup.rules.name != "backgammon":
        raise FormatError("board lines are for backgammon")
    owner = setup.owner
    line = FibsBoard(
        names=names().players,
        length=setup.length,
        score=setup.score,
        position=setup.position,
        yours=setup.turn == "near",
        dice=setup.faces,
        cube=max(1, setup.cube),
        may_double=(owner != "far", owner != "near"),
        after_crawford=setup.length > 0 and not setup.crawford,
    )
    return format_board(line)


def shown_of_text(text: str, rules: Rules) -> BoardShown:
    """The board that a pasted text describes, in any notation that `parse_id` reads, with what the text says of the decision; FormatError, PositionError."""
    read = parse_annotated(text, rules.checkers)
    setup = setup_from_situation(read.situation, rules)
    return structs.replace(board_shown(setup), other=said_of_position(read, rules))


def path_of_text(text: str, rules: Rules) -> str:
    """The address of the board that a text describes, which takes along what is shown of its analysis, and of a comment what
    there is room for; FormatError, PositionError.
    """
    read = parse_annotated(text, rules.checkers)
    if not read.annotation:
        return path_of(setup_from_situation(read.situation, rules))
    ways = (_path_with(read, most) for most in (MAX_COMMENT, 1_000, 500, 200))
    return next((path for path in ways if len(path) <= MAX_PATH), _path_with(read, 0))


def _path_with(read: AnnotatedPosition, most: int) -> str:
    """The same with so many characters of the comment at most."""
    comment = read.annotation.comment
    cut = comment if len(comment) <= most else f"{comment[:most]}…" if most else ""
    kept = replace(read, annotation=replace(read.annotation, comment=cut))
    return f"{PATH}?{urlencode({'id': shown_text(kept)})}"


def picture_of(setup: BoardSetup, moves: tuple[MoveMade, ...] = ()) -> str:
    """The board as an SVG document; moves: of the player to act, drawn as arrows."""
    return svg(
        setup.of_actor,
        meeting=setup.rules.movement.meeting,
        near_to_act=setup.turn == "near",
        dice=setup.faces,
        moves=moves,
        cube=setup.cube or None,
        cube_near=None if not setup.owner else setup.owner == "near",
        tokens=setup.tokens if setup.rules.rerolls.tokens else None,
        labels=names().players,
        theme="walnut",
        width_px=900,
    )


def names() -> Names:
    """What the two sides are called."""
    return Names((_("You"), _("Opponent")), 0)


def decision_board(setup: BoardSetup, players: tuple[str, str] = ("", "")) -> DecisionBoard:
    """The board for a text, with near as X. players: what near and far are called; "" for no names."""
    tokens = setup.tokens if setup.rules.rerolls.tokens else None
    return DecisionBoard(setup.situation, setup.rules, variant_title(setup.rules), setup.cube > 0, tokens, players)


def text_of(setup: BoardSetup) -> str:
    """The board in letters, with what is at stake and its IDs."""
    ids = "\n".join(f"{one.name}: {one.text}" for one in ids_of(setup))
    return f"{board_text(decision_board(setup))}\n{ids}\n"
