"""Commands that show people and the server."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version as installed
from typing import Final

from barpoint.game import in_digits
from barpoint.number_text import number_in
from barpoint.server.fibs.roster import BOT, STANDARD, Roster
from barpoint.server.fibs.saved_matches import show_saved
from barpoint.server.fibs.session import CommandRefused, FibsSession
from barpoint.server.fibs.users import Someone
from barpoint.server.live.sidebar import clock_shown
from barpoint.server.storage import fibs as fibs_storage
from barpoint.server.storage.results import standing

WHO_HEADER: Final = "No  S  username        rating   exp login  idle from"
RATINGS_HEADER: Final = " rank name            rating    Experience"
MAX_RANKS: Final = 100
RANKS: Final = 20

MOTD: Final = (
    "+--------------------------------------------------------------------+",
    "| This is a Barpoint server: standard backgammon for FIBS clients,   |",
    "| every other game on the web page. Both sides play each other here. |",
    "| Play a bot: 'invite Barpoint_...' ('who' lists them), then 'move'. |",
    "+--------------------------------------------------------------------+",
)


async def who(session: FibsSession, rest: str) -> None:
    """Lists who is on line."""
    lines = _sorted(await _listed(session, rest), session.user.preferences.sortwho)
    if session.user.clip:
        session.say(*(lines or [WHO_HEADER]))
        return
    shown = [line.split(" ") for line in lines]
    session.say(WHO_HEADER, *(_for_a_person(number, one) for number, one in enumerate(shown, start=1)))


def _for_a_person(number: int, fields: list[str]) -> str:
    _, name, opponent, watching, ready, away, rating, experience, idle, _login, _host, client, _ = fields
    state = "P" if opponent != "-" else "W" if watching != "-" else "A" if away == "1" else "R" if ready == "1" else "-"
    mark = f" {BOT}" if client == BOT else ""
    return f"{number:3} {state} {name:<15} {rating:>8} {experience:>6} {int(idle) // 60:>4} min{mark}"


def _sorted(lines: list[str], order: str) -> list[str]:
    """The lines in the chosen order: login, name, rating ascending, or rating descending (rrating)."""
    match order:
        case "name":
            return sorted(lines, key=lambda line: line.split(" ")[1].lower())
        case "rating" | "rrating":
            return sorted(lines, key=lambda line: float(line.split(" ")[6]), reverse=order == "rrating")
        case _:
            return lines


async def rawwho(session: FibsSession, rest: str) -> None:
    """Lists who is on line, with a line that marks the end."""
    session.say(*await _listed(session, rest), "6")


async def _listed(session: FibsSession, rest: str) -> list[str]:
    """The requested lines."""
    roster, words = session.roster, rest.split()
    if not words:
        return await roster.who_lines(session.user)
    kinds = {"away": 5, "ready": 4, "playing": 2, "watching": 3}
    kind = next((name for name in kinds if name.startswith(words[0].lower())), None)
    if kind is not None and len(words[0]) > 1:
        lines = await roster.who_lines(session.user)
        return [line for line in lines if line.split(" ")[kinds[kind]] not in ("-", "0")]
    other = await roster.find(words[0])
    if other is None:
        raise CommandRefused(f"** There is no one called {words[0]}.")
    return await roster.who_lines(session.user, [other])


async def whois(session: FibsSession, rest: str) -> None:
    """Shows what is known about somebody."""
    name = rest.split(" ")[0]
    if not name:
        raise CommandRefused("** please give a name as an argument.")
    other = await session.roster.find_anybody(name)
    if other is None or other.person is None:
        session.say(f"No information found on user {name}.")
        return
    person, user = other.person, other.user
    visit, now = await session.services.store.read(
        lambda c: (fibs_storage.last_visit(c, person.id), standing(c, person.id, STANDARD.name))
    )
    zone = session.user.preferences.timezone
    lines = [f"Information about {other.name}:"]
    if visit.login_at:
        lines.append(f"  Last login:  {_day(visit.login_at // 1000, zone)} from hidden")
    else:
        lines.append("  Has never logged in here, only on the web page.")
    if user is None:
        if visit.login_at:
            lines.append(f"  Last logout: {_day((visit.logout_at or visit.login_at) // 1000, zone)}")
        lines.append("  Not logged in right now.")
    else:
        idle = int(session.roster.idle(user))
        shown = f"{idle // 60}:{idle % 60:02} minutes" if idle >= 60 else f"{idle} seconds"
        lines.append(f"  Still logged in. {shown} idle.")
        lines.append(f"  {_state(other)}")
        if user.away is not None:
            lines.append(f"  {other.name} is away: {user.away}")
    if person.bot:
        lines.append(f"  {other.name} is a bot.")
    lines.append(f"  Rating: {now.rating.value:.2f} Experience: {now.rating.experience}")
    session.say(*lines, "  No email address.")


def _state(other: Someone) -> str:
    user = other.user
    assert user is not None, "asked about who is here"
    if user.followed is not None:
        return f"{other.name} is playing with {user.followed.other_name}."
    ready = "ready" if user.preferences.ready else "not ready"
    watching = f"watching {user.watching.name}" if user.watching is not None else "not watching"
    return f"{other.name} is {ready} to play, {watching}, not playing."


def _day(seconds: int, zone: str) -> str:
    """ "Friday, January 10 12:12 UTC"."""
    at = datetime.fromtimestamp(seconds, zoneinfo.ZoneInfo(zone))
    return f"{at:%A, %B %d %H:%M %Z}"


async def where(session: FibsSession, rest: str) -> None:
    """Shows where somebody connects from, which this server keeps private."""
    name = rest.split(" ")[0] or session.user.name
    other = await session.roster.find(name)
    if other is None:
        raise CommandRefused(f"** There's no one called {name}.")
    session.say(f"{other.name} from hidden", "(hidden)")


async def ratings(session: FibsSession, rest: str) -> None:
    """Lists the best ratings, one person's, or a range of ranks."""
    words, store = rest.lower().split(), session.services.store
    pool = STANDARD.name
    if words and words[0] not in ("from", "to"):
        if len(words) > 1:
            raise CommandRefused(f"** Please use only one of the given names '{words[0]}' and '{words[1]}'.")
        other = await session.roster.find_anybody(words[0])
        one = await store.read(fibs_storage.rank_of, pool, (other.id if other is not None else None) or "")
        session.say(RATINGS_HEADER, *([_ranked(session.roster, one, "*")] if one is not None else []))
        return
    first, last = _place(words, "from", 1), _place(words, "to", RANKS)
    if last < first:
        raise CommandRefused(f"** invalid range from {first} to {last}")
    if last - first >= MAX_RANKS:
        raise CommandRefused(f"** range currently limited to {MAX_RANKS}.")
    mine = session.user.person.id
    found, own = await store.read(
        lambda c: (fibs_storage.ranked(c, pool, first, last), fibs_storage.rank_of(c, pool, mine))
    )
    lines = [_ranked(session.roster, one) for one in found]
    if own is not None and not first <= own.rank <= last:
        lines.append(_ranked(session.roster, own))
    session.say(RATINGS_HEADER, *lines)


def _place(words: list[str], word: str, default: int) -> int:
    if word not in words:
        return default
    value = next(iter(words[words.index(word) + 1 :]), "")
    place = number_in(value, 1, 999_999)
    if place is None:
        raise CommandRefused(f"** Please give a positive number after '{word}'.")
    return place


def _ranked(roster: Roster, one: fibs_storage.Ranked, mark: str = " ") -> str:
    name = roster.someone(one.person).name
    return f"{mark}{one.rank:4} {name:<14} {one.value:8.2f} {one.experience:8}"


async def last(session: FibsSession, rest: str) -> None:
    """Lists the latest logins and logouts."""
    if rest:
        raise CommandRefused("** Please use the 'whois' command.")
    session.say(f"The {len(session.roster.last)} last logins/logouts:", *session.roster.last)


async def show(session: FibsSession, rest: str) -> None:
    """Lists matches, saved matches or watchers, or shows the limit on connections."""
    word = rest.split(" ")[0].lower()
    if not word:
        raise CommandRefused("** show what?")
    if "saved".startswith(word):
        await show_saved(session)
    elif "games".startswith(word):
        await _games(session)
    elif "watchers".startswith(word):
        watching = [
            f"{one.name} is watching {one.watching.name}."
            for one in session.roster.users.values()
            if one.watching is not None
        ]
        session.say("Watching players:", *watching) if watching else session.say("Watching players: none.")
    elif "max".startswith(word):
        session.say(f"max_logins is {session.roster.most} (maximum: {session.roster.most})")
    else:
        raise CommandRefused(f"** Don't know how to show {word}")


async def _games(session: FibsSession) -> None:
    scene = await session.services.lobby.scene()
    lines = []
    for going in scene.running:
        if going.agreement.rules == STANDARD:
            first, second = session.roster.names_of(going, scene)
            score = f"{in_digits(going.score[0])}-{in_digits(going.score[1])}"
            length = f"{going.agreement.terms.length} point" if going.agreement.terms.length else "unlimited"
            lines.append(f"{first:<15} - {second:>15} ({length} match {score})")
    session.say("List of games:", *lines)


async def time(session: FibsSession, rest: str) -> None:
    """Shows the time."""
    zone = known_zone(rest.split(" ")[0] or session.user.preferences.timezone)
    session.say(time_line(session.roster.seconds(), zone))
    followed = session.user.followed
    if followed is not None:
        live_match = await followed.live_match()
        clock = clock_shown(live_match, followed.seat, session.services.matches.clock())
        if clock is not None:
            left = (f"You {_minutes(clock.near.ms)}", f"{followed.other_name} {_minutes(clock.far.ms)}")
            session.say(f"** On the clock: {left[0]}, {left[1]}, and {clock.delay_ms // 1000} s free a turn.")


def _minutes(ms: int) -> str:
    """ "2:05"."""
    return f"{ms // 60_000}:{ms // 1000 % 60:02}"


@cache
def _time_zones() -> frozenset[str]:
    """The names of all time zones; reading their files takes long, so it is done once."""
    return frozenset(zoneinfo.available_timezones())


def known_zone(zone: str) -> str:
    """The name of a time zone, if it is one; CommandRefused."""
    if zone not in _time_zones():
        raise CommandRefused(f"Can't find timezone '{zone}'. Try one like Europe/Berlin or UTC.")
    return zone


def time_line(seconds: int, zone: str = "UTC") -> str:
    """ "Wednesday, January 15 22:18:35 EST   ( Wed Jan 15 11:18:35 2003 UTC )"."""
    here = datetime.fromtimestamp(seconds, zoneinfo.ZoneInfo(zone))
    return f"{here:%A, %B %d %H:%M:%S %Z}   ( {datetime.fromtimestamp(seconds, UTC):%a %b %d %H:%M:%S %Y} UTC )"


async def motd(session: FibsSession, _: str) -> None:
    """Shows the message of the day."""
    session.say(*(["3", *MOTD, "4"] if session.user.clip else MOTD))


async def about(session: FibsSession, _: str) -> None:
    """Describes the server."""
    session.say(f"Barpoint {installed('barpoint')}: backgammon and its family, played on the web and by FIBS clients.")


async def version(session: FibsSession, _: str) -> None:
    """Shows the version of the server."""
    session.say(f"** Version {installed('barpoint')} (Barpoint)")


async def no_statistics(_session: FibsSession, _: str) -> None:
    """Would show how many users there are on average, which this server does not count."""
    raise CommandRefused("** This server keeps no statistics of its users.")


async def dicetest(session: FibsSession, _: str) -> None:
    """Explains how to check the dice."""
    session.say("*** running dice test:", "Every roll of a finished match can be recomputed on the web page.", "Done.")


async def cls(session: FibsSession, _: str) -> None:
    """Clears a terminal."""
    session.say("\x1b[;H\x1b[2J")


async def denied(_session: FibsSession, _: str) -> None:
    """Refuses a command of administrators, who use other tools here."""
    raise CommandRefused("** Permission denied")


async def panic(session: FibsSession, _: str) -> None:
    """Says that nothing is lost."""
    session.followed()
    session.say("Your game was saved in the panic file.")


async def port(session: FibsSession, _: str) -> None:
    """Shows the port."""
    session.say(f"The server is running on port {session.roster.port}.")
