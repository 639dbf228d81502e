"""Plays: the moves of a roll, and what they lead to."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from barpoint.board import Position
from barpoint.error import IllegalMove, PositionError, RollError
from barpoint.game.allowed import refusal
from barpoint.game.ending import finish
from barpoint.game.event import Correct, Event, PlayMade, counts_of, position_of
from barpoint.game.manual import carry
from barpoint.game.payment import points_for
from barpoint.game.phase import Phase, Result
from barpoint.game.state import Game
from barpoint.language import N_
from barpoint.moves import find_play, legal_plays, outcome
from barpoint.moves.door import DRAWN, US


class Made(NamedTuple):
    """What a play led to; fields as in `PlayMade`, the position seen by the mover."""

    position: Position
    again: bool
    ended: tuple[int | None, int] | None
    illegal: bool = False


def play(game: Game, event: PlayMade) -> Game:
    """The mover has finished their turn, or this roll of it."""
    _check_turn(game, event, Phase.TO_PLAY)
    try:
        made = _legal(game, event)
    except (IllegalMove, RollError) as error:
        if not (game.stakes.manual or game.stakes.transcript):
            raise refusal(game, event, error) from None
        event, made = _by_hand(game, event)
    counts = counts_of(made.position)
    if event.position is not None and (event.position, event.again, event.ended, event.illegal) != (counts, *made[1:]):
        raise refusal(game, event, "the record of this play disagrees with the rules")
    return _finish_roll(game, PlayMade(event.player, event.moves, counts, *made[1:]), made)


def play_as_recorded(game: Game, event: PlayMade) -> Game:
    """A play of a log, taken at its word when it keeps its position."""
    if event.position is None:
        return play(game, event)
    _check_turn(game, event, Phase.TO_PLAY)
    return _finish_roll(game, event, Made(position_of(event.position), event.again, event.ended, event.illegal))


def correct(game: Game, event: Correct) -> Game:
    """Manual mode: the legal play that was demanded."""
    _check_turn(game, event, Phase.TO_CORRECT)
    try:
        made = _legal(game, event)
    except (IllegalMove, RollError) as error:
        raise refusal(game, event, error) from None
    counts = counts_of(made.position)
    if event.position is not None and (event.position, event.again, event.ended) != (counts, *made[1:3]):
        raise refusal(game, event, "the record of this play disagrees with the rules")
    return _finish_roll(game, Correct(event.player, event.moves, counts, *made[1:3]), made)


def correct_as_recorded(game: Game, event: Correct) -> Game:
    """A correction of a log, taken at its word when it keeps its position."""
    if event.position is None:
        return correct(game, event)
    _check_turn(game, event, Phase.TO_CORRECT)
    return _finish_roll(game, event, Made(position_of(event.position), event.again, event.ended))


def _check_turn(game: Game, event: PlayMade | Correct, phase: Phase) -> None:
    if game.phase is not phase or event.player != game.player:
        to_play = phase is Phase.TO_PLAY
        why = N_("this player has no roll to play") if to_play else N_("this player has no play to correct")
        raise refusal(game, event, why)


def _legal(game: Game, event: PlayMade | Correct) -> Made:
    found = find_play(game.rules, game.position, game.faces, event.moves)
    return Made(found.result, found.again, _ended(game, found.result if found.again else found.result.flip()))


def _by_hand(game: Game, event: PlayMade) -> tuple[PlayMade, Made]:
    """Manual mode and transcripts: hands count no numbers, so a play is the legal one that leads to the same position, or illegal."""
    try:
        position = carry(game.rules, game.position, event.moves)
    except (IllegalMove, PositionError) as error:
        raise refusal(game, event, error) from None
    for found in legal_plays(game.rules, game.position, game.faces):
        if found.result.to_roll() == position:
            event = PlayMade(event.player, found.moves, event.position, event.again, event.ended, event.illegal)
            return event, _legal(game, event)
    return event, Made(position, False, _ended(game, position.flip()), illegal=True)


def _ended(game: Game, position: Position) -> tuple[int | None, int] | None:
    """(winner, level) when the game has ended in this position of the side to act next."""
    found = outcome(game.rules, position)
    if found is None:
        return None
    if found.winner == DRAWN:
        return None, 0
    winner = 1 - game.player if found.winner == US else game.player
    return winner, found.points if game.rules.scoring.per_checker else found.level


def _finish_roll(game: Game, event: Event, made: Made) -> Game:
    moved = made.position != game.position
    rejected = (0, 0) if moved else game.rejected
    disputed = made.illegal and game.stakes.manual
    played = replace(game, position=made.position, rejected=rejected, disputed=disputed, before=None, last=event)
    if made.ended is not None:
        return _end(played, event, made.ended)
    if made.again and made.position.us.owed:
        return replace(played, phase=Phase.TO_PLAY)
    if made.again:
        return replace(played, phase=Phase.TO_ROLL, further=True, roll_count=0)
    return replace(
        played,
        phase=Phase.TO_ROLL,
        player=1 - game.player,
        turn_number=game.turn_number + 1,
        position=made.position.flip(),
        further=False,
        roll_count=0,
    )


def _end(game: Game, event: Event, ended: tuple[int | None, int]) -> Game:
    """Over, or first the loser's choice: they may reroll (RC-10), or in manual mode object to the play."""
    winner, level = ended
    points = 0 if winner is None else points_for(game, level)
    if game.disputed or (game.rerollable_id and game.rules.rerolls.final_roll_cancellable):
        return replace(game, phase=Phase.PROVISIONAL_END, ended=Result(winner, points, level, "play"))
    return finish(game, event, winner, points, level, "play")
