"""Commands at the board: roll, move, double, accept, reject, resign, board, pip."""

from __future__ import annotations

from typing import Final

from barpoint.game import Accept, Beaver, Double, Game, Pass, Phase, PlayMade, Raccoon, Reject, Resign, Roll, Take
from barpoint.game.allowed import doubling_barred
from barpoint.server.fibs.notation import MoveRefused, bear_off, moves_text, typed_play
from barpoint.server.fibs.session import CommandRefused, Session
from barpoint.server.fibs.table import Table

LEVELS: Final = {"n": 1, "g": 2, "b": 3}
"""What can be resigned: the first letter of normal, gammon, backgammon."""

WHAT_TO_RESIGN: Final = "** Type 'n' (normal), 'g' (gammon) or 'b' (backgammon) after resign."


async def _free(session: Session, refusal: str = "** You're not playing.") -> tuple[Table, Game]:
    """The table and its game, where no resignation waits for its answer."""
    table = session.table(refusal)
    game = await table.game()
    if game.phase is Phase.RESIGNED:
        if game.actor == table.seat:
            raise CommandRefused(f"** {table.other_name} wanted to resign. Type 'accept' or 'reject'.")
        raise CommandRefused(f"** {table.other_name} hasn't accepted or rejected your resign yet.")
    return table, game


async def roll(session: Session, _: str) -> None:
    """Rolls."""
    table, game = await _free(session)
    if game.phase is not Phase.TO_ROLL or game.player != table.seat:
        mine = game.phase is Phase.TO_PLAY and game.player == table.seat
        raise CommandRefused("** You did already roll the dice." if mine else "** It's not your turn to roll the dice.")
    await table.act(Roll(table.seat))


async def move(session: Session, rest: str) -> None:
    """Plays the roll on the table."""
    table, game = await _free(session)
    if game.player != table.seat or game.phase not in (Phase.TO_ROLL, Phase.TO_PLAY):
        raise CommandRefused("** It's not your turn to move.")
    if game.phase is Phase.TO_ROLL:
        raise CommandRefused("** You have to roll the dice before moving.")
    try:
        play = typed_play(game, table.seat, rest)
    except MoveRefused as error:
        raise CommandRefused(str(error)) from None
    await table.act(PlayMade(table.seat, play.moves))


async def off(session: Session, _: str) -> None:
    """Bears off with every number."""
    table, game = await _free(session)
    if game.player != table.seat or game.phase is not Phase.TO_PLAY:
        raise CommandRefused("** It's not your turn.")
    play = bear_off(game)
    if play is None:
        raise CommandRefused("** You can't bear off with every number you have rolled.")
    session.say(f"Bear off: {moves_text(play.moves, table.seat).replace('-off', ' o')}")
    await table.act(PlayMade(table.seat, play.moves))


async def double(session: Session, _: str) -> None:
    """Offers to double the stake."""
    table, game = await _free(session)
    if game.phase is Phase.DOUBLED or game.over:
        raise CommandRefused("** It's not your turn to double")
    if game.player != table.seat:
        raise CommandRefused(f"** Please wait until {table.other_name} has moved.")
    if game.phase is not Phase.TO_ROLL:
        raise CommandRefused("** You can only double before you roll the dice.")
    if game.cube.owner == 1 - table.seat:
        raise CommandRefused("** It's not your turn to double")
    if why := doubling_barred(game, table.seat):
        raise CommandRefused(f"** You can't double: {why}.")
    await table.act(Double(table.seat))


async def redouble(session: Session, _: str) -> None:
    """Doubles again at once, in an unlimited match whose terms know it."""
    table, game = await _free(session)
    if not game.stakes.money:
        raise CommandRefused("** Instant redoubles are only available for unlimited matches.")
    kinds = {item.kind for item in game.legal_events() if item.player == table.seat}
    if "beaver" in kinds:
        await table.act(Beaver(table.seat))
    elif "raccoon" in kinds:
        await table.act(Raccoon(table.seat))
    else:
        raise CommandRefused("** You are not allowed to redouble.")


async def accept(session: Session, _: str) -> None:
    """Takes a double, or accepts a resignation."""
    await _answer(session, True, "** You're not playing.")


async def reject(session: Session, _: str) -> None:
    """Passes a double, or rejects a resignation."""
    await _answer(session, False, "** You're not playing, so you can't give up.")


async def _answer(session: Session, yes: bool, refusal: str) -> None:
    table = session.table(refusal)
    game, seat = await table.game(), table.seat
    if game.actor != seat or game.phase not in (Phase.DOUBLED, Phase.RESIGNED):
        raise CommandRefused(f"** {table.other_name} didn't double or resign.")
    if game.phase is Phase.DOUBLED:
        await table.act(Take(seat) if yes else Pass(seat))
    else:
        await table.act(Accept(seat) if yes else Reject(seat))


async def resign(session: Session, rest: str) -> None:
    """Offers to lose the game."""
    table = session.table()
    game = await table.game()
    if game.phase is Phase.RESIGNED and game.actor != table.seat:
        raise CommandRefused("** You already did that.")
    await _free(session)
    level = LEVELS.get(rest[:1].lower())
    if level is None:
        raise CommandRefused(WHAT_TO_RESIGN)
    await table.act(Resign(table.seat, level))


async def board(session: Session, _: str) -> None:
    """Shows the board."""
    member = session.member
    table = member.table or member.sight
    if table is not None:
        session.say(*await table.board())
    elif member.watching is not None:
        session.say(f"** {member.watching.name} is not playing.")
    else:
        raise CommandRefused("** You're not playing.")


async def rawboard(session: Session, rest: str) -> None:
    """Shows the board as a line, whatever is set."""
    member = session.member
    table = member.table or member.sight
    if table is None:
        raise CommandRefused("** You're not playing.")
    kept, member.preferences.boardstyle = member.preferences.boardstyle, 3
    try:
        await board(session, rest)
    finally:
        member.preferences.boardstyle = kept


async def pip(session: Session, _: str) -> None:
    """Says how far both sides have to go."""
    member = session.member
    table = member.table or member.sight
    if table is None:
        raise CommandRefused("** You're not watching or playing.")
    if table.playing:
        opposite, name = table.opposite, table.other_name
        if opposite is not None and not opposite.member.preferences.allowpip:
            raise CommandRefused(f"** {name} doesn't allow this. Ask {name} to 'toggle allowpip'")
        if not member.preferences.allowpip:
            raise CommandRefused("** Type 'toggle allowpip' first.")
    game, viewer = await table.game(), table.viewer
    counts = [f"{viewer.name(seat)} {game.side(seat).pips}" for seat in (table.seat, 1 - table.seat)]
    session.say(f"Pipcounts: {'   '.join(counts)}")
