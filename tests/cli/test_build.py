"""`barpoint build`: what it refuses, and what it says when it is stopped or the disk is full."""

import errno
import io
from pathlib import Path

import pytest

from barpoint.engine import bearoff, contact
from tests.cli.test_cli import barpoint  # noqa: F401


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "barpoint"


@pytest.mark.parametrize(
    ("kind", "said"), [("bearoff", "0 checkers a side; a bear-off"), ("hypergammon", "0 checkers a side; it has 1")]
)
def test_no_checkers_are_refused(barpoint, cache: Path, kind: str, said: str) -> None:  # noqa: F811
    ran = barpoint("build", kind, "--checkers", "0")
    assert ran.status == 2
    assert said in ran.err
    assert not cache.exists()


def test_a_database_of_few_checkers_is_made(barpoint, cache: Path) -> None:  # noqa: F811
    ran = barpoint("build", "bearoff", "--checkers", "1")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith(f"{next(cache.iterdir())}\n")


@pytest.mark.parametrize(
    ("kind", "module", "maker", "said"),
    [
        ("bearoff", bearoff, "build", "stopped; the same command begins again: nothing is kept"),
        ("hypergammon", contact, "make", "stopped; the same command goes on where it was stopped"),
    ],
)
def test_a_stopped_build_says_what_the_same_command_does(
    barpoint,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    module: object,
    maker: str,
    said: str,
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, maker, stop)
    ran = barpoint("build", kind)
    assert (ran.status, ran.err.strip()) == (130, said)


def test_a_full_disk_is_said_with_the_name_of_the_database(
    barpoint,  # noqa: F811
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Full(io.FileIO):
        def write(self, _: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "open", lambda file, mode: Full(file, mode))
    ran = barpoint("build", "bearoff", "--checkers", "1")
    assert ran.status == 2
    assert ran.err.startswith(f"barpoint: {cache}/bearoff")
    assert ran.err.endswith(": No space left on device\n")
    assert not list(cache.iterdir())
