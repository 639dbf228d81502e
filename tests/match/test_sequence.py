"""Matches whose games take turns: Tavli, and sequences of one's own (rulings 4.7)."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from barpoint.chouette import Chouette
from barpoint.dice import seeded
from barpoint.draw import svg
from barpoint.driver import play_batch, play_match
from barpoint.error import IllegalEvent, OptionError, StakesError, UnknownVariant, VariantsClash
from barpoint.game import Accept, Next, Opening, Phase, Resign, Roll, Settle
from barpoint.match import Match, read_log, write_log
from barpoint.moves import Turn, legal_plays, outcome, parse_play
from barpoint.rules import GameSequence, Variant
from barpoint.variants import games_of, register, rules_of_game, variant, variants
from tests.support.games import AnythingAllowed


@pytest.fixture
def no_entries(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forgets what a test registers."""
    catalogue = sys.modules["barpoint.variants"]
    monkeypatch.setattr(catalogue, "_registered", [])
    catalogue._rules.cache_clear()
    yield
    catalogue._rules.cache_clear()


def won(match: Match, winner: int) -> Match:
    """The running game is resigned, and the next one begins."""
    if match.game.phase is Phase.OPENING:
        match = match.apply(Opening((3, 1)))
    return match.apply(Resign(1 - winner, 1)).apply(Accept(winner)).apply(Next())


def test_tavli_plays_portes_plakoto_and_fevga_in_turn() -> None:
    match, played = Match.start(7, "tavli"), []
    for _ in range(4):
        played.append(match.game.rules.name)
        match = won(match, 0)
    assert played == ["portes", "plakoto", "fevga", "portes"]
    assert match.rules.name == "tavli"


def test_each_game_begins_in_its_own_position() -> None:
    match = Match.start(7, "tavli")
    for game in games_of(match.rules):
        assert match.game.position == game.start
        match = won(match, 0)


def test_the_winner_of_a_game_begins_the_next_one_without_an_opening_roll() -> None:
    for winner in (0, 1):
        match = won(Match.start(5, "tavli"), winner)
        assert (match.game.phase, match.game.player, match.game.turn_number) == (Phase.TO_ROLL, winner, 1)
        with pytest.raises(IllegalEvent, match="opening roll was already made"):
            match.apply(Opening((3, 1)))
        assert match.apply(Roll(winner, (5, 5))).game.faces == (5, 5)


def test_after_a_drawn_game_there_is_an_opening_roll() -> None:
    session = won(Match.start(0, "tavli"), 0).apply(Settle(0)).apply(Next())
    assert session.game.rules.name == "fevga"
    assert session.game.phase is Phase.OPENING


def test_a_match_of_tavli_comes_back_from_its_log() -> None:
    players = AnythingAllowed(1), AnythingAllowed(2)
    *_, match = play_match(Match.start(3, "tavli"), *players, dice=seeded(5))
    again = read_log(write_log(match), audit=True)
    assert again == match
    assert len(match.finished) >= 2
    assert {match.game.rules.name} <= {"portes", "plakoto", "fevga"}


def test_a_sequence_goes_together_with_nothing_else() -> None:
    for entry in variants():
        if entry.axes and entry.name != "tavli":
            with pytest.raises(VariantsClash):
                variant(f"tavli+{entry.name}")


def test_other_rules_are_the_same_in_every_game() -> None:
    rules = variant("roll-over")
    assert games_of(rules) == (rules,)
    assert rules_of_game(rules, 7) is rules


@pytest.mark.usefixtures("no_entries")
def test_a_sequence_of_ones_own_is_played_with_its_cube_and_crawford_game() -> None:
    entry = Variant(
        "mixed", "Mixed", "Two games in turn.", "a club", {"sequence": GameSequence(("backgammon", "nackgammon"))}
    )
    register(entry)
    match = won(Match.start(2, "mixed"), 1)
    assert match.game.rules.name == "nackgammon"
    assert match.game.phase is Phase.OPENING
    assert match.crawford
    assert not match.game.cube_in_play


@pytest.mark.usefixtures("no_entries")
def test_games_with_other_dice_do_not_take_turns() -> None:
    entry = Variant("mixed", "Mixed", "", "", {"sequence": GameSequence(("backgammon", "duodecagammon"))})
    with pytest.raises(UnknownVariant, match="different dice"):
        register(entry)


@pytest.mark.usefixtures("no_entries")
@pytest.mark.parametrize("games", [("tavli", "portes"), ("mixed", "portes"), ("portes", "mixture")])
def test_only_single_games_take_turns(games: tuple[str, ...]) -> None:
    entry = Variant("mixed", "Mixed", "", "", {"sequence": GameSequence(games)}, aliases=("mixture",))
    with pytest.raises(UnknownVariant, match="no single game"):
        register(entry)


@pytest.mark.usefixtures("no_entries")
def test_a_sequence_has_no_other_axes() -> None:
    entry = Variant("mixed", "Mixed", "", "", {"sequence": GameSequence(("portes", "plakoto")), "cube": False})
    with pytest.raises(UnknownVariant, match="axes of their own"):
        register(entry)


def test_a_chouette_plays_one_game() -> None:
    with pytest.raises(StakesError, match="one game"):
        Chouette.start("tavli")


def test_what_is_about_one_position_takes_the_rules_of_one_game():
    match = Match.start(3, "tavli").apply(Opening((3, 1))).apply(Roll(0, (3, 1)))
    start, says = match.game.position, "^tavli plays portes, plakoto, fevga in turn; name one of them"
    for ask in (
        lambda rules: legal_plays(rules, start, (3, 1)),
        lambda rules: parse_play(rules, start, (3, 1), "8/5 6/5"),
        lambda rules: outcome(rules, start),
        lambda rules: Turn(rules, start, (3, 1)),
        lambda rules: svg(start, rules=rules),
        lambda rules: play_batch(rules, games=1),
    ):
        with pytest.raises(OptionError, match=says):
            ask(match.rules)
        ask(match.game.rules)
