"""Boards drawn in text, as eXtreme Gammon and BGBlitz write them, in the languages in which they can be set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from barpoint.board import Position, Side
from barpoint.error import FormatError, PositionError
from barpoint.record import IdFormat, Situation, id_format, parse_id
from tests.support.samples import needs_samples, sample_files

SAMPLES = sample_files("xg_text_position/*.txt")

XG = """\
X:Anna   O:Ben
{head}
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 |             O    |   | O        X       | +---+
 |             O    |   | O                | | 4 |
 |                  |   | O                | +---+
 |                  |   | O                |
 |                  | X | 6                |
 |                  |BAR|                  |
 |                  | O |                  |
 |                  |   |                  |
 |                  |   | X                |
 | X                |   | X                |
 | X        X       |   | X  O  X          |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 96  O: 104 X-O: {score}
{cube}
{turn}

    1. 4-ply       19/18 14/12                  eq:-0.491
"""
POSITION = Position(Side.of({25: 1, 22: 1, 12: 2, 9: 1, 6: 3, 4: 1, 0: 6}), Side.of({25: 1, 20: 1, 8: 2, 6: 6, 0: 5}))


@pytest.mark.parametrize(
    ("head", "cube", "turn", "player", "dice"),
    [
        ("Score is X:3 O:6 7 pt.(s) match.", "Cube: 4, O own cube", "X to play 21", 1, (2, 1)),
        ("Punktzahl ist  X:3 O:6 7 Pkt (e) match.", "Dopplerwürfel: 4", "X am würfeln, Dopplerwürfel Aktion", 1, ()),
        ("Le score est X:3 O:6 match en 7 pt(s)", "Videau: 4, O a le videau", "O à jouer 64", 0, (6, 4)),
        ("Le score est X:3 O:6 match en 7 pt(s)", "Videau: 4, O a le videau", "X: lance ou double", 1, ()),
        ("Score is X:3 O:6 7 pt.(s) match.", "キューブ: 4, O own cube", "O on roll, cube action", 0, ()),
    ],
)
def test_a_text_of_xg_is_read_in_every_language(
    head: str, cube: str, turn: str, player: int, dice: tuple[int, ...]
) -> None:
    text = XG.format(head=head, score="3-6/7", cube=cube, turn=turn)
    assert id_format(text) is IdFormat.BOARD
    position = POSITION if player else POSITION.flip()
    assert parse_id(text) == Situation(position, player, player, dice, 4, 0, 7, (6, 3))


def test_the_crawford_game_and_the_rules_of_money_are_read() -> None:
    said = parse_id(XG.format(head="Score is", score="3-6/7 Crawford", cube="Cube: 1", turn="X to play 21"))
    assert (said.crawford, said.length, said.jacoby) == (True, 7, False)
    money = parse_id(XG.format(head="Unlimited Game\nJacoby Beaver", score="0-0", cube="", turn="X to play 21"))
    assert (money.length, money.jacoby, money.beavers) == (0, True, True)


BGBLITZ = """\
 +13-14-15-16-17-18------19-20-21-22-23-24-+   O: {o}  43
 |                  |   | O  O           O |
 |                  |   | O  O             |
 |                  |   |    O             |
 |                  |   |    O             |
 |                  |   |    2             |
v|                  |BAR|                  |
 |                  |   |                  |
 |                  |   |    X             | +--+
 |                  |   |    X             | | 2|
 |                  |   | X  X     X       | +--+
 |                  |   | X  X  X  X       |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+   X: {x}  42

 {o} - 0 {x} - 4 in a 7 point match.
 {turn}

              Wins  G+BG  BG
 {o}        28.8  0.0   0.0
"""


@pytest.mark.parametrize(
    ("o", "x", "turn", "player", "dice"),
    [
        ("Green", "Red", "Red to move.", 1, ()),
        ("Grün", "Rot", "Grün to move 1-2", 0, (2, 1)),
        ("Vert", "Rouge", "Rouge to move 6-6", 1, (6, 6)),
        ("緑", "赤", "赤 to move.", 1, ()),
        ("Big Bill", "Big Ben", "Big Ben to move.", 1, ()),
    ],
)
def test_a_text_of_bgblitz_is_read_in_every_language(
    o: str, x: str, turn: str, player: int, dice: tuple[int, ...]
) -> None:
    us = Side.of({6: 2, 5: 4, 4: 1, 3: 2, 0: 6})
    them = Side.of({6: 2, 5: 6, 1: 1, 0: 6})
    position = Position(us, them) if player else Position(them, us)
    text = BGBLITZ.format(o=o, x=x, turn=turn)
    assert parse_id(text) == Situation(position, player, player, dice, 2, 1, 7, (0, 4))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("X to play 21", "somebody", "does not say who is to act"),
        (" 4 ", " 5 ", "a cube of 5"),
        ("3-6/7", "3-7/7", "score 7-3"),
        (" |                  |BAR|                  |\n", "", "no row of the points 12 to 1"),
    ],
)
def test_what_is_missing_is_said(old: str, new: str, message: str) -> None:
    text = XG.format(head="Score is", score="3-6/7", cube="Cube: 4", turn="X to play 21").replace(old, new)
    with pytest.raises(FormatError, match=message):
        parse_id(text)


def test_digits_beside_the_board_do_not_matter() -> None:
    text = XG.format(head="Score is", score="3-6/7", cube="Cube: 4", turn="X to play 21")
    assert parse_id(text.replace(" +1", "7+1")) == parse_id(text)


def test_a_control_character_beside_a_number_is_a_blank() -> None:
    text = XG.format(head="Score is", score="3-6/7", cube="Cube: 4", turn="X to play 21")
    assert parse_id(text.replace("| 6 ", "|\x1f6 ")) == parse_id(text)


def test_too_many_checkers_are_refused() -> None:
    text = XG.format(head="Score is", score="3-6/7", cube="Cube: 4", turn="X to play 21").replace(" 6  ", "16  ")
    with pytest.raises(PositionError, match="O has 20 checkers"):
        parse_id(text)


@needs_samples
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem)
def test_the_board_of_a_real_text_says_what_its_xgid_says(sample: Path) -> None:
    text = sample.read_text(encoding="utf-8")
    said = parse_id(text)
    assert id_format(text) is IdFormat.XGID
    without = "\n".join(line for line in text.splitlines() if "XGID" not in line)
    assert replace(parse_id(without), cube_limit=said.cube_limit) == said
