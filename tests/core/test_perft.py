"""Positions counted some rolls ahead, against stored figures (rulings 9.2, 9.9)."""

from pathlib import Path

import pytest

from barpoint.native import core, core_rules, pack
from barpoint.variants import variant

FOLDER = Path(__file__).parents[1] / "perft"
COUNTS = [
    (path.stem, *map(int, line.split()))
    for path in sorted(FOLDER.glob("*.txt"))
    for line in path.read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("name", "depth", "plain", "weighted"), COUNTS)
def test_as_many_positions_as_stored_are_some_rolls_ahead(name, depth, plain, weighted):
    rules = variant(name)
    assert core.perft(core_rules(rules), pack(rules.start), depth) == (plain, weighted)


def test_every_variant_with_moves_of_its_own_has_stored_figures():
    assert {name for name, *_ in COUNTS} >= {
        "backgammon", "nackgammon", "hypergammon", "longgammon", "duodecagammon", "acey-deucey", "dutch", "plakoto", "fevga",
        "moultezim", "portes", "tapa", "narde", "gul-bara", "gioul", "european-acey-deucey", "tabula",
    }  # fmt: skip
