"""A player of your own, who leaves as few blots as possible, against a bot: python own_player.py"""

import barpoint as bp
from barpoint.game import Event, Phase, Reject, Roll, Take


class Careful:
    """Never doubles, takes every double."""

    def event(self, match: bp.Match, player: int) -> Event | None:
        """What `player` does now."""
        game = match.game
        if game.actor != player:
            return None
        if game.phase is Phase.TO_PLAY:
            return game.event_of(min(game.legal_plays(), key=lambda play: play.result.us.points[1:25].count(1)))
        kinds = {allowed.kind for allowed in match.legal_events() if allowed.player == player}
        return Roll(player) if "roll" in kinds else Take(player) if "take" in kinds else Reject(player)


start = bp.Match.start(length=3)
*_, match = bp.play_match(start, Careful(), bp.Bot(level="casual"), dice=bp.dice.seeded(1))
print(f"{len(match.events)} events, the careful player {'wins' if match.winner == 0 else 'loses'}")
