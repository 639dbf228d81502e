"""In matches with days for a turn the server does what players have asked for, in the step that makes it possible."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec import UNSET

from barpoint.board import Position, Side
from barpoint.game import Double, Phase, PlayMade, Roll
from barpoint.match import MatchTerms, StartingPosition
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.automatic import NOTHING, AutomaticTurns, Rolling, StandingAnswer
from barpoint.server.live.adjournments import Adjournments
from barpoint.server.live.event_log import ForeignSeat
from barpoint.server.live.matches import Matches
from barpoint.server.live.seat_presence import SeatPresence
from barpoint.server.storage import automatic as automatic_storage
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.personal_data import own_data
from barpoint.variants import variant
from tests.support.live_server import BEN, Clock, DrivenMatch, fold_equals_snapshot, guest_seats, opened
from tests.support.scripted_bots import ScriptedDice

pytestmark = pytest.mark.usefixtures("each_database")

CLOSED = Position(Side.of({1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3}), Side.of({25: 1, 6: 7, 5: 7}))
"""Anna has closed out Ben."""

ACE_POINT_OPEN = Position(Side.of({2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 3, 9: 2}), Side.of({25: 1, 6: 7, 5: 7}))
"""Ben can enter with a 1."""

ROLL_AND_PASS = AutomaticTurns(Rolling.NO_DOUBLE, passes=True)
TAKE = AutomaticTurns(answer=StandingAnswer.TAKE)


async def made(
    matches: Matches, begins_at: StartingPosition, name: str, time_control: str, clock: Clock
) -> DrivenMatch:
    terms = MatchTerms(length=3, begins_at=begins_at)
    return DrivenMatch(matches, await matches.make(Agreement(variant(name), terms, time_control), guest_seats()), clock)


@asynccontextmanager
async def begun(
    folder: Path,
    position: Position = CLOSED,
    *rolls: tuple[int, int],
    faces: tuple[int, ...] = (2, 1),
    owner: int | None = 0,
    name: str = "backgammon",
    tokens: tuple[int, int] | None = None,
    time_control: str = "Correspondence 2",
) -> AsyncIterator[DrivenMatch]:
    """A match in which Anna (0) is to play these faces, or to roll, and owns the cube unless said otherwise."""
    clock = Clock()
    begins_at = StartingPosition.of(
        position, 0, faces=faces, cube=1 if owner is None else 2, owner=owner, tokens=tokens
    )
    async with opened(folder, ScriptedDice((), rolls), clock) as matches:
        yield await made(matches, begins_at, name, time_control, clock)


async def asks(driven: DrivenMatch, turns: AutomaticTurns, seat: int = 1) -> None:
    await driven.matches.set_automatic(driven.id, seat, turns)


async def kinds(driven: DrivenMatch) -> list[str]:
    """The kinds of all events, with who made them."""
    found = await driven.matches.store.read(log_storage.get_events, log_storage.MATCHES, driven.id)
    return [f"{one.actor} {one.kind}" for one in found]


async def test_a_dance_costs_no_day(tmp_path: Path) -> None:
    async with begun(tmp_path, CLOSED, (6, 5)) as driven:
        await asks(driven, ROLL_AND_PASS)
        first = await driven.do(PlayMade(0, ((8, 6, 2), (8, 7, 1))))
        assert first == 1, "the command has the number of its own event"
        assert await kinds(driven) == ["0 play", "1 roll", "1 play"]
        game = (await driven.match()).game
        assert (game.phase, game.player) == (Phase.TO_ROLL, 0)
        assert (await driven.live_match()).deadline_at == driven.clock.now + 2 * 86_400_000
        await fold_equals_snapshot(driven.matches.store, driven.id)
        lines = (await driven.live_match()).lines(0, 0)
        assert [(one.kind, one.automatic) for one in lines] == [("play", UNSET), ("roll", UNSET), ("play", True)]
    async with opened(tmp_path) as matches:
        assert (await matches.live_match(driven.id)).lines(0, 0) == lines


async def test_it_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with begun(tmp_path) as driven:
        await asks(driven, ROLL_AND_PASS)
    async with opened(tmp_path) as matches:
        await DrivenMatch(matches, driven.header, driven.clock).play_first()
        assert await kinds(DrivenMatch(matches, driven.header, driven.clock)) == ["0 play", "1 roll", "1 play"]


@pytest.mark.parametrize(("rolling", "played"), [(Rolling.NO_DOUBLE, 1), (Rolling.ALWAYS, 3), (Rolling.NEVER, 1)])
async def test_a_cube_that_could_be_turned_is_rolled_past_only_if_that_was_asked_for(
    tmp_path: Path, rolling: Rolling, played: int
) -> None:
    async with begun(tmp_path, owner=None) as driven:
        await asks(driven, AutomaticTurns(rolling, passes=True))
        await driven.play_first()
        assert len(await kinds(driven)) == played


@pytest.mark.parametrize(("roll", "played"), [((6, 1), 3), ((2, 1), 2)])
async def test_a_play_is_made_only_if_no_other_result_is_possible(
    tmp_path: Path, roll: tuple[int, int], played: int
) -> None:
    async with begun(tmp_path, ACE_POINT_OPEN, roll) as driven:
        await asks(driven, AutomaticTurns(Rolling.ALWAYS, forced=True))
        await driven.do(PlayMade(0, ((9, 7, 2), (9, 8, 1))))
        assert len(await kinds(driven)) == played
        game = (await driven.match()).game
        assert game.player == (0 if played == 3 else 1)


async def test_what_is_possible_when_it_is_asked_for_is_done_at_once(tmp_path: Path) -> None:
    async with begun(tmp_path) as driven:
        await driven.play_first()
        await asks(driven, AutomaticTurns(Rolling.NO_DOUBLE))
        assert await kinds(driven) == ["0 play", "1 roll"]
        await asks(driven, ROLL_AND_PASS)
        assert await kinds(driven) == ["0 play", "1 roll", "1 play"]
        assert (await driven.live_match()).automatic == (NOTHING, ROLL_AND_PASS)


async def test_nothing_is_done_while_a_match_is_adjourned_and_it_is_when_that_goes_on(tmp_path: Path) -> None:
    async with begun(tmp_path) as driven:
        await driven.play_first()
        adjournments = Adjournments(driven.matches, SeatPresence(driven.matches.pubsub, driven.clock))
        for seat in (0, 1):
            await adjournments.ask(driven.id, seat, "adjourn")
        await asks(driven, ROLL_AND_PASS)
        assert await kinds(driven) == ["0 play"]
        for seat in (1, 0):
            await adjournments.ask(driven.id, seat, "resume")
        assert await kinds(driven) == ["0 play", "1 roll", "1 play"]


@pytest.mark.parametrize("answer", [StandingAnswer.TAKE, StandingAnswer.PASS])
async def test_a_standing_answer_is_given_once(tmp_path: Path, answer: StandingAnswer) -> None:
    async with begun(tmp_path, faces=(), owner=None) as driven:
        await asks(driven, AutomaticTurns(passes=True, answer=answer))
        await driven.do(Double(0))
        assert await kinds(driven) == ["0 double", f"1 {answer}"]
        assert (await driven.live_match()).automatic[1] == AutomaticTurns(passes=True)
        kept = await driven.matches.store.read(automatic_storage.turns_of, driven.id)
        assert kept == (NOTHING, AutomaticTurns(passes=True))
        assert (await driven.match()).game.over == (answer is StandingAnswer.PASS)


async def test_a_standing_answer_is_gone_with_the_next_roll_or_when_it_is_withdrawn(tmp_path: Path) -> None:
    async with begun(tmp_path, faces=(), owner=None) as driven:
        await asks(driven, TAKE)
        await driven.do(Roll(0))
        assert (await driven.live_match()).automatic == (NOTHING, NOTHING)
    async with begun(tmp_path, faces=(), owner=None) as driven:
        await asks(driven, TAKE)
        await asks(driven, NOTHING)
        await driven.do(Double(0))
        assert (await driven.match()).game.phase is Phase.DOUBLED


async def test_an_answer_withdrawn_in_another_process_is_not_given(tmp_path: Path) -> None:
    async with begun(tmp_path, faces=(), owner=None) as driven, opened(tmp_path) as other:
        await asks(driven, TAKE)
        await other.set_automatic(driven.id, 1, NOTHING)  # of which the first process is not told
        await driven.do(Double(0))
        assert await kinds(driven) == ["0 double"]


async def test_a_double_from_another_process_is_answered_by_the_answer_that_is_given_only_now(tmp_path: Path) -> None:
    async with begun(tmp_path, faces=(), owner=None) as driven, opened(tmp_path) as other:
        await other.live_match(driven.id)
        await driven.do(Double(0))  # of which the other process is not told
        await other.set_automatic(driven.id, 1, TAKE)
        assert await kinds(driven) == ["0 double", "1 take"]


async def test_nothing_is_kept_for_a_match_that_was_over_meanwhile_in_another_process(tmp_path: Path) -> None:
    async with begun(tmp_path) as driven, opened(tmp_path) as other:
        await driven.play_first()
        await other.live_match(driven.id)
        driven.clock.now += 3 * 86_400_000
        await driven.matches.expire(driven.id)
        with pytest.raises(Conflict, match="over"):
            await other.set_automatic(driven.id, 1, TAKE)
        assert await driven.matches.store.read(automatic_storage.turns_of, driven.id) == (NOTHING, NOTHING)


@pytest.mark.parametrize(("tokens", "played"), [((1, 0), 3), ((0, 1), 1), ((1, 1), 1)])
async def test_nothing_is_done_for_a_player_who_could_still_reroll(
    tmp_path: Path, tokens: tuple[int, int], played: int
) -> None:
    """RC-8; also their own roll, which they may reroll until their commit."""
    async with begun(tmp_path, name="roll-over", tokens=tokens) as driven:
        await asks(driven, ROLL_AND_PASS)
        await driven.play_first()
        assert len(await kinds(driven)) == played
        if tokens[1]:
            await driven.do(Roll(1))
            assert (await driven.match()).game.phase is Phase.TO_PLAY


async def test_only_players_of_matches_with_days_for_a_turn_have_it_and_it_ends_with_the_match(tmp_path: Path) -> None:
    async with begun(tmp_path, time_control="Normal") as driven:
        with pytest.raises(ForeignSeat, match="days for a turn"):
            await asks(driven, ROLL_AND_PASS)
    async with begun(tmp_path) as driven:
        with pytest.raises(ForeignSeat, match="for players alone"):
            await driven.matches.set_automatic(driven.id, None, ROLL_AND_PASS)
        await asks(driven, ROLL_AND_PASS)
        await driven.play_first()
        driven.clock.now += 3 * 86_400_000
        await driven.matches.expire(driven.id)
        assert (await driven.match()).over
        assert await driven.matches.store.read(automatic_storage.turns_of, driven.id) == (NOTHING, NOTHING)
        with pytest.raises(ForeignSeat, match="over"):
            await asks(driven, ROLL_AND_PASS)


async def test_a_person_takes_with_them_what_they_have_asked_for_and_nobody_else_does(tmp_path: Path) -> None:
    async with begun(tmp_path) as driven:
        await asks(driven, TAKE)
        for person, rows in (("anna", 0), (BEN.id, 1)):
            pack = zipfile.ZipFile(io.BytesIO(await driven.matches.store.read(own_data, person)))
            assert len(json.loads(pack.read("automatic_turns.json"))) == rows
            assert "command_id" not in pack.read(f"match/{driven.id}.json").decode(), "it would tell what was automatic"
