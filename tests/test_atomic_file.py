"""Files that are complete or unchanged."""

import errno
from pathlib import Path

import pytest

from barpoint.atomic_file import replacing


def test_a_file_is_replaced_when_it_is_complete_and_unchanged_after_an_error(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    for content in (b"first", b"second"):
        with replacing(file) as out:
            out.write(content)
            assert all(one.name.startswith("kept") for one in tmp_path.iterdir()), (
                "what a killed process leaves is found"
            )
        assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("kept", content)]
    with pytest.raises(TypeError), replacing(file) as out:
        out.write("text")  # type: ignore[arg-type]
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("kept", b"second")]


def test_an_error_names_the_file_once(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    with pytest.raises(OSError, match="No space left") as full, replacing(file):
        raise OSError(errno.ENOSPC, "No space left on device")
    (file / "inside").mkdir(parents=True)
    with pytest.raises(IsADirectoryError) as folder, replacing(file):
        pass
    for refused in (full, folder):
        assert refused.value.filename == str(file)
        assert str(refused.value).endswith(f": '{file}'")
    assert [one.name for one in tmp_path.iterdir()] == ["kept"]
