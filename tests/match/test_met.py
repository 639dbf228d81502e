"""Match equity tables (rulings 5.2 to 5.5)."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from barpoint.error import ArgumentError, FormatError, OptionError
from barpoint.match import Met
from barpoint.match.met import read_met, read_met_xml

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
    with pytest.raises(OptionError, match="known: Kazaross-XG2, Rockwell-Kazaross, woolsey, zadeh"):
        Met.load("../secret")
    with pytest.raises(ArgumentError, match=r"name is 5 \(int\); allowed: str"):
        Met.load(5)
    with pytest.raises(ArgumentError, match=r"path is None \(NoneType\); allowed: str, PathLike"):
        Met.read(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"pre": []},
        {"pre": [[0.5], [0.5]]},
        {"pre": [[1.5]]},
        {"post": []},
        {"name": 1},
        {"post": "none"},
        {"pre": [[0.5]], "post": [0.5]},
        {"pre": [[0.5]], "post": [0.5, 0.3, 0]},
    ],
)
def test_a_table_that_is_none_is_refused(change: dict[str, object]):
    good = json.loads((resources.files("barpoint") / "data" / "met" / "woolsey.json").read_bytes())
    assert read_met(json.dumps(good).encode()) == Met.load("woolsey")
    with pytest.raises(FormatError):
        read_met(json.dumps(good | change).encode())


XML = """<?xml version="1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<met><info><name>Small</name><description>For tests</description><length>2</length></info>
<pre-crawford-table type="explicit">
<row><me>0.5</me><me>0.7</me></row><row><me>0.3</me><me>0.5</me></row>
</pre-crawford-table>
<post-crawford-table type="explicit" player="both"><row><me>0.5</me><me>0.48</me><me>0.32</me></row></post-crawford-table>
</met>"""


def test_a_table_of_gnu_backgammon_is_read(tmp_path: Path):
    path = tmp_path / "small.xml"
    path.write_text(XML)
    table = Met.read(path)
    assert (table.name, table.length, table.win(1, 2), table.win(2, 1, after_crawford=True)) == ("Small", 2, 0.7, 0.48)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</met>", "", "line 8, column 1: no match equity table"),
        ("met>", "table>", "is <met>"),
        ('type="explicit">\n', 'type="zadeh">\n', "computed"),
        ('player="both"', 'player="0"', "one for both or for each"),
        ("<me>0.7</me>", "", "square"),
        ("<me>0.7</me>", "<me>1.7</me>", "from 0 to 1"),
        ("<me>0.7</me>", "<me>x</me>", "no number"),
        ("<me>0.7</me>", "<me>nan</me>", "from 0 to 1"),
        ("<me>0.32</me>", "", "three figures"),
        ("<me>0.5</me><me>0.48</me>", "<me>0</me><me>0.48</me>", "above zero"),
    ],
)
def test_an_xml_that_is_no_table_of_figures_is_refused(old: str, new: str, message: str):
    with pytest.raises(FormatError, match=message):
        read_met_xml(XML.replace(old, new).encode())


def test_a_table_for_each_player_has_two_rows_after_the_crawford_game():
    other = (
        '<post-crawford-table player="1"><row><me>0.4</me><me>0.3</me><me>0.2</me></row></post-crawford-table></met>'
    )
    table = read_met_xml(XML.replace('player="both"', 'player="0"').replace("</met>", other).encode())
    assert table.win(2, 1, after_crawford=True) == 0.48
    assert table.win(1, 2, after_crawford=True) == 0.7
    assert table.win(1, 5, after_crawford=True) > table.win(1, 2, after_crawford=True)


def test_entities_inside_each_other_are_refused():
    bomb = '<!DOCTYPE met [<!ENTITY a "0123456789">' + "".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
    )
    with pytest.raises(FormatError):
        read_met_xml(f"{bomb}]><met>&j;</met>".encode())


def test_a_file_with_another_suffix_is_refused(tmp_path: Path):
    with pytest.raises(FormatError, match=r"end with \.xml or \.json"):
        Met.read(tmp_path / "table.txt")


TABLES = sorted(Path("/usr/share/gnubg/met").glob("*.xml"))


@pytest.mark.skipif(not TABLES, reason="GNU Backgammon is not installed")
def test_the_tables_of_gnu_backgammon_are_read_or_refused_with_a_reason():
    read, refused = {}, {}
    for path in TABLES:
        try:
            read[path.stem] = Met.read(path)
        except FormatError as error:
            refused[path.stem] = str(error)
    for_both = {"Kazaross-XG2", "Rockwell-Kazaross", "g11", "jacobs", "mec26", "ortega", "snowie", "woolsey"}
    assert set(read) == for_both | {"jac050", "jac100"}
    assert {name for name, table in read.items() if table.after_them} == {"jac050", "jac100"}
    assert read["jac100"].win(1, 1, after_crawford=True) == pytest.approx(0.52)
    reasons = {
        "mec": "computed (mec)",
        "zadeh": "computed (zadeh)",
        "catalog": "is <met>",
    }
    assert set(refused) == set(reasons)
    assert all(reason in refused[name] for name, reason in reasons.items())
    same = read["Kazaross-XG2"]
    assert same.before == KAZAROSS.before
    assert same.after == KAZAROSS.after[: len(same.after)]


@pytest.mark.parametrize("away", [2.5, 3.0, float("nan"), "2", None])
def test_points_that_are_not_whole_are_refused(away: Any):
    for us, them in ((away, 3), (3, away)):
        with pytest.raises(ArgumentError, match=r"away .* and .*; allowed: whole numbers of points"):
            KAZAROSS.win(us, them)


def test_a_table_shows_its_name_and_its_length():
    assert repr(KAZAROSS) == "<Met 'Kazaross XG2 25 point MET', 25 points>"
