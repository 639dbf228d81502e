"""Every command with its function."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from barpoint.server.fibs import chat, claim, info, invite, join, leave, options, play, saved_matches, watch
from barpoint.server.fibs.session import FibsSession

CommandFunction = Callable[[FibsSession, str], Awaitable[None]]

COMMAND_FUNCTIONS: Final[dict[str, CommandFunction]] = {
    "about": info.about,
    "accept": play.accept,
    "address": options.address,
    "average": info.average,
    "away": chat.away,
    "back": chat.back,
    "beaver": play.redouble,
    "blind": chat.blind,
    "board": play.board,
    "boardstyle": options.boardstyle,
    "claim": claim.claim,
    "clear": info.cls,
    "cls": info.cls,
    "date": info.time,
    "dicetest": info.dicetest,
    "double": play.double,
    "erase": info.denied,
    "gag": chat.gag,
    "help": info.help_,
    "invite": invite.invite,
    "join": join.join,
    "kibitz": chat.kibitz,
    "last": info.last,
    "leave": leave.leave,
    "look": watch.look,
    "man": info.help_,
    "message": chat.message,
    "motd": info.motd,
    "move": play.move,
    "off": play.off,
    "oldboard": saved_matches.oldboard,
    "oldmoves": saved_matches.oldmoves,
    "otter": play.redouble,
    "panic": info.panic,
    "password": options.password,
    "pip": play.pip,
    "port": info.port,
    "raccoon": play.redouble,
    "ratings": info.ratings,
    "rawboard": play.rawboard,
    "rawwho": info.rawwho,
    "redouble": play.redouble,
    "reject": play.reject,
    "resign": play.resign,
    "roll": play.roll,
    "save": options.save,
    "say": chat.say,
    "set": options.set_variable,
    "shout": chat.shout,
    "show": info.show,
    "shutdown": info.denied,
    "stat": info.average,
    "tell": chat.tell,
    "tellx": chat.tell,
    "time": info.time,
    "toggle": options.toggle,
    "unwatch": watch.unwatch,
    "version": info.version,
    "waitfor": chat.waitfor,
    "watch": watch.watch,
    "where": info.where,
    "whisper": chat.whisper,
    "who": info.who,
    "whois": info.whois,
}
"""The function of each command; the connection itself handles those that end it."""
