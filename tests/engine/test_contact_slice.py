"""Slices of tables of whole games: only positions in which one side has few checkers on the board; four checkers a side."""

from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from barpoint.board import Position, Side
from barpoint.cli.program import app
from barpoint.engine import contact
from barpoint.error import TableError
from barpoint.moves import legal_plays, outcome
from barpoint.native import core, pack
from barpoint.rules import Rules
from barpoint.variants import variant

FOUR = variant("hypergammon(checkers=4)")


def test_a_slice_of_a_whole_number_of_checkers_is_the_whole() -> None:
    rules = variant("hypergammon(checkers=1)")
    assert contact.solver(rules, 1, against=1).pairs == contact.solver(rules, 1).pairs == 26 * 26
    with pytest.raises(TableError, match="1 to 1"):
        contact.solver(rules, 1, against=2)


def samples(rules: Rules, seed: int) -> Position:
    """Four checkers against one, with made points as often as not; each may be to act."""
    dice = Random(seed)
    while True:
        places = [dice.randint(1, 25) for _ in range(4)]
        if dice.random() < 0.5:
            places[1], places[3] = places[0], places[2]
        four, one = Side.of({at: places.count(at) for at in places}), Side.of({0: 3, dice.randint(1, 25): 1})
        position = Position(four, one) if dice.random() < 0.5 else Position(one, four)
        if all(not (position.us.points[at] and position.them.points[25 - at]) for at in range(1, 25)):
            return position


def worth(made: core.ContactSolver, rules: Rules, next_position: Position) -> float:
    """Of a position to the player who has just made it."""
    end = outcome(rules, next_position)
    return float(end.points) if end is not None else -made.equities(pack(next_position), 0)[0]


def test_plays_of_four_checkers_against_one_are_those_of_the_rules() -> None:
    """After one sweep values are not yet right, but a roll is worth what its best legal play leads to."""
    made = contact.solver(FOUR, 4, against=1)
    made.advance(made.size, 1)
    assert made.progress[:2] == ("values", 1)
    seen = 0
    for seed in range(250):
        position = samples(FOUR, seed)
        for number in Random(seed).sample(range(21), 3):
            faces = FOUR.dice.rows[number].faces
            best = max(worth(made, FOUR, play.next) for play in legal_plays(FOUR, position, faces))
            assert made.roll_equity(pack(position), number) == pytest.approx(best, abs=1e-12), (position, faces)
            seen += len([point for point in position.them.points[1:25] if point >= 2]) == 2
    assert seen > 30, "two closed points are seen too"


@pytest.mark.deep
def test_every_value_of_four_checkers_against_one_is_that_of_the_best_plays_of_all_rolls() -> None:
    made = contact.solver(FOUR, 4, against=1)
    contact.solve(made)
    for seed in range(300):
        position = samples(FOUR, seed)
        total = 0.0
        for row in FOUR.dice.rows:
            total += row.weight * max(worth(made, FOUR, play.next) for play in legal_plays(FOUR, position, row.faces))
        assert made.equities(pack(position), 0)[0] == pytest.approx(total / 36, abs=1e-11)


def test_a_slice_is_kept_goes_on_and_is_read_when_it_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rules = variant("hypergammon(checkers=2)")

    def stop(stage: str, sweep: int, share: float, change: float) -> None:
        if sweep == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        contact.make(rules, 2, progress=stop, against=1)
    seen: list[int] = []
    made = contact.make(rules, 2, progress=lambda stage, sweep, share, change: seen.append(sweep), against=1)
    assert seen[0] >= 3
    again = contact.make(rules, 2, progress=lambda *_: pytest.fail("it was finished"), against=1)
    assert again.complete
    start = pack(Position(Side.of({24: 2}), Side.of({0: 1, 20: 1})))
    assert again.equities(start, 0) == made.equities(start, 0)
    assert [path.name for path in (tmp_path / "barpoint").iterdir()] == [contact.slice_file(rules, 2, 1).name]
    assert contact.find.__wrapped__(rules) is None, "the engine does not take a part for the whole"


def test_the_command_makes_a_slice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    result = CliRunner().invoke(app, ["build", "hypergammon", "--checkers", "2", "--against", "1"])
    assert result.exit_code == 0, result.output
    assert "17,576 pairs of configurations, one side with at most 1 checkers" in result.output
    assert str(contact.slice_file(variant("hypergammon(checkers=2)"), 2, 1)) in result.output.replace("\n", "")
