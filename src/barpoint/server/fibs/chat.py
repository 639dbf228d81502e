"""Commands for talk: speaking to others, and muting them."""

from __future__ import annotations

from contextlib import suppress

from barpoint.error import BarpointError
from barpoint.server.fibs.preferences import MAX_NAMES
from barpoint.server.fibs.session import CommandRefused, FibsSession
from barpoint.server.fibs.users import MatchPlace, Someone, User
from barpoint.server.live.chat import clean_text
from barpoint.server.live.messages import MessageRefused, take_unread, write
from barpoint.server.storage import guests as guest_storage

BELL = "\a"


def _words(session: FibsSession, text: str) -> str:
    """The words as stored and sent; CommandRefused for empty text, and for too much at once."""
    words = clean_text(text)
    if not words:
        raise CommandRefused("** You can't say nothing.")
    if not session.services.allowance.chat.spend(session.user.person.id):
        raise CommandRefused("** Too many lines at once; wait a little.")
    return words


def _deliver(to: User, number: int, by: User, verb: str, words: str) -> None:
    """Delivers words to a user in the format of their client."""
    bell = BELL if to.preferences.bell else ""
    to.say((f"{number} {by.name} {words}" if to.clip else f"{by.name} {verb}: {words}") + bell)


def _echo(session: FibsSession, number: int, words: str, telnet: str) -> None:
    session.say(f"{number} {words}" if session.user.clip else telnet)


async def tell(session: FibsSession, rest: str) -> None:
    """Sends words to one person."""
    user, (name, _, text) = session.user, rest.partition(" ")
    other = await session.roster.find(name)
    if other is None or other.person is None:
        raise CommandRefused(f"** There is no one called {name}")
    if other.id == user.person.id:
        session.say(f"You say to yourself: {clean_text(text)}")
        return
    _may_speak(user, other)
    if other.user is not None:
        words = _words(session, text)
        _deliver(other.user, 12, user, "tells you", words)
        _echo(session, 16, f"{other.name} {words}", f"** You tell {other.name}: {words}")
        if other.user.away is not None:
            session.say(f"{other.name} is away: {other.user.away}")
        return
    followed = user.followed
    if followed is None or followed.other.id != other.id:
        raise CommandRefused(f"** {other.name} is on the web page, and hears you only while you play.")
    await _say_at(session, followed, text)
    _echo(session, 16, f"{other.name} {clean_text(text)}", f"** You tell {other.name}: {clean_text(text)}")


def _may_speak(user: User, other: Someone) -> None:
    assert other.person is not None, "bots are not spoken to"
    if other.person.id in user.preferences.gagged:
        raise CommandRefused("** You can't talk if you won't listen.")
    if other.person.id in user.apart or (other.user is not None and not other.user.hears(user)):
        raise CommandRefused(f"** {other.name} won't listen to you.")


async def _say_at(session: FibsSession, followed: MatchPlace, text: str) -> None:
    """Says something at a match, through the same chat as the pages."""
    try:
        await session.services.chat.say(followed.match_id, session.user.person, text)
    except BarpointError as error:
        raise CommandRefused(f"** {error}") from None


async def say(session: FibsSession, rest: str) -> None:
    """Sends words to the opponent."""
    followed = session.followed("** 'say' can't be used outside a game")
    opposite = session.roster.opponent_of(followed)
    if opposite is not None:
        _may_speak(session.user, followed.other)
        words = _words(session, rest)
        _deliver(opposite.user, 12, session.user, "says", words)
    elif followed.other.person is None:
        raise CommandRefused("** Your opponent is a program, and does not listen.")
    else:
        await _say_at(session, followed, rest)
        words = clean_text(rest)
    _echo(session, 16, f"{followed.other_name} {words}", f"You say: {words}")


async def kibitz(session: FibsSession, rest: str) -> None:
    """Sends words to everybody at the match."""
    followed = session.at_match()
    if followed.playing and followed.other.person is not None:
        await _say_at(session, followed, rest)  # clients at the match receive it from there, as the pages do
        words, heard = clean_text(rest), 1 + len(session.roster.watchers_of(followed))
    else:
        words = await _words_around(session, followed, rest)
        heard = _to_watchers(session, followed, 15, "kibitzes", words, players=True)
    _echo(session, 19, words, f"You kibitz: {words}")
    session.say(_heard(heard))


async def _words_around(session: FibsSession, followed: MatchPlace, text: str) -> str:
    """The words for the watchers of a match; those of a watcher are read by whoever watches on the web, too."""
    if followed.playing:
        return _words(session, text)
    if not clean_text(text):
        raise CommandRefused("** You can't say nothing.")
    await _say_at(session, followed, text)
    return clean_text(text)


async def whisper(session: FibsSession, rest: str) -> None:
    """Sends words to the watchers of the match."""
    followed = session.at_match()
    words = await _words_around(session, followed, rest)
    heard = _to_watchers(session, followed, 14, "whispers", words, players=False)
    _echo(session, 18, words, f"You whisper: {words}")
    session.say(_heard(heard) if heard else "** But nobody heard you.")


def _to_watchers(session: FibsSession, followed: MatchPlace, number: int, verb: str, words: str, players: bool) -> int:
    """Sends words to the watchers, and to the players connected here; returns the number of recipients."""
    there = session.roster.watchers_of(followed)
    if players:
        users = session.roster.users.values()
        there += [one for one in users if one.followed is not None and one.followed.match_id == followed.match_id]
    heard = [one for one in there if one is not session.user and one.hears(session.user)]
    for one in heard:
        _deliver(one, number, session.user, verb, words)
    return len(heard)


def _heard(count: int) -> str:
    return f"** {count} user{'' if count == 1 else 's'} heard you."


async def shout(session: FibsSession, rest: str) -> None:
    """Sends words to everybody."""
    user = session.user
    if user.preferences.silent:
        raise CommandRefused("** Please type 'toggle silent' again before you shout.")
    words = _words(session, rest)
    for other in list(session.roster.users.values()):
        if other is not user and not other.preferences.silent and other.hears(user):
            _deliver(other, 13, user, "shouts", words)
    _echo(session, 17, words, f"You shout: {words}")


async def message(session: FibsSession, rest: str) -> None:
    """Delivers a message, or saves it until the person logs in."""
    user, (name, _, text) = session.user, rest.partition(" ")
    if not name:
        session.say("There are no new messages for you.")
        return
    if not text.strip():
        raise CommandRefused("** usage: message <user> <text>")
    other = await session.roster.find_anybody(name)
    if other is None or other.person is None:
        raise CommandRefused(f"** Don't know user {name}.")
    _may_speak(user, other)
    words = clean_text(text)
    here = other.user if other.user is not None and other.user.away is None else None
    services = session.services
    try:
        await write(services.matches, services.allowance, user.person, other.person, words, read=here is not None)
    except MessageRefused as error:
        raise CommandRefused(f"** {error}") from None
    if here is not None:
        here.say(message_line(here, user.name, session.roster.seconds(), words))
        session.say(f"10 {other.name}" if user.clip else f"** Message delivered to {other.name}.")
    else:
        session.say(f"11 {other.name}" if user.clip else f"** Message for {other.name} saved.")


async def tell_messages(session: FibsSession) -> None:
    """Delivers the messages that the user has not read yet, each on one line; once they are back if they are away."""
    services, user = session.services, session.user
    if user.away is not None:
        return
    for by, one in await take_unread(services.matches, user.person):
        words = " ".join(one.text.split())
        session.say(message_line(user, session.roster.someone(by).name, one.at // 1000, words))


def message_line(to: User, by: str, at: int, words: str) -> str:
    """The line of a message. at: s since 1970."""
    return f"9 {by} {at} {words}" if to.clip else f"** {by} left a message: {words}"


async def away(session: FibsSession, rest: str) -> None:
    """Marks the user as away, or lists who is away."""
    user, roster = session.user, session.roster
    if not rest:
        gone = [one for one in roster.users.values() if one.away is not None]
        if not gone:
            session.say("None of the users is away.")
            return
        lines = [f"{'You' if one is user else one.name}: {one.away}" for one in gone]
        session.say("The following users are away:", *lines)
        return
    user.away = clean_text(rest)
    session.say("You're away. Please type 'back'")
    await roster.changed(user)


async def back(session: FibsSession, _: str) -> None:
    """Marks the user as back."""
    if session.user.away is None:
        raise CommandRefused("** You're not away.")
    session.user.away = None
    session.say("Welcome back.")
    await session.roster.changed(session.user)
    await tell_messages(session)


async def gag(session: FibsSession, rest: str) -> None:
    """Mutes somebody, or unmutes them."""
    preferences = session.user.preferences
    found = await _toggled(session, rest, preferences.gagged, "Gagged", "** You talk too much, don't you?")
    if found is not None:
        preferences.gagged, name, on = found
        session.say(f"** You {'gag' if on else 'ungag'} {name}.")
        await session.save()


async def blind(session: FibsSession, rest: str) -> None:
    """Bars somebody from watching, or allows it again."""
    preferences = session.user.preferences
    found = await _toggled(
        session, rest, preferences.blinded, "Blinded", "** You can't read this message now, can you?"
    )
    if found is None:
        return
    preferences.blinded, name, on = found
    session.say(f"** You {'blind' if on else 'unblind'} {name}.")
    await session.save()
    if not on:
        return
    followed = session.user.followed
    if followed is None:
        return
    for one in session.roster.watchers_of(followed):
        if one.name == name:
            one.watch_no_more()
            one.say(f"{session.user.name} bans you from watching.")
            opponent = session.roster.opponent_of(followed)
            if opponent is not None:
                opponent.user.say(f"{session.user.name} bans {one.name} from watching.")


async def _toggled(
    session: FibsSession, rest: str, ids: tuple[str, ...], what: str, yourself: str
) -> tuple[tuple[str, ...], str, bool] | None:
    """The ids with the named person toggled, their name, and whether they are now listed; None after a listing."""
    name = rest.split(" ")[0]
    if not name:
        names = [await _called(session, one) for one in ids]
        session.say(f"** {what} users: {','.join(filter(None, names)) or 'none'}")
        return None
    other = await session.roster.find_anybody(name)
    if other is None or other.person is None:
        raise CommandRefused(f"** There is no one called '{name}'")
    person_id = other.person.id
    if person_id == session.user.person.id:
        raise CommandRefused(yourself)
    if person_id in ids:
        return tuple(one for one in ids if one != person_id), other.name, False
    if len(ids) >= MAX_NAMES:
        raise CommandRefused(f"** {what} are {MAX_NAMES} users already; that is the most.")
    return (*ids, person_id), other.name, True


async def _called(session: FibsSession, person_id: str) -> str:
    person = await session.services.store.read(guest_storage.get_guest, person_id)
    return session.roster.someone(person).name if person is not None else ""


async def waitfor(session: FibsSession, rest: str) -> None:
    """Asks for a notice when somebody logs in."""
    user = session.user
    if not rest:
        waits = sorted(user.waits_for)
        if not waits:
            session.say("You are not waiting for any players.")
        elif len(waits) == 1:
            session.say(f"You are waiting for {waits[0]}")
        else:
            session.say(f"You are waiting for the following {len(waits)} players:", f"  {', '.join(waits)}")
        return
    for name in rest.split()[:20]:
        other = None
        with suppress(BarpointError):
            other = await session.roster.find_anybody(name)
        if other is None or other.person is None:
            session.say(f"** There is no user called '{name}'.")
        elif other.id == user.person.id:
            session.say("** Look behind you. Maybe you are waiting there.")
        elif other.user is not None:
            session.say(f"** '{other.name}' is already logged in.")
        else:
            user.waits_for.add(other.name)
            session.say(f"** You'll receive a message when '{other.name}' logs in.")
