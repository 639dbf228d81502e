"""What the players of a chouette may do now, and the matching errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from msgspec import structs

from barpoint.chouette.event import Act, ChouetteEvent, kind_of
from barpoint.chouette.state import ANSWERS, BOX, MAX_PLAYERS, MIN_PLAYERS, TEAM, Chouette
from barpoint.error import IllegalEvent
from barpoint.game import Allowed, Phase, Settle

ON_THE_BOARD: Final = frozenset({"roll", "play", "rollover", "keep"})
"""Events that the box and the captain cause for all games at once."""

FOR_EACH: Final = frozenset({"double", "take", "pass", "beaver", "raccoon", "resign", "accept", "reject"})
"""Events that happen in single games."""


@dataclass(frozen=True, slots=True)
class May:
    """An action that a player may take now.

    what: as in a game, or one of order, ask, waive, join, leave and next. to: the players of the team with whom the box
    may do it; `what` then holds for all of them together: a value only where all cubes have it, points in sum. A level of
    a resignation is offered to those who have not just rejected it.
    """

    what: Allowed
    to: tuple[int, ...] = ()


def refusal(chouette: Chouette, event: ChouetteEvent, why: object, /, **values: object) -> IllegalEvent:
    """The error for an event that is not allowed: what was found, then what is allowed. why: a text, or another error."""
    found = sorted(
        {f"{item.what.kind} (player {player})" for player in chouette.present for item in may(chouette, player)}
    )
    return IllegalEvent(
        "%(event)s: %(why)s; allowed now: %(allowed)s",
        event=kind_of(event),
        why=IllegalEvent(why, **values),
        allowed=", ".join(found) or "join",
    )


def may(chouette: Chouette, player: int) -> tuple[May, ...]:
    """Everything that a player in the chouette may do now, except what depends on clocks; () for anybody else."""
    return tuple(_may(chouette, player)) if player in chouette.present and not chouette.over else ()


def _may(chouette: Chouette, player: int) -> Iterator[May]:
    if player not in chouette.leaving:
        yield May(Allowed("leave", player))
    if not chouette.playing:
        if can_begin(chouette):
            yield May(Allowed("next" if chouette.ordered else "order"))
        return
    if player == chouette.line[0]:
        yield from _box(chouette)
    elif chouette.pair(player) is not None:
        yield from _member(chouette, player)


def can_begin(chouette: Chouette) -> bool:
    """Whether there are enough players for the next game, or for the first order."""
    return not chouette.playing and not chouette.over and len(chouette.line) >= (2 if chouette.ordered else MIN_PLAYERS)


def has_room(chouette: Chouette) -> bool:
    """Whether another player may join."""
    return not chouette.over and len(chouette.present) < MAX_PLAYERS


def _member(chouette: Chouette, player: int) -> Iterator[May]:
    pair = chouette.pair(player)
    assert pair is not None
    for item in pair.game.legal_events():
        if item.player != TEAM:
            continue
        if item.kind == "double" and not chouette.may_double(player):
            continue
        if item.kind in FOR_EACH or (
            item.kind in ON_THE_BOARD and player == chouette.captain and _board_free(chouette, item)
        ):
            yield May(item)
    if player in chouette.undecided:
        yield May(Allowed("waive", TEAM))
    if not pair.game.over and player not in chouette.leaving:
        yield May(Allowed("ask", TEAM))


def _board_free(chouette: Chouette, item: Allowed) -> bool:
    """Whether no single game stops the board."""
    if any(pair.game.phase in ANSWERS for pair in chouette.running):
        return False
    return not (item.kind == "roll" and item.player == TEAM and chouette.undecided)


def _box(chouette: Chouette) -> Iterator[May]:
    captain = chouette.pair(chouette.captain) if chouette.captain is not None else None
    shared = captain.game.legal_events() if captain is not None else ()
    yield from (
        May(item) for item in shared if item.player == BOX and item.kind in ON_THE_BOARD and _board_free(chouette, item)
    )
    for kind in sorted(FOR_EACH):
        found = {pair.player: item for pair in chouette.running if (item := for_box(chouette, pair.player, kind))}
        if found:
            yield May(_together(list(found.values())), tuple(found))


def _together(items: list[Allowed]) -> Allowed:
    """One entry for what the box may do in several games at once."""
    values = {item.value for item in items}
    value = values.pop() if len(values) == 1 else 0
    levels = tuple(sorted({level for item in items for level in item.levels}))
    if levels:
        costs = [dict(zip(item.levels, item.points, strict=True)) for item in items]
        points = tuple(sum(cost.get(level, 0) for cost in costs) for level in levels)
    else:
        points = tuple(map(sum, zip(*(item.points for item in items), strict=True)))
    return structs.replace(items[0], value=value, levels=levels, points=points)


def for_box(chouette: Chouette, player: int, kind: str) -> Allowed | None:
    """What the box may do in the game against one player of the team."""
    pair = chouette.pair(player)
    if pair is None or (kind == "double" and chouette.cube_waits):
        return None
    return next((item for item in pair.game.legal_events() if (item.kind, item.player) == (kind, BOX)), None)


def settleable(chouette: Chouette, member: int) -> bool:
    """Whether the box and this player of the team may settle their game."""
    pair = chouette.pair(member)
    return pair is not None and pair.game.phase not in (Phase.OPENING, Phase.OVER)


def check_offer(chouette: Chouette, event: ChouetteEvent) -> None:
    """IllegalEvent if a settlement is accepted whose game has gone on since. Asked of what is done now alone: older logs have some."""
    if not isinstance(event, Act) or not isinstance(event.event, Settle):
        return
    points, others = event.event.points, [one for one in chouette.proposals if one.player != event.by]
    meant = next((one for one in others if ((one.member,), one.points) == (event.to, points)), None)
    if meant is not None and meant not in chouette.offers:
        raise refusal(chouette, event, "this offer held until the next roll, play or cube action; another is needed")
