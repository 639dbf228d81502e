"""A game: a value that events turn into the next value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import NoneType
from typing import ClassVar, SupportsIndex

from msgspec import Struct, ValidationError
from msgspec.structs import replace

from barpoint import dice
from barpoint.board import Position, Side
from barpoint.error import (
    NOT_ALLOWED,
    ArgumentError,
    IllegalEvent,
    StakesError,
    brief,
    check_kind,
    check_seat,
    not_allowed,
)
from barpoint.game.event import Correct, Event, Opening, PlayMade, Roll
from barpoint.game.fields import check_fields, fitted
from barpoint.game.phase import CENTRED, Allowed, Cube, Phase, Result, RollRecord
from barpoint.game.stakes import Stakes, check_cube_value
from barpoint.language import N_
from barpoint.moves import LegalPlays, Play, Turn, check_position, find_play, legal_plays, parse_play
from barpoint.rules import Rules
from barpoint.variants import rules_of


class Game(Struct, frozen=True, gc=False):
    """One game between players 0 and 1, as its events have left it.

    player: whose turn it is. turn_number: the starter's first turn is 1.
    position: seen by `player`, before the roll is played; after it once the game has ended by it. `seen_by` gives it for either player.
    last_roll: the last roll, also after it was played or rerolled.
    roll_id: the last roll's id, 0 before any. roll_count: rolls made for this turn, or for this extra roll, rerolls included.
    further: the roll to be made, or to be played, is an extra roll that this turn has earned (Acey-Deucey).
    rerollable_id: id of the last roll while the player who did not make it may still have it rerolled, else 0.
    rerolled_by: who has spent a token on the roll that must be made again.
    tokens: reroll tokens left of player 0 and 1.
    opening_dice: the dice of the opening roll, player 0's and 1's; () before them.
    resigning: (player, level) of a pending resignation. resume: the phase that a rejection or a take leads back to.
    rejected: bit masks of the levels rejected in this position, of player 0 and 1.
    ended: how the game ends if the roll stands. result: how it has ended.
    disputed: manual mode: the play just made is illegal and not yet accepted.
    before: manual mode: the game before the roll that is to be played.
    last: the newest event, completed by what the game wrote into it.
    apply, replay, legal_events: the functions of apply.py and allowed.py, which the package binds to the class.
    _repr_svg_, _text_: a picture for notebooks, and the same in letters, bound by `draw`.
    """

    rules: Rules
    stakes: Stakes
    position: Position
    phase: Phase = Phase.OPENING
    player: int = 0
    turn_number: int = 0
    last_roll: RollRecord | None = None
    roll_id: int = 0
    roll_count: int = 0
    further: bool = False
    rerollable_id: int = 0
    rerolled_by: int | None = None
    tokens: tuple[int, int] = (0, 0)
    cube: Cube = CENTRED
    opening_dice: tuple[int, ...] = ()
    resigning: tuple[int, int] | None = None
    resume: Phase = Phase.TO_ROLL
    rejected: tuple[int, int] = (0, 0)
    ended: Result | None = None
    result: Result | None = None
    disputed: bool = False
    before: Game | None = None
    last: Event | None = None

    apply: ClassVar[Callable[[Game, Event], Game]]
    replay: ClassVar[Callable[[Game, Event], Game]]
    legal_events: ClassVar[Callable[[Game], tuple[Allowed, ...]]]
    _repr_svg_: ClassVar[Callable[[Game], str | None]]
    _text_: ClassVar[Callable[[Game], str]]

    def __repr__(self) -> str:
        roll = f" {'-'.join(map(str, self.faces))}" if self.faces else ""
        return f"<Game of {self.rules.name}, turn {self.turn_number} of player {self.player}, {self.phase}{roll}>"

    def __str__(self) -> str:
        return self._text_()

    @classmethod
    def start(cls, rules: Rules | str, stakes: Stakes | None = None, starter: int | None = None) -> Game:
        """A new game, before the opening roll; or before the first roll of the player who starts without one."""
        rules, stakes = rules_of(rules), _stakes(stakes)
        game = cls(rules, stakes, rules.start, tokens=(rules.rerolls.tokens,) * 2)
        if starter is None:
            return game
        return replace(game, phase=Phase.TO_ROLL, player=check_seat("starter", starter), turn_number=1)

    @classmethod
    def at(
        cls,
        rules: Rules | str,
        position: Position,
        player: int = 0,
        *,
        stakes: Stakes | None = None,
        faces: tuple[int, ...] = (),
        cube: Cube | None = None,
        tokens: tuple[int, int] | None = None,
    ) -> Game:
        """A game in the middle: `player`, who sees `position` as `us`, is to roll, or to play `faces`.

        PositionError, IllegalEvent or StakesError where these rules do not allow it, OptionError for another player,
        ArgumentError for values of another kind.
        """
        rules, stakes = rules_of(rules), _stakes(stakes)
        check_position(rules, position)
        player = check_seat("player", player)
        game = cls(
            rules,
            stakes,
            position,
            phase=Phase.TO_ROLL,
            player=player,
            turn_number=3,
            tokens=checked_tokens(rules, tokens),
            cube=_cube(stakes, cube),
        )
        if owed := rules.owed_by(position.us):
            record = RollRecord(1, player, owed, position, game.turn_number)
            return replace(game, phase=Phase.TO_PLAY, last_roll=record, roll_id=1, roll_count=1)
        return game if isinstance(faces, Sequence) and not len(faces) else game.apply(Roll(player, faces))

    @property
    def actor(self) -> int | None:
        """The player for whom the game waits; None before the start and after the end."""
        match self.phase:
            case Phase.OPENING | Phase.OVER:
                return None
            case Phase.DOUBLED:
                return 1 - self.player if self.cube.raises % 2 == 0 else self.player
            case Phase.RESIGNED:
                assert self.resigning is not None
                return 1 - self.resigning[0]
            case Phase.PROVISIONAL_END:
                return 1 - self.player
            case _:
                return self.player

    @property
    def over(self) -> bool:
        """The game has its result."""
        return self.phase is Phase.OVER

    @property
    def faces(self) -> tuple[int, ...]:
        """The roll that is still to be played, highest first; () when there is none."""
        waiting = self.resume if self.phase is Phase.RESIGNED else self.phase
        if self.last_roll is None or waiting not in (Phase.TO_PLAY, Phase.TO_CORRECT):
            return ()
        return self.rules.owed_by(self.position.us) or self.last_roll.faces

    @property
    def cube_in_play(self) -> bool:
        """The rules and the stakes of this game have a cube."""
        return self.rules.cube and self.stakes.cube

    @property
    def flat(self) -> bool:
        """Gammons do not count, because of the Jacoby rule."""
        return self.stakes.jacoby and self.rules.cube and not self.cube.turned

    def seen_by(self, player: int) -> Position:
        """The position with this player as `us`; OptionError for another than 0 and 1."""
        check_seat("player", player)
        return self.position if player == self.player else self.position.flip()

    def side(self, player: int) -> Side:
        """The player's checkers; OptionError for another than 0 and 1."""
        check_seat("player", player)
        return self.position.us if player == self.player else self.position.them

    def turn(self) -> Turn:
        """The play of the roll, with no move made yet; IllegalEvent when there is no roll to play."""
        return Turn(self.rules, self.position, self._to_play())

    def legal_plays(self) -> LegalPlays:
        """The plays of the roll; IllegalEvent when there is no roll to play."""
        return legal_plays(self.rules, self.position, self._to_play())

    def play(self, play: Play | str) -> Game:
        """The game after a play of its roll, or after the one that a text such as "8/5 6/5" means.

        IllegalEvent when there is no roll to play or the play is of another one; of a text IllegalMove and FormatError as
        `parse_play`.
        """
        return self.apply(self.event_of(play))

    def event_of(self, play: Play | str) -> PlayMade | Correct:
        """The event by which this play of the roll is made; errors as `play`."""
        faces = self._to_play()
        check_kind("play", play, Play, str)
        made = parse_play(self.rules, self.position, faces, play) if isinstance(play, str) else play
        return (Correct if self.phase is Phase.TO_CORRECT else PlayMade)(self.player, made.moves)

    def play_of(self, event: PlayMade | Correct) -> Play:
        """The play of the roll that an event makes, the other way round than `event_of`; IllegalEvent when there is no roll to play, IllegalMove
        where its moves are no legal play, as in records of real boards.
        """
        check_kind("event", event, PlayMade, Correct)
        return find_play(self.rules, self.position, self._to_play(), event.moves)

    def _to_play(self) -> tuple[int, ...]:
        """The roll to be played; IllegalEvent when there is none."""
        if not self.faces:
            raise IllegalEvent("no roll to play: the game waits for %(phase)s", phase=self.phase)
        return self.faces

    def next_roll(self, numbers: Iterator[int]) -> Opening | Roll | None:
        """The roll the game can go on with, made of numbers 0 <= n < 252; None when none may be made now.

        ArgumentError for anything else among the numbers.
        """
        match self.phase:
            case Phase.OPENING:
                sides = self.rules.dice.sides
                return Opening((dice.roll_one(sides, _next(numbers)), dice.roll_one(sides, _next(numbers))))
            case Phase.TO_ROLL | Phase.MUST_REROLL:
                rows = self.rules.dice.rows
                return Roll(self.player, dice.roll(rows, [_next(numbers) for _ in range(dice.numbers_for(rows))]))
            case _:
                return None


def _stakes(stakes: Stakes | None) -> Stakes:
    check_kind("stakes", stakes, Stakes, NoneType)
    return stakes or Stakes()


def checked_tokens(rules: Rules, tokens: tuple[int, int] | None) -> tuple[int, int]:
    """These tokens, all of them for None; StakesError for others than the rules have."""
    full = rules.rerolls.tokens
    if tokens is None:
        return full, full
    try:
        near, far = fitted(tokens, tuple[int, int])
    except ValidationError:
        allowed = f"None, or two numbers from 0 to {full}"
        raise ArgumentError(NOT_ALLOWED, **not_allowed("tokens", tokens, allowed)) from None
    if min(near, far) < 0 or max(near, far) > full:
        raise StakesError(
            "tokens %(near)s-%(far)s; a side has 0 to %(full)s under %(name)s",
            near=near,
            far=far,
            full=full,
            name=rules.name,
        )
    return near, far


def _cube(stakes: Stakes, cube: Cube | None) -> Cube:
    """This cube, at 1 in the middle for None; StakesError for one that no game with these stakes has."""
    check_kind("cube", cube, Cube, NoneType)
    if cube is None:
        return CENTRED
    check_fields(cube, N_("a cube: %(error)s"))
    check_cube_value(cube.value, stakes.cube_limit)
    if cube.owner not in (0, 1, None):
        raise StakesError(NOT_ALLOWED, **not_allowed("owner", cube.owner, "0, 1 or None"))
    return cube


def _next(numbers: Iterator[int]) -> int:
    """The next number for the dice; StopIteration when there is none."""
    found = next(numbers)
    if not isinstance(found, SupportsIndex) or not 0 <= found.__index__() < 252:
        raise ArgumentError(
            "dice give %(found)s; allowed: numbers 0 <= n < 252, as dice.seeded gives them", found=brief(found)
        )
    return found
