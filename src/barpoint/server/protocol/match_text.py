"""Events and results in words, for a viewer who is called "You" if they are one of the players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from msgspec import Struct, structs

from barpoint.dice import row_index
from barpoint.error import BarpointError
from barpoint.game import event as game_event
from barpoint.game import in_digits
from barpoint.game.event import Event
from barpoint.game.phase import Result
from barpoint.game.state import Game
from barpoint.language import N_, _, isolated, ngettext
from barpoint.match import Match
from barpoint.moves import find_play
from barpoint.moves.notation import NO_PLAY

PASSED: Final = (N_("You pass"), N_("%(player)s passes"))
RESIGNED: Final = (N_("You resign"), N_("%(player)s resigns"))
OUT_OF_TIME: Final = (N_("You run out of time"), N_("%(player)s runs out of time"))
LEFT: Final = (N_("You have left"), N_("%(player)s has left"))
LEFT_AND_LOST: Final = (N_("You left; the match counts as lost"), N_("%(player)s left and loses the match"))
NO_REMATCH: Final = (N_("You do not want a rematch"), N_("%(player)s does not want a rematch"))
DECLINED: Final = (N_("You have declined"), N_("%(player)s has declined"))
RESIGNATIONS: Final = {
    1: (N_("You offer to resign a single game"), N_("%(player)s offers to resign a single game")),
    2: (N_("You offer to resign a gammon"), N_("%(player)s offers to resign a gammon")),
    3: (N_("You offer to resign a backgammon"), N_("%(player)s offers to resign a backgammon")),
}
WINS: Final = {
    "single": (N_("You win: %(points)s"), N_("%(player)s wins: %(points)s")),
    "gammon": (N_("You win a gammon: %(points)s"), N_("%(player)s wins a gammon: %(points)s")),
    "backgammon": (N_("You win a backgammon: %(points)s"), N_("%(player)s wins a backgammon: %(points)s")),
}
MATCH_WON: Final = (N_("You win the match"), N_("%(player)s wins the match"))
MATCH_WON_WITH: Final = (N_("You win the match %(score)s"), N_("%(player)s wins the match %(score)s"))
"""What is said to the player themselves, and to anybody else."""


@dataclass(frozen=True, slots=True)
class Names:
    """What the players are called. you: the viewer's seat, None for a spectator."""

    players: tuple[str, str]
    you: int | None = None

    def of(self, player: int) -> str:
        """ "You", or the player's name."""
        return _("You") if player == self.you else self.players[player]

    def said(self, player: int, you: str, they: str, /, **values: object) -> str:
        """The sentence for the viewer, "You take", or that for anybody else, "%(player)s takes"."""
        return _(you, **values) if player == self.you else _(they, player=self.players[player], **values)


def faces_text(faces: tuple[int, ...]) -> str:
    """ "6-5", or "9"."""
    return "-".join(map(str, faces))


def points_text(points: float) -> str:
    """ "1 point", "4 points"."""
    return ngettext("%(num)s point", "%(num)s points", points)


class EventTold(Struct, frozen=True, gc=False):
    """An event with what is needed to describe it later, when the game has moved on.

    at: ms since 1970. game: counted from 1. faces: of the roll that was made, played or rerolled. roller: of a rerolled
    roll. detail: a play's notation, or the cube's new value. chosen: the number of the double chosen for a later stage of
    the roll; 0 where there was no choice. ended: the game that ended with it.
    """

    seq: int
    at: int
    game: int
    event: Event
    faces: tuple[int, ...] = ()
    roller: int | None = None
    detail: str = ""
    chosen: int = 0
    ended: Game | None = None

    @property
    def kind(self) -> str:
        """The kind of the event."""
        return game_event.kind_of(self.event)

    @property
    def by(self) -> int | None:
        """The player who did it; None for an event without a player."""
        player = getattr(self.event, "player", None)
        return player if isinstance(player, int) else None


def tell(before: Game, event: Event, seq: int, at: int, game: int, after: Game | None = None) -> EventTold:
    """Combines an event with details from the game before it, and with the game after it if that ended then."""
    told = _tell(before, event, seq, at, game)
    if after is None or after.result is None or before.result is not None:
        return told
    return structs.replace(told, ended=after)


def _tell(before: Game, event: Event, seq: int, at: int, game: int) -> EventTold:
    match event:
        case game_event.Opening() | game_event.Roll():
            return EventTold(seq, at, game, event, event.faces)
        case game_event.PlayMade() | game_event.Correct():
            return EventTold(
                seq, at, game, event, before.faces, detail=_notation(before, event), chosen=_chosen(before, event)
            )
        case game_event.Rollover() if before.last_roll is not None:
            return EventTold(seq, at, game, event, before.last_roll.faces, before.last_roll.player)
        case game_event.Double():
            return EventTold(seq, at, game, event, detail=str(before.cube.value * 2))
        case game_event.Beaver() | game_event.Raccoon():
            return EventTold(seq, at, game, event, detail=str(before.cube.offered * 2))
        case _:
            return EventTold(seq, at, game, event)


def _notation(before: Game, event: game_event.PlayMade | game_event.Correct) -> str:
    try:
        return str(find_play(before.rules, before.position, before.faces, event.moves))
    except BarpointError:  # recorded under rules that have changed since, or against them
        places = {25: "bar", 26: "hand", 0: "off"}
        return " ".join(f"{places.get(a, a)}/{places.get(b, b)}" for a, b, _number in event.moves) or NO_PLAY


def _chosen(before: Game, event: game_event.PlayMade | game_event.Correct) -> int:
    """The number of the double chosen for a later stage of the roll; 0 where there was no choice."""
    try:
        rows = before.rules.dice.rows
        first, *later = rows[row_index(rows, before.faces)].stages
    except BarpointError:
        return 0
    rest = event.moves[len(first[0]) :]
    return rest[0][2] if rest and later and len(later[0]) > 1 else 0


def _play_text(told: EventTold) -> str:
    """A play in notation, with the double that was chosen in it."""
    play = _("(no play)") if told.detail == NO_PLAY else told.detail
    return play + _(" (chose %(double)s)", double=f"{told.chosen}-{told.chosen}") if told.chosen else play


def sentence(told: EventTold, names: Names) -> str:
    """The event in one sentence without a full stop; for a play, its notation alone."""
    match told.event:
        case game_event.Opening((first, second)):
            dice = f"{isolated(names.of(0))} {first}, {isolated(names.of(1))} {second}"
            tie = first == second
            return _("Opening roll: %(dice)s, a tie", dice=dice) if tie else _("Opening roll: %(dice)s", dice=dice)
        case game_event.Roll(player):
            faces = faces_text(told.faces)
            return names.said(player, N_("You roll %(faces)s"), N_("%(player)s rolls %(faces)s"), faces=faces)
        case game_event.PlayMade() | game_event.Correct():
            return _play_text(told)
        case game_event.Rollover(player):
            return _rolled_over(player, told, names)
        case game_event.Keep(player):
            return names.said(player, N_("You let the roll stand"), N_("%(player)s lets the roll stand"))
        case game_event.Double(player):
            cube = told.detail
            return names.said(player, N_("You double to %(cube)s"), N_("%(player)s doubles to %(cube)s"), cube=cube)
        case game_event.Beaver(player):
            cube = told.detail
            return names.said(player, N_("You beaver to %(cube)s"), N_("%(player)s beavers to %(cube)s"), cube=cube)
        case game_event.Raccoon(player):
            cube = told.detail
            return names.said(player, N_("You raccoon to %(cube)s"), N_("%(player)s raccoons to %(cube)s"), cube=cube)
        case game_event.Resign(player, level):
            return names.said(player, *RESIGNATIONS[level])
        case game_event.Accept(player):
            return names.said(player, N_("You accept the resignation"), N_("%(player)s accepts the resignation"))
        case game_event.Reject(player):
            return names.said(player, N_("You reject the resignation"), N_("%(player)s rejects the resignation"))
        case game_event.Timeout(player):
            return names.said(player, *OUT_OF_TIME)
        case game_event.Take(player):
            return names.said(player, N_("You take"), N_("%(player)s takes"))
        case game_event.Pass(player):
            return names.said(player, *PASSED)
        case game_event.Object(player):
            return names.said(player, N_("You object"), N_("%(player)s objects"))
        case game_event.Claim(player):
            return names.said(1 - player, *LEFT)
        case game_event.Void(player):
            return names.said(player, N_("You call the roll void"), N_("%(player)s calls the roll void"))
        case game_event.Settle(points):
            return _("Settled at %(points)s", points=points_text(abs(points)))
        case game_event.Abort(voided):
            return _("Ended early, without a winner") if voided else _("Ended here")
        case game_event.Next():
            return _("The next game")


def _rolled_over(player: int, told: EventTold, names: Names) -> str:
    """A reroll: whose roll it was, and who had it rerolled."""
    faces = faces_text(told.faces)
    if told.roller in (player, None):
        return names.said(
            player, N_("You roll over your own %(faces)s"), N_("%(player)s rolls over their own %(faces)s"), faces=faces
        )
    if names.you == 1 - player:
        return _("%(player)s rolls over your %(faces)s", player=names.players[player], faces=faces)
    other = names.players[1 - player]
    return names.said(
        player,
        N_("You roll over %(other)s’s %(faces)s"),
        N_("%(player)s rolls over %(other)s’s %(faces)s"),
        other=other,
        faces=faces,
    )


def level_name(game: Game, result: Result) -> str:
    """ "single", "gammon" or "backgammon"; "checkers" if each checker counts; or ""."""
    if game.rules.scoring.per_checker and result.level:
        return "checkers"
    return {1: "single", 2: "gammon", 3: "backgammon"}.get(result.level, "")


def result_text(game: Game, result: Result, names: Names) -> str:
    """How a game ended, in one line, such as "You win a gammon: 4 points".

    In a match, running out of time or leaving loses everything, so no points are mentioned.
    """
    why, line = _reason_text(result, names), _outcome_text(game, result, names)
    if not why:
        return line
    return why if result.how in ("timeout", "claim") and not game.stakes.money else f"{why}. {line}"


def _reason_text(result: Result, names: Names) -> str:
    """What the loser did that ended a game; "" if it was played to its end, or has no winner."""
    reasons = {"pass": PASSED, "resign": RESIGNED, "timeout": OUT_OF_TIME, "claim": LEFT}
    if result.winner is None or result.how not in reasons:
        return ""
    return names.said(1 - result.winner, *reasons[result.how])


def _outcome_text(game: Game, result: Result, names: Names) -> str:
    """Who won a game, and what."""
    if result.winner is None:
        return _("The game is drawn") if result.how == "play" else _("The game is not counted")
    won = WINS.get(level_name(game, result), WINS["single"])
    return names.said(result.winner, *won, points=points_text(result.points))


def match_result_text(match: Match, names: Names) -> str:
    """How a match ended, in one line, such as "You resign. Ben wins the match 5 : 0"; "" if nobody has won it.

    Time and absence decide a match without a score.
    """
    game, winner = match.game, match.winner
    if winner is None or game.result is None:
        return ""
    how = result_text(game, game.result, names) if game.result.level > 1 else _reason_text(game.result, names)
    high, low = in_digits(match.score[winner]), in_digits(match.score[1 - winner])
    score = f"{high}\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}{low}"
    won = names.said(winner, *(MATCH_WON if match.away(winner) else MATCH_WON_WITH), score=score)
    return f"{how}. {won}" if how else won


def ended_text(told: EventTold, names: Names) -> str:
    """Who won the game that ended with an event; "" if none did, or if the event says all: a match is lost on time."""
    game = told.ended
    if game is None or game.result is None or told.kind in ("settle", "abort"):
        return ""
    if game.result.how in ("timeout", "claim") and not game.stakes.money:
        return ""
    return _outcome_text(game, game.result, names)
