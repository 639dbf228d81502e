"""Drills: gives out signed questions, judges and stores answers, and adds up the progress.

A question is a number: whoever holds it cannot choose another one, and each is answered once.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from typing import Final

import msgspec
from msgspec import Struct

from barpoint.analysis import Decision
from barpoint.analysis.findings import STAGES
from barpoint.analysis.position import PositionAnswer
from barpoint.analysis.reference import PASS, ReferencePosition
from barpoint.error import BarpointError, IllegalEvent
from barpoint.game.event import MoveMade
from barpoint.language import _, number
from barpoint.server.domain.analysis_board import BoardAddress, query_of
from barpoint.server.domain.guests import Guest
from barpoint.server.live.matches import TimeSource
from barpoint.server.protocol.board_view import BoardView
from barpoint.server.storage import drills as drill_storage
from barpoint.server.storage.drills import DrillAnswer
from barpoint.server.storage.store import Store
from barpoint.server.study.advisers import Advisers
from barpoint.server.study.cards import board_of_card, judged_play
from barpoint.server.study.drill_questions import (
    CLOSE_ENOUGH,
    CUBE_CHOICES,
    DRILLS,
    STAGED,
    DrillTask,
    cube_losses,
    numbers_text,
    task,
    truth,
)
from barpoint.server.study.openings import judged_by_book
from barpoint.server.study.reference import judged_by_reference

MAX_AGE_MS: Final = 3600 * 1000
"""A question is answered within an hour."""


class UnknownDrill(BarpointError):
    """There is no such drill, or no such question of the person."""


class DrillChoice(Struct, frozen=True):
    """A choice. name: to send; text: to show."""

    name: str
    text: str


class DrillQuestion(Struct, frozen=True):
    """A question. id: to send with the answer. fields: labels of the numbers to enter, in this unit.

    view: the board, if there is one; with a turn, the answer is a play. address: of the board, as a query. card: the same as
    an object, where a card can be made of it.
    """

    id: str
    drill: str
    text: str
    unit: str
    fields: tuple[str, ...]
    choices: tuple[DrillChoice, ...]
    view: BoardView | None
    address: str
    card: BoardAddress | None = None


class DrillJudged(Struct, frozen=True):
    """How good an answer is. off: how far from the truth, in the unit of the drill, or the equity that was lost.

    truth, given: the right answer and the one that was given, in the same words. detail: what the engine says of a
    cube action, "" for others. ms: how long it took. decision: of a play, with the best ones.
    """

    right: bool
    off: float
    truth: str
    ms: int
    decision: Decision | None = None
    given: str = ""
    detail: str = ""


class Drills:
    """The drills of all persons. key: signs questions."""

    def __init__(self, store: Store, clock: TimeSource, advisers: Advisers, key: bytes) -> None:
        self._store, self._clock, self._advisers, self._key = store, clock, advisers, key

    async def question(self, person: Guest, name: str, stage: str = "") -> DrillQuestion:
        """A new question; UnknownDrill. stage: of the game, "" for any."""
        if name not in DRILLS:
            raise UnknownDrill("there is no drill of that name; allowed: %(allowed)s", allowed=", ".join(DRILLS))
        allowed = STAGES if name in STAGED else ()
        if stage and stage not in allowed:
            raise UnknownDrill(
                "this drill knows no such stage; allowed: %(allowed)s", allowed=", ".join(allowed) or "-"
            )
        (seed, asked), at = await asyncio.to_thread(_drawn, name, stage), self._clock()
        body = f"{name}.{seed}.{at}"
        setup = asked.setup
        view = None if setup is None else await asyncio.to_thread(board_of_card, setup)
        return DrillQuestion(
            id=f"{body}.{self._signature(person, body)}",
            drill=name,
            text=asked.text,
            unit=asked.drill.unit,
            fields=tuple(_(field) for field in asked.drill.fields),
            choices=cube_choices() if name == "cube" else (),
            view=view,
            address="" if setup is None else query_of(setup.address),
            card=asked.setup.address if asked.setup is not None and (asked.setup.faces or asked.reference) else None,
        )

    def _signature(self, person: Guest, body: str) -> str:
        return hmac.new(self._key, f"drill {person.id} {body}".encode(), hashlib.sha256).hexdigest()[:24]

    def _read(self, person: Guest, question: str) -> tuple[DrillTask, int]:
        """The question of an id and when it was asked; UnknownDrill."""
        body, _dot, signature = question.rpartition(".")
        parts = body.split(".")
        signed = signature.isascii() and hmac.compare_digest(signature, self._signature(person, body))
        if not signed or len(parts) != 3 or parts[0] not in DRILLS:
            raise UnknownDrill("this is no question of yours; ask for another one")
        return task(parts[0], int(parts[1])), int(parts[2])

    async def board(self, person: Guest, question: str, moves: tuple[MoveMade, ...]) -> BoardView:
        """The board of a question after the moves tried; UnknownDrill, IllegalMove."""
        asked, _at = await asyncio.to_thread(self._read, person, question)
        if asked.setup is None:
            raise UnknownDrill("this question has no board")
        return await asyncio.to_thread(board_of_card, asked.setup, moves)

    async def answer(
        self,
        person: Guest,
        question: str,
        numbers: tuple[float, ...],
        choice: str,
        moves: tuple[MoveMade, ...] | None,
    ) -> DrillJudged:
        """Judges an answer and stores it; UnknownDrill, IllegalEvent, IllegalMove, AnalysisRefused."""
        asked, at = await asyncio.to_thread(self._read, person, question)
        now = self._clock()
        if not 0 <= now - at <= MAX_AGE_MS:
            raise UnknownDrill("this question is too old; ask for another one")
        found = await self.judge(asked, numbers, choice, moves)
        judged = msgspec.structs.replace(found, ms=now - at)
        row = DrillAnswer(question, asked.drill.name, now, judged.right, judged.off, judged.ms)
        if await self._store.write(drill_storage.put, person.id, row):
            return judged
        stored = await self._store.read(drill_storage.find, person.id, question)
        if stored is None or (stored.right, stored.off) != (judged.right, judged.off):
            raise UnknownDrill("this question is answered already; ask for another one")
        return msgspec.structs.replace(judged, ms=stored.ms)  # the same answer again: what was said of it got lost

    async def judge(
        self, asked: DrillTask, numbers: tuple[float, ...], choice: str, moves: tuple[MoveMade, ...] | None
    ) -> DrillJudged:
        """How good an answer is; IllegalEvent, IllegalMove, AnalysisRefused."""
        if asked.drill.name == "cube":
            assert asked.reference is not None
            return _judged_cube(asked.reference, choice)
        answer = await self._answer(asked)
        drill = asked.drill
        if asked.setup is not None and asked.setup.faces:
            assert answer is not None
            judged_by = judged_by_reference if drill.name == "play" else judged_by_book
            answer = await asyncio.to_thread(judged_by, asked.setup, answer)
            decision = await asyncio.to_thread(judged_play, asked.setup, answer, moves or ())
            played = decision.options[decision.chosen].text
            return DrillJudged(decision.loss < CLOSE_ENOUGH, decision.loss, decision.best.text, 0, decision, played)
        if len(numbers) != len(drill.fields):
            raise IllegalEvent("%(count)s numbers; wanted: %(wanted)s", count=len(numbers), wanted=len(drill.fields))
        if drill.unit == "%" and not all(0 <= given <= 100 for given in numbers):
            raise IllegalEvent("%(given)s percent; allowed: 0 to 100", given=", ".join(f"{one:g}" for one in numbers))
        values = truth(asked, answer)
        offs = [abs(given - right) for given, right in zip(numbers, values, strict=True)]
        right = all(off <= drill.margin + 1e-9 for off in offs)
        said, told = numbers_text(asked, values), numbers_text(asked, numbers, exact=True)
        return DrillJudged(right, round(max(offs), 4), said, 0, given=told)

    async def _answer(self, asked: DrillTask) -> PositionAnswer | None:
        plies, setup = asked.drill.plies, asked.setup
        if plies is None or setup is None:
            return None
        found = await self._advisers.answer("position", setup.inquiry, plies, registered=True)
        return msgspec.json.decode(found, type=PositionAnswer)


def cube_choices() -> tuple[DrillChoice, ...]:
    """The answers to a question about the cube."""
    return tuple(DrillChoice(one, _(one)) for one in CUBE_CHOICES)


def _drawn(name: str, stage: str) -> tuple[int, DrillTask]:
    """The number of a question, drawn among those of a stage, "" for all, and the question."""
    while True:
        seed = secrets.randbelow(2**31)
        asked = task(name, seed)
        if stage in ("", asked.stage):
            return seed, asked


def _judged_cube(one: ReferencePosition, choice: str) -> DrillJudged:
    losses = cube_losses(one)
    if choice not in losses:
        raise IllegalEvent(
            "the choice %(choice)s; allowed here: %(allowed)s", choice=choice, allowed=", ".join(CUBE_CHOICES)
        )
    best = min(losses, key=lambda name: losses[name])
    loss = round(losses[choice] - losses[best], 6)
    equities = [number(equity, 3, sign=True) for equity in (*one.cube_equities, PASS)]
    detail = _(
        "No double %(stay)s, take %(take)s, pass %(passed)s.", stay=equities[0], take=equities[1], passed=equities[2]
    )
    return DrillJudged(loss < CLOSE_ENOUGH, loss, _(best), 0, given=_(choice), detail=detail)
