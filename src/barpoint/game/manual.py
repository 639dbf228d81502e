"""Manual mode: what can go wrong with real dice and hands (S2-25, S2-26, S3-12 to S3-14; D-4 to D-7).

A play against the rules is accepted as it stands when the other player rolls or doubles; until then they may demand
a legal one. A cocked or premature roll is no roll: the game is as before it, and it is made again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msgspec import structs

from barpoint.board import BAR, HAND, OFF, Position, Side
from barpoint.error import IllegalMove, PositionError
from barpoint.game.allowed import refusal
from barpoint.game.event import MoveMade, Object, Void
from barpoint.game.phase import Phase
from barpoint.game.state import Game
from barpoint.language import N_
from barpoint.moves import check_position
from barpoint.moves.notation import moves_of
from barpoint.rules import Capture, Rules


def void(game: Game, event: Void) -> Game:
    """The roll to be played is no roll (RC-15); both dice are rolled again (D-5)."""
    if game.before is None or game.phase is not Phase.TO_PLAY:
        raise refusal(game, event, N_("no roll can be void now") if game.stakes.manual else N_("only in manual mode"))
    if event.player not in (0, 1) or event.roll_id != game.roll_id:
        raise refusal(
            game,
            event,
            "roll %(roll)s is stale, the last one is roll %(last)s",
            roll=event.roll_id,
            last=game.roll_id,
        )
    if event.reason not in void_reasons(game, event.player):
        if event.reason == "on_checker":
            raise refusal(game, event, "a die that lies flat on a checker counts here")
        raise refusal(game, event, "only the other player can say that a turn began before their own had ended")
    return structs.replace(game.before, roll_id=game.roll_id, last=event)


def void_reasons(game: Game, player: int) -> tuple[str, ...]:
    """The reasons for which this player may call the roll void (S2-10, S2-26; D-4, D-6)."""
    on_checker = () if game.stakes.dice_on_checkers_count else ("on_checker",)
    begun_early = player != game.player and game.turn_number > 1 and game.roll_count == 1 and not game.further
    return ("cocked", *on_checker, *(("premature",) if begun_early else ()))


def demand(game: Game, event: Object) -> Game:
    """The illegal play is taken back, and its player must make it legal."""
    if not game.disputed or event.player != (1 - game.player if game.phase is Phase.PROVISIONAL_END else game.player):
        raise refusal(game, event, "no illegal play of the other side is waiting to be accepted")
    if game.phase not in (Phase.TO_ROLL, Phase.PROVISIONAL_END) or game.last_roll is None:
        raise refusal(game, event, "no objection in phase %(phase)s", phase=game.phase)
    rolled = game.last_roll
    return structs.replace(
        game,
        phase=Phase.TO_CORRECT,
        player=rolled.player,
        turn_number=rolled.turn,
        roll_count=rolled.count,
        further=rolled.further,
        position=rolled.before,
        ended=None,
        disputed=False,
        last=event,
    )


def carry(rules: Rules, position: Position, moves: Iterable[MoveMade]) -> Position:
    """The position, seen by the mover, after the mover's checkers have been carried so, by whatever numbers.

    IllegalMove or PositionError where not even that is possible.
    """
    us = replace(position.us, plain_rolls=max(0, position.us.plain_rolls - 1), owed=0)
    them = position.them
    for source, target, _ in moves_of(moves):
        us, them = _leave(rules, us, them, source)
        us, them = _land(rules, us, them, target)
    carried = Position(us, them)
    check_position(rules, carried)
    return carried


def hand_moves(rules: Rules, position: Position) -> tuple[tuple[int, int, int], ...]:
    """Every single move that hands can make, legal or not, as (from, to, effect): 0 none, 1 a hit, 2 a pin."""
    us = position.us
    sources = [point for point in range(1, BAR + 1) if us.points[point]] + ([HAND] if us.hand else [])
    found = []
    for source in sources:
        for target in range(OFF, BAR):
            if source == target:
                continue
            try:
                found.append((source, target, hand_effect(rules, position, (source, target, 1))))
            except (IllegalMove, PositionError):
                continue
    return tuple(found)


def hand_effect(rules: Rules, position: Position, move: MoveMade) -> int:
    """What a hand's move does to the other side: 0 nothing, 1 a hit, 2 a pin. Errors as `carry`."""
    carried = carry(rules, position, [move])
    if carried.them.points[BAR] > position.them.points[BAR]:
        return 1
    return 2 if carried.them.pinned & ~position.them.pinned else 0


def _leave(rules: Rules, us: Side, them: Side, source: int) -> tuple[Side, Side]:
    if source == HAND and us.hand:
        return replace(us, hand=us.hand - 1), them
    if not OFF < source <= BAR or not us.points[source] or us.pinned >> source & 1:
        raise IllegalMove("no checker of the mover that could be lifted stands on %(source)s", source=source)
    us = _count(us, source, -1)
    if source != BAR and not us.points[source]:
        them = replace(them, pinned=them.pinned & ~(1 << rules.movement.meeting.other(source)))
    return us, them


def _land(rules: Rules, us: Side, them: Side, target: int) -> tuple[Side, Side]:
    if not OFF <= target < BAR:
        raise IllegalMove("a checker cannot be put down on %(target)s; points are 1 to 24, off is 0", target=target)
    if target != OFF:
        there = rules.movement.meeting.other(target)
        capture = rules.movement.capture
        if them.points[there] == 1 and capture is Capture.HIT:
            them = _count(_count(them, there, -1), BAR, 1)
        elif them.points[there] == 1 and capture is Capture.PIN and not us.pinned >> target & 1:
            them = replace(them, pinned=them.pinned | 1 << there)
        elif them.points[there]:
            raise IllegalMove("the other side holds point %(target)s", target=target)
    return _count(us, target, 1), them


def _count(side: Side, point: int, change: int) -> Side:
    points = list(side.points)
    points[point] += change
    return replace(side, points=tuple(points))


def hand_moves_of(steps: Iterable[tuple[int, int]]) -> tuple[MoveMade, ...]:
    """The moves of a play against the rules, with the distance as number."""
    return tuple((source, target, max(1, source - target)) for source, target in steps)
