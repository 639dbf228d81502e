"""Match files in folders and zips."""

import io
import zipfile
from pathlib import Path

import pytest

from barpoint.error import FormatError
from barpoint.record import match_files
from barpoint.record.collection import unzipped


def zipped(**files: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), data)
    return made.getvalue()


def test_files_folders_and_zips_give_their_match_files_by_name(tmp_path: Path) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "deep" / "b.sgf").write_bytes(b"2")
    (tmp_path / "in" / "a.mat").write_bytes(b"1")
    (tmp_path / "in" / "picture.png").write_bytes(b"")
    (tmp_path / "in" / "c.zip").write_bytes(zipped(x__d_xg=b"3", readme_md=b"", e_json=b"4"))
    (tmp_path / "single.doc").write_bytes(b"0")
    found = list(match_files([tmp_path / "single.doc", tmp_path / "in"]))
    assert [(file.stem, file.suffix, file.data) for file in found] == [
        ("single", ".doc", b"0"),
        ("a", ".mat", b"1"),
        ("e", ".json", b"4"),
        ("d", ".xg", b"3"),
        ("b", ".sgf", b"2"),
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"PK no zip", "no zip that can be read"),
        (zipped(a_mat=b"x" * 101), "larger than 100 bytes"),
        (zipped(a_mat=b"", b_mat=b"", c_mat=b""), "3 match files; at most 2"),
        (zipped(a_mat=b"x" * 80, b_mat=b"x" * 80), "unpacks to more than 150 bytes"),
    ],
)
def test_zips_that_are_damaged_or_too_large_are_refused(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        list(unzipped("some.zip", data, max_members=2, max_bytes=100, max_unpacked=150))


@pytest.mark.parametrize("cut", [5, 30, 60])
def test_a_zip_that_is_cut_off_is_refused(cut: int) -> None:
    with pytest.raises(FormatError):
        list(unzipped("some.zip", zipped(a_mat=b"some text")[:cut]))
