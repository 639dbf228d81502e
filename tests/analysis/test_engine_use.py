"""Agreement with the engine beside people of the same rating: a strong bot stands out, one that errs like people does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from barpoint import dice
from barpoint.analysis import analyse
from barpoint.analysis.engine_use import BEST_PEOPLE_PR, UnforcedPlay, engine_use, unforced_plays
from barpoint.analysis.findings import Findings
from barpoint.analysis.judge import SAME
from barpoint.driver import play_match
from barpoint.engine import Bot, Engine
from barpoint.match import Match

MATCHES = 10


@pytest.fixture(scope="module")
def played() -> list[tuple[Match, Findings]]:
    """Matches of the net alone, without a book (player 0), against a bot that errs like people of PR 8, analysed."""
    found = []
    for number in range(MATCHES):
        bots = Bot("backgammon", evaluator=Engine("backgammon")), Bot("backgammon", "pr-8", 2 * number + 1)
        *_, match = play_match(Match.start(3, bots[0].engine.rules), *bots, dice=dice.seeded(number))
        found.append((match, analyse(match, plies=0)))
    return found


def plays_of(played: Sequence[tuple[Match, Findings]], player: int) -> list[UnforcedPlay]:
    return [play for match, found in played for play in unforced_plays(match, found, player)]


def test_a_strong_bot_stands_out(played: list[tuple[Match, Findings]]) -> None:
    use = engine_use(plays_of(played, 0))
    assert use is not None
    assert use.compared == BEST_PEOPLE_PR > use.rating
    assert use.enough
    assert use.striking
    assert use.difficult.best == use.difficult.plays
    assert use.difficult.expected < 0.7 * use.difficult.plays


def test_a_bot_that_errs_like_people_does_not(played: list[tuple[Match, Findings]]) -> None:
    use = engine_use(plays_of(played, 1))
    assert use is not None
    assert use.compared == use.rating > BEST_PEOPLE_PR
    assert use.enough
    assert not use.notable
    assert abs(use.all.surprise) < 2
    assert use.difficult.surprise < 2


def test_who_asks_an_engine_in_difficult_decisions_alone_stands_out_though_their_rating_is_that_of_people(
    played: list[tuple[Match, Findings]],
) -> None:
    plays = plays_of(played, 1)
    helped = [replace(one, chosen=0) if one.expected(0.0)[0] < 0.5 else one for one in plays]
    use = engine_use(helped)
    assert use is not None
    assert use.rating > 0.5 * BEST_PEOPLE_PR
    assert use.striking


def test_only_unforced_plays_of_the_player_count_and_shares_sum_to_one(played: list[tuple[Match, Findings]]) -> None:
    match, found = played[0]
    plays = list(unforced_plays(match, found, 1))
    counted = [one for one in found.decisions if one.player == 1 and one.kind == "play" and one.counted]
    losses = [round(play.loss, 5) for play in plays]
    assert [loss if loss >= SAME else 0 for loss in losses] == [one.loss for one in counted]
    for play in plays:
        assert play.expected(0.0).sum() == pytest.approx(1)
    use = engine_use(plays)
    assert use is not None
    assert sum(use.all.sizes) == pytest.approx(1)
    assert sum(use.all.expected_sizes) == pytest.approx(1)
    assert use.all.sizes[0] == pytest.approx(use.all.best / use.all.plays)


def test_few_plays_say_nothing(played: list[tuple[Match, Findings]]) -> None:
    use = engine_use(plays_of(played[:1], 0))
    assert use is not None
    assert not use.enough
    assert not use.notable
    assert engine_use([]) is None


def test_of_better_people_more_best_plays_are_expected(played: list[tuple[Match, Findings]]) -> None:
    plays = plays_of(played, 0)
    expected = [sum(float(play.expected(skill)[0]) for play in plays) for skill in np.log([2.0, 1.0, 0.5])]
    assert expected == sorted(expected)
    assert expected[0] < 0.9 * expected[-1]


def test_the_time_of_a_play_is_that_since_the_event_before(played: list[tuple[Match, Findings]]) -> None:
    match, found = played[0]
    times = [1000 * seq * seq for seq in range(1, len(match.events) + 1)]
    plays = list(unforced_plays(match, found, 0, times))
    events = [one.event for one in found.decisions if one.player == 0 and one.kind == "play" and one.counted]
    assert [play.thought_ms for play in plays] == [1000 * (seq * seq - (seq - 1) ** 2) for seq in events]
    use = engine_use(plays)
    assert use is not None
    assert use.easy_ms is not None
    without = engine_use(unforced_plays(match, found, 0))
    assert without is not None
    assert without.easy_ms is None
