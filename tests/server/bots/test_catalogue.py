"""Other engines as bots: real ones, in separate processes that are restarted when they end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from barpoint.chouette import ChouetteTerms, Order
from barpoint.engine import CubeInfo, CubeState, DecisionPoint, Engine, Score, levels
from barpoint.error import FormatError, UnsupportedRules
from barpoint.game import Stakes
from barpoint.language import in_language
from barpoint.match import Match, MatchTerms
from barpoint.server.bots.barpoint import EngineOpponents
from barpoint.server.bots.bgsage import Sage, SageJudge, has_sage
from barpoint.server.bots.catalogue import SeatedOpponents, installed
from barpoint.server.bots.gnubg import Gnubg, GnubgJudge, find_gnubg
from barpoint.server.bots.opponents import OURS, find_level, starting_level
from barpoint.server.child_process import EngineProcess, EngineProcessFailed
from barpoint.server.domain.agreements import Agreement
from barpoint.server.live.bots import BotRunner
from barpoint.server.live.chouettes import Proposed
from barpoint.server.live.matches import seat_for
from barpoint.variants import variant
from tests.cli.test_external import gnubg as gnubg_program
from tests.server.live.test_chouettes import PEOPLE, act_as_a_bot, check, do
from tests.server.live.test_chouettes import opened as chouettes_in
from tests.support.games import place
from tests.support.live_server import fold_equals_snapshot, opened
from tests.support.machine import PATIENCE_S
from tests.support.scripted_bots import ChanceBots, ScriptedDice

RULES = variant("backgammon")
START = RULES.start
MONEY = CubeInfo(CubeState())
RACE = place({6: 1, 5: 1, 1: 2}, {6: 2, 5: 2})
"""Four turns from home, well ahead."""


@pytest.fixture(scope="module")
def gnubg() -> Iterator[Gnubg]:
    seated = Gnubg(gnubg_program())
    yield seated
    seated.close()


@pytest.fixture(scope="module")
def sage() -> Iterator[Sage]:
    assert has_sage(), "bgsage comes with the dev extra"
    seated = Sage()
    yield seated
    seated.close()


@pytest.fixture(params=["gnubg", "sage"])
def judge(request: pytest.FixtureRequest) -> GnubgJudge | SageJudge:
    engine = request.getfixturevalue(request.param)
    return GnubgJudge(engine, RULES, 0) if isinstance(engine, Gnubg) else SageJudge(engine, RULES, 1)


def test_an_engine_plays_the_opening_as_everybody_does(judge: GnubgJudge | SageJudge) -> None:
    ranked = judge.rank(DecisionPoint(START, MONEY, faces=(3, 1)), limit=2)
    assert str(ranked[0].play) == "8/5 6/5"
    assert ranked[0].equity == pytest.approx(0.2, abs=0.05)
    assert ranked[1].loss > 0.1


STAKES = [
    MONEY,
    CubeInfo(CubeState(2, "us"), Score(3, 5)),
    CubeInfo(CubeState(2, "them"), Score(3, 5)),
    CubeInfo(CubeState(), Score(1, 3)),
    CubeInfo(CubeState(), Score(3, 1, crawford=True)),
    CubeInfo(CubeState(), stakes=Stakes(jacoby=True, beavers=3)),
    CubeInfo(None, Score(1, 1)),
]


@pytest.mark.parametrize("cube_info", STAKES, ids=str)
def test_it_is_asked_with_cube_and_score(judge: GnubgJudge | SageJudge, cube_info: CubeInfo) -> None:
    """Two good engines differ by little; one that got another score would differ by much."""
    point = DecisionPoint(START, cube_info)
    assert judge.equity(point) == pytest.approx(Engine(RULES).equity(point), abs=0.13)


def test_it_doubles_when_ahead_and_passes_when_lost(judge: GnubgJudge | SageJudge) -> None:
    assert judge.cube(DecisionPoint(RACE, MONEY)).doubles
    assert judge.cube(DecisionPoint(place({4: 1, 1: 1}, {1: 2}), MONEY)).action == "double/pass"  # 29 of 36
    assert not judge.cube(DecisionPoint(START, MONEY)).doubles


def test_a_cube_that_wins_nothing_is_not_turned_and_always_taken(judge: GnubgJudge | SageJudge) -> None:
    decision = judge.cube(DecisionPoint(RACE, CubeInfo(CubeState(), Score(1, 3))))
    assert not decision.doubles
    assert decision.double_pass > decision.double_take


def test_a_roll_that_moves_nothing_is_answered_at_once(judge: GnubgJudge | SageJudge) -> None:
    shut = place({25: 1, 1: 14}, {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2})
    (only,) = judge.rank(DecisionPoint(shut, MONEY, faces=(6, 5)))
    assert only.play.moves == ()
    assert only.equity < 0


def test_gnubg_knows_backgammon_and_nackgammon_and_bgsage_the_first(gnubg: Gnubg, sage: Sage) -> None:
    assert gnubg.covers(RULES)
    assert gnubg.covers(variant("nackgammon"))
    assert not gnubg.covers(variant("roll-over"))
    assert sage.covers(RULES)
    assert not sage.covers(variant("nackgammon"))
    with pytest.raises(UnsupportedRules):
        sage.player(variant("roll-over"), "bgsage-1")


def test_strengths_are_offered_with_the_games_they_play(gnubg: Gnubg, sage: Sage) -> None:
    bots = SeatedOpponents(EngineOpponents(), gnubg, sage)
    assert [level.engine for level in bots.levels_for(variant("roll-over"))] == [OURS] * len(levels())
    assert {level.name for level in bots.levels_for(variant("nackgammon"))} >= {"strongest", "gnubg-2"}
    assert find_level(bots, RULES, None).name == "master"
    assert find_level(bots, RULES, "strongest").slow
    assert find_level(bots, RULES, "gnubg-2").bot == "GNU Backgammon 2-ply"
    with pytest.raises(FormatError, match="allowed: beginner"):
        find_level(bots, variant("nackgammon"), "bgsage-3")


def test_an_engine_that_is_not_installed_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BARPOINT_GNUBG", "BARPOINT_SAGE"):
        monkeypatch.setenv(name, "")
    assert find_gnubg() is None
    assert {level.engine for level in installed().levels} == {OURS}


# ---------------------------------------------------------------- whole matches


async def played(folder: Path, bots: Any, levels: tuple[str, str], terms: MatchTerms) -> Match:
    """Plays a match between two bots to its end."""
    async with opened(folder) as matches:
        runner = BotRunner([matches], bots, 0)
        await runner.start()
        first, second = (seat_for(None, name=level, level=level) for level in levels)
        header = await matches.make(Agreement(RULES, terms), (first, second))
        async with asyncio.timeout(5 * PATIENCE_S):
            while not (await matches.live_match(header.id)).match.over:
                await asyncio.sleep(0.01)
        await runner.stop()
        return await fold_equals_snapshot(matches.store, header.id)


async def test_a_whole_match_is_played_against_a_real_gnubg(tmp_path: Path) -> None:
    bots = SeatedOpponents(EngineOpponents(), Gnubg(gnubg_program()))
    match = await played(tmp_path, bots, ("gnubg-0", "strong"), MatchTerms(length=3))
    assert max(match.score) >= 3


async def test_a_whole_match_is_played_against_a_real_bgsage(tmp_path: Path) -> None:
    match = await played(
        tmp_path, SeatedOpponents(EngineOpponents(), Sage()), ("strong", "bgsage-1"), MatchTerms(length=1)
    )
    assert max(match.score) >= 1


async def test_a_whole_chouette_is_played_by_real_engines_beside_our_own(tmp_path: Path) -> None:
    """Every bot that can play a match can play a chouette."""
    chance = ChanceBots()
    bots = SeatedOpponents(chance, Gnubg(gnubg_program()), Sage())
    seated = (("gnubg-0", "gnubg"), ("bgsage-1", "bgsage"), ("chance", "ours"))
    async with chouettes_in(tmp_path, dice=ScriptedDice()) as chouettes:
        runner = BotRunner([chouettes], bots, 0)
        chouette_id = await chouettes.open(PEOPLE[0], Proposed(RULES, ChouetteTerms(beavers=3), bots=seated))
        await do(chouettes, chouette_id, 0, Order(()))
        while not (chouette := (await chouettes.live_chouette(chouette_id)).chouette).finished:
            if 0 in chouette.waits_for:
                await act_as_a_bot(chouettes, chouette_id, 0)
            else:
                assert await runner.step(chouettes, chouette_id)
        await runner.stop()
        assert sum((await check(chouettes.store, chouette_id)).ledger) == 0


class Mortal(Gnubg):
    """A gnubg that is killed now and then during a match."""

    asked = 0

    def ask(self, *lines: str) -> list[str]:
        self.asked += 1
        if self.asked % 7 == 0 and self.child.pid is not None:
            os.kill(self.child.pid, signal.SIGKILL)
        return super().ask(*lines)


async def test_an_engine_that_crashes_is_started_again_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("barpoint.server.live.bots.RETRY_S", 0.01)
    mortal = Mortal(gnubg_program())
    bots = SeatedOpponents(ChanceBots(), mortal)
    match = await played(tmp_path, bots, ("gnubg-0", "chance"), MatchTerms(length=1, cube=False))
    assert match.over
    assert mortal.child.starts >= 2


class Absent(ChanceBots):
    """An engine that is no longer installed."""

    def player(self, rules: Any, level: str) -> Any:
        raise UnsupportedRules(f"no engine of this machine is called {level!r}")


async def test_a_match_waits_for_an_engine_that_stays_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody loses the match; a process that has the engine resumes it (here: the next start)."""
    monkeypatch.setattr("barpoint.server.live.bots.RETRY_S", 0.01)
    monkeypatch.setattr("barpoint.server.live.bots.MAX_RETRY_S", 0.05)
    async with opened(tmp_path) as matches:
        bots: tuple[Any, Any] = (seat_for(None, name="One", level="chance"), seat_for(None, name="Two", level="chance"))
        runner = BotRunner([matches], Absent(), 0)
        await runner.start()
        header = await matches.make(Agreement(variant("hypergammon"), MatchTerms(length=1)), bots)
        async with asyncio.timeout(PATIENCE_S):
            while caplog.text.count("cannot act") < 3:
                await asyncio.sleep(0.01)
        await runner.stop()
        assert not (await matches.live_match(header.id)).match.over
        assert "Traceback" not in caplog.text
        back = BotRunner([matches], ChanceBots(), 0)
        await back.start()
        async with asyncio.timeout(PATIENCE_S):
            while not (await matches.live_match(header.id)).match.over:
                await asyncio.sleep(0.01)
        await back.stop()


# ---------------------------------------------------------------- other programs


def child(script: str) -> EngineProcess:
    return EngineProcess("example", (sys.executable, "-c", script))


def test_a_program_is_asked_and_answers() -> None:
    echo = child("import sys\nfor line in sys.stdin: print(line.upper(), flush=True)")
    assert echo.ask(["hello"], lambda line: line == "", PATIENCE_S) == ["HELLO"]
    assert echo.starts == 1
    echo.close()


def test_a_program_that_has_ended_is_started_again() -> None:
    once = child("print(input().upper(), flush=True); print(flush=True); input()")
    assert once.ask(["one"], lambda line: line == "", PATIENCE_S) == ["ONE"]
    assert once.pid is not None
    os.kill(once.pid, signal.SIGKILL)
    answers = []
    while not answers:
        try:
            answers = once.ask(["two"], lambda line: line == "", PATIENCE_S)
        except EngineProcessFailed:
            continue
    assert answers == ["TWO"]
    assert once.starts >= 2
    once.close()


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("import time; time.sleep(1000)", "no answer"),
        ("raise SystemExit", "ended"),
        ("while True: print('x')", "lines"),
    ],
)
def test_a_program_that_hangs_ends_or_raves_fails_and_is_gone(script: str, said: str) -> None:
    bad = child(script)
    with pytest.raises(EngineProcessFailed, match=rf"{said}|Broken pipe"):
        bad.ask(["hello"], lambda line: line == "", 0.5 if said == "no answer" else PATIENCE_S)
    assert bad.pid is None


def test_a_program_that_is_not_there_fails() -> None:
    with pytest.raises(EngineProcessFailed, match="No such file"):
        EngineProcess("nothing", ("/nowhere/at/all",)).ask(["hello"], bool, PATIENCE_S)


def test_a_newcomer_meets_a_level_that_they_can_beat_unless_they_choose() -> None:
    shown = EngineOpponents().levels
    weak = starting_level(shown)
    assert weak is not None
    assert weak.pr is not None
    assert weak.pr > 15
    assert [level.name for level in shown].index(weak.name) < [level.name for level in shown].index("tournament")
    assert starting_level(shown, "expert") == next(level for level in shown if level.name == "expert")
    assert starting_level(()) is None


def test_levels_that_err_like_people_are_offered_under_a_heading_of_their_own() -> None:
    groups = {level.name: level.group for level in EngineOpponents().levels}
    assert groups["club"] == OURS
    assert groups["pr-8"] == "Barpoint, with errors like people"
    names = {level.name: level.bot for level in EngineOpponents().levels}
    assert (names["club"], names["pr-8"]) == ("Barpoint Club", "Barpoint Club, PR 8")
    assert len(set(names.values())) == len(names)
    with in_language("de"):
        assert next(level for level in EngineOpponents().levels if level.people).group == "Barpoint, irrt wie Menschen"
