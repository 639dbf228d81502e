"""Studies: positions in a tree, with the plays that lead from one to the next, names and comments. Values and edits."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace as replaced
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.json import encode
from msgspec.structs import replace

from barpoint.error import BarpointError, FormatError
from barpoint.game.event import MoveMade
from barpoint.moves import find_play, parse_faces, parse_play
from barpoint.server.domain.analysis_board import BoardAddress, BoardSetup, setup_of
from barpoint.server.domain.board_steps import after_double, after_play, check_playable, play_text

MAX_NODES: Final = 500
MAX_STUDIES: Final = 200
"""Studies that are kept for an account."""

MAX_STUDY_BYTES: Final = 300_000
"""Bytes of the tree of one study as JSON."""

MAX_TITLE: Final = 80
MAX_NAME: Final = 80
MAX_COMMENT: Final = 4000
"""Characters of the name of a position, and of its comment."""

DOUBLE_TAKE: Final = "double, take"
"""The step of a double that is taken; pages say it in their language."""

StudyTitle = Annotated[str, Meta(min_length=1, max_length=MAX_TITLE)]
NodeName = Annotated[str, Meta(max_length=MAX_NAME)]
NodeComment = Annotated[str, Meta(max_length=MAX_COMMENT)]
NodeId = Annotated[int, Meta(ge=0, le=1_000_000)]


class UnknownStudy(BarpointError):
    """No study has this id."""


class StudyFull(BarpointError):
    """A study, or all studies of a person, hold as much as is kept."""


class StudyNode(Struct, frozen=True, omit_defaults=True):
    """A position of a study. id: from 1, never given again. board: its address. parent: the position before it, 0 where a line begins.

    step: what led here from the parent, such as "31: 8/5 6/5" or "double, take"; "" for a position that was set up. asked: readers answer it
    before they see the comment and what follows.
    """

    id: int
    board: BoardAddress
    parent: int = 0
    step: str = ""
    name: str = ""
    comment: str = ""
    asked: bool = False


class StudyTree(Struct, frozen=True):
    """A study. nodes: parents before what follows them; of positions with the same parent the first is the main line.
    last_id: the highest id ever given.
    """

    title: str
    nodes: tuple[StudyNode, ...] = ()
    last_id: int = 0

    def node(self, node_id: int) -> StudyNode:
        """The position with that id; UnknownStudy."""
        found = next((node for node in self.nodes if node.id == node_id), None)
        if found is None:
            raise UnknownStudy("this study has no position %(node)s", node=node_id)
        return found


class StudyEdit(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """One edit of a study; its kind says which."""


class AddBoard(StudyEdit, frozen=True, tag="board"):
    """Adds a position that was set up, after another one or, with parent 0, as the beginning of a line."""

    board: BoardAddress
    parent: NodeId = 0
    name: NodeName = ""
    comment: NodeComment = ""


class AddPlay(StudyEdit, frozen=True, tag="play"):
    """Adds the position after a play. roll: "" for the one of the board. play: in notation, or else its moves."""

    parent: NodeId
    roll: Annotated[str, Meta(max_length=8)] = ""
    play: Annotated[str, Meta(max_length=200)] = ""
    moves: Annotated[tuple[MoveMade, ...], Meta(max_length=64)] = ()


class AddDouble(StudyEdit, frozen=True, tag="double"):
    """Adds the position after a double that is taken."""

    parent: NodeId


class Annotate(StudyEdit, frozen=True, tag="note"):
    """Names a position, and comments on it. asked: readers answer it first; None leaves that as it is."""

    node: NodeId
    name: NodeName = ""
    comment: NodeComment = ""
    asked: bool | None = None


class Promote(StudyEdit, frozen=True, tag="first"):
    """Makes a line the main one."""

    node: NodeId


class RemoveNode(StudyEdit, frozen=True, tag="remove"):
    """Removes a position with all that follows it; the last one stays."""

    node: NodeId


class Retitle(StudyEdit, frozen=True, tag="title"):
    """Gives the study another title."""

    title: StudyTitle


AnyStudyEdit = AddBoard | AddPlay | AddDouble | Annotate | Promote | RemoveNode | Retitle


def new_study(title: str, board: BoardAddress) -> StudyTree:
    """A study that begins with one position; BarpointError where it cannot be."""
    return edited_study(StudyTree(_clean(title)), AddBoard(board))[0]


def study_of_questions(title: str, questions: Iterable[tuple[BoardAddress, str]]) -> StudyTree:
    """A study that asks these positions, each with its comment; FormatError without any, StudyFull."""
    nodes = tuple(
        StudyNode(number, board, comment=comment, asked=True)
        for number, (board, comment) in enumerate(questions, start=1)
    )
    if not nodes:
        raise FormatError("nothing is decided there that a card can ask for")
    _check_count(len(nodes))
    return _within_limits(StudyTree(_clean(title)[:MAX_TITLE], nodes, len(nodes)))


def study_of_positions(title: str, positions: Iterable[tuple[BoardAddress, str, str]]) -> StudyTree:
    """A study of these positions, each with its name and its comment; FormatError without any, StudyFull."""
    nodes = tuple(
        StudyNode(number, setup_of(board).address, name=_clean(name)[:MAX_NAME], comment=comment.strip()[:MAX_COMMENT])
        for number, (board, name, comment) in enumerate(positions, start=1)
    )
    if not nodes:
        raise FormatError("a study of 0 positions; allowed: 1 to %(most)s", most=MAX_NODES)
    _check_count(len(nodes))
    return _within_limits(StudyTree(_clean(title)[:MAX_TITLE], nodes, len(nodes)))


def seen_study(tree: StudyTree, answered: Collection[int]) -> StudyTree:
    """A study as its readers see it: of positions to answer neither the comment nor what follows. answered: those that one has."""
    closed: set[int] = set()
    nodes = []
    for node in tree.nodes:
        if node.parent in closed:
            closed.add(node.id)
        elif node.asked and node.id not in answered:
            closed.add(node.id)
            nodes.append(replace(node, comment=""))
        else:
            nodes.append(node)
    return replace(tree, nodes=tuple(nodes))


def edited_study(tree: StudyTree, edit: AnyStudyEdit) -> tuple[StudyTree, int]:
    """The study after an edit, and the id of the position it leads to. BarpointError says why it cannot be."""
    match edit:
        case AddBoard(board, parent, name, comment):
            if parent:
                tree.node(parent)
            return _added(tree, StudyNode(0, setup_of(board).address, parent, "", _clean(name), comment.strip()))
        case AddPlay(parent):
            return _added(tree, _after_play(tree.node(parent), edit))
        case AddDouble(parent):
            board = after_double(setup_of(tree.node(parent).board)).address
            return _added(tree, StudyNode(0, board, parent, DOUBLE_TAKE))
        case Annotate(node, name, comment, asked):
            before = tree.node(node)
            asked = before.asked if asked is None else asked
            noted = replace(before, name=_clean(name), comment=comment.strip(), asked=asked)
            nodes = tuple(noted if one.id == node else one for one in tree.nodes)
            return _within_limits(replace(tree, nodes=nodes)), node
        case Promote(node):
            return _promoted(tree, tree.node(node)), node
        case RemoveNode(node):
            return _without(tree, tree.node(node))
        case Retitle(title):
            return replace(tree, title=_clean(title)), tree.nodes[0].id if tree.nodes else 0


def _clean(text: str) -> str:
    return " ".join(text.split())


def _after_play(node: StudyNode, edit: AddPlay) -> StudyNode:
    setup: BoardSetup = setup_of(node.board)
    if edit.roll:
        setup = replaced(setup, faces=parse_faces(setup.rules.dice.rows, edit.roll))
    check_playable(setup)
    if edit.play:
        play = parse_play(setup.rules, setup.of_actor, setup.faces, edit.play)
    else:
        play = find_play(setup.rules, setup.of_actor, setup.faces, edit.moves)
    return StudyNode(0, after_play(setup, play).address, node.id, play_text(setup, play))


def _added(tree: StudyTree, made: StudyNode) -> tuple[StudyTree, int]:
    """Adds a position unless the same step leads to it already."""
    for node in tree.nodes:
        if made.step and (node.parent, node.step, node.board) == (made.parent, made.step, made.board):
            return tree, node.id
    _check_count(len(tree.nodes) + 1)
    node = replace(made, id=tree.last_id + 1)
    return _within_limits(replace(tree, nodes=(*tree.nodes, node), last_id=node.id)), node.id


def _check_count(nodes: int) -> None:
    if nodes > MAX_NODES:
        raise StudyFull("a study holds %(count)s positions; begin another one", count=MAX_NODES)


def _within_limits(tree: StudyTree) -> StudyTree:
    if len(encode(tree)) > MAX_STUDY_BYTES:
        raise StudyFull("a study holds %(count)s bytes of text; begin another one", count=MAX_STUDY_BYTES)
    return tree


def _promoted(tree: StudyTree, node: StudyNode) -> StudyTree:
    """The tree with a line before the others that begin where it begins; parents stay before what follows them."""
    line = _line(tree, node.id)
    moved = [one for one in tree.nodes if one.id in line]
    rest = [one for one in tree.nodes if one.id not in line]
    at = next((index for index, one in enumerate(rest) if one.parent == node.parent), len(rest))
    return replace(tree, nodes=(*rest[:at], *moved, *rest[at:]))


def _without(tree: StudyTree, node: StudyNode) -> tuple[StudyTree, int]:
    line = _line(tree, node.id)
    left = tuple(one for one in tree.nodes if one.id not in line)
    if not left:
        raise FormatError("this is the only position of the study; remove the study instead")
    return replace(tree, nodes=left), node.parent or left[0].id


def _line(tree: StudyTree, node_id: int) -> set[int]:
    """A position and all that follows it."""
    found = {node_id}
    for node in tree.nodes:
        if node.parent in found:
            found.add(node.id)
    return found
