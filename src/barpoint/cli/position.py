"""The position that a command is about: the options that say it, and its board with what is at stake."""

from __future__ import annotations

import os
import sys
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

import typer

from barpoint.board import Position
from barpoint.draw import board, plain
from barpoint.engine import CubeInfo
from barpoint.engine.decision_point import Tokens, tokens_left
from barpoint.error import FormatError, PositionError
from barpoint.language import N_, _
from barpoint.match.situation import Offer, Situation
from barpoint.moves import check_position, outcome
from barpoint.record import parse_id
from barpoint.record.any_id import MAX_TEXT, decoded_text
from barpoint.record.text_annotations import format_annotated
from barpoint.record.xgid import BOTTOM
from barpoint.record.xgp_reader import POSITIONS, read_annotated_position
from barpoint.rules import Rules

STANDARD_INPUT: Final = "-"

IdArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help=N_(
            "A GNU ID, an XGID, an OGID, or another text that shows a position; a .txt or .xgp file with one; - reads it"
            " from standard input."
        ),
    ),
]

NetOption = Annotated[Path | None, typer.Option("--net", help=N_("A net of your own in place of ours: its file."))]
"""The option of commands that evaluate."""

UNTOLD: Final = (-1, -1)
"""Tokens of a command that was given none."""

TokensOption = Annotated[
    tuple[int, int],
    typer.Option(
        metavar="<int> <int>", help=N_("Reroll tokens left: of the side to act, of the other."), show_default=False
    ),
]

_MAX_INPUT_BYTES: Final = 16_000_000
"""Maximum size of standard input with an ID a line."""

_MAX_TEXT_BYTES: Final = 4 * MAX_TEXT + 4
"""So many bytes of a text say that it is too long."""

_HEIGHT = 13
_MIDDLE = 6
_RAISES: Final = {Offer.DOUBLE: 0, Offer.BEAVER: 1, Offer.RACCOON: 2}


def id_text(given: str) -> str:
    """The text of an ID as it was given, in the file that was named, with the analysis there, or all of standard input for "-"."""
    if given == STANDARD_INPUT:
        return decoded_text(sys.stdin.buffer.read(_MAX_TEXT_BYTES))
    path = Path(given)
    if ":" not in given and os.path.isdir(given):
        raise FormatError("%(name)r is a folder; barpoint analyse reads the matches in it", name=given)
    if not os.path.isfile(given) and (":" in given or path.suffix.lower() not in POSITIONS):
        return given
    if path.suffix.lower() not in POSITIONS:
        raise FormatError(
            "%(name)r is a file, but not of a position; those end with %(allowed)s; barpoint analyse reads matches",
            name=given,
            allowed=", ".join(POSITIONS),
        )
    if path.suffix.lower() != ".txt":
        return format_annotated(read_annotated_position(path))
    with path.open("rb") as file:
        return decoded_text(file.read(_MAX_TEXT_BYTES))


def id_texts(given: str, rules: Rules) -> list[tuple[int, str]]:
    """As `id_text`; where standard input has an ID a line, those that are not empty, each with its number from 1, otherwise 0.

    That is so where two lines hold an ID alone, or the first one does and another one a word alone: texts around one ID do not.
    """
    if given != STANDARD_INPUT:
        return [(0, id_text(given))]
    content = sys.stdin.buffer.read(_MAX_INPUT_BYTES + 1)
    if len(content) > _MAX_INPUT_BYTES:
        raise FormatError("standard input is longer than %(most)s bytes", most=_MAX_INPUT_BYTES)
    text = decoded_text(content)
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    alone = [line for _number, line in lines if not line.split()[1:]]
    begins = len(alone) > 1 and lines[0][1] == alone[0] and is_id(alone[0], rules)
    if begins or len(list(islice((one for one in alone if is_id(one, rules)), 2))) == 2:
        return lines
    return [(0, text[:_MAX_TEXT_BYTES])]


def is_id(text: str, rules: Rules) -> bool:
    """Whether a text shows a position, also one that these rules forbid."""
    try:
        parse_id(text, rules.checkers)
    except FormatError:
        return False
    except PositionError:
        pass  # it is one, of a position that these rules forbid
    return True


def read_position(text: str, rules: Rules) -> Situation:
    """The situation of an ID in which somebody is to act; FormatError, PositionError."""
    said = parse_id(text, rules.checkers)
    check_position(rules, said.position)
    if outcome(rules, said.position) is not None:
        raise PositionError("the game is over in this position")
    return said


def told_tokens(rules: Rules, tokens: Tokens) -> Tokens | None:
    """The tokens of the option, None where it was not given; StakesError for numbers that a side cannot have."""
    return None if tokens == UNTOLD else tokens_left(rules, tokens)


def raises_of(offer: Offer) -> int:
    """How many beavers and raccoons an offer that waits for its answer has had."""
    return _RAISES[offer]


def position_text(
    said: Situation, rules: Rules, info: CubeInfo, faces: tuple[int, ...], *, answering: bool = False
) -> str:
    """The board of a situation with roll, cube and score, and the side to act at the bottom; below it, who is to act.

    info: as the player on roll sees it. answering: the side that decides about the offer of the cube is the one to act.
    """
    near = said.actor if answering else said.player
    position = said.position if near == said.player else said.position.flip()
    seen = info if near == said.player else info.flip()
    lines = board(
        position,
        meeting=rules.movement.meeting,
        middle=("", " ".join(map(str, faces))),
        beside=_beside(said, near, seen, position, answering),
    )
    turned = near != BOTTOM
    who = _("X is to act; the board is turned: in the ID this side is O, at the top") if turned else _("X is to act")
    return f"{plain(lines)}\n{who}"


def _beside(said: Situation, near: int, info: CubeInfo, position: Position, answering: bool) -> list[str]:
    """What stands right of the board: each side's score and cube at its edge, a centred cube in the middle."""
    bottom = [_score_of(said, near, "X", position.us.pips)]
    top = [_score_of(said, 1 - near, "O", position.them.pips)]
    words = [""] * _HEIGHT
    cube = info.cube
    if cube and answering:
        offered = cube.value << (1 + raises_of(said.offer))
        top.append(_("cube offered at %(cube)s", cube=offered))
    elif cube and cube.owner:
        (bottom if cube.owner == "us" else top).append(_("cube %(value)s", value=cube.value))
    elif cube:
        words[_MIDDLE] = _("cube %(value)s", value=cube.value)
    if said.crawford:
        words[_MIDDLE] = _("Crawford game")
    words[: len(top)] = top
    words[_HEIGHT - len(bottom) :] = reversed(bottom)
    return words


def _score_of(said: Situation, player: int, letter: str, pips: int) -> str:
    if not said.length:
        return f"{letter}  " + _("pips %(pips)s", pips=pips)
    score = said.score[player]
    return f"{letter}  " + _("%(score)s of %(length)s, pips %(pips)s", score=score, length=said.length, pips=pips)
