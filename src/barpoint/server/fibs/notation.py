"""Moves in FIBS notation: both sides count the points as O does."""

from __future__ import annotations

import re
from typing import Final

from barpoint.board import BAR
from barpoint.error import BarpointError
from barpoint.game import Game
from barpoint.game.event import MoveMade
from barpoint.moves import Play, Turn, legal_plays, parse_play
from barpoint.number_text import number_in

ORDINALS: Final = ("first", "second", "third", "fourth")
MAX_MOVES: Final = 4
"""Maximum moves of a roll."""

_WORDS: Final = {"bar": BAR, "b": BAR, "off": 0, "o": 0, "home": 0, "h": 0}
_LEGAL: Final = "legal words are 'bar', 'home', 'off', 'b', 'h' and 'o'."


class MoveRefused(BarpointError, ValueError):
    """A typed play that is not legal; the text is FIBS's own, with its stars."""


def point_shown(place: int, seat: int) -> int:
    """A point on a side's own path, 1 to 24, in FIBS numbering, which is that of seat 0 (O)."""
    return place if seat == 0 else BAR - place


def moves_text(moves: tuple[MoveMade, ...], seat: int) -> str:
    """ "8-5 6-5", "bar-22", "6-off"."""
    names = {BAR: "bar", 0: "off"}
    return " ".join("-".join(names.get(place) or str(point_shown(place, seat)) for place in move[:2]) for move in moves)


def moves_wanted(game: Game) -> int:
    """The number of moves the current roll requires; 0 when no move is legal."""
    return max(len(play.moves) for play in legal_plays(game.rules, game.position, game.faces))


def bear_off(game: Game) -> Play | None:
    """The play that bears off with every number of the roll, or None."""
    plays = legal_plays(game.rules, game.position, game.faces)
    return next((play for play in plays if play.moves and all(move[1] == 0 for move in play.moves)), None)


def read_moves(text: str, seat: int) -> list[tuple[int, int]]:
    """The typed moves as (from, to) on the mover's own path, with the bar 25 and off 0; MoveRefused.

    Anything may stand between the points: "8-5 6-5", "8 5 6 5", "8/5,6/5", "bar-22", "b 22", "6 o".
    """
    words = re.findall(r"[a-z]+|\d+", text.lower())
    places = [_place(word, index, seat) for index, word in enumerate(words)]
    if len(places) % 2:
        raise MoveRefused("** Please give two points, from and to, for each move.")
    return list(zip(places[::2], places[1::2], strict=True))


def _place(word: str, index: int, seat: int) -> int:
    if word in _WORDS:
        return _WORDS[word]
    if (point := number_in(word, 0, BAR)) is not None:
        return point_shown(point, seat)
    raise MoveRefused(f"** {ORDINALS[min(index // 2, MAX_MOVES - 1)]} move: {_LEGAL}")


def typed_play(game: Game, seat: int, text: str) -> Play:
    """The typed legal play of the current roll; MoveRefused in the words of FIBS."""
    moves, wanted = read_moves(text, seat), moves_wanted(game)
    if len(moves) > max(wanted, 1):
        raise MoveRefused(f"** Please don't give more than {wanted} moves.")
    spelled = " ".join(f"{source}/{target}" for source, target in moves if source > target)
    try:
        if moves and all(source > target for source, target in moves):
            return parse_play(game.rules, game.position, game.faces, spelled)
    except BarpointError:
        pass  # the code below finds the illegal move
    turn = Turn(game.rules, game.position, game.faces)
    for index, (source, target) in enumerate(moves):
        fitting = [move for move in turn.next_moves() if move[:2] == (source, target)]
        if not fitting:
            raise MoveRefused(_why_not(turn, (source, target), index, seat))
        turn = turn.move(*fitting[0])
    raise MoveRefused(f"** You must give {wanted} moves.")


def _why_not(turn: Turn, move: tuple[int, int], index: int, seat: int) -> str:
    """Why a move belongs to no legal play."""
    (source, target), where = move, f"in your {ORDINALS[min(index, MAX_MOVES - 1)]} move."
    us, them = turn.position.us, turn.position.them
    shown = "bar" if source == BAR else str(point_shown(source, seat))
    if us.points[BAR] and source != BAR:
        return f"** You have to remove pieces from the bar {where}"
    if source == 0 or target == BAR or source <= target:
        return f"** You can't move home {where}" if source == 0 else f"** You can't move {shown}-home {where}"
    if not us.points[source]:
        return f"** You can't move from {shown} {where}"
    if target == 0:
        return f"** You can't remove this piece {where}"
    if them.points[BAR - target] > 1:
        return f"** You can't move to {point_shown(target, seat)} {where}"
    return f"** You can't move {source - target} points {where}"
