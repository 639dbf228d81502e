"""A turn in progress: which moves may follow those already made, and whether they may be committed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from barpoint.board import Position
from barpoint.dice import Stage
from barpoint.rules import Rules
from tests.reference.play import Branch, Move, Node, Roll, branches, is_complete, is_over, row_of

Moves = tuple[Move, ...]


class Standing(NamedTuple):
    """The state of a turn after some moves."""

    next_moves: frozenset[Move]
    may_commit: bool
    is_beginning: bool  # the moves made are the beginning of a legal play


NOWHERE = Standing(frozenset(), False, False)


def reference_turn(rules: Rules, position: Position, faces: Iterable[int], made: Moves = ()) -> Standing:
    """The state of a turn that began in `position` after the moves made."""
    return _standing(rules, position, row_of(rules, faces).stages, made, Roll(position, row_of(rules, faces).faces))


def reference_undos(rules: Rules, position: Position, faces: Iterable[int], made: Moves) -> set[Move]:
    """The moves that can be undone: the others, played again in order, begin a legal play (S4-12)."""
    faces = tuple(faces)
    return {
        move
        for index, move in enumerate(made)
        if reference_turn(rules, position, faces, made[:index] + made[index + 1 :]).is_beginning
    }


def reference_prefixes(rules: Rules, position: Position, faces: Iterable[int]) -> dict[Moves, bool]:
    """Every beginning of a legal play, and whether it is itself one."""
    faces = tuple(faces)
    prefixes: dict[Moves, bool] = {}
    waiting: list[Moves] = [()]
    while waiting:
        made = waiting.pop()
        standing = reference_turn(rules, position, faces, made)
        prefixes[made] = standing.may_commit
        waiting.extend((*made, move) for move in standing.next_moves)
    return prefixes


def _standing(rules: Rules, position: Position, stages: tuple[Stage, ...], made: Moves, roll: Roll) -> Standing:
    if not stages or is_over(rules, position):
        return NOWHERE if made else Standing(frozenset(), may_commit=True, is_beginning=True)
    found = NOWHERE
    for branch in branches(rules, position, stages[0], roll):
        found = _either(found, _standing_in(rules, branch, stages[1:], made, roll))
    return found


def _standing_in(rules: Rules, branch: Branch, later: tuple[Stage, ...], made: Moves, roll: Roll) -> Standing:
    """The state of the moves made if they are meant for this option; moves of later stages follow its complete end."""
    living = _living(branch)
    node: Node | None = branch.root if branch.root in living else None
    for move in made:
        if node is None or (node in branch.ends and is_complete(rules, node)):
            break
        node = branch.tree[node].get(move)
        node = node if node in living else None
        made = made[1:]
    if node is None:
        return NOWHERE
    if node in branch.ends and is_complete(rules, node):
        return _standing(rules, node.position, later, made, roll)
    moves = frozenset(move for move, after in branch.tree[node].items() if after in living)
    return Standing(moves, may_commit=node in branch.ends, is_beginning=True)


def _living(branch: Branch) -> set[Node]:
    """The states from which a legal end of the play is still reachable."""
    living = set(branch.ends)
    grown = True
    while grown:
        before = len(living)
        living.update(node for node, moves in branch.tree.items() if not living.isdisjoint(moves.values()))
        grown = len(living) > before
    return living


def _either(one: Standing, other: Standing) -> Standing:
    return Standing(
        one.next_moves | other.next_moves, one.may_commit or other.may_commit, one.is_beginning or other.is_beginning
    )
