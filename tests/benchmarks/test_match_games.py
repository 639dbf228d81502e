"""Whole matches: scores, pairs on the same dice, executors, and what is printed."""

from pathlib import Path

import pytest

from barpoint.engine import Score
from barpoint.engine.executors import executor_named
from barpoint.error import RolloutError
from benchmarks import match_games
from benchmarks.match_games import after_game, one_match, pair_of_matches, played, players, result


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_games, "BLOCK", 1)


def test_points_bring_the_crawford_game_once() -> None:
    assert after_game(Score(5, 3), 2) == Score(3, 3)
    assert after_game(Score(5, 3), -2) == Score(5, 1, crawford=True)
    assert after_game(Score(5, 1, crawford=True), 2) == Score(3, 1)
    assert after_game(Score(3, 1), 2) == Score(1, 1)
    assert after_game(Score(3, 1), -1) is None
    assert after_game(Score(3, 1), 4) is None


def test_a_match_goes_from_game_to_game_until_one_side_has_won() -> None:
    won, rolls = one_match(players("cube"), 3, "1")
    assert (won, rolls) == one_match(players("cube"), 3, "1")
    openings = [roll for roll in rolls if roll.opening]
    assert rolls[0] == openings[0]
    assert all(roll.position == openings[0].position for roll in openings)
    needs = [roll.info.score if roll.player == 0 else roll.info.flip().score for roll in openings]
    assert needs[0] == Score(3, 3)
    assert len(set(needs)) == len(needs), "every game is at a score of its own"


def test_a_pair_of_the_same_side_is_even(monkeypatch: pytest.MonkeyPatch) -> None:
    learned, _ = players("cube")
    monkeypatch.setattr(match_games, "players", lambda without: (learned, learned))
    assert pair_of_matches("cube", 3, 1) == (0.5, 0.5)


def test_results_are_the_same_on_any_executor_and_after_a_stop(tmp_path: Path) -> None:
    alone = list(played("cube", 3, 3, file=tmp_path / "alone"))
    next(played("cube", 3, 3, file=tmp_path / "stopped"))
    assert [[*map(tuple, block)] for block in played("cube", 3, 3, file=tmp_path / "stopped")] == alone
    for name in ("threads", "processes"):
        with executor_named(name, 2) as executor:
            assert list(played("cube", 3, 3, executor, tmp_path / name)) == alone
    assert len({file.read_bytes() for file in tmp_path.iterdir()}) == 1
    with pytest.raises(RolloutError, match="another run"):
        next(played("cube", 5, 3, file=tmp_path / "alone"))


def test_the_share_is_printed_with_its_error() -> None:
    said = result("both", 7, [(0.5, 0.51), (1.0, 0.53)])
    assert said == (
        "7-point matches, 4: our net wins 52.00 % +- 1.00 against itself without the cube net and the outputs by gammons, "
        "luck-adjusted (as played 75.00 +- 25.00)"
    )
