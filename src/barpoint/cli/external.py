"""`barpoint engine --external`: plays for gnubg, which sends FIBS board lines and reads the decision (docs/protocol.md)."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from barpoint.engine import Bot
from barpoint.error import BarpointError, FormatError
from barpoint.game import Accept, Beaver, Cube, Double, Event, Game, Pass, PlayMade, Reject, Resign, Roll, Take
from barpoint.match import Match, MatchTerms
from barpoint.moves import find_play
from barpoint.number_text import number_in
from barpoint.record.fibs_board import MAX_LINE_LENGTH, FibsBoard, parse_board
from barpoint.variants import variant

LOG: Final = logging.getLogger("barpoint.external")
RULES: Final = variant("backgammon")


def match_of(board: FibsBoard, own: bool = True) -> Match:
    """The match of a board line, with the answering side as player 0; PositionError, StakesError.

    own: the line is written from the answering side. gnubg names first whose turn it is, and gives that side the colour of `turn`,
    whatever colour the line says. While it waits for the answer to a double or a resignation that is the other side; how
    much is resigned it does not say, so that the least is taken to be meant.
    """
    terms = MatchTerms(length=board.length)
    mover = board.position if board.yours else board.position.flip()
    stakes = terms.stakes(board.crawford, after_crawford=False)
    first, second = (float(points) for points in board.score)
    if own and not board.doubled:
        owner = None if board.may_double[0] == board.may_double[1] else 0 if board.may_double[0] else 1
        cube = Cube(board.cube, owner if stakes.cube else None)
        game = Game.at(RULES, mover, 0, stakes=stakes, faces=board.dice, cube=cube)
        return Match(RULES, terms, game, score=(first, second), crawford=board.crawford)
    cube = Cube(board.cube, None if board.may_double[0] == board.may_double[1] else 1 if board.may_double[0] else 0)
    game = Game.at(RULES, mover, 1, stakes=stakes, faces=board.dice, cube=cube)
    game = game.apply(Double(1) if board.doubled else Resign(1, 1))
    return Match(RULES, terms, game, score=(second, first), crawford=board.crawford)


class Opponent:
    """Who answers one connection. name: ours, as the lines call us; known from the first one that is no double."""

    def __init__(self, level: str, time_ms: float | None = None) -> None:
        self._bot = Bot(RULES, level, time_ms=time_ms)
        self._name: str | None = None

    def reply(self, line: str) -> str:
        """What to do in the position of a board line, as gnubg reads it; errors as `parse_board` and `match_of`."""
        board = parse_board(line)
        if self._name is None and not board.doubled:
            self._name = board.names[0]
        match = match_of(board, own=self._name in (None, board.names[0]))
        event = self._bot.event(match, 0)
        if event is None:
            raise FormatError("the board waits for the other side")
        return _words(match.game, event)


def _words(game: Game, event: Event) -> str:
    match event:
        case PlayMade(_, moves):
            play = find_play(game.rules, game.position, game.faces, moves)
            return " ".join(f"{source}/{target}" for source, target, _ in play.moves)
        case Roll():
            return "roll"
        case Double():
            return "double"
        case Take() | Accept():
            return "accept"
        case Pass() | Reject():
            return "reject"
        case Beaver():
            return "beaver"
        case _:
            raise FormatError("gnubg has no word for %(event)s", event=event)


def listen(address: str) -> socket.socket:
    """A listening socket at HOST:PORT, or at a path; FormatError, OSError."""
    if not address:
        raise FormatError("no address; HOST:PORT or the path of a socket is wanted")
    host, colon, digits = address.rpartition(":")
    if "/" in address or not colon:
        _remove_left(address)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listener.bind(address)
            listener.listen()
        except OSError:
            listener.close()
            raise
        return listener
    port = number_in(digits, 0, 65535)
    if port is None:
        raise FormatError("port %(port)r; HOST:PORT or the path of a socket is wanted", port=digits[:20])
    return socket.create_server((host or "127.0.0.1", port))


def _remove_left(path: str) -> None:
    """Removes the socket of a program that has ended, so that the same path serves again."""
    if not Path(path).is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked:
        try:
            asked.connect(path)
        except ConnectionRefusedError:
            Path(path).unlink()


def serve_external(listener: socket.socket, level: str, time_ms: float | None = None) -> None:
    """Answers every connection in a thread of its own, until the listener is closed. time_ms: the budget of each decision."""
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:  # closed
            return
        threading.Thread(target=_answer, args=(connection, level, time_ms), daemon=True).start()


def _answer(connection: socket.socket, level: str, time_ms: float | None) -> None:
    opponent = Opponent(level, time_ms)
    with connection:
        for line in _lines(connection):
            try:
                said = opponent.reply(line)
            except BarpointError as error:
                LOG.warning("%s: %s", error, line[:200])
                said = f"Error: {error}"
            try:
                connection.sendall(said.encode() + b"\n")
            except OSError:
                return


def _lines(connection: socket.socket) -> Iterator[str]:
    """Lines as they come, without the zeros that gnubg sends after them; one that is too long ends the connection."""
    pending = b""
    while len(pending) <= MAX_LINE_LENGTH:
        try:
            found = connection.recv(4096)
        except OSError:
            return
        if not found:
            return
        *lines, pending = (pending + found.replace(b"\0", b"")).split(b"\n")
        yield from (line.decode("latin-1") for line in lines if line.strip())
