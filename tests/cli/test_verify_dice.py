"""`barpoint verify-dice`: a report that checks, and the first roll that differs in one that does not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from barpoint.cli import main as run_main
from barpoint.server.domain.dice import Seeds, commitment_of, made_seed
from barpoint.server.domain.dice_report import DiceReport, RollReported, write_report

SERVER_SEED = bytes(range(32))
SEEDS = Seeds("abcdefghjkmn", SERVER_SEED, ("client c", made_seed(SERVER_SEED, "abcdefghjkmn", 1)))
ROLLS = (
    RollReported(1, "bgdice/1/opening", 1, 0, None, (4, 6), True),
    RollReported(1, "bgdice/1", 2, 0, 1, (5, 2), False),
    RollReported(1, "bgdice/1", 3, 0, 0, (4, 2), False),
)

Ran = tuple[int, str, str]


@pytest.fixture
def verify(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Ran]:
    """Status, output and errors of the command for these bytes."""

    def run(data: bytes, *arguments: str) -> Ran:
        file = tmp_path / "report.json"
        file.write_bytes(data)
        monkeypatch.setattr(sys, "argv", ["barpoint", "verify-dice", str(file), *arguments])
        with pytest.raises(SystemExit) as left:
            run_main()
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return int(left.value.code or 0), out, err

    return run


def report(*rolls: RollReported) -> bytes:
    return write_report(
        DiceReport(
            "bgdice/1",
            SEEDS.match_id,
            "2d6",
            True,
            SEEDS.commitment,
            SEEDS.server.hex(),
            SEEDS.clients,
            ("player", "server"),
            (commitment_of("client c"), None),
            rolls,
        )
    )


def test_a_report_that_checks(verify: Callable[..., Ran]) -> None:
    status, out, err = verify(report(*ROLLS))
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "right: 2 rolls and 1 opening roll in 1 game, 1 rerolled",
        "the seed of player 1 was made by the server",
        f"compare the commitment with the one shown before the match: {SEEDS.commitment}",
    ]


def test_the_commitment_noted_before_the_match_is_compared(verify: Callable[..., Ran]) -> None:
    assert verify(report(*ROLLS), "--commitment", SEEDS.commitment.upper())[0] == 0
    status, _, err = verify(report(*ROLLS), "--commitment", "0" * 64)
    assert status == 2
    assert "not the one given" in err


def test_the_first_roll_that_differs_is_named(verify: Callable[..., Ran]) -> None:
    changed = RollReported(1, "bgdice/1", 2, 0, 1, (6, 6), False)
    status, out, err = verify(report(ROLLS[0], changed, ROLLS[2]))
    assert (status, out) == (2, "")
    assert err == "barpoint: game 1, roll 2 shows 6-6; the seeds give 5-2\n"


def test_a_roll_left_out_is_noticed(verify: Callable[..., Ran]) -> None:
    status, _, err = verify(report(ROLLS[0], ROLLS[2]))
    assert (status, err) == (2, "barpoint: game 1, roll 3 stands where game 1, roll 2 is due\n")


@pytest.mark.parametrize("data", [b"", b"{}", b"\x00\xff", b'{"format": "bgdice/9"}'])
def test_what_is_no_report_is_refused(verify: Callable[..., Ran], data: bytes) -> None:
    status, out, err = verify(data)
    assert (status, out) == (2, "")
    assert err.startswith("barpoint: not a report of dice")
