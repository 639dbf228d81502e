"""What holds in every game of every variant: the fold, the list of what is allowed, and what an illegal event changes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint import dice
from barpoint.driver import next_event, play_match
from barpoint.error import IllegalEvent
from barpoint.game import (
    Abort,
    Accept,
    Allowed,
    Beaver,
    Double,
    Event,
    Game,
    Keep,
    Next,
    Object,
    Opening,
    Pass,
    Phase,
    PlayMade,
    Raccoon,
    Reject,
    Resign,
    Roll,
    Rollover,
    Settle,
    Stakes,
    Take,
    Void,
    kind_of,
)
from barpoint.match import Match, read_log, write_log
from barpoint.moves import check_position, legal_plays
from barpoint.variants import variant, variants
from tests.support.deep import DEEP
from tests.support.games import AnythingAllowed, Sensible, any_turn, play

NAMES = (
    "backgammon",
    "roll-over",
    "roll-over(tokens=2)",
    "roll-over(double_after_cancel)",
    "cancelgammon",
    "duodecagammon",
    "duodecagammon(per_option)",
    "roll-over+duodecagammon(opening_uses_winning_number)",
    "nackgammon",
    "hypergammon",
    "roll-over+hypergammon",
    "longgammon",
    "acey-deucey",
    "european-acey-deucey",
    "tabula",
    "roll-over+acey-deucey",
    "dutch",
    "plakoto",
    "roll-over+plakoto",
    "fevga",
    "narde",
    "gul-bara",
    "roll-over+gioul",
    "moultezim",
    "misere",
    "portes",
    "tapa",
)
GAMES = 40
"""Of each variant, half of them in `make test`; a quarter of it for mixtures and options."""

DEEP_PARTS = 10
"""In `make check-deep` 240 times as many, in so many parts."""

CATALOGUE_NAMES = {entry.name for entry in variants()}

MONEY = {"jacoby": True, "beavers": 3, "automatic_doubles": 2}
TERMS = st.one_of(
    st.fixed_dictionaries(
        {"length": st.sampled_from((1, 2, 3, 5)), "crawford": st.booleans(), "holland": st.booleans()}
    ),
    st.just({"length": 0, **MONEY}),
)


def simple_events(game: Game) -> Iterator[tuple[Event, Allowed]]:
    """Events without a choice of moves, each with the entry that would allow it."""
    faces = game.rules.dice.rows[0].faces
    for player in (0, 1):
        yield Roll(player, faces), Allowed("roll", player)
        for kind in (Keep, Double, Take, Pass, Beaver, Raccoon, Accept, Reject, Object):
            event = kind(player)
            yield event, Allowed(kind_of(event), player)
        for level in (1, 2, 3):
            yield Resign(player, level), Allowed("resign", player, levels=(level,))
        for roll in (game.roll_id - 1, game.roll_id, game.roll_id + 1):
            yield Rollover(player, roll), Allowed("rollover", player, roll_id=roll)
            yield Void(player, roll), Allowed("void", player, roll_id=roll)
    yield Opening((1, 1)), Allowed("opening")
    yield Abort(), Allowed("abort")
    yield Settle(1), Allowed("settle")
    yield Next(), Allowed("next")


def is_listed(item: Allowed, listed: tuple[Allowed, ...]) -> bool:
    return any(
        (item.kind, item.player, item.roll_id) == (entry.kind, entry.player, entry.roll_id)
        and set(item.levels) <= set(entry.levels)
        for entry in listed
    )


def accepts(state: Match, event: Event) -> bool:
    try:
        state.apply(event)
    except IllegalEvent:
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32), terms=TERMS, manual=st.booleans())
def test_what_is_listed_may_happen_and_nothing_else(name: str, seed: int, terms: dict[str, int], manual: bool):
    match = Match.start(rules=name, **terms, manual=manual)
    players, numbers = (AnythingAllowed(seed), AnythingAllowed(seed + 1)), dice.seeded(seed)
    for _ in range(60):
        before, listed = match, match.legal_events()
        for event, item in simple_events(match.game):
            assert accepts(match, event) == is_listed(item, listed), f"{event} in {match.game.phase}; listed {listed}"
        assert match == before, "an illegal event changes nothing"
        if match.over:
            break
        match = match.apply(next_event(match, players, numbers))


def paid(game: Game, *events: Event) -> float:
    """What the player of the first event pays when the game ends by these events."""
    for event in events:
        game = game.apply(event)
    assert game.result is not None
    return game.result.points


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32), terms=TERMS)
def test_the_points_stated_for_a_choice_are_the_points_it_pays(name: str, seed: int, terms: dict[str, int]):
    match = Match.start(rules=name, **terms)
    players, numbers = (AnythingAllowed(seed), AnythingAllowed(seed + 1)), dice.seeded(seed)
    for _ in range(80):
        game = match.game
        for item in match.legal_events():
            if item.player is None:
                continue
            player, other = item.player, 1 - item.player
            if item.kind == "resign":
                offers = [Resign(player, level) for level in item.levels]
                assert item.points == tuple(paid(game, offer, Accept(other)) for offer in offers)
            elif item.kind in ("accept", "pass"):
                end = Accept(player) if item.kind == "accept" else Pass(player)
                assert item.points == (paid(game, end),)
            else:
                assert item.points == ()
        if match.over:
            break
        match = match.apply(next_event(match, players, numbers))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32), terms=TERMS)
def test_a_match_is_the_fold_of_its_log_at_every_event(name: str, seed: int, terms: dict[str, int]):
    match = Match.start(rules=name, **terms)
    players, numbers = (AnythingAllowed(seed), AnythingAllowed(seed + 1)), dice.seeded(seed)
    replayed, audited = match, match
    while not match.over and len(match.finished) < 3:
        match = match.apply(next_event(match, players, numbers))
        replayed, audited = replayed.replay(match.events[-1]), audited.apply(match.events[-1])
        assert replayed == audited == match
    assert read_log(write_log(match)) == match


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32), moves=st.lists(st.tuples(*[st.integers(0, 26)] * 2, st.integers(1, 12)), max_size=5))
def test_any_turn_are_a_legal_play_or_change_nothing(name: str, seed: int, moves: list[tuple[int, int, int]]):
    random = Random(seed)
    game = Game.start(variant(name))
    for _ in range(random.randint(1, 60)):
        if game.over:
            break
        rolled = game.next_roll(iter(random.choices(range(252), k=2)))
        if rolled is not None:
            game = game.apply(rolled)
            continue
        if game.phase is Phase.PROVISIONAL_END:
            break
        try:
            after = game.apply(PlayMade(game.player, tuple(moves)))
        except IllegalEvent:
            after = game.apply(PlayMade(game.player, any_turn(game.turn(), random).made))
        else:
            plays = legal_plays(game.rules, game.position, game.faces)
            assert after.seen_by(game.player) in {found.result for found in plays}
        game = after


def check_invariants(game: Game) -> None:
    """What is true of every game at every event."""
    assert game.side(0).total == game.side(1).total == game.rules.checkers
    if game.phase not in (Phase.PROVISIONAL_END, Phase.OVER):
        check_position(game.rules, game.position)
        assert game.result is None
        assert (game.phase is Phase.OPENING) == (game.actor is None)
        assert game.legal_events()
    assert all(0 <= left <= game.rules.rerolls.tokens for left in game.tokens)
    assert game.rerollable_id in (0, game.roll_id)
    assert game.roll_count <= 1 + 2 * game.rules.rerolls.tokens
    assert game.cube.value & (game.cube.value - 1) == 0
    if game.result is not None:
        assert (game.result.winner is None) == (game.result.points == 0)


def assert_games_end_and_keep_the_invariants(name: str, seed: int, games: int) -> None:
    """Each play is chosen with an eye on the end, so that games are played out."""
    numbers = dice.seeded(len(name) + seed)
    first, second = Sensible(seed + 1), Sensible(seed + 2)
    for _ in range(games if name in CATALOGUE_NAMES else games // 4):
        for match in play_match(Match.start(0, name, **MONEY), first, second, dice=numbers):
            check_invariants(match.game)
            if match.game.over:
                break
        assert match.game.over


@pytest.mark.parametrize("name", NAMES)
def test_random_games_end_and_keep_the_invariants(name: str):
    assert_games_end_and_keep_the_invariants(name, 0, GAMES if DEEP else GAMES // 2)


@pytest.mark.deep
@pytest.mark.parametrize("part", range(1, 1 + DEEP_PARTS))
@pytest.mark.parametrize("name", NAMES)
def test_ten_thousand_random_games_end_and_keep_the_invariants(name: str, part: int):
    assert_games_end_and_keep_the_invariants(name, 1000 * part, 240 * GAMES // DEEP_PARTS)


@pytest.mark.parametrize("name", ["roll-over", "acey-deucey"])
def test_the_same_events_give_the_same_game(name: str):
    games = []
    for _ in range(2):
        for match in play_match(Match.start(0, name), AnythingAllowed(4), AnythingAllowed(5), dice=dice.seeded(6)):
            if match.game.over:
                break
        games.append(match)
    assert games[0] == games[1]


@pytest.mark.parametrize("stakes", [Stakes(), Stakes(money=False)])
@pytest.mark.parametrize(("first", "second"), list(product([(3, 1), (1, 3)], [(6, 2), (5, 5)])))
def test_the_turn_passes_and_returns_the_same_board(stakes: Stakes, first: tuple[int, int], second: tuple[int, int]):
    game = play(Game.start(variant("backgammon"), stakes).apply(Opening(first)))
    seen = game.seen_by(0)
    assert game.apply(Roll(game.player, second)).seen_by(0) == seen
