"""What each event does to a table: one function from value to value, refusing whatever may not happen now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from barpoint.chouette import gaming
from barpoint.chouette.allowed import can_begin, has_room, refusal, settleable
from barpoint.chouette.event import Act, Ask, Event, Join, Leave, Order, Propose, Seed, Waive
from barpoint.chouette.rotation import order_of
from barpoint.chouette.table import Chouette, GivenSeed, Proposal
from barpoint.error import IllegalEvent
from barpoint.game import event as game_event


def apply(table: Chouette, event: Event, recorded: bool = False) -> Chouette:
    """The table after the event; IllegalEvent says what was found and what is allowed.

    recorded: a play that keeps its position is taken at its word instead of being checked.
    """
    if table.over:
        raise IllegalEvent("the table is closed; nothing is allowed")
    if isinstance(event, Act):
        return _act(table, event, recorded)
    after: Chouette = _STEPS[type(event)](table, event)
    return replace(after, events=(*table.events, event))


def _act(table: Chouette, event: Act, recorded: bool) -> Chouette:
    if isinstance(event.event, game_event.Abort) and event.event.voided:
        return replace(table, events=(*table.events, event), playing=False, pairs=(), over=True)
    if isinstance(event.event, game_event.Next):
        if not table.ordered or not can_begin(table) or event.by is not None:
            raise refusal(table, event, "no game can begin now")
        return gaming.begin(replace(table, events=(*table.events, event)), len(table.events) + 1)
    if not table.playing:
        raise refusal(table, event, "no game is running")
    return gaming.act(table, event, recorded)


def _join(table: Chouette, event: Join) -> Chouette:
    player = event.player
    if player in table.at_table or player > len(table.ledger):
        raise refusal(table, event, f"player {player} is no newcomer; the next one is player {len(table.ledger)}")
    if not has_room(table):
        raise refusal(table, event, "the table is full")
    ledger = table.ledger if player < len(table.ledger) else (*table.ledger, 0)
    seen = replace(table, ledger=ledger, asks=table.asks | {player})
    if table.playing:
        return replace(seen, joining=(*table.joining, player))
    return replace(seen, line=(*table.line, player))


def _leave(table: Chouette, event: Leave) -> Chouette:
    player = event.player
    if player not in table.at_table or player in table.leaving:
        raise refusal(table, event, f"player {player} is not at the table, or leaves it already")
    calm = replace(table, asks=table.asks - {player}, joining=_without(table.joining, player))
    if player in table.joining:
        return calm
    if table.playing:
        return replace(calm, leaving=(*table.leaving, player))
    line = _without(table.line, player)
    return replace(calm, line=line, over=not line)


def _order(table: Chouette, event: Order) -> Chouette:
    if table.ordered or not can_begin(table):
        raise refusal(table, event, "the order is rolled for once, by three players or more")
    places = order_of(event.rolls, table.rules.dice.sides) if len(event.rolls) == len(table.line) else None
    if places is None:
        raise refusal(table, event, f"rolls {event.rolls} do not decide the order of {len(table.line)} players")
    line = tuple(table.line[place] for place in places)
    return gaming.begin(replace(table, ordered=True, line=line), len(table.events) + 1)


def _ask(table: Chouette, event: Ask) -> Chouette:
    if event.player not in table.at_table or event.player in table.leaving:
        raise refusal(table, event, "only who stays at the table can be asked")
    asks = table.asks | {event.player} if event.on else table.asks - {event.player}
    return replace(table, asks=asks)


def _waive(table: Chouette, event: Waive) -> Chouette:
    if not table.playing or event.player not in table.undecided:
        raise refusal(table, event, f"player {event.player} is not asked")
    return replace(table, waived=table.waived | {event.player})


def _propose(table: Chouette, event: Propose) -> Chouette:
    if not table.playing or event.player not in (table.line[0], event.member) or not settleable(table, event.member):
        raise refusal(table, event, "a settlement is offered by one of the two whose game it ends")
    if event.points * 4 != int(event.points * 4):
        raise refusal(table, event, f"{event.points} points; a settlement is in quarters of a point")
    others = tuple(one for one in table.proposals if (one.player, one.member) != (event.player, event.member))
    return replace(table, proposals=(*others, Proposal(event.player, event.member, event.points)))


def _seed(table: Chouette, event: Seed) -> Chouette:
    if event.player not in table.at_table or any(given.player == event.player for given in table.seeds):
        raise refusal(table, event, "who is at the table gives a seed for the dice, and gives it once")
    game = len(table.finished) + (2 if table.playing else 1) if table.ordered else 0
    return replace(table, seeds=(*table.seeds, GivenSeed(event.player, event.text, game)))


def _without(players: tuple[int, ...], player: int) -> tuple[int, ...]:
    return tuple(one for one in players if one != player)


_STEPS: Final[dict[type, Callable[..., Chouette]]] = {
    Join: _join,
    Leave: _leave,
    Order: _order,
    Ask: _ask,
    Waive: _waive,
    Propose: _propose,
    Seed: _seed,
}
