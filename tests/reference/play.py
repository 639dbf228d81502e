"""All legal plays of a roll (rulings 6.2, 3.3, 4.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from barpoint.board import BAR, HAND, OFF, Position
from barpoint.dice import Combination, DiceRow, Stage
from barpoint.rules import Obligation, Rules
from tests.reference.ending import ended_by_a_move
from tests.reference.step import HOME, meets, reference_step, sources

Move = tuple[int, int, int]
"""From, to, number."""


class Roll(NamedTuple):
    """A roll, and the position before it."""

    before: Position
    faces: tuple[int, ...]


class Node(NamedTuple):
    """A state in the middle of playing an option."""

    position: Position
    left: Combination  # the numbers not yet played


Tree = dict[Node, dict[Move, Node]]
"""Every state reachable by playing numbers of one option in any order, and the moves that lead on."""


End = tuple[Position, Combination | None]
"""The position after a stage, and the numbers of the option that was played completely; None where none was."""


class Branch(NamedTuple):
    """One option of a stage: all its possible moves, and where a play of it may end."""

    root: Node
    tree: Tree
    ends: frozenset[Node]


def row_of(rules: Rules, faces: Iterable[int]) -> DiceRow:
    """The dice row that shows these faces."""
    wanted = sorted(faces)
    return next(row for row in rules.dice.rows if sorted(row.faces) == wanted)


def reference_plays(rules: Rules, position: Position, faces: Iterable[int]) -> set[tuple[Position, bool]]:
    """Every distinct (position after a legal play, seen by the mover; whether they roll again)."""
    row = row_of(rules, faces)
    roll = Roll(position, row.faces)
    ends: set[End] = {(begun(position), ())}
    for stage in row.stages:
        ends = {
            end
            for after, played in ends
            for end in ({(after, None)} if played is None else stage_ends(rules, after, stage, roll))
        }
    return {followed(rules, position, row, after, played) for after, played in ends}


def begun(position: Position) -> Position:
    """The position when the play of a roll begins: it is no longer owed, and counts as one of the first rolls (4.10)."""
    return replace(position, us=replace(position.us, plain_rolls=max(0, position.us.plain_rolls - 1), owed=0))


def followed(
    rules: Rules, before: Position, row: DiceRow, after: Position, played: Combination | None
) -> tuple[Position, bool]:
    """The position after a play, and whether the same side acts again: it rolls, or owes the roll that follows (4.3, 4.10).

    played: as in `End`, of the last stage.
    """
    if played is None or is_over(rules, after):
        return after, False
    next_faces = rules.follow_ups.after(played)
    if not next_faces or before.us.plain_rolls or (rules.follow_ups.once and before.us.owed):
        return after, row.again
    owed = 1 + rules.dice.rows.index(row_of(rules, next_faces))
    return replace(after, us=replace(after.us, owed=owed)), True


def stage_ends(rules: Rules, position: Position, stage: Stage, roll: Roll) -> set[End]:
    """Every legal play of this stage."""
    return {
        (end.position, branch.root.left if is_complete(rules, end) else None)
        for branch in branches(rules, position, stage, roll)
        for end in branch.ends
    }


@lru_cache(maxsize=64)
def branches(rules: Rules, position: Position, stage: Stage, roll: Roll) -> tuple[Branch, ...]:
    """The plays allowed for each option of a stage: a complete play if there is one, else the largest sum of numbers,
    judged over all options or in each by itself (DG-4 to DG-6; for two dice this is the larger number), or the most numbers and of
    these the largest sum (4.12).
    """
    over_all = rules.dice.obligation is not Obligation.PER_OPTION
    found = []
    for option in stage:
        root = Node(position, tuple(sorted(option)))
        tree = option_tree(rules, root, roll)
        values = [(_play_value(rules, root, node), node) for node in tree]
        found.append((root, tree, values, max(value for value, _ in values)))
    best = max(best_of_option for *_, best_of_option in found)
    return tuple(
        Branch(root, tree, frozenset(node for value, node in values if value == (best if over_all else best_of_option)))
        for root, tree, values, best_of_option in found
    )


def option_tree(rules: Rules, root: Node, roll: Roll) -> Tree:
    """All plays possible with the numbers of an option, before obligations."""
    tree: Tree = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in tree:
            moves = {} if is_complete(rules, node) else dict(_moves_on(rules, node, roll))
            tree[node] = moves
            waiting.extend(moves.values())
    return tree


def _moves_on(rules: Rules, node: Node, roll: Roll) -> Iterable[tuple[Move, Node]]:
    position = node.position
    for number in set(node.left):
        index = node.left.index(number)
        left = node.left[:index] + node.left[index + 1 :]
        for source in sources(position.us):
            if not rules.movement.hit_and_run and _has_hit_at_home(rules, roll.before, position, source):
                continue
            if rules.movement.leave and source == rules.start_point and _all_have_left_that_may(rules, roll, position):
                continue
            after = reference_step(rules, position, source, number)
            if after is not None:
                target = max(OFF, (BAR if source == HAND else source) - number)
                yield (source, target, number), Node(after, left)


def _has_hit_at_home(rules: Rules, before: Position, position: Position, source: int) -> bool:
    """Whether the one checker there came with this roll and hit: before it, an enemy stood on that point of our home."""
    if source > HOME or position.us.points[source] != 1:
        return False
    return before.them.points[meets(rules.movement.meeting)[source]] == 1


def _all_have_left_that_may(rules: Rules, roll: Roll, position: Position) -> bool:
    """Whether as many checkers have left the start with this roll as may: two of all fifteen with some doubles (4.9)."""
    standing = roll.before.us.points[rules.start_point]
    high, *others = roll.faces
    two = standing == rules.checkers and others == [high] and high in rules.movement.leave_two
    return standing - position.us.points[rules.start_point] >= (2 if two else rules.movement.leave)


def is_over(rules: Rules, position: Position) -> bool:
    """Whether the game is over, so that the rest of the roll is moot (DG-15)."""
    return ended_by_a_move(rules, position) is not None


def is_complete(rules: Rules, node: Node) -> bool:
    """Whether nothing is left to play: all numbers are used or the game is over."""
    return not node.left or is_over(rules, node.position)


PlayValue = tuple[bool, int, int]
"""Ranks plays: all complete plays equally and first; others by how many numbers were played, where these count, then by their sum."""


def _play_value(rules: Rules, root: Node, node: Node) -> PlayValue:
    if is_complete(rules, node):
        return True, 0, 0
    counted = rules.dice.obligation is Obligation.MOST_NUMBERS
    return False, counted * (len(root.left) - len(node.left)), sum(root.left) - sum(node.left)
