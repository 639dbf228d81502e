"""Studies of accounts: makes them, edits them one after another, shows them to whoever has the link, and judges what readers answer."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from msgspec import Struct

from barpoint.analysis import Decision
from barpoint.analysis.findings import PR_FACTOR, Mark, mark_of
from barpoint.analysis.words import choice_text, play_question
from barpoint.game.event import MoveMade
from barpoint.language import _, number
from barpoint.server.domain.analysis_board import BoardAddress, BoardSetup, setup_of
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.studies import (
    Annotate,
    AnyStudyEdit,
    StudyNode,
    StudyTree,
    UnknownStudy,
    edited_study,
    new_study,
    seen_study,
    study_of_positions,
    study_of_questions,
)
from barpoint.server.live.event_log import ForeignSeat
from barpoint.server.live.match_transactions import new_id
from barpoint.server.protocol.board_view import BoardView
from barpoint.server.storage import studies as study_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.practice import StoredCard
from barpoint.server.storage.store import Store
from barpoint.server.storage.studies import ReaderAnswer, StoredStudy, StudyAnswer
from barpoint.server.study.advisers import Advisers
from barpoint.server.study.cards import CHOICES, asked_of_near, board_of_card, check_card, judged, kind_of
from barpoint.server.study.drills import DrillChoice

ATTEMPTS = 5
"""How often an edit is tried while others of the same study are faster."""


class AnswerGiven(Struct, frozen=True):
    """What the reader answered to a position first. text: a play, or a cube action in English. mark: of its loss."""

    node: int
    text: str
    loss: float
    mark: Mark


class StudyQuestion(Struct, frozen=True):
    """What a position asks. choices: none where a play is asked for. view: the board, with whoever decides at the bottom."""

    text: str
    choices: tuple[DrillChoice, ...]
    view: BoardView


class StudyShown(Struct, frozen=True):
    """A study. owner: their name. mine: the reader may edit it. at: the position that an edit leads to, or the first one.

    answers: the reader's. score: of them in a sentence, once all positions that are asked are answered; "" before. What is asked and not
    answered has no comment, and what follows is left out.
    """

    id: str
    title: str
    owner: str
    mine: bool
    changed_at: int
    nodes: tuple[StudyNode, ...]
    at: int
    answers: tuple[AnswerGiven, ...] = ()
    score: str = ""


class StudyJudged(Struct, frozen=True):
    """How good an answer is. listed: the play is among the best 32; otherwise it loses at least so much. study: as it is seen now."""

    decision: Decision
    listed: bool
    study: StudyShown


class PositionResult(Struct, frozen=True):
    """How a position was answered. answers: the latest first. loss: the mean one."""

    node: StudyNode
    answers: tuple[ReaderAnswer, ...]
    loss: float


class StudyResults(Struct, frozen=True):
    """How readers answered. positions: those that cost most first. readers: names, "" for guests, and their scores in sentences."""

    positions: tuple[PositionResult, ...]
    readers: tuple[tuple[str, str], ...]


class Studies:
    """All studies of a server. clock: ms since 1970."""

    def __init__(self, store: Store, clock: Callable[[], int], advisers: Advisers) -> None:
        self._store, self._clock, self._advisers = store, clock, advisers

    async def study(self, study_id: str) -> StoredStudy:
        """The study with that id, whoever's it is; UnknownStudy."""
        found = await self._store.read(study_storage.study, study_id)
        if found is None:
            raise UnknownStudy("no study is called %(study)s", study=study_id[:20])
        return found

    async def of(self, person: Guest) -> list[StoredStudy]:
        """A person's studies, the one changed last first."""
        return await self._store.read(study_storage.studies_of, person.id)

    async def make(self, person: Guest, title: str, board: BoardAddress) -> StoredStudy:
        """A new study that begins with a position; ForeignSeat for guests, StudyFull, BarpointError."""
        return await self._put(person, lambda: new_study(title, board))

    async def make_of_cards(self, person: Guest, title: str, cards: Iterable[StoredCard]) -> StoredStudy:
        """A new study that asks the positions of cards; errors as `make`."""
        return await self._put(
            person, lambda: study_of_questions(title, ((card.address, _of_match(card)) for card in cards))
        )

    async def make_of_positions(
        self, person: Guest, title: str, positions: Sequence[tuple[BoardAddress, str, str]]
    ) -> StoredStudy:
        """A new study of positions with their names and comments; errors as `make`."""
        return await self._put(person, lambda: study_of_positions(title, positions))

    async def _put(self, person: Guest, tree: Callable[[], StudyTree]) -> StoredStudy:
        if not person.registered:
            raise ForeignSeat("studies are for players with an account; log in or register")
        study_id = new_id()
        await self._store.write(study_storage.put_study, study_id, person.id, tree(), self._clock())
        return await self.study(study_id)

    async def edit(self, person: Guest, study_id: str, edit: AnyStudyEdit) -> tuple[StoredStudy, int]:
        """A study after an edit of its owner, and the position it leads to; ForeignSeat, UnknownStudy, BarpointError."""
        for attempt in range(ATTEMPTS):
            before = await self.study(study_id)
            if before.guest_id != person.id:
                raise ForeignSeat("only its owner can change a study; make a copy to go on from it")
            tree, at = edited_study(before.tree, edit)
            if isinstance(edit, Annotate) and edit.asked:
                await asyncio.to_thread(check_card, _asked(tree, at))
            if tree == before.tree:
                return before, at
            now = self._clock()
            try:
                await self._store.write(study_storage.change_study, before, tree, now)
            except Conflict:
                if attempt == ATTEMPTS - 1:
                    raise
                continue
            return replace(before, tree=tree, version=before.version + 1, changed_at=now), at
        raise AssertionError("the last attempt returns or raises")

    async def copy(self, person: Guest, study_id: str) -> StoredStudy:
        """A study of one's own with the same positions; errors as `make`, and UnknownStudy."""
        seen, _given = await self._seen(await self.study(study_id), person)
        return await self._put(person, lambda: seen)

    async def drop(self, person: Guest, study_id: str) -> None:
        """Deletes a study of one's own; UnknownStudy."""
        if not await self._store.write(study_storage.drop_study, person.id, study_id):
            raise UnknownStudy("you have no such study")

    async def _seen(self, found: StoredStudy, reader: Guest | None) -> tuple[StudyTree, list[StudyAnswer]]:
        """A study as its reader sees it, and their answers."""
        if reader is not None and reader.id == found.guest_id:
            return found.tree, []
        given = await self._store.read(study_storage.answers_of, found.id, reader.id) if reader is not None else []
        return seen_study(found.tree, {one.node for one in given}), given

    async def shown(self, found: StoredStudy, reader: Guest | None, at: int = 0) -> StudyShown:
        """A study as its reader sees it."""
        tree, given = await self._seen(found, reader)
        asked = _questions(found.tree)
        given = [one for one in given if one.node in asked]
        return StudyShown(
            id=found.id,
            title=tree.title,
            owner=found.owner,
            mine=reader is not None and reader.id == found.guest_id,
            changed_at=found.changed_at,
            nodes=tree.nodes,
            at=at or (tree.nodes[0].id if tree.nodes else 0),
            answers=tuple(AnswerGiven(one.node, one.answer, one.loss, mark_of(one.loss)) for one in given),
            score=_score([one.loss for one in given]) if given and len(given) == len(asked) else "",
        )

    async def question(
        self, reader: Guest | None, study_id: str, node: int, moves: tuple[MoveMade, ...]
    ) -> StudyQuestion:
        """What a position asks, after the moves tried; UnknownStudy, IllegalMove, BarpointError."""
        setup = await self._question(reader, await self.study(study_id), node)
        return await asyncio.to_thread(_question, setup, moves)

    async def answer(
        self, reader: Guest, study_id: str, node: int, moves: tuple[MoveMade, ...] | None, choice: str
    ) -> StudyJudged:
        """Judges an answer, and stores a reader's first one; UnknownStudy, IllegalMove, IllegalEvent, AnalysisRefused."""
        found = await self.study(study_id)
        setup = await self._question(reader, found, node)
        decision, _answer = await judged(self._advisers, setup, moves, choice)
        row = StudyAnswer(node, self._clock(), decision.made.text[:80], decision.loss)
        await self._store.write(study_storage.put_answer, study_id, reader.id, row)
        listed = not setup.faces or bool(decision.made.chances)
        return StudyJudged(decision, listed, await self.shown(found, reader, node))

    async def _question(self, reader: Guest | None, found: StoredStudy, node: int) -> BoardSetup:
        tree, _given = await self._seen(found, reader)
        if not tree.node(node).asked:
            raise UnknownStudy("this study has no position %(node)s", node=node)
        return _asked(tree, node)

    async def results(self, found: StoredStudy) -> StudyResults:
        """How everybody but its owner answered."""
        answers = await self._store.read(study_storage.answers_to, found, _questions(found.tree))
        by_node, by_reader = defaultdict(list), defaultdict(list)
        for one in answers:
            by_node[one.node].append(one)
            by_reader[one.guest_id].append(one)
        positions = [
            PositionResult(found.tree.node(node), tuple(given), sum(one.loss for one in given) / len(given))
            for node, given in by_node.items()
        ]
        return StudyResults(
            tuple(sorted(positions, key=lambda one: -one.loss)),
            tuple((given[0].name, _score([one.loss for one in given])) for given in by_reader.values()),
        )


def _questions(tree: StudyTree) -> tuple[int, ...]:
    return tuple(node.id for node in tree.nodes if node.asked)


def _asked(tree: StudyTree, node: int) -> BoardSetup:
    return asked_of_near(setup_of(tree.node(node).board))


def _question(setup: BoardSetup, moves: tuple[MoveMade, ...]) -> StudyQuestion:
    kind = kind_of(setup)
    text = {
        "play": play_question(setup.faces),
        "double": _("Double, or roll?"),
        "take": _("You are doubled: take or pass?"),
    }[kind]
    choices = tuple(DrillChoice(one, choice_text(one)) for one in CHOICES[kind])
    return StudyQuestion(text, choices, board_of_card(setup, moves))


def _score(losses: Sequence[float]) -> str:
    lost = sum(losses)
    return _(
        "%(right)s of %(count)s right, %(lost)s lost, PR %(rating)s",
        right=sum(not loss for loss in losses),
        count=len(losses),
        lost=number(lost, 3),
        rating=number(PR_FACTOR * lost / len(losses), 1),
    )


def _of_match(card: StoredCard) -> str:
    """What was done in the match that a card comes from."""
    if not card.made:
        return ""
    lost = number(card.loss or 0.0, 3)
    return _("In the match: %(play)s, which gave away %(loss)s", play=choice_text(card.made), loss=lost)
