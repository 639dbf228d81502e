"""Statistics over many matches: sums that agree with the analyses, intervals, and nothing analysed twice."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from barpoint.analysis import Report, analyse, many
from barpoint.analysis.findings import GROUPS, STAGES, UNRATED
from barpoint.analysis.many import FileSummaries, summaries
from barpoint.analysis.statistics import most_frequent_name, played_by, statistics_of, worst_mistakes
from barpoint.analysis.statistics_text import format_course, format_statistics
from barpoint.analysis.summary import CONFIDENCE, AnalysedMatch, AnalysedPlayer, Losses, LossesPart, Mistake, summarise
from barpoint.analysis.theme_text import TEXTS
from barpoint.analysis.themes import NAMES
from barpoint.analysis.words import WORDS
from barpoint.record import parse_mat, read_match, write_match
from barpoint.record.collection import MatchFile
from tests.cli.test_cli import barpoint

__all__ = ["barpoint"]

MATCH = """\
; [EventDate "2026.05.03"]

 1 point match

 Game 1
 Anna : 0                        Ben : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 21: 6/5 6/4                 66: 24/18 14/8 13/7(2)
  3) 65: 24/13                   Resigns
"""


def losses(*each: float) -> Losses:
    return Losses(
        len(each), sum(each), sum(one * one for one in each), sum(each) / 10, blunders=sum(one >= 0.08 for one in each)
    )


PERFECT = losses(0.0)


def summary(
    first: Losses,
    second: Losses = PERFECT,
    *,
    names: tuple[str, str] = ("Anna", "Ben"),
    day: str = "",
    result: float | None = 1.0,
) -> AnalysedMatch:
    sides = tuple(AnalysedPlayer((LossesPart("play", "contact", one),), 0.0, 0.0) for one in (first, second))
    return AnalysedMatch("backgammon", 3, names, 0, "net", (sides[0], sides[1]), result, day)


@pytest.fixture(scope="module")
def report() -> Report:
    return analyse(parse_mat(MATCH), plies=0)


def test_a_summary_has_the_totals_of_its_report(report: Report) -> None:
    found = summarise(report, parse_mat(MATCH).match)
    for player in (0, 1):
        total = report.players[player].total
        own = found.players[player].losses
        assert (own.decisions, own.doubtful, own.errors, own.blunders) == (
            total.unforced,
            total.doubtful,
            total.errors,
            total.blunders,
        )
        assert own.loss == pytest.approx(total.loss, abs=1e-4)
        assert own.rating == pytest.approx(total.rating, abs=0.02)
    assert msgspec.json.decode(msgspec.json.encode(found), type=AnalysedMatch) == found


def test_a_resignation_does_not_count_for_the_rating(report: Report) -> None:
    resigned = [one for one in report.decisions if one.kind in ("resign", "accept")]
    assert {one.kind for one in resigned} == {"resign", "accept"}
    assert max(one.loss for one in resigned) > 0.1
    assert not any(one.counted for one in resigned)
    assert not any(part.kind == "resign" for part in summarise(report, parse_mat(MATCH).match).players[1].parts)


def test_a_resignation_is_marked_and_lost_in_its_group_alone(report: Report) -> None:
    resigned = [one for one in report.decisions if one.kind == "resign"]
    ben = report.players[1]
    group = ben.groups[UNRATED]
    assert (group.decisions, group.unforced, group.rating) == (1, 0, 0)
    assert (group.blunders, group.loss, group.cost) == (1, resigned[0].loss, resigned[0].cost)
    counted = [one for one in report.decisions if one.player == 1 and one.counted]
    assert ben.total.decisions == len(counted) + 1
    for mark, total in (("doubtful", ben.total.doubtful), ("error", ben.total.errors), ("blunder", ben.total.blunders)):
        assert total == [one.mark for one in counted].count(mark)
    assert ben.total.loss == pytest.approx(sum(one.loss for one in counted))
    assert sum(stage.blunders for stage in ben.stages.values()) == ben.total.blunders
    text = report.text(worst=0)
    assert f"resignations, unrated{group.loss:33.3f}\n" in text
    assert text.index("  plays") < text.index("unforced decisions") < text.index("blunders")


@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=20), min_size=1, max_size=5))
def test_statistics_of_matches_are_those_of_all_their_decisions(each: list[list[float]]) -> None:
    found = statistics_of(played_by([summary(losses(*one)) for one in each], ["Anna"]))
    every = [loss for one in each for loss in one]
    assert found.total.decisions == len(every)
    assert found.total.rating == pytest.approx(500 * sum(every) / len(every))
    assert sum(line.share for line in found.by["stage"]) == pytest.approx(float(any(every)))


def test_the_interval_is_that_of_the_mean_loss() -> None:
    each = (0.0, 0.1, 0.2, 0.3)
    deviation = (sum((one - 0.15) ** 2 for one in each) / 3) ** 0.5
    assert losses(*each).margin == pytest.approx(CONFIDENCE * 500 * deviation / 2)
    assert losses(0.3).margin == 0


def test_a_player_is_found_on_both_sides_and_under_several_names() -> None:
    matches = [
        summary(losses(0.1), losses(0.3)),
        summary(losses(0.3), losses(0.1), names=("Cleo", "anna"), result=0.0),
        summary(losses(0.3), losses(0.1), names=("Cleo", "Anne"), result=None),
        summary(losses(0.9), losses(0.9), names=("Cleo", "Ben")),
    ]
    found = statistics_of(played_by(matches, ["Anna", "Anne"]))
    assert found.names == ("Anna", "anna", "Anne")
    assert (found.matches, found.won, found.lost) == (3, 2, 0)
    assert found.total.rating == pytest.approx(50)
    assert found.opponents.rating == pytest.approx(150)
    assert [(line.name, line.matches) for line in found.by["opponent"]] == [("Cleo", 2), ("Ben", 1)]
    assert most_frequent_name(matches) == "Cleo"


def test_a_match_without_a_decision_has_no_rating_in_the_course() -> None:
    matches = [summary(losses(0.1)), summary(losses()), summary(losses(0.3))]
    found = statistics_of(played_by(matches, ["Anna"]))
    assert [round(one.rating) for one in found.course] == [50, 150]
    assert found.matches == 3


def test_the_course_follows_the_days_and_looks_back_over_twenty_matches() -> None:
    matches = [summary(losses(0.1 * (number >= 20)), day=f"2026-01-{number + 1:02}") for number in range(30)]
    course = statistics_of(played_by(reversed(matches), ["Anna"])).course
    assert [one.played_on for one in course] == [one.played_on for one in matches]
    assert [round(one.moving, 3) for one in course[18:22]] == [0, 0, 2.5, 5]
    assert course[29].moving == pytest.approx(25)
    rows = list(csv.DictReader(format_course(statistics_of(played_by(matches, ["Anna"]))).splitlines()))
    assert (rows[29]["played_on"], rows[29]["won"], rows[29]["rating"]) == ("2026-01-30", "1", "50.000")


def test_what_costs_most_stands_first_with_the_rating_of_the_opponents_there() -> None:
    parts = (LossesPart("take", "contact", losses(0.5)), LossesPart("play", "race", losses(0.1, 0.1)))
    others = (LossesPart("take", "contact", losses(0.2)),)
    match = AnalysedMatch(
        "backgammon", 3, ("Anna", "Ben"), 0, "net", (AnalysedPlayer(parts, 0, 0), AnalysedPlayer(others, 0, 0))
    )
    first, second = statistics_of(played_by([match], ["Anna"])).weaknesses
    assert (first.kind, first.stage, first.rating, first.others) == ("take", "contact", 250, 100)
    assert first.share == pytest.approx(5 / 7)
    assert (second.kind, second.others) == ("play", 0)


def test_themes_are_those_of_the_players_own_mistakes_the_costliest_first() -> None:
    def mistake(player: int, theme: str, loss: float) -> Mistake:
        return Mistake(9, 1, player, "play", "contact", "error", loss, 0.01, "8/5", "6/3", (2, 1), theme)

    found = (
        mistake(0, "escape", 0.05),
        mistake(0, "timing", 0.06),
        mistake(0, "escape", 0.05),
        mistake(1, "race", 0.9),
    )
    match = structs.replace(summary(losses(0.05, 0.06, 0.05, 0.04)), mistakes=(*found, mistake(0, "", 0.04)))
    themes = statistics_of(played_by([match], ["Anna"])).themes
    assert [(one.name, one.mistakes) for one in themes] == [("escape", 2), ("timing", 1)]
    assert themes[0].share == pytest.approx(0.5)
    assert [one.loss for _match, one in worst_mistakes(played_by([match], ["Anna"]))] == [0.06, 0.05, 0.05, 0.04]


def test_every_stage_kind_group_and_theme_has_words() -> None:
    assert {*STAGES, *GROUPS, *(kind for kinds in GROUPS.values() for kind in kinds)} <= WORDS.keys()
    assert set(NAMES) <= TEXTS.keys()


def test_nobodys_statistics_are_empty_and_can_be_written() -> None:
    found = statistics_of([])
    assert (found.matches, found.total.rating, found.course, found.weaknesses) == (0, 0, (), ())
    assert "0 matches" in format_statistics(found)


def test_a_file_is_analysed_once_and_again_where_what_was_kept_is_damaged(tmp_path: Path, monkeypatch) -> None:
    files = [MatchFile("a.mat", MATCH.encode()), MatchFile("b.mat", b"no match")]
    found = dict(summaries(files, processes=1, folder=tmp_path))
    assert [one.played_on for one in found[0].matches] == ["2026-05-03"]
    assert "no match" in found[1].refused[0]
    monkeypatch.setattr(many, "ProcessPoolExecutor", None)
    assert dict(summaries(files, folder=tmp_path)) == found
    monkeypatch.undo()
    for kept in tmp_path.iterdir():
        kept.write_bytes(b"{")
    assert dict(summaries(files, folder=tmp_path)) == found


def test_the_command_prints_whose_matches_they_are_and_refuses_a_stranger(
    barpoint, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "a.mat").write_text(MATCH)
    (tmp_path / "b.mat").write_text(MATCH.replace("Ben", "Cleo"))
    (tmp_path / "c.mat").write_text("no match")
    ran = barpoint("stats", str(tmp_path), "--csv", str(tmp_path / "course.csv"))
    assert ran.out.startswith("Anna\n2 matches, 2 won, 0 lost; analysed at 0-ply\n")
    assert "c.mat: " in ran.err
    assert len((tmp_path / "course.csv").read_text().splitlines()) == 3
    ran = barpoint("stats", str(tmp_path), "--json", "--player", "cleo")
    assert json.loads(ran.out)["names"] == ["Cleo"]
    ran = barpoint("stats", str(tmp_path), "--player", "Dora")
    assert ran.status == 2
    assert "nobody called Dora played these matches; players: Anna, Ben, Cleo" in ran.err


def test_the_command_counts_the_matches_of_a_period_alone(barpoint, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, day in (("a", "2026.05.03"), ("b", "2026.06.01"), ("c", "no day")):
        text = MATCH.replace("2026.05.03", day).replace("Ben", f"Ben {name}")
        (tmp_path / f"{name}.mat").write_text(text)
    for period, opponents in (
        (("--since", "2026-05-04"), ["Ben b"]),
        (("--until", "2026-05-03"), ["Ben a"]),
        (("--since", "2026-05-03", "--until", "2026-06-01"), ["Ben a", "Ben b"]),
    ):
        ran = barpoint("stats", str(tmp_path), "--json", "--player", "Anna", *period)
        assert [one["opponent"] for one in json.loads(ran.out)["course"]] == opponents
    ran = barpoint("stats", str(tmp_path), "--player", "Anna", "--since", "2027-01-01")
    assert (ran.status, "none of these matches has a day in this period" in ran.err) == (2, True)


def test_the_command_counts_a_match_once_and_says_where_it_was_already(barpoint, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first, both = tmp_path / "a.mat", tmp_path / "both.mat"
    first.write_text(MATCH)
    write_match(read_match(first), tmp_path / "a.sgf")
    both.write_text(MATCH.replace("Ben", "Cleo") + "\n" + MATCH)
    ran = barpoint("stats", str(tmp_path))
    assert ran.out.startswith("Anna\n2 matches, 2 won, 0 lost")
    assert f"{tmp_path / 'a.sgf'}: the same match as {first}\n" in ran.err
    assert f"{both}, match 2: the same match as {first}\n" in ran.err
    assert "match 1" not in ran.err


def test_ctrl_c_before_the_first_match_says_that_there_is_none(barpoint, tmp_path: Path, monkeypatch) -> None:
    def stopped(*_arguments: object) -> Iterator[tuple[int, FileSummaries]]:
        yield 0, FileSummaries(refused=("no match",))
        raise KeyboardInterrupt

    monkeypatch.setattr("barpoint.cli.stats.summaries", stopped)
    (tmp_path / "a.mat").write_text(MATCH)
    ran = barpoint("stats", str(tmp_path / "a.mat"))
    assert ran.status == 130
    assert ran.out == ""
    assert ran.err.endswith("stopped; no match was analysed yet\n")
