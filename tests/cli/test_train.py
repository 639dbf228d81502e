"""`barpoint train`: a net for a game of one's own, stopped and gone on with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import barpoint as bp
from barpoint.train import TrainingRun
from tests.cli.test_cli import barpoint  # noqa: F401  the fixture
from tests.support.own_variants import SHORT_FILE, forgetting

SMALL = ("--hidden", "16", "--first-games", "40", "--minutes", "0.05")


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    Path("short.toml").write_text(SHORT_FILE, encoding="utf-8")
    yield from forgetting(monkeypatch)


def test_a_net_is_trained_for_a_variant_in_a_file_and_plays_it(barpoint) -> None:  # noqa: F811
    ran = barpoint("train", "short.toml", "trained", *SMALL)
    assert ran.status == 0, ran.err
    said = ran.out.splitlines()
    assert said[0].startswith("learning while playing: 40 games, ")
    assert said[1].startswith("labelling: ")
    assert said[2].startswith("fitting: ")
    assert said[3:] == ["trained/final.net", "barpoint play --variant short.toml --net trained/final.net"]
    assert ran.err.splitlines() == ["learning while playing", "labelling", "fitting"]
    assert bp.Engine("short-game", net="trained/final.net").net.hidden == 16
    again = barpoint("train", "short.toml", "trained", *SMALL)
    assert (again.status, again.err, again.out) == (0, "", ran.out), "what is finished is not done again"


def test_a_training_that_is_stopped_goes_on(barpoint, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    def stopped(_: Any) -> Path:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(TrainingRun, "train", stopped)
        ran = barpoint("train", "short.toml", "trained", *SMALL)
    assert (ran.status, ran.err) == (130, "\nstopped; the same command goes on\n")
    assert barpoint("train", "short.toml", "trained", *SMALL).status == 0


def test_what_cannot_be_trained_is_refused(barpoint) -> None:  # noqa: F811
    for arguments, said in (
        (("short.toml", "trained", "--hidden", "33"), "hidden 33; a multiple of 16 from 16 to 1024 is allowed"),
        (("short.toml", "trained", "--minutes", "0"), "minutes 0.0; more than 0 are needed"),
        (("short.toml", "short.toml"), "is a file"),
        (("tavli", "trained"), "tavli plays portes, plakoto, fevga in turn; name one of them"),
        (("roll-over(tokens=2)", "trained"), "gives each side 2 tokens; nets know at most one"),
    ):
        ran = barpoint("train", *arguments)
        assert ran.status == 2
        assert said in ran.err
        assert not Path("trained").exists()
