"""What a player types in a terminal: commands, faces of dice, moves."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from barpoint.board import BAR, HAND, OFF
from barpoint.error import FormatError
from barpoint.number_text import number_in

WORDS: Final = {
    "roll": ("roll", "r"),
    "double": ("double", "d", "redouble"),
    "take": ("take", "t"),
    "pass": ("pass", "p", "drop"),
    "beaver": ("beaver", "b"),
    "raccoon": ("raccoon",),
    "rollover": ("roll-over", "rollover", "o", "call"),
    "keep": ("keep", "k"),
    "resign": ("resign", "x"),
    "accept": ("accept", "y", "yes"),
    "reject": ("reject", "n", "no"),
    "undo": ("undo", "u"),
    "done": ("done", "commit", ""),
    "plays": ("plays", "moves", "list", "l"),
    "hint": ("hint",),
    "board": ("board",),
    "score": ("score", "pips"),
    "record": ("record", "log"),
    "object": ("object",),
    "void": ("void", "cocked", "premature"),
    "help": ("help", "h", "?"),
    "quit": ("quit", "q", "exit"),
}
"""Every spelling of a command."""

_COMMAND_OF: Final = {spelling: command for command, spellings in WORDS.items() for spelling in spellings}
_PLACES: Final = {"off": OFF, "o": OFF, "-": OFF, "bar": BAR, "b": BAR, "hand": HAND, "h": HAND}
_ITEM: Final = re.compile(r"([^()]+)(?:\(([1-9])\))?")


def read_command(text: str) -> tuple[str, str] | None:
    """(command, what follows it), or None when the text begins with no command: then it should be moves."""
    word, _, rest = text.strip().lower().partition(" ")
    command = _COMMAND_OF.get(word)
    if command == "void" and word != "void":
        rest = word
    return None if command is None else (command, rest.strip())


def read_moves(text: str) -> list[tuple[int, int]]:
    """(from, to) for every step of every item, such as "24/18/13" or "bar/20*(2)"; FormatError for anything else."""
    moves = []
    for item in text.lower().replace(",", " ").split():
        parts = _ITEM.fullmatch(item)
        stops = [_place(stop.strip("*")) for stop in parts[1].split("/")] if parts else []
        if parts is None or None in stops or len(stops) < 2:
            raise FormatError("%(item)r is neither a command nor a move; type help", item=item[:40])
        steps = [(a, b) for a, b in pairwise(stops) if a is not None and b is not None]
        moves += steps * int(parts[2] or 1)
    return moves


def _place(text: str) -> int | None:
    if text in _PLACES:
        return _PLACES[text]
    return number_in(text, 0, HAND)
