"""Events of a chouette in words: the same for everybody, each in the language of whoever reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from barpoint.chouette import (
    BOX,
    Act,
    Ask,
    Chouette,
    ChouetteEvent,
    Join,
    Leave,
    Order,
    Propose,
    Seed,
    Waive,
    Withdraw,
    kind_of,
)
from barpoint.chouette.allowed import for_box
from barpoint.game import event as game_event
from barpoint.game.event import Event
from barpoint.game.payment import resigned_points
from barpoint.game.phase import Phase
from barpoint.game.state import Game
from barpoint.language import _, listed
from barpoint.server.protocol import match_text
from barpoint.server.protocol.board_view import LogLine
from barpoint.server.protocol.match_text import EventTold, Names, points_text

NameOf = Callable[[int], str]

CUBE_EVENTS: Final = (
    game_event.Double,
    game_event.Take,
    game_event.Pass,
    game_event.Beaver,
    game_event.Raccoon,
)


class ChouetteLine(LogLine, frozen=True):
    """An event in the list beside the board. by: 0 for the box, 1 for the team, or null. text: a sentence.

    results: one line for each game against the box that ended with it. cubes: after something was done with a cube, where
    every cube is then, in a sentence.
    """

    results: tuple[str, ...] = ()
    cubes: str = ""


@dataclass(frozen=True, slots=True)
class PairEnded:
    """A game against the box that is over.

    points: what the box won; negative where the player did, 0 where nobody. how: as in a `Result`. level: "single",
    "gammon", "backgammon", "checkers", or "". cube: its value at the end, 0 in a game without one.
    """

    player: int
    points: float
    how: str
    level: str
    cube: int


@dataclass(frozen=True, slots=True)
class PairCube:
    """The cube of a running game against the box. owner: BOX, TEAM, or None for the middle. offered: 0 without a double.

    player: None where the team has one cube.
    """

    player: int | None
    value: int
    owner: int | None
    offered: int


@dataclass(frozen=True, slots=True)
class ChouetteTold:
    """An event with what is needed to describe it later, to each reader in their language.

    game: counted from 1. box, member: the players whose game it is about. line: the players before it, in order; playing: a game
    was running. made: what happened in that game. faces: of the roll made, played or rerolled. doubled: players the box
    doubled, each with the value offered. cubes: all of them after it, if something was done with one. ended: the games
    that ended with it.
    """

    seq: int
    at: int
    game: int
    event: ChouetteEvent
    line: tuple[int, ...] = ()
    playing: bool = False
    by_box: bool = False
    member: int | None = None
    made: EventTold | None = None
    faces: tuple[int, ...] = ()
    doubled: tuple[tuple[int, int], ...] = ()
    cubes: tuple[PairCube, ...] = ()
    ended: tuple[PairEnded, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of the event."""
        return kind_of(self.event)


def tell(before: Chouette, after: Chouette, event: ChouetteEvent, seq: int, at: int, game: int) -> ChouetteTold:
    """Combines an event with details from the chouette around it. game: counted from 1."""
    found = ChouetteTold(seq, at, game, event, before.line, before.playing, ended=tuple(_ended(before, after)))
    if not isinstance(event, Act):
        return found
    made, by_box = event.event, event.by == before.box
    faces: tuple[int, ...] = ()
    if isinstance(made, game_event.Opening | game_event.Roll):
        faces = made.faces
    elif isinstance(made, game_event.PlayMade | game_event.Rollover):
        faces = before.board.last_roll.faces if before.board.last_roll is not None else ()
    return replace(
        found,
        by_box=by_box,
        member=event.by if event.by is not None and not by_box else before.captain,
        made=match_text.tell(_game_of(before, event), made, seq, at, game),
        faces=faces,
        doubled=_doubled(before, event.to) if by_box and isinstance(made, game_event.Double) else (),
        cubes=_cubes(after) if isinstance(made, CUBE_EVENTS) else (),
    )


def _cubes(after: Chouette) -> tuple[PairCube, ...]:
    """The cubes of the games that run; one where the team has one."""
    pairs = [pair for pair in after.running if pair.game.cube_in_play]
    pairs = pairs[:1] if after.terms.one_cube else pairs
    return tuple(
        PairCube(None if after.terms.one_cube else pair.player, cube.value, cube.owner, cube.offered)
        for pair in pairs
        for cube in (pair.game.cube,)
    )


def _game_of(before: Chouette, event: Act) -> Game:
    """The game against the box that an event is about; the one on the board where it is about all of them."""
    to = event.to or ((event.by,) if event.by != before.box and event.by is not None else ())
    for pair in before.running:
        if pair.player in to or (isinstance(event.event, game_event.Double) and not to):
            return pair.game
    return before.board


def _doubled(before: Chouette, to: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The players whom the box doubles, to what value."""
    meant = [
        pair for pair in before.running if pair.player in to or (not to and for_box(before, pair.player, "double"))
    ]
    return tuple((pair.player, 2 * pair.game.cube.value) for pair in meant)


def _ended(before: Chouette, after: Chouette) -> Iterable[PairEnded]:
    for old, pair in zip(before.pairs, after.pairs, strict=False):
        result = pair.game.result
        if before.playing and not old.game.over and result is not None:
            sign = 0 if result.winner is None else 1 if result.winner == BOX else -1
            level, cube = match_text.level_name(pair.game, result), pair.game.cube
            value = cube.value if pair.game.cube_in_play else 0
            yield PairEnded(pair.player, sign * result.points, result.how, level, value)


def line(told: ChouetteTold, name: NameOf) -> ChouetteLine:
    """An event as a line of the list, in the language that holds now. name: what a player is called."""
    made = told.made.event if told.made is not None else None
    side = getattr(made, "player", None)
    moves = made.moves if isinstance(made, game_event.PlayMade) else ()
    text, results = _sentence(told, name), tuple(result_of_pair(told, ended, name) for ended in told.ended)
    cubes = cubes_text(told, name) if told.cubes else ""
    return ChouetteLine(
        told.seq, told.at, told.game, side, told.kind, text, told.faces, moves, results=results, cubes=cubes
    )


def cubes_text(told: ChouetteTold, name: NameOf) -> str:
    """Where every cube is: "Cubes: Kim 4 with Anna; Lea 2 in the middle"."""
    return _("Cubes: %(cubes)s", cubes="; ".join(_cube_text(told, cube, name) for cube in told.cubes))


def _cube_text(told: ChouetteTold, cube: PairCube, name: NameOf) -> str:
    team = _("the team") if cube.player is None else name(cube.player)
    values = {"player": team, "value": cube.value}
    if cube.offered:
        return _("%(player)s %(value)s, doubled to %(offered)s", offered=cube.offered, **values)
    if cube.owner is None:
        return _("%(player)s %(value)s in the middle", **values)
    owner = name(told.line[0]) if cube.owner == BOX else team
    return _("%(player)s %(value)s with %(owner)s", owner=owner, **values)


def resignation_text(game: Game, box: str, player: str) -> str:
    """What is accepted with a pending resignation: "Kim offers to resign a gammon: 4 points for Anna"; "" without one."""
    if game.phase is not Phase.RESIGNED or game.resigning is None:
        return ""
    by, level = game.resigning
    names = Names((box, player))
    told = EventTold(0, 0, 0, game_event.Resign(by, level))
    points, winner = points_text(resigned_points(game, by, level)), (box, player)[1 - by]
    paid = _("%(points)s for %(winner)s", points=points, winner=winner)
    return f"{match_text.sentence(told, names)}: {paid}"


def _sentence(told: ChouetteTold, name: NameOf) -> str:
    match told.event:
        case Join(player):
            return _("%(player)s joins", player=name(player))
        case Leave(player):
            if told.playing:
                return _("%(player)s leaves after this game", player=name(player))
            return _("%(player)s leaves", player=name(player))
        case Order(rolls):
            dice = ", ".join(
                f"{name(player)} {'-'.join(map(str, faces))}" for player, faces in zip(told.line, rolls, strict=True)
            )
            return _("For the order: %(dice)s", dice=dice)
        case Ask(player, on):
            if on:
                return _("%(player)s wants to be asked before each roll", player=name(player))
            return _("%(player)s need not be asked", player=name(player))
        case Waive(player):
            return _("%(player)s does not double", player=name(player))
        case Seed(player):
            return _("%(player)s gives a seed for the dice", player=name(player))
        case Propose(player, member, points):
            what = _for(points, told, member, name)
            return _("%(player)s offers to settle: %(what)s", player=name(player), what=what)
        case Withdraw(player, member):
            other = told.line[0] if player == member else member
            return _("%(player)s withdraws the offer to settle with %(other)s", player=name(player), other=name(other))
        case Act(game_event.Settle(points), to=(member,)):
            what = _for(points, told, member, name)
            return _("%(box)s and %(player)s settle: %(what)s", box=name(told.line[0]), player=name(member), what=what)
        case Act(event, to=to):
            return _game_sentence(told, event, to, name)


def _for(points: float, told: ChouetteTold, member: int, name: NameOf) -> str:
    """Who gets what from a settlement."""
    winner = name(told.line[0]) if points > 0 else name(member)
    if not points:
        return _("nothing for either")
    return _("%(points)s for %(winner)s", points=points_text(abs(points)), winner=winner)


def _game_sentence(told: ChouetteTold, event: Event, to: tuple[int, ...], name: NameOf) -> str:
    if isinstance(event, game_event.Next):
        return _("The next game")
    if isinstance(event, game_event.Abort):
        return _("The chouette is closed")
    assert told.made is not None
    box = name(told.line[0]) if told.line else ""
    other = name(told.member) if told.member is not None else ""
    if len({value for _player, value in told.doubled}) > 1:
        players = [_("%(player)s to %(cube)s", player=name(player), cube=value) for player, value in told.doubled]
        return _("%(box)s doubles %(players)s", box=box, players=listed(players))
    text = match_text.sentence(told.made, Names((box, other)))
    return f"{text} ({listed([name(player) for player in to])})" if told.by_box and to else text


def result_of_pair(told: ChouetteTold, ended: PairEnded, name: NameOf) -> str:
    """Who has won how many points from whom: "Anna wins 4 points from Kim"."""
    box, player = name(told.line[0]), name(ended.player)
    if not ended.points:
        return _("%(box)s and %(player)s are even", box=box, player=player)
    winner, loser = (box, player) if ended.points > 0 else (player, box)
    points = points_text(abs(ended.points))
    return _("%(winner)s wins %(points)s from %(loser)s", winner=winner, points=points, loser=loser)
