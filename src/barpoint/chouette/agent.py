"""Lets a match player such as a bot decide in a chouette; each game of the chouette is a money game to them."""

from __future__ import annotations

from barpoint.chouette.event import Act, ChouetteEvent, Waive
from barpoint.chouette.state import BOX, TEAM, Chouette, Pair
from barpoint.driver import Player
from barpoint.error import IllegalEvent
from barpoint.game import Double, Game
from barpoint.game import event as game_event
from barpoint.match import Match, MatchTerms


def match_of(chouette: Chouette, game: Game) -> Match:
    """A game of the chouette as a money session of two; the box is player 0."""
    agreed = chouette.terms
    terms = MatchTerms(
        length=0,
        cube=agreed.cube,
        jacoby=agreed.jacoby,
        beavers=agreed.beavers,
        automatic_doubles=agreed.automatic_doubles,
        cube_limit=agreed.cube_limit,
    )
    return Match(chouette.rules, terms, game)


def decide(chouette: Chouette, player: int, chooser: Player) -> ChouetteEvent:
    """The event of a player the chouette waits for; a request to roll is a `Roll` without faces.

    IllegalEvent when the chouette does not wait for this player.
    """
    if player not in chouette.waits_for:
        raise IllegalEvent("the chouette does not wait for player %(player)s", player=player)
    if player == chouette.line[0]:
        return _as_box(chouette, player, chooser)
    pair = chouette.pair(player)
    assert pair is not None
    event = _asked(chouette, pair, TEAM, chooser)
    if player in chouette.undecided and not isinstance(event, Double):
        return Waive(player)
    return Act(event, player)


def _as_box(chouette: Chouette, player: int, chooser: Player) -> ChouetteEvent:
    if player in chouette.must_answer:
        pair = next(pair for pair in chouette.running if pair.game.actor == BOX and _answers(pair))
        event = _asked(chouette, pair, BOX, chooser)
        return Act(event, player, () if chouette.terms.one_cube else (pair.player,))
    doubled = []
    for pair in chouette.running:
        able = any(item.kind == "double" and item.player == BOX for item in pair.game.legal_events())
        if able and isinstance(_asked(chouette, pair, BOX, chooser), Double):
            doubled.append(pair.player)
    if doubled:
        return Act(Double(BOX), player, () if chouette.terms.one_cube else tuple(doubled))
    event = _asked(chouette, Pair(player, chouette.board), BOX, chooser)
    if isinstance(event, Double):  # asked a second time, they have changed their mind
        event = game_event.Roll(BOX)
    return Act(event, player)


def _answers(pair: Pair) -> bool:
    return any(item.kind in ("take", "accept") for item in pair.game.legal_events())


def _asked(chouette: Chouette, pair: Pair, side: int, chooser: Player) -> game_event.Event:
    event = chooser.event(match_of(chouette, pair.game), side)
    if event is None:
        raise IllegalEvent("the game waits for a player in phase %(phase)s, and they do nothing", phase=pair.game.phase)
    return event
