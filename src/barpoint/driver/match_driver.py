"""Plays one game or match: rolls the dice and asks the players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, Unpack

from barpoint.error import ArgumentError, IllegalEvent, check_kind
from barpoint.game import Event, Game, Next, Phase, Roll
from barpoint.match import Match
from barpoint.match.terms import MatchOptions
from barpoint.rules import Rules


class Player(Protocol):
    """Decides for one side: a bot, or a person at a terminal."""

    def event(self, match: Match, player: int) -> Event | None:
        """What `player` does now; a `Roll` without faces asks for the dice.

        None to do nothing, which is possible only while the game does not wait for them.
        """


def play(
    rules: Rules | str,
    first: Player,
    second: Player,
    *,
    dice: Iterator[int],
    length: int = 0,
    **options: Unpack[MatchOptions],
) -> Iterator[Game]:
    """One game between player 0, `first`, and player 1, `second`: the game after each event, the last one over.

    dice: numbers 0 <= n < 252, as `dice.seeded` gives them. length and options as in `match.MatchTerms`; a money game by default.
    """
    match = Match.start(length, rules, **options)
    for state in play_match(match, first, second, dice=dice):
        yield state.game
        if state.game.over:
            return


def play_match(match: Match, first: Player, second: Player, *, dice: Iterator[int]) -> Iterator[Match]:
    """The match after each event until it is over; a money session has no end. dice: as for `play`."""
    check_kind("match", match, Match)
    check_kind("dice", dice, Iterator)
    players = (first, second)
    for player in players:
        check_player(player)
    while not match.over:
        match = match.apply(next_event(match, players, dice))
        yield match


def check_player(player: object) -> None:
    """ArgumentError for something that is not a `Player`."""
    if not hasattr(player, "event"):
        raise ArgumentError("%(player)r is no player; a player has a method event(match, player)", player=player)


def next_event(match: Match, players: tuple[Player, Player], dice: Iterator[int]) -> Event:
    """The next event: a player's decision, or a roll of the dice when one is due."""
    game = match.game
    if game.over:
        return Next()
    if game.phase is Phase.OPENING:
        return _rolled(game, dice)
    actor = game.actor
    assert actor is not None
    if _other_may_reroll(game, actor):
        called = players[1 - actor].event(match, 1 - actor)
        if called is not None:
            return called
    event = players[actor].event(match, actor)
    if event is None:
        raise IllegalEvent(
            "the game waits for player %(actor)s in phase %(phase)s, and they do nothing", actor=actor, phase=game.phase
        )
    return _rolled(game, dice) if isinstance(event, Roll) and not event.faces else event


def _other_may_reroll(game: Game, actor: int) -> bool:
    """Before a further roll in the same turn the other side has its last chance to reroll the one just played."""
    return game.phase is Phase.TO_ROLL and any(
        item.kind == "rollover" and item.player != actor for item in game.legal_events()
    )


def _rolled(game: Game, dice: Iterator[int]) -> Event:
    try:
        event = game.next_roll(dice)
    except StopIteration:
        raise ArgumentError(
            "dice is at its end; it gives numbers 0 <= n < 252 as long as the game goes on, as dice.seeded does"
        ) from None
    if event is None:
        raise IllegalEvent("nothing is rolled in phase %(phase)s", phase=game.phase)
    return event
