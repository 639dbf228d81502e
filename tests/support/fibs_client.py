"""A scripted FIBS client that knows the lines public clients know, and nothing of this server.

As a program it plays one match with whoever invites it: python -m tests.support.fibs_client HOST PORT NAME PASSWORD.
"""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

import httpx

from barpoint.moves import legal_plays
from barpoint.record.fibs_board import FibsBoard, parse_board
from barpoint.rules import Rules
from tests.support.accounts import PASSWORD, register
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served

LOGIN: Final = b"login: "
MATCH_OVER: Final = r"(\w+) wins? the (\d+) point match (\d+)-(\d+) \."


@dataclass
class Door:
    """Where to connect, and what to close at the end."""

    host: str
    port: int
    guests: ExitStack


def door_of(served: Served) -> Door:
    return Door("127.0.0.1", served.app.state.fibs.port, served.guests)


class Wire:
    """A connection read and written by line."""

    def __init__(self, where: Served | Door) -> None:
        door = where if isinstance(where, Door) else door_of(where)
        connection = socket.create_connection((door.host, door.port), timeout=PATIENCE_S)
        self.socket = door.guests.enter_context(connection)
        self.log: list[str] = []
        self._pending = b""

    def send(self, text: str) -> None:
        self.socket.sendall(text.encode() + b"\r\n")

    def line(self) -> str:
        """The next line; EOFError at the end."""
        while b"\r\n" not in self._pending:
            self._more()
        line, self._pending = self._pending.split(b"\r\n", 1)
        self.log.append(line.decode())
        return self.log[-1]

    def _more(self) -> None:
        found = self.socket.recv(65536)
        if not found:
            raise EOFError(self.log[-5:])
        self._pending += found

    def prompt(self, prompt: bytes = LOGIN) -> str:
        """Reads up to a prompt without a line end; returns the text before it."""
        while not self._pending.endswith(prompt):
            self._more()
        text, self._pending = self._pending.removesuffix(prompt).decode("latin-1"), b""
        return text

    def hear(self, pattern: str) -> re.Match[str]:
        """The next line that matches; skips others."""
        while True:
            found = re.fullmatch(pattern, self.line().rstrip())
            if found:
                return found

    def rest(self) -> list[str]:
        """Everything until the server ends the connection."""
        lines = []
        try:
            while True:
                lines.append(self.line())
        except (EOFError, ConnectionError):
            return lines


class Clip(Wire):
    """A client logged in by the client protocol. name: its own."""

    def __init__(self, where: Served | Door, name: str, password: str = PASSWORD) -> None:
        super().__init__(where)
        self.name = name
        self.prompt()
        self.send(f"login scripted 1008 {name} {password}")
        self.hear(r"6")  # the end of the list of players
        self.hear(r"6")  # the player's own line, as everybody sees it now

    def told(self, command: str, pattern: str) -> str:
        """Sends a command and returns the next line like this."""
        self.send(command)
        return self.hear(pattern)[0]

    def board(self) -> FibsBoard:
        """Requests the board."""
        return parse_board(self.told("board", r"board:.*"))

    def move_typed(self, board: FibsBoard) -> str:
        """A legal play of the roll on the board, as a player types it."""
        play = legal_plays(Rules(), board.position, board.dice)[0]
        return f"move {typed(play.moves, board.colour)}"

    def play_on(self, until: str, answers: dict[str, str] | None = None, roll: Callable[[], str] | None = None) -> str:
        """Answers prompts until a line like `until` arrives.

        answers: replies to lines that contain a text; by default doubles and resignations are accepted.
        """
        known = {"doubles. Type 'accept'": "accept", "wants to resign. You": "accept", "Type 'join' if": "join"}
        known |= answers or {}
        first = False
        while True:
            line = self.line().rstrip()
            if re.fullmatch(until, line):
                return line
            assert not line.startswith(("** You can't", "** You must", "** Something", "** Unknown")), line
            first = first or line == "It's your turn to move."
            if line == "It's your turn. Please roll or double":
                self.send(roll() if roll else "roll")
            elif line.startswith("board:You:"):
                self._seen = parse_board(line)
                if first and self._seen.dice:
                    first = False
                    self.send(self.move_typed(self._seen))
            elif re.fullmatch(r"Please move [1-4] pieces?\.", line):
                self.send(self.move_typed(self._seen))
            for sign, answer in known.items():
                if sign in line:
                    self.send(answer)


def typed(moves: tuple[tuple[int, int, int], ...], colour: int) -> str:
    """Converts moves to the points by which FIBS numbers both sides."""

    def point(place: int) -> str:
        return {0: "off", 25: "bar"}.get(place) or str(place if colour == 1 else 25 - place)

    return " ".join(f"{point(source)}-{point(target)}" for source, target, _ in moves)


def member(served: Served, name: str) -> httpx.Client:
    """A user with an account, logged in on the pages."""
    http = served.guests.enter_context(httpx.Client(base_url=served.address, timeout=PATIENCE_S))
    register(http, name)
    return http


def clients(served: Served, *names: str) -> list[Clip]:
    """Users with accounts, ready to play by a FIBS client."""
    made = []
    for name in names:
        member(served, name)
        one = Clip(served, name)
        one.told("toggle ready", r"\*\* You're now ready to invite or join someone\.")
        made.append(one)
    return made


def at_a_match(served: Served, first: str, second: str, length: int | str) -> tuple[Clip, Clip]:
    """Two clients who have begun a match; the first has invited the second."""
    anna, ben = clients(served, first, second)
    anna.send(f"invite {second} {length}")
    ben.hear(rf"Type 'join {first}' to accept\.")
    ben.send(f"join {first}")
    anna.hear(rf"Starting a new game with {second}\.")
    ben.hear(rf"Starting a new game with {first}\.")
    return anna, ben


if __name__ == "__main__":
    host, port, name, password = sys.argv[1:]
    with ExitStack() as open_things:
        player = Clip(Door(host, int(port), open_things), name, password)
        player.send(player.hear(r"Type '(join \w+)' to accept\.")[1])
        print(player.play_on(MATCH_OVER))
