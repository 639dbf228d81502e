"""`barpoint rollout`: what it prints, and that Ctrl-C loses nothing."""

import os
import signal
from pathlib import Path

import pytest

from barpoint.engine import rollout_run
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


def test_a_roll_has_a_row_for_each_play_best_first(barpoint) -> None:  # noqa: F811
    ran = barpoint("rollout", START, "-r", "31", "--candidates", "2", *SHORT)
    rows = ran.out.splitlines()[-2:]
    assert rows[0].startswith("8/5 6/5")
    assert "-0." in rows[1]


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
