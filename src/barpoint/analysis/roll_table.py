"""What each roll leads to, before the roll: its best play and the equity that is left, or its best few plays."""

from __future__ import annotations

from msgspec import Struct

from barpoint.analysis.inquiry import Inquiry, engine_of, point_of_inquiry
from barpoint.analysis.position import play_text
from barpoint.engine import DecisionPoint
from barpoint.engine.net import net_version
from barpoint.engine.opening_book import CANDIDATES, CLOSE
from barpoint.game.event import MoveMade


class RollAnswer(Struct, frozen=True):
    """A roll. weight: of `rolls` of the table. text: its best play, "" where nothing can be played.

    equity: of the player who rolls. gain: over the mean of all rolls.
    """

    faces: tuple[int, ...]
    weight: int
    text: str
    moves: tuple[MoveMade, ...]
    equity: float
    gain: float


class RollTable(Struct, frozen=True):
    """Every roll of the player to act, in the order of the dice. mean: equity over all rolls, without a double now."""

    net: str
    plies: int
    rolls: int
    mean: float
    table: tuple[RollAnswer, ...]


def answer_rolls(inquiry: Inquiry, plies: int) -> RollTable:
    """The rolls of the player to act; a roll that the inquiry names is left out of account. BarpointError."""
    rules, point = inquiry.rules, point_of_inquiry(inquiry)
    position = point.position.to_roll()
    engine = engine_of(rules, plies)
    rows = rules.dice.rows
    best = [engine.rank(DecisionPoint(position, point.cube_info, point.tokens, row.faces), limit=1)[0] for row in rows]
    rolls = sum(row.weight for row in rows)
    mean = sum(row.weight * item.equity for row, item in zip(rows, best, strict=True)) / rolls
    table = tuple(
        RollAnswer(
            row.faces,
            row.weight,
            play_text(item.play),
            item.play.moves,
            round(item.equity, 6),
            round(item.equity - mean, 6),
        )
        for row, item in zip(rows, best, strict=True)
    )
    return RollTable(net_version(rules), plies, rolls, round(mean, 6), table)


class SearchedPlay(Struct, frozen=True):
    """A play by search. text: its notation, "" where nothing can be played. equity: of the player who rolls."""

    text: str
    equity: float


class RollPlays(Struct, frozen=True):
    """A roll with its best few plays, best first."""

    faces: tuple[int, ...]
    plays: tuple[SearchedPlay, ...]


class PlaysTable(Struct, frozen=True):
    """Every roll of the player to act with its best few plays, in the order of the dice: as an opening book lists them."""

    net: str
    plies: int
    table: tuple[RollPlays, ...]


def answer_plays(inquiry: Inquiry, plies: int) -> PlaysTable:
    """The best plays of every roll; a roll that the inquiry names is left out of account. BarpointError."""
    rules, point = inquiry.rules, point_of_inquiry(inquiry)
    engine = engine_of(rules, plies)
    found = []
    for row in rules.dice.rows:
        here = DecisionPoint(point.position.to_roll(), point.cube_info, point.tokens, row.faces)
        ranked = [item for item in engine.rank(here, limit=CANDIDATES) if item.loss <= CLOSE]
        plays = tuple(SearchedPlay(play_text(item.play), round(item.equity, 6)) for item in ranked)
        found.append(RollPlays(row.faces, plays))
    return PlaysTable(net_version(rules), plies, tuple(found))
