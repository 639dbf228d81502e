"""OpenGammon's IDs: the points of every checker on a board that does not turn, then the cube, the roll and the score.

White is player 0, whose points count the other way round: its 24 point is 1, its bar 0. Black is player 1.
"""

from __future__ import annotations

import re
from typing import Final

from barpoint.board import BAR, Position, Side
from barpoint.error import FormatError, PositionError, check_kind, whole_number
from barpoint.game import Game
from barpoint.match import Match
from barpoint.match.situation import GameState, Offer, Situation, situation_of
from barpoint.number_text import number_in
from barpoint.record.gnuid import check_score

CHECKERS: Final = 15
"""Checkers of a side when the last field does not say otherwise."""

_PREFIX = re.compile(r"^OGID\s*[=:]\s*", re.IGNORECASE)
_POINTS: Final = "0123456789abcdefghijklmnop"
_OFF: Final = "q"
_COLOURS: Final = "WB"
_CUBE = re.compile(r"([NWBD?])([0-9]{1,2})([NOTP])")
_DICE = re.compile(r"[1-6]{2}|")
_LENGTH = re.compile(r"([0-9]{1,5})([CLG]?)([0-9]{0,5})")
_MIN_FIELDS: Final = 3
_MAX_FIELDS: Final = 11
_STATES: Final = {
    "IW": GameState.PLAYING,  # White to make the opening roll
    "IB": GameState.PLAYING,  # both to make the opening roll
    "PR": GameState.PLAYING,
    "R": GameState.PLAYING,
    "C": GameState.PLAYING,  # the checkers were moved
    "D": GameState.PLAYING,  # a double waits for its answer
    "A": GameState.PLAYING,  # it was taken
    "P": GameState.DROPPED,
    "G": GameState.OVER,
    "M": GameState.OVER,
    "F": GameState.OVER,
    "FF": GameState.OVER,
    "RG": GameState.RESIGNED,
    "RM": GameState.RESIGNED,
}


def parse_ogid(text: str, checkers: int = CHECKERS) -> Situation:
    """Parses an OGID, with or without its prefix. Fields from the fourth on may be absent; then Black is to act.

    checkers: of each side. FormatError when the text is no OGID, PositionError when a side has another number of
    checkers.
    """
    checkers = whole_number("checkers", checkers)
    fields = _PREFIX.sub("", text.strip()).split(":")
    if not _MIN_FIELDS <= len(fields) <= _MAX_FIELDS:
        raise FormatError(
            "fields between colons: %(count)s; an OGID has %(min_fields)s to %(max_fields)s",
            count=len(fields),
            min_fields=_MIN_FIELDS,
            max_fields=_MAX_FIELDS,
        )
    fields += [""] * (_MAX_FIELDS - len(fields))
    if fields[10] and _number(fields[10], "checkers of a side") != checkers:
        raise PositionError(
            "an OGID of positions with %(fields)s checkers a side; these rules have %(checkers)s",
            fields=fields[10],
            checkers=checkers,
        )
    white, black = _side(fields[0], "white", checkers, mirrored=True), _side(fields[1], "black", checkers)
    cube = _CUBE.fullmatch(fields[2])
    if not cube or int(cube[2]) > 62:
        raise FormatError(
            "cube %(fields)r; N, W, B, D or ?, its value as a power of two up to 62, N, O, T or P",
            fields=fields[2][:10],
        )
    if not _DICE.fullmatch(fields[3]):
        raise FormatError("dice %(fields)r; two digits 1 to 6, or nothing before the roll", fields=fields[3][:10])
    if fields[4] not in (*_COLOURS, ""):
        raise FormatError("colour %(fields)r; W or B, for the player who acted last", fields=fields[4][:10])
    if fields[5] not in (*_STATES, ""):
        raise FormatError(
            "state %(fields)r of the game; known: %(allowed)s, or nothing",
            fields=fields[5][:10],
            allowed=", ".join(_STATES),
        )
    length, crawford = _length(fields[8])
    score = (_number(fields[6] or "0", "White's score"), _number(fields[7] or "0", "Black's score"))
    state = GameState.DROPPED if cube[3] == "P" else _STATES.get(fields[5], GameState.PLAYING)
    if length and state is GameState.PLAYING:
        check_score(score, length)
    offered = cube[3] == "O" or fields[5] == "D"
    player, actor = _who(fields, offered)
    return Situation(
        position=Position(white, black) if player == 0 else Position(black, white),
        player=player,
        actor=actor,
        dice=tuple(sorted(map(int, fields[3]), reverse=True)),
        cube=1 << int(cube[2]),
        owner=_COLOURS.index(cube[1]) if cube[1] in _COLOURS else None,
        length=length,
        score=score,
        crawford=crawford,
        offer=Offer.DOUBLE if offered else Offer.NONE,
        state=state,
    )


def format_ogid(what: Situation | Match | Game | Position) -> str:
    """The OGID of a situation, or of a position alone: money play, Black to act.

    FormatError when an OGID cannot express it: hand, pins, a pending beaver, a resignation to answer, dice with twelve
    sides.
    """
    check_kind("what", what, Situation, Match, Game, Position)
    said = Situation(what) if isinstance(what, Position) else what
    if not isinstance(said, Situation):
        said = situation_of(said)
    if said.offer not in (Offer.NONE, Offer.DOUBLE) or (said.resignation and said.state is GameState.PLAYING):
        raise FormatError("an OGID cannot say that a beaver or a resignation is pending")
    if said.dice and (len(said.dice) != 2 or max(said.dice) > 6):
        raise FormatError("an OGID has no room for the roll %(allowed)s", allowed="-".join(map(str, said.dice)))
    white, black = (
        (said.position.us, said.position.them) if said.player == 0 else (said.position.them, said.position.us)
    )
    offered = said.offer is Offer.DOUBLE
    action = "O" if offered else "P" if said.state is GameState.DROPPED else "N"
    states = {GameState.OVER: "G", GameState.RESIGNED: "RG", GameState.DROPPED: "P"}
    fields = [
        _letters(white, mirrored=True),
        _letters(black),
        f"{'N' if said.owner is None else _COLOURS[said.owner]}{said.cube.bit_length() - 1}{action}",
        "".join(map(str, sorted(said.dice))),
        _COLOURS[said.player if offered else 1 - said.player],
        "D" if offered else states.get(said.state, ""),
        str(said.score[0]),
        str(said.score[1]),
        f"{said.length}{'C' if said.crawford else ''}",
        "0",
    ]
    if white.total != CHECKERS:
        fields.append(str(white.total))
    return "OGID=" + ":".join(fields)


def _who(fields: list[str], offered: bool) -> tuple[int, int]:
    """Whose turn it is, and who must act. The fifth field says who acted last."""
    if fields[5] == "IW" and not fields[3]:
        return 0, 0
    last = _COLOURS.index(fields[4]) if fields[4] else 0
    return (last if offered else 1 - last), 1 - last


def _number(text: str, name: str) -> int:
    number = number_in(text, 0, 99_999)
    if number is None:
        raise FormatError("%(name)s %(found)r; a number from 0 to 99999", name=name, found=text[:10])
    return number


def _length(text: str) -> tuple[int, bool]:
    """Points of the match, and whether this is its Crawford game; L says that it was played, G counts games."""
    found = _LENGTH.fullmatch(text or "0")
    if not found:
        raise FormatError("match length %(found)r; a number, then C, L, G or nothing", found=text[:10])
    return int(found[1]), found[2] == "C" and int(found[1]) > 0


def _side(letters: str, who: str, checkers: int, mirrored: bool = False) -> Side:
    if len(letters) > checkers:
        raise PositionError(
            "%(who)s has %(count)s checkers; these rules have %(checkers)s",
            who=who,
            count=len(letters),
            checkers=checkers,
        )
    counts = [0] * (BAR + 1)
    for letter in letters:
        point = _POINTS.find(letter)
        if point < 0 and letter != _OFF:
            raise FormatError(
                "%(who)s has a checker on %(letter)r; points are 0 to 9 and a to p, q is borne off",
                who=who,
                letter=letter,
            )
        if letter != _OFF:
            counts[BAR - point if mirrored else point] += 1
    if counts[0]:
        raise FormatError("%(who)s has a checker on the other player's bar", who=who)
    return Side((checkers - sum(counts), *counts[1:]))


def _letters(side: Side, mirrored: bool = False) -> str:
    if side.hand or side.pinned or side.dice:
        raise FormatError("an OGID has no room for checkers in the hand, pinned ones, or rolls that follow others")
    points = [BAR - point if mirrored else point for point in range(1, BAR + 1) for _ in range(side.points[point])]
    return "".join(_POINTS[point] for point in sorted(points))
