"""Commands that speak to others, and that keep them quiet."""

from __future__ import annotations

from contextlib import suppress

from barpoint.error import BarpointError
from barpoint.server.fibs.circle import Member, Someone
from barpoint.server.fibs.preference import MAX_NAMES
from barpoint.server.fibs.session import CommandRefused, Session
from barpoint.server.fibs.table import Table
from barpoint.server.live.chat import clean_words
from barpoint.server.storage import fibs as fibs_storage

BELL = "\a"


def _words(session: Session, text: str) -> str:
    """What is said, as it is kept and sent; CommandRefused for nothing, and for too much at once."""
    words = clean_words(text)
    if not words:
        raise CommandRefused("** You can't say nothing.")
    if not session.services.allowance.words.spend(session.member.person.id):
        raise CommandRefused("** So many words at once; wait a little.")
    return words


def _deliver(to: Member, number: int, by: Member, verb: str, words: str) -> None:
    """Says something to somebody, in the way of his client."""
    bell = BELL if to.preferences.bell else ""
    to.say((f"{number} {by.name} {words}" if to.clip else f"{by.name} {verb}: {words}") + bell)


def _echo(session: Session, number: int, words: str, telnet: str) -> None:
    session.say(f"{number} {words}" if session.member.clip else telnet)


async def tell(session: Session, rest: str) -> None:
    """Says something to one person."""
    member, (name, _, text) = session.member, rest.partition(" ")
    other = await session.circle.find(name)
    if other is None or other.person is None:
        raise CommandRefused(f"** There is no one called {name}")
    if other.person.id == member.person.id:
        session.say(f"You say to yourself: {clean_words(text)}")
        return
    _may_speak(member, other)
    if other.member is not None:
        words = _words(session, text)
        _deliver(other.member, 12, member, "tells you", words)
        _echo(session, 16, f"{other.name} {words}", f"** You tell {other.name}: {words}")
        if other.member.away is not None:
            session.say(f"{other.name} is away: {other.member.away}")
        return
    table = member.table
    if table is None or table.other.person is None or table.other.person.id != other.person.id:
        raise CommandRefused(f"** {other.name} is on the web page, and hears you only while you play.")
    await _say_at(session, table, text)
    _echo(session, 16, f"{other.name} {clean_words(text)}", f"** You tell {other.name}: {clean_words(text)}")


def _may_speak(member: Member, other: Someone) -> None:
    assert other.person is not None, "bots are not spoken to"
    if other.person.id in member.preferences.gagged:
        raise CommandRefused("** You can't talk if you won't listen.")
    if other.person.id in member.apart or (other.member is not None and not other.member.hears(member)):
        raise CommandRefused(f"** {other.name} won't listen to you.")


async def _say_at(session: Session, table: Table, text: str) -> None:
    """Says something at a match, by the door that the pages use."""
    try:
        await session.services.chat.say(table.match_id, session.member.person, text)
    except BarpointError as error:
        raise CommandRefused(f"** {error}") from None


async def say(session: Session, rest: str) -> None:
    """Says something to the opponent."""
    table = session.table("** 'say' can't be used outside a game")
    opposite = table.opposite
    if opposite is not None:
        _may_speak(session.member, table.other)
        words = _words(session, rest)
        _deliver(opposite.member, 12, session.member, "says", words)
    elif table.other.person is None:
        raise CommandRefused("** Your opponent is a program, and does not listen.")
    else:
        await _say_at(session, table, rest)
        words = clean_words(rest)
    _echo(session, 16, f"{table.other_name} {words}", f"You say: {words}")


async def kibitz(session: Session, rest: str) -> None:
    """Says something to everybody at the match."""
    member = session.member
    table = member.table or member.sight
    if table is None:
        raise CommandRefused("** You're not watching or playing.")
    if table.playing and table.other.person is not None:
        await _say_at(session, table, rest)  # who is at the match by a client hears it from there, as the pages do
        words, heard = clean_words(rest), 1 + len(table.watchers)
    else:
        words = _words(session, rest)
        heard = _to_watchers(session, table, 15, "kibitzes", words, players=True)
    _echo(session, 19, words, f"You kibitz: {words}")
    session.say(_heard(heard))


async def whisper(session: Session, rest: str) -> None:
    """Says something to those who watch the match."""
    member = session.member
    table = member.table or member.sight
    if table is None:
        raise CommandRefused("** You're not watching or playing.")
    words = _words(session, rest)
    heard = _to_watchers(session, table, 14, "whispers", words, players=False)
    _echo(session, 18, words, f"You whisper: {words}")
    session.say(_heard(heard) if heard else "** But nobody heard you.")


def _to_watchers(session: Session, table: Table, number: int, verb: str, words: str, players: bool) -> int:
    """Tells those who watch, and the players where they are here; says how many heard it."""
    there = list(table.watchers)
    if players:
        members = session.circle.members.values()
        there += [one for one in members if one.table is not None and one.table.match_id == table.match_id]
    heard = [one for one in there if one is not session.member and one.hears(session.member)]
    for one in heard:
        _deliver(one, number, session.member, verb, words)
    return len(heard)


def _heard(count: int) -> str:
    return f"** {count} user{'' if count == 1 else 's'} heard you."


async def shout(session: Session, rest: str) -> None:
    """Says something to everybody."""
    member = session.member
    if member.preferences.silent:
        raise CommandRefused("** Please type 'toggle silent' again before you shout.")
    words = _words(session, rest)
    for other in list(session.circle.members.values()):
        if other is not member and not other.preferences.silent and other.hears(member):
            _deliver(other, 13, member, "shouts", words)
    _echo(session, 17, words, f"You shout: {words}")


async def message(session: Session, rest: str) -> None:
    """Leaves words for somebody until he comes."""
    member, (name, _, text) = session.member, rest.partition(" ")
    if not name:
        session.say("There are no new messages for you.")
        return
    if not text.strip():
        raise CommandRefused("** usage: message <user> <text>")
    other = await session.circle.find_anybody(name)
    if other is None or other.person is None:
        raise CommandRefused(f"** Don't know user {name}.")
    _may_speak(member, other)
    words = _words(session, text)
    if other.member is not None:
        other.member.say(message_line(other.member, member.name, session.circle.seconds(), words))
        session.say(f"10 {other.name}" if member.clip else f"** Message delivered to {other.name}.")
        return
    if not other.person.registered:
        raise CommandRefused(f"** Don't know user {name}.")
    by, to, now = member.person.id, other.person.id, session.services.matches.clock()
    if not await session.services.store.write(lambda c: fibs_storage.put_message(c, by, to, words, now)):
        raise CommandRefused(f"** So many messages wait for {other.name} that no more are kept.")
    session.say(f"11 {other.name}" if member.clip else f"** Message for {other.name} saved.")


def message_line(to: Member, by: str, at: int, words: str) -> str:
    """Words that were left for somebody. at: s since 1970."""
    return f"9 {by} {at} {words}" if to.clip else f"** {by} left a message: {words}"


async def away(session: Session, rest: str) -> None:
    """Says that he is away, or who is."""
    member, circle = session.member, session.circle
    if not rest:
        gone = [one for one in circle.members.values() if one.away is not None]
        if not gone:
            session.say("None of the users is away.")
            return
        lines = [f"{'You' if one is member else one.name}: {one.away}" for one in gone]
        session.say("The following users are away:", *lines)
        return
    member.away = clean_words(rest)
    session.say("You're away. Please type 'back'")
    await circle.changed(member)


async def back(session: Session, _: str) -> None:
    """Says that he is back."""
    if session.member.away is None:
        raise CommandRefused("** You're not away.")
    session.member.away = None
    session.say("Welcome back.")
    await session.circle.changed(session.member)


async def gag(session: Session, rest: str) -> None:
    """Does not want to hear somebody, or wants to again."""
    preferences = session.member.preferences
    found = await _toggled(session, rest, preferences.gagged, "Gagged", "** You talk too much, don't you?")
    if found is not None:
        preferences.gagged, name, on = found
        session.say(f"** You {'gag' if on else 'ungag'} {name}.")
        await session.save()


async def blind(session: Session, rest: str) -> None:
    """Does not want to be watched by somebody, or allows it again."""
    preferences = session.member.preferences
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
    table = session.member.table
    for one in list(session.circle.members.values()):
        if one.name == name and one.sight is not None and table is not None and one.sight.match_id == table.match_id:
            one.sight.close()
            one.watching = None
            one.say(f"{session.member.name} bans you from watching.")
            if table.opposite is not None:
                table.opposite.member.say(f"{session.member.name} bans {one.name} from watching.")


async def _toggled(
    session: Session, rest: str, ids: tuple[str, ...], what: str, yourself: str
) -> tuple[tuple[str, ...], str, bool] | None:
    """The ids with or without the person named, what he is called, and whether he is among them; None: they were listed."""
    name = rest.split(" ")[0]
    if not name:
        names = [await _called(session, one) for one in ids]
        session.say(f"** {what} users: {','.join(filter(None, names)) or 'none'}")
        return None
    other = await session.circle.find_anybody(name)
    if other is None or other.person is None:
        raise CommandRefused(f"** There is no one called '{name}'")
    person_id = other.person.id
    if person_id == session.member.person.id:
        raise CommandRefused(yourself)
    if person_id in ids:
        return tuple(one for one in ids if one != person_id), other.name, False
    if len(ids) >= MAX_NAMES:
        raise CommandRefused(f"** {what} are {MAX_NAMES} users already; that is the most.")
    return (*ids, person_id), other.name, True


async def _called(session: Session, person_id: str) -> str:
    person = await session.services.store.read(lambda c: fibs_storage.person_of(c, person_id))
    return session.circle.someone(person).name if person is not None else ""


async def waitfor(session: Session, rest: str) -> None:
    """Wants to be told when somebody comes."""
    member = session.member
    if not rest:
        waits = sorted(member.waits_for)
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
            other = await session.circle.find_anybody(name)
        if other is None or other.person is None:
            session.say(f"** There is no user called '{name}'.")
        elif other.person.id == member.person.id:
            session.say("** Look behind you. Maybe you are waiting there.")
        elif other.member is not None:
            session.say(f"** '{other.name}' is already logged in.")
        else:
            member.waits_for.add(other.name)
            session.say(f"** You'll receive a message when '{other.name}' logs in.")
