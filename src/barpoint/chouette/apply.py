"""Dispatches each event to the function that handles it; events that are not allowed now are refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from barpoint.chouette import games
from barpoint.chouette.allowed import can_begin, has_room, refusal, settleable
from barpoint.chouette.event import Act, Ask, ChouetteEvent, Join, Leave, Order, Propose, Seed, Waive, Withdraw
from barpoint.chouette.rotation import order_of
from barpoint.chouette.state import Chouette, GivenSeed, Proposal
from barpoint.error import IllegalEvent
from barpoint.game import event as game_event


def apply(chouette: Chouette, event: ChouetteEvent) -> Chouette:
    """The chouette after the event; IllegalEvent says what was found and what is allowed."""
    return _after(chouette, event, _STEPS)


def replay(chouette: Chouette, event: ChouetteEvent) -> Chouette:
    """As `apply`, but trusts a play that records its resulting position."""
    return _after(chouette, event, _RECORDED_STEPS)


def _after(chouette: Chouette, event: ChouetteEvent, steps: Mapping[type, Callable[..., Chouette]]) -> Chouette:
    if chouette.over:
        raise IllegalEvent("the chouette is closed; nothing is allowed")
    kind = type(event.event) if isinstance(event, Act) else type(event)
    step = steps.get(kind)
    if step is None:
        raise IllegalEvent(
            "%(kind)s is no event of a chouette; allowed: %(kinds)s",
            kind=kind.__name__,
            kinds=", ".join(one.__name__ for one in steps),
        )
    after = step(chouette, event)
    return replace(after, events=(*chouette.events, games.completed(chouette, after, event)))


def _join(chouette: Chouette, event: Join) -> Chouette:
    player = event.player
    if player in chouette.present or player > len(chouette.ledger):
        newcomer = len(chouette.ledger)
        raise refusal(
            chouette,
            event,
            "player %(player)s is no newcomer; the next one is player %(newcomer)s",
            player=player,
            newcomer=newcomer,
        )
    if not has_room(chouette):
        raise refusal(chouette, event, "the chouette is full")
    ledger = chouette.ledger if player < len(chouette.ledger) else (*chouette.ledger, 0)
    seen = replace(chouette, ledger=ledger, asks=chouette.asks | {player})
    if chouette.playing:
        return replace(seen, joining=(*chouette.joining, player))
    return replace(seen, line=(*chouette.line, player))


def _leave(chouette: Chouette, event: Leave) -> Chouette:
    player = event.player
    if player not in chouette.present or player in chouette.leaving:
        raise refusal(chouette, event, "player %(player)s is not in the chouette, or leaves it already", player=player)
    calm = replace(chouette, asks=chouette.asks - {player}, joining=_without(chouette.joining, player))
    if player in chouette.joining:
        return calm
    if chouette.playing:
        return replace(calm, leaving=(*chouette.leaving, player))
    line = _without(chouette.line, player)
    return replace(calm, line=line, over=not line)


def _order(chouette: Chouette, event: Order) -> Chouette:
    if chouette.ordered or not can_begin(chouette):
        raise refusal(chouette, event, "the order is rolled for once, by three players or more")
    count = len(chouette.line)
    places = order_of(event.rolls, chouette.rules.dice.sides) if len(event.rolls) == count else None
    if places is None:
        raise refusal(
            chouette,
            event,
            "rolls %(rolls)s do not decide the order of %(count)s players",
            rolls=event.rolls,
            count=count,
        )
    line = tuple(chouette.line[place] for place in places)
    return games.begin(replace(chouette, ordered=True, line=line))


def _ask(chouette: Chouette, event: Ask) -> Chouette:
    if event.player not in chouette.present or event.player in chouette.leaving:
        raise refusal(chouette, event, "only a player who stays in the chouette can be asked")
    asks = chouette.asks | {event.player} if event.on else chouette.asks - {event.player}
    return replace(chouette, asks=asks)


def _waive(chouette: Chouette, event: Waive) -> Chouette:
    if not chouette.playing or event.player not in chouette.undecided:
        raise refusal(chouette, event, "player %(player)s is not asked", player=event.player)
    return replace(chouette, waived=chouette.waived | {event.player})


def _propose(chouette: Chouette, event: Propose) -> Chouette:
    parties = (chouette.line[0], event.member) if chouette.playing else ()
    if event.player not in parties or not settleable(chouette, event.member):
        raise refusal(chouette, event, "a settlement is offered by one of the two whose game it ends")
    if event.points * 4 != int(event.points * 4):
        raise refusal(chouette, event, "%(points)s points; a settlement is in quarters of a point", points=event.points)
    pair = chouette.pair(event.member)
    assert pair is not None
    offer = Proposal(event.player, event.member, event.points, pair.game)
    return replace(chouette, proposals=(*_others(chouette, event), offer))


def _withdraw(chouette: Chouette, event: Withdraw) -> Chouette:
    if not any((one.player, one.member) == (event.player, event.member) for one in chouette.offers):
        raise refusal(chouette, event, "player %(player)s offers no settlement there", player=event.player)
    return replace(chouette, proposals=_others(chouette, event))


def _others(chouette: Chouette, event: Propose | Withdraw) -> tuple[Proposal, ...]:
    """The settlements offered by anybody else, or in another game."""
    return tuple(one for one in chouette.proposals if (one.player, one.member) != (event.player, event.member))


def _seed(chouette: Chouette, event: Seed) -> Chouette:
    if event.player not in chouette.present or any(given.player == event.player for given in chouette.seeds):
        raise refusal(chouette, event, "each player in the chouette gives one seed for the dice")
    game = len(chouette.finished) + (2 if chouette.playing else 1) if chouette.ordered else 0
    return replace(chouette, seeds=(*chouette.seeds, GivenSeed(event.player, event.text, game)))


def _without(players: tuple[int, ...], player: int) -> tuple[int, ...]:
    return tuple(one for one in players if one != player)


_STEPS: Final[Mapping[type, Callable[..., Chouette]]] = {
    # who sits in the chouette
    Join: _join,
    Leave: _leave,
    Order: _order,
    Ask: _ask,
    Waive: _waive,
    Propose: _propose,
    Withdraw: _withdraw,
    Seed: _seed,
    # in every game of the chouette at once
    game_event.Opening: games.on_the_board,
    game_event.Roll: games.on_the_board,
    game_event.PlayMade: games.on_the_board,
    game_event.Rollover: games.on_the_board,
    game_event.Keep: games.on_the_board,
    # in single games
    game_event.Double: games.in_single_games,
    game_event.Take: games.in_single_games,
    game_event.Pass: games.in_single_games,
    game_event.Beaver: games.in_single_games,
    game_event.Raccoon: games.in_single_games,
    game_event.Resign: games.in_single_games,
    game_event.Accept: games.in_single_games,
    game_event.Reject: games.in_single_games,
    game_event.Settle: games.settle,
    game_event.Timeout: games.timeout,
    # from game to game
    game_event.Next: games.next_game,
    game_event.Abort: games.abort,
    # never in a chouette
    game_event.Claim: games.refuse,
    game_event.Void: games.refuse,
    game_event.Object: games.refuse,
    game_event.Correct: games.refuse,
}
"""The step of each kind of event; an `Act` takes the step of the game event inside it."""

_RECORDED_STEPS: Final[Mapping[type, Callable[..., Chouette]]] = {
    **_STEPS,
    game_event.PlayMade: games.on_the_board_as_recorded,
}
"""The steps of a replay: a play that records its resulting position is not checked again."""
