"""What the server does for a player by the rules and their settings, and the requests it sends them."""

from __future__ import annotations

from barpoint.game import Event, Game, Phase, PlayMade
from barpoint.match import Match
from barpoint.moves import Play
from barpoint.server.domain import automatic
from barpoint.server.domain.automatic import AutomaticTurns, Rolling
from barpoint.server.fibs.notation import bear_off, moves_text, moves_wanted
from barpoint.server.fibs.preferences import Preferences


def automatic_event(match: Match, seat: int, preferences: Preferences) -> Event | None:
    """The automatic event now: a roll without a possible double, the only play, an empty play, or a bear-off."""
    found, game = automatic.automatic_event(match, seat, _turns(preferences)), match.game
    if found is None and preferences.greedy and not match.over and game.phase is Phase.TO_PLAY and game.player == seat:
        play = bear_off(game)
        return PlayMade(seat, play.moves) if play is not None else None
    return found


def _turns(preferences: Preferences) -> AutomaticTurns:
    rolls = Rolling.NO_DOUBLE if preferences.double else Rolling.ALWAYS
    return AutomaticTurns(rolls, passes=True, forced=preferences.automove)


def _play(game: Game, preferences: Preferences) -> Play | None:
    """The automatic play; `greedy` bears off also while there is contact."""
    play = automatic.automatic_play(game, _turns(preferences))
    return bear_off(game) if play is None and preferences.greedy else play


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
