"""PureTD's net as an opponent: what it sees, and its file."""

from itertools import pairwise
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from barpoint.board import Position, Side
from barpoint.moves import encode
from benchmarks.peer.puretd import VARIABLE, PureTd, inputs_of, layers_of

UNITS = 196, 4, 5


def file_of(path: Path) -> Path:
    """A net of these units that says nothing but what its last bias says, in a file as PyTorch writes it."""
    with ZipFile(path, "w") as made:
        made.writestr("net/data.pkl", b"not read")
        for layer, (ins, outs) in enumerate(pairwise(UNITS)):
            bias = [0.0, -1.0, 3.0, 2.0, -9.0] if outs == 5 else [0.0] * outs
            made.writestr(f"net/data/{2 * layer}", np.zeros((outs, ins), "<f4").tobytes())
            made.writestr(f"net/data/{2 * layer + 1}", np.array(bias, "<f4").tobytes())
    return path


def test_inputs_count_points_from_the_home_of_the_side_to_act() -> None:
    us, them = Side.of({0: 3, 6: 5, 24: 2, 25: 5}), Side.of({0: 11, 1: 3, 25: 1})
    found = inputs_of(encode([Position(us, them)]))[0]
    ours, theirs = found[:98], found[98:]
    assert ours[20:24].tolist() == [1, 1, 1, 1]
    assert ours[92:96].tolist() == [1, 1, 0, 0]
    assert ours[96:].tolist() == pytest.approx([2.5, 3 / 15])
    assert theirs[92:96].tolist() == [1, 1, 1, 0], "their ace point is our 24 point"
    assert theirs[96:].tolist() == pytest.approx([0.5, 11 / 15])
    assert found.sum() == pytest.approx(4 + 2 + 2.5 + 0.2 + 3 + 0.5 + 11 / 15)


def test_its_chances_are_nested_and_bear_offs_are_won(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(file_of(tmp_path / "net.pt")))
    assert [weights.shape for weights, _ in layers_of(tmp_path / "net.pt")] == [(4, 196), (5, 4)]
    player = PureTd()
    last = Position(Side.of({0: 14, 1: 1}), Side.of({0: 14, 1: 1}))
    won = 1 / (1 + np.exp(1))  # gammons won; all of them backgammons, and every loss is a gammon
    assert player.equity(last) == pytest.approx(2 * won - 0.5 - 1 / (1 + np.exp(9)), abs=1e-6)
    assert player.play(last, (2, 1)).us.points[0] == 15


def test_without_a_file_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(FileNotFoundError, match=VARIABLE):
        PureTd()
