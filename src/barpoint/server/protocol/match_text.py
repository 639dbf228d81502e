"""Events and results in words, for a viewer who is called "You" if they are one of the players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.dice import row_index
from barpoint.error import BarpointError
from barpoint.game import event as game_event
from barpoint.game import in_digits
from barpoint.game.event import Event
from barpoint.game.phase import Result
from barpoint.game.state import Game
from barpoint.moves import find_play

LEVELS: Final = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


@dataclass(frozen=True, slots=True)
class Names:
    """What the players are called. you: the viewer's seat, None for a spectator."""

    players: tuple[str, str]
    you: int | None = None

    def of(self, player: int) -> str:
        """ "You", or the player's name."""
        return "You" if player == self.you else self.players[player]

    def does(self, player: int, verb: str, rest: str = "") -> str:
        """A short sentence: "You take", "Anna takes"."""
        if player != self.you:
            verb = {"have": "has"}.get(verb, verb + ("es" if verb.endswith(("s", "sh", "ch", "x")) else "s"))
        return " ".join(filter(None, (self.of(player), verb, rest)))

    def whose(self, player: int) -> str:
        """ "your", or "Anna's"."""
        return "your" if player == self.you else f"{self.players[player]}’s"


def faces_text(faces: tuple[int, ...]) -> str:
    """ "6-5", or "9"."""
    return "-".join(map(str, faces))


def points_text(points: float) -> str:
    """ "1 point", "4 points"."""
    return f"{in_digits(points)} point{'' if points == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class EventTold:
    """An event with what is needed to describe it later, when the game has moved on.

    at: ms since 1970. game: counted from 1. faces: of the roll that was made, played or rerolled. roller: of a rerolled
    roll. detail: a play's notation, or the cube's new value.
    """

    seq: int
    at: int
    game: int
    event: Event
    faces: tuple[int, ...] = ()
    roller: int | None = None
    detail: str = ""

    @property
    def kind(self) -> str:
        """The kind of the event."""
        return game_event.kind_of(self.event)

    @property
    def by(self) -> int | None:
        """The player who did it; None for an event without a player."""
        player = getattr(self.event, "player", None)
        return player if isinstance(player, int) else None


def tell(before: Game, event: Event, seq: int, at: int, game: int) -> EventTold:
    """Combines an event with details from the game before it."""
    match event:
        case game_event.Opening() | game_event.Roll():
            return EventTold(seq, at, game, event, event.faces)
        case game_event.PlayMade() | game_event.Correct():
            return EventTold(seq, at, game, event, before.faces, detail=_notation(before, event))
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
        play = str(find_play(before.rules, before.position, before.faces, event.moves))
        return play + _chosen_numbers(before, event)
    except BarpointError:  # recorded under rules that have changed since, or against them
        places = {25: "bar", 26: "hand", 0: "off"}
        return " ".join(f"{places.get(a, a)}/{places.get(b, b)}" for a, b, _ in event.moves) or "(no play)"


def _chosen_numbers(before: Game, event: game_event.PlayMade | game_event.Correct) -> str:
    """The double that was chosen for a later stage of the roll, such as " (chose 4-4)"; "" where there was no choice."""
    rows = before.rules.dice.rows
    first, *later = rows[row_index(rows, before.faces)].stages
    rest = event.moves[len(first[0]) :]
    if not rest or not later or len(later[0]) == 1:
        return ""
    number = rest[0][2]
    return f" (chose {number}-{number})"


def sentence(told: EventTold, names: Names) -> str:
    """The event in one sentence without a full stop; for a play, its notation alone."""
    match told.event:
        case game_event.Opening((first, second)):
            return f"{names.of(0)} {first}, {names.of(1)} {second}" + (": a tie" if first == second else "")
        case game_event.Roll(player):
            return names.does(player, "roll", faces_text(told.faces))
        case game_event.PlayMade() | game_event.Correct():
            return told.detail
        case game_event.Rollover(player):
            own = "your own" if player == names.you else "their own"
            whose = own if told.roller in (player, None) else names.whose(1 - player)
            return names.does(player, "roll", f"over {whose} {faces_text(told.faces)}")
        case game_event.Keep(player):
            return names.does(player, "let", "the roll stand")
        case game_event.Double(player) | game_event.Beaver(player) | game_event.Raccoon(player):
            return names.does(player, told.kind, f"to {told.detail}")
        case game_event.Resign(player, level):
            return names.does(player, "offer", f"to resign {LEVELS[level]}")
        case game_event.Accept(player) | game_event.Reject(player):
            return names.does(player, told.kind, "the resignation")
        case game_event.Timeout(player):
            return names.does(player, "run", "out of time")
        case game_event.Take(player) | game_event.Pass(player) | game_event.Object(player):
            return names.does(player, told.kind)
        case game_event.Claim(player):
            return names.does(1 - player, "have", "left")
        case game_event.Void(player):
            return names.does(player, "call", "the roll void")
        case game_event.Settle(points):
            return f"Settled at {points_text(abs(points))}"
        case game_event.Abort(voided):
            return "Ended early, without a winner" if voided else "Ended here"
        case game_event.Next():
            return "The next game"


def level_name(game: Game, result: Result) -> str:
    """ "single", "gammon" or "backgammon"; "checkers" if each checker counts; or ""."""
    if game.rules.scoring.per_checker and result.level:
        return "checkers"
    return {1: "single", 2: "gammon", 3: "backgammon"}.get(result.level, "")


def result_text(game: Game, result: Result, names: Names) -> str:
    """How a game ended, in one line, such as "You win a gammon: 4 points".

    In a match, running out of time or leaving loses everything, so no points are mentioned.
    """
    if result.winner is None:
        return "The game is drawn" if result.how == "play" else "The game is not counted"
    level = level_name(game, result)
    what = f"a {level}" if level in ("gammon", "backgammon") else ""
    line = f"{names.does(result.winner, 'win', what)}: {points_text(result.points)}"
    loser = 1 - result.winner
    why = {
        "pass": names.does(loser, "pass"),
        "resign": names.does(loser, "resign"),
        "timeout": names.does(loser, "run", "out of time"),
        "claim": names.does(loser, "have", "left"),
    }.get(result.how)
    if why and result.how in ("timeout", "claim") and not game.stakes.money:
        return why
    return f"{why}. {line}" if why else line
