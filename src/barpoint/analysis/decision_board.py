"""The board of a decision in letters, with who is to act and what is at stake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from barpoint.board import Position
from barpoint.draw import board, plain
from barpoint.error import BarpointError
from barpoint.game import Game
from barpoint.language import _
from barpoint.match import Match
from barpoint.match.situation import Offer, Situation, situation_of
from barpoint.record import format_position, format_xgid
from barpoint.record.xgid import BOTTOM
from barpoint.rules import Rules
from barpoint.variants import variant

_RAISES: Final = {Offer.DOUBLE: 1, Offer.BEAVER: 2, Offer.RACCOON: 3}
"""What an offer makes of the cube, as a power of two."""


@dataclass(frozen=True, slots=True)
class DecisionBoard:
    """The board of a decision. situation: player 1 is X, at the bottom, as in an XGID.

    title: of the game; its name where there is none. cube: it is played with one. tokens: reroll tokens of X and O. names: of X and O.
    """

    situation: Situation
    rules: Rules
    title: str = ""
    cube: bool = True
    tokens: tuple[int, int] | None = None
    names: tuple[str, str] = ("", "")

    @classmethod
    def of(cls, source: Match | Game | Situation | Position, rules: Rules | str = "backgammon") -> DecisionBoard:
        """The board of a game or of its match; of a situation, or of a position whose next player is X, under these rules."""
        if isinstance(source, Match | Game):
            game = source.game if isinstance(source, Match) else source
            tokens = (game.tokens[1], game.tokens[0]) if game.rules.rerolls.tokens else None
            return cls(situation_of(source), game.rules, cube=game.cube_in_play, tokens=tokens)
        situation = source if isinstance(source, Situation) else Situation(source)
        return cls(situation, variant(rules) if isinstance(rules, str) else rules)


def board_text(shown: DecisionBoard) -> str:
    """The board in letters, who is to act, and what is at stake; without its ID."""
    situation = shown.situation
    below = situation.player == BOTTOM
    lines = plain(board(situation.position, meeting=shown.rules.movement.meeting, near_to_act=below))
    return "\n".join([*_names(shown), lines, "", *_stake(shown), _to_act(shown)])


def _names(shown: DecisionBoard) -> Iterator[str]:
    if any(shown.names):
        yield _("X: %(first)s, O: %(second)s", first=shown.names[0], second=shown.names[1])
        yield ""


def _stake(shown: DecisionBoard) -> Iterator[str]:
    situation = shown.situation
    stake = _("Money")
    if situation.length:
        score = f"{situation.score[BOTTOM]}-{situation.score[1 - BOTTOM]}"
        stake = _("Match to %(length)s, %(score)s", length=situation.length, score=score)
    parts = [shown.title or shown.rules.name, stake]
    parts += [_("Crawford game")] if situation.crawford else []
    parts += [_("Jacoby rule")] if situation.jacoby and not situation.length else []
    yield f"{'. '.join([*parts, _cube(shown)])}."
    position = situation.position if situation.player == BOTTOM else situation.position.flip()
    pips = _("Pips: X %(own)s, O %(other)s.", own=position.us.pips, other=position.them.pips)
    if shown.tokens is not None:
        pips += " " + _("Reroll tokens: X %(own)s, O %(other)s.", own=shown.tokens[0], other=shown.tokens[1])
    yield pips


def _cube(shown: DecisionBoard) -> str:
    situation = shown.situation
    if not (shown.rules.cube and shown.cube):
        return _("No cube")
    if situation.owner is None:
        return _("Cube %(cube)s", cube=situation.cube)
    return _("Cube %(cube)s, of %(side)s", cube=situation.cube, side=side_letter(situation.owner))


def _to_act(shown: DecisionBoard) -> str:
    situation = shown.situation
    side = side_letter(situation.actor)
    if situation.offer is not Offer.NONE:
        offered = situation.cube << _RAISES[situation.offer]
        return _("%(side)s is offered the cube at %(cube)s.", side=side, cube=offered)
    if situation.dice:
        return _("%(side)s to play %(faces)s.", side=side, faces="-".join(map(str, situation.dice)))
    may = shown.rules.cube and shown.cube and not situation.crawford and situation.owner in (None, situation.actor)
    return _("%(side)s to roll or double.", side=side) if may else _("%(side)s to roll.", side=side)


def side_letter(player: int) -> str:
    """The letter of a player's checkers."""
    return "X" if player == BOTTOM else "O"


def id_text(shown: DecisionBoard) -> str:
    """The XGID; where it cannot hold the position, our ID of it, seen by whoever is to roll."""
    try:
        return format_xgid(shown.situation)
    except BarpointError:
        return _("Position ID") + f": {format_position(shown.situation.position)}"
