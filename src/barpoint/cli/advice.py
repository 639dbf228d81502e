"""The engine's advice on a decision of a match, in lines for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from barpoint.analysis.words import CUBE_TERMS
from barpoint.engine import Engine, OutcomeProbabilities, RerollDecision
from barpoint.game import Allowed, Phase
from barpoint.language import N_, _, number
from barpoint.match import Match

MAX_PLAYS = 5

REROLL_ACTIONS: Final = {"keep": N_("keep"), "call": N_("call")}
"""What it says is right with a roll that may be rerolled."""


def cube_action_text(action: str) -> str:
    """The right cube action in words."""
    return _(CUBE_TERMS[action])


def advise(engine: Engine[OutcomeProbabilities], match: Match, player: int) -> list[str]:
    """Lines about the decision of `player`, with equities: a plain win at the present cube is +1."""
    game = match.game
    allowed = {item.kind: item for item in match.legal_events() if item.player == player}
    lines = []
    if "play" in allowed:
        lines += [f"  {_signed(item.equity)}  {item.play}" for item in engine.rank(match, limit=MAX_PLAYS)]
    if "double" in allowed or game.phase is Phase.DOUBLED:
        found = engine.cube(match)
        lines.append(_("Cube: %(action)s", action=cube_action_text(found.action)))
        equities = _(
            "no double %(no_double)s  take %(take)s  pass %(refused)s",
            no_double=_signed(found.no_double),
            take=_signed(found.double_take),
            refused=_signed(found.double_pass),
        )
        lines.append(f"  {equities}")
    if "rollover" in allowed:
        lines.append(_reroll(engine, match, player, allowed["rollover"]))
    return lines or [_("No decision but to roll.")]


def _reroll(engine: Engine[OutcomeProbabilities], match: Match, player: int, item: Allowed) -> str:
    assert match.game.last_roll is not None
    found = engine.reroll(match, caller="us" if match.game.last_roll.player == player else "them")
    return reroll_text(item.faces, found)


def reroll_text(faces: Sequence[int], found: RerollDecision) -> str:
    """Whether to reroll a roll, and what either is worth."""
    return _(
        "Roll-over of %(roll)s: %(action)s (keep %(keep)s, call %(call)s)",
        roll="-".join(map(str, faces)),
        action=_(REROLL_ACTIONS[found.action]),
        keep=_signed(found.keep),
        call=_signed(found.call),
    )


def _signed(equity: float) -> str:
    return number(equity, 3, sign=True)
