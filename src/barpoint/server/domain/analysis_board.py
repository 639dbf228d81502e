"""The analysis board: a position with all that belongs to it, as an address holds it.

`near` is the player at the bottom, "You" on the page; `far` is the other one. Nothing is kept: an address is the position.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Meta, Struct

from barpoint.analysis.inquiry import Inquiry
from barpoint.board import Position
from barpoint.error import BarpointError, FormatError, StakesError
from barpoint.game import Phase
from barpoint.game.stakes import check_cube_value
from barpoint.game.state import checked_tokens
from barpoint.language import _
from barpoint.match import Match, MatchTerms
from barpoint.match.situation import Situation
from barpoint.match.starting_position import StartingPosition
from barpoint.moves import check_position, outcome, parse_faces
from barpoint.number_text import number_in
from barpoint.record import format_position, parse_position
from barpoint.rules import Rules
from barpoint.server.domain.limits import MAX_VARIANT_NAME
from barpoint.variants import variant

BoardSide = Literal["near", "far"]

MAX_CUBE_VALUE: Final = 1024
MAX_LENGTH: Final = 64
"""Points of the longest match, as in other programs."""

PATH: Final = "/analysis"


class BoardAddress(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The state of the board as the fields of an address; all have defaults.

    variant: a name of the catalogue, or several joined by "+". position: its ID, seen by near, whoever is to act; ""
    for the start. turn: who is to act. roll: such as 31; "" before the roll. cube: its value, 0 for none. owner: who may
    double, "" while it is centred. length: points of the match, 0 for money. score: of near and far, such as 2-3.
    crawford: this is the Crawford game; jacoby, beavers: rules of money play. tokens: reroll tokens left of near and
    far, such as 1-0; "" for all of them.
    """

    variant: Annotated[str, Meta(max_length=MAX_VARIANT_NAME)] = "backgammon"
    position: Annotated[str, Meta(max_length=160)] = ""
    turn: BoardSide = "near"
    roll: Annotated[str, Meta(max_length=8)] = ""
    cube: Annotated[int, Meta(ge=0, le=MAX_CUBE_VALUE)] = 1
    owner: Literal["near", "far", ""] = ""
    length: Annotated[int, Meta(ge=0, le=MAX_LENGTH)] = 0
    score: Annotated[str, Meta(max_length=8)] = ""
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    tokens: Annotated[str, Meta(max_length=8)] = ""


@dataclass(frozen=True, slots=True)
class BoardSetup:
    """The board as values. position: seen by near. score, tokens: of near and far. faces: of the roll of `turn`.

    Where `turn` owes a roll, that is the one to be played; with any other roll, or with the other side to act, nothing is owed.
    """

    rules: Rules
    position: Position
    turn: BoardSide = "near"
    faces: tuple[int, ...] = ()
    cube: int = 1
    owner: Literal["near", "far", ""] = ""
    length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    tokens: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        owed = self.rules.owed_by(self.of_actor.us)
        if owed and not self.of_actor.them.owed and self.faces in ((), owed):
            object.__setattr__(self, "faces", owed)
        else:
            object.__setattr__(self, "position", self.position.to_roll())

    @property
    def of_actor(self) -> Position:
        """The position seen by the player to act."""
        return self.position if self.turn == "near" else self.position.flip()

    @property
    def problem(self) -> str:
        """Why nobody can act in this position, in the language that holds now; "" where somebody can."""
        try:
            check_position(self.rules, self.of_actor)
        except BarpointError as error:
            return error.translated()
        return "" if outcome(self.rules, self.of_actor) is None else _("the game is over in this position")

    @property
    def address(self) -> BoardAddress:
        """The address that holds it, without what is the default."""
        rules = self.rules
        position = format_position(self.position)
        full = (rules.rerolls.tokens,) * 2
        return BoardAddress(
            variant=rules.name,
            position="" if self.position == rules.start else position,
            turn=self.turn,
            roll="-".join(map(str, self.faces)) if max(self.faces, default=0) > 6 else "".join(map(str, self.faces)),
            cube=self.cube if rules.cube else 1,
            owner=self.owner,
            length=self.length,
            score="-".join(map(str, self.score)) if any(self.score) else "",
            crawford=self.crawford,
            jacoby=self.jacoby,
            beavers=self.beavers,
            tokens="" if self.tokens == full else "-".join(map(str, self.tokens)),
        )

    @property
    def inquiry(self) -> Inquiry:
        """The question to the engine, seen by the player to act."""
        flip = self.turn == "far"
        owner = self.owner and ("us" if self.owner == self.turn else "them")
        away = self.length - self.score[0], self.length - self.score[1]
        tokens = self.tokens[::-1] if flip else self.tokens
        return Inquiry(
            variant=self.rules.name,
            position=format_position(self.of_actor),
            faces=self.faces,
            cube=self.cube if self.rules.cube else 0,
            owner=owner or "",
            away=None if not self.length else (away[1], away[0]) if flip else away,
            crawford=self.crawford,
            jacoby=self.jacoby and not self.length,
            beavers=self.beavers and not self.length,
            tokens=(tokens[0], tokens[1]) if self.rules.rerolls.tokens else None,
        )

    @property
    def situation(self) -> Situation:
        """The same as an ID describes it; near is player 1, the one at the bottom of an XGID."""
        numbers = {"near": 1, "far": 0}
        player = numbers[self.turn]
        return Situation(
            position=self.of_actor,
            player=player,
            actor=player,
            dice=self.faces,
            cube=self.cube or 1,
            owner=numbers[self.owner] if self.owner else None,
            length=self.length,
            score=(self.score[1], self.score[0]),
            crawford=self.crawford,
            jacoby=self.jacoby,
            beavers=self.beavers,
        )


def query_of(address: BoardAddress) -> str:
    """The query of an address, "" for the start of a game for money."""
    values = msgspec.to_builtins(address)
    return urlencode({name: int(value) if isinstance(value, bool) else value for name, value in values.items()})


def path_of(setup: BoardSetup) -> str:
    """The link of a board."""
    query = query_of(setup.address)
    return f"{PATH}?{query}" if query else PATH


def parse_address(values: dict[str, Any]) -> BoardSetup:
    """The board of the fields of a query; BarpointError says what is wrong."""
    try:
        address = msgspec.convert(values, BoardAddress, strict=False)
    except msgspec.ValidationError as error:
        raise FormatError("address: %(error)s", error=error) from None
    return setup_of(address)


def setup_of(address: BoardAddress) -> BoardSetup:
    """The board of an address; fields that mean nothing under its rules are left out. BarpointError."""
    rules = variant(address.variant)
    position = parse_position(address.position, rules.checkers) if address.position else rules.start
    score = _pair(address.score, "score") if address.score else (0, 0)
    if address.length and max(score) >= address.length:
        raise StakesError(
            "score %(near)s-%(far)s in a match to %(length)s; allowed: below its length",
            near=score[0],
            far=score[1],
            length=address.length,
        )
    if address.cube:
        check_cube_value(address.cube, MAX_CUBE_VALUE)
    given = _pair(address.tokens, "tokens") if address.tokens and rules.rerolls.tokens else None
    cube = address.cube if rules.cube else 0
    match = address.length > 0
    return BoardSetup(
        rules=rules,
        position=position,
        turn=address.turn,
        faces=parse_faces(rules.dice.rows, address.roll) if address.roll else (),
        cube=cube,
        owner=address.owner if cube > 1 else "",
        length=address.length,
        score=score if match else (0, 0),
        crawford=address.crawford and match and address.length - 1 in score,
        jacoby=address.jacoby and not match and cube > 0,
        beavers=address.beavers and not match and cube > 0,
        tokens=checked_tokens(rules, given),
    )


def _pair(text: str, what: str) -> tuple[int, int]:
    first, _dash, second = text.partition("-")
    one, other = number_in(first, 0, 999_999), number_in(second, 0, 999_999)
    if one is None or other is None:
        raise FormatError("%(what)s %(found)r; two numbers are wanted, such as 1-0", what=what, found=text)
    return one, other


def _shortened(length: int, near: int, far: int) -> tuple[int, tuple[int, int]]:
    """Length and score with the same points to go, at most MAX_LENGTH for each side. near, far: their points so far."""
    shown = min(length, MAX_LENGTH)
    return shown, (shown - min(length - near, MAX_LENGTH), shown - min(length - far, MAX_LENGTH))


def setup_from_situation(situation: Situation, rules: Rules) -> BoardSetup:
    """The board that an ID describes; a double that waits for its answer is taken back."""
    sides: tuple[BoardSide, BoardSide] = ("far", "near")
    turn = sides[situation.player]
    full = rules.rerolls.tokens
    length, score = _shortened(situation.length, situation.score[1], situation.score[0])
    return BoardSetup(
        rules=rules,
        position=situation.position if turn == "near" else situation.position.flip(),
        turn=turn,
        faces=situation.dice,
        cube=situation.cube if rules.cube else 0,
        owner="" if situation.owner is None else sides[situation.owner],
        length=length,
        score=score if length else (0, 0),
        crawford=situation.crawford,
        jacoby=situation.jacoby,
        beavers=situation.beavers,
        tokens=(full, full),
    )


def setup_from_game(match: Match, near: int) -> BoardSetup:
    """The board of the running game of a match, with player `near` at the bottom. A double that waits for its answer is
    taken back: the cube action shows what the answer should be.
    """
    game = match.game
    sides: dict[int, BoardSide] = {near: "near", 1 - near: "far"}
    length, score = _shortened(match.length, int(match.score[near]), int(match.score[1 - near]))
    position = game.position if game.player == near else game.position.flip()
    owner = game.cube.owner
    whole = length and max(score) < length
    return BoardSetup(
        rules=game.rules,
        position=position,
        turn=sides[game.player],
        faces=game.faces if game.phase in (Phase.TO_PLAY, Phase.TO_CORRECT) else (),
        cube=game.cube.value if game.rules.cube and (game.cube_in_play or match.crawford) else 0,
        owner="" if owner is None else sides[owner],
        length=length if whole else 0,
        score=score if whole else (0, 0),
        crawford=match.crawford and bool(whole),
        jacoby=game.stakes.jacoby,
        beavers=game.stakes.beavers > 0,
        tokens=(game.tokens[near], game.tokens[1 - near]),
    )


def starting_position(setup: BoardSetup) -> StartingPosition:
    """Where a game begins that is played on from this board, with near as player 0; StakesError where nobody can act."""
    if setup.problem:
        raise StakesError(setup.problem)
    numbers = {"near": 0, "far": 1}
    return StartingPosition.of(
        setup.of_actor,
        player=numbers[setup.turn],
        faces=setup.faces,
        cube=max(1, setup.cube),
        owner=numbers.get(setup.owner),
        tokens=setup.tokens,
        crawford=setup.crawford,
    )


def terms_from(setup: BoardSetup) -> MatchTerms:
    """The terms of a match that begins on this board, with near as player 0; StakesError where nobody can act."""
    cube = setup.cube > 0
    return MatchTerms(
        length=setup.length,
        cube=cube,
        crawford=cube and setup.length > 0,
        jacoby=setup.jacoby,
        beavers=int(setup.beavers),
        first_score=setup.score,
        begins_at=starting_position(setup),
    )
