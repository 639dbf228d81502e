"""What one viewer may see of a match and may do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, cast

from msgspec import UNSET, Raw, UnsetType, json, structs

from barpoint.board import Side
from barpoint.dice import Stage, row_index
from barpoint.error import IllegalMove
from barpoint.game import event as game_event
from barpoint.game.event import MoveMade
from barpoint.game.manual import void_reasons
from barpoint.game.phase import Allowed, Phase
from barpoint.game.state import Game
from barpoint.match import Match
from barpoint.moves import Turn
from barpoint.moves.turn import Edge
from barpoint.rules import Meeting, Rules
from barpoint.server.domain.matches import BOTH
from barpoint.server.domain.real_board import Nodes, free_moves, hand_path
from barpoint.server.domain.seat_names import short_name
from barpoint.server.domain.titles import title_in_turn
from barpoint.server.protocol.board_view import (
    AllowedShown,
    BoardView,
    Both,
    CubeShown,
    DiceShown,
    DoubleShown,
    Labels,
    Last,
    LogLine,
    OpeningRollShown,
    ResultShown,
    RollAwaited,
    ScoreShown,
    SideShown,
    TurnShown,
)
from barpoint.server.protocol.match_text import (
    EventTold,
    Names,
    ended_text,
    level_name,
    match_result_text,
    result_text,
    sentence,
)
from barpoint.variants import rules_of_game

HIDDEN: Final = frozenset({"opening", "settle", "timeout", "claim", "void", "object", "correct"})
"""Events that a player cannot request from this server."""

ENTERED: Final = frozenset({"opening", "roll", "settle", "timeout", "claim"})
"""Events without a button on a real board: rolls are entered, the others do not occur."""


_MEETS: Final = {meeting: (0, *map(meeting.other, range(1, 25))) for meeting in Meeting}
"""The other side's number of each own point."""


@dataclass(frozen=True)
class BoardScene:
    """What a view is made of; what all viewers see alike is computed once.

    match: as it stands. last: the newest event. made: the moves tried by whoever is to play.
    playing: both seats are taken. leaving_loses: who leaves before the first roll loses the match.
    quitting: the seat that has ended it before then, and what is said of that to them and to others.
    """

    match: Match
    last: EventTold | None
    made: tuple[MoveMade, ...]
    playing: bool
    leaving_loses: bool = False
    quitting: tuple[int, tuple[str, str]] | None = None

    @cached_property
    def legal(self) -> tuple[Allowed, ...]:
        """Everything that may happen now."""
        return self.match.legal_events()

    @cached_property
    def told(self) -> tuple[Allowed, ...]:
        """What is offered: everything that may happen now, and of resignations only what can matter."""
        return tuple(_needed(item, self.match) for item in self.legal)

    @cached_property
    def sides(self) -> tuple[SideShown, SideShown]:
        """The checkers of player 0 and 1."""
        return _side(self.match.game.side(0)), _side(self.match.game.side(1))

    @cached_property
    def pips(self) -> tuple[int, int]:
        """The pip counts of player 0 and 1."""
        return self.match.game.side(0).pips, self.match.game.side(1).pips


def view(scene: BoardScene, names: Names, near: int | None = None) -> BoardView:
    """The match as one viewer sees it; `names.you` is their seat, BOTH with real dice, None for a spectator.

    near: the side shown as their own, if not that of their seat.
    """
    match, game = scene.match, scene.match.game
    seat = names.you
    if near is None:
        near = seat if seat == 1 else 0
    other = 1 - near
    ahead = match.score
    going = scene.playing and not match.over  # a match that was ended early is over, its game is not
    return BoardView(
        near=scene.sides[near],
        far=scene.sides[other],
        meets=_MEETS[game.rules.movement.meeting],
        to_act=side_of(game.actor, near) if going else None,
        phase=game.phase.value,
        dice=_dice(game, scene.made, near),
        opening_roll=_opening_roll(game, near),
        turn=_turn(game, scene.made, seat) if going else None,
        cube=_cube(game, near),
        tokens=Both(game.tokens[near], game.tokens[other]) if game.rules.rerolls.tokens else None,
        allowed=_allowed(scene, seat) if scene.playing and seat is not None else (),
        labels=_labels(names.of(near), names.of(other)),
        pips=Both(scene.pips[near], scene.pips[other]),
        score=ScoreShown(
            ahead[near], ahead[other], match.length, match.crawford and not match.over, _game_title(match)
        ),
        last=_last(scene.last, near, names) if scene.last is not None else None,
        result=_result(scene, near, names),
        roll=_awaited(game) if seat == BOTH and not match.over else UNSET,
    )


def line(told: EventTold, names: Names, rules: Rules, *, automatic: bool = False) -> LogLine:
    """An event as a line of the list beside the board. rules: of the match. automatic: the server has made it for its player."""
    moves = told.event.moves if isinstance(told.event, game_event.PlayMade | game_event.Correct) else ()
    begins = told.kind in ("opening", "next")
    title = title_in_turn(rules, rules_of_game(rules, told.game - 1)) if begins else ""
    return LogLine(
        told.seq,
        told.at,
        told.game,
        told.by,
        told.kind,
        sentence(told, names),
        told.faces,
        moves,
        title or UNSET,
        ended_text(told, names) or UNSET,
        (automatic and told.kind == "play") or UNSET,
    )


def side_of(player: int | None, near: int) -> str | None:
    """A player in the viewer's words, near or far; None for nobody."""
    return None if player is None else ("near" if player == near else "far")


def _game_title(match: Match) -> str | UnsetType:
    return title_in_turn(match.rules, match.game.rules) or UNSET


def _labels(near: str, far: str) -> Labels:
    shorter = [short if (short := short_name(name)) != name else UNSET for name in (near, far)]
    return Labels(near, far, *shorter)


def _side(side: Side) -> SideShown:
    return SideShown(side.points, side.hand, tuple(point for point in range(1, 25) if side.pinned >> point & 1))


def _dice(game: Game, made: tuple[MoveMade, ...], near: int) -> DiceShown | None:
    if not game.faces:
        return None
    of = "near" if game.player == near else "far"
    return DiceShown(game.rules.dice.kind, game.faces, of, _stage(game, made), bool(game.position.us.owed) or UNSET)


def _stage(game: Game, made: tuple[MoveMade, ...]) -> Stage:
    """The alternatives in the stage of the roll that the moves made have reached."""
    rows = game.rules.dice.rows
    stages = rows[row_index(rows, game.faces)].stages
    played = [move[2] for move in made]
    for stage in stages[:-1]:
        done = next((option for option in stage if sorted(option) == sorted(played[: len(option)])), None)
        if done is None:
            return stage
        played = played[len(done) :]
    return stages[-1]


def _opening_roll(game: Game, near: int) -> OpeningRollShown | None:
    if len(game.opening_dice) != 2 or game.turn_number > 1 or game.over:
        return None
    return OpeningRollShown(game.rules.dice.kind, game.opening_dice[near], game.opening_dice[1 - near])


def _turn(game: Game, made: tuple[MoveMade, ...], seat: int | None) -> TurnShown | None:
    if not game.faces:
        return None
    mover = seat in (game.player, BOTH) and game.phase in (Phase.TO_PLAY, Phase.TO_CORRECT)
    if not mover and not made:
        return NOTHING_TO_PLAY
    try:
        nodes: Nodes = Turn(game.rules, game.position, game.faces, made).graph.nodes
    except IllegalMove:  # only moves by hand are illegal, and the live match accepts them at real boards only
        nodes = hand_path(game.rules, game.position, made)
    if not mover:
        return TurnShown(written(_path(nodes, made)), made)
    by_hand = seat == BOTH and game.phase is Phase.TO_PLAY
    return TurnShown(written(nodes), made, free_moves(game.rules, game.position, made) if by_hand else UNSET)


def written(nodes: Nodes) -> Nodes:
    """A graph as the JSON that is sent: a view is kept until the next event, and tuples take eight times the memory."""
    return cast(Nodes, Raw(json.encode(nodes)))


def _path(nodes: Nodes, made: tuple[MoveMade, ...]) -> Nodes:
    """The graph reduced to the moves made: a viewer can follow them but make none."""
    path: list[tuple[bool, tuple[Edge, ...]]] = []
    here = 0
    for index, move in enumerate(made):
        edge = next(edge for edge in nodes[here][1] if edge[:3] == move)
        here = edge[4]
        path.append((False, ((*edge[:4], index + 1),)))
    return (*path, (False, ()))


NOTHING_TO_PLAY: Final = TurnShown(written(_path((), ())), ())
"""The turn of the other side before they try a move."""


def _cube(game: Game, near: int) -> CubeShown | None:
    if not game.cube_in_play:
        return None
    offered = None
    if game.phase is Phase.DOUBLED or game.cube.offered:
        doubler = game.player if game.cube.raises % 2 == 0 else 1 - game.player
        offered = DoubleShown("near" if doubler == near else "far", game.cube.offered)
    return CubeShown(game.cube.value, side_of(game.cube.owner, near), offered)


def _needed(item: Allowed, match: Match) -> Allowed:
    """An allowed action; of the levels of a resignation, none above the first that wins the match."""
    if item.kind != "resign" or not match.length or item.player is None:
        return item
    away = match.away(1 - item.player)
    count = next((count for count, points in enumerate(item.points, start=1) if points >= away), len(item.points))
    return structs.replace(item, levels=item.levels[:count], points=item.points[:count])


def _allowed(scene: BoardScene, seat: int) -> tuple[AllowedShown, ...]:
    if seat != BOTH:
        own = (item for item in scene.told if item.player in (seat, None) and item.kind not in HIDDEN)
        return tuple(may_shown(item, reason=_reason(item, scene)) for item in own)
    found: list[AllowedShown] = []
    game = scene.match.game
    for item in scene.told:
        if item.kind in ENTERED:
            continue
        by = side_of(item.player, 0) or UNSET
        if item.kind != "void":
            found.append(may_shown(item, by, _reason(item, scene)))
        elif item.player == game.player:
            found.append(may_shown(item, by, "cocked"))
        elif "premature" in void_reasons(game, 1 - game.player):  # only the other side may complain of it
            found.append(may_shown(item, by, "premature"))
    return tuple(found)


def _reason(item: Allowed, scene: BoardScene) -> str | UnsetType:
    """ "dead" for a double that gains its player nothing; "loses" where leaving loses the match."""
    if item.kind == "double" and item.player is not None and scene.match.cube_is_dead(item.player):
        return "dead"
    return "loses" if item.kind == "abort" and scene.leaving_loses else UNSET


def may_shown(allowed: Allowed, by: str | UnsetType = UNSET, reason: str | UnsetType = UNSET) -> AllowedShown:
    """An allowed action, in the form the board gets."""
    return AllowedShown(
        kind=allowed.kind,
        by=by,
        reason=reason,
        value=allowed.value or UNSET,
        levels=allowed.levels or UNSET,
        points=allowed.points or UNSET,
        roll=allowed.roll_id or UNSET,
        on=allowed.on or UNSET,
        faces=allowed.faces or UNSET,
    )


def _awaited(game: Game) -> RollAwaited | UnsetType:
    """The next roll of real dice to be entered."""
    dice = game.rules.dice
    if game.phase is Phase.OPENING:
        return RollAwaited(None, 2, dice.sides)
    if game.phase in (Phase.TO_ROLL, Phase.MUST_REROLL):
        return RollAwaited(side_of(game.player, 0), dice.count, dice.sides)
    return UNSET


def _last(told: EventTold, near: int, names: Names) -> Last:
    event = told.event
    return Last(
        by=side_of(told.by, near),
        kind=told.kind,
        text=sentence(told, names),
        moves=event.moves if isinstance(event, game_event.PlayMade | game_event.Correct) else UNSET,
        faces=told.faces or UNSET,
        level=event.level if isinstance(event, game_event.Resign) else UNSET,
    )


def _result(scene: BoardScene, near: int, names: Names) -> ResultShown | None:
    game = scene.match.game
    if game.result is None:
        return None
    result = game.result
    winner = side_of(result.winner, near)
    how = result_text(game, result, names)
    if result.how == "abort" and scene.quitting is not None:
        seat, said = scene.quitting
        how = names.said(seat, *said)
    ended = match_result_text(scene.match, names) or UNSET
    return ResultShown(winner, result.points, level_name(game, result), how, ended)
