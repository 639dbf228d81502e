"""The first play of each game and the reply to it, as summaries of matches keep them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from barpoint.analysis.findings import Decision
from barpoint.engine.cube_info import cube_info_of
from barpoint.engine.opening_book import opening_step, stake_of
from barpoint.game.event import position_of
from barpoint.match import Match


class OpeningMade(Struct, frozen=True, omit_defaults=True):
    """A first play, or a reply. event, player, faces, loss: as in Decision. made: in notation.

    stake: of `opening_book.STAKES`, "" for another score. before: the roll and play that it answers, such as "3-1 8/5 6/5"; "" for a first play.
    """

    event: int
    player: int
    faces: tuple[int, ...]
    made: str
    loss: float
    stake: str = ""
    before: str = ""


def opening_plays(decided: Iterable[tuple[Match, Decision]]) -> Iterator[OpeningMade]:
    """The first plays from the starting position, and the replies to them while nobody has doubled.

    decided: plays of the first two turns of games in order, each with the match before it.
    """
    step, after, of_game = "", None, 0
    for match, one in decided:
        game = match.game
        first = game.turn_number == 1 and game.position == game.rules.start
        reply = one.game == of_game and game.turn_number == 2 and game.position == after and game.cube.owner is None
        if first or reply:
            stake = _stake(match, one.player if first else 1 - one.player)
            yield OpeningMade(one.event, one.player, one.faces, one.made.text, one.loss, stake, "" if first else step)
        if first and one.made.position is not None:
            step = opening_step(one.faces, one.made.text)
            after, of_game = position_of(one.made.position).flip(), one.game


def _stake(match: Match, starter: int) -> str:
    """The stake of a game that has just begun; "" where a token is spent, as no book has that."""
    game = match.game
    every = (game.rules.rerolls.tokens,) * 2
    return stake_of(cube_info_of(match, starter)) if game.tokens == every else ""
