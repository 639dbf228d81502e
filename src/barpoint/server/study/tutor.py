"""The tutor: judges what a player is about to do in an unrated match against a bot, before it is done, and gives hints."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from barpoint.analysis import Decision
from barpoint.analysis.position import PositionAnswer
from barpoint.error import BarpointError
from barpoint.game import Phase
from barpoint.game.allowed import doubling_barred
from barpoint.game.event import MoveMade
from barpoint.match import Match
from barpoint.server.domain.analysis_board import BoardSetup, setup_from_game
from barpoint.server.domain.matches import MatchHeader, SeatKind
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.study.advisers import Advisers
from barpoint.server.study.cards import CHOICES, judged_choice, judged_play, kind_of
from barpoint.server.study.nets import AnalysisRefused, net_of

PLIES: Final = 2

ACTIONS: Final = {"roll": "No double", "double": "Double", "take": "Take", "pass": "Pass"}
"""Actions at the cube with the choices they are."""


class TutorQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What the player is about to do after event `seq`. kind "" asks for a hint. better: the best choice is wanted too."""

    seq: Annotated[int, Meta(ge=0)]
    kind: Literal["play", "roll", "double", "take", "pass", ""] = ""
    moves: Annotated[tuple[MoveMade, ...], Meta(max_length=64)] = ()
    better: bool = False


class TutorAnswer(Struct, frozen=True):
    """What the tutor says. loss: of what the player is about to do; mark: as in an analysis. best, moves: "" and () unless asked for.

    lesson: why the best one is better.
    """

    loss: float = 0.0
    mark: str = ""
    best: str = ""
    moves: tuple[MoveMade, ...] = ()
    lesson: str = ""


def may_tutor(header: MatchHeader, seat: int | None) -> bool:
    """Whether the holder of a seat may have a tutor: in unrated matches for nothing, against a bot of this server."""
    if seat not in (0, 1) or header.by_hand or header.rated or header.fee:
        return False
    own, other = header.seats[seat], header.seats[1 - seat]
    return (
        own.kind is SeatKind.GUEST and not own.bot and other.kind is SeatKind.BOT and net_of(header.rules) is not None
    )


class Tutor:
    """Answers tutor's questions."""

    def __init__(self, advisers: Advisers) -> None:
        self._advisers = advisers

    async def answer(self, live: LiveMatch, seat: int | None, asked: TutorQuestion) -> TutorAnswer:
        """What the tutor says; AnalysisRefused where there is none, IllegalMove for moves that make no play."""
        if seat is None or not may_tutor(live.header, seat):
            raise AnalysisRefused("a tutor helps only in unrated matches against a bot of this server", 403)
        if asked.seq != live.seq:
            raise AnalysisRefused("the match has gone on", 409)
        setup = _setup(live.match, seat, asked.kind)
        if setup is None:
            return TutorAnswer()
        answer = await self._judge(setup)
        if asked.kind:
            decision = await asyncio.to_thread(_decision, setup, answer, asked)
        else:
            decision = await asyncio.to_thread(_best, setup, answer)
        best = decision.best if asked.better or not asked.kind else None
        return TutorAnswer(
            loss=decision.loss,
            mark=decision.mark,
            best=best.text if best else "",
            moves=best.moves if best else (),
            lesson=decision.lesson if best else "",
        )

    async def _judge(self, setup: BoardSetup) -> PositionAnswer:
        found = await self._advisers.answer("position", setup.inquiry, PLIES, registered=True)
        return msgspec.json.decode(found, type=PositionAnswer)


def _setup(match: Match, seat: int, kind: str) -> BoardSetup | None:
    """The board that the holder of a seat decides on; None where nothing is to be decided."""
    game = match.game
    phase = {
        "play": Phase.TO_PLAY,
        "roll": Phase.TO_ROLL,
        "double": Phase.TO_ROLL,
        "take": Phase.DOUBLED,
        "pass": Phase.DOUBLED,
    }
    if kind and game.phase is not phase[kind]:
        return None
    if game.phase is Phase.DOUBLED:
        mine = game.player != seat and not game.cube.raises
    else:
        mine = game.phase in (Phase.TO_PLAY, Phase.TO_ROLL) and game.player == seat
    if not mine or (game.phase is Phase.TO_ROLL and doubling_barred(game, seat)):
        return None
    return setup_from_game(match, seat)


def _decision(setup: BoardSetup, answer: PositionAnswer, asked: TutorQuestion) -> Decision:
    if asked.kind == "play":
        return judged_play(setup, answer, asked.moves)
    return judged_choice(setup, answer, ACTIONS[asked.kind])


def _best(setup: BoardSetup, answer: PositionAnswer) -> Decision:
    """The decision in which the best choice was made."""
    if kind_of(setup) == "play":
        if not answer.plays:
            raise BarpointError("nothing can be played")
        return judged_play(setup, answer, answer.plays[0].moves)
    found = (judged_choice(setup, answer, choice) for choice in CHOICES[kind_of(setup)])
    return min(found, key=lambda one: one.loss)
