"""What the players of a table may do now, and the refusals that say so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from barpoint.chouette.event import Event, kind_of
from barpoint.chouette.table import ANSWERS, BOX, MAX_PLAYERS, MIN_PLAYERS, TEAM, Chouette, Pair
from barpoint.error import IllegalEvent
from barpoint.game import Allowed, Phase
from barpoint.game.allowed import doubling_barred

ON_THE_BOARD: Final = frozenset({"roll", "play", "rollover", "keep"})
"""What the box and the captain do for everybody."""

FOR_EACH: Final = frozenset({"double", "take", "pass", "beaver", "raccoon", "resign", "accept", "reject"})
"""What is done in single games."""


@dataclass(frozen=True, slots=True)
class May:
    """Something that a player may do now.

    what: as in a game; its kind is also order, ask, waive, join, leave or next. to: the players of the team with whom
    the box may do it; a value is then that of the first of them.
    """

    what: Allowed
    to: tuple[int, ...] = ()


def refusal(table: Chouette, event: Event, why: str) -> IllegalEvent:
    """The error for an event that may not happen: what was found, then what is allowed."""
    found = sorted({f"{item.what.kind} (player {player})" for player in table.at_table for item in may(table, player)})
    return IllegalEvent(f"{kind_of(event)}: {why}; allowed now: {', '.join(found) or 'join'}")


def may_double(table: Chouette, player: int) -> bool:
    """Whether a player of the team may double the box now."""
    pair = table.pair(player)
    if pair is None or (table.terms.one_cube and player != table.captain):
        return False
    return not pair.game.over and not doubling_barred(pair.game, TEAM)


def may(table: Chouette, player: int) -> tuple[May, ...]:
    """Everything that a player at the table may do now, but what belongs to clocks; () for anybody else."""
    return tuple(_may(table, player)) if player in table.at_table and not table.over else ()


def _may(table: Chouette, player: int) -> Iterator[May]:
    if player not in table.leaving:
        yield May(Allowed("leave", player))
    if not table.playing:
        if can_begin(table):
            yield May(Allowed("next" if table.ordered else "order"))
        return
    if player == table.line[0]:
        yield from _box(table)
    elif table.pair(player) is not None:
        yield from _member(table, player)


def can_begin(table: Chouette) -> bool:
    """Whether there are players enough for the next game, or for the first order."""
    return not table.playing and not table.over and len(table.line) >= (2 if table.ordered else MIN_PLAYERS)


def has_room(table: Chouette) -> bool:
    """Whether somebody may still join."""
    return not table.over and len(table.at_table) < MAX_PLAYERS


def _member(table: Chouette, player: int) -> Iterator[May]:
    pair = table.pair(player)
    assert pair is not None
    for item in pair.game.legal_events():
        if item.player != TEAM:
            continue
        if item.kind == "double" and not may_double(table, player):
            continue
        if item.kind in FOR_EACH or (
            item.kind in ON_THE_BOARD and player == table.captain and _board_free(table, item)
        ):
            yield May(item)
    if player in table.undecided:
        yield May(Allowed("waive", TEAM))
    if not pair.game.over and player not in table.leaving:
        yield May(Allowed("ask", TEAM))


def _board_free(table: Chouette, item: Allowed) -> bool:
    """Whether no single game holds the board up."""
    if any(pair.game.phase in ANSWERS for pair in table.running):
        return False
    return not (item.kind == "roll" and item.player == TEAM and table.undecided)


def _box(table: Chouette) -> Iterator[May]:
    captain = table.pair(table.captain) if table.captain is not None else None
    shared = captain.game.legal_events() if captain is not None else ()
    yield from (
        May(item) for item in shared if item.player == BOX and item.kind in ON_THE_BOARD and _board_free(table, item)
    )
    for kind in sorted(FOR_EACH):
        found = [(pair, item) for pair in table.running for item in _own(pair) if item.kind == kind]
        if found:
            item = found[0][1]
            levels = tuple(sorted({level for _, one in found for level in one.levels}))
            yield May(replace(item, levels=levels), tuple(pair.player for pair, _ in found))


def _own(pair: Pair) -> tuple[Allowed, ...]:
    """What the box may do in one game."""
    return tuple(item for item in pair.game.legal_events() if item.player == BOX)


def settleable(table: Chouette, member: int) -> bool:
    """Whether the box and this player of the team may settle their game."""
    pair = table.pair(member)
    return pair is not None and pair.game.phase not in (Phase.OPENING, Phase.OVER)
