"""The openings as a page and programs see them: the rolls at the start, the replies to a first play, the rolls after a reply.

What the opening book holds is by rollout; everything else is searched when somebody asks, and says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct, structs

from barpoint.analysis.findings import mark_of
from barpoint.analysis.position import PlayAnswer, PositionAnswer
from barpoint.analysis.roll_table import PlaysTable
from barpoint.board import Position
from barpoint.engine.cube_info import CubeInfo
from barpoint.engine.opening_book import (
    STAKES,
    BookPlay,
    BookSettings,
    NoSuchBook,
    OpeningBook,
    opening_book,
    opening_rolls,
)
from barpoint.error import IllegalMove
from barpoint.game.event import counts_of
from barpoint.moves import Play, parse_faces, parse_play
from barpoint.rules import Rules
from barpoint.server.domain.analysis_board import BoardSetup, path_of
from barpoint.server.domain.limits import MAX_VARIANT_NAME
from barpoint.server.study.advisers import Advisers
from barpoint.variants import variant

Stake = Literal["money", "dmp", "gammon-go", "gammon-save"]
RollText = Annotated[str, Meta(max_length=8)]
PlayText = Annotated[str, Meta(max_length=80)]

PLIES: Final = 2
"""Search depth of what no book holds."""

_LENGTH: Final = 25
"""Points of the match by whose score an address says a stake; only what is left to win counts."""


class OpeningQuery(Struct, frozen=True):
    """Which rolls: those after a first play, or after a reply to it; without them those that open the game.

    roll, reply_roll: such as 31. play, reply: such as "8/5 6/5".
    """

    variant: Annotated[str, Meta(max_length=MAX_VARIANT_NAME)] = "backgammon"
    stake: Stake = "money"
    roll: RollText = ""
    play: PlayText = ""
    reply_roll: RollText = ""
    reply: PlayText = ""


class OpeningPlay(Struct, frozen=True):
    """A play. equity, loss: for the player who makes it, as in a rollout. error: of the rollout; None by search.

    replies: there are lines after it. board: the address of the analysis board after it, before the next roll.
    """

    play: str
    equity: float
    error: float | None
    loss: float
    replies: bool
    board: str


class OpeningRoll(Struct, frozen=True):
    """A roll with its plays, best first; a play that is not listed is clearly worse. board: its analysis board."""

    roll: str
    plays: tuple[OpeningPlay, ...]
    board: str


class OpeningLines(Struct, frozen=True):
    """Rolls with their plays. roll, play, reply_roll, reply: what was played before, "" at the start.

    book: how the rollouts were made; None where the plays were searched. plies: how deep; None for rollouts.
    board: before the roll.
    """

    variant: str
    stake: Stake
    roll: str
    play: str
    reply_roll: str
    reply: str
    book: BookSettings | None
    plies: int | None
    board: str
    rolls: tuple[OpeningRoll, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of an opening. steps: roll and play of each turn before. position, info: of the player to act."""

    rules: Rules
    stake: Stake
    steps: tuple[tuple[tuple[int, ...], Play], ...]
    info: CubeInfo

    @property
    def position(self) -> Position:
        """The position of the player to act."""
        return self.steps[-1][1].next if self.steps else self.rules.start

    def after(self, faces: tuple[int, ...], play: Play) -> Moment:
        """The next moment."""
        info = self.info if play.again else self.info.flip()
        return replace(self, steps=(*self.steps, (faces, play)), info=info)

    def setup(self, faces: tuple[int, ...] = ()) -> BoardSetup:
        """The board for the player to act."""
        rules, score = self.rules, self.info.score
        length = _LENGTH if score else 0
        return BoardSetup(
            rules=rules,
            position=self.position,
            faces=faces,
            cube=1 if rules.cube else 0,
            length=length,
            score=(length - score.us, length - score.them) if score else (0, 0),
            crawford=bool(score and score.crawford),
            tokens=(rules.rerolls.tokens,) * 2,
        )


LAST_STEPS: Final = 2
"""Turns after which the next roll is the last one that is shown."""


def moment_of(query: OpeningQuery) -> Moment:
    """The moment that is asked about; RollError, FormatError and IllegalMove where there is none."""
    moment = Moment(variant(query.variant), query.stake, (), STAKES[query.stake])
    for roll, text in ((query.roll, query.play), (query.reply_roll, query.reply)):
        if text or roll:
            moment = _played(moment, roll, text)
    if query.reply and not query.play:
        raise IllegalMove("a reply needs the play that it answers")
    return moment


def _played(moment: Moment, roll: str, text: str) -> Moment:
    faces = parse_faces(moment.rules.dice.rows, roll)
    if not moment.steps and faces not in opening_rolls(moment.rules):
        raise IllegalMove("the roll %(roll)s opens no game of %(name)s", roll=roll, name=moment.rules.name)
    play = parse_play(moment.rules, moment.position, faces, text)
    if play.again:
        raise IllegalMove("after %(play)s the same player rolls again; nobody replies", play=text)
    return moment.after(faces, play)


async def opening_of(moment: Moment, advisers: Advisers) -> OpeningLines:
    """The lines of a moment; BarpointError where there can be none."""
    book = _book(moment)
    rolls = () if book is None else await asyncio.to_thread(_from_book, book, moment)
    if not rolls:
        said = await advisers.answer("plays", moment.setup().inquiry, PLIES, registered=False)
        rolls = await asyncio.to_thread(_searched, moment, msgspec.json.decode(said, type=PlaysTable))
        book = None
    before = [(_text(faces), str(play)) for faces, play in moment.steps] + [("", "")] * LAST_STEPS
    return OpeningLines(
        variant=moment.rules.name,
        stake=moment.stake,
        roll=before[0][0],
        play=before[0][1],
        reply_roll=before[1][0],
        reply=before[1][1],
        book=None if book is None else book.settings,
        plies=PLIES if book is None else None,
        board=path_of(moment.setup()),
        rolls=rolls,
    )


def _book(moment: Moment) -> OpeningBook | None:
    try:
        return opening_book(moment.rules.name, moment.stake)
    except NoSuchBook:
        return None


def _from_book(book: OpeningBook, moment: Moment) -> tuple[OpeningRoll, ...]:
    if len(moment.steps) > 1:  # a third roll can lead back to a position of the book, at another stake
        return ()
    return tuple(
        _roll(moment, faces, book.find(moment.position, faces)) for faces in sorted(book.rolls(moment.position))
    )


def _searched(moment: Moment, found: PlaysTable) -> tuple[OpeningRoll, ...]:
    """The rolls of a search, with its plays as a book has them."""
    rules, rolls = moment.rules, []
    possible = {row.faces for row in rules.dice.rows} if moment.steps else set(opening_rolls(rules))
    for row in sorted(found.table, key=lambda row: row.faces):
        if row.faces in possible:
            best = row.plays[0].equity
            plays = [
                BookPlay(parse_play(rules, moment.position, row.faces, one.text), one.equity, None, best - one.equity)
                for one in row.plays
                if one.text
            ]
            rolls.append(_roll(moment, row.faces, plays))
    return tuple(rolls)


def _roll(moment: Moment, faces: tuple[int, ...], plays: tuple[BookPlay, ...] | list[BookPlay]) -> OpeningRoll:
    shown = tuple(
        OpeningPlay(
            play=str(item.play),
            equity=item.equity,
            error=item.error,
            loss=round(item.loss, 6),
            replies=len(moment.steps) < LAST_STEPS and not item.play.again,
            board=path_of(moment.after(faces, item.play).setup()),
        )
        for item in plays
    )
    return OpeningRoll(_text(faces), shown, path_of(moment.setup(faces)))


def _text(faces: tuple[int, ...]) -> str:
    return ("-" if max(faces, default=0) > 6 else "").join(map(str, faces))


def judged_by_book(setup: BoardSetup, answer: PositionAnswer) -> PositionAnswer:
    """An answer with the equities of the opening book, where that holds the roll of a money game."""
    rules = setup.rules
    if setup.length or setup.jacoby or setup.beavers or setup.owner or setup.cube != int(rules.cube):
        return answer
    try:
        found = opening_book(rules.name).find(setup.of_actor, setup.faces)
    except NoSuchBook:
        return answer
    return judged_by_rollout(answer, [(item.play, item.equity) for item in found])


def judged_by_rollout(answer: PositionAnswer, found: Sequence[tuple[Play, float]]) -> PositionAnswer:
    """An answer with the equities of plays that were rolled out, best first; as it is where there are none.

    A play that was left out was clearly worse: it loses what the answer says, and no less than those that were rolled out.
    """
    if not found:
        return answer
    best = found[0][1]
    known, least = [(counts_of(play.result), best - equity) for play, equity in found], best - found[-1][1]

    def judged(one: PlayAnswer) -> PlayAnswer:
        loss = next((loss for position, loss in known if position == one.position), max(one.loss, least))
        return structs.replace(one, equity=round(best - loss, 6), loss=round(loss, 6), mark=mark_of(loss))

    return structs.replace(answer, plays=tuple(sorted(map(judged, answer.plays), key=lambda one: one.loss)))
