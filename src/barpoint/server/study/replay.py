"""Replays of matches: what a viewer may see after each event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct, structs

from barpoint.game import Next
from barpoint.language import N_, _, number
from barpoint.match import Match
from barpoint.record import Book
from barpoint.server.domain.titles import title_in_turn
from barpoint.server.protocol.board_view import BoardView, LogLine
from barpoint.server.protocol.match_text import EventTold, Names
from barpoint.server.protocol.match_view import BoardScene, line, view
from barpoint.server.study.file_notes import FileNote, FileVerdict, file_notes, file_verdicts
from barpoint.variants import rules_of_game


class Chapter(Struct, frozen=True):
    """A game of the match. first, last: numbers of its events; event 0 is the start, before the first one.

    score: of near and far before the game. result: in one line, "" while it is being played. title: of the game, where games
    take turns, else "".
    """

    game: int
    first: int
    last: int
    score: tuple[float, float]
    result: str
    title: str = ""


class Contents(Struct, frozen=True):
    """The contents of the match: every event as a line, and the games. near: the seat shown at the bottom. notes, verdicts: what
    the file of an imported match says.
    """

    near: int
    over: bool
    chapters: tuple[Chapter, ...]
    lines: tuple[LogLine, ...]
    notes: tuple[FileNote, ...] = ()
    verdicts: tuple[FileVerdict, ...] = ()


@dataclass(frozen=True, slots=True)
class Reel:
    """A match with the descriptions of its events, as of one moment; both are values."""

    match: Match
    told: tuple[EventTold, ...]

    @property
    def games(self) -> int:
        """How many games have begun; the first counts from the start."""
        return max((told.game for told in self.told), default=1)


def contents(reel: Reel, names: Names, book: Book | None = None) -> Contents:
    """The list of events, as this viewer reads it. book: of an imported match."""
    near, rules = names.you or 0, reel.match.rules
    chapters = []
    for game in range(1, reel.games + 1):
        seqs = [told.seq for told in reel.told if told.game == game]
        first = 0 if game == 1 else seqs[0]
        done = reel.match.finished[game - 1] if game <= len(reel.match.finished) else None
        before = reel.match.finished[game - 2].score if game > 1 else reel.match.terms.first_score
        chapters.append(
            Chapter(
                game,
                first,
                seqs[-1] if seqs else 0,
                (before[near], before[1 - near]),
                "" if done is None else _result(done.result.winner, done.result.points, names),
                title_in_turn(rules, rules_of_game(rules, game - 1)),
            )
        )
    return Contents(
        near,
        reel.match.over,
        tuple(chapters),
        tuple(line(told, names, rules) for told in reel.told),
        file_notes(book) if book else (),
        file_verdicts(book) if book else (),
    )


def _result(winner: int | None, points: float, names: Names) -> str:
    if winner is None:
        return _("drawn")
    return names.said(winner, N_("You win %(points)s"), N_("%(player)s wins %(points)s"), points=number(points))


def frames(reel: Reel, names: Names, game: int, near: int | None = None) -> tuple[BoardView, ...]:
    """The board after each event of a game, without actions; for the first game also before any event.

    near: the player at the bottom, whose numbers the points have; None for the viewer.
    """
    below = (names.you or 0) if near is None else near
    shown = []
    match = Match.start(rules=reel.match.rules, terms=reel.match.terms)
    if game == 1:
        shown.append(_frame(match, None, names, below))
    for told, event in zip(reel.told, reel.match.events, strict=True):
        if told.game > game:
            break
        match = match.replay(event)
        if told.game == game:
            shown.append(_frame(match, None if isinstance(event, Next) else told, names, below))
    return tuple(shown)


def _frame(match: Match, last: EventTold | None, names: Names, near: int) -> BoardView:
    seen = view(BoardScene(match, last, (), playing=False), names, near)
    actor = match.game.actor
    return structs.replace(seen, to_act=None if actor is None else "near" if actor == near else "far")


def spectator(names: Sequence[str], seat: int | None) -> Names:
    """What the players are called for a spectator. One person on both seats watches from the first."""
    return Names((names[0], names[1]), seat if seat in (0, 1) else None)
