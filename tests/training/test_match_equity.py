"""Match equity tables of our own: the order of scores, both sides of a score, stopping and going on."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from barpoint.engine import Score
from barpoint.match import Met
from training.match_equity import MatchEquities, chance_of, compared, empty, main


def test_what_a_game_can_lead_to_is_known_before_its_score_is_valued() -> None:
    table, known = empty(6, ""), set[tuple[int, int, bool]]()
    while (score := table.next_score()) is not None:
        us, them, after_crawford = score
        after = after_crawford or them == 1  # a game of the Crawford score leads to those after it
        for points in range(1, us):
            assert us - points == them == 1 or (us - points, them, after) in known or us - points == them, score
        known |= {score, (them, us, after_crawford)}
        table.set(*score, 0.4)
    assert len(known) == 5 + 5 + 6 * 5
    assert all(table.pre[us][them] == pytest.approx(1 - table.pre[them][us]) for us in range(6) for them in range(6))


def test_the_opening_roll_is_won_by_either_side_as_often() -> None:
    asked = []

    def value(score: Score, faces: tuple[int, int]) -> float:
        asked.append((score.us, score.them, faces))
        return 0.7 if score.us == 2 else 0.4

    assert chance_of(value, Score(2, 5)) == pytest.approx((0.7 + 0.6) / 2)
    assert len(set(asked)) == 30


def test_a_table_is_made_goes_on_where_it_was_stopped_and_is_near_the_published_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    asked = ["--length", "3", "--plies", "0"]
    main([str(whole), *asked])
    found = msgspec.json.decode(whole.read_bytes(), type=MatchEquities)
    found.pre[2][1] = found.pre[1][2] = None
    parts.write_bytes(msgspec.json.encode(found))
    main([str(parts), *asked])
    assert parts.read_bytes() == whole.read_bytes()
    ours, kazaross = Met.read(whole), Met.load()
    assert ours.win(3, 2) == pytest.approx(kazaross.win(3, 2), abs=0.03)
    assert ours.win(2, 1, True) == pytest.approx(kazaross.win(2, 1, True), abs=0.03)
    assert "before a game: 3 scores" in capsys.readouterr().out


def test_tables_are_compared_cell_by_cell() -> None:
    kazaross, other = Met.load(), Met.load("woolsey")
    assert "before a game: 300 scores, 0.00 apart" in compared(kazaross, kazaross)
    assert f"before a game: {other.length * (other.length - 1) // 2} scores, " in compared(other, kazaross)
    assert "0.00 apart" not in compared(other, kazaross)
