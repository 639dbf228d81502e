"""What the server does for a player by the rules and their settings, and the requests it sends them."""

from __future__ import annotations

from barpoint.game import Event, Game, Phase, PlayMade, Roll
from barpoint.game.allowed import doubling_barred
from barpoint.match import Match
from barpoint.moves import Play, legal_plays
from barpoint.server.fibs.notation import bear_off, moves_text, moves_wanted
from barpoint.server.fibs.preferences import Preferences


def automatic_event(match: Match, seat: int, preferences: Preferences) -> Event | None:
    """The automatic event now: a roll without a possible double, the only play, an empty play, or a bear-off."""
    game = match.game
    if match.over or game.over or game.player != seat:
        return None
    if game.phase is Phase.TO_ROLL:
        return Roll(seat) if doubling_barred(game, seat) or not preferences.double else None
    if game.phase is Phase.TO_PLAY:
        play = _play(game, preferences)
        return PlayMade(seat, play.moves) if play is not None else None
    return None


def _play(game: Game, preferences: Preferences) -> Play | None:
    plays = legal_plays(game.rules, game.position, game.faces)
    if len(plays) == 1 and (preferences.automove or not plays[0].moves):
        return plays[0]
    return bear_off(game) if preferences.greedy else None


def request(match: Match, seat: int, preferences: Preferences) -> list[str]:
    """What a player reads after their roll and at their turn: a request, or what the server does for them."""
    game = match.game
    if match.over or game.actor != seat:
        return []
    if game.phase is Phase.TO_ROLL:
        return [] if automatic_event(match, seat, preferences) else ["It's your turn. Please roll or double"]
    if game.phase is not Phase.TO_PLAY:
        return []
    play = _play(game, preferences)
    if play is None:
        wanted = moves_wanted(game)
        return [f"Please move {wanted} piece{'' if wanted == 1 else 's'}."]
    if not play.moves:
        return ["You can't move."]
    if preferences.greedy and all(target == 0 for _, target, _ in play.moves):
        return [f"Bearing off: {moves_text(play.moves, seat).replace('-off', ' o')}"]
    return [f"The only possible move is {moves_text(play.moves, seat)} ."]
