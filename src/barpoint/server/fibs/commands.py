"""Every command of FIBS with its function, by name or by any prefix."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from barpoint.server.fibs import chat, claim, info, invite, join, leave, options, play, saved_matches, watch
from barpoint.server.fibs.session import CommandRefused, FibsSession

CommandFunction = Callable[[FibsSession, str], Awaitable[None]]

HELP: Final = (
    "Backgammon by commands; a beginning of a command is enough.",
    "  invite NAME LENGTH | join NAME | leave | invite NAME (resumes) | claim NAME | show saved",
    "  roll | move 8-5 6-5 | off | double | accept | reject | resign n, g or b | board | pip",
    "  who | whois NAME | ratings | watch NAME | look NAME | show games",
    "  tell NAME TEXT | say TEXT | kibitz TEXT | shout TEXT | gag NAME | blind NAME | away TEXT | back",
    "  toggle (ready, automove, double, greedy, ...) | set (boardstyle 1-3, ...) | password old:new:new | bye",
)


async def help_(session: FibsSession, rest: str) -> None:
    """Lists the commands, or says what one does."""
    word = rest.split(" ")[0]
    if not word:
        session.say(*HELP, "All commands:", "  " + " ".join(sorted(COMMANDS)))
        return
    name = resolve(word)
    if name is None:
        raise CommandRefused(f"** There is no help on '{word[:20]}'. Type 'help' for all commands.")
    session.say(f"  {name}: {_what_it_does(name)}", *(line for line in HELP if f" {name} " in f"{line} "))


def _what_it_does(name: str) -> str:
    if name in LEAVING:
        return "Logs you out."
    if name == "wave":
        return "Waves goodbye to everybody; the second time it logs you out."
    return (COMMAND_FUNCTIONS[name].__doc__ or "").partition("\n")[0]


COMMAND_FUNCTIONS: Final[dict[str, CommandFunction]] = {
    "board": play.board,
    "kibitz": chat.kibitz,
    "move": play.move,
    "roll": play.roll,
    "say": chat.say,
    "tell": chat.tell,
    "who": info.who,
    "accept": play.accept,
    "double": play.double,
    "invite": invite.invite,
    "join": join.join,
    "reject": play.reject,
    "resign": play.resign,
    "leave": leave.leave,
    "look": watch.look,
    "pip": play.pip,
    "watch": watch.watch,
    "whisper": chat.whisper,
    "whois": info.whois,
    "where": info.where,
    "about": info.about,
    "address": options.address,
    "average": info.no_statistics,
    "away": chat.away,
    "back": chat.back,
    "beaver": play.redouble,
    "blind": chat.blind,
    "boardstyle": options.boardstyle,
    "cls": info.cls,
    "clear": info.cls,
    "claim": claim.claim,
    "date": info.time,
    "dicetest": info.dicetest,
    "erase": info.denied,
    "gag": chat.gag,
    "help": help_,
    "last": info.last,
    "man": help_,
    "message": chat.message,
    "motd": info.motd,
    "off": play.off,
    "oldboard": saved_matches.oldboard,
    "oldmoves": saved_matches.oldmoves,
    "otter": play.redouble,
    "panic": info.panic,
    "password": options.password,
    "port": info.port,
    "raccoon": play.redouble,
    "ratings": info.ratings,
    "rawboard": play.rawboard,
    "rawwho": info.rawwho,
    "redouble": play.redouble,
    "save": options.save,
    "set": options.set_variable,
    "shout": chat.shout,
    "show": info.show,
    "stat": info.no_statistics,
    "tellx": chat.tell,
    "time": info.time,
    "toggle": options.toggle,
    "unwatch": watch.unwatch,
    "version": info.version,
    "waitfor": chat.waitfor,
    "shutdown": info.denied,
}
"""The function of each command; the connection itself handles the others. A prefix means the first match, so the most
used commands come first."""

LEAVING: Final = frozenset({"adios", "bye", "ciao", "end", "exit", "logout", "quit", "tschoe"})
"""Commands that end the connection; they need at least three letters, so that nobody leaves by accident."""

COMMANDS: Final = (*COMMAND_FUNCTIONS, "wave", *sorted(LEAVING))
"""Every command."""

_SHORT: Final = {"t": "tell", "wh": "whisper"}


def resolve(word: str) -> str | None:
    """The command that a word means, by name or prefix; None for no command."""
    word = word.lower()
    if word in COMMANDS:
        return word
    if word in _SHORT:
        return _SHORT[word]
    for name in COMMANDS:
        if word and name.startswith(word) and (name not in LEAVING or len(word) >= 3):
            return name
    return None
