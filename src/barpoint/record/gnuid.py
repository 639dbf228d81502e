"""GNU Backgammon's IDs: a position ID, optionally with a match ID of twelve characters (rulings 7.1, 7.2)."""

from __future__ import annotations

import re
from typing import Final

from barpoint.board import Position
from barpoint.error import FormatError, check_kind
from barpoint.game import Game
from barpoint.match import Match
from barpoint.match.situation import GameState, Offer, Situation, situation_of
from barpoint.record.position_id import decode_base64, encode_base64, format_position, parse_position

_PREFIX = re.compile(r"^(?:GNU(?:BG)?[ ]?ID\s*[:=])\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*:\s*|\s+")
_BYTES: Final = 9
_CENTRED: Final = 3
_STATES: Final = tuple(GameState)

_FIELDS: Final = {
    "cube": (0, 4),
    "owner": (4, 2),
    "player": (6, 1),
    "crawford": (7, 1),
    "state": (8, 3),
    "actor": (11, 1),
    "doubled": (12, 1),
    "resignation": (13, 2),
    "die_1": (15, 3),
    "die_2": (18, 3),
    "length": (21, 15),
    "score_0": (36, 15),
    "score_1": (51, 15),
    "jacoby_off": (66, 1),
    "unused": (67, 5),
}
"""The lowest bit and the number of bits of a field of the match ID."""


def parse_gnuid(text: str, checkers: int = 15) -> Situation:
    """Parses "position" or "position:match", also with space instead of the colon; a position alone is money play,
    player 1 to roll.

    checkers: of each side. FormatError when the text is no ID, PositionError when a side has too many checkers.
    """
    position, *match = _BETWEEN.split(_PREFIX.sub("", text.strip()), maxsplit=1)
    board = parse_position(position, checkers)
    return parse_match_id(match[0], board) if match else Situation(board)


def format_gnuid(what: Situation | Match | Game | Position) -> str:
    """The ID that `parse_gnuid` reads: of a position alone, or with the match ID.

    FormatError when a match ID cannot express the situation: a pending beaver, dice with twelve sides.
    """
    check_kind("what", what, Situation, Match, Game, Position)
    if isinstance(what, Position):
        return format_position(what)
    if not isinstance(what, Situation):
        what = situation_of(what)
    return f"{format_position(what.position)}:{format_match_id(what)}"


def parse_match_id(text: str, position: Position) -> Situation:
    """The situation of this position and match ID, seen by the owner of the dice; FormatError if there is none."""
    value = int.from_bytes(decode_base64(text, _BYTES), "little")
    said = {name: value >> low & ((1 << size) - 1) for name, (low, size) in _FIELDS.items()}
    _check(said)
    money = said["length"] == 0
    dice = tuple(sorted((said["die_1"], said["die_2"]), reverse=True)) if said["die_1"] else ()
    return Situation(
        position=position,
        player=said["player"],
        actor=said["actor"],
        dice=dice,
        cube=1 << said["cube"],
        owner=None if said["owner"] == _CENTRED else said["owner"],
        length=said["length"],
        score=(said["score_0"], said["score_1"]),
        crawford=bool(said["crawford"]),
        jacoby=money and not said["jacoby_off"],
        offer=Offer.DOUBLE if said["doubled"] else Offer.NONE,
        resignation=said["resignation"],
        state=_STATES[said["state"]],
    )


def _check(said: dict[str, int]) -> None:
    if said["owner"] == 2:
        raise FormatError("the cube belongs to player 2; players are 0 and 1, and 3 says the middle")
    if said["state"] >= len(_STATES):
        raise FormatError(
            "state %(said)s of the game; states are 0 to %(count)s", said=said["state"], count=len(_STATES) - 1
        )
    if max(said["die_1"], said["die_2"]) > 6 or (said["die_1"] == 0) != (said["die_2"] == 0):
        raise FormatError(
            "dice %(first)s and %(second)s; both show 1 to 6, or both 0 before the roll",
            first=said["die_1"],
            second=said["die_2"],
        )
    if said["unused"]:
        raise FormatError("bits are set that no field uses")
    if said["length"] and _STATES[said["state"]] is GameState.PLAYING:
        check_score((said["score_0"], said["score_1"]), said["length"])
    if said["crawford"] and not said["length"]:
        raise FormatError("a Crawford game in money play; only matches have one")


def check_score(score: tuple[int, int], length: int) -> None:
    """Raises FormatError when no game can follow at this score of a match to `length` points."""
    if max(score) >= length:
        raise FormatError(
            "score %(first)s-%(second)s in a match to %(length)s points that still goes on",
            first=score[0],
            second=score[1],
            length=length,
        )


def format_match_id(situation: Situation) -> str:
    """The match ID: twelve characters for everything but the position; FormatError when it cannot express it."""
    if situation.offer not in (Offer.NONE, Offer.DOUBLE):
        raise FormatError("a match ID cannot say that a %(offer)s is pending", offer=situation.offer)
    if situation.dice and (len(situation.dice) != 2 or max(situation.dice) > 6):
        raise FormatError("a match ID has no room for the roll %(allowed)s", allowed="-".join(map(str, situation.dice)))
    high, low = sorted(situation.dice, reverse=True) if situation.dice else (0, 0)
    said = {
        "cube": situation.cube.bit_length() - 1,
        "owner": _CENTRED if situation.owner is None else situation.owner,
        "player": situation.player,
        "crawford": int(situation.crawford),
        "state": _STATES.index(situation.state),
        "actor": situation.actor,
        "doubled": int(situation.offer is Offer.DOUBLE),
        "resignation": situation.resignation,
        "die_1": high,
        "die_2": low,
        "length": situation.length,
        "score_0": situation.score[0],
        "score_1": situation.score[1],
        "jacoby_off": int(not situation.length and not situation.jacoby),
    }
    value = 0
    for name, number in said.items():
        start, size = _FIELDS[name]
        if not 0 <= number < 1 << size:
            shown = f"a cube of {situation.cube}" if name == "cube" else f"{name} {number}"
            most = 1 << (1 << size) - 1 if name == "cube" else (1 << size) - 1
            raise FormatError("a match ID has no room for %(shown)s; at most %(most)s", shown=shown, most=most)
        value |= number << start
    return encode_base64(value.to_bytes(_BYTES, "little"))
