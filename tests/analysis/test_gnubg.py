"""The analysis beside GNU Backgammon's of the same match: luck roll by roll, losses play by play (rulings 7.5).

Two nets never agree on the last hundredth; what is compared is that both speak of the same things in the same units.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from statistics import mean

import pytest

import barpoint as bp
from barpoint.analysis import Report
from barpoint.record import read_match
from barpoint.record.sgf_tree import Node, parse_trees
from tests.cli.test_external import gnubg
from tests.support.machine import PATIENCE_S

MATCH = Path(__file__).parents[1] / "golden" / "novice-club.sgf"
"""Played by two of our levels; it stays as it is when the nets change."""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, list[Node]]:
    """Our report of a match to 3 points, and gnubg's nodes with plays, in the same order."""
    match = read_match(MATCH).match
    folder = tmp_path_factory.mktemp("gnubg")
    commands = f"""
set analysis chequerplay evaluation plies 0
set analysis cubedecision evaluation plies 0
load match {MATCH}
analyse match
save match {folder / "theirs.sgf"}
"""
    done = subprocess.run(
        [gnubg(), "-t", "-q", "-r"], input=commands, capture_output=True, text=True, timeout=PATIENCE_S * 4, check=False
    )
    assert (folder / "theirs.sgf").exists(), done.stdout + done.stderr
    trees = parse_trees((folder / "theirs.sgf").read_text(encoding="utf-8"))
    plays = [node for tree in trees for node in tree if len(node.get("W", node.get("B"))) >= 2]
    return bp.analyse(match, plies=0), [node for node in plays if node.get("W", node.get("B"))[:2].isdigit()]


def test_the_luck_of_every_roll_is_the_same(both: tuple[Report, list[Node]]) -> None:
    report, nodes = both
    plays = [one for one in report.decisions if one.kind == "play"]
    assert len(plays) == len(nodes)
    luck = {one.event: one.luck for one in report.rolls}
    pairs = [
        (luck.get(play.event - 1, 0.0), float(node.get("LU")))
        for play, node in zip(plays, nodes, strict=True)
        if node.get("LU")
    ]
    assert len(pairs) > 30
    assert mean(abs(ours - theirs) for ours, theirs in pairs) < 0.06
    assert mean(abs(ours) for ours, _ in pairs) > 0.1, "there is something to compare"


def test_the_same_plays_are_errors_by_about_as_much(both: tuple[Report, list[Node]]) -> None:
    report, nodes = both
    plays = [one for one in report.decisions if one.kind == "play"]
    pairs = [
        (play.loss, found) for play, node in zip(plays, nodes, strict=True) if (found := loss_of(node)) is not None
    ]
    assert len(pairs) > 30
    assert mean(abs(ours - theirs) for ours, theirs in pairs) < 0.03
    assert all(ours > 0.02 for ours, theirs in pairs if theirs > 0.16), "what gnubg calls very bad is marked here"
    assert all(theirs > 0.02 for ours, theirs in pairs if ours > 0.16), "and the other way round"
    assert sum(ours for ours, _ in pairs) == pytest.approx(sum(theirs for _, theirs in pairs), rel=0.35)


def loss_of(node: Node) -> float | None:
    """What gnubg says the play lost; None where it lists no plays."""
    played, *plays = node.properties.get("A", ("",))
    if not played.isdigit() or not plays:
        return None
    equities = [float(play.split()[9]) for play in plays]
    return equities[0] - equities[int(played)] if int(played) < len(equities) else None
