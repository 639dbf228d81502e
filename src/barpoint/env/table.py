"""One game as a learner sees it: observations, the actions allowed now, and what an action does.

Actions are numbered as OpenSpiel's backgammon numbers them: a = 26 * second + first, plus 676 unless the larger number is
played first. first and second are the places two checkers leave: a point counted from the start of player 0's path (0 to 23, player 0's
24 point is 0), 24 the bar, 25 no checker. A double is played in two actions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.board import BAR, Position
from barpoint.draw import board, pixels, plain, png, svg
from barpoint.error import ArgumentError, IllegalMove, UnsupportedRules, brief
from barpoint.game import Game, Phase, PlayMade
from barpoint.game.stakes import Stakes
from barpoint.match import Match, MatchTerms
from barpoint.moves import Move, TurnGraph
from barpoint.moves.turn import turn_graph
from barpoint.native import unpack
from barpoint.rules import Rules
from barpoint.variants import rules_of

PLACES: Final = 26
PASS: Final = 25
ACTIONS: Final = 2 * PLACES * PLACES
"""How many action numbers there are; OpenSpiel's num_distinct_actions."""

OBSERVATION: Final = 56
"""Length of an observation: of the player who sees it, then of the other, 26 counts (off, points 1 to 24 on their own path, bar) as
shares of all checkers; both dice in sixths, larger first; whether the first half of a double is played, and whether the player is to act."""

RENDER_MODES: Final = ("ansi", "rgb_array")
"""How environments show the board: as text, or as pixels."""

_PICTURE_PX: Final = 480
"""Width of a picture as an array."""

Observation = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]


def action_number(player: int, moves: tuple[Move, ...], high: int) -> int:
    """The number of up to two moves of a player. high: the larger number of the roll."""
    places = [_place(player, source) for source, _, _ in moves] + [PASS, PASS]
    first_is_high = bool(moves) and moves[0][2] == high
    return places[1] * PLACES + places[0] + (0 if first_is_high else PLACES * PLACES)


def _place(player: int, source: int) -> int:
    if source == BAR:
        return 24
    return 24 - source if player == 0 else source - 1


def beginnings(graph: TurnGraph, node: int, high: int) -> list[tuple[Move, ...]]:
    """The moves of each action at a node, in the order of the graph: two where there are two. high: the larger number of the roll.

    Where a checker alone may be moved with either number, it is with the higher one.
    """
    found: list[tuple[Move, ...]] = []
    for source, target, number, _, after in graph.nodes[node][1]:
        move = (source, target, number)
        more = graph.nodes[after][1]
        found += [(move, second[:3]) for second in more] or [(move,)]
    alone = {moves[0][0] for moves in found if len(moves) == 1 and moves[0][2] == high}
    return [moves for moves in found or [()] if len(moves) != 1 or moves[0][2] == high or moves[0][0] not in alone]


def axis_without_place(rules: Rules) -> str | None:
    """The axis of the rules for which OpenSpiel's numbers have no place; None where they have one for all."""
    if any(len(row.faces) != 2 or max(row.faces) > 6 or len(row.stages) > 1 for row in rules.dice.rows):
        return "dice"
    return "rerolls" if rules.rerolls.tokens else "setup" if rules.setup.hand else None


def rules_of_one_game(rules: Rules | str) -> Rules:
    """Rules by themselves or by name; OptionError for those of a match whose games take turns, which names the games."""
    found = rules_of(rules)
    found.check_one_game()
    return found


def check_place(rules: Rules) -> None:
    """UnsupportedRules for games that OpenSpiel's numbers have no place for."""
    if (axis := axis_without_place(rules)) is not None:
        raise UnsupportedRules(
            "%(name)s differs in the axis %(axis)s; environments are for two dice, without reroll tokens and hands",
            name=rules.name,
            axis=axis,
        )


def check_render_mode(render_mode: str | None) -> None:
    """ArgumentError for a mode that there is none of."""
    if render_mode not in (None, *RENDER_MODES):
        raise ArgumentError("render_mode is %(mode)r; allowed: None, 'ansi', 'rgb_array'", mode=render_mode)


def checked_action(action: object) -> int:
    """An action as a whole number; IllegalMove for what is none of 0 to 1351, such as 1.5, -1 or None."""
    if isinstance(action, np.ndarray) and action.shape == ():
        action = action[()]
    if isinstance(action, bool | np.bool_) or not isinstance(action, int | np.integer) or not 0 <= action < ACTIONS:
        raise IllegalMove(
            "action %(action)s; allowed: a whole number from 0 to %(last)s", action=brief(action), last=ACTIONS - 1
        )
    return int(action)


class Table:
    """A money game without a cube. rng: of the dice. `actor` must choose one of `actions` until `over`.

    made: the first half of a double, once it is played. position: after it, seen by the actor.
    UnsupportedRules for games that OpenSpiel's numbers have no place for: other dice, reroll tokens, checkers in the hand. OptionError for games in turn.
    """

    def __init__(self, rules: Rules | str = "backgammon", rng: np.random.Generator | None = None) -> None:
        self.rules = rules_of_one_game(rules)
        check_place(self.rules)
        self._rng = rng or np.random.default_rng()
        self.game = Game.start(self.rules, Stakes(money=True, cube=False))
        self.made: tuple[Move, ...] = ()
        self.position = self.game.position
        self.actions: dict[int, tuple[Move, ...]] = {}
        self._roll()

    def _numbers(self) -> Iterator[int]:
        while True:
            yield int(self._rng.integers(252))

    @property
    def actor(self) -> int:
        """Who must act, 0 or 1; who acted last when the game is over."""
        return self.game.player

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.over

    @property
    def points(self) -> float:
        """What player 0 has won, negative when they lost; 0 while the game goes on."""
        result = self.game.result
        if result is None or result.winner is None:
            return 0.0
        return float(result.points if result.winner == 0 else -result.points)

    def observation(self, player: int | None = None) -> Observation:
        """[56] what a player sees; None for the one to act."""
        seen = self.actor if player is None else player
        position = self.position if seen == self.actor else self.position.flip()
        found = np.zeros(OBSERVATION, np.float32)
        for index, side in enumerate((position.us, position.them)):
            counts = np.array(side.points[1 : BAR + 1], np.float32)
            found[26 * index + 1 : 26 * index + 26] = counts / self.rules.checkers
            found[26 * index] = (self.rules.checkers - counts.sum()) / self.rules.checkers
        if self.game.phase is Phase.TO_PLAY:
            faces = sorted(self.game.faces, reverse=True)
            found[52:54] = np.array(faces, np.float32) / 6
        found[54] = bool(self.made)
        found[55] = seen == self.actor
        return found

    def mask(self) -> Mask:
        """[1352] 1 for every action that is allowed now."""
        found = np.zeros(ACTIONS, np.int8)
        found[list(self.actions)] = 1
        return found

    @property
    def match(self) -> Match:
        """The game as a match for money, as players such as `Bot` want it."""
        return Match(self.rules, MatchTerms(length=0, cube=False), self.game)

    def results(self) -> dict[int, Position]:
        """The position after each action, seen by the actor; for the first half of a double the one between its halves."""
        return {action: self._after(moves) for action, moves in self.actions.items()}

    def play(self, moves: tuple[Move, ...]) -> None:
        """Plays all moves of the actor's roll, such as those of a `Play`, and rolls for who is next; IllegalEvent for others."""
        self.game = self.game.apply(PlayMade(self.actor, moves))
        self.made = ()
        self._roll()

    def step(self, action: int) -> None:
        """Plays an action of the one to act, and rolls for who is next; IllegalMove for one that is not in `actions`."""
        number = checked_action(action)
        if number not in self.actions:
            raise IllegalMove(
                "action %(action)s is not allowed now; allowed: %(allowed)s",
                action=number,
                allowed=", ".join(map(str, self.actions)) or "none, the game is over",
            )
        self.made = (*self.made, *self.actions[number])
        graph = turn_graph(self.rules, self.game.position, self.game.faces, self.made)
        node = graph.end_of(self.made)
        if node is not None and graph.nodes[node][1] and len(self.made) == 2:
            self.position = unpack(graph.positions[node])
            self._find(graph, node)
            return
        self.play(self.made)

    def picture(self, render_mode: str | None) -> str | npt.NDArray[np.uint8] | None:
        """The board seen by player 0: text for "ansi"; for "rgb_array" uint8 [height, width, 3], which needs the extra `png`, or
        BarpointError; None for None.
        """
        if render_mode is None:
            return None
        position = self.position if self.actor == 0 else self.position.flip()
        if render_mode == "ansi":
            return plain(board(position, meeting=self.rules.movement.meeting))
        faces = self.game.faces if self.game.phase is Phase.TO_PLAY else None
        drawn = svg(position, rules=self.rules, dice=faces, dice_near=self.actor == 0 if faces else None)
        return pixels(png(drawn, width_px=_PICTURE_PX))

    def _after(self, moves: tuple[Move, ...]) -> Position:
        """The position after these moves and those made before them."""
        made = (*self.made, *moves)
        graph = turn_graph(self.rules, self.game.position, self.game.faces, made)
        node = graph.end_of(made)
        assert node is not None, "an action begins a legal play"
        return unpack(graph.positions[node])

    def _roll(self) -> None:
        """Rolls until somebody has a choice to make, which may be to play nothing, or the game is over."""
        while not self.game.over and self.game.phase is not Phase.TO_PLAY:
            event = self.game.next_roll(self._numbers())
            assert event is not None, "without a cube and tokens a game only waits for rolls and plays"
            self.game = self.game.apply(event)
        self.position = self.game.position
        self.actions = {}
        if not self.game.over:
            self._find(turn_graph(self.rules, self.game.position, self.game.faces), 0)

    def _find(self, graph: TurnGraph, node: int) -> None:
        """Finds the actions from a node: beginnings of legal plays."""
        high = max(self.game.faces)
        found = beginnings(graph, node, high)
        self.actions = {action_number(self.actor, moves, high): moves for moves in reversed(found)}
