"""Cards to practise: what a position asks of the player at the bottom, its board, and how good an answer is."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Final, Literal

import msgspec
from msgspec import UNSET, structs

from barpoint.analysis.findings import CubeEquities, Decision, DecisionOption, mark_of
from barpoint.analysis.inquiry import check_point, cube_info_of_inquiry
from barpoint.analysis.judge import SAME, SHOWN
from barpoint.analysis.lesson import taught
from barpoint.analysis.phases import phase_of
from barpoint.analysis.position import PositionAnswer
from barpoint.engine import CubeInfo
from barpoint.engine.cube_info import can_double
from barpoint.error import IllegalEvent, StakesError
from barpoint.game import Phase
from barpoint.game.event import MoveMade, counts_of
from barpoint.moves import Play, Turn, find_play, legal_plays
from barpoint.server.domain.analysis_board import BoardAddress, BoardSetup
from barpoint.server.domain.board_edits import BoardEdit, edited
from barpoint.server.domain.practice import CardKind
from barpoint.server.protocol.board_view import AllowedShown, BoardView, ScoreShown, TurnShown
from barpoint.server.protocol.match_view import BoardScene, view
from barpoint.server.study.advisers import Advisers
from barpoint.server.study.analysis_board import match_of, names

CubeChoice = Literal["No double", "Double", "Take", "Pass"]

CHOICES: Final[dict[CardKind, tuple[CubeChoice, ...]]] = {
    "play": (),
    "double": ("No double", "Double"),
    "take": ("Take", "Pass"),
}
"""What can be chosen on a card that asks for no play."""

JUDGED_PLIES: Final = 2
"""Answers are judged by the deepest analysis of the position that is kept, at least at this depth."""

LATE_TURN: Final = 7
"""Positions come without the number of their turn; those of a card are not called the opening."""


def asked_of_near(setup: BoardSetup) -> BoardSetup:
    """The same decision with the player who decides at the bottom.

    With a roll it is the player to act; without one the near player doubles if they are to act, else answers a double.
    """
    return edited(setup, BoardEdit("flip")) if setup.faces and setup.turn == "far" else setup


def kind_of(setup: BoardSetup) -> CardKind:
    """What a setup asks for."""
    if setup.faces:
        return "play"
    return "double" if setup.turn == "near" else "take"


def check_card(setup: BoardSetup) -> None:
    """PositionError, UnsupportedRules, IllegalEvent or StakesError where a setup has nothing to decide."""
    check_point(setup.rules, setup.of_actor)
    if setup.faces:
        if len(legal_plays(setup.rules, setup.of_actor, setup.faces)) < 2:
            raise IllegalEvent("this roll has only one play, so there is nothing to decide")
    elif not can_double(setup.rules.cube, cube_info_of_inquiry(setup.inquiry)):
        raise StakesError("nobody may double here, so there is nothing to decide; choose a roll")


def digest_of(address: BoardAddress) -> str:
    """Sixty-four hexadecimal digits that equal positions share."""
    return sha256(msgspec.json.encode(address)).hexdigest()


def board_of_card(setup: BoardSetup, moves: tuple[MoveMade, ...] = ()) -> BoardView:
    """The board of a card after the moves tried; IllegalMove where they begin no legal play."""
    match = match_of(setup)
    if kind_of(setup) == "take":
        cube = structs.replace(match.game.cube, offered=2 * match.game.cube.value, turned=True)
        match = structs.replace(match, game=structs.replace(match.game, phase=Phase.DOUBLED, cube=cube))
    shown = view(BoardScene(match, None, (), playing=True), names(), 0)
    score = ScoreShown(*setup.score, setup.length, setup.crawford)
    shown = structs.replace(shown, to_act="near", turn=None, allowed=(), roll=UNSET, score=score)
    if not setup.faces:
        return shown
    nodes = Turn(setup.rules, setup.of_actor, setup.faces, moves).graph.nodes
    return structs.replace(shown, turn=TurnShown(nodes, moves), allowed=(AllowedShown("play"),))


async def judged(
    advisers: Advisers, setup: BoardSetup, moves: tuple[MoveMade, ...] | None, choice: str
) -> tuple[Decision, PositionAnswer]:
    """The decision with this answer, and what it was judged by; IllegalMove, IllegalEvent, AnalysisRefused."""
    found = await advisers.known(setup.inquiry)
    if found is None:
        found = await advisers.answer("position", setup.inquiry, JUDGED_PLIES, registered=True)
    answer = msgspec.json.decode(found, type=PositionAnswer)
    if setup.faces:
        return await asyncio.to_thread(judged_play, setup, answer, moves or ()), answer
    return await asyncio.to_thread(judged_choice, setup, answer, choice), answer


def judged_play(setup: BoardSetup, answer: PositionAnswer, moves: tuple[MoveMade, ...]) -> Decision:
    """The decision in which these moves were made; IllegalMove says what is allowed.

    A play that the answer does not list loses at least as much as the worst one that it lists.
    """
    rules, info = setup.rules, cube_info_of_inquiry(setup.inquiry)
    play = find_play(rules, setup.of_actor, setup.faces, moves)
    options = [
        DecisionOption(
            text=one.text,
            equity=one.equity,
            loss=one.loss,
            value=info.to_value(one.equity),
            chances=one.chances,
            moves=one.moves,
            position=one.position,
            payments=one.payments,
        )
        for one in answer.plays
    ]
    result = counts_of(play.result)
    at = next((index for index, one in enumerate(options) if one.position == result), None)
    if at is None:
        at = len(options)
        options.append(_unlisted(play, options[-1]))
    return _decision(setup, info, "play", options, at)


def _unlisted(play: Play, last: DecisionOption) -> DecisionOption:
    """A play that is worse than all that are listed, in a decision."""
    return structs.replace(last, text=str(play), moves=play.moves, position=counts_of(play.result), chances=())


def judged_choice(setup: BoardSetup, answer: PositionAnswer, choice: str) -> Decision:
    """The decision in which this was chosen; IllegalEvent says what is allowed."""
    kind, cube = kind_of(setup), answer.cube
    if choice not in CHOICES[kind] or cube is None:
        raise IllegalEvent(
            "the choice %(choice)s; allowed here: %(allowed)s", choice=choice, allowed=", ".join(CHOICES[kind])
        )
    info = cube_info_of_inquiry(setup.inquiry)
    if kind == "double":
        equities = {"No double": cube.no_double, "Double": min(cube.double_take, cube.double_pass)}
    else:
        info = info.flip()
        equities = {"Take": -cube.double_take, "Pass": -cube.double_pass}
    best = max(equities.values())
    ordered = sorted(equities.items(), key=lambda one: -one[1])
    options = [
        DecisionOption(text=text, equity=equity, loss=round(best - equity, 6), value=info.to_value(equity))
        for text, equity in ordered
    ]
    at = next(index for index, one in enumerate(options) if one.text == choice)
    return _decision(setup, info, choice.lower(), options, at, _equities(answer))


def _decision(
    setup: BoardSetup,
    info: CubeInfo,
    kind: str,
    options: list[DecisionOption],
    at: int,
    cube: CubeEquities | None = None,
) -> Decision:
    """A decision with its lesson and themes. info: of the player who decides."""
    kept = [one for index, one in enumerate(options) if index < SHOWN or index == at]
    made = options[at]
    loss = made.loss if made.loss >= SAME else 0.0
    decision = Decision(
        event=0,
        game=0,
        player=0,
        kind=kind,
        stage=phase_of(setup.rules, setup.of_actor, LATE_TURN),
        chosen=kept.index(made),
        options=tuple(kept),
        loss=loss,
        cost=round(options[0].value - made.value, 6) if loss else 0.0,
        counted=True,
        mark=mark_of(loss),
        faces=setup.faces,
        cube=cube,
    )
    told = loss and (kind != "play" or made.chances)
    return taught(setup.rules, info, setup.of_actor, decision) if told else decision


def _equities(answer: PositionAnswer) -> CubeEquities:
    cube = answer.cube
    assert cube is not None
    return CubeEquities(
        no_double=cube.no_double,
        double_take=cube.double_take,
        double_pass=cube.double_pass,
        action=cube.action,
        win=answer.chances[0],
        take=cube.take,
        double=cube.double,
        cash=cube.cash,
        too_good=cube.too_good,
        gammon=answer.chances[1] if len(answer.chances) == 5 else None,
    )
