"""The bot answers every state of a match with an event that may happen."""

import pytest

from barpoint import dice
from barpoint.board import Position, Side
from barpoint.driver import play_match
from barpoint.engine import Bot, levels
from barpoint.engine.level import level
from barpoint.error import ArgumentError, OptionError, UnsupportedRules
from barpoint.game import (
    Accept,
    Beaver,
    Cube,
    Double,
    Event,
    Game,
    Keep,
    Next,
    Pass,
    Phase,
    PlayMade,
    Raccoon,
    Reject,
    Resign,
    Roll,
    Rollover,
    Stakes,
    Take,
)
from barpoint.match import Match
from barpoint.variants import variant

GAMES = (
    "backgammon",
    "nackgammon",
    "hypergammon",
    "hypergammon(checkers=1)",
    "roll-over",
    "roll-over+hypergammon",
    "cancelgammon",
    "cancelgammon+hypergammon",
    "duodecagammon",
    "roll-over+duodecagammon",
    "cancelgammon+duodecagammon",
    "acey-deucey",
    "european-acey-deucey",
    "tabula",
    "portes",
    "tavli",
    "tabla",
    "gul-bara",
    "gioul",
    "bulgarian-tabla",
)


def at(rules_name: str, position: Position, length: int = 0, **facts: object) -> Match:
    """A match whose game stands at a position, player 0 to act."""
    rules = variant(rules_name)
    stakes = Stakes(money=length == 0, beavers=3 if length == 0 else 0)
    game = Game.at(rules, position, stakes=stakes, **facts)  # type: ignore[arg-type]
    match = Match.start(length, rules, **({"beavers": 3} if length == 0 else {}))
    return Match(rules, match.terms, game)


def race(ours: dict[int, int], theirs: dict[int, int]) -> Position:
    def side(points: dict[int, int]) -> Side:
        return Side.of({**points, 0: 15 - sum(points.values())})

    return Position(side(ours), side(theirs))


def played(name: str, length: int, seed: int, **options: int | bool) -> list[Event]:
    """The events of a match between bots of two levels; a session is left after four games."""
    rules = variant(name)
    bots = Bot(rules, "club", seed), Bot(rules, "beginner", seed + 1)
    start = Match.start(length, rules, **options)
    for match in play_match(start, *bots, dice=dice.seeded(seed)):
        assert len(match.events) < 20_000
        if length == 0 and len(match.finished) == 4:
            break
    assert match.over or length == 0
    return list(match.events)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_matches_between_bots_come_to_their_end(name: str, seed: int) -> None:
    kinds = {type(event) for event in played(name, 3, seed)}
    assert {PlayMade, Roll} <= kinds


@pytest.mark.parametrize("name", ["backgammon", "roll-over", "hypergammon", "duodecagammon"])
def test_money_sessions_with_every_option_go_on(name: str) -> None:
    kinds = {type(event) for event in played(name, 0, 3, jacoby=True, beavers=2, automatic_doubles=1)}
    assert Next in kinds


def test_calls_and_doubles_happen_in_roll_over() -> None:
    kinds = {type(event) for seed in range(3) for event in played("roll-over", 5, seed)}
    assert {Rollover, Double} <= kinds


def test_the_same_seed_makes_the_same_match() -> None:
    assert played("roll-over", 1, 7) == played("roll-over", 1, 7)


def test_manual_games_are_played_too() -> None:
    assert PlayMade in {type(event) for event in played("roll-over", 1, 5, manual=True)}


def test_the_bot_does_nothing_when_the_game_waits_for_the_other() -> None:
    match = at("backgammon", variant("backgammon").start)
    assert Bot().event(match, 1) is None
    assert Bot().event(match, 0) == Roll(0)


def test_a_won_race_is_doubled_and_passed() -> None:
    match = at("backgammon", race({1: 2}, {6: 4}), length=7)
    assert Bot().event(match, 0) == Double(0)
    assert Bot().event(match.apply(Double(0)), 1) == Pass(1)


def test_a_close_race_is_taken() -> None:
    match = at("backgammon", race({6: 4, 5: 4}, {6: 4, 5: 3}), length=7).apply(Double(0))
    assert Bot().event(match, 1) == Take(1)


def test_a_foolish_double_is_beavered_and_the_beaver_answered() -> None:
    match = at("backgammon", race({6: 6, 5: 5}, {2: 3, 1: 3})).apply(Double(0))
    assert Bot().event(match, 1) == Beaver(1)
    assert Bot().event(match.apply(Beaver(1)), 0) == Pass(0)


def test_a_foolish_beaver_is_taken_or_raccooned() -> None:
    match = at("backgammon", race({2: 3, 1: 3}, {6: 5, 5: 3})).apply(Double(0)).apply(Beaver(1))
    assert Bot().event(match, 0) == Raccoon(0)
    assert isinstance(Bot().event(match.apply(Raccoon(0)), 1), Pass)


@pytest.mark.parametrize(("resigned", "answer"), [(1, Reject), (2, Accept)])
def test_a_certain_gammon_is_not_sold_for_less(resigned: int, answer: type) -> None:
    match = at("backgammon", race({1: 3}, {6: 5, 5: 5, 13: 5}))
    found = Bot().event(match.apply(Resign(1, resigned)), 0)
    assert isinstance(found, answer)


def test_a_resignation_of_a_game_not_yet_lost_is_accepted() -> None:
    match = at("backgammon", variant("backgammon").start, length=7)
    assert Bot().event(match.apply(Resign(0, 1)), 1) == Accept(1)


def test_the_loser_rerolls_the_winning_roll_with_their_last_token() -> None:
    rules = variant("roll-over")
    match = at("roll-over", race({6: 2}, {1: 2}), length=5, faces=(6, 6), tokens=(0, 1))
    bot = Bot(rules)
    match = match.apply(PlayMade(0, ((6, 0, 6), (6, 0, 6))))
    assert match.game.phase is Phase.PROVISIONAL_END
    assert isinstance(bot.event(match, 1), Rollover)


def test_a_final_roll_that_no_new_one_could_make_worse_is_kept() -> None:
    match = at("roll-over", race({1: 1}, {6: 6}), length=5, faces=(6, 6), tokens=(0, 1))
    match = match.apply(PlayMade(0, ((1, 0, 6),)))
    assert Bot("roll-over").event(match, 1) == Keep(1)


def test_a_cancelled_player_may_double_first_in_cancelgammon() -> None:
    rules = variant("cancelgammon")
    match = at("cancelgammon", race({1: 4}, {6: 6}), length=7, faces=(2, 1), tokens=(0, 1))
    match = match.apply(PlayMade(0, ((1, 0, 2), (1, 0, 1)))).apply(Rollover(1, match.game.roll_id))
    assert match.game.phase is Phase.MUST_REROLL
    assert Bot(rules).event(match, 0) == Double(0)


def test_noise_loses_equity() -> None:
    rules = variant("backgammon")
    match = at("backgammon", rules.start, faces=(3, 1))
    best = Bot(rules).event(match, 0)
    others = {Bot(rules, "beginner", seed).event(match, 0) for seed in range(30)}
    assert best in others or len(others) > 1
    assert len(others) > 3


def test_levels_grow_stronger() -> None:
    assert len(levels()) == 15
    assert [each.loss for each in levels()] == sorted((each.loss for each in levels()), reverse=True)
    assert all(each.loss > 0 and "PR" in each.line for each in levels())
    by_noise = [each.noise for each in levels() if not each.people]
    assert by_noise == sorted(by_noise, reverse=True)
    assert level("beginner") is levels()[0]
    assert len({each.title for each in levels()} - {""}) == len(levels())
    assert level("casual").line == "Plays at home now and then, and misses a lot. PR about 19."
    assert level("strongest").line.endswith("PR below 1.")
    with pytest.raises(OptionError, match="known: beginner"):
        level("champion of the world")


def test_a_bot_refuses_rules_it_has_not_learned() -> None:
    with pytest.raises(UnsupportedRules):
        Bot("roll-over+plakoto")


def test_the_cube_of_a_game_is_seen_from_both_sides() -> None:
    match = at("backgammon", race({6: 4}, {6: 4}), length=7, cube=Cube(2, 1))
    assert Bot().event(match, 0) == Roll(0)


def test_a_bot_is_shown_with_its_game_level_and_seed() -> None:
    assert repr(Bot("plakoto", "casual", seed=7)) == "<Bot plakoto, level casual, seed=7>"


def test_a_bot_refuses_a_level_of_another_kind() -> None:
    with pytest.raises(ArgumentError, match=r"level is 5 \(int\); allowed: str, Level"):
        Bot("backgammon", 5)  # type: ignore[arg-type]


def test_a_bot_refuses_a_match_of_another_game_but_not_of_another_beginning() -> None:
    bot = Bot("backgammon")
    for name in ("plakoto", "hypergammon"):
        with pytest.raises(UnsupportedRules, match=f"a match of {name}; this bot plays backgammon"):
            list(play_match(Match.start(1, name), bot, bot, dice=dice.seeded(1)))
    begun = Match.start(1, "nackgammon")
    assert list(play_match(begun, bot, bot, dice=dice.seeded(1)))[-1].over
