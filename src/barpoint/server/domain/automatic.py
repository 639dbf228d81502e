"""Automatic turns: what is done for a player where the rules leave nothing to decide, or as they have asked for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from barpoint.board import OFF
from barpoint.game import Event, Game, Pass, Phase, PlayMade, Roll, Take
from barpoint.game.allowed import doubling_barred, reroll_right
from barpoint.match import Match
from barpoint.moves import LegalPlays, Play, in_contact, legal_plays
from barpoint.rules.axes import Winner
from barpoint.server.domain.matches import MatchHeader, SeatKind
from barpoint.server.domain.time_control import in_days

HOME: Final = 6
"""The highest point of a home."""


class Rolling(StrEnum):
    """When dice are rolled for a player. NO_DOUBLE: when no double is legal."""

    NEVER = "never"
    NO_DOUBLE = "no_double"
    ALWAYS = "always"


class StandingAnswer(StrEnum):
    """How a double is answered for a player. NONE: they answer it themselves."""

    NONE = ""
    TAKE = "take"
    PASS = "pass"


@dataclass(frozen=True, slots=True)
class AutomaticTurns:
    """What is done for a player.

    passes: a roll of which nothing can be played is passed. forced: a play with the only possible result is made. bears_off: once
    only bearing off is left, the play that bears off most is made, if there is one such play. answer: to one double before the next roll.
    """

    rolls: Rolling = Rolling.NEVER
    passes: bool = False
    forced: bool = False
    bears_off: bool = False
    answer: StandingAnswer = StandingAnswer.NONE


NOTHING: Final = AutomaticTurns()
"""The player does everything themselves."""

BothTurns = tuple[AutomaticTurns, AutomaticTurns]
"""Those of player 0 and 1."""


def may_be_automatic(header: MatchHeader, seat: int | None) -> bool:
    """Whether the server may act for the holder of a seat: for a person in a match with days for a turn."""
    if seat not in (0, 1) or header.by_hand:
        return False
    return in_days(header.time_control) and header.seats[seat].kind is SeatKind.GUEST


def automatic_event(match: Match, seat: int, turns: AutomaticTurns) -> Event | None:
    """The event that is made for a player now, a roll without its faces; None while they could still reroll (RC-8)."""
    game = match.game
    if match.over or game.actor != seat or reroll_right(game, seat) is not None:
        return None
    match game.phase:
        case Phase.TO_ROLL | Phase.MUST_REROLL:
            barred = turns.rolls is Rolling.NO_DOUBLE and doubling_barred(game, seat)
            return Roll(seat) if turns.rolls is Rolling.ALWAYS or barred else None
        case Phase.TO_PLAY:
            play = automatic_play(game, turns)
            return PlayMade(seat, play.moves) if play is not None else None
        case Phase.DOUBLED if turns.answer and not game.cube.raises:
            return Take(seat) if turns.answer is StandingAnswer.TAKE else Pass(seat)
    return None


def automatic_play(game: Game, turns: AutomaticTurns) -> Play | None:
    """The play that is made for the player whose roll is to be played."""
    plays = legal_plays(game.rules, game.position, game.faces)
    if len(plays) == 1 and (turns.forced if plays[0].moves else turns.passes):
        return plays[0]
    return _most_off(game, plays) if turns.bears_off else None


def _most_off(game: Game, plays: LegalPlays) -> Play | None:
    """The play that bears off most; None if several do, and unless only bearing off is left and wins."""
    us = game.position.us
    if game.rules.ending.winner is not Winner.FIRST_OFF or us.rearmost > HOME or in_contact(game.rules, game.position):
        return None
    most = max(play.result.us.points[OFF] for play in plays)
    best = [play for play in plays if play.result.us.points[OFF] == most]
    return best[0] if len(best) == 1 and most > us.points[OFF] else None


KEEP_ANSWERS: Final = frozenset({"play", "double", "resign", "reject"})
"""Kinds of events after which a standing answer still holds; a roll, for one, changes what it was given for."""
