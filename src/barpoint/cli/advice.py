"""The engine's advice on a decision of a match, in lines for a terminal."""

from __future__ import annotations

from barpoint.engine import Engine, OutcomeProbabilities
from barpoint.game import Allowed, Phase
from barpoint.match import Match

MAX_PLAYS = 5


def advise(engine: Engine[OutcomeProbabilities], match: Match, player: int) -> list[str]:
    """Lines about the decision of `player`, with equities: a plain win at the present cube is +1."""
    game = match.game
    allowed = {item.kind: item for item in match.legal_events() if item.player == player}
    lines = []
    if "play" in allowed:
        lines += [f"  {item.equity:+.3f}  {item.play}" for item in engine.rank(match, limit=MAX_PLAYS)]
    if "double" in allowed or game.phase is Phase.DOUBLED:
        found = engine.cube(match)
        lines.append(f"Cube: {found.action}")
        lines.append(
            f"  no double {found.no_double:+.3f}  take {found.double_take:+.3f}  pass {found.double_pass:+.3f}"
        )
    if "rollover" in allowed:
        lines.append(_reroll(engine, match, player, allowed["rollover"]))
    return lines or ["No decision but to roll."]


def _reroll(engine: Engine[OutcomeProbabilities], match: Match, player: int, item: Allowed) -> str:
    assert match.game.last_roll is not None
    found = engine.reroll(match, caller="us" if match.game.last_roll.player == player else "them")
    return f"Roll-over of {'-'.join(map(str, item.faces))}: {found.action} (keep {found.keep:+.3f}, call {found.call:+.3f})"
