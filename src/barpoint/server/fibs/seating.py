"""Seats a user at a match, and reports it."""

from __future__ import annotations

from collections.abc import Callable

from barpoint.server.fibs.followed_match import FollowedMatch
from barpoint.server.fibs.match_text import an, resumed_lines
from barpoint.server.fibs.session import FibsSession
from barpoint.server.fibs.watch import look_on, stop_watching
from barpoint.server.live.live_match import LiveMatch

ReportLine = Callable[[str, str], str]
"""The line that reports a match, from the names of both players."""


async def take_seat(session: FibsSession, match_id: str, *lines: str) -> None:
    """Seats the user at a match that begins, and reports it."""
    live_match = await session.services.matches.live_match(match_id)
    seat = live_match.header.seat_of(session.user.person.id)
    assert seat in (0, 1), "they have just been seated"
    what = an(live_match.header.terms.length)
    await _sit(session, live_match, seat, True, lines, lambda first, second: f"{first} and {second} start {what}.")


async def resume_seat(session: FibsSession, live_match: LiveMatch, *lines: str) -> None:
    """Seats the user again at a match that resumes."""
    seat = live_match.header.seat_of(session.user.person.id)
    assert seat in (0, 1), "this seat is theirs"
    length = live_match.header.terms.length
    what = f"{length}-point match" if length else "unlimited match"
    fresh = not live_match.match.events
    await _sit(
        session,
        live_match,
        seat,
        fresh,
        lines,
        lambda first, second: f"{first} and {second} are resuming their {what}.",
    )


async def _sit(
    session: FibsSession, live_match: LiveMatch, seat: int, fresh: bool, lines: tuple[str, ...], said: ReportLine
) -> None:
    user, roster = session.user, session.roster
    await stop_watching(session)
    followed = FollowedMatch(roster, user, live_match, seat, playing=True)
    user.followed = followed
    try:
        await followed.begin(fresh)
    except BaseException:
        followed.close()
        raise
    session.say(*lines)
    if not fresh:
        session.say(*resumed_lines(followed.shown, followed.viewer, user.preferences))
    followed.follow()
    first, second = (followed.others[place] for place in (seat, 1 - seat))
    if roster.opponent_of(followed) is None:  # the second to sit down has nothing new to report
        people = [one.person.id for one in (first, second) if one.person is not None]
        roster.report(said(first.name, second.name), but=people)
    await roster.changed(user)
    for watcher in roster.watchers(user):
        if watcher.watched_match is None:
            watcher.say(said(first.name, second.name))
            await look_on(session, watcher, live_match.header.id, seat, fresh)
