"""Files that commands write at the end: refused by name before the work begins, and said by name where the disk is full."""

import os
from pathlib import Path

import pytest

from barpoint.analysis import Study
from barpoint.cli import stats
from barpoint.cli.output_file import check_writable, write_text
from tests.cli.test_cli import barpoint  # noqa: F401
from tests.record.test_mat import MATCH


@pytest.fixture
def match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file with a match; nothing may be analysed."""

    def refuse(*_: object) -> None:
        raise AssertionError("analysed before the file was checked")

    monkeypatch.setattr(Study, "__iter__", refuse)
    monkeypatch.setattr(stats, "_summaries", refuse)
    (tmp_path / "a.mat").write_text(MATCH, encoding="utf-8")
    return str(tmp_path / "a.mat")


@pytest.mark.parametrize(("command", "option"), [("analyse", "--html"), ("stats", "--csv")])
def test_a_file_that_cannot_be_written_is_refused_before_the_analysis(
    barpoint,  # noqa: F811
    tmp_path: Path,
    match: str,
    command: str,
    option: str,
) -> None:
    for target, why in ((tmp_path, "Is a directory"), (tmp_path / "none" / "x", "No such file or directory")):
        ran = barpoint(command, match, option, str(target))
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == f"barpoint: {target}: {why}\n"


def test_a_file_without_the_right_to_write_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PermissionError, match=r"x\.html"):
        check_writable(tmp_path / "x.html")


def test_a_check_leaves_files_as_they_are(tmp_path: Path) -> None:
    kept, new = tmp_path / "kept", tmp_path / "new"
    kept.write_text("held")
    check_writable(kept)
    check_writable(new)
    check_writable(Path(os.devnull))
    (link := tmp_path / "link").symlink_to(new)
    check_writable(link)
    assert link.is_symlink()
    new.unlink()
    assert (kept.read_text(), new.exists()) == ("held", False)


def test_the_error_of_a_full_disk_has_the_name_of_the_file() -> None:
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_text(Path("/dev/full"), "text" * 10_000)
