"""What the engine thinks of a moment of a match, in lines for a terminal."""

from __future__ import annotations

from barpoint.engine import Engine
from barpoint.engine.stake import Stake, stake_of
from barpoint.game import Allowed, Phase
from barpoint.match import Match

PLAYS = 5
"""How many are shown."""


def advise(engine: Engine, match: Match, player: int) -> list[str]:
    """Lines about what `player` may do now; figures are equities, a plain win at the present cube is +1."""
    game = match.game
    tokens = (game.tokens[game.player], game.tokens[1 - game.player])
    stake = stake_of(match, game.player)
    allowed = {item.kind: item for item in match.legal_events() if item.player == player}
    lines = []
    if "play" in allowed:
        lines += _plays(engine, match, stake, tokens)
    if "double" in allowed or game.phase is Phase.DOUBLED:
        found = engine.cube_for(game.position, stake, tokens)
        lines.append(f"Cube: {found.action}")
        lines.append(
            f"  no double {found.no_double:+.3f}  take {found.double_take:+.3f}  pass {found.double_pass:+.3f}"
        )
    if "rollover" in allowed:
        lines.append(_marker(engine, match, player, allowed["rollover"]))
    return lines or ["Nothing to decide but to roll."]


def _plays(engine: Engine, match: Match, stake: Stake, tokens: tuple[int, int]) -> list[str]:
    game = match.game
    ranked = engine.rank_for(game.position, game.faces, stake, tokens)[:PLAYS]
    return [f"  {item.equity:+.3f}  {item.play}" for item in ranked]


def _marker(engine: Engine, match: Match, player: int, item: Allowed) -> str:
    game = match.game
    assert game.last_roll is not None
    roller = game.last_roll.player
    tokens = (game.tokens[roller], game.tokens[1 - roller])
    own = roller == player
    played = None if own or game.phase is Phase.TO_PLAY else game.seen_by(roller)
    caller = "us" if own else "them"
    rolled = game.last_roll
    found = engine.rollover_for(rolled.before, rolled.faces, stake_of(match, roller), tokens, caller, played)  # type: ignore[arg-type]
    return f"Roll-over of {'-'.join(map(str, item.faces))}: {found.action} (keep {found.keep:+.3f}, call {found.call:+.3f})"
