"""Reports of long matches in parts, so that a page reads what it shows: an outline, and what was found in one game."""

from __future__ import annotations

import gzip
from typing import Final

import msgspec
from msgspec import Raw, Struct, structs

from barpoint.analysis.findings import Decision, RollLuck
from barpoint.analysis.judge import SAME

LIGHT: Final = 32 * 1024
"""Bytes up to which a compressed report is no long one: about 200 events."""


class OptionOutline(Struct, frozen=True):
    """An option of a decision in an outline."""

    text: str
    loss: float


class ThemeOutline(Struct, frozen=True):
    """A theme of a decision in an outline."""

    name: str


class DecisionOutline(Struct, frozen=True, omit_defaults=True):
    """A decision in an outline: what lists, counts and curves show of it. options: the best ones, and the one that was taken."""

    event: int
    game: int
    player: int
    kind: str
    stage: str
    chosen: int
    options: tuple[OptionOutline, ...]
    loss: float
    counted: bool
    mark: str = ""
    faces: tuple[int, ...] = ()
    themes: tuple[ThemeOutline, ...] = ()
    level: int = 0
    plies: int | None = None
    games: int = 0


class GamePart(Struct, frozen=True):
    """What was found in one game."""

    decisions: tuple[Decision, ...]
    rolls: tuple[RollLuck, ...]


def outline(packed: bytes) -> bytes:
    """The outline of a long report: outlines of the decisions, no rolls, and "outline": true; a report that is not long as it is.

    Both are JSON, compressed with gzip.
    """
    if len(packed) <= LIGHT:
        return packed
    fields = msgspec.json.decode(gzip.decompress(packed), type=dict[str, Raw])
    decisions = msgspec.json.decode(fields["decisions"], type=tuple[DecisionOutline, ...])
    shown = {**fields, "outline": True, "decisions": tuple(map(_shortened, decisions)), "rolls": ()}
    return gzip.compress(msgspec.json.encode(shown), 6)


def _shortened(one: DecisionOutline) -> DecisionOutline:
    kept = [at for at, option in enumerate(one.options) if at == one.chosen or option.loss < SAME]
    return structs.replace(one, options=tuple(one.options[at] for at in kept), chosen=kept.index(one.chosen))


def of_game(packed: bytes, game: int) -> bytes:
    """The decisions and rolls of a game, from 1, as JSON, compressed with gzip."""
    found = msgspec.json.decode(gzip.decompress(packed), type=GamePart)
    part = GamePart(
        tuple(one for one in found.decisions if one.game == game), tuple(one for one in found.rolls if one.game == game)
    )
    return gzip.compress(msgspec.json.encode(part), 6)
