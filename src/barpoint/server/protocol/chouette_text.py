"""Events of a chouette in words, the same for everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from barpoint.chouette import BOX, Act, Ask, Chouette, ChouetteEvent, Join, Leave, Order, Propose, Seed, Waive, kind_of
from barpoint.chouette.allowed import for_box
from barpoint.game import event as game_event
from barpoint.language import _, listed
from barpoint.server.protocol import match_text
from barpoint.server.protocol.match_text import Names, points_text
from barpoint.server.protocol.match_view import LogLine

NameOf = Callable[[int], str]


class ChouetteLine(LogLine, frozen=True):
    """An event in the list beside the board. by: 0 for the box, 1 for the team, or null. text: a sentence.

    results: one line for each game against the box that ended with it.
    """

    results: tuple[str, ...] = ()


def told(
    before: Chouette, after: Chouette, event: ChouetteEvent, seq: int, at: int, game: int, name: NameOf
) -> ChouetteLine:
    """An event as a line of the list. game: counted from 1; name: what a player is called."""
    side = getattr(event.event, "player", None) if isinstance(event, Act) else None
    made = event.event if isinstance(event, Act) else None
    faces: tuple[int, ...] = ()
    if isinstance(made, game_event.Opening | game_event.Roll):
        faces = made.faces
    elif isinstance(made, game_event.PlayMade | game_event.Rollover):
        faces = before.board.last_roll.faces if before.board.last_roll is not None else ()
    moves = made.moves if isinstance(made, game_event.PlayMade) else ()
    text = _sentence(before, event, seq, name)
    return ChouetteLine(seq, at, game, side, kind_of(event), text, faces, moves, tuple(_results(before, after, name)))


def _sentence(before: Chouette, event: ChouetteEvent, seq: int, name: NameOf) -> str:
    match event:
        case Join(player):
            return _("%(player)s joins", player=name(player))
        case Leave(player):
            if before.playing:
                return _("%(player)s leaves after this game", player=name(player))
            return _("%(player)s leaves", player=name(player))
        case Order(rolls):
            dice = ", ".join(
                f"{name(player)} {'-'.join(map(str, faces))}" for player, faces in zip(before.line, rolls, strict=True)
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
            what = _for(points, before, member, name)
            return _("%(player)s offers to settle: %(what)s", player=name(player), what=what)
        case Act(game_event.Settle(points), to=(member,)):
            what = _for(points, before, member, name)
            return _(
                "%(box)s and %(player)s settle: %(what)s", box=name(before.line[0]), player=name(member), what=what
            )
        case _:
            return _game_sentence(before, event, seq, name)


def _for(points: float, chouette: Chouette, member: int, name: NameOf) -> str:
    """Who gets what from a settlement."""
    winner = name(chouette.line[0]) if points > 0 else name(member)
    if not points:
        return _("nothing for either")
    return _("%(points)s for %(winner)s", points=points_text(abs(points)), winner=winner)


def _game_sentence(before: Chouette, event: ChouetteEvent, seq: int, name: NameOf) -> str:
    assert isinstance(event, Act)
    made = event.event
    if isinstance(made, game_event.Next):
        return _("The next game")
    box = name(before.line[0]) if before.line else ""
    member = event.by if event.by is not None and event.by != before.box else before.captain
    other = name(member) if member is not None else ""
    game = before.board
    to = event.to or ((event.by,) if event.by != before.box and event.by is not None else ())
    for pair in before.running:
        if pair.player in to or (isinstance(made, game_event.Double) and not to):
            game = pair.game
            break
    text = match_text.sentence(match_text.tell(game, made, seq, 0, 0), Names((box, other)))
    if isinstance(made, game_event.Double) and event.by == before.box:
        return _doubles(before, event.to, text, box, name)
    if event.by == before.box and event.to:
        return f"{text} ({listed([name(player) for player in event.to])})"
    return text


def _doubles(before: Chouette, to: tuple[int, ...], text: str, box: str, name: NameOf) -> str:
    """The box's double to several players, with each cube where they differ."""
    doubled = [
        pair for pair in before.running if pair.player in to or (not to and for_box(before, pair.player, "double"))
    ]
    values = [_("%(player)s to %(cube)s", player=name(pair.player), cube=2 * pair.game.cube.value) for pair in doubled]
    if len({pair.game.cube.value for pair in doubled}) > 1:
        return _("%(box)s doubles %(players)s", box=box, players=listed(values))
    return f"{text} ({listed([name(player) for player in to])})" if to else text


def _results(before: Chouette, after: Chouette, name: NameOf) -> Iterable[str]:
    if not before.playing:
        return
    box = name(before.line[0])
    for old, pair in zip(before.pairs, after.pairs, strict=False):
        result = pair.game.result
        if old.game.over or result is None:
            continue
        winner, loser = (box, name(pair.player)) if result.winner == BOX else (name(pair.player), box)
        if result.winner is None or not result.points:
            yield _("%(box)s and %(player)s are even", box=box, player=name(pair.player))
        else:
            points = points_text(result.points)
            yield _("%(winner)s wins %(points)s from %(loser)s", winner=winner, points=points, loser=loser)
