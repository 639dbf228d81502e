"""Match equity tables (rulings 5.2 to 5.5)."""

from __future__ import annotations

import json
from importlib import resources

import pytest

from barpoint.error import FormatError
from barpoint.match import Met
from barpoint.match.met import read_met

KAZAROSS = Met.load()


@pytest.mark.parametrize(
    ("us", "them", "percent"),
    [(1, 1, 50), (1, 2, 67.736), (2, 1, 32.264), (4, 2, 33.130), (7, 6, 43.739), (15, 15, 50), (1, 16, 99.114)],
)
def test_the_standard_table_has_the_figures_of_5_2(us: int, them: int, percent: float):
    assert KAZAROSS.win(us, them) == pytest.approx(percent / 100, abs=1e-5)


@pytest.mark.parametrize(("away", "percent"), [(1, 50), (2, 48.803), (3, 32.264), (4, 31.002), (25, 0.123)])
def test_after_the_crawford_game_the_trailer_has_the_chances_of_5_2(away: int, percent: float):
    assert KAZAROSS.win(away, 1, after_crawford=True) == pytest.approx(percent / 100, abs=1e-5)
    assert KAZAROSS.win(1, away, after_crawford=True) == pytest.approx(1 - percent / 100, abs=1e-5)


def test_woolseys_table_has_its_known_figures():
    table = Met.load("woolsey")
    assert [table.win(1, away) for away in range(1, 6)] == [0.50, 0.70, 0.75, 0.83, 0.85]
    assert table.win(7, 6) == 0.44
    assert table.win(2, 1, after_crawford=True) == 0.485


def test_zadehs_table_has_its_computed_figures():
    table = Met.load("zadeh")
    assert [round(table.win(1, away), 4) for away in (2, 3, 4, 5)] == [0.6875, 0.7556, 0.8222, 0.8474]
    assert [round(table.win(away, 1, after_crawford=True), 4) for away in (2, 3, 4, 5)] == [
        0.485,
        0.3125,
        0.3029,
        0.1797,
    ]


@pytest.mark.parametrize("name", Met.names())
@pytest.mark.parametrize("after_crawford", [False, True])
def test_what_one_side_wins_the_other_loses(name: str, after_crawford: bool):
    table = Met.load(name)
    for us in range(-1, 40):
        for them in range(1, 40):
            if us > 0:
                chances = table.win(us, them, after_crawford) + table.win(them, us, after_crawford)
                assert chances == pytest.approx(1, abs=1e-9)
            else:
                assert (table.win(us, them, after_crawford), table.win(them, us, after_crawford)) == (1, 0)


@pytest.mark.parametrize("name", Met.names())
def test_needing_less_is_never_worse(name: str):
    table = Met.load(name)
    for them in range(1, 36):
        ours = [table.win(us, them) for us in range(1, 36) if us <= table.length or us > table.length + 1]
        assert ours == sorted(ours, reverse=True)
        trailing = [table.win(us, 1, after_crawford=True) for us in range(1, 60)]
        assert trailing == sorted(trailing, reverse=True)


@pytest.mark.parametrize(("us", "them"), [(25, 20), (20, 25), (24, 23), (25, 16)])
def test_the_extension_beyond_a_table_agrees_with_the_table_near_its_end(us: int, them: int):
    """Rulings 5.4."""
    short = Met("short", tuple(row[:15] for row in KAZAROSS.before[:15]), KAZAROSS.after)
    assert short.win(us, them) == pytest.approx(KAZAROSS.win(us, them), abs=0.01)


def test_the_dead_cube_take_points_of_5_5():
    assert KAZAROSS.win(2, 1) == pytest.approx(0.32264)
    passed, lost, won = (KAZAROSS.win(us, them) for us, them in ((4, 3), (4, 2), (2, 4)))
    assert (passed - lost) / (won - lost) == pytest.approx(0.288, abs=5e-4)
    assert 1 - KAZAROSS.win(2, 1, after_crawford=True) - 0.5 == pytest.approx(0.012, abs=5e-4)


def test_a_table_of_no_such_name_is_refused():
    with pytest.raises(FormatError, match="known: Kazaross-XG2, Rockwell-Kazaross, woolsey, zadeh"):
        Met.load("../secret")


@pytest.mark.parametrize(
    "change",
    [{"pre": []}, {"pre": [[0.5], [0.5]]}, {"pre": [[1.5]]}, {"post": []}, {"name": 1}, {"post": "none"}],
)
def test_a_table_that_is_none_is_refused(change: dict[str, object]):
    good = json.loads((resources.files("barpoint") / "data" / "met" / "woolsey.json").read_bytes())
    assert read_met(json.dumps(good).encode()) == Met.load("woolsey")
    with pytest.raises(FormatError):
        read_met(json.dumps(good | change).encode())
