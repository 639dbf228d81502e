"""Positions that somebody has set up at the beginning of a game, as GNU Backgammon writes them into SGF."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Final

from barpoint.board import OFF, Position, Side
from barpoint.error import PositionError
from barpoint.match.starting_position import StartingPosition
from barpoint.record.sgf_tree import Node
from barpoint.record.sgf_writer import COLOURS
from barpoint.rules import Rules

CHECKERS: Final = tuple(f"A{colour}" for colour in COLOURS)
"""Properties with the points of each player's checkers, one value a checker."""

_PLACE = re.compile("[a-y]")
_ROLL = re.compile("([1-6])([1-6])(?:[a-z]{2})*")
_NUMBER = re.compile("[0-9]{1,18}", re.ASCII)


def sets_up(node: Node) -> bool:
    """Whether a node puts checkers on the board."""
    return any(name in node.properties for name in CHECKERS)


def before_play(nodes: Sequence[Node]) -> list[Node]:
    """The nodes of a game between its first one and its first play or cube action."""
    return list(takewhile(lambda node: not _action(node)[0], nodes[1:]))


def setup_of(
    rules: Rules, nodes: Sequence[Node], place_of: Callable[[int, str], int], crawford: bool
) -> StartingPosition | None:
    """The position that the nodes before the first play of a game set up; None if they set up none.

    nodes: of the whole game. place_of: a player's own point of a letter. Whoever acts first is to act: GNU Backgammon names
    another one when it writes a file that it has read, and no roll beside the one played. PositionError for what is no position.
    """
    before = before_play(nodes)
    if not any(map(sets_up, before)):
        return None
    last = {name: values[0] for node in before for name, values in node.properties.items()}
    placed = {name: values for node in before for name, values in node.properties.items() if name in CHECKERS}
    sides = [_side(rules, player, placed.get(name, ()), place_of) for player, name in enumerate(CHECKERS)]
    turn, text = _action(nodes[len(before) + 1]) if len(before) + 1 < len(nodes) else ("", "")
    player = max(0, COLOURS.find(turn or last.get("PL", COLOURS[0])))
    roll = _ROLL.fullmatch(text or last.get("DI", ""))
    cube = last.get("CV", "")
    return StartingPosition.of(
        Position(sides[player], sides[1 - player]),
        player,
        faces=tuple(sorted(map(int, roll.groups()), reverse=True)) if roll else (),
        cube=int(cube) if _NUMBER.fullmatch(cube) else 1,
        owner={"w": 0, "b": 1}.get(last.get("CP", "")),
        crawford=crawford,
    )


def _action(node: Node) -> tuple[str, str]:
    """Who plays or acts on the cube in a node, and what is written of it; nothing in other nodes."""
    return next(((colour, node.get(colour)) for colour in COLOURS if colour in node.properties), ("", ""))


def _side(rules: Rules, player: int, letters: Sequence[str], place_of: Callable[[int, str], int]) -> Side:
    """A player's checkers; those that stand nowhere are borne off."""
    on_board = Counter(place_of(player, letter) for letter in letters if _PLACE.fullmatch(letter))
    off = rules.checkers - on_board.total()
    if off < 0:
        raise PositionError("%(count)s checkers; a side has %(most)s", count=on_board.total(), most=rules.checkers)
    return Side.of({**on_board, OFF: off})
