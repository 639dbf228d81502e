"""`barpoint rollout`: what it prints, and that Ctrl-C loses nothing."""

import io
import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from barpoint.engine import rollout_run
from barpoint.record import format_position
from barpoint.variants import variant
from tests.cli.test_cli import barpoint  # noqa: F401  the fixture

START = "4HPwATDgc/ABMA"
SHORT = ("-n", "36", "--truncate", "4", "--threads", "1")


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "barpoint" / "rollouts"


def test_a_position_has_one_row(barpoint, cache: Path) -> None:  # noqa: F811
    ran = barpoint("rollout", START, *SHORT)
    assert ran.status == 0
    assert "without cube" in ran.out
    assert "±" in ran.out
    assert "36" in ran.out.splitlines()[-1]
    assert not list(cache.glob("*"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-n", "0"), "trials 0 of a rollout"),
        (("--seed", "-1"), "seed -1 of a rollout"),
        (("--truncate", "-1"), "truncate -1 of a rollout"),
        (("--error", "-1"), "stop_error -1.0 of a rollout"),
        (("--threads", "-1"), "-1 threads"),
    ],
)
def test_wrong_numbers_are_refused_before_the_board(barpoint, arguments: tuple[str, ...], said: str) -> None:  # noqa: F811
    ran = barpoint("rollout", START, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"barpoint: {said}")


def test_the_cube_of_the_other_side_is_refused_before_the_board(barpoint) -> None:  # noqa: F811
    ran = barpoint("rollout", "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10", "--cube", *SHORT)
    assert (ran.status, ran.out) == (2, "")
    assert "the player to act may not double here" in ran.err


def test_a_position_alone_has_a_centred_cube_unless_it_is_without(barpoint) -> None:  # noqa: F811
    def row(*arguments: str) -> str:
        return str(barpoint("rollout", *arguments, *SHORT).out.splitlines()[-1])

    cubeless = row(START, "--cubeless")
    assert row(START) == row(f"{START}:MAAAAAAAAAAE") != cubeless
    assert row(f"{START}:MAAAAAAAAAAE", "--cubeless") == cubeless
    _name, equity, _error, without_cube, *_rest = cubeless.split()
    assert equity == without_cube


def test_a_game_without_a_cube_is_rolled_out_without(barpoint) -> None:  # noqa: F811
    arguments = ("rollout", format_position(variant("plakoto").start), "-v", "plakoto", *SHORT)
    assert barpoint(*arguments).out == barpoint(*arguments, "--cubeless").out


def test_a_roll_has_a_row_for_each_play_best_first(barpoint) -> None:  # noqa: F811
    ran = barpoint("rollout", START, "-r", "31", "--candidates", "2", *SHORT)
    rows = ran.out.splitlines()[-2:]
    assert rows[0].startswith("8/5 6/5")
    assert "-0." in rows[1]


def test_the_plays_of_a_position_alone_are_rolled_out_with_a_centred_cube(barpoint) -> None:  # noqa: F811
    def plays(*arguments: str) -> list[str]:
        ran = barpoint("rollout", *arguments, "-r", "31", "--candidates", "2", *SHORT)
        return str(ran.out).splitlines()[-2:]

    assert plays(START) == plays(f"{START}:MAAAAAAAAAAE") != plays(START, "--cubeless")


def test_the_board_shows_cube_and_score_and_no_cube_where_nobody_doubles(barpoint) -> None:  # noqa: F811
    xgid = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:1:0:5:10"
    lines = barpoint("rollout", xgid, *SHORT).out.splitlines()
    assert lines[11].endswith("cube 2")
    assert lines[12].endswith("X  2 of 5, pips 167")
    assert not any("cube 2" in line for line in barpoint("rollout", xgid, "--cubeless", *SHORT).out.splitlines())


def test_an_id_is_read_from_standard_input(barpoint, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    direct = barpoint("rollout", START, *SHORT).out
    for encoding in ("utf-8", "utf-16"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{START}\n".encode(encoding))))
        assert barpoint("rollout", "-", *SHORT).out == direct


def test_a_cube_decision_says_what_is_right(barpoint) -> None:  # noqa: F811
    ran = barpoint("rollout", START, "--cube", *SHORT)
    assert "double, pass" in ran.out
    assert "right: no double" in ran.out


def test_a_match_shows_the_chance_to_win_it(barpoint) -> None:  # noqa: F811
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:1:0:5:10"
    assert "mwc %" in barpoint("rollout", xgid, *SHORT).out


def test_the_games_are_the_same_with_a_file(barpoint, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "kept.rollout"
    one = barpoint("rollout", START, *SHORT, "--file", str(file)).out
    assert file.exists()
    assert barpoint("rollout", START, *SHORT, "--file", str(file)).out == one
    refused = barpoint("rollout", START, *SHORT, "--seed", "2", "--file", str(file))
    assert refused.status == 2
    assert "another rollout" in refused.err


def test_ctrl_c_prints_what_is_there_and_the_same_command_goes_on(
    barpoint,  # noqa: F811
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments = ("rollout", START, "-n", "72", "--truncate", "4", "--threads", "1")
    whole = barpoint(*arguments).out
    start_block = rollout_run.start_block

    def interrupted(specification, first, count, threads):
        if first > 0:
            os.kill(os.getpid(), signal.SIGINT)
        return start_block(specification, first, count, threads)

    with monkeypatch.context() as patch:
        patch.setattr(rollout_run, "start_block", interrupted)
        stopped = barpoint(*arguments)
    assert stopped.status == 130
    assert "±" in stopped.out
    assert "the same command continues" in stopped.out
    assert len(list(cache.glob("*.rollout"))) == 1
    assert barpoint(*arguments).out == whole
    assert not list(cache.glob("*"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((START, "--cube", "-r", "31"), "exclude each other"),
        ((START, "--cube", "--cubeless"), "needs a cube"),
        ((START, "-n", "0"), "trials 0 of a rollout"),
        ((START, "-r", "71"), "71"),
        (("nonsense",), "a position ID has 14"),
        ((START, "-v", "roll-over+plakoto"), "plakoto"),
    ],
)
def test_what_cannot_be_is_refused_in_words(barpoint, arguments: tuple[str, ...], message: str) -> None:  # noqa: F811
    ran = barpoint("rollout", *arguments)
    assert ran.status == 2
    assert message in ran.err


@pytest.mark.parametrize("asked", [("-r", "44"), ("--cube",)])
def test_a_narrow_terminal_cuts_no_figure(barpoint, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...]) -> None:  # noqa: F811
    wide = barpoint("rollout", START, *asked, *SHORT).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "50")
    narrow = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", barpoint("rollout", START, *asked, *SHORT).out)
    assert "…" not in narrow
    figures = [sorted(re.findall(r"[+±-]?[0-9]*\.[0-9]+", text.split("pips 167")[-1])) for text in (wide, narrow)]
    assert figures[0] == figures[1] != []


def test_programs_read_the_results_as_json(barpoint) -> None:  # noqa: F811
    position = json.loads(barpoint("rollout", START, *SHORT, "--json").out)
    assert (position["position"], position["trials"]) == (START, 36)
    assert 0 < position["standard_error"]["equity"] < 0.1
    plays = json.loads(barpoint("rollout", START, "-r", "31", "--candidates", "2", *SHORT, "--json").out)
    assert [play["play"] for play in plays["plays"]] == ["8/5 6/5", "24/23 13/10"]
    assert plays["plays"][0]["loss"] == {"mean": 0, "error": 0}
    cube = json.loads(barpoint("rollout", START, "--cube", *SHORT, "--json").out)
    assert cube["action"] == "no double"
    assert cube["no_double"]["mean"]["equity"] > cube["double_take"]["mean"]["equity"]
