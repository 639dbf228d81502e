"""Commands for settings: toggle, set, boardstyle, save, password, address."""

from __future__ import annotations

from typing import Final

from barpoint.number_text import number_in
from barpoint.server.domain.accounts import AccountRefused
from barpoint.server.fibs.info import known_zone
from barpoint.server.fibs.preferences import INVERSE, TOGGLES
from barpoint.server.fibs.session import CommandRefused, FibsSession
from barpoint.server.live.accounts import SLOWER
from barpoint.server.storage import accounts as account_storage

VARIABLES: Final = ("boardstyle", "linelength", "pagelength", "redoubles", "sortwho", "timezone")
SORTS: Final = ("login", "name", "rating", "rrating")
MAX_LENGTH: Final = 999
MAX_REDOUBLES: Final = 99
PASSWORD_USAGE: Final = (
    "** usage: password <old password>:<new password>:<new password>",
    "** NOTE: The character between the passwords is now a colon!",
)


async def toggle(session: FibsSession, rest: str) -> None:
    """Switches a toggle, or lists them all."""
    preferences = session.user.preferences
    if not rest:
        lines = [f"{name:<16}{'YES' if getattr(preferences, name) else 'NO'}" for name in TOGGLES]
        session.say("The current settings are:", *lines)
        return
    for word in rest.lower().split()[: len(TOGGLES)]:
        name = _begun_with(word, (*TOGGLES, *INVERSE))
        if name is None:
            session.say(f"** Don't know how to toggle {word}")
            continue
        name = INVERSE.get(name, name)
        now = not getattr(preferences, name)
        setattr(preferences, name, now)
        session.say(TOGGLES[name].on if now else TOGGLES[name].off)
        if name == "ready":
            await session.roster.changed(session.user)
            scene = await session.services.lobby.scene()
            session.roster.invite_from(session.user, scene.challenges)
        if name == "double" and session.user.followed is not None:
            session.user.followed.follow_up()
    await session.save()


def _begun_with(word: str, names: tuple[str, ...]) -> str | None:
    """The name that a word means: an exact match, or the first with this prefix."""
    return word if word in names else next((name for name in names if name.startswith(word)), None)


async def set_variable(session: FibsSession, rest: str) -> None:
    """Sets a variable, shows its value, or lists them all."""
    if not rest:
        width = max(map(len, VARIABLES)) + 2
        session.say("Settings of variables:", *(f"{name + ':':<{width}}{_value(session, name)}" for name in VARIABLES))
        return
    word, _, value = rest.partition(" ")
    name = _begun_with(word.lower(), VARIABLES)
    if name is None:
        raise CommandRefused("** Invalid argument. Type 'help set'.")
    if not value.strip():
        session.say(f"Value of '{name}' is {_value(session, name)}")
        return
    await _set(session, name, value.split()[0])
    await session.save()


def _value(session: FibsSession, name: str) -> object:
    return session.user.style if name == "boardstyle" else getattr(session.user.preferences, name)


async def _set(session: FibsSession, name: str, value: str) -> None:
    preferences = session.user.preferences
    number = number_in(value, 0, MAX_LENGTH)
    match name:
        case "boardstyle":
            if number not in (1, 2, 3):
                raise CommandRefused("** Valid arguments are the numbers 1 to 3.")
            preferences.boardstyle = number
        case "linelength" | "pagelength":
            if number is None and value.isdecimal():
                raise CommandRefused(f"** Valid arguments are the numbers 0 to 999. Use 0 for no {name}.")
            setattr(preferences, name, number or 0)
        case "redoubles":
            if value not in ("none", "unlimited") and not 1 <= (number or 0) <= MAX_REDOUBLES:
                raise CommandRefused("** Valid arguments are 'none', 'unlimited' and the numbers 1 to 99.")
            preferences.redoubles = value if number is None else str(number)
        case "sortwho":
            if value not in SORTS:
                raise CommandRefused(f"** Unknown value '{value}'. Try 'login', 'name', 'rating' or 'rrating'.")
            preferences.sortwho = value
        case _:
            preferences.timezone = known_zone(value)
    quoted = f"'{value}'" if name == "redoubles" and number is None else _value(session, name)
    session.say(f"Value of '{name}' set to {quoted}.")


async def boardstyle(session: FibsSession, rest: str) -> None:
    """The same as `set boardstyle`."""
    await set_variable(session, f"boardstyle {rest}".strip())


async def save(session: FibsSession, _: str) -> None:
    """Confirms the settings, which are saved in any case."""
    await session.save()
    session.say("Settings saved.")


async def address(session: FibsSession, _: str) -> None:
    """Shows the user's own mail address, which nobody else can see."""
    account = await session.services.store.read(account_storage.get_account, session.user.person.id)
    if account is None or account.email is None:
        session.say("** You didn't give your address.")
    else:
        session.say(f"Your email address is '{account.email}'.")
    session.say("** It is changed on the web page, and shown to nobody here.")


async def password(session: FibsSession, rest: str) -> None:
    """Changes the password."""
    parts = rest.split(":")
    if len(parts) != 3:
        session.say(*PASSWORD_USAGE)
        return
    old, new, again = parts
    services = session.services
    account = await services.store.read(account_storage.get_account, session.user.person.id)
    if account is None or not services.accounts.may_try(session.address, account.name, known=True):
        raise CommandRefused(f"** {SLOWER}")
    if not await services.accounts.passwords.fits(account.password, old):
        raise CommandRefused("** Sorry. Old password not correct.")
    if new != again:
        raise CommandRefused("** Please give your new password twice.")
    try:
        await session.renew(lambda: services.accounts.change_password(account, new))
    except AccountRefused as error:
        raise CommandRefused(f"** {error}") from None
    session.say("Password changed.")
