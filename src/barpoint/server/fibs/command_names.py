"""Commands of FIBS by name or by any prefix."""

from __future__ import annotations

from typing import Final

COMMANDS: Final = (
    "board",
    "kibitz",
    "move",
    "roll",
    "say",
    "tell",
    "who",
    "accept",
    "double",
    "invite",
    "join",
    "reject",
    "resign",
    "leave",
    "look",
    "pip",
    "watch",
    "whisper",
    "whois",
    "where",
    "about",
    "address",
    "average",
    "away",
    "back",
    "beaver",
    "blind",
    "boardstyle",
    "cls",
    "clear",
    "claim",
    "date",
    "dicetest",
    "erase",
    "gag",
    "help",
    "last",
    "man",
    "message",
    "motd",
    "off",
    "oldboard",
    "oldmoves",
    "otter",
    "panic",
    "password",
    "port",
    "raccoon",
    "ratings",
    "rawboard",
    "rawwho",
    "redouble",
    "save",
    "set",
    "shout",
    "show",
    "stat",
    "tellx",
    "time",
    "toggle",
    "unwatch",
    "version",
    "waitfor",
    "wave",
    "shutdown",
    "adios",
    "bye",
    "ciao",
    "end",
    "exit",
    "logout",
    "quit",
    "tschoe",
)
"""Every command. A prefix means the first match, so the most used commands come first."""

LEAVING: Final = frozenset({"adios", "bye", "ciao", "end", "exit", "logout", "quit", "tschoe"})
"""Commands that end the connection; they need at least three letters, so that nobody leaves by accident."""

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
