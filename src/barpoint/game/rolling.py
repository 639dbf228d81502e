"""Rolls: the opening roll, the rolls of the turns, and rerolls (rulings 2.3)."""

from __future__ import annotations

from msgspec.structs import replace

from barpoint import dice
from barpoint.error import IllegalEvent
from barpoint.game.allowed import refusal, reroll_right, tokens_after
from barpoint.game.event import Opening, Roll, Rollover
from barpoint.game.phase import Phase, RollRecord
from barpoint.game.state import Game
from barpoint.language import N_
from barpoint.rules import FirstRoll


def opening(game: Game, event: Opening) -> Game:
    """The opening roll, a die of each player: a tie is rolled again, and may double the cube (D-8)."""
    if game.phase is not Phase.OPENING:
        raise refusal(game, event, "the opening roll was already made")
    sides = game.rules.dice.sides
    if len(event.faces) != 2 or not all(1 <= face <= sides for face in event.faces):
        raise refusal(
            game, event, "opening dice show %(faces)s; each shows 1 to %(sides)s", faces=event.faces, sides=sides
        )
    if event.faces[0] == event.faces[1]:
        return _tie(game, event)
    starter = 0 if event.faces[0] > event.faces[1] else 1
    begun = replace(game, player=starter, turn_number=1, opening_dice=event.faces, phase=Phase.TO_ROLL, last=event)
    match game.rules.opening.first_roll:
        case FirstRoll.AGAIN:
            return begun
        case FirstRoll.OWN_NUMBER:
            faces: tuple[int, ...] = (max(event.faces),)
        case FirstRoll.OPENING_ROLL:
            faces = (max(event.faces), min(event.faces))
    return _rolled(begun, game, faces, opening=True)


def _tie(game: Game, event: Opening) -> Game:
    cube, stakes = game.cube, game.stakes
    if cube.ties < stakes.automatic_doubles and game.cube_in_play and 2 * cube.value <= stakes.cube_limit:
        cube = replace(cube, value=2 * cube.value, ties=cube.ties + 1)
    return replace(game, opening_dice=event.faces, cube=cube, last=event)


def roll(game: Game, event: Roll) -> Game:
    """A roll: it closes the roller's window on the roll before, and accepts what was played there."""
    if game.phase not in (Phase.TO_ROLL, Phase.MUST_REROLL) or event.player != game.player:
        raise refusal(game, event, "it is not this player's roll")
    if not event.faces:
        raise refusal(game, event, "a roll needs its faces")
    try:
        row = game.rules.dice.rows[dice.row_index(game.rules.dice.rows, event.faces)]
    except ValueError as error:
        raise refusal(game, event, error) from None
    return _rolled(replace(game, last=event), game, row.faces)


def _rolled(game: Game, before: Game, faces: tuple[int, ...], opening: bool = False) -> Game:
    made = RollRecord(
        id=game.roll_id + 1,
        player=game.player,
        faces=faces,
        before=game.position,
        turn=game.turn_number,
        count=game.roll_count + 1,
        further=game.further,
        opening=opening,
    )
    rerolls = game.rules.rerolls
    other_may_reroll = (
        game.tokens[1 - game.player] > 0 and rerolls.other and (rerolls.opening_cancellable or not opening)
    )
    return replace(
        game,
        phase=Phase.TO_PLAY,
        last_roll=made,
        roll_id=made.id,
        roll_count=made.count,
        rerollable_id=made.id if other_may_reroll else 0,
        rerolled_by=None,
        disputed=False,
        before=replace(before, before=None) if game.stakes.manual else None,
    )


def rollover(game: Game, event: Rollover) -> Game:
    """The token is spent, the board is as before the roll, and its roller must roll again (rulings 2.3)."""
    found = reroll_right(game, event.player)
    if found is None or found.roll_id != event.roll_id:
        raise refusal(game, event, _why_not(game, event))
    rolled = game.last_roll
    assert rolled is not None
    before = rolled.before if rolled.player == game.player else rolled.before.flip()
    return replace(
        game,
        phase=Phase.MUST_REROLL,
        player=rolled.player,
        turn_number=rolled.turn,
        roll_count=rolled.count,
        further=rolled.further,
        position=rolled.before,
        rerollable_id=0,
        rerolled_by=event.player,
        tokens=tokens_after(game.tokens, event.player),
        rejected=game.rejected if before == game.position else (0, 0),
        ended=None,
        disputed=False,
        before=None,
        last=event,
    )


def _why_not(game: Game, event: Rollover) -> str | IllegalEvent:
    if not game.rules.rerolls.tokens:
        return N_("these rules have no rerolls")
    if game.phase in (Phase.DOUBLED, Phase.RESIGNED, Phase.MUST_REROLL, Phase.OPENING, Phase.OVER):
        return IllegalEvent("no roll can be rerolled in phase %(phase)s", phase=game.phase)
    if event.roll_id != game.roll_id:
        return IllegalEvent(
            "roll %(roll)s is stale, the last one is roll %(last)s; nothing is spent",
            roll=event.roll_id,
            last=game.roll_id,
        )
    if event.player in (0, 1) and not game.tokens[event.player]:
        return N_("the player has no token left")
    return N_("this player cannot, or can no longer, have this roll rerolled")
