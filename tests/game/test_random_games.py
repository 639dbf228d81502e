"""A referee who knows the rules text alone follows random games of every composition, event by event."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import pytest

from barpoint import dice
from barpoint.driver import play_match
from barpoint.game import (
    Accept,
    Beaver,
    Double,
    Event,
    Game,
    Keep,
    Opening,
    Pass,
    Phase,
    PlayMade,
    Raccoon,
    Reject,
    Resign,
    Roll,
    Rollover,
    Take,
)
from barpoint.match import Match, MatchTerms
from barpoint.moves import Move
from barpoint.rules import FirstRoll, Rules
from barpoint.variants import variant
from tests.reference import reference_outcome, reference_step, reference_turn, row_of
from tests.reference.play import begun, followed
from tests.support.compositions import compositions
from tests.support.deep import DEEP
from tests.support.games import AnythingAllowed, any_turn, event_for

GAMES: Final = 500 if DEEP else 2
"""Of each game of the catalogue; half as many of each mixture."""

MONEY: Final = MatchTerms(length=0, jacoby=True, beavers=2, automatic_doubles=1)
NAMES: Final = sorted({rules.name for rules in compositions() if "(" not in rules.name})
MIXTURES: Final = [name for name in NAMES if name.count("+") == 1]
LARGE_MIXTURES: Final = [name for name in NAMES if name.count("+") > 1]
RARE: Final = {*MIXTURES, *LARGE_MIXTURES} - {*MIXTURES[::2], *LARGE_MIXTURES[::8]}
"""Mixtures that are played in `make check-deep` alone."""


class Referee:
    """Keeps a board, tokens and a cube of its own, moved by the events alone.

    position: seen by `player`, whose turn it is. before: (player, position) before the last roll.
    stake: what the running game pays so far; offered: what it would with the pending double.
    won: (winner, points) once the game has ended, also where the loser may still reroll.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.player = 0
        self.position = rules.start
        self.before = (0, rules.start)
        self.faces: tuple[int, ...] = ()
        self.tokens = [rules.rerolls.tokens] * 2
        self.stake, self.offered = 1, 1
        self.owner: int | None = None
        self.ties = 0
        self.doubled = False
        self.resigned: tuple[int, int] = (0, 0)
        self.won: tuple[int | None, int] | None = None

    def see(self, event: Event) -> None:
        """Follow one event; assert that the rules allow it."""
        match event:
            case Opening(faces):
                self._open(faces)
            case Roll(player, faces):
                assert player == self.player
                self._roll(faces)
            case PlayMade(player, moves):
                assert player == self.player
                self._play(moves, event.again)
            case Rollover(player):
                self.tokens[player] -= 1
                assert self.tokens[player] >= 0
                self.player, self.position = self.before
                self.won = None
            case Double() | Beaver() | Raccoon():
                self.offered *= 2
                self.doubled = True
            case Take():
                self.stake, self.owner = self.offered, 1 - self.player
            case Pass(player):
                self.won = 1 - player, self.offered // 2
            case Resign(player, level):
                self.resigned = player, level
            case Accept():
                self.won = self._resignation()
            case Reject() | Keep():
                pass
            case _:
                raise AssertionError(f"{event} does not belong to a game without irregularities")

    def _open(self, faces: tuple[int, int]) -> None:
        if faces[0] == faces[1]:
            self.ties += 1
            if self.ties <= MONEY.automatic_doubles and self.rules.cube:
                self.stake = self.offered = self.stake * 2
            return
        self.player = int(faces[1] > faces[0])
        if self.rules.opening.first_roll is FirstRoll.OPENING_ROLL:
            self._roll(faces)
        elif self.rules.opening.first_roll is FirstRoll.OWN_NUMBER:
            self._roll((max(faces),))

    def _roll(self, faces: tuple[int, ...]) -> None:
        assert row_of(self.rules, faces)
        self.faces, self.before = faces, (self.player, self.position)

    def _play(self, moves: tuple[Move, ...], again: bool) -> None:
        assert reference_turn(self.rules, self.position, self.faces, moves).may_commit
        before, self.position = self.position, begun(self.position)
        for source, _, number in moves:
            stepped = reference_step(self.rules, self.position, source, number)
            assert stepped is not None
            self.position = stepped
        outcome = reference_outcome(self.rules, self.position)
        row = row_of(self.rules, self.faces)
        numbers_of_a_whole_roll = sum(len(stage[0]) for stage in row.stages)
        complete = len(moves) == numbers_of_a_whole_roll and outcome is None
        last = tuple(number for *_, number in moves[-len(row.stages[-1][0]) :])
        self.position, expected = followed(self.rules, before, row, self.position, last if complete else None)
        assert again == expected
        if self.position.us.owed:
            self.faces = self.rules.dice.rows[self.position.us.owed - 1].faces
        if outcome is not None:
            winner, points = outcome
            flat = self.rules.cube and MONEY.jacoby and not self.doubled and not self.rules.scoring.per_checker
            self.won = (
                None if winner is None else self.player if winner == "us" else 1 - self.player,
                self.stake * (min(points, 1) if flat else points),
            )
        if not again:
            self.player, self.position = 1 - self.player, self.position.flip()

    def _resignation(self) -> tuple[int, int]:
        player, level = self.resigned
        side = self.position.us if player == self.player else self.position.them
        if self.rules.scoring.per_checker:
            return 1 - player, side.total - side.points[0]
        scoring = self.rules.scoring
        flat = self.rules.cube and MONEY.jacoby and not self.doubled
        return 1 - player, self.stake * (1 if flat else (1, scoring.gammon, scoring.backgammon)[level - 1])

    def assert_agrees(self, game: Game) -> None:
        """The game shows the board, tokens, cube and result that the referee has."""
        if game.phase not in (Phase.OPENING, Phase.PROVISIONAL_END, Phase.OVER):
            assert game.player == self.player
        assert game.seen_by(self.player) == self.position
        assert list(game.tokens) == self.tokens
        assert (game.cube.value, game.cube.owner) == (self.stake, self.owner)
        ended = game.result or game.ended
        assert (ended and (ended.winner, ended.points)) == self.won
        assert (game.actor is None) == (game.phase in (Phase.OPENING, Phase.OVER))


class Racer(AnythingAllowed):
    """Does anything that is allowed, but of a few plays takes the one that gets on best, so that games end soon."""

    def event(self, match: Match, player: int) -> Event | None:
        game = match.game
        if game.phase is Phase.TO_PLAY and game.actor == player and self.random.random() < 0.9:
            turns = [any_turn(game.turn(), self.random) for _ in range(2)]
            return PlayMade(player, min(turns, key=lambda turn: turn.position.us.pips).made)
        listed = [item for item in match.legal_events() if item.player == player]
        if game.actor == player and self.random.random() < 0.8:
            for item in listed:
                if item.kind in ("roll", "take", "reject"):
                    return event_for(item, game, self.random)
        return super().event(match, player)


def random_game(name: str, seed: int) -> Iterator[Match]:
    """A money game with every stake, until it is over."""
    players = Racer(seed), Racer(seed + 1)
    for match in play_match(Match.start(rules=name, terms=MONEY), *players, dice=dice.seeded(seed)):
        yield match
        if match.game.over:
            return


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.deep) if name in RARE else name for name in NAMES]
)
def test_the_referee_agrees_with_every_event_of_random_games(name: str) -> None:
    random = Random(name)
    for _ in range(GAMES // 2 if "+" in name else GAMES):
        referee = Referee(variant(name))
        for match in random_game(name, random.randrange(2**32)):
            referee.see(match.events[-1])
            referee.assert_agrees(match.game)
        assert match.game.result is not None


@pytest.mark.parametrize("name", ["roll-over", "cancelgammon+duodecagammon", "roll-over+acey-deucey"])
def test_random_games_meet_tokens_cubes_resignations_and_every_end(name: str) -> None:
    """What the referee has judged is not the quiet half of the rules."""
    kinds, ends = set(), set()
    for seed in range(12):
        for match in random_game(name, seed):
            kinds.add(type(match.events[-1]))
        assert match.game.result is not None
        ends.add(match.game.result.how)
    assert {Rollover, Resign, Reject, Opening, Roll, PlayMade} <= kinds
    assert Double in kinds or not variant(name).cube
    assert "play" in ends
