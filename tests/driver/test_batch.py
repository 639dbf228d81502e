"""Games by the thousand, played by policies on arrays."""

import numpy as np
import pytest

from barpoint.dice import DiceRow
from barpoint.driver import play_batch, random_policy
from barpoint.error import ArgumentError, BarpointError, IllegalMove, RollError
from barpoint.game import Game, Keep, Opening, Phase, PlayMade, Roll, Rollover
from barpoint.moves import REROLL, decode, legal_plays, outcome
from barpoint.rules import Dice, FirstRoll, Rules
from barpoint.variants import variant, variants

BACKGAMMON = variant()
NAMES = [entry.name for entry in variants() if (entry.axes and not entry.is_sequence) or entry.name == "backgammon"]
EVERY = pytest.mark.parametrize("name", [*NAMES, "roll-over+acey-deucey", "cancelgammon+duodecagammon"])


def first_play(turns):
    return np.zeros(len(turns), np.int64)


def last_play(turns):
    return turns.counts - 1


def same(one, other):
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("winners", "levels", "points", "rolls", "finished")
    )


class Recorder:
    """Plays the last play of every roll, rerolls when it may, and keeps what it saw of game 0."""

    def __init__(self):
        self.seen = []

    def __call__(self, turns):
        choices = np.where(turns.may_reroll & (turns.rows % 3 == 0), REROLL, turns.counts - 1)
        for i in np.flatnonzero(turns.games == 0):
            self.seen.append((turns, i, int(choices[i])))
        return choices

    def call(self, turns, choices, may_call):
        called = may_call & (turns.rows % 2 == 0)
        for i in np.flatnonzero(turns.games == 0):
            self.seen[-1] += (bool(called[i]),)
        return called


def opening_dice(rules, faces):
    """Opening dice of player 0 and player 1, after which player 0 plays this first roll."""
    match rules.opening.first_roll:
        case FirstRoll.AGAIN:
            return 2, 1
        case FirstRoll.OWN_NUMBER:
            return faces[0], faces[0] - 1
        case FirstRoll.OPENING_ROLL:
            return faces


@EVERY
def test_a_game_of_the_batch_is_a_game_by_the_rules(name):
    """Every roll, reroll and play is applied to a Game, which refuses what is not allowed."""
    rules, recorder = variant(name), Recorder()
    found = play_batch(rules, 3, recorder, call=recorder.call, seed=5, at_once=2)
    game = Game.start(rules)
    for turns, i, choice, *called in recorder.seen:
        faces = rules.dice.rows[turns.rows[i]].faces
        if game.phase is Phase.OPENING:
            game = game.apply(Opening(opening_dice(rules, faces)))
        if game.phase is not Phase.TO_PLAY:
            game = game.apply(Roll(game.player, faces))
        assert game.faces == faces
        assert game.player == turns.players[i]
        assert game.position == decode(turns.positions[i : i + 1])[0]
        assert (game.tokens[game.player], game.tokens[1 - game.player]) == tuple(turns.tokens[i].tolist())
        roller = game.player
        if choice == REROLL:
            game = game.apply(Rollover(roller, game.roll_id))
            continue
        assert turns.counts[i] == len(legal_plays(rules, game.position, faces))
        play = legal_plays(rules, game.position, faces)[choice]
        game = game.apply(PlayMade(roller, play.moves))
        if any(called):
            game = game.apply(Rollover(1 - roller, game.roll_id))
        elif game.phase is Phase.PROVISIONAL_END:
            game = game.apply(Keep(1 - roller))
    assert game.over == found.finished[0]
    rolled = [turns for turns, i, *_ in recorder.seen if not decode(turns.positions[i : i + 1])[0].us.owed]
    assert found.rolls[0] == len(rolled)


@EVERY
def test_random_games_end_and_do_not_depend_on_how_many_are_played_at_once(name):
    rules = variant(name)
    found = play_batch(rules, 40, seed=3)
    assert found.finished.all()
    assert ((found.winners >= 0) == (found.points > 0)).all()
    assert same(found, play_batch(rules, 40, seed=3))
    assert not same(found, play_batch(rules, 40, seed=4))
    assert same(play_batch(rules, 20, last_play, at_once=1), play_batch(rules, 20, last_play, at_once=7))


def test_the_result_is_that_of_the_last_position():
    ends = {}

    def policy(turns):
        choices = last_play(turns)
        results = decode(turns.chosen(choices))
        ends.update(zip(turns.games.tolist(), zip(results, turns.players.tolist(), strict=True), strict=True))
        return choices

    found = play_batch(BACKGAMMON, 50, policy)
    for game, (position, player) in ends.items():
        end = outcome(BACKGAMMON, position.flip())
        assert (found.winners[game], found.levels[game], found.points[game]) == (player, end.level, end.points)
    assert (found.scores == np.where(found.winners == 0, found.points, -found.points)).all()


def test_two_policies_play_one_player_each():
    asked = {0: set(), 1: set()}

    def policy(player):
        def choose(turns):
            asked[player] |= set(turns.players.tolist())
            return random(turns)

        random = random_policy(np.random.default_rng(player))
        return choose

    assert play_batch(BACKGAMMON, 20, (policy(0), policy(1))).finished.all()
    assert asked == {0: {0}, 1: {1}}


def test_a_game_that_is_too_long_ends_without_a_winner():
    found = play_batch(BACKGAMMON, 10, max_rolls=5)
    assert (found.winners.tolist(), found.finished.any()) == ([-1] * 10, False)
    assert found.rolls.tolist() == [5] * 10


def test_arrays_may_be_kept_and_not_be_changed():
    kept = []

    def policy(turns):
        kept.append((turns.results, turns.results.copy()))
        return first_play(turns)

    play_batch(BACKGAMMON, 5, policy, max_rolls=20)
    assert all((array == copy).all() for array, copy in kept)
    with pytest.raises(ValueError, match="read-only"):
        kept[0][0][:] = 0


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (lambda turns: turns.counts, "row 0: play"),
        (lambda turns: first_play(turns) + REROLL, "row 0: play -1"),
        (lambda turns: first_play(turns)[:-1], r"choices are int64 \[9\]; int64 \[10\]"),
        (lambda turns: first_play(turns).astype(np.float64), "choices are float64"),
        (lambda turns: [0.0] * len(turns), "choices are float64"),
        (lambda turns: [True] * len(turns), "choices are bool"),
        (lambda turns: first_play(turns).astype(np.uint64) - 1, "choices are uint64"),
        (lambda turns: [[0], [0, 0]], "choices are list"),
        (lambda turns: "0" * len(turns), "choices are str"),
    ],
)
def test_choices_that_are_not_allowed_are_refused(policy, message):
    with pytest.raises(IllegalMove, match=message):
        play_batch(BACKGAMMON, 10, policy)


def test_a_call_that_is_not_allowed_is_refused():
    with pytest.raises(IllegalMove, match="may not reroll"):
        play_batch(variant("roll-over"), 10, first_play, call=lambda turns, _, may: ~may | (turns.games % 2 == 0))
    with pytest.raises(IllegalMove, match="calls are int64"):
        play_batch(variant("roll-over"), 10, first_play, call=lambda turns, _, may: [0] * len(turns))


@pytest.mark.parametrize("kind", [list, tuple, np.int16, np.int32, np.uint64])
def test_choices_are_integers_of_any_kind(kind):
    def chosen(turns):
        last = last_play(turns)
        return kind(last.tolist()) if kind in (list, tuple) else last.astype(kind)

    assert same(play_batch(BACKGAMMON, 5, chosen), play_batch(BACKGAMMON, 5, last_play))


@pytest.mark.parametrize("options", [{"at_once": 0}, {"max_rolls": 0}, {"seed": -1}, {"games": -1}])
def test_numbers_out_of_range_are_refused(options):
    with pytest.raises(BarpointError, match="are allowed"):
        play_batch(BACKGAMMON, **{"games": 1, **options})


def test_dice_that_cannot_show_the_opening_roll_are_refused():
    one_die = Dice(tuple(DiceRow((face,), 1, (((face,),),)) for face in range(1, 7)))
    with pytest.raises(RollError, match="the opening roll 2-1 leads to no roll of these dice"):
        play_batch(Rules(dice=one_die), 10)


@pytest.mark.parametrize("policy", [(first_play,), (first_play,) * 3, (first_play, None), 3])
def test_anything_but_one_or_two_policies_is_refused(policy):
    with pytest.raises(ArgumentError, match="allowed: a function, or one for each of the two players"):
        play_batch(BACKGAMMON, 2, policy)


def test_a_list_of_two_policies_is_a_pair():
    assert same(play_batch(BACKGAMMON, 9, [first_play, last_play]), play_batch(BACKGAMMON, 9, (first_play, last_play)))


def test_a_number_of_games_is_whole():
    with pytest.raises(ArgumentError, match=r"games is 3\.5 \(float\)"):
        play_batch(BACKGAMMON, 3.5)


def test_results_are_compared_by_identity():
    games = play_batch(BACKGAMMON, 2)
    assert games == games
    assert games != play_batch(BACKGAMMON, 2)


def test_games_show_how_many_they_are() -> None:
    assert repr(play_batch(variant(), 20, max_rolls=10)) == "<GamesBatch of 20 games, 0 finished>"


def test_a_number_of_games_is_whole_of_any_kind() -> None:
    assert len(play_batch(variant(), np.int16(3))) == 3  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"games is 2.0 \(float\); allowed: int$"):
        play_batch(variant(), 2.0)  # type: ignore[arg-type]
