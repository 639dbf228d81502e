"""Bear-off tables: rulings 9.5, 9.6 and the closed forms of 2.7."""

import csv
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from barpoint.board import Position, Side
from barpoint.cli.program import app
from barpoint.engine import bearoff
from barpoint.error import TableError
from barpoint.moves import encode, legal_plays_batch
from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.variants import variant
from tests.cli.test_cli import barpoint

__all__ = ["barpoint"]

DATA = Path(__file__).parents[1] / "data"
BACKGAMMON = variant("backgammon")


def home(counts: tuple[int, ...] | dict[int, int], total: int = 15) -> Side:
    """A side with these counts on points 1..6, everything else borne off."""
    points = counts if isinstance(counts, dict) else dict(enumerate(counts, start=1))
    return Side.of({0: total - sum(points.values()), **points})


def spelled(points: str) -> Side:
    """Checkers by their points: "66" has two on its 6 point."""
    return home({int(point): points.count(point) for point in set(points)})


def against(us: str, them: str) -> Position:
    return Position(spelled(us), spelled(them))


@pytest.fixture(scope="module")
def two_sided() -> bearoff.TwoSided:
    return bearoff.build(BACKGAMMON)


# ---------------------------------------------------------------- one side


def test_every_position_has_the_least_mean_number_of_rolls_of_the_list() -> None:
    table = bearoff.OneSided.of(BACKGAMMON)
    with (DATA / "onesided_mean_rolls.csv").open() as file:
        rows = [
            ([int(row[f"p{point}"]) for point in range(1, 7)], float(row["mean_rolls"])) for row in csv.DictReader(file)
        ]
    assert len(rows) == len(table.means) - 1 == 54_263
    expected = {tuple(counts): mean for counts, mean in rows}
    for index, mean in enumerate(table.means.tolist()):
        counts = tuple(core.home_counts(index))
        assert mean == pytest.approx(expected.get(counts, 0.0), abs=5.1e-9), counts


def test_numbers_of_positions_run_without_gaps_and_lead_back() -> None:
    for index in range(0, 54_264, 7):
        assert bearoff.home_index(home(tuple(core.home_counts(index))), 15) == index


def test_3825_times_it_is_best_to_bear_off_nothing_with_a_mixed_roll() -> None:
    """Rulings 9.1 and 9.5; 6, 4 with 5-2 is the only one of two checkers."""
    means = bearoff.OneSided.of(BACKGAMMON).means
    waiting = Side.of({0: 14, 1: 1})
    counts = np.array([core.home_counts(index) for index in range(54_264)], np.uint8)
    mixed = [row for row, roll in enumerate(BACKGAMMON.dice.rows) if roll.faces[0] != roll.faces[1]]
    starts = np.repeat(encode([Position(home((1, 0, 0, 0, 0, 0)), waiting)]), 54_263, axis=0)
    starts[:, 0, 1:7] = counts[1:]
    starts[:, 0, 0] = 15 - counts[1:].sum(1)
    number = {row.tobytes(): index for index, row in enumerate(counts)}
    found: list[tuple[int, tuple[int, ...]]] = []
    for row in mixed:
        results, offsets, _ = legal_plays_batch(BACKGAMMON, starts, np.full(len(starts), row, np.int64))
        value = means[[number[result.tobytes()] for result in np.ascontiguousarray(results[:, 0, 1:7])]]
        off = results[:, 0, 0] > np.repeat(starts[:, 0, 0], np.diff(offsets))
        best_off = np.minimum.reduceat(np.where(off, value, 99.0), offsets[:-1])
        best_kept = np.minimum.reduceat(np.where(off, 99.0, value), offsets[:-1])
        better = (best_kept < best_off - 1e-12) & (best_off < 99)
        found += [(index + 1, BACKGAMMON.dice.rows[row].faces) for index in np.flatnonzero(better).tolist()]
    assert len(found) == 3_825
    assert [(core.home_counts(index), faces) for index, faces in found if sum(core.home_counts(index)) == 2] == [
        ([0, 0, 0, 1, 0, 1], (5, 2))
    ]


@pytest.mark.parametrize(
    ("counts", "effective"),
    [
        ((2, 2, 2, 3, 3, 3), 66.468),
        ((0, 0, 0, 5, 5, 5), 82.269),
        ((3, 3, 3, 2, 2, 2), 61.699),
        ((0, 0, 0, 0, 0, 15), 100.174),
        ((5, 4, 0, 0, 0, 0), 36.016),
        ((15, 0, 0, 0, 0, 0), 57.0),
        ((7, 0, 0, 0, 0, 0), 28.999),
    ],
)
def test_effective_pips_are_those_published(counts: tuple[int, ...], effective: float) -> None:
    assert bearoff.OneSided.of(BACKGAMMON).effective_pips(home(counts)) == pytest.approx(effective, abs=6e-4)


@pytest.mark.parametrize(("points", "chances"), [("6", 27), ("66", 4), ("26", 13), ("45", 10), ("16", 15), ("2", 36)])
def test_the_chance_of_one_roll_is_that_of_the_table(points: str, chances: int) -> None:
    assert bearoff.OneSided.of(BACKGAMMON).turns(spelled(points))[1] == pytest.approx(chances / 36)


@pytest.mark.parametrize("name", ["backgammon", "duodecagammon", "duodecagammon(include_3_3,per_option)"])
def test_distributions_add_up_to_one_and_have_the_means_of_the_table(name: str) -> None:
    table = bearoff.OneSided.of(variant(name))
    for index in range(1, 54_264, 101):
        turns = table.turns(home(tuple(core.home_counts(index))))
        assert turns.sum() == pytest.approx(1.0, abs=1e-9)
        assert turns @ np.arange(len(turns)) == pytest.approx(table.means[index], abs=1e-8)


def test_a_twelve_sided_die_bears_off_by_its_own_table() -> None:
    """Rulings 3.1: a 1 is played by 1, a checker on the 6 goes with 12, 11, 10, 9, 8, 7 and 6 (2+2+2, 5+1 or 4+2)."""
    table = bearoff.OneSided.of(variant("duodecagammon"))
    assert table.turns(spelled("6"))[1] == pytest.approx(7 / 12)
    assert table.turns(spelled("1")).tolist() == [0.0, 1.0]
    assert table.turns(spelled("11"))[1] == pytest.approx(11 / 12)
    assert table.effective_pips(spelled("1")) == pytest.approx(6.5)


def test_2_1_in_acey_deucey_is_one_turn_with_what_it_earns() -> None:
    rules = variant("acey-deucey")
    table = bearoff.OneSided(rules, core.OneSided(core_rules(rules), 2))  # all fifteen take longer than a test may
    plain = bearoff.OneSided.of(BACKGAMMON)
    assert table.turns(spelled("66"))[1] > plain.turns(spelled("66"))[1]
    assert table.turns(spelled("66"))[1] == pytest.approx(4 / 36 + 2 / 36)  # 2-1, then 6-6 by choice


def test_chances_of_a_race_are_those_of_the_distributions() -> None:
    table = bearoff.OneSided.of(BACKGAMMON)
    assert table.win(against("66", "1")) == pytest.approx(4 / 36)
    assert table.win(against("1", "66")) == 1.0
    # Six and four checkers on the ace: rulings 9.6 gives the exact chance, and nobody has a choice.
    assert table.win(against("111111", "1111")) == pytest.approx(0.2546296, abs=1e-7)


def test_a_gammon_needs_the_other_side_to_bear_off_nothing() -> None:
    table = bearoff.OneSided.of(BACKGAMMON)
    sixes = home((0, 0, 0, 0, 0, 15))
    assert table.first(home((1, 0, 0, 0, 0, 0))).tolist() == [1.0]
    # From fifteen on the 6 point: every 6, 11 of 36; 5-1 and 4-2, two each; 3-3 and 2-2 with one checker.
    assert table.first(sixes)[1] == pytest.approx(17 / 36)
    position = Position(spelled("1"), sixes)
    assert table.win_gammon(position) == 1.0
    assert table.lose_gammon(position) == 0.0
    assert table.lose_gammon(Position(sixes, spelled("1"))) == pytest.approx(19 / 36)


def test_a_side_that_is_not_home_is_refused() -> None:
    table = bearoff.OneSided.of(BACKGAMMON)
    assert not table.covers(Side.of({7: 1, 0: 14}))
    with pytest.raises(TableError, match="not all checkers are home"):
        table.mean(Side.of({25: 1, 0: 14}))


# ---------------------------------------------------------------- two sides


def test_all_races_of_two_checkers_are_those_of_the_list(two_sided: bearoff.TwoSided) -> None:
    with (DATA / "twosided_upto2.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 729
    for row in rows:
        race = two_sided.race(against(row["roller"], row["opp"]))
        found = (race.win, race.cubeless, race.owned, race.centred, race.theirs, race.roll_centred, race.roll_owned)
        names = ("P_win_cubeless", "cubeless_eq", "owned", "centred", "opp_owns", "ND_centred", "ND_owned")
        assert (*found, race.double_take) == pytest.approx([float(row[name]) for name in (*names, "DT")], abs=5.1e-9)


@pytest.mark.parametrize(
    ("us", "them", "win", "equities"),
    [
        ("1111", "1111", 0.8611111, (0.7222222, 1, 1, 0.7222222)),
        ("111111", "111111", 0.7878086, (0.5756173, 1, 1, 0.5756173)),
        ("1111", "11", 0.1666667, (-0.6666667,) * 4),
        ("111111", "1111", 0.2546296, (-0.4907407, -0.4907407, -0.7222222, -0.7222222)),
        ("66", "66", 0.7544944, (0.5089887, 0.9612594, 0.9612594, 0.4806297)),
        ("25", "1", 0.5277778, (0.0555556, 0.1111111, 0.1111111, 0.0555556)),
        ("46", "11", 0.2222222, (-0.5555556,) * 4),
        ("666", "666", 0.7128081, (0.4256163, 0.7514538, 0.7514538, 0.3757269)),
        ("123456", "123456", 0.7005716, (0.4011433, 0.7022651, 0.7022651, 0.3511326)),
        ("112233", "112233", 0.8080878, (0.6161755, 1, 1, 0.6148619)),
        ("444444", "444444", 0.6611756, (0.3223513, 0.5571750, 0.5230769, 0.2615384)),
        ("666666", "666666", 0.6512002, (0.3024004, 0.5449383, 0.4850078, 0.2215114)),
    ],
)
def test_races_have_the_values_of_the_ground_truth(
    two_sided: bearoff.TwoSided, us: str, them: str, win: float, equities: tuple[float, ...]
) -> None:
    """Rulings 9.6. Its last digit is one too high for the cube of the other side in six sixes: 0.22151135."""
    race = two_sided.race(against(us, them))
    assert race.win == pytest.approx(win, abs=5.1e-8)
    assert (race.cubeless, race.owned, race.centred, race.theirs) == pytest.approx(equities, abs=5.3e-8)


def test_the_means_over_all_races_of_six_checkers_are_known(two_sided: bearoff.TwoSided) -> None:
    mean = two_sided.values[1:, 1:, 0].mean(axis=(0, 1))
    assert two_sided.core.size == 924
    assert mean[0] == pytest.approx(0.284081778, abs=5.1e-10)
    assert mean[2] == pytest.approx(0.367225898, abs=5.1e-10)


def test_what_the_table_does_not_hold_is_refused(two_sided: bearoff.TwoSided) -> None:
    assert not two_sided.covers(against("1111111", "1"))
    for position in (against("1", ""), against("1111111", "1"), Position(Side.of({7: 1, 0: 14}), spelled("1"))):
        with pytest.raises(TableError, match="1 to 6 checkers"):
            two_sided.race(position)
    with pytest.raises(TableError, match="tokens"):
        two_sided.race(against("1", "1"), tokens=(1, 0))


@pytest.mark.parametrize(
    ("name", "checkers", "why"),
    [
        ("hypergammon", 3, "3 checkers a side; a bear-off database of hypergammon has 1 to 2"),
        ("backgammon", 99, "99 checkers a side; a bear-off database of backgammon has 1 to 10"),
        ("backgammon", 11, "11 checkers a side; a bear-off database of backgammon has 1 to 10"),
        ("backgammon", 0, "0 checkers a side; a bear-off database of backgammon has 1 to 10"),
        ("acey-deucey", 2, "single game"),
        ("roll-over(tokens=2)", 2, "one token"),
    ],
)
def test_rules_without_such_a_table_are_refused(name: str, checkers: int, why: str) -> None:
    with pytest.raises(TableError, match=why):
        bearoff.build(variant(name), checkers)


def test_the_largest_table_leaves_no_room_for_a_gammon() -> None:
    hypergammon = variant("hypergammon")
    assert bearoff.largest(BACKGAMMON) == 10
    assert bearoff.build(hypergammon, bearoff.largest(hypergammon)).checkers == 2


# ---------------------------------------------------------------- tokens


@pytest.fixture(scope="module")
def with_tokens() -> bearoff.TwoSided:
    return bearoff.build(variant("roll-over"), 2)


@pytest.mark.parametrize(("points", "chances"), [("66", 4), ("6", 27), ("45", 10), ("26", 13), ("36", 10), ("14", 29)])
def test_a_last_chance_with_tokens_follows_the_closed_forms(
    with_tokens: bearoff.TwoSided, points: str, chances: int
) -> None:
    """Rulings 2.7: the other side bears off in any case."""
    p = chances / 36
    expected = {(0, 0): p, (1, 0): 1 - (1 - p) ** 2, (0, 1): p**2, (1, 1): 3 * p**2 - 2 * p**3}
    for tokens, win in expected.items():
        assert with_tokens.race(against(points, "1"), tokens).win == pytest.approx(win, abs=1e-12)


def test_without_tokens_left_a_race_is_worth_what_it_is_in_backgammon(
    with_tokens: bearoff.TwoSided, two_sided: bearoff.TwoSided
) -> None:
    size = with_tokens.core.size
    np.testing.assert_allclose(with_tokens.values[1:, 1:, 0], two_sided.values[1:size, 1:size, 0], atol=1e-14)


def test_a_token_never_hurts_its_owner(with_tokens: bearoff.TwoSided) -> None:
    none, own, other, both = np.moveaxis(with_tokens.values[1:, 1:, :, 0], 2, 0)
    assert (own >= none - 1e-12).all()
    assert (both >= other - 1e-12).all()
    assert (other <= none + 1e-12).all()
    assert (both <= own + 1e-12).all()
    assert (own > none + 0.3).any()
    assert (other < none - 0.3).any()


def test_a_winning_roll_that_cannot_be_called_off_wins() -> None:
    rules = variant("roll-over(final_roll_cancellable=false)")
    race = bearoff.build(rules, 2).race
    p = 27 / 36
    assert race(against("6", "1"), (0, 1)).win == pytest.approx(p)
    assert race(against("6", "1"), (1, 1)).win == pytest.approx(1 - (1 - p) ** 2)


def test_only_the_other_sides_roll_is_called_off_in_cancelgammon() -> None:
    race = bearoff.build(variant("cancelgammon"), 2).race
    p = 13 / 36
    assert race(against("26", "1"), (1, 0)).win == pytest.approx(p)
    assert race(against("26", "1"), (1, 1)).win == race(against("26", "1"), (0, 1)).win == pytest.approx(p**2)


def test_who_must_roll_again_in_cancelgammon_may_double_first() -> None:
    """27 of 36: who owns the cube doubles after the reroll too, and the pass wins a point."""
    cancel = bearoff.build(variant("cancelgammon"), 1).race(against("6", "1"), (0, 1))
    roll_over = bearoff.build(variant("roll-over"), 1).race(against("6", "1"), (0, 1))
    p = 27 / 36
    again = 2 * p - 1  # rolling again without a double
    assert roll_over.roll_owned == pytest.approx(p * again - (1 - p))
    assert cancel.roll_owned == pytest.approx(p * min(2 * again, 1) - (1 - p))


# ---------------------------------------------------------------- files


@pytest.fixture
def small(tmp_path: Path) -> tuple[Rules, Path]:
    file = tmp_path / "two.table"
    bearoff.save(bearoff.build(BACKGAMMON, 2), file)
    return BACKGAMMON, file


def test_a_table_comes_back_from_its_file(small: tuple[Rules, Path]) -> None:
    rules, file = small
    loaded = bearoff.load(rules, file)
    assert loaded.checkers == 2
    made = bearoff.build(rules, 2)
    assert np.array_equal(loaded.values, made.values)
    assert loaded.race(against("66", "66")) == made.race(against("66", "66"))
    assert [path.name for path in file.parent.iterdir()] == ["two.table"]


def test_a_damaged_file_is_refused_with_the_reason(small: tuple[Rules, Path]) -> None:
    rules, file = small
    good = file.read_bytes()
    changed = bytearray(good)
    changed[-100] ^= 1
    first, second, values = good.split(b"\n", 2)
    digest = second.split()[2]
    damaged = {
        bytes(changed): "checksum",
        good[:-1]: "bytes of values",
        good + b"x": "bytes of values",
        b"": "no table",
        good[5:]: "no table",
        first + b"\n???\n" + values: "second line",
        first + b"\n" + second.replace(b" 2 ", b" 10 ") + b"\n" + values: "10 checkers need",
        first + b"\n" + second.replace(digest, b"0" * 64) + b"\n" + values: "checksum",
    }
    for content, why in damaged.items():
        file.write_bytes(content)
        with pytest.raises(TableError, match=why):
            bearoff.load(rules, file)


def test_a_table_of_other_rules_is_refused(small: tuple[Rules, Path]) -> None:
    _, file = small
    for name in ("duodecagammon", "roll-over"):
        with pytest.raises(TableError, match="other rules"):
            bearoff.load(variant(name), file)


def test_games_that_bear_off_alike_share_a_table() -> None:
    prints = [bearoff.fingerprint(variant(name)) for name in ("backgammon", "nackgammon", "roll-over", "duodecagammon")]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 3


def test_a_table_is_kept_and_made_again_when_its_file_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    told: list[tuple[int, int]] = []
    table = bearoff.kept(BACKGAMMON, 2, lambda done, size: told.append((done, size)))
    assert told[-1] == (28, 28)
    file = bearoff.cache_file(BACKGAMMON, 2)
    told.clear()
    assert np.array_equal(bearoff.kept(BACKGAMMON, 2, lambda *_: told.append((0, 0))).values, table.values)
    assert told == []
    file.write_bytes(b"rubbish")
    assert np.array_equal(bearoff.kept(BACKGAMMON, 2).values, table.values)
    assert bearoff.load(BACKGAMMON, file).checkers == 2


def test_the_command_makes_a_table_and_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    result = CliRunner().invoke(app, ["build", "bearoff", "--checkers", "2", "--rules", "roll-over"])
    assert result.exit_code == 0, result.output
    assert "729 positions" in result.output
    assert str(bearoff.cache_file(variant("roll-over"), 2)) in result.output
    assert bearoff.load(variant("roll-over"), bearoff.cache_file(variant("roll-over"), 2)).core.states == 4


@pytest.mark.parametrize("checkers", ["-1", "11", "99"])
def test_the_command_refuses_a_number_of_checkers_by_the_limit_that_its_help_says(barpoint, checkers: str) -> None:
    ran = barpoint("build", "bearoff", "--checkers", checkers)
    assert ran.status == 2
    assert f"{checkers} checkers a side; a bear-off database of backgammon has 1 to 10" in ran.err
    assert "bearoff 1 to 10" in " ".join(barpoint("build", "--help").out.replace("│", " ").split())


def test_a_table_stopped_half_way_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def stop(done: int, size: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bearoff.kept(BACKGAMMON, 3, stop)
    assert list(tmp_path.rglob("*")) == []
