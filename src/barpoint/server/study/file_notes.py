"""What the file of an imported match says about its events, in sentences for its replay."""

from __future__ import annotations

from msgspec import Struct

from barpoint.language import _, number, percent
from barpoint.record import Book
from barpoint.record.annotation import Annotation, EvaluatedCube, EvaluatedPlay

SHOWN = 3
"""Plays of a decision that are shown."""


class FileNote(Struct, frozen=True):
    """What the file says about an event. seq: its number, from 1. lines: in the reader's language."""

    seq: int
    lines: tuple[str, ...]


def file_notes(book: Book) -> tuple[FileNote, ...]:
    """What the file of a book says, event by event."""
    return tuple(FileNote(seq, _lines(one, book.program)) for seq, one in sorted(book.annotations.items()))


def _lines(one: Annotation, program: str) -> tuple[str, ...]:
    found = [_("From the file: %(text)s", text=one.comment)] if one.comment else []
    said = [_play(play) for play in one.plays[:SHOWN]]
    texts = ["; ".join(said)] if said else []
    if one.cube is not None:
        texts.append(_cube(one.cube))
    for text in texts:
        if program:
            found.append(_("From the file: %(text)s (%(program)s)", text=text, program=program))
        else:
            found.append(_("From the file: %(text)s", text=text))
    return tuple(found)


def _play(play: EvaluatedPlay) -> str:
    equity = number(play.equity, 3, sign=True)
    name = play.text or _("no play")
    return f"{name} {equity}, {play.level}" if play.level else f"{name} {equity}"


def _cube(cube: EvaluatedCube) -> str:
    def shown(value: float) -> str:
        return percent(value, 1) if cube.mwc else number(value, 3, sign=True)

    values = {"stay": shown(cube.no_double), "take": shown(cube.take)}
    if cube.drop is None:
        return _("no double %(stay)s, take %(take)s", **values)
    return _("no double %(stay)s, take %(take)s, pass %(drop)s", **values, drop=shown(cube.drop))
