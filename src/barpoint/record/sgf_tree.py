"""Reads and writes SGF as a tree of nodes with properties, for any game."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from barpoint.error import FormatError
from barpoint.language import Said
from barpoint.record.oddity import Oddities, Place

MAX_FILE_LENGTH: Final = 4_000_000
"""Maximum size of a file, in characters; analyses of other programs make files long."""

DEEPEST: Final = 200
"""Maximum depth of nested variations."""

_NAME = re.compile(r"[A-Za-z]{1,20}")
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)  # possessive: linear, and without a stack
_BLANK = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Node:
    """Properties by name, each with its values. at: where the node begins in the text."""

    properties: dict[str, tuple[str, ...]]
    at: int = 0

    def get(self, name: str, default: str = "") -> str:
        """The first value of a property."""
        return self.properties.get(name, (default,))[0]


class LinePlaces:
    """Where the lines of a text begin, so that a place is found without reading the text again."""

    def __init__(self, text: str) -> None:
        self._ends = [found.start() for found in re.finditer("\n", text)]

    def place(self, at: int) -> Place:
        """Line and column of a character, both from 1."""
        line = bisect_left(self._ends, at)
        return Place(line + 1, at - (self._ends[line - 1] if line else -1))


def parse_trees(text: str, oddities: Oddities | None = None) -> tuple[tuple[Node, ...], ...]:
    """The main line of each game in a file; FormatError with line and column.

    oddities: takes what is odd about the file, such as a game that is cut off; None to refuse it.
    """
    if len(text) > MAX_FILE_LENGTH:
        raise FormatError(
            "a file of %(count)s characters; at most %(max_file_length)s are read",
            count=len(text),
            max_file_length=MAX_FILE_LENGTH,
        )
    return _Scanner(text, oddities or Oddities(strict=True)).games()


class _Scanner:
    def __init__(self, text: str, oddities: Oddities) -> None:
        self.oddities = oddities
        self.text = text
        self.lines = LinePlaces(text)
        self.at = 0

    def games(self) -> tuple[tuple[Node, ...], ...]:
        found: list[tuple[Node, ...]] = []
        self._blank()
        while self.at < len(self.text):
            if self.text[self.at] != "(":
                if found or "(;" in self.text:
                    self._odd(Said("a game begins with '('"), Said("what stands before it is left out"))
                beyond = self.text.find("(", self.at)
                if beyond < 0 and found:
                    break
                if beyond < 0:
                    raise self._error(Said("a game begins with '('"))
                self.at = beyond
            found.append(tuple(self._game()))
            self._blank()
        if not found:
            raise self._error(Said("no game"))
        return tuple(found)

    def _game(self) -> list[Node]:
        """Parses from '(' to the matching ')'; of several variations it keeps the first."""
        line: list[Node] = []
        depth, others = 0, 0  # others: nesting depth inside variations off the main line
        branched: list[bool] = []
        while True:
            self._blank()
            sign = self.text[self.at : self.at + 1]
            if sign == "(":
                depth += 1
                if depth > DEEPEST:
                    raise self._error(Said("more than %(most)s variations inside each other", {"most": DEEPEST}))
                if branched and branched[-1]:
                    others = others or depth
                elif branched:
                    branched[-1] = True
                branched.append(False)
                self.at += 1
            elif sign == ")":
                if others == depth:
                    others = 0
                depth -= 1
                branched.pop()
                self.at += 1
                if not depth:
                    return line
            elif sign == ";":
                node = self._node()
                if not others:
                    line.append(node)
            else:
                if not line:
                    raise self._error(
                        Said("%(sign)r; a node begins with ';'", {"sign": sign})
                        if sign
                        else Said("the file ends in a game")
                    )
                if not sign:
                    self._odd(Said("the file ends in a game"), Said("read as far as it goes"))
                    return line
                self._odd(Said("%(sign)r; a node begins with ';'", {"sign": sign}), Said("left out"))
                self.at += 1

    def _node(self) -> Node:
        begins = self.at
        self.at += 1
        properties: dict[str, list[str]] = {}
        while True:
            self._blank()
            name = _NAME.match(self.text, self.at)
            if not name:
                return Node({key: tuple(values) for key, values in properties.items()}, begins)
            self.at = name.end()
            values = []
            self._blank()
            while value := _VALUE.match(self.text, self.at):
                values.append(re.sub(r"\\(\n|.)", lambda found: found[1].strip("\n"), value[1], flags=re.DOTALL))
                self.at = value.end()
                self._blank()
            if not values:
                self._odd(Said("the property %(name)s has no value in brackets", {"name": name[0]}), Said("left out"))
                if self.text[self.at : self.at + 1] == "[":  # a value that never ends
                    self.at = len(self.text)
                continue
            key = "".join(letter for letter in name[0] if letter.isupper()) or name[0].upper()
            properties.setdefault(key, []).extend(values)

    def _blank(self) -> None:
        found = _BLANK.match(self.text, self.at)
        assert found is not None
        self.at = found.end()

    def _odd(self, found: Said, assumed: Said) -> None:
        self.oddities.add(found, assumed, self.lines.place(self.at))

    def _error(self, said: Said) -> FormatError:
        place = self.lines.place(self.at)
        return FormatError(said, place.line, place.column)


def format_tree(nodes: Sequence[dict[str, Sequence[str]]]) -> str:
    """One game, one node a line."""
    lines = [
        "".join(f"{name}{''.join(f'[{escape(value)}]' for value in values)}" for name, values in node.items())
        for node in nodes
    ]
    return "(;" + "\n;".join(lines) + ")\n"


def escape(text: str) -> str:
    """A value escaped for use between brackets."""
    return text.replace("\\", "\\\\").replace("]", "\\]")
