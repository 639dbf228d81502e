"""The file of a long run: it goes on, drops what was cut off, and refuses what is not its own."""

from pathlib import Path

import pytest

from barpoint.engine.result_file import ResultFile
from barpoint.error import RolloutError


def test_results_are_there_again(tmp_path: Path) -> None:
    first = ResultFile(tmp_path / "run", ("a", 1))
    for result in ([0.1, -2e-17], {"x": "ä"}):
        first.add(result)
    assert ResultFile(tmp_path / "run", ("a", 1)).results == first.results == [[0.1, -2e-17], {"x": "ä"}]


def test_a_line_cut_off_by_a_kill_is_dropped_and_made_again(tmp_path: Path) -> None:
    file = tmp_path / "run"
    whole = ResultFile(file, 1)
    for number in range(3):
        whole.add({"number": number})
    content = file.read_bytes()
    for cut in range(len(content)):
        file.write_bytes(content[:cut])
        again = ResultFile(file, 1)
        for number in range(len(again.results), 3):
            again.add({"number": number})
        assert file.read_bytes() == content


def test_files_of_other_runs_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "run"
    ResultFile(file, 1).add(2)
    with pytest.raises(RolloutError, match="another run"):
        ResultFile(file, 2)
    file.write_bytes(file.read_bytes() + b"{]\n")
    with pytest.raises(RolloutError, match="damaged"):
        ResultFile(file, 1)
    for other in (b"\xff\xfe no text\n", b"no line"):
        file.write_bytes(other)
        with pytest.raises(RolloutError, match="another run"):
            ResultFile(file, 1)
        assert file.read_bytes() == other


def test_without_a_path_nothing_is_written() -> None:
    kept = ResultFile(None, 1)
    kept.add(5)
    assert kept.results == [5]
