"""`barpoint convert`: what stands in a folder is not written over, and IDs go where they are asked to go."""

import io
import sys
from pathlib import Path

import pytest

from barpoint.record import match_digest, read_match, read_matches
from tests.cli.test_cli import barpoint  # noqa: F401  the fixture
from tests.record.test_mat import MATCH

OTHER = MATCH.replace("8/5 6/5", "24/23 13/10")
ID = "4HPwATDgc/ABMA:cAkAAAAAAAAA"


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Puts this on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def contents(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}


def digest(file: Path) -> str:
    book = read_match(file)
    return match_digest(book.match, book.players)


@pytest.fixture
def sea(barpoint, tmp_path: Path) -> Path:  # noqa: F811
    """A folder with round1.sgf and a different match in round1.mat."""
    folder = tmp_path / "sea"
    folder.mkdir()
    (tmp_path / "round1.mat").write_text(MATCH)
    assert barpoint("convert", str(tmp_path / "round1.mat"), str(folder / "round1.sgf")).status == 0
    (folder / "round1.mat").write_text(OTHER)
    assert digest(folder / "round1.mat") != digest(folder / "round1.sgf")
    return folder


def test_another_match_of_the_same_name_is_not_written_over(barpoint, sea: Path) -> None:  # noqa: F811
    ran = barpoint("convert", str(sea / "round1.sgf"), str(sea), "--to", "mat")
    assert ran.status == 0
    assert ran.err == f"{sea / 'round1.sgf'}: written as round1-2.mat; round1.mat holds something else\n"
    assert ran.out.splitlines() == [
        f"1 match written to {sea}, 0 of them with something odd; 0 files refused",
        "1 file has a number in its name: another file had the name already",
    ]
    assert (sea / "round1.mat").read_text() == OTHER
    assert digest(sea / "round1-2.mat") == digest(sea / "round1.sgf")


def test_the_same_command_again_changes_nothing(barpoint, sea: Path) -> None:  # noqa: F811
    given = "convert", str(sea / "round1.sgf"), str(sea), "--to", "mat"
    barpoint(*given)
    before = contents(sea)
    ran = barpoint(*given)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"0 matches written to {sea}, 0 of them with something odd; 0 files refused",
        "1 match was there already; its file is as it was",
    ]
    assert contents(sea) == before


def test_a_folder_that_is_converted_into_itself_keeps_its_files(barpoint, sea: Path) -> None:  # noqa: F811
    sources = contents(sea)
    for again in (False, True):
        ran = barpoint("convert", str(sea), str(sea), "--to", "mat")
        assert ran.status == 0
        assert ("3 matches were there already" if again else "1 match was there already") in ran.out
        assert contents(sea) | sources == contents(sea)
        assert sorted(contents(sea)) == ["round1-2.mat", "round1.mat", "round1.sgf"]


def test_a_source_of_several_matches_is_not_written_over_by_one_of_them(barpoint, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "all.mat").write_text(MATCH + OTHER)
    for _again in range(2):
        assert barpoint("convert", str(tmp_path / "all.mat"), str(tmp_path)).status == 0
        assert (tmp_path / "all.mat").read_text() == MATCH + OTHER
        assert sorted(contents(tmp_path)) == ["all-2.mat", "all-3.mat", "all.mat"]
    assert [digest(tmp_path / name) for name in ("all-2.mat", "all-3.mat")] == [
        match_digest(book.match, book.players) for book in read_matches(tmp_path / "all.mat")
    ]


def test_matches_of_one_file_are_each_found_again(barpoint, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "all.mat").write_text(MATCH + OTHER + MATCH)
    out = tmp_path / "out"
    for said in ("3 matches written to ", "3 matches were there already; their files are as they were"):
        assert said in barpoint("convert", str(tmp_path / "all.mat"), str(out), "--to", "json").out
        assert sorted(contents(out)) == ["all-2.json", "all-3.json", "all.json"]


@pytest.mark.parametrize("suffix", ["xg", "sgf", "txt", "json"])
def test_a_match_is_found_again_in_every_format(barpoint, tmp_path: Path, suffix: str) -> None:  # noqa: F811
    (tmp_path / "a.mat").write_text(f'; [Transcriber "Kim"]\n{MATCH}')
    for _again in range(2):
        ran = barpoint("convert", str(tmp_path / "a.mat"), str(tmp_path), "--to", suffix)
    assert "1 match was there already" in ran.out
    assert sorted(contents(tmp_path)) == sorted(["a.mat", f"a.{suffix}"])


def test_names_that_are_no_match_files_are_left_alone(barpoint, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "a.mat").write_text(MATCH)
    out = tmp_path / "out"
    (out / "a.json").mkdir(parents=True)
    (out / "a-2.json").write_text("Dear Anna")
    (out / "a-3.json").symlink_to(tmp_path / "gone")
    ran = barpoint("convert", str(tmp_path / "a.mat"), str(out), "--to", "json")
    assert (ran.status, "written as a-4.json; a.json holds something else" in ran.err) == (0, True)
    assert contents(out).keys() == {"a-2.json", "a-4.json"}
    assert (out / "a-2.json").read_text() == "Dear Anna"


def test_a_match_that_a_format_cannot_hold_is_refused_as_before(barpoint, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "b.txt").write_text("no match")
    (tmp_path / "a.mat").write_text(MATCH)
    ran = barpoint("convert", str(tmp_path), str(tmp_path / "out"))
    assert ran.status == 1
    assert "1 match written to " in ran.out
    assert "1 file refused" in ran.out


@pytest.mark.parametrize("to", ["nonsense", "json", "xgid", "mat"])
@pytest.mark.parametrize("target", [(), ("-",), ("start.svg",)])
def test_a_format_in_which_no_id_is_written_is_refused(
    barpoint,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    to: str,
    target: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = barpoint("convert", ID, *target, "--to", to)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"barpoint: '--to {to}': an ID can be written as .svg or .png\n"
    assert contents(tmp_path) == {}


def test_an_id_on_standard_input_goes_to_standard_output(barpoint, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    spelt = barpoint("convert", ID, "-").out
    assert "XGID=" in spelt
    for data in (f"{ID}\n".encode(), f"{ID}\r\n".encode("utf-16")):
        typed(monkeypatch, data)
        assert barpoint("convert", "-", "-").out == spelt
        typed(monkeypatch, data)
        assert barpoint("convert", "-", "-", "--to", "svg").out.startswith("<svg")
        typed(monkeypatch, data)
        assert "'--to sgf': an ID can be written as" in barpoint("convert", "-", "-", "--to", "sgf").err


def test_what_is_neither_an_id_nor_a_match_is_refused_between_standard_input_and_output(
    barpoint,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for data, options, said in (
        (b"Dear Anna", (), "content without a suffix to say its format; known: .json"),
        (b"Dear Anna", ("--to", "svg"), "allowed: a GNU ID"),
        (MATCH.encode(), ("--to", "svg"), "'.svg' cannot be written"),
        (b"", (), "standard input is empty"),
    ):
        typed(monkeypatch, data)
        ran = barpoint("convert", "-", "-", *options)
        assert (ran.status, ran.out, said in ran.err) == (2, "", True)


def test_a_file_of_other_matches_is_not_written_over_by_those_of_a_folder_or_of_another_format(
    barpoint,  # noqa: F811
    sea: Path,
) -> None:
    """`convert sea sea/x.mat`, and `convert *` in a folder of two."""
    (sea / "x.mat").write_text(MATCH.replace("8/5 6/5", "13/10 6/5"))
    before = contents(sea)
    for sources in ([sea], [sea / "round1.sgf"]):
        ran = barpoint("convert", *map(str, sources), str(sea / "x.mat"))
        assert ran.status == 2
        assert "x.mat holds another match and is not written over: 1 of 1 there would be lost" in ran.err
    assert contents(sea) == before
    assert barpoint("convert", str(sea), str(sea.parent / "all.mat")).status == 0
    assert barpoint("convert", str(sea), str(sea.parent / "all.mat")).status == 0, "the same matches again"


def test_an_id_as_the_target_is_refused_and_leaves_nothing(
    barpoint,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for given in (ID, "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"):
        ran = barpoint("convert", "a.mat", given)
        assert (ran.status, ran.out) == (2, "")
        assert "an ID comes first: barpoint convert ID a.mat" in ran.err
    assert barpoint("convert", "a.mat", "nothing").status == 2
    assert list(tmp_path.iterdir()) == [], "a folder is made by its first match"


def test_the_file_of_a_position_becomes_a_picture(barpoint, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "p.txt").write_text("Black to play 31\nXGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n")
    assert barpoint("convert", str(tmp_path / "p.txt"), str(tmp_path / "p.svg")).status == 0
    assert (tmp_path / "p.svg").read_text().startswith("<svg")
    (tmp_path / "a.mat").write_text(MATCH)
    ran = barpoint("convert", str(tmp_path / "a.mat"), str(tmp_path / "a.svg"))
    assert "is a file, but not of a position" in ran.err
