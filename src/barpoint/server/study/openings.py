"""The opening book as a page and programs see it: the rolls at the start, or the replies to one first play."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from barpoint.board import Position
from barpoint.engine.cube_info import CubeInfo
from barpoint.engine.opening_book import STAKES, BookSettings, OpeningBook, opening_book
from barpoint.error import IllegalMove
from barpoint.moves import parse_faces, parse_play
from barpoint.server.domain.analysis_board import BoardSetup, path_of
from barpoint.server.domain.limits import MAX_VARIANT_NAME

Stake = Literal["money", "dmp", "gammon-go", "gammon-save"]

_LENGTH: Final = 25
"""Points of the match by whose score an address says a stake; only what is left to win counts."""


class OpeningQuery(Struct, frozen=True):
    """Which lines of the book: those after a first play, or without one the first plays themselves.

    roll: such as 31. play: such as "8/5 6/5".
    """

    variant: Annotated[str, Meta(max_length=MAX_VARIANT_NAME)] = "backgammon"
    stake: Stake = "money"
    roll: Annotated[str, Meta(max_length=8)] = ""
    play: Annotated[str, Meta(max_length=80)] = ""


class OpeningPlay(Struct, frozen=True):
    """A play of the book. equity, error, loss: for the player who makes it, as in a rollout. replies: the book has some.

    board: the address of the analysis board after it, with the other side to roll.
    """

    play: str
    equity: float
    error: float
    loss: float
    replies: bool
    board: str


class OpeningRoll(Struct, frozen=True):
    """A roll with its plays, best first; a play that is not listed is clearly worse. board: its analysis board."""

    roll: str
    plays: tuple[OpeningPlay, ...]
    board: str


class OpeningLines(Struct, frozen=True):
    """Lines of the book. play: the first play of `roll` that they answer, "" at the start. board: before they roll."""

    variant: str
    stake: Stake
    roll: str
    play: str
    settings: BookSettings
    board: str
    rolls: tuple[OpeningRoll, ...]


def opening_of(query: OpeningQuery) -> OpeningLines:
    """What the book holds; NoSuchBook, RollError, FormatError and IllegalMove where it can hold nothing."""
    book = opening_book(query.variant, query.stake)
    rules, info, position = book.rules, STAKES[query.stake], book.rules.start
    faces = parse_faces(rules.dice.rows, query.roll) if query.play else ()
    if query.play:
        position, info = parse_play(rules, position, faces, query.play).result.flip(), info.flip()
    rolls = book.rolls(position)
    if not rolls:
        raise IllegalMove("the opening book holds no replies to %(play)s", play=query.play)
    return OpeningLines(
        variant=rules.name,
        stake=query.stake,
        roll=_text(faces),
        play=query.play,
        settings=book.settings,
        board=_board(book, info, position),
        rolls=tuple(_roll(book, info, position, roll) for roll in sorted(rolls)),
    )


def _roll(book: OpeningBook, info: CubeInfo, position: Position, faces: tuple[int, ...]) -> OpeningRoll:
    plays = tuple(
        OpeningPlay(
            play=str(item.play),
            equity=item.equity,
            error=item.error,
            loss=item.loss,
            replies=position == book.rules.start and bool(book.rolls(item.play.result.flip())),
            board=_board(book, info.flip(), item.play.result.flip()),
        )
        for item in book.find(position, faces)
    )
    return OpeningRoll(_text(faces), plays, _board(book, info, position, faces))


def _text(faces: tuple[int, ...]) -> str:
    return ("-" if max(faces, default=0) > 6 else "").join(map(str, faces))


def _board(book: OpeningBook, info: CubeInfo, position: Position, faces: tuple[int, ...] = ()) -> str:
    """The address of the analysis board for the player to act."""
    score = info.score
    length = _LENGTH if score else 0
    return path_of(
        BoardSetup(
            rules=book.rules,
            position=position,
            faces=faces,
            cube=1 if book.rules.cube else 0,
            length=length,
            score=(length - score.us, length - score.them) if score else (0, 0),
            crawford=bool(score and score.crawford),
            tokens=(book.rules.rerolls.tokens,) * 2,
        )
    )
