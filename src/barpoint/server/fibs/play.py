"""Commands at the board: roll, move, double, accept, reject, resign, board, pip."""

from __future__ import annotations

from typing import Final

from barpoint.game import Accept, Beaver, Double, Game, Pass, Phase, PlayMade, Raccoon, Reject, Resign, Roll, Take
from barpoint.game.allowed import doubling_barred
from barpoint.server.fibs.notation import MoveRefused, bear_off, moves_text, typed_play
from barpoint.server.fibs.session import CommandRefused, FibsSession
from barpoint.server.fibs.users import MatchPlace

LEVELS: Final = {"n": 1, "g": 2, "b": 3}
"""Kinds of resignation by first letter: normal, gammon, backgammon."""

WHAT_TO_RESIGN: Final = "** Type 'n' (normal), 'g' (gammon) or 'b' (backgammon) after resign."


async def _free(session: FibsSession, refusal: str = "** You're not playing.") -> tuple[MatchPlace, Game]:
    """The user's match and its game; refuses while a resignation waits for its answer."""
    followed = session.followed(refusal)
    game = await followed.game()
    if game.phase is Phase.RESIGNED:
        if game.actor == followed.seat:
            raise CommandRefused(f"** {followed.other_name} wanted to resign. Type 'accept' or 'reject'.")
        raise CommandRefused(f"** {followed.other_name} hasn't accepted or rejected your resign yet.")
    return followed, game


async def roll(session: FibsSession, _: str) -> None:
    """Rolls."""
    followed, game = await _free(session)
    if game.phase is not Phase.TO_ROLL or game.player != followed.seat:
        mine = game.phase is Phase.TO_PLAY and game.player == followed.seat
        raise CommandRefused("** You did already roll the dice." if mine else "** It's not your turn to roll the dice.")
    await followed.act(Roll(followed.seat))


async def move(session: FibsSession, rest: str) -> None:
    """Plays the current roll."""
    followed, game = await _free(session)
    if game.player != followed.seat or game.phase not in (Phase.TO_ROLL, Phase.TO_PLAY):
        raise CommandRefused("** It's not your turn to move.")
    if game.phase is Phase.TO_ROLL:
        raise CommandRefused("** You have to roll the dice before moving.")
    try:
        play = typed_play(game, followed.seat, rest)
    except MoveRefused as error:
        raise CommandRefused(str(error)) from None
    await followed.act(PlayMade(followed.seat, play.moves))


async def off(session: FibsSession, _: str) -> None:
    """Bears off with every number of the roll."""
    followed, game = await _free(session)
    if game.player != followed.seat or game.phase is not Phase.TO_PLAY:
        raise CommandRefused("** It's not your turn.")
    play = bear_off(game)
    if play is None:
        raise CommandRefused("** You can't bear off with every number you have rolled.")
    session.say(f"Bear off: {moves_text(play.moves, followed.seat).replace('-off', ' o')}")
    await followed.act(PlayMade(followed.seat, play.moves))


async def double(session: FibsSession, _: str) -> None:
    """Offers to double the stake."""
    followed, game = await _free(session)
    if game.phase is Phase.DOUBLED or game.over:
        raise CommandRefused("** It's not your turn to double")
    if game.player != followed.seat:
        raise CommandRefused(f"** Please wait until {followed.other_name} has moved.")
    if game.phase is not Phase.TO_ROLL:
        raise CommandRefused("** You can only double before you roll the dice.")
    if game.cube.owner == 1 - followed.seat:
        raise CommandRefused("** It's not your turn to double")
    if why := doubling_barred(game, followed.seat):
        raise CommandRefused(f"** You can't double: {why}.")
    await followed.act(Double(followed.seat))


async def redouble(session: FibsSession, _: str) -> None:
    """Beavers or raccoons: doubles again at once, in an unlimited match whose terms allow it."""
    followed, game = await _free(session)
    if not game.stakes.money:
        raise CommandRefused("** Instant redoubles are only available for unlimited matches.")
    kinds = {item.kind for item in game.legal_events() if item.player == followed.seat}
    if "beaver" in kinds:
        await followed.act(Beaver(followed.seat))
    elif "raccoon" in kinds:
        await followed.act(Raccoon(followed.seat))
    else:
        raise CommandRefused("** You are not allowed to redouble.")


async def accept(session: FibsSession, _: str) -> None:
    """Takes a double, or accepts a resignation."""
    await _answer(session, True, "** You're not playing.")


async def reject(session: FibsSession, _: str) -> None:
    """Passes a double, or rejects a resignation."""
    await _answer(session, False, "** You're not playing, so you can't give up.")


async def _answer(session: FibsSession, yes: bool, refusal: str) -> None:
    followed = session.followed(refusal)
    game, seat = await followed.game(), followed.seat
    if game.actor != seat or game.phase not in (Phase.DOUBLED, Phase.RESIGNED):
        raise CommandRefused(f"** {followed.other_name} didn't double or resign.")
    if game.phase is Phase.DOUBLED:
        await followed.act(Take(seat) if yes else Pass(seat))
    else:
        await followed.act(Accept(seat) if yes else Reject(seat))


async def resign(session: FibsSession, rest: str) -> None:
    """Offers to resign the game."""
    followed = session.followed()
    game = await followed.game()
    if game.phase is Phase.RESIGNED and game.actor != followed.seat:
        raise CommandRefused("** You already did that.")
    await _free(session)
    level = LEVELS.get(rest[:1].lower())
    if level is None:
        raise CommandRefused(WHAT_TO_RESIGN)
    await followed.act(Resign(followed.seat, level))


async def board(session: FibsSession, _: str) -> None:
    """Shows the board."""
    user = session.user
    if user.watching is not None and user.watched_match is None:
        session.say(f"** {user.watching.name} is not playing.")
    else:
        session.say(*await session.at_match("** You're not playing.").board())


async def rawboard(session: FibsSession, rest: str) -> None:
    """Shows the board as a raw line, in any board style."""
    session.at_match("** You're not playing.")
    user = session.user
    kept, user.preferences.boardstyle = user.preferences.boardstyle, 3
    try:
        await board(session, rest)
    finally:
        user.preferences.boardstyle = kept


async def pip(session: FibsSession, _: str) -> None:
    """Shows both pip counts."""
    user, followed = session.user, session.at_match()
    if followed.playing:
        opposite, name = session.roster.opponent_of(followed), followed.other_name
        if opposite is not None and not opposite.user.preferences.allowpip:
            raise CommandRefused(f"** {name} doesn't allow this. Ask {name} to 'toggle allowpip'")
        if not user.preferences.allowpip:
            raise CommandRefused("** Type 'toggle allowpip' first.")
    game, viewer = await followed.game(), followed.viewer
    counts = [f"{viewer.name(seat)} {game.side(seat).pips}" for seat in (followed.seat, 1 - followed.seat)]
    session.say(f"Pipcounts: {'   '.join(counts)}")
