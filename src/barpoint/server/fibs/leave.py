"""The command leave, and what happens to a match when its player disconnects."""

from __future__ import annotations

from contextlib import suppress

from barpoint.error import BarpointError
from barpoint.server.fibs.invite import withdraw
from barpoint.server.fibs.session import CommandRefused, FibsSession
from barpoint.server.fibs.watch import stop_watching


async def leave(session: FibsSession, _: str) -> None:
    """Adjourns the match, and leaves it."""
    followed = session.followed("** Error: No one to leave.")
    services = session.services
    live_match = await followed.live_match()
    followed.leaving = True
    if "adjourn" in services.adjournments.may(live_match, followed.seat):
        await services.adjournments.ask(followed.match_id, followed.seat, "adjourn")
        live_match = await followed.live_match()
    adjournment = live_match.header.adjournment
    if adjournment.adjourned_at is None and adjournment.asked_by == followed.seat and not followed.asked:
        followed.leaving, followed.asked = False, True
        raise CommandRefused(
            f"** This match is on the clock: {followed.other_name} has to agree. 'leave' again goes anyway."
        )
    session.say("** You terminated the game. The game was saved.")
    followed.close()
    await session.roster.changed(session.user)


async def leave_all(session: FibsSession, words: str, own: bool = False) -> None:
    """Handles a user's match and invitation when they go. own: they are notified too.

    words: "logs out", "drops connection". A match between two FIBS users is adjourned, as on FIBS. A match with
    somebody on the web waits, as it does when a page is closed.
    """
    user, roster = session.user, session.roster
    await withdraw(session)
    followed, user.invited = user.followed, None
    if followed is not None:
        opposite = roster.opponent_of(followed)
        followed.leaving = True
        if opposite is not None:
            opposite.leaving = True
            opposite.user.say(f"{user.name} {words}. The game was saved.")
            with suppress(BarpointError):
                live_match = await followed.live_match()
                if "adjourn" in session.services.adjournments.may(live_match, followed.seat):
                    await session.services.adjournments.ask(followed.match_id, followed.seat, "adjourn")
            opposite.close()
            await roster.changed(opposite.user)
        if own:
            session.say(f"Your game with {followed.other_name} was saved.")
        followed.close()
    await stop_watching(session)
    for watcher in roster.watchers(user):
        watcher.watch_no_more()
        watcher.say(f"{user.name} {words}.. You're not watching anymore.")
