"""A second look at chosen decisions of an analysed match: which are chosen, and what takes the place of what was found."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from barpoint.analysis import Report, Study
from barpoint.analysis.deepening import Deepening, Depth, Which, chosen
from barpoint.analysis.findings import RolloutDepth
from barpoint.engine import Engine
from barpoint.match import Match
from tests.support.recorded import played

ROLLED = Depth(rollout=RolloutDepth(36))


@cache
def first_look() -> tuple[Match, Report]:
    """A match of random plays, with doubles, takes and passes, and its report at 0-ply."""
    match = played("backgammon", 3, 4)
    study = Study(match, plies=0)
    assert list(study)
    return match, study.report()


def looked_again(events: tuple[int, ...], depth: Depth) -> Report:
    match, report = first_look()
    deepening = Deepening(match, report, events, depth, Engine(match.rules))
    assert list(deepening) == list(range(1, len(events) + 1))
    return deepening.report()


@pytest.mark.parametrize(("which", "marks"), [("doubtful", 3), ("error", 2), ("blunder", 1)])
def test_decisions_so_bad_or_worse_are_chosen_and_no_resignation(which: Which, marks: int) -> None:
    _, report = first_look()
    bad = ("blunder", "error", "doubtful")[:marks]
    kinds = ("play", "double", "no double", "take", "pass", "beaver", "raccoon")
    wanted = sorted({one.event for one in report.decisions if one.mark in bad and one.kind in kinds})
    assert list(chosen(report, which, ROLLED)) == wanted != []


def test_close_cube_decisions_are_chosen_whether_right_or_wrong() -> None:
    _, report = first_look()
    events = chosen(report, "close", ROLLED)
    found = [one for one in report.decisions if one.event in events and one.kind != "play"]
    assert found
    assert all(one.options[1].loss < 0.16 for one in found)
    assert any(not one.mark for one in found)


def test_what_is_rolled_out_takes_the_place_of_what_was_found_and_changes_the_totals() -> None:
    match, report = first_look()
    events = chosen(report, "blunder", ROLLED)[:3]
    found = looked_again(events, ROLLED)
    changed = [new for new, old in zip(found.decisions, report.decisions, strict=True) if new != old]
    assert {one.event for one in changed} <= set(events)
    assert changed
    assert all(0 < one.games <= 36 and one.made.error is not None for one in changed)
    losses = [sum(one.loss for one in found.decisions if one.player == player and one.counted) for player in (0, 1)]
    assert [one.total.loss for one in found.players] == pytest.approx(losses)
    assert [one.total.loss for one in report.players] != pytest.approx(losses)
    assert not set(chosen(found, "blunder", ROLLED)) & {one.event for one in changed}, "they need no further look"
    assert (found.rolls, found.result, found.plies) == (report.rolls, report.result, 0)
    assert msgspec.json.decode(found.json(), type=Report) == found
    assert found.table(match).size == report.table(match).size


def test_no_search_takes_the_place_of_a_rollout_nor_of_a_deeper_search() -> None:
    match, report = first_look()
    (event, other) = chosen(report, "blunder", Depth(1))[:2]
    searched = looked_again((other,), Depth(2))
    assert {one.plies for one in searched.decisions} == {None, 2}
    rolled = looked_again((event,), ROLLED)
    for known, at in ((searched, other), (rolled, event)):
        again = Deepening(match, known, (at,), Depth(1), Engine(match.rules))
        assert list(again) == [1]
        assert again.report() == known
        assert at not in chosen(known, "blunder", Depth(1))
    assert other in chosen(searched, "blunder", ROLLED), "a rollout takes the place of every search"


def test_the_answer_to_a_double_is_rolled_out() -> None:
    _, report = first_look()
    for one in report.decisions:
        if one.kind in ("take", "pass"):
            found = looked_again((one.event,), ROLLED)
            (again,) = (new for new in found.decisions if (new.event, new.kind) == (one.event, one.kind))
            assert {option.text for option in again.options} == {"Take", "Pass"}
            assert again.cube is not None
            assert again.games
            take = next(option for option in again.options if option.text == "Take")
            assert take.equity == pytest.approx(-again.cube.double_take, abs=1e-4)
            return
    raise AssertionError("the match has no double")


def test_a_match_that_is_deepened_in_parts_is_the_same_as_in_one() -> None:
    match, report = first_look()
    events = chosen(report, "blunder", ROLLED)[:2]
    known = report
    for event in events:
        part = Deepening(match, known, (event,), ROLLED, Engine(match.rules))
        assert list(part) == [1]
        known = part.report()
    assert known == looked_again(events, ROLLED)


def test_a_fuller_rollout_takes_the_place_of_a_shorter_one_and_never_the_other_way() -> None:
    match, report = first_look()
    event = chosen(report, "blunder", ROLLED)[0]
    full = Depth(rollout=RolloutDepth(36, truncate=0))
    known = looked_again((event,), ROLLED)
    assert event not in chosen(known, "blunder", Depth(rollout=RolloutDepth(35)))
    assert event in chosen(known, "blunder", full)
    assert event in chosen(known, "blunder", Depth(rollout=RolloutDepth(36, plies=1)))
    again = Deepening(match, known, (event,), full, Engine(match.rules))
    assert list(again) == [1]
    fuller = again.report()
    assert fuller == looked_again((event,), full) != known
    back = Deepening(match, fuller, (event,), ROLLED, Engine(match.rules))
    assert list(back) == [1]
    assert back.report() == fuller
    assert event not in chosen(fuller, "blunder", ROLLED)


def test_what_is_being_rolled_out_when_somebody_stops_is_left_as_it_was() -> None:
    match, report = first_look()
    events = chosen(report, "blunder", ROLLED)[:2]
    asked: list[int] = []

    def stopped() -> bool:
        asked.append(1)
        return len(asked) > 1

    deepening = Deepening(
        match, report, events, Depth(rollout=RolloutDepth(1 << 20, truncate=0)), Engine(match.rules), stopped
    )
    assert list(deepening) == []
    assert deepening.report() == report
