"""A variant of one's own is played, written, read again and analysed like those of the catalogue."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import barpoint as bp
from barpoint import dice, train
from barpoint.analysis import Study
from barpoint.dice import TWO_DICE
from barpoint.engine import covers
from barpoint.error import ArgumentError, PositionError, RollError, StakesError, UnknownVariant, UnsupportedRules
from barpoint.rules import Capture, Dice, Movement, Scoring, Setup, Variant
from tests.support.games import AnythingAllowed

SHORT = Variant(
    name="short-game",
    title="Short game",
    line="Ten checkers; a gammon pays four points.",
    source="this test",
    axes={"setup": Setup(((24, 2), (8, 3), (6, 5))), "scoring": Scoring(gammon=4, backgammon=9)},
    aliases=("short",),
)


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Registered variants are gone after the test."""
    catalogue = sys.modules["barpoint.variants"]  # bp.variants is the function
    monkeypatch.setattr(catalogue, "_registered", [])
    yield
    catalogue._rules.cache_clear()


def test_it_is_found_by_its_names_and_composed_with_others() -> None:
    rules = bp.register(SHORT)
    assert (rules.name, rules.checkers, rules.scoring.gammon) == ("short-game", 10, 4)
    assert bp.variant("short") == bp.variant("short-game") == rules
    assert bp.variant("short + rollover").name == "roll-over+short-game"
    assert bp.variants()[-1] is SHORT


def test_registering_it_again_changes_nothing() -> None:
    assert bp.register(SHORT) == bp.register(replace(SHORT))
    assert bp.variants().count(SHORT) == 1


@pytest.mark.parametrize("suffix", [".json", ".mat", ".sgf"])
def test_a_match_of_it_is_played_written_and_read_again(tmp_path: Path, suffix: str) -> None:
    match = bp.Match.start(length=5, rules=bp.register(SHORT))
    *_, match = bp.play_match(match, AnythingAllowed(1), AnythingAllowed(2), dice=dice.seeded(3))
    bp.write_match(match, tmp_path / f"match{suffix}")
    found = bp.read_match(tmp_path / f"match{suffix}", strict=True).match
    assert (found.rules, found.events, found.score) == (match.rules, match.events, match.score)


def test_it_is_analysed_and_its_gammons_pay_what_it_says() -> None:
    match = bp.Match.start(length=0, rules=bp.register(SHORT))
    states = bp.play_match(match, AnythingAllowed(1), AnythingAllowed(2), dice=dice.seeded(3))
    match = next(state for state in states if len(state.events) == 12)
    report = bp.analyse(match, plies=0)
    assert report.rules == "short-game"
    assert len(report.decisions) > 4
    engine = bp.Engine(match.rules)
    start = match.rules.start
    chances = engine.evaluate(start)
    gammons, backgammons = (
        chances.win_gammon - chances.lose_gammon,
        chances.win_backgammon - chances.lose_backgammon,
    )
    assert chances.equity == pytest.approx(2 * chances.win - 1 + 3 * gammons + 5 * backgammons)
    assert chances.flip().equity == pytest.approx(-chances.equity)
    ranked = engine.rank(start, (6, 5))[0]
    assert ranked.equity == pytest.approx(ranked.chances.equity, abs=1e-6)
    rolled = engine.rollout(start, trials=36, truncate=4)
    assert rolled.cubeless.mean == pytest.approx(rolled.chances.equity, abs=1e-6)


def test_names_that_are_taken_or_are_none_are_refused() -> None:
    bp.register(SHORT)
    for name, said in (
        ("nackgammon", "'nackgammon' is taken by Nackgammon"),
        ("Nack Gammon", "is no name of a variant"),
        ("short", "'short' is taken by Short game"),
        ("a+b", "is no name of a variant"),
    ):
        with pytest.raises(UnknownVariant, match=said):
            bp.register(replace(SHORT, name=name, title="Other"))
    with pytest.raises(ArgumentError, match=r"entry is variant\('backgammon'\) \(Rules\); allowed: Variant"):
        bp.register(bp.variant("backgammon"))  # type: ignore[arg-type]


def test_axes_that_there_are_none_of_are_refused() -> None:
    with pytest.raises(UnknownVariant, match="sets colour to True; the axes are setup, opening"):
        bp.register(replace(SHORT, axes={"colour": True}))
    with pytest.raises(UnknownVariant, match=r"sets name to 'x'; the axes are setup"):
        bp.register(replace(SHORT, axes={"name": "x"}))
    with pytest.raises(UnknownVariant, match=r"sets setup to \{24: 2\} \(dict\); allowed: barpoint\.rules\.Setup"):
        bp.register(replace(SHORT, axes={"setup": {24: 2}}))
    with pytest.raises(UnknownVariant, match="sets setup to True"):
        bp.register(replace(SHORT, axes={"setup": True}))
    assert SHORT not in bp.variants()


@pytest.mark.parametrize(
    ("axis", "kind", "said"),
    [
        (Setup(((30, 2),)), PositionError, r"\(30, 2\) in a start; allowed: a point from 1 to 24"),
        (Setup(((0, 2),)), PositionError, r"\(0, 2\) in a start"),
        (Setup(((24, 2), (24, 3))), PositionError, "named once"),
        (Setup(((24, 2), (1, 2))), PositionError, "both sides stand on our point 1"),
        (Setup(()), PositionError, "a start of 0 checkers"),
        (Setup(((24, 16),)), PositionError, "a start of 16 checkers, 0 of them in the hand; a side has 1 to 15"),
        (Scoring(gammon=0), StakesError, "a gammon pays 0, a backgammon 3"),
        (Scoring(gammon=3, backgammon=2), StakesError, "a gammon pays 3, a backgammon 2"),
        (Movement(capture="pin"), ArgumentError, r"capture is 'pin' \(str\); allowed: Capture"),
        (Dice(()), RollError, "dice without a roll"),
        (Dice(TWO_DICE[1:]), None, ""),
        (Dice(TWO_DICE[2:]), RollError, "2-1 may begin a game, and no roll of these dice shows it"),
    ],
)
def test_rules_by_which_no_game_could_be_played_are_refused(axis: Any, kind: type | None, said: str) -> None:
    entry = replace(SHORT, axes={type(axis).__name__.lower(): axis})
    if kind is None:
        bp.register(entry)
        return
    with pytest.raises(kind, match=said):
        bp.register(entry)
    assert entry not in bp.variants()


def test_a_variant_without_differences_has_its_own_name() -> None:
    assert bp.register(replace(SHORT, axes={})).name == "short-game"


PINNING = Variant(
    name="short-pins",
    title="Short pins",
    line="Ten checkers each; blots are pinned.",
    source="this test",
    axes={"setup": SHORT.axes["setup"], "movement": Movement(capture=Capture.PIN)},
)


@pytest.fixture
def own_engine() -> bp.Engine[bp.Chances]:
    """An engine for rules that no net of the package covers, with a fresh net."""
    rules = bp.register(PINNING)
    assert not covers(rules)
    return bp.Engine(rules, net=train.Recipe.small(rules, hidden=16).fresh_net())


def begun(rules: bp.Rules, events: int) -> bp.Match:
    states = bp.play_match(bp.Match.start(5, rules), AnythingAllowed(1), AnythingAllowed(2), dice=dice.seeded(3))
    return next(state for state in states if len(state.events) == events)


def test_an_engine_with_a_net_of_ones_own_analyses_a_match_at_its_own_depth(own_engine: bp.Engine[bp.Chances]) -> None:
    match = begun(own_engine.rules, 14)
    report = bp.analyse(match, engine=own_engine)
    assert (report.plies, report.net, report.complete) == (0, "", True)
    assert report.decisions
    assert {roll.player for roll in report.rolls} == {0, 1}
    study = Study(match, engine=own_engine)
    assert list(study)[-1] == 14
    assert study.report() == report


def test_its_decisions_are_those_of_its_net(own_engine: bp.Engine[bp.Chances]) -> None:
    match = begun(own_engine.rules, 2)
    (found,) = (one for one in bp.analyse(match, engine=own_engine).decisions if one.kind == "play")
    ranked = own_engine.rank(begun(own_engine.rules, 1))
    assert found.options[0].text == str(ranked[0].play)
    assert found.options[0].equity == pytest.approx(ranked[0].equity, abs=1e-4)


def test_it_answers_about_a_position_too(own_engine: bp.Engine[bp.Chances]) -> None:
    start = own_engine.rules.start
    answer = bp.analyse(start, engine=own_engine)
    assert answer.cubeless == pytest.approx(own_engine.evaluate(start).equity, abs=1e-6)
    assert (answer.net, answer.plies) == ("", 0)


def test_without_an_engine_it_is_said_how_a_net_of_ones_own_is_given(own_engine: bp.Engine[bp.Chances]) -> None:
    match = begun(own_engine.rules, 2)
    with pytest.raises(UnsupportedRules, match=r"no net has learned short-pins.*analyse\(engine=\.\.\.\)"):
        bp.analyse(match)


def test_an_engine_of_another_game_is_refused(own_engine: bp.Engine[bp.Chances]) -> None:
    with pytest.raises(UnsupportedRules, match="Match of backgammon; this engine plays short-pins"):
        bp.analyse(bp.Match.start(3), engine=own_engine)
    with pytest.raises(UnsupportedRules, match="Game of backgammon; this engine plays short-pins"):
        bp.analyse(bp.Match.start(3).game, engine=own_engine)
    with pytest.raises(ArgumentError, match="engine is 'short-pins'"):
        bp.analyse(bp.Match.start(3), engine="short-pins")  # type: ignore[call-overload]
