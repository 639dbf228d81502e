"""Clocks: simple delay, one for a turn and one for each answer, reserve for the match (rulings 8)."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from barpoint.game import (
    Beaver,
    Double,
    Event,
    Game,
    Keep,
    Next,
    Opening,
    Pass,
    Phase,
    PlayMade,
    Reject,
    Resign,
    Roll,
    Rollover,
    Take,
    Timeout,
)
from barpoint.match import Match
from barpoint.moves import legal_plays
from barpoint.record import parse_position
from barpoint.server.domain.time_control import (
    CASUAL,
    CORRESPONDENCE,
    DAY,
    FAST,
    FEDERATION,
    LAG_LIMIT,
    LAG_QUOTA,
    LAG_REFILL,
    MINUTE,
    NORMAL,
    SECOND,
    TIME_CONTROLS,
    UNTIMED,
    Clock,
    Period,
    TimeControl,
    after_event,
    correspondence,
    in_days,
    period_of,
    verdict,
)
from barpoint.variants import variant
from tests.support.scripted_bots import ChanceBot

PRESET = TimeControl("Test", delay_ms=10 * SECOND, point_ms=20 * SECOND)
TIMES = st.integers(0, 40 * SECOND)


class TimedGame:
    """A match with its clocks; every event takes effect some seconds after the one before."""

    def __init__(self, match: Match, time_control: TimeControl = PRESET) -> None:
        self.match, self.now = match, 1_000_000
        self.clock = after_event(Clock.start(time_control, match.length), match, self.now)

    def do(self, event: Event, after: float = 0, lag_ms: int = 0) -> Clock:
        """Applies an event `after` seconds."""
        self.now += round(after * 1000)
        self.match = self.match.apply(event)
        self.clock = after_event(self.clock, self.match, self.now, lag_ms)
        return self.clock

    def play(self, after: float = 0, lag_ms: int = 0) -> Clock:
        """The first legal play of the current roll."""
        game = self.match.game
        return self.do(
            PlayMade(game.player, legal_plays(game.rules, game.position, game.faces)[0].moves), after, lag_ms
        )

    def begin(self) -> Clock:
        """Player 0 has won the opening roll with 6-1 and must play it."""
        return self.do(Opening((6, 1)))


def timed(name: str = "backgammon", length: int = 3, time_control: TimeControl = PRESET, beavers: int = 0) -> TimedGame:
    return TimedGame(Match.start(length, name, beavers=beavers), time_control)


def second_turn(length: int = 3, beavers: int = 0) -> TimedGame:
    """Player 1 is to roll, and nobody has used any time."""
    found = timed(length=length, beavers=beavers)
    found.begin()
    found.play()
    assert found.match.game.actor == 1
    return found


@pytest.mark.parametrize(
    ("time_control", "delay_s", "point_s"), [(FEDERATION, 12, 120), (NORMAL, 10, 60), (FAST, 8, 20), (CASUAL, 15, 180)]
)
def test_the_presets_are_those_of_the_specification(time_control: TimeControl, delay_s: int, point_s: int) -> None:
    assert time_control.delay_ms == delay_s * SECOND
    assert Clock.start(time_control, 7).reserves == (7 * point_s * SECOND,) * 2


def test_correspondence_of_any_number_of_days_gives_days_for_a_turn_and_no_other_preset_does() -> None:
    assert all(in_days(name) for name in (CORRESPONDENCE.name, "Correspondence 1", "Correspondence 14"))
    assert not any(in_days(one.name) for one in TIME_CONTROLS if one is not CORRESPONDENCE)


def test_nobody_s_time_runs_before_the_start() -> None:
    clock = timed().clock
    assert (clock.running, clock.deadline_at, clock.out_of_time(10**15)) == (None, None, None)


def test_a_turn_within_its_delay_costs_nothing() -> None:
    found = timed()
    found.begin()
    assert found.play(after=10).reserves == (60 * SECOND, 60 * SECOND)


def test_what_exceeds_the_delay_is_taken_and_unused_delay_is_lost() -> None:
    found = timed()
    found.begin()
    assert found.play(after=13).reserves == (57 * SECOND, 60 * SECOND)
    found.do(Roll(1, (6, 2)), after=1)
    found.play(after=1)
    found.do(Roll(0, (6, 2)), after=6)
    assert found.play(after=6).reserves == (55 * SECOND, 60 * SECOND), "roll and play are one turn with one delay"


def test_lag_is_given_back_but_not_more_than_its_limit() -> None:
    for lag, left in ((300, 57_300), (LAG_LIMIT, 58_000), (60_000, 58_000), (-500, 57_000)):
        found = timed()
        found.begin()
        assert found.play(after=13, lag_ms=lag).reserves[0] == left


def test_lag_is_given_back_from_a_quota_that_comes_back_turn_by_turn() -> None:
    found = timed(length=15)
    found.begin()
    given = []
    for _ in range(60):
        player = found.match.game.player
        for event in (Roll(player, (2, 1)), None):
            if event is not None and found.match.game.faces:
                continue
            lag = found.clock.lag_given(player, 60_000)
            given.append((player, lag))
            found.do(event, lag_ms=lag) if event else found.play(lag_ms=lag)
    mine = [lag for player, lag in given if player == 0]
    assert mine[:4] == [LAG_LIMIT] * 4
    assert sum(mine) <= LAG_QUOTA + LAG_REFILL * 31
    assert sum(mine) >= LAG_QUOTA + LAG_REFILL * 20
    assert mine[-1] < LAG_LIMIT
    assert found.clock.lag_given(1 - found.match.game.player, 500) == 0, "their clock does not run"


def test_an_honest_slow_connection_loses_nothing() -> None:
    found = timed(length=15)
    found.begin()
    for _ in range(60):
        player = found.match.game.player
        if not found.match.game.faces:
            assert found.clock.lag_given(player, 200) == 200
            found.do(Roll(player, (2, 1)), lag_ms=200)
        assert found.clock.lag_given(player, 200) == 200
        found.play(lag_ms=200)


def test_an_answer_has_a_delay_of_its_own_and_the_turn_goes_on_with_the_rest_of_its_own() -> None:
    """Take or pass, and a beaver (money)."""
    found = second_turn()
    clock = found.do(Double(1), after=7)
    assert clock.running == Period(0)
    assert [clock.free_ms_of(player, found.now) for player in (0, 1)] == [10 * SECOND, 3 * SECOND]
    clock = found.do(Take(0), after=12)
    assert clock.reserves == (58 * SECOND, 60 * SECOND)
    assert clock.running == Period(1, turn=2)
    found.do(Roll(1, (6, 2)), after=2)
    assert found.play(after=3).reserves == (58 * SECOND, 58 * SECOND)


def test_a_beaver_is_answered_with_a_delay_of_its_own() -> None:
    found = second_turn(length=0, beavers=1)
    found.do(Double(1), after=10)
    clock = found.do(Beaver(0), after=10)
    assert clock.running == Period(1)
    assert clock.delay_ms == 10 * SECOND
    clock = found.do(Take(1), after=11)
    assert clock.reserves == (60 * SECOND, 59 * SECOND)
    assert clock.delay_ms == 0, "the delay of the turn was used up before the double"


@pytest.mark.parametrize("offers", [0, 1])
def test_a_resignation_is_answered_outside_the_turn(offers: int) -> None:
    found = second_turn()
    clock = found.do(Resign(offers, 1), after=4)
    assert clock.running == Period(1 - offers)
    clock = found.do(Reject(1 - offers), after=10)
    assert clock.reserves == (60 * SECOND, 60 * SECOND)
    assert (clock.running, clock.delay_ms) == (Period(1, turn=2), 6 * SECOND)


def test_a_call_on_the_last_roll_has_its_delay_and_the_roll_again_another() -> None:
    """RC-17: time is not given back; RC-18: the clock of the player who rolls again runs."""
    found = timed("roll-over")
    found.begin()
    found.play(after=15)
    clock = found.do(Rollover(1, 1), after=12)
    assert clock.reserves == (55 * SECOND, 58 * SECOND)
    assert (clock.running, clock.delay_ms) == (Period(0, turn=1), 10 * SECOND)


def test_one_s_own_rerolled_roll_belongs_to_the_same_turn() -> None:
    found = timed("roll-over")
    found.begin()
    found.do(Rollover(0, 1), after=6)
    found.do(Roll(0, (5, 4)), after=3)
    assert found.play(after=3).reserves[0] == 58 * SECOND


def test_clocks_stop_between_games_and_the_reserve_is_for_the_match() -> None:
    found = second_turn(length=5)
    found.do(Double(1), after=20)
    clock = found.do(Pass(0))
    assert (clock.running, clock.reserves) == (None, (100 * SECOND, 90 * SECOND))
    found.do(Next(), after=3_000)
    clock = found.begin()
    assert clock.reserves == (100 * SECOND, 90 * SECOND)
    assert clock.delay_ms == 10 * SECOND


def test_each_game_of_a_session_has_its_own_reserve() -> None:
    """A time-out loses one game of money play, not later ones; so the next one begins with full clocks."""
    found = second_turn(length=0)
    found.do(Double(1), after=20)
    assert found.do(Pass(0)).reserves == (60 * SECOND, 50 * SECOND)
    found.do(Next())
    assert found.begin().reserves == (60 * SECOND, 60 * SECOND)


def test_the_deadline_is_delay_and_reserve_from_the_start_of_the_turn() -> None:
    found = timed()
    clock = found.begin()
    deadline = found.now + 10 * SECOND + 60 * SECOND
    assert clock.deadline_at == deadline
    assert (clock.out_of_time(deadline - 1), clock.out_of_time(deadline)) == (None, 0)
    assert clock.reserve(0, deadline - 1) == 1
    assert clock.reserve(0, deadline + DAY) == 0
    assert clock.pushed(5_000).deadline_at == deadline + 5_000


def test_who_is_out_of_time_in_a_match_loses_the_match() -> None:
    found = timed(length=5)
    clock = found.begin()
    assert clock.deadline_at is not None
    assert verdict(clock, found.match, clock.deadline_at - 1) is None
    event = verdict(clock, found.match, clock.deadline_at)
    assert event == Timeout(0)
    lost = found.match.apply(Timeout(0))
    assert (lost.over, lost.winner) == (True, 1)


def test_who_is_out_of_time_in_money_play_loses_the_game_at_the_cube_and_a_gammon_with_nothing_off() -> None:
    found = second_turn(length=0)
    found.do(Double(1))
    found.do(Take(0))
    assert found.clock.deadline_at is not None
    event = verdict(found.clock, found.match, found.clock.deadline_at)
    assert event == Timeout(1)
    clock = found.do(event, after=100)
    result = found.match.game.result
    assert result is not None
    assert (result.winner, result.points, result.level, found.match.over) == (0, 4, 2, False)
    assert clock.running is None


def final_roll(time_control: TimeControl) -> tuple[Clock, Match]:
    """Player 0 has borne off their last checker; player 1 may still reroll that roll."""
    rules = variant("roll-over")
    match = Match.start(3, rules)
    position = parse_position("AQAAAQAAAAAAAA")
    game = Game.at(rules, position, faces=(6, 5), stakes=match.game.stakes)
    match = replace(match, game=game)
    clock = after_event(Clock.start(time_control, 3), match, 0)
    play = legal_plays(rules, game.position, game.faces)[0]
    match = match.apply(PlayMade(0, play.moves))
    assert match.game.phase is Phase.PROVISIONAL_END
    return after_event(clock, match, 5 * SECOND), match


@pytest.mark.parametrize(
    ("time_control", "wait_ms"), [(UNTIMED, MINUTE), (CORRESPONDENCE, DAY), (PRESET, 70 * SECOND), (FAST, 68 * SECOND)]
)
def test_a_final_roll_stands_when_the_time_for_rerolling_it_is_over(time_control: TimeControl, wait_ms: int) -> None:
    """Rulings 2.3, state E: by the clock, or 60 s in live play and a day in correspondence."""
    clock, match = final_roll(time_control)
    assert clock.running == Period(1, final=True)
    assert clock.deadline_at == 5 * SECOND + wait_ms
    assert verdict(clock, match, clock.deadline_at - 1) is None
    event = verdict(clock, match, clock.deadline_at)
    assert event == Keep(1)
    ended = match.apply(event)
    assert (ended.game.over, ended.finished[0].result.winner, ended.finished[0].result.how) == (True, 0, "play")


def test_a_final_roll_that_is_rerolled_begins_a_new_delay() -> None:
    clock, match = final_roll(PRESET)
    match = match.apply(Rollover(1, match.game.roll_id))
    clock = after_event(clock, match, 20 * SECOND)
    assert (clock.running, clock.delay_ms) == (Period(0, turn=3), 10 * SECOND)
    assert clock.reserves == (60 * SECOND, 55 * SECOND)


def test_without_a_clock_nobody_is_ever_late_but_for_a_final_roll() -> None:
    found = timed(time_control=UNTIMED)
    found.begin()
    clock = found.play(after=10**6)
    assert clock.deadline_at is None
    assert verdict(clock, found.match, 10**15) is None


def test_correspondence_is_by_days_for_each_turn() -> None:
    found = timed(time_control=correspondence(2))
    assert found.begin().deadline_at == found.now + 2 * DAY
    found.play(after=170_000)
    assert found.clock.deadline_at == found.now + 2 * DAY
    for days in (0, 31):
        with pytest.raises(ValueError, match="allowed are 1 to 30"):
            correspondence(days)


def test_a_clock_is_kept_as_json() -> None:
    found = second_turn()
    found.do(Double(1), after=7)
    assert found.clock.held is not None
    assert msgspec.json.decode(msgspec.json.encode(found.clock), type=Clock) == found.clock


@given(first=TIMES, answer=TIMES, second=TIMES, lag=st.integers(0, LAG_LIMIT))
def test_an_interruption_changes_nothing_for_the_turn(first: int, answer: int, second: int, lag: int) -> None:
    """The charge of a turn is max(0, elapsed - lag - delay), with or without a double in the middle of it."""
    found = second_turn()
    found.do(Double(1), after=first / 1000)
    found.do(Take(0), after=answer / 1000)
    found.do(Roll(1, (6, 2)), after=second / 1000, lag_ms=lag)
    clock = found.play()
    own = max(0, first - PRESET.delay_ms) + max(0, second - lag - max(0, PRESET.delay_ms - first))
    assert clock.reserves == (60 * SECOND - max(0, answer - PRESET.delay_ms), max(0, 60 * SECOND - own))
    if lag == 0:
        assert own == max(0, first + second - PRESET.delay_ms)


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(["backgammon", "roll-over", "acey-deucey"]))
def test_in_every_game_time_runs_for_the_one_who_must_act_and_no_reserve_grows(seed: int, name: str) -> None:
    random, bot = Random(seed), ChanceBot(seed)
    found = timed(name, length=9)
    faces = {row.faces for row in found.match.rules.dice.rows}
    found.do(Opening((6, 1)))
    for _ in range(60):
        game = found.match.game
        if game.actor is None:
            break
        event = bot.event(found.match, game.actor)
        if isinstance(event, Roll):
            event = Roll(game.actor, random.choice(sorted(faces)))
        before, spent = found.clock, random.randrange(15_000)
        ticking = before.running
        assert ticking is not None
        assert ticking.player == game.actor
        assert ticking == period_of(found.match)
        deadline = before.deadline_at
        assert deadline is not None
        clock = found.do(event, after=spent / 1000)
        assert all(new <= old for new, old in zip(clock.reserves, before.reserves, strict=True))
        assert clock.reserves[1 - ticking.player] == before.reserves[1 - ticking.player]
        taken = before.reserve(ticking.player, found.now)
        assert clock.reserve(ticking.player, found.now) == taken, "what was shown is what is taken"
        assert (taken == 0) == (found.now >= deadline), "an empty reserve is a passed deadline"
