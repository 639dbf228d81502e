"""A position in whatever notation it comes: the format is recognised, then its own reader reads it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from barpoint.error import FormatError, PositionError, check_kind, whole_number
from barpoint.match.situation import GameState, Offer, Situation
from barpoint.record.board_text import CHECKERS, has_board, parse_board_text
from barpoint.record.fibs_board import FibsBoard, parse_board
from barpoint.record.gnuid import check_score, parse_gnuid
from barpoint.record.ogid import parse_ogid
from barpoint.record.position_id import EXTENDED, MAX_CHECKERS, parse_position
from barpoint.record.xgid import mended_xgids, parse_xgid

MAX_TEXT: Final = 100_000
"""Maximum characters of a text that is looked at."""


class IdFormat(StrEnum):
    """A notation of positions that `parse_id` reads."""

    POSITION = "position ID"
    GNUID = "GNU ID"
    XGID = "XGID"
    OGID = "OGID"
    FIBS = "FIBS board"
    BOARD = "drawn board"


ALLOWED: Final = (
    "allowed: a GNU ID (position, or position:match), a position ID that begins with ~, an XGID, an OGID, a FIBS board "
    "line, or the position text of eXtreme Gammon, BGBlitz or GNU Backgammon"
)

_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
"""How UTF-16 begins."""

_XGID = re.compile(r"XGID\s{0,20}(?:=|:(?=\s{0,20}[-A-P]{8}))\s{0,20}([^\s\"'`<>,;!()&]+)", re.IGNORECASE)
_OGID = re.compile(r"OGID\s{0,20}[=:]\s{0,20}([^\s\"'<>,;!()]+)", re.IGNORECASE)
_FIBS = re.compile(r"^\W{0,4}(board:\S.*)$", re.MULTILINE)
_LABELLED = re.compile(
    r"Position[ -]ID\s{0,20}:\s{0,20}([A-Za-z0-9+/]{14})\b(?:\s{0,80}Match[ -]ID\s{0,20}:\s{0,20}([A-Za-z0-9+/]{1,40}))?",
    re.IGNORECASE,
)
_GNUID_LABEL = re.compile(
    r"(?:GNU(?:BG)?[ ]?ID)\s{0,20}[:=]\s{0,20}([A-Za-z0-9+/]{14}(?::[A-Za-z0-9+/]{1,40})?)", re.IGNORECASE
)
_BARE_XGID = re.compile(r"[-A-Pa-p]{26}:\S+")
_BARE_OGID = re.compile(r"[0-9a-q]*:[0-9a-q]*:[NWBD?][0-9]{1,2}[NOTP](?::\S*)?")
_BARE_GNUID = re.compile(r"[A-Za-z0-9+/]{14}(:[A-Za-z0-9+/]{12})?")
_GNUID_WORD = re.compile(r"(?<![\w+/~-])[A-Za-z0-9+/]{14}(?::[A-Za-z0-9+/]{12})?(?!:?[\w+/=-])")
_GNUID_IN_TEXT = re.compile(
    r"(?<![\w+/~-])(?P<position>[A-Za-z0-9+/]{14})={0,2}"
    r"(?:(?P<between>\s{0,20}:\s{0,20}|\s{1,20})(?P<match>[A-Za-z0-9+/]{12}))?(?![\w+/=-])"
)
_TWO_WORDS = re.compile(r"([A-Za-z0-9+/]{14})[\s:]{1,20}([A-Za-z0-9+/]{9,13})")
_EXTENDED_WORD = re.compile(r"(?<![\w+/~-])~[A-Za-z0-9+/]{8,160}(?::[A-Za-z0-9+/]{12})?(?!:?[\w+/=-])")
_PLAIN_WORD = re.compile(r"[A-Za-z]?[a-z]+|[A-Z]+")


def parse_id(text: str, checkers: int = CHECKERS) -> Situation:
    """The situation of a position in any of the notations of `IdFormat`, with or without text around its ID.

    A position alone is money play, player 1 to roll. checkers: of each side, `rules.checkers`, 3 for Hyper-backgammon; those
    that are not in the ID are borne off. FormatError says what was found and what is allowed,
    PositionError that a side has too many checkers.
    """
    checkers = whole_number("checkers", checkers)
    found, part = _recognised(text)
    match found:
        case IdFormat.XGID:
            return parse_xgid(part, checkers)
        case IdFormat.OGID:
            return parse_ogid(part, checkers)
        case IdFormat.FIBS:
            _check_fifteen(checkers, found)
            return _seen_by_player_1(parse_board(part))
        case IdFormat.BOARD:
            _check_fifteen(checkers, found)
            return parse_board_text(part)
        case IdFormat.POSITION if part.startswith(EXTENDED):
            return Situation(parse_position(part, checkers))
        case _:
            return parse_gnuid(part, checkers)


def decoded_text(data: bytes) -> str:
    """The text of bytes that may hold a position: UTF-8, or UTF-16 as PowerShell writes it. What is neither becomes replacement characters."""
    return data.decode("utf-16" if data[:2] in _UTF_16 else "utf-8-sig", errors="replace")


def id_format(text: str) -> IdFormat:
    """The notation that `parse_id` takes the text for; FormatError when it is none."""
    return _recognised(text)[0]


def _recognised(text: str) -> tuple[IdFormat, str]:
    """The notation, and the part of the text that is in it. A label decides before the shape of the text does."""
    check_kind("text", text, str)
    if len(text) > MAX_TEXT:
        raise FormatError(
            "a text of %(count)s characters; at most %(max_text)s are read", count=len(text), max_text=MAX_TEXT
        )
    text = _mended(text)
    bare = text.strip()
    for label, format_ in ((_XGID, IdFormat.XGID), (_OGID, IdFormat.OGID), (_GNUID_LABEL, IdFormat.GNUID)):
        if found := _only(part.rstrip(".") for part in label.findall(text)):
            return _gnu_format(found) if format_ is IdFormat.GNUID else format_, found
    if line := _FIBS.search(text):
        return IdFormat.FIBS, line[1]
    if found := _only(":".join(filter(None, parts)) for parts in _LABELLED.findall(text)):
        return _gnu_format(found), found
    if bare.startswith(EXTENDED) and len(bare.split()) == 1:
        return _gnu_format(bare), bare
    if _BARE_XGID.fullmatch(bare):
        return IdFormat.XGID, bare
    if _BARE_OGID.fullmatch(bare):
        return IdFormat.OGID, bare
    if _BARE_GNUID.fullmatch(bare):
        return _gnu_format(bare), bare
    words = (*_GNUID_WORD.findall(text), *_EXTENDED_WORD.findall(text))
    if found := _only(word for word in dict.fromkeys(words) if _is_id(word)):
        return _gnu_format(found), found
    if has_board(text):
        return IdFormat.BOARD, text
    raise FormatError("%(shown)s; %(allowed)s", shown=_shown(bare), allowed=ALLOWED)


def _mended(text: str) -> str:
    """The text with its IDs as programs write them, whatever mails, pages and addresses have made of them."""
    text = _GNUID_IN_TEXT.sub(_joined, mended_xgids(text))
    two = _TWO_WORDS.fullmatch(text.strip())
    if two and _is_id(two[1]) and not _PLAIN_WORD.fullmatch(two[2]):  # a match ID that is too short or too long
        return f"{two[1]}:{two[2]}"
    return text


def _joined(found: re.Match[str]) -> str:
    """A position without the padding of base64, with a colon alone before its match ID; other text as it stands."""
    position, between, match = found["position"], found["between"] or "", found["match"] or ""
    if not _is_id(position):
        return found[0]
    return f"{position}{between if _PLAIN_WORD.fullmatch(match) else ':' if match else ''}{match}"


def _only(found: Iterable[str]) -> str:
    """The one ID among those found, "" if there are none; FormatError when they differ.

    A position does not differ from the same one with a match ID.
    """
    parts = list(dict.fromkeys(found))
    parts = [part for part in parts if not any(other.startswith(f"{part}:") for other in parts)]
    if len(parts) > 1:
        raise FormatError(
            "%(count)s different positions, the first is %(found)r; give one", count=len(parts), found=parts[0][:60]
        )
    return parts[0] if parts else ""


def _gnu_format(text: str) -> IdFormat:
    return IdFormat.GNUID if ":" in text else IdFormat.POSITION


def _is_id(word: str) -> bool:
    """Whether a word of a text holds a position in which both sides have checkers, and is no word of a language."""
    position, _, match = word.partition(":")
    if not match and _PLAIN_WORD.fullmatch(position):
        return False
    try:
        said = parse_position(position, MAX_CHECKERS)
    except (FormatError, PositionError):
        return False
    return said.us.points[0] < MAX_CHECKERS and said.them.points[0] < MAX_CHECKERS


def _shown(text: str) -> str:
    """What is wrong with a text that is in no notation, by the one that it comes nearest to."""
    if not text:
        return "an empty text"
    shown = repr(text if len(text) <= 60 else text[:57] + "...")
    if len(text.split()) == 1 and text.count(":") == 1:
        position, _, match = text.partition(":")
        return f"{shown} has {len(position)} and {len(match)} characters around its colon; a GNU ID has 14 and 12"
    if len(text.split()) == 1 and ":" not in text and re.fullmatch(r"[A-Za-z0-9+/=]+", text):
        return f"{shown} has {len(text)} characters; a position ID has 14"
    return f"{shown} is in no notation of positions"


def _check_fifteen(checkers: int, found: IdFormat) -> None:
    if checkers != CHECKERS:
        raise PositionError(
            "a %(format)s is for %(fixed)s checkers a side; these rules have %(checkers)s",
            format=found,
            fixed=CHECKERS,
            checkers=checkers,
        )


def _seen_by_player_1(board: FibsBoard) -> Situation:
    """A board line as a situation: the player it is for is player 1."""
    if board.cube & (board.cube - 1):
        raise FormatError("a cube of %(cube)s; cubes show 1, 2, 4, 8 and so on", cube=board.cube)
    if board.length and board.yours is not None:
        check_score(board.score, board.length)
    pending = not board.dice and (board.doubled or board.may_double == (False, False))
    player = int(not board.doubled if pending else board.yours is not False)
    return Situation(
        position=board.position if player else board.position.flip(),
        player=player,
        actor=1 - player if pending else player,
        dice=board.dice,
        cube=board.cube,
        owner=_owner(board, pending),
        length=board.length,
        score=(board.score[1], board.score[0]),
        crawford=board.crawford,
        offer=Offer.DOUBLE if pending else Offer.NONE,
        state=GameState.OVER if board.yours is None else GameState.PLAYING,
    )


def _owner(board: FibsBoard, pending: bool) -> int | None:
    """Who may double owns the cube. Neither may where a double of player 1 waits, who then owned it unless it is at 1."""
    if board.may_double == (False, False):
        return 1 if pending and board.cube > 1 else None
    return {(True, False): 1, (False, True): 0}.get(board.may_double)
