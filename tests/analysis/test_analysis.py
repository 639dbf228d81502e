"""Analysis: what exact tables know adds up, clear errors are found, and nothing that is legal goes unjudged."""

from __future__ import annotations

import json
import re
from html import escape
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
import pytest

import barpoint as bp
from barpoint import dice
from barpoint.analysis import Decision, Report, Study
from barpoint.analysis.findings import DOUBTFUL, GROUPS, mark_of
from barpoint.analysis.judge import Judge
from barpoint.analysis.luck import LuckMeter
from barpoint.analysis.shots import shots
from barpoint.analysis.text import describe
from barpoint.analysis.themes import OUTCOMES
from barpoint.analysis.words import choice_text
from barpoint.driver import play_match
from barpoint.engine import CubeState, Engine
from barpoint.error import UnsupportedRules
from barpoint.game import (
    Abort,
    Accept,
    Beaver,
    Double,
    Event,
    Game,
    Opening,
    Pass,
    PlayMade,
    Reject,
    Resign,
    Roll,
    Take,
    Void,
)
from barpoint.match import Match
from barpoint.moves import legal_plays
from barpoint.record import Book, parse_mat
from barpoint.variants import variant
from tests.cli.test_cli import barpoint
from tests.support.games import AnythingAllowed, place

__all__ = ["barpoint"]

MATCH = """\
 3 point match

 Game 1
 Anna : 0                        Ben : 0
  1) 31: 24/23 13/10             64: 24/14
  2) 21: 6/5 6/4                 66: 24/18 14/8 13/7(2)
"""


def anything(name: str, seed: int, events: int, length: int = 3) -> Match:
    """A match of players who do anything, broken off after some events."""
    states = play_match(
        Match.start(length, name), AnythingAllowed(seed), AnythingAllowed(seed + 50), dice=dice.seeded(seed)
    )
    return list(islice(states, events))[-1]


def only(report: Report, event: int, kind: str) -> Decision:
    return next(one for one in report.decisions if (one.event, one.kind) == (event, kind))


# -- what must add up


def test_points_from_before_the_record_are_not_part_of_a_result() -> None:
    """Their luck is not in the record either."""
    adjusted = []
    for score in ((0, 0), (7, 2)):
        match = Match.start(0, first_score=score)  # type: ignore[arg-type]
        for event in (Opening((3, 1)), PlayMade(0, ((8, 5, 3), (6, 5, 1))), Double(1), Pass(0), Abort()):
            match = match.apply(event)
        study = Study(match, engine=Engine("backgammon", plies=0))
        list(study)
        report = study.report()
        assert report.result == -1
        adjusted.append(report.adjusted)
    assert adjusted[0] == adjusted[1] is not None


@pytest.mark.parametrize("seed", range(3))
def test_in_an_exact_race_start_luck_and_errors_make_up_the_result(seed: int) -> None:
    """The golden sum: every roll's luck and every loss, judged by exact tables, leave nothing unexplained.

    The tables of two-sided bear-offs are exact with the cube, so the equity before the first roll, the luck of all
    rolls and the losses of all decisions are the points that were won, whoever played and however badly.
    """
    rules = variant("backgammon")
    engine = Engine(rules)
    judge, meter = Judge(engine, engine), LuckMeter(engine)
    start = place({6: 2, 4: 1, 2: 1}, {5: 2, 3: 1, 1: 1})
    match = msgspec.structs.replace(Match.start(0), game=Game.at(rules, start, 0))
    points = engine.equity(start, cube=CubeState())  # of player 0
    chance = Random(seed)
    while not match.game.over:
        game = match.game
        sign, before, value = (1 if game.player == 0 else -1), match, game.cube.value
        event: Event
        if game.phase.value == "doubled":
            event = Take(1 - game.player) if chance.random() < 0.7 else Pass(1 - game.player)
            lost, luck = judge.answer(before, "take" if isinstance(event, Take) else "pass", 1), 0.0
            sign = -sign
        elif game.faces:
            play = chance.choice(legal_plays(rules, game.position, game.faces))
            match = match.apply(PlayMade(game.player, play.moves))
            assert isinstance(match.events[-1], PlayMade)
            lost, luck = judge.play(before, match.events[-1], 1)[0], 0.0
            points -= sign * value * sum(one.loss for one in lost)
            continue
        elif chance.random() < 0.3 and any(item.kind == "double" for item in match.legal_events()):
            event = Double(game.player)
            lost, luck = judge.cube(before, game.player, 1, doubled=True), 0.0
        else:
            row = chance.choices(rules.dice.rows, [row.weight for row in rules.dice.rows])[0]
            event = Roll(game.player, row.faces)
            lost, luck = judge.cube(before, game.player, 1, doubled=False), meter.of_roll(before, row.faces)
        points += sign * value * (luck - sum(one.loss for one in lost))
        match = match.apply(event)
    assert points == pytest.approx(match.score[0] - match.score[1], abs=0.01)  # a loss below 0.001 is none


@pytest.mark.parametrize("name", ["backgammon", "roll-over", "duodecagammon"])
def test_luck_is_nothing_on_average(name: str) -> None:
    meter = LuckMeter(Engine(name))
    match = anything(name, 3, 30)
    while match.game.faces or match.game.phase.value not in ("to_roll", "must_reroll"):
        match = match.apply(AnythingAllowed(1).event(match, match.game.actor or 0))  # type: ignore[arg-type]
    rows = meter.engine.rules.dice.rows
    luck = sum(row.weight * meter.of_roll(match, row.faces) for row in rows)
    assert luck == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("name", ["backgammon", "roll-over", "duodecagammon"])
def test_the_luck_of_the_start_is_nothing_on_average_for_either_side(name: str) -> None:
    meter = LuckMeter(Engine(name))
    match, sides = Match.start(5, name), variant(name).dice.sides
    rolls = [(a, b) for a in range(1, sides + 1) for b in range(1, sides + 1) if a != b]
    gains = [meter.of_opening(match, (a, b)) * (1 if a > b else -1) for a, b in rolls]
    assert sum(gains) == pytest.approx(0, abs=1e-5)


# -- what is found


def test_a_bad_opening_is_a_blunder_and_the_best_play_and_its_gain_are_named() -> None:
    """Rulings 9.4: 3-1 makes the 5 point."""
    found = only(bp.analyse(parse_mat(MATCH), plies=0), 2, "play")
    assert (found.best.text, found.made.text, found.mark) == ("8/5 6/5", "24/23 13/10", "blunder")
    assert found.options[0].loss == 0
    assert found.made.loss == found.loss == pytest.approx(found.best.equity - found.made.equity, abs=1e-4)
    assert found.lesson.startswith("8/5 6/5 instead of 24/23 13/10 wins ")
    assert found.cost > 0
    assert found.stage == "opening"


def test_a_lesson_names_gammons_only_where_they_count() -> None:
    text = MATCH.replace("3 point match", "1 point match")
    assert "gammons" in only(bp.analyse(parse_mat(MATCH), plies=0), 2, "play").lesson
    alone = only(bp.analyse(parse_mat(text), plies=0), 2, "play").lesson
    assert "games" in alone
    assert "gammons" not in alone


def test_without_luck_the_same_decisions_are_found_and_no_roll() -> None:
    found = [Study(parse_mat(MATCH), plies=0, luck=luck) for luck in (True, False)]
    for study in found:
        assert list(study)
    assert found[0].decisions == found[1].decisions
    assert found[0].rolls
    assert not found[1].rolls


def test_marks_begin_where_they_say() -> None:
    assert [mark_of(loss) for loss in (0, 0.0199, DOUBTFUL, 0.0399, 0.04, 0.0799, 0.08, 1)] == [
        "", "", "doubtful", "doubtful", "error", "error", "blunder", "blunder",
    ]  # fmt: skip


def test_doubling_far_too_early_and_passing_that_are_both_blunders() -> None:
    match = Match.start(5).apply(Opening((3, 1))).apply(PlayMade(0, ((24, 23, 1), (13, 10, 3))))
    match = match.apply(Double(1)).apply(Pass(0))
    report = bp.analyse(match, plies=0)
    double, passed = only(report, 3, "double"), only(report, 4, "pass")
    assert (double.best.text, double.mark, passed.best.text, passed.mark) == ("No double", "blunder", "Take", "blunder")
    assert double.cube is not None
    assert double.cube.action == "no double"
    assert double.lesson.startswith("No double yet: ")
    assert passed.lesson.startswith("Take: ")
    assert passed.made.equity == -1


@pytest.mark.parametrize(("length", "asked"), [(2, False), (5, True)])
def test_a_cube_that_is_dead_is_nothing_to_decide_about(length: int, asked: bool) -> None:
    """As in GNU Backgammon: who wins the match with a single game anyway has no reason to double."""
    text = MATCH.replace("3 point", f"{length} point").replace("2) 21: 6/5 6/4                 66: 24/18 14/8 13/7(2)",
        "2)  Doubles => 2                Takes\n  3) 21: 6/5 6/4                 66: 24/18 14/8 13/7(2)")  # fmt: skip
    study = Study(parse_mat(text).match, engine=Engine("backgammon", plies=0))
    list(study)
    decisions = [one.kind for one in study.decisions if one.player == 1 and one.event > 5]
    assert decisions == ["take", *(["no double"] if asked else []), "play"]


def test_a_roll_that_should_have_been_called_off_is_found() -> None:
    """Rulings 2.4: the roller may reroll their own roll before they have played it."""
    match = Match.start(3, "roll-over").apply(Opening((4, 1))).apply(PlayMade(0, ((24, 23, 1), (13, 9, 4))))
    match = match.apply(Roll(1, (5, 5))).apply(PlayMade(1, ((13, 8, 5), (13, 8, 5), (6, 1, 5), (6, 1, 5))))
    report = bp.analyse(match, plies=0)
    keep = next(one for one in report.decisions if one.event == 4 and one.kind == "keep")
    assert {option.text for option in keep.options} == {"Let it stand", "Roll over"}
    assert keep.player == 1
    assert keep.faces == (5, 5)


def test_an_unknown_play_is_passed_over_and_the_rest_is_judged() -> None:
    """Manual mode: an illegal play that was accepted has no equity."""
    match = Match.start(1, manual=True).apply(Opening((3, 1))).apply(PlayMade(0, ((8, 5, 3), (8, 2, 6))))
    match = match.apply(Roll(1, (6, 4)))
    play = legal_plays(match.rules, match.game.position, (6, 4))[0]
    report = bp.analyse(match.apply(PlayMade(1, play.moves)), plies=0)
    assert [(one.event, one.kind) for one in report.decisions] == [(4, "play")]


def test_a_roll_that_was_none_has_no_luck() -> None:
    """S2-26: a cocked die is rolled again."""
    match = Match.start(1, manual=True).apply(Opening((3, 1))).apply(PlayMade(0, ((8, 5, 3), (6, 5, 1))))
    match = match.apply(Roll(1, (6, 6))).apply(Void(1, 2)).apply(Roll(1, (2, 1)))
    assert [(one.event, one.faces) for one in bp.analyse(match, plies=0).rolls] == [(1, (3, 1)), (5, (2, 1))]


def test_a_beaver_and_its_answer_are_judged() -> None:
    """S2-22: the opening doubled by who is behind is beavered at once, and there is no reason for a raccoon."""
    match = Match.start(0, beavers=2).apply(Opening((3, 1))).apply(PlayMade(0, ((8, 5, 3), (6, 5, 1))))
    report = bp.analyse(match.apply(Double(1)).apply(Beaver(0)).apply(Take(1)), plies=0)
    double, beaver, take = (only(report, event, kind) for event, kind in ((3, "double"), (4, "beaver"), (5, "take")))
    assert double.mark == "blunder"
    assert (beaver.best.text, beaver.loss) == ("Beaver", 0)
    assert [option.text for option in beaver.options] == ["Beaver", "Take", "Pass"]
    equity_of = {option.text: option.equity for option in beaver.options}
    assert equity_of["Beaver"] == pytest.approx(2 * equity_of["Take"], abs=1e-4)
    assert equity_of["Pass"] == -1
    assert take.best.text == "Take"
    assert {option.text: option.equity for option in take.options}["Pass"] == -2


# -- every game that a net covers


@pytest.mark.parametrize(
    "name",
    ["backgammon", "nackgammon", "longgammon", "hypergammon", "roll-over", "cancelgammon", "duodecagammon",
     "roll-over+duodecagammon", "acey-deucey"],
)  # fmt: skip
def test_every_choice_in_a_match_of_any_game_is_judged(name: str) -> None:
    events = 10 if name == "acey-deucey" else 50
    match = anything(name, 7, events)
    report = bp.analyse(match, plies=0)
    assert report.complete
    plays = {index for index, event in enumerate(match.events, start=1) if isinstance(event, PlayMade)}
    assert {one.event for one in report.decisions if one.kind == "play"} == plays
    rolls = [event for event in match.events if isinstance(event, Roll)]
    assert len([one for one in report.rolls if one.event > 1]) >= len(rolls) - 1
    known = {kind for kinds in GROUPS.values() for kind in kinds}
    for one in report.decisions:
        assert one.kind in known
        assert one.loss >= 0
        assert one.made.loss == pytest.approx(one.loss, abs=0.0011)
        assert list(one.options[:5]) == sorted(one.options[:5], key=lambda option: -option.equity)
        assert bool(one.lesson) == bool(one.mark)
    assert all(0 <= point.win <= 1 for point in report.curve)


@pytest.mark.parametrize("name", ["plakoto", "tapa", "fevga", "narde", "gul-bara", "gioul", "moultezim", "misere"])
def test_themes_of_hits_and_anchors_are_not_told_where_nothing_is_hit_or_losing_wins(name: str) -> None:
    report = bp.analyse(anything(name, 2, 150), plies=0)
    marked = [one for one in report.decisions if one.kind == "play" and one.mark]
    assert len(marked) > 5
    told = {theme.name for one in marked for theme in one.themes}
    assert told <= {*OUTCOMES, "plain", "race", "bear-in"}


def test_a_game_without_a_net_is_refused() -> None:
    with pytest.raises(UnsupportedRules):
        bp.analyse(Match.start(3, "roll-over+plakoto"))


@pytest.mark.parametrize(
    ("name", "level", "resigned"),
    [
        ("backgammon", 1, ("resign a single game", "Resign a single game", "accept a single game")),
        ("backgammon", 2, ("resign a gammon", "Resign a gammon", "accept a gammon")),
        ("backgammon", 3, ("resign a backgammon", "Resign a backgammon", "accept a backgammon")),
        ("acey-deucey", 1, ("resign", "Resign", "accept")),
    ],
)
def test_a_resignation_and_its_answer_say_what_is_resigned(name: str, level: int, resigned: tuple[str, ...]) -> None:
    match = anything(name, 7, 3, length=7)
    loser = 1 - match.game.player
    match = match.apply(Resign(loser, level)).apply(Accept(1 - loser))
    report = bp.analyse(match, plies=0)
    given, taken = report.decisions[-2:]
    assert (given.kind, taken.kind) == ("resign", "accept")
    assert given.level == taken.level == (level if name == "backgammon" else 0)
    assert (describe(given), describe(taken)) == (resigned[0], resigned[2])
    assert choice_text(given.made.text, given.level) == resigned[1]
    assert resigned[0] in report.text(worst=None)
    assert f"<td>{resigned[1]}</td>" in report.html()
    assert all(one.level == 0 for one in report.decisions[:-2])


def test_a_resignation_that_was_rejected_says_what_was_offered() -> None:
    match = anything("backgammon", 7, 3).apply(Resign(0, 2)).apply(Reject(1))
    rejected = bp.analyse(match, plies=0).decisions[-1]
    assert (rejected.kind, rejected.level, describe(rejected)) == ("reject", 2, "reject a gammon")
    assert {choice_text(one.text, rejected.level) for one in rejected.options} == {"Accept a gammon", "Reject"}


# -- totals, text, files


def test_the_rating_is_five_hundred_times_the_mean_loss_of_an_unforced_decision() -> None:
    report = bp.analyse(anything("backgammon", 2, 40), plies=0)
    for player in (0, 1):
        counted = [one for one in report.decisions if one.player == player and one.counted]
        totals = report.players[player]
        assert totals.total.unforced == len(counted)
        assert totals.rating == pytest.approx(500 * sum(one.loss for one in counted) / len(counted))
        assert totals.total.loss == pytest.approx(sum(one.loss for one in totals_of(report, player)))
        assert totals.luck == pytest.approx(sum(one.luck for one in report.rolls if one.player == player))
        assert sum(part.unforced for part in totals.groups.values()) == len(counted)
        assert sum(part.unforced for part in totals.stages.values()) == len(counted)


def totals_of(report: Report, player: int) -> list[Decision]:
    return [one for one in report.decisions if one.player == player]


def test_a_stopped_study_says_what_it_knows_and_goes_on_where_it_was() -> None:
    match = anything("backgammon", 4, 40)
    study = Study(match, plies=0)
    for done in study:
        if done == 15:
            break
    part = study.report()
    assert (part.events, part.complete) == (15, False)
    assert max(one.event for one in part.decisions) <= 15
    for _ in study:
        pass
    assert study.report() == bp.analyse(match, plies=0)


def test_progress_is_told_and_what_it_raises_ends_the_analysis() -> None:
    match = anything("backgammon", 4, 20)
    told: list[tuple[int, int]] = []
    bp.analyse(match, plies=0, progress=lambda done, of: told.append((done, of)))
    assert told == [(done, len(match.events)) for done in range(1, len(match.events) + 1)]

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bp.analyse(match, plies=0, progress=stop)


def test_a_report_is_written_as_json_and_read_back() -> None:
    report = bp.analyse(anything("roll-over", 5, 25), plies=0)
    assert msgspec.json.decode(report.json(), type=Report) == report


def test_a_report_shows_who_played_how_well_and_is_printed_and_shown_as_its_text() -> None:
    report = bp.analyse(Book(anything("backgammon", 2, 40), ("Anna", "<Ben>")), plies=0)
    assert re.fullmatch(r"<Report of backgammon, 'Anna' PR \d+\.\d\d, '<Ben>' PR \d+\.\d\d, 40 events>", repr(report))
    assert str(report) == report.text()
    assert report._repr_html_() == f"<pre>{escape(report.text())}</pre>"


def test_the_worst_errors_come_first_in_text_and_page() -> None:
    report = bp.analyse(Book(anything("backgammon", 2, 40), ("Anna", "<Ben>")), plies=0)
    worst = report.worst(3)
    assert [one.loss for one in worst] == sorted((one.loss for one in worst), reverse=True)
    text = report.text(worst=3)
    assert [text.index(one.lesson) for one in worst] == sorted(text.index(one.lesson) for one in worst)
    assert "performance rating" in text
    page = report.html()
    assert "&lt;Ben&gt;" in page
    assert "<Ben>" not in page
    assert "<script" not in page
    assert page.count("<article>") == min(40, len(report.worst()))


def test_the_command_prints_text_and_json(tmp_path: Path, barpoint) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "match.mat"
    file.write_text(MATCH, encoding="utf-8")
    ran = barpoint("analyse", str(file), "--plies", "0", "--worst", "1", "--html", str(tmp_path / "page.html"))
    assert ran.status == 0
    assert ran.out.startswith("backgammon, 3 points: Anna against Ben\n")
    assert "The worst of " in ran.out
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    found = json.loads(barpoint("analyse", str(file), "--plies", "0", "--json").out)
    assert found["format"] == "barpoint-analysis"
    assert [one["event"] for one in found["decisions"] if one["kind"] == "play"] == [2, 4, 6, 8]
    assert barpoint("analyse", str(tmp_path / "none.mat")).status == 2


# -- what is counted on the board


def test_shots_are_counted_in_rolls_that_hit() -> None:
    """The only checker of the side to act stands six pips away from a blot: 17 of 36 rolls hit."""
    rules = variant("backgammon")
    assert shots(rules, place({7: 1}, {24: 1})) == (17, 36)
    assert shots(rules, rules.start)[0] == 0


def test_where_games_take_turns_each_is_judged_by_the_net_of_its_own_rules() -> None:
    bots = bp.Bot("tavli", "club", seed=1), bp.Bot("tavli", "club", seed=2)
    *_, match = bp.play_match(bp.Match.start(4, "tavli"), *bots, dice=bp.dice.seeded(4))
    report = bp.analyse(match, plies=0)
    assert report.complete
    games = {one.game for one in report.decisions}
    assert games == set(range(1, len(match.finished) + 1))
    assert len(games) >= 3
    plays = [one for one in report.decisions if one.kind == "play"]
    made = sum(isinstance(event, PlayMade) for event in match.events)
    assert len(plays) == made, "no play was unknown to the net of its game"
    assert report.rules == "tavli"
    assert "<svg" in report.html()
