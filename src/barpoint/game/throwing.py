"""Throws: the contest for the start, throws, and their annulment (RULES.md 2.3)."""

from __future__ import annotations

from dataclasses import replace

from barpoint import dice
from barpoint.game.allowed import annulment, refusal, spent
from barpoint.game.event import Opening, Roll, Rollover
from barpoint.game.phase import Phase, Throw
from barpoint.game.state import Game
from barpoint.rules import FirstThrow


def opening(game: Game, event: Opening) -> Game:
    """Each player's die for the start: a tie is thrown again, and may double the cube (D-8)."""
    if game.phase is not Phase.OPENING:
        raise refusal(game, event, "the start was already thrown for")
    sides = game.rules.dice.sides
    if len(event.faces) != 2 or not all(1 <= face <= sides for face in event.faces):
        raise refusal(game, event, f"dice for the start show {event.faces}; each shows 1 to {sides}")
    if event.faces[0] == event.faces[1]:
        return _tie(game, event)
    starter = 0 if event.faces[0] > event.faces[1] else 1
    begun = replace(game, player=starter, turn_number=1, contest=event.faces, phase=Phase.TO_ROLL, last=event)
    match game.rules.opening.first_throw:
        case FirstThrow.AGAIN:
            return begun
        case FirstThrow.OWN_NUMBER:
            faces: tuple[int, ...] = (max(event.faces),)
        case FirstThrow.CONTEST:
            faces = (max(event.faces), min(event.faces))
    return _thrown(begun, game, faces, contest=True)


def _tie(game: Game, event: Opening) -> Game:
    cube, stakes = game.cube, game.stakes
    if cube.ties < stakes.automatic_doubles and game.cube_in_play and 2 * cube.value <= stakes.cube_limit:
        cube = replace(cube, value=2 * cube.value, ties=cube.ties + 1)
    return replace(game, contest=event.faces, cube=cube, last=event)


def roll(game: Game, event: Roll) -> Game:
    """A throw: it closes the thrower's window on the throw before, and accepts what was played there."""
    if game.phase not in (Phase.TO_ROLL, Phase.MUST_REROLL) or event.player != game.player:
        raise refusal(game, event, "it is not this player's throw")
    if not event.faces:
        raise refusal(game, event, "a throw needs its faces")
    try:
        row = game.rules.dice.rows[dice.row_index(game.rules.dice.rows, event.faces)]
    except ValueError as error:
        raise refusal(game, event, str(error)) from None
    return _thrown(replace(game, last=event), game, row.faces)


def _thrown(game: Game, before: Game, faces: tuple[int, ...], contest: bool = False) -> Game:
    made = Throw(
        id=game.throw + 1,
        player=game.player,
        faces=faces,
        before=game.position,
        turn=game.turn_number,
        count=game.throws + 1,
        further=game.further,
        contest=contest,
    )
    rerolls = game.rules.rerolls
    other_may_annul = (
        game.tokens[1 - game.player] > 0 and rerolls.other and (rerolls.opening_cancellable or not contest)
    )
    return replace(
        game,
        phase=Phase.TO_PLAY,
        thrown=made,
        throw=made.id,
        throws=made.count,
        open_throw=made.id if other_may_annul else 0,
        called_by=None,
        disputed=False,
        before=replace(before, before=None) if game.stakes.manual else None,
    )


def rollover(game: Game, event: Rollover) -> Game:
    """The marker is spent, the board is as before the throw, and its thrower must throw again (RULES.md 2.3)."""
    found = annulment(game, event.player)
    if found is None or found.throw != event.throw:
        raise refusal(game, event, _why_not(game, event))
    thrown = game.thrown
    assert thrown is not None
    before = thrown.before if thrown.player == game.player else thrown.before.flip()
    return replace(
        game,
        phase=Phase.MUST_REROLL,
        player=thrown.player,
        turn_number=thrown.turn,
        throws=thrown.count,
        further=thrown.further,
        position=thrown.before,
        open_throw=0,
        called_by=event.player,
        tokens=spent(game.tokens, event.player),
        rejected=game.rejected if before == game.position else (0, 0),
        ended=None,
        disputed=False,
        before=None,
        last=event,
    )


def _why_not(game: Game, event: Rollover) -> str:
    if not game.rules.rerolls.tokens:
        return "these rules annul no throws"
    if game.phase in (Phase.DOUBLED, Phase.RESIGNED, Phase.MUST_REROLL, Phase.OPENING, Phase.OVER):
        return f"no throw can be annulled in phase {game.phase}"
    if event.throw != game.throw:
        return f"throw {event.throw} is stale, the last one is throw {game.throw}; nothing is spent"
    if event.player in (0, 1) and not game.tokens[event.player]:
        return "the player has no marker left"
    return "this throw can not, or no longer, be annulled by this player"
