"""How a player who decides for one side of a match decides at a table: each game is a money game to him."""

from __future__ import annotations

from barpoint.chouette.event import Act, Event, Waive
from barpoint.chouette.table import BOX, TEAM, Chouette, Pair
from barpoint.driver import Player
from barpoint.error import IllegalEvent
from barpoint.game import Double, Game
from barpoint.game import event as game_event
from barpoint.match import Match, MatchTerms


def match_of(table: Chouette, game: Game) -> Match:
    """A game of the table as a money session of two, the box player 0."""
    agreed = table.terms
    terms = MatchTerms(
        length=0,
        cube=agreed.cube,
        jacoby=agreed.jacoby,
        beavers=agreed.beavers,
        automatic_doubles=agreed.automatic_doubles,
        cube_limit=agreed.cube_limit,
    )
    return Match(table.rules, terms, game)


def decide(table: Chouette, player: int, chooser: Player) -> Event:
    """What a player for whom the table waits does now; a wish to roll is a `Roll` without faces.

    IllegalEvent where the table does not wait for him.
    """
    if player not in table.waits_for:
        raise IllegalEvent(f"the table does not wait for player {player}")
    if player == table.line[0]:
        return _as_box(table, player, chooser)
    pair = table.pair(player)
    assert pair is not None
    event = _asked(table, pair, TEAM, chooser)
    if player in table.undecided and not isinstance(event, Double):
        return Waive(player)
    return Act(event, player)


def _as_box(table: Chouette, player: int, chooser: Player) -> Event:
    if player in table.must_answer:
        pair = next(pair for pair in table.running if pair.game.actor == BOX and _answers(pair))
        event = _asked(table, pair, BOX, chooser)
        return Act(event, player, () if table.terms.one_cube else (pair.player,))
    doubled = []
    for pair in table.running:
        able = any(item.kind == "double" and item.player == BOX for item in pair.game.legal_events())
        if able and isinstance(_asked(table, pair, BOX, chooser), Double):
            doubled.append(pair.player)
    if doubled:
        return Act(Double(BOX), player, () if table.terms.one_cube else tuple(doubled))
    event = _asked(table, Pair(player, table.board), BOX, chooser)
    if isinstance(event, Double):  # asked twice, it has changed its mind
        event = game_event.Roll(BOX)
    return Act(event, player)


def _answers(pair: Pair) -> bool:
    return any(item.kind in ("take", "accept") for item in pair.game.legal_events())


def _asked(table: Chouette, pair: Pair, side: int, chooser: Player) -> game_event.Event:
    event = chooser.event(match_of(table, pair.game), side)
    if event is None:
        raise IllegalEvent(f"the game waits for a player in phase {pair.game.phase}, and he does nothing")
    return event
