"""Games for tests: short helpers for events, and random players who do anything that is allowed."""

from __future__ import annotations

from random import Random

from barpoint.board import Position, Side
from barpoint.dice import row_index
from barpoint.game import (
    Accept,
    Allowed,
    Beaver,
    Correct,
    Double,
    Event,
    Game,
    Keep,
    Object,
    Opening,
    Pass,
    Phase,
    PlayMade,
    Raccoon,
    Reject,
    Resign,
    Roll,
    Rollover,
    Settle,
    Stakes,
    Take,
    Void,
)
from barpoint.match import Match
from barpoint.moves import Turn, legal_plays, parse_play
from barpoint.rules import Rules
from barpoint.variants import variant


def place(ours: dict[int, int], theirs: dict[int, int], checkers: int = 15) -> Position:
    """A position from {point: count}; the other checkers are borne off."""
    return Position(_side(ours, checkers), _side(theirs, checkers))


def _side(named: dict[int, int], checkers: int) -> Side:
    return Side.of({**named, 0: checkers - sum(named.values())})


def begun(rules: Rules | str, dice: tuple[int, int], stakes: Stakes | None = None) -> Game:
    """A game after the opening roll: player 0's die, player 1's."""
    rules = variant(rules) if isinstance(rules, str) else rules
    return Game.start(rules, stakes).apply(Opening(dice))


def roll(game: Game, *faces: int) -> Game:
    """The player whose turn it is rolls."""
    return game.apply(Roll(game.player, faces))


def play(game: Game, text: str = "") -> Game:
    """Plays the current roll as written, or by the first legal play when nothing is written."""
    if text:
        moves = parse_play(game.rules, game.position, game.faces, text).moves
    else:
        moves = legal_plays(game.rules, game.position, game.faces)[0].moves
    return game.apply(PlayMade(game.player, moves))


def reroll(game: Game, player: int) -> Game:
    """The player spends a token to reroll the last roll."""
    return game.apply(Rollover(player, game.roll_id))


def kinds(state: Game | Match, player: int) -> set[str]:
    """What this player may do now."""
    return {item.kind for item in state.legal_events() if item.player == player}


def any_turn(start: Turn, random: Random) -> Turn:
    """Some legal play, made one move after the other from the start of the turn."""
    turn = start
    while moves := turn.next_moves():
        if turn.may_commit and random.random() < 0.2:
            break
        turn = turn.move(*random.choice(moves))
    return turn


def event_for(item: Allowed, game: Game, random: Random) -> Event:
    """An event of this kind that is legal, its details chosen by `random`."""
    player = item.player
    if player is None:
        return {
            "opening": Opening((random.randint(1, 6), random.randint(1, 6))),
            "settle": Settle(random.randint(-3, 3)),
        }[item.kind]
    simple = {
        "keep": Keep,
        "double": Double,
        "take": Take,
        "pass": Pass,
        "beaver": Beaver,
        "raccoon": Raccoon,
        "accept": Accept,
        "reject": Reject,
        "object": Object,
    }
    if item.kind in simple:
        return simple[item.kind](player)
    match item.kind:
        case "roll":
            return Roll(player)
        case "play" | "correct":
            chosen = any_turn(game.turn(), random).made
            return PlayMade(player, chosen) if item.kind == "play" else Correct(player, chosen)
        case "rollover":
            return Rollover(player, item.roll_id)
        case "void":
            return Void(player, item.roll_id)
        case _:
            return Resign(player, random.choice(item.levels))


class AnythingAllowed:
    """A player who does anything that is allowed, but seldom resigns, so that most games are played out."""

    def __init__(self, seed: int, boldness: float = 0.05) -> None:
        self.random = Random(seed)
        self.boldness = boldness

    def event(self, match: Match, player: int) -> Event | None:
        mine = [item for item in match.legal_events() if item.player == player]
        if match.game.actor != player:
            mine = [item for item in mine if item.kind == "rollover" and self.random.random() < 0.5]
            return event_for(mine[0], match.game, self.random) if mine else None
        mine = [item for item in mine if item.kind != "resign" or self.random.random() < 0.2]
        rash = [item for item in mine if item.kind in ("resign", "pass", "accept", "double", "rollover", "void")]
        calm = [item for item in mine if item not in rash]
        choice = rash if rash and (not calm or self.random.random() < self.boldness) else calm
        return event_for(self.random.choice(choice), match.game, self.random)


class Sensible(AnythingAllowed):
    """A player who does anything that is allowed, but whose games end on the board."""

    def event(self, match: Match, player: int) -> Event | None:
        game = match.game
        mine = [item for item in match.legal_events() if item.player == player]
        if game.phase is Phase.TO_PLAY and game.actor == player and self.random.random() < 0.9 - self.boldness / 2:
            return PlayMade(player, max(self._turns(game), key=self._progress).made)
        if game.actor == player and self.random.random() < 0.9 - self.boldness / 2:
            for kind in ("roll", "take", "keep", "reject"):
                for item in mine:
                    if item.kind == kind:
                        return event_for(item, game, self.random)
        return super().event(match, player)

    def _turns(self, game: Game) -> list[Turn]:
        start = game.turn()
        stages = len(game.rules.dice.rows[row_index(game.rules.dice.rows, game.faces)].stages)
        return [any_turn(start, self.random) for _ in range(3 if stages == 1 else 1)]  # several stages take long

    @staticmethod
    def _progress(turn: Turn) -> tuple[int, int]:
        side = turn.position.us
        return side.points[0], -sum(side.points[7:]) - side.hand


def session_with_highest_cube() -> Match:
    """A money session: one double and 61 beavers and raccoons, taken at 2^62; player 1 has rolled 6-4."""
    match = Match.start(length=0, beavers=61)
    match = match.apply(Opening((3, 1))).apply(PlayMade(0, ((8, 5, 3), (6, 5, 1)))).apply(Double(1))
    for number in range(61):
        match = match.apply(Raccoon(1) if number % 2 else Beaver(0))
    return match.apply(Take(1)).apply(Roll(1, (6, 4)))
