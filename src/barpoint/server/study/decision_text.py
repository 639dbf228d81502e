"""A decision with its analysis as text to paste elsewhere, from answers that are kept."""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import replace
from typing import Final, Literal

import msgspec

from barpoint.analysis import Decision, Report
from barpoint.analysis.answer import before
from barpoint.analysis.decision_board import DecisionBoard
from barpoint.analysis.decision_text import decision_text
from barpoint.analysis.inquiry import Inquiry
from barpoint.analysis.position import PositionAnswer, play_text
from barpoint.analysis.position_rollout import RolloutMethod
from barpoint.error import BarpointError
from barpoint.game import Phase
from barpoint.match.situation import Offer
from barpoint.moves import parse_play
from barpoint.record.xgid import BOTTOM
from barpoint.server.domain.analysis_board import BoardSetup, setup_from_game
from barpoint.server.study.advisers import KEPT_PLIES, Advisers
from barpoint.server.study.analysis_board import decision_board
from barpoint.server.study.nets import AnalysisRefused
from barpoint.server.study.recordings import Recording
from barpoint.server.study.rollouts import RolloutAsker, Rollouts

CubeDone = Literal["No double", "Double", "Take", "Pass"]

JUDGED: Final = ("play", "double", "no double", "take", "pass")
"""Kinds of decisions that the analysis of positions knows; rerolls, resignations and answers to a beaver are not among them."""

OFFERS: Final = (Offer.DOUBLE, Offer.BEAVER, Offer.RACCOON)
"""What is offered, by how often it was raised."""


async def text_of_position(
    advisers: Advisers,
    rollouts: Rollouts,
    setup: BoardSetup,
    method: RolloutMethod,
    asker: RolloutAsker,
    plies: int,
    made: str = "",
) -> str:
    """The board with the answer of this depth, and with its rollout by this method where there is one.

    made: what was played, a play in notation or such as "Take". AnalysisRefused or BarpointError where nothing can be said.
    """
    inquiry = setup.inquiry
    made = await asyncio.to_thread(_made, setup, made)
    answer = await _answer(advisers, inquiry, plies, registered=asker.registered)
    rolled = (await rollouts.state(inquiry, method, asker)).answer
    shown = decision_board(setup)
    if made in ("Take", "Pass"):
        shown = _offered(shown, Offer.DOUBLE)
    return await asyncio.to_thread(decision_text, shown, answer, made=made, rolled=rolled)


async def text_of_moment(
    advisers: Advisers,
    rollouts: Rollouts,
    recording: Recording,
    packed: bytes,
    asker: RolloutAsker,
    moment: tuple[int, int, str],
    plies: int,
) -> str:
    """A decision of a match by its report, compressed with gzip; by a deeper answer where `plies` says so, and with its usual rollout if there is one.

    moment: the event, the player and the kind of the decision. AnalysisRefused where the report has no such decision, or one
        that is no question about a position.
    """
    report, decision, setup, shown = await asyncio.to_thread(_moment, recording, packed, *moment)
    found: PositionAnswer | Decision = decision
    made = decision.made.text
    also = made if decision.kind == "play" and decision.made.moves else ""
    rolled = (await rollouts.state(setup.inquiry, RolloutMethod(also=also), asker)).answer
    if plies > report.plies:
        found = await _answer(advisers, setup.inquiry, plies, registered=asker.registered)
    return await asyncio.to_thread(decision_text, shown, found, made=made, report=report, rolled=rolled)


async def _answer(advisers: Advisers, inquiry: Inquiry, plies: int, *, registered: bool) -> PositionAnswer:
    """The answer of this depth, or a deeper one that somebody has had found out."""
    if plies >= KEPT_PLIES["position"]:
        known = await advisers.known(inquiry)
        found = None if known is None else msgspec.json.decode(known, type=PositionAnswer)
        if found is not None and found.plies >= plies:
            return found
    said = await advisers.answer("position", inquiry, plies, registered=registered)
    return msgspec.json.decode(said, type=PositionAnswer)


def _made(setup: BoardSetup, made: str) -> str:
    """What was played, as an answer names it; BarpointError for what cannot be."""
    if not made:
        return ""
    if setup.faces:
        return play_text(parse_play(setup.rules, setup.of_actor, setup.faces, made))
    try:
        done = msgspec.convert(made, CubeDone)
    except msgspec.ValidationError:
        raise BarpointError(
            "the choice %(choice)s; allowed here: %(allowed)s",
            choice=made[:20],
            allowed="No double, Double, Take, Pass",
        ) from None
    return done if setup.cube else ""


def _offered(shown: DecisionBoard, offer: Offer) -> DecisionBoard:
    """The same board while X answers an offer of the cube."""
    return replace(shown, situation=replace(shown.situation, offer=offer, actor=BOTTOM))


def _moment(
    recording: Recording, packed: bytes, event: int, player: int, kind: str
) -> tuple[Report, Decision, BoardSetup, DecisionBoard]:
    report = msgspec.json.decode(gzip.decompress(packed), type=Report)
    wanted = event, player, kind
    found = (one for one in report.decisions if (one.event, one.player, one.kind) == wanted)
    decision = next(found, None)
    if decision is None or kind not in JUDGED or (kind in ("take", "pass") and decision.cube is None):
        raise AnalysisRefused("event %(event)s is no decision that was judged", 404, event=event)
    match = before(recording.match, event)
    setup = setup_from_game(match, player)
    shown = decision_board(setup, (recording.players[player], recording.players[1 - player]))
    if match.game.phase is Phase.DOUBLED:
        shown = _offered(shown, OFFERS[min(match.game.cube.raises, 2)])
    return report, decision, setup, shown
