"""Every command with what does it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from barpoint.server.fibs import chat, claim, depart, invite, join, option, play, roster, saved, sight
from barpoint.server.fibs.session import Session

Command = Callable[[Session, str], Awaitable[None]]

DOES: Final[dict[str, Command]] = {
    "about": roster.about,
    "accept": play.accept,
    "address": option.address,
    "average": roster.average,
    "away": chat.away,
    "back": chat.back,
    "beaver": play.redouble,
    "blind": chat.blind,
    "board": play.board,
    "boardstyle": option.boardstyle,
    "claim": claim.claim,
    "clear": roster.cls,
    "cls": roster.cls,
    "date": roster.time,
    "dicetest": roster.dicetest,
    "double": play.double,
    "erase": roster.denied,
    "gag": chat.gag,
    "help": roster.help_,
    "invite": invite.invite,
    "join": join.join,
    "kibitz": chat.kibitz,
    "last": roster.last,
    "leave": depart.leave,
    "look": sight.look,
    "man": roster.help_,
    "message": chat.message,
    "motd": roster.motd,
    "move": play.move,
    "off": play.off,
    "oldboard": saved.oldboard,
    "oldmoves": saved.oldmoves,
    "otter": play.redouble,
    "panic": roster.panic,
    "password": option.password,
    "pip": play.pip,
    "port": roster.port,
    "raccoon": play.redouble,
    "ratings": roster.ratings,
    "rawboard": play.rawboard,
    "rawwho": roster.rawwho,
    "redouble": play.redouble,
    "reject": play.reject,
    "resign": play.resign,
    "roll": play.roll,
    "save": option.save,
    "say": chat.say,
    "set": option.set_variable,
    "shout": chat.shout,
    "show": roster.show,
    "shutdown": roster.denied,
    "stat": roster.average,
    "tell": chat.tell,
    "tellx": chat.tell,
    "time": roster.time,
    "toggle": option.toggle,
    "unwatch": sight.unwatch,
    "version": roster.version,
    "waitfor": chat.waitfor,
    "watch": sight.watch,
    "where": roster.where,
    "whisper": chat.whisper,
    "who": roster.who,
    "whois": roster.whois,
}
"""What does a command; those that end the connection are the dialog's."""
