"""What the analysis board shows of a position without asking the engine: the board, its IDs, and plays made on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from msgspec import UNSET, Struct, structs

from barpoint.draw import board, plain, svg
from barpoint.error import BarpointError, FormatError, IllegalMove
from barpoint.game.event import MoveMade
from barpoint.game.phase import Cube, Phase, RollRecord
from barpoint.match import Match, MatchTerms
from barpoint.moves import Turn, find_play
from barpoint.record import format_gnuid, format_position, format_xgid, parse_gnuid, parse_xgid
from barpoint.record.fibs_board import FibsBoard, format_board, parse_board
from barpoint.rules import Rules
from barpoint.server.domain.analysis_board import (
    BoardAddress,
    BoardSetup,
    path_of,
    setup_from_situation,
)
from barpoint.server.domain.titles import variant_title
from barpoint.server.protocol.match_text import Names
from barpoint.server.protocol.match_view import AllowedShown, BoardScene, BoardView, ScoreShown, TurnShown, view
from barpoint.server.study.analyses import net_of

NAMES: Final = Names(("You", "Opponent"), 0)
"""The players; near is the first."""

MAX_TEXT: Final = 4000
"""Characters of a pasted text."""


class PositionId(Struct, frozen=True):
    """An ID of the position in one of the formats that can hold it."""

    name: str
    text: str


class BoardShown(Struct, frozen=True, omit_defaults=True):
    """The analysis board. path: its link. address: the same as fields. view: as the board draws it.

    rolls: every roll of these dice. problem: why there is nothing to analyse, "" where there is. covered: a net has
    learned this game. ids: the position for other programs. said: what an edit could not do.
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
    problem: str = ""
    said: str = ""


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
        problem=problem,
        said=said,
    )


def _view(setup: BoardSetup, moves: tuple[MoveMade, ...], *, playable: bool) -> BoardView:
    shown = view(BoardScene(_match(setup), None, (), playing=True), NAMES, 0)
    shown = structs.replace(
        shown,
        to_act=setup.turn if playable else None,
        turn=None,
        allowed=(),
        roll=UNSET,
        score=ScoreShown(*setup.score, setup.length, setup.crawford),
    )
    if not (playable and setup.faces):
        return shown
    nodes = Turn(setup.rules, setup.of_actor, setup.faces, moves).graph.nodes
    return structs.replace(shown, turn=TurnShown(nodes, moves), allowed=(AllowedShown("play"),))


def _match(setup: BoardSetup) -> Match:
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
    game = replace(
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
        game = replace(game, phase=Phase.TO_PLAY, last_roll=record, roll_id=3, roll_count=1)
    return replace(match, game=game, crawford=setup.crawford)


def played_on(setup: BoardSetup, moves: tuple[MoveMade, ...]) -> BoardSetup:
    """The board after a play: the other side is to roll, unless the mover rolls again. IllegalMove."""
    if setup.problem or not setup.faces:
        raise IllegalMove("no play can be made here: a position and a roll are needed")
    play = find_play(setup.rules, setup.of_actor, setup.faces, moves)
    near = play.result if setup.turn == "near" else play.result.flip()
    other = setup.turn if play.again else "far" if setup.turn == "near" else "near"
    return replace(setup, position=near, faces=(), turn=other)


def ids_of(setup: BoardSetup) -> tuple[PositionId, ...]:
    """The position as every ID that can hold it."""
    situation = setup.situation
    ways = (
        ("XGID", lambda: format_xgid(situation)),
        ("GNU Backgammon ID", lambda: format_gnuid(situation)),
        ("Position ID", lambda: format_position(setup.of_actor)),
        ("FIBS board", lambda: _fibs_line(setup)),
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
        names=("You", "Opponent"),
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


def read_text(text: str, rules: Rules) -> BoardSetup:
    """The board that a pasted text describes: an XGID, a GNU ID, our own ID or a FIBS board; FormatError."""
    text = text.strip()
    if text.startswith("board:"):
        return _from_fibs(parse_board(text), rules)
    if text.count(":") > 1:
        return setup_from_situation(parse_xgid(text, rules.checkers), rules)
    try:
        return setup_from_situation(parse_gnuid(text, rules.checkers), rules)
    except FormatError as error:
        raise FormatError(f"this is no position: {error}") from None


def _from_fibs(line: FibsBoard, rules: Rules) -> BoardSetup:
    full = rules.rerolls.tokens
    mine, theirs = line.may_double
    return BoardSetup(
        rules=rules,
        position=line.position,
        turn="far" if line.yours is False else "near",
        faces=line.dice,
        cube=line.cube if rules.cube else 0,
        owner="" if mine == theirs else "near" if mine else "far",
        length=line.length,
        score=line.score if line.length else (0, 0),
        crawford=line.crawford,
        tokens=(full, full),
    )


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
        labels=NAMES.players,
        theme="walnut",
        width_px=900,
    )


def text_of(setup: BoardSetup) -> str:
    """The board in letters, with what is at stake and its IDs."""
    lines = plain(board(setup.position, meeting=setup.rules.movement.meeting))
    who = "You" if setup.turn == "near" else "Opponent"
    roll = f"{who} to play {'-'.join(map(str, setup.faces))}" if setup.faces else f"{who} to roll or double"
    length = f"Match to {setup.length}, {setup.score[0]}-{setup.score[1]}" if setup.length else "Money"
    crawford = ", Crawford game" if setup.crawford else ""
    owner = {"near": ", yours", "far": ", the opponent’s", "": ""}[setup.owner]
    cube = f"Cube {setup.cube}{owner}" if setup.cube else "No cube"
    ids = "\n".join(f"{one.name}: {one.text}" for one in ids_of(setup)[:2])
    return f"{lines}\n\n{variant_title(setup.rules)}. {length}{crawford}. {cube}.\n{roll}.\n{ids}\n"
