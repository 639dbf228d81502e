"""The engine with another match equity table than the standard one."""

from __future__ import annotations

import pickle
from html import escape
from typing import Any

import msgspec
import pytest

import barpoint as bp
from barpoint.engine import CubeState, Engine, Score
from barpoint.engine.cube_info import CubeInfo, cube_info_of
from barpoint.engine.prospect import resignation
from barpoint.game import PlayMade, Resign, Roll

ZADEH, STANDARD = bp.Met.load("zadeh"), bp.Met.load()
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:1:0:7:10"


def test_a_score_is_worth_what_its_own_table_says() -> None:
    for met in (ZADEH, STANDARD):
        info = CubeInfo(CubeState(), Score(4, 6, met=met))
        assert info.of_points(2) == pytest.approx(met.win(2, 6))
        assert info.flip().of_points(1) == pytest.approx(met.win(5, 4))


def test_the_engines_table_holds_for_matches_situations_and_positions() -> None:
    situation = bp.parse_id(XGID)
    engine = Engine(met=ZADEH)
    named = Engine().cube(situation.position, score=Score(4, 6, met=ZADEH))
    assert engine.cube(situation) == engine.cube(situation.position, score=Score(4, 6)) == named
    assert engine.cube(situation) != Engine().cube(situation) == Engine(met=STANDARD).cube(situation)


def test_decisions_and_luck_are_valued_by_the_table_of_the_engine() -> None:
    match = bp.match_at(bp.parse_id(XGID)).apply(Roll(1, (6, 4)))
    ours, usual = (analysed(match, met).decisions[0] for met in (ZADEH, STANDARD))
    assert [one.text for one in ours.options] == [one.text for one in usual.options]
    info = cube_info_of(match, 1, ZADEH)
    for option in ours.options:
        assert option.value == pytest.approx(info.to_value(option.equity), abs=1e-5)
    assert ours.options[0].value != usual.options[0].value
    (luck,) = analysed(match, ZADEH).rolls
    assert luck.value == pytest.approx(info.to_value(luck.luck) - info.to_value(0), abs=1e-5)


def test_a_resignation_is_worth_what_the_table_of_the_engine_says() -> None:
    match = bp.match_at(bp.parse_id(XGID)).apply(Resign(1, 1))
    values = [resignation(Engine(met=met), match, 0) for met in (ZADEH, STANDARD)]
    infos = [cube_info_of(match, 0, met) for met in (ZADEH, STANDARD)]
    assert values == [info.to_equity(info.of_points(1)) for info in infos]


def analysed(match: bp.Match, met: bp.Met) -> bp.Report:
    """The analysis of a match in which the roll that waits is played in the best way."""
    engine = Engine(met=met)
    moves = engine.rank(match, limit=1)[0].play.moves
    return bp.analyse(match.apply(PlayMade(1, moves)), engine=engine)


def test_a_score_that_names_its_table_keeps_it() -> None:
    point: dict[str, Any] = {"score": Score(4, 6, met=STANDARD)}
    assert Engine(met=ZADEH).cube(bp.variant().start, **point) == Engine().cube(bp.variant().start, score=Score(4, 6))


def test_plays_batches_and_rollouts_are_valued_by_the_table() -> None:
    start, cube = bp.variant().start, CubeState()
    positions, rolls = bp.encode([start]), [(6, 4)]
    zadeh, standard = Engine(met=ZADEH), Engine()
    for ours, named in ((zadeh, standard), (standard, zadeh)):
        met = ours.met or STANDARD
        plain, said = Score(4, 6), Score(4, 6, met=met)
        assert ours.rank(start, (6, 4), cube=cube, score=plain) == named.rank(start, (6, 4), cube=cube, score=said)
        batches = [
            engine.rank_batch(positions, rolls, cube=cube, score=score)
            for engine, score in ((ours, plain), (named, said))
        ]
        assert (batches[0].equities == batches[1].equities).all()
        rolled = [
            engine.rollout(start, cube=cube, score=score, trials=36, truncate=3).mwc
            for engine, score in ((ours, plain), (named, said))
        ]
        assert rolled[0] == rolled[1]
    assert zadeh.rank(start, (6, 4), cube=cube, score=Score(4, 6)) != standard.rank(
        start, (6, 4), cube=cube, score=Score(4, 6)
    )


def test_the_table_travels_with_a_pickled_engine() -> None:
    again = pickle.loads(pickle.dumps(Engine(met=ZADEH)))
    assert again.met == ZADEH


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(bp.ArgumentError, match="allowed: Met"):
        Engine(met="zadeh")  # type: ignore[call-overload]


def test_a_page_words_lessons_by_the_table_that_judged_the_match() -> None:
    chances = tuple(tuple(0.5 + ((them + 1) // 2 - (us + 1) // 2) / 12 for them in range(1, 8)) for us in range(1, 8))
    steps = bp.Met("steps", chances, (0.5,) * 7)
    assert steps.win(1, 3) == steps.win(2, 3), "a gammon wins no more than a single game"
    match = bp.match_at(bp.parse_id(XGID.replace(":3:1:0:", ":4:4:0:"))).apply(Roll(1, (6, 4)))
    for met, counts in ((steps, False), (STANDARD, True)):
        engine = Engine(met=met)
        judged = match.apply(PlayMade(1, engine.rank(match)[-1].play.moves))
        report = bp.analyse(judged, engine=engine)
        (lesson,) = (one.lesson for one in report.worst())
        assert (" gammons" in lesson) == counts
        assert escape(lesson) in report.html(judged)
        assert escape(lesson) in msgspec.json.decode(report.json(), type=bp.Report).html(judged)
