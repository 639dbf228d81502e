"""The position of the day: one reference position for everybody, judged by its rollout, and how everybody answered it."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Final

from msgspec import Struct

from barpoint.analysis.reference import PASS, ReferencePosition, reference_collection
from barpoint.analysis.words import play_question
from barpoint.game.event import MoveMade
from barpoint.language import _
from barpoint.moves import parse_play
from barpoint.server.domain.analysis_board import BoardAddress, query_of
from barpoint.server.domain.dates import iso_day
from barpoint.server.domain.guests import Guest
from barpoint.server.live.matches import TimeSource
from barpoint.server.protocol.board_view import BoardView
from barpoint.server.storage import daily_positions as daily_storage
from barpoint.server.storage.daily_positions import AnswerShare, DailyAnswer
from barpoint.server.storage.practice import DAY_MS
from barpoint.server.storage.store import Store
from barpoint.server.study.cards import board_of_card
from barpoint.server.study.drill_questions import CUBE_CHOICES, cube_losses, task_of_reference
from barpoint.server.study.drills import DrillChoice, DrillJudged, Drills, UnknownDrill, cube_choices

DAYS_KEPT: Final = 30
"""Days before today whose positions can be asked for."""

MAX_OTHERS: Final = 12
"""Plays on the list that were not rolled out."""


class DailyQuestion(Struct, frozen=True):
    """The position of a day. day: such as 2026-11-29. stage: the kind of game. choices: cube actions; none where a play is asked for.

    view: its board. address: of the analysis board, as a query; card: the same as an object, to make a card of.
    """

    day: str
    stage: str
    text: str
    choices: tuple[DrillChoice, ...]
    view: BoardView
    address: str
    card: BoardAddress


class DailyChoice(Struct, frozen=True):
    """A play or a cube action. equity, error: by rollout and its standard error; None where there is none. loss: what it loses.

    persons: how many gave this answer. own: it is the person's.
    """

    text: str
    equity: float | None
    error: float | None
    loss: float
    persons: int
    own: bool


class DailyAnswered(Struct, frozen=True):
    """How good a person's answer is, and how everybody answered. choices: the best first. persons: how many answered."""

    judged: DrillJudged
    choices: tuple[DailyChoice, ...]
    persons: int


class DailyPositions:
    """The positions of the last days."""

    def __init__(self, store: Store, clock: TimeSource, drills: Drills) -> None:
        self._store, self._clock, self._drills = store, clock, drills

    @property
    def today(self) -> int:
        """The day in UTC, since 1970."""
        return self._clock() // DAY_MS

    def day_of(self, text: str) -> int:
        """The day of a text such as 2026-11-29, since 1970; UnknownDrill where it has no position, or none any more."""
        try:
            day = (date.fromisoformat(text) - date(1970, 1, 1)).days
        except ValueError:
            day = -1
        if not 0 <= self.today - day <= DAYS_KEPT or day_text(day) != text:
            raise UnknownDrill(
                "there is no position of this day; allowed: %(first)s to %(last)s",
                first=day_text(self.today - DAYS_KEPT),
                last=day_text(self.today),
            )
        return day

    async def question(self, text: str, moves: tuple[MoveMade, ...] = ()) -> DailyQuestion:
        """The position of a day, after the moves tried; UnknownDrill, IllegalMove."""
        return await asyncio.to_thread(_question, self.day_of(text), moves)

    async def answer(self, person: Guest, text: str, choice: str, moves: tuple[MoveMade, ...] | None) -> DailyAnswered:
        """Judges an answer, and stores a person's first one, which may be sent again; UnknownDrill for another one, IllegalEvent,
        IllegalMove, AnalysisRefused.
        """
        day = self.day_of(text)
        one = await asyncio.to_thread(reference_of_day, day)
        judged = await self._drills.judge(task_of_reference(one), (), choice, moves)
        said = judged.given if one.faces else choice
        row = DailyAnswer(day, one.key, self._clock(), said, judged.right, judged.off)
        if not await self._store.write(daily_storage.put, person.id, row):
            stored = await self._store.read(daily_storage.find, person.id, day, one.key)
            if stored is None or stored.answer != said:
                raise UnknownDrill("you have answered this position already")
        return await self._told(one, row, judged)

    async def answered(self, person: Guest, text: str) -> DailyAnswered:
        """The same again for whoever has answered; UnknownDrill for others."""
        day = self.day_of(text)
        one = await asyncio.to_thread(reference_of_day, day)
        row = await self._store.read(daily_storage.find, person.id, day, one.key)
        if row is None:
            raise UnknownDrill("answer the position first")
        rules = reference_collection().rules
        moves = parse_play(rules, one.position, one.faces, row.answer).moves if one.faces else None
        choice = "" if one.faces else row.answer
        return await self._told(one, row, await self._drills.judge(task_of_reference(one), (), choice, moves))

    async def _told(self, one: ReferencePosition, row: DailyAnswer, judged: DrillJudged) -> DailyAnswered:
        shares = await self._store.read(daily_storage.shares, row.day, row.question)
        listed = _plays if one.faces else _cube_actions
        choices = await asyncio.to_thread(listed, one, {share.answer: share for share in shares}, row.answer)
        return DailyAnswered(judged, tuple(choices), sum(share.persons for share in shares))


def day_text(day: int) -> str:
    """A day since 1970, such as 2026-11-29."""
    return iso_day(day * DAY_MS)


def reference_of_day(day: int) -> ReferencePosition:
    """The position of a day: one after the other, so that none comes again before all have been."""
    problems = reference_collection().mixed_problems
    return problems[day % len(problems)]


def _question(day: int, moves: tuple[MoveMade, ...]) -> DailyQuestion:
    one = reference_of_day(day)
    asked = task_of_reference(one)
    assert asked.setup is not None
    return DailyQuestion(
        day=day_text(day),
        stage=one.stage,
        text=play_question(one.faces) if one.faces else asked.text,
        choices=() if one.faces else cube_choices(),
        view=board_of_card(asked.setup, moves),
        address=query_of(asked.setup.address),
        card=asked.setup.address,
    )


def _plays(one: ReferencePosition, shares: dict[str, AnswerShare], own: str) -> list[DailyChoice]:
    """The plays that were rolled out, then others that somebody made: the most frequent ones, and the person's."""
    rules, best = reference_collection().rules, one.equity
    listed = {
        str(parse_play(rules, one.position, one.faces, text)): (equity, error) for text, equity, error in one.choices
    }
    others = [share for share in shares.values() if share.answer not in listed]
    others = [share for index, share in enumerate(others) if index < MAX_OTHERS or share.answer == own]
    return [
        *(
            DailyChoice(text, equity, error, round(best - equity, 6), _persons(shares, text), text == own)
            for text, (equity, error) in listed.items()
        ),
        *(
            DailyChoice(share.answer, None, None, share.off, share.persons, share.answer == own)
            for share in sorted(others, key=lambda share: share.off)
        ),
    ]


def _cube_actions(one: ReferencePosition, shares: dict[str, AnswerShare], own: str) -> list[DailyChoice]:
    losses = cube_losses(one)
    (_stay, no_double, stay_error), (_take, double_take, take_error) = one.choices
    equities = ((no_double, stay_error), (double_take, take_error), (PASS, None), (None, None))
    return sorted(
        (
            DailyChoice(_(name), equity, error, losses[name], _persons(shares, name), name == own)
            for name, (equity, error) in zip(CUBE_CHOICES, equities, strict=True)
        ),
        key=lambda choice: choice.loss,
    )


def _persons(shares: dict[str, AnswerShare], answer: str) -> int:
    return shares[answer].persons if answer in shares else 0
