"""eXtreme Gammon's IDs (rulings 7.3). They show the board as the bottom player sees it, whoever is to act."""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase
from typing import Final
from urllib.parse import unquote

from barpoint.board import BAR, Position, Side
from barpoint.error import FormatError, PositionError, check_kind, whole_number
from barpoint.game import MAX_CUBE, Game
from barpoint.match import Match
from barpoint.match.situation import GameState, Offer, Situation, situation_of
from barpoint.record.gnuid import check_score

BOTTOM: Final = 1
"""The player at the bottom, as GNU Backgammon numbers players: 1."""

UNLIMITED: Final = 10
"""The power of two that stands for a cube without limit, as in XG; higher ones do too. A higher cube is written as its own limit."""

_GAP: Final = r"[\s>]{0,20}"
_AROUND: Final = " \t\r\n`'\"."
_ESCAPED = re.compile(r"%(?:3A|3D|2F)", re.IGNORECASE)
_COLON_ESCAPED = re.compile(r"&(?:#0*58|#x0*3a|colon);", re.IGNORECASE)
_DASHES: Final = str.maketrans({"\N{EN DASH}": "-", "\N{MINUS SIGN}": "-", "\N{NON-BREAKING HYPHEN}": "-"})
_DASHED = re.compile(r"[-\u2011\u2013\u2212A-P]{26}:[-\u2011\u2013\u2212A-Z0-9:]+", re.IGNORECASE)
"""An XGID whose dashes an editor has made longer, as some do."""
_IN_TEXT = re.compile(
    rf"(?<![A-Z0-9-])(?:XGID{_GAP}[=:]{_GAP})?(?:[-A-P]{_GAP}){{26}}"
    rf"(?::{_GAP}(?:-?{_GAP}[0-9]|[DBR])(?:{_GAP}[0-9]){{0,4}}{_GAP}){{8}}"
    rf":{_GAP}(?:1[ ]{{0,9}}\r?\n[> ]{{0,9}}0[ ]{{0,9}}$|[0-9]{{1,5}})(?![A-Z0-9]|{_GAP}:{_GAP}[-0-9])",
    re.IGNORECASE | re.MULTILINE,
)
"""An XGID as mails and pages show it: with gaps, line breaks and marks of quotations in it."""

_PREFIX = re.compile(r"^XGID\s*[=:]\s*", re.IGNORECASE)
_BOARD = re.compile(r"[-A-Pa-p]{26}")
_NUMBER = re.compile(r"-?[0-9]{1,5}")
_DICE = re.compile(r"[1-6]{2}|00|[DBR]")
_OFFERS: Final = {"D": Offer.DOUBLE, "B": Offer.BEAVER, "R": Offer.RACCOON}
_FIELDS: Final = (
    ("cube", 0, 62),
    ("cube's place", -1, 1),
    ("turn", -1, 1),
    ("dice", 0, 0),
    ("score of the bottom player", 0, 32767),
    ("score of the top player", 0, 32767),
    ("flag", 0, 3),
    ("match length", 0, 32767),
    ("cube limit", 0, 62),
)


def parse_xgid(text: str, checkers: int = 15) -> Situation:
    """Parses an XGID, with or without its prefix, and with what mails and pages add to it (`mended_xgids`).

    checkers: of each side. FormatError when the text is no XGID, PositionError when a side has too many checkers.
    """
    checkers = whole_number("checkers", checkers)
    found = _PREFIX.sub("", mended_xgids(text).strip(_AROUND))
    fields = found.split(":")
    if len(fields) != 1 + len(_FIELDS):
        raise FormatError(
            "%(found)r: fields between colons: %(count)s; an XGID has %(value)s",
            found=found if len(found) <= 60 else found[:57] + "...",
            count=len(fields),
            value=1 + len(_FIELDS),
        )
    board, dice_text = fields[0], fields[4].upper()
    if not _BOARD.fullmatch(board):
        raise FormatError("%(board)r is no board of 26 characters, each - or A to P or a to p", board=board[:40])
    if not _DICE.fullmatch(dice_text):
        raise FormatError("dice %(dice_text)r; two digits 1 to 6, 00, D, B or R", dice_text=dice_text[:10])
    numbers = [_number(fields[1 + index], *field) for index, field in enumerate(_FIELDS) if field[0] != "dice"]
    cube, place, turn, bottom_score, top_score, flag, length, limit = numbers
    if turn == 0:
        raise FormatError("turn 0; 1 is the bottom player, -1 the top one")
    player = BOTTOM if turn == 1 else 1 - BOTTOM
    offer = _OFFERS.get(dice_text, Offer.NONE)
    if length:
        check_score((top_score, bottom_score), length)
        if flag > 1:
            raise FormatError("flag %(flag)s in a match; 1 says Crawford game, 0 none", flag=flag)
    bottom, top = _sides(board, checkers)
    return Situation(
        position=Position(bottom, top) if player == BOTTOM else Position(top, bottom),
        player=player,
        actor=1 - player if offer in (Offer.DOUBLE, Offer.RACCOON) else player,
        dice=tuple(sorted(map(int, dice_text), reverse=True)) if dice_text.isdigit() and dice_text != "00" else (),
        cube=1 << cube,
        owner=None if place == 0 else BOTTOM if place == 1 else 1 - BOTTOM,
        length=length,
        score=(top_score, bottom_score),
        crawford=flag == 1 and (bottom_score == length - 1) != (top_score == length - 1),
        jacoby=length == 0 and flag in (1, 3),
        beavers=length == 0 and flag in (2, 3),
        offer=offer,
        cube_limit=1 << limit if limit < UNLIMITED else MAX_CUBE,
    )


def mended_xgids(text: str) -> str:
    """The text without the escapes of addresses and pages, and each XGID in it with plain dashes and its prefix, in one piece."""
    text = unquote(text) if _ESCAPED.search(text) else text
    text = _DASHED.sub(lambda found: found[0].translate(_DASHES), _COLON_ESCAPED.sub(":", text))
    return _IN_TEXT.sub(lambda found: f"XGID={_PREFIX.sub('', re.sub(_GAP, '', found[0]))} ", text)


def format_xgid(what: Situation | Match | Game | Position) -> str:
    """The XGID of a situation, or of a position alone: money play, the side to act at the bottom and to roll.

    FormatError when an XGID cannot express it: hand, pins, a resignation, dice with twelve sides.
    """
    check_kind("what", what, Situation, Match, Game, Position)
    if isinstance(what, Position):
        situation = Situation(what)
    else:
        situation = what if isinstance(what, Situation) else situation_of(what)
    if situation.resignation or situation.state is not GameState.PLAYING:
        raise FormatError("an XGID stands for a game that goes on, without a resignation to answer")
    if situation.dice and (len(situation.dice) != 2 or max(situation.dice) > 6):
        raise FormatError("an XGID has no room for the roll %(allowed)s", allowed="-".join(map(str, situation.dice)))
    letters = {offer: letter for letter, offer in _OFFERS.items()}
    dice = letters.get(situation.offer) or "".join(map(str, situation.dice)) or "00"
    place = 0 if situation.owner is None else 1 if situation.owner == BOTTOM else -1
    flag = int(situation.crawford) if situation.length else situation.jacoby + 2 * situation.beavers
    fields = (
        _board(situation),
        situation.cube.bit_length() - 1,
        place,
        1 if situation.player == BOTTOM else -1,
        dice,
        situation.score[BOTTOM],
        situation.score[1 - BOTTOM],
        flag,
        situation.length,
        max(situation.cube, min(situation.cube_limit, 1 << UNLIMITED)).bit_length() - 1,
    )
    return "XGID=" + ":".join(map(str, fields))


def _number(text: str, name: str, low: int, high: int) -> int:
    if not _NUMBER.fullmatch(text) or not low <= int(text) <= high:
        raise FormatError(
            "%(name)s %(found)r; a number from %(low)s to %(high)s", name=name, found=text[:10], low=low, high=high
        )
    return int(text)


def _sides(board: str, checkers: int) -> tuple[Side, Side]:
    """The bottom and the top side, each in its own numbering."""
    bottom = tuple(ascii_uppercase.find(letter) + 1 for letter in board)
    top = tuple(ascii_lowercase.find(letter) + 1 for letter in reversed(board))
    sides = []
    for who, counts in (("bottom", bottom), ("top", top)):
        if counts[0]:
            raise FormatError("the %(who)s player's bar holds the other player's checkers", who=who)
        if sum(counts) > checkers:
            raise PositionError(
                "the %(who)s player has %(sum)s checkers; these rules have %(checkers)s",
                who=who,
                sum=sum(counts),
                checkers=checkers,
            )
        sides.append(Side((checkers - sum(counts), *counts[1:])))
    return sides[0], sides[1]


def _board(situation: Situation) -> str:
    position = situation.position if situation.player == BOTTOM else situation.position.flip()
    bottom, top = position.us, position.them
    if any(side.hand or side.pinned or side.dice for side in (bottom, top)):
        raise FormatError("an XGID has no room for checkers in the hand, pinned ones, or rolls that follow others")
    board = ["-"] * 26
    for letters, side, upwards in ((ascii_uppercase, bottom, True), (ascii_lowercase, top, False)):
        for point in range(1, 26):
            count, place = side.points[point], point if upwards else BAR - point
            if not count:
                continue
            if count > 16 or board[place] != "-":
                raise FormatError(
                    "an XGID cannot show %(count)s checkers on a point, or both sides on one", count=count
                )
            board[place] = letters[count - 1]
    return "".join(board)
