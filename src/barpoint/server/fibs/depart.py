"""Somebody leaves his match, or everything."""

from __future__ import annotations

from contextlib import suppress

from barpoint.error import BarpointError
from barpoint.server.fibs.invite import withdraw
from barpoint.server.fibs.session import CommandRefused, Session
from barpoint.server.fibs.sight import stop_watching


async def leave(session: Session, _: str) -> None:
    """Puts the match off, and goes."""
    table = session.table("** Error: No one to leave.")
    services = session.services
    live_match = await table.live_match()
    table.leaving = True
    if "adjourn" in services.adjournments.may(live_match, table.seat):
        await services.adjournments.ask(table.match_id, table.seat, "adjourn")
        live_match = await table.live_match()
    recess = live_match.header.recess
    if recess.adjourned_at is None and recess.asked_by == table.seat and not table.asked:
        table.leaving, table.asked = False, True
        raise CommandRefused(
            f"** This match is on the clock: {table.other_name} has to agree. 'leave' again goes anyway."
        )
    session.say("** You terminated the game. The game was saved.")
    table.close()
    await session.circle.changed(session.member)


async def depart(session: Session, words: str, own: bool = False) -> None:
    """What happens to his match and his invitation when he goes. own: he is told too.

    words: "logs out", "drops connection". A match between two who are both here is put off, as FIBS does it; one with
    somebody on the web waits for him, as for a page that was closed.
    """
    member, circle = session.member, session.circle
    await withdraw(session)
    table, member.invited = member.table, None
    if table is not None:
        opposite = table.opposite
        table.leaving = True
        name, other = member.name, table.other_name
        if opposite is not None:
            opposite.leaving = True
            opposite.member.say(f"{name} {words}. The game was saved.")
            with suppress(BarpointError):
                live_match = await table.live_match()
                if "adjourn" in session.services.adjournments.may(live_match, table.seat):
                    await session.services.adjournments.ask(table.match_id, table.seat, "adjourn")
            opposite.close()
            await circle.changed(opposite.member)
        if own:
            session.say(f"Your game with {other} was saved.")
        table.close()
    await stop_watching(session)
    for watcher in circle.members.values():
        watched = watcher.watching.person if watcher.watching is not None else None
        if watched is not None and watched.id == member.person.id:
            if watcher.sight is not None:
                watcher.sight.close()
            watcher.watching = None
            watcher.say(f"{member.name} {words}.. You're not watching anymore.")
