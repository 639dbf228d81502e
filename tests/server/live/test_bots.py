"""Bots act through the same commands as people, resume after a restart, and never stop the loop."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from barpoint.error import StoreError, UnsupportedRules
from barpoint.game import Double, Event, Pass, Roll
from barpoint.match import Match, MatchTerms
from barpoint.rules import Rules
from barpoint.server.bots.barpoint import EngineOpponents
from barpoint.server.domain.agreements import Agreement
from barpoint.server.live.bots import RETRY_S, BotRunner
from barpoint.server.live.match_transactions import new_header, put_new
from barpoint.server.live.matches import Matches, seat_for
from barpoint.variants import variant
from tests.support.live_server import ANNA, BEN, Clock, DrivenMatch, fold_equals_snapshot, opened
from tests.support.machine import PATIENCE_S
from tests.support.scripted_bots import ChanceBot, ChanceBots, ScriptedDice


def bot() -> Any:
    return seat_for(None, name="Bot", level="chance")


async def finished(matches: Matches, match_id: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not (await matches.live_match(match_id)).match.over:
            await asyncio.sleep(0.01)


async def test_two_bots_play_a_match_to_its_end(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        runner = BotRunner([matches], ChanceBots(), 0)
        await runner.start()
        header = await matches.make(Agreement(variant("roll-over+hypergammon"), MatchTerms(length=3)), (bot(), bot()))
        await finished(matches, header.id)
        await runner.stop()
        match = await fold_equals_snapshot(matches.store, header.id)
        assert max(match.score) >= 3


async def test_a_match_that_waits_for_a_bot_is_taken_up_at_the_start(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        header = await matches.make(Agreement(variant("hypergammon"), MatchTerms(length=1)), (bot(), bot()))
        assert (await matches.live_match(header.id)).seq >= 1
    async with opened(tmp_path) as matches:
        runner = BotRunner([matches], ChanceBots(), 0)
        await runner.start()
        await finished(matches, header.id)
        await runner.stop()


@pytest.mark.usefixtures("each_database")
async def test_matches_in_which_nothing_is_to_be_done_for_a_bot_are_left_alone(tmp_path: Path) -> None:
    agreement, clock = Agreement(variant("backgammon"), MatchTerms(length=3)), Clock()
    async with opened(tmp_path, ScriptedDice([(6, 5)] * 9), clock) as matches:

        async def between_games(first: Any, second: Any) -> str:
            driven = DrivenMatch(matches, await matches.make(agreement, (first, second)), clock)
            await driven.turn()
            await driven.turn()
            await driven.do(Double(0))
            await driven.do(Pass(1))
            return driven.id

        await between_games(seat_for(ANNA), bot())
        await matches.make(agreement, (seat_for(ANNA), bot()), players_seed=True)
        await matches.make(agreement, (seat_for(ANNA), bot()))  # it is Anna's turn
        await matches.make(agreement, (seat_for(ANNA), seat_for(BEN)))
        not_begun = new_header(agreement, (seat_for(ANNA), bot()), clock())
        await matches.store.write(put_new, not_begun)  # by a process that was killed then
        wanted = {
            (await matches.make(agreement, (bot(), seat_for(ANNA)))).id,
            await between_games(bot(), bot()),
            not_begun.id,
        }
        assert set(await matches.waiting_for_bots(0)) == wanted
        assert await matches.waiting_for_bots(1) == []


class Slow(ChanceBots):
    """Bots that think until a test stops them."""

    def __init__(self) -> None:
        super().__init__()
        self.thinking, self.enough = threading.Event(), threading.Event()

    def player(self, rules: Rules, level: str) -> ChanceBot:
        outer = self

        class Thinker(ChanceBot):
            def event(self, match: Match, player: int, /) -> Event:
                outer.thinking.set()
                assert outer.enough.wait(PATIENCE_S)
                return super().event(match, player)

        return Thinker()


async def test_a_bot_that_thinks_does_not_stop_the_server(tmp_path: Path) -> None:
    bots = Slow()
    async with opened(tmp_path) as matches:
        runner = BotRunner([matches], bots, 0)
        await runner.start()
        header = await matches.make(Agreement(variant("hypergammon"), MatchTerms(length=1)), (bot(), bot()))
        async with asyncio.timeout(PATIENCE_S):
            while not bots.thinking.is_set():
                await asyncio.sleep(0.01)
        other = await matches.make(Agreement(variant("hypergammon"), MatchTerms(length=1)), (seat_for(ANNA), bot()))
        assert (await matches.live_match(other.id)).seq >= 1
        bots.enough.set()
        await finished(matches, header.id)
        await runner.stop()


class Clumsy(ChanceBots):
    """A bot that first fails, then takes an illegal action, then plays."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def player(self, rules: Rules, level: str) -> ChanceBot:
        outer = self

        class Stumbler(ChanceBot):
            def event(self, match: Match, player: int, /) -> Event:
                outer.asked += 1
                if outer.asked == 1:
                    raise UnsupportedRules("not today")
                if outer.asked == 2 and match.game.faces:
                    return Roll(player)
                return super().event(match, player)

        return Stumbler()


async def test_a_bot_that_fails_is_asked_again(tmp_path: Path, monkeypatch: Any, caplog: Any) -> None:
    monkeypatch.setattr("barpoint.server.live.bots.RETRY_S", 0.01)
    async with opened(tmp_path) as matches:
        runner = BotRunner([matches], Clumsy(), 0)
        await runner.start()
        header = await matches.make(Agreement(variant("hypergammon"), MatchTerms(length=1)), (bot(), bot()))
        await finished(matches, header.id)
        await runner.stop()
    assert "not today" in caplog.text
    assert "allowed now: play" in caplog.text


async def test_a_bot_acts_soon_after_an_outage_however_long_it_was(tmp_path: Path, monkeypatch: Any) -> None:
    pauses: list[float] = []
    outage = 20
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        if seconds >= 1:
            pauses.append(seconds)
        await sleep(0)

    async with opened(tmp_path) as matches:
        turn = matches.bot_turn

        async def away(match_id: str) -> Any:
            if len(pauses) < outage:
                raise StoreError("the database is away")
            return await turn(match_id)

        monkeypatch.setattr(matches, "bot_turn", away)
        monkeypatch.setattr("barpoint.server.live.bots.asyncio.sleep", noted)
        runner = BotRunner([matches], ChanceBots(), 0)
        await runner.start()
        header = await matches.make(Agreement(variant("hypergammon"), MatchTerms(length=1)), (bot(), bot()))
        await finished(matches, header.id)
        await runner.stop()
    assert pauses == [RETRY_S] * outage


async def test_the_bots_of_the_package_play_what_they_say_they_play(tmp_path: Path) -> None:
    bots = EngineOpponents()
    assert bots.levels[0].name == "beginner"
    assert bots.covers(variant())
    assert bots.covers(variant("plakoto"))
    assert not bots.covers(variant("roll-over+plakoto"))
    async with opened(tmp_path) as matches:
        runner = BotRunner([matches], bots, 0)
        await runner.start()
        seats = tuple(seat_for(None, name=name, level=name) for name in ("beginner", "club"))
        for name in ("backgammon", "roll-over+hypergammon", "duodecagammon", "plakoto", "fevga"):
            header = await matches.make(Agreement(variant(name), MatchTerms(length=1)), (seats[0], seats[1]))
            await finished(matches, header.id)
            await fold_equals_snapshot(matches.store, header.id)
        await runner.stop()
