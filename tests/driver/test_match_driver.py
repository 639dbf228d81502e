"""Drivers: who is asked, when the dice are rolled, and that nothing below needs them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import barpoint as bp
from barpoint import dice
from barpoint.driver import next_event, play, play_match
from barpoint.error import ArgumentError, IllegalEvent
from barpoint.game import Event, Next, Opening, Phase, PlayMade, Resign, Roll, Rollover, kind_of
from barpoint.match import Match
from barpoint.moves import legal_plays
from tests.support.games import AnythingAllowed


class Plain:
    """Rolls, plays the first legal play, and notes what they were asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, Phase]] = []

    def event(self, match: Match, player: int) -> Event | None:
        game = match.game
        self.asked.append((player, game.phase))
        if game.actor != player:
            return None
        if game.phase is Phase.TO_PLAY:
            return PlayMade(player, legal_plays(game.rules, game.position, game.faces)[-1].moves)
        return Roll(player)


class Resigning(Plain):
    """Resigns in the second turn."""

    def event(self, match: Match, player: int) -> Event | None:
        if match.game.phase is Phase.RESIGNED:
            return bp.game.Accept(player)
        return Resign(player, 1) if match.game.turn_number > 2 else super().event(match, player)


def test_a_game_is_played_to_its_end_one_event_at_a_time():
    games = list(play("hypergammon", Plain(), Plain(), dice=dice.seeded(7)))
    assert games[0].phase in (Phase.OPENING, Phase.TO_PLAY)
    assert [game.over for game in games] == [False] * (len(games) - 1) + [True]


def test_the_example_of_the_package_runs():
    last = None
    for game in bp.play(
        bp.variant("roll-over+hypergammon"), AnythingAllowed(1), AnythingAllowed(2), dice=bp.dice.seeded(7)
    ):
        last = game
    assert last is not None
    assert last.over


def test_a_match_is_played_to_its_end():
    *_, match = play_match(Match.start(3, "hypergammon"), Resigning(), Resigning(), dice=dice.seeded(1))
    assert match.over
    assert len(match.finished) >= 3
    assert Next() in match.events


def test_the_same_numbers_give_the_same_game():
    played = [
        list(play("backgammon", AnythingAllowed(1), AnythingAllowed(2), dice=dice.seeded(3)))[-1] for _ in range(2)
    ]
    assert played[0] == played[1]


def test_options_reach_the_game():
    game = next(play("backgammon", Plain(), Plain(), dice=dice.seeded(1), jacoby=True))
    assert game.stakes.jacoby


def test_an_opening_takes_two_numbers_and_a_roll_one():
    taken: list[int] = []

    def counted() -> Iterator[int]:
        for number in (2, 0, 17, 9):
            taken.append(number)
            yield number

    numbers = counted()
    match = Match.start(3)
    event = next_event(match, (Plain(), Plain()), numbers)
    assert (event, taken) == (Opening((3, 1)), [2, 0])
    match = match.apply(event)
    match = match.apply(next_event(match, (Plain(), Plain()), numbers))
    assert taken == [2, 0]
    event = next_event(match, (Plain(), Plain()), numbers)
    assert (event, taken) == (Roll(1, dice.roll(match.rules.dice.rows, [17])), [2, 0, 17])


def test_a_player_who_does_nothing_when_they_must_is_told_so():
    class Asleep:
        def event(self, match: Match, player: int) -> None:
            return None

    match = Match.start(3).apply(Opening((3, 1)))
    with pytest.raises(IllegalEvent, match="waits for player 0 in phase to_play"):
        next_event(match, (Asleep(), Asleep()), dice.seeded(1))


def test_an_illegal_answer_reaches_the_caller():
    class Cheat(Plain):
        def event(self, match: Match, player: int) -> Event:
            return Roll(player, (6, 6))

    with pytest.raises(IllegalEvent):
        list(play("backgammon", Cheat(), Cheat(), dice=dice.seeded(1)))


def test_before_an_extra_roll_the_other_is_asked_whether_they_reroll_the_last():
    """Rulings 2.1: the window on a 2-1 closes with the roll that it has earned."""
    calls = 0
    for seed in range(40):
        players = AnythingAllowed(seed), AnythingAllowed(seed + 1)
        start = Match.start(1, "roll-over+acey-deucey")
        for match in play_match(start, *players, dice=dice.seeded(seed)):
            if match.game.over or len(match.events) > 120:
                break
            before = Match.fold(match.rules, match.terms, match.events[:-1]).game
            if isinstance(match.events[-1], Rollover) and before.further and before.phase is Phase.TO_ROLL:
                calls += match.events[-1].player != before.player
        if calls:
            break
    assert calls > 0


def test_what_a_player_is_asked_is_what_the_game_waits_for():
    players = Plain(), Plain()
    for game in play("backgammon", *players, dice=dice.seeded(4)):
        if game.last is not None and kind_of(game.last) == "play" and game.turn_number > 6:
            break
    for number, one in enumerate(players):
        assert {player for player, _ in one.asked} == {number}
        assert {phase for _, phase in one.asked} == {Phase.TO_ROLL, Phase.TO_PLAY}


@pytest.mark.parametrize("numbers", [[], [1], [0, 1, 2]])
def test_dice_that_end_before_the_match_are_refused(numbers: list[int]):
    with pytest.raises(ArgumentError, match="dice is at its end"):
        list(play_match(Match.start(1), Plain(), Plain(), dice=iter(numbers)))


def test_dice_that_give_no_numbers_are_refused():
    with pytest.raises(ArgumentError, match=r"dice is \[1, 2\] \(list\); allowed: Iterator"):
        list(play_match(Match.start(1), Plain(), Plain(), dice=[1, 2]))  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [(3, 1), 2.5, "3", None, 252, -1])
def test_dice_that_give_anything_but_numbers_of_the_stream_are_refused(number: object) -> None:
    numbers: Any = iter([number])
    with pytest.raises(ArgumentError, match=r"^dice give .*; allowed: numbers 0 <= n < 252"):
        next(play("backgammon", Plain(), Plain(), dice=numbers))
