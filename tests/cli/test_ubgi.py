"""UBGI: our engine answers by it, and a program that speaks it plays a match."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest

import barpoint as bp
from barpoint import dice
from barpoint.cli import ubgi
from barpoint.cli.ubgi import replies
from barpoint.engine import Bot
from barpoint.error import ArgumentError
from barpoint.game import Accept, Next, Opening, PlayMade, Resign
from barpoint.ubgi import AsyncUbgiPlayer, UbgiError, UbgiPlayer
from tests.support.games import AnythingAllowed

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
SERVER = [
    sys.executable,
    "-c",
    "import sys; from barpoint.cli.ubgi import replies\nfor line in replies(sys.stdin, 'club'): print(line, flush=True)",
]


def said(*lines: str) -> list[str]:
    return list(replies(lines, "strong"))


def test_the_engine_says_who_it_is_and_answers_positions() -> None:
    opening = said("ubgi", START, START.replace(":31:", ":00:"), "stop", "quit", START)
    assert opening[0] == "id name Barpoint"
    assert opening[3:] == ["readyok", "8/5 6/5", "roll"]


def test_a_budget_of_time_reaches_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: list[float | None] = []

    def made(rules: str, level: str, time_ms: float | None) -> Bot:
        budgets.append(time_ms)
        return Bot(rules, level, time_ms=time_ms)

    monkeypatch.setattr(ubgi, "Bot", made)
    assert list(replies(["ubgi", START], "expert", 5))[4:] == ["8/5 6/5"]
    assert budgets == [5]


def test_cubes_are_turned_taken_and_dropped() -> None:
    race = "XGID=-----A------------------a-:0:0:1:{}:0:0:0:7:10"
    assert said("ubgi", race.format("00"))[4:] == ["double"]
    assert said("ubgi", race.format("D"))[4:] == ["drop"]
    assert said("ubgi", START.replace(":31:", ":D:"))[4:] == ["take"]


def test_a_beaver_is_answered_where_there_can_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Money with beavers; else there is none to answer, and why is said beside the protocol."""
    beaver = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:{}:{}:10"
    assert said("ubgi", beaver.format("B", 2, 0), beaver.format("R", 2, 0))[4:] == ["take", "take"]
    assert capsys.readouterr().err == ""
    assert said("ubgi", beaver.format("B", 0, 0), beaver.format("B", 0, 2))[4:] == ["sorry", "sorry"]
    assert capsys.readouterr().err.count("beavers and raccoons after one double: at most 0") == 2


@pytest.mark.parametrize("line", ["", "hello", "XGID=nothing", "board:x", "XGID=" + "-" * 26 + ":0:0:1:00:0:0:0:7:10"])
def test_what_is_no_position_is_answered_politely(line: str) -> None:
    assert said("ubgi", line)[4:] == ["sorry"]
    assert said(START) == ["sorry"], "nothing is answered before ubgi"


def test_a_program_that_speaks_it_plays_a_match() -> None:
    with UbgiPlayer(SERVER) as player:
        assert player.name == "Barpoint"
        match = bp.Match.start(length=1)
        *_, match = bp.play_match(match, player, AnythingAllowed(2), dice=dice.seeded(5))
        assert match.over
        assert player.answer(START) == "8/5 6/5"
        with pytest.raises(UbgiError, match="has no answer"):
            player.answer("XGID=nothing")
    with pytest.raises(UbgiError, match="has ended"):
        player.answer(START)


def answering(text: str) -> list[str]:
    """A program that answers every position with a text."""
    return [
        sys.executable,
        "-c",
        f"print('id name Parrot'); print('readyok', flush=True); input(); [print({text!r}, flush=True) for _ in iter(input, 'quit')]",
    ]


@pytest.mark.parametrize("text", ["8 5 6 5", "8-5 6-5", "8/5 6/5"])
def test_every_way_of_writing_a_play_is_read(text: str) -> None:
    match = bp.Match.start(length=3).apply(Opening((3, 1)))
    with UbgiPlayer(answering(text)) as player:
        assert player.event(match, 0) == PlayMade(0, ((8, 5, 3), (6, 5, 1)))


def test_what_is_no_answer_is_an_error() -> None:
    match = bp.Match.start(length=3).apply(Opening((3, 1)))
    with UbgiPlayer(answering("castle")) as player, pytest.raises(UbgiError, match="Parrot says 'castle'"):
        player.event(match, 0)
    with pytest.raises(UbgiError, match="could not start"):
        UbgiPlayer([sys.executable, "-c", "print('sorry')"])


def test_between_two_games_the_next_one_is_asked_for() -> None:
    match = bp.Match.start(length=3).apply(Opening((3, 1))).apply(Resign(0, 1)).apply(Accept(1))
    assert match.game.over
    with UbgiPlayer(answering("roll")) as player:
        assert player.event(match, 0) == Next()


async def test_programs_are_asked_side_by_side_with_asyncio() -> None:
    match = bp.Match.start(length=7).apply(Opening((3, 1)))
    async with AsyncUbgiPlayer(SERVER) as one, AsyncUbgiPlayer(answering("8/5 6/5")) as other:
        assert (one.name, other.name) == ("Barpoint", "Parrot")
        found = await asyncio.gather(one.event(match, 0), other.event(match, 0), one.event(match, 1))
        assert found == [PlayMade(0, ((8, 5, 3), (6, 5, 1))), PlayMade(0, ((8, 5, 3), (6, 5, 1))), None]
        with pytest.raises(UbgiError, match="has no answer"):
            await one.answer("XGID=nothing")
    with pytest.raises(UbgiError, match="has ended"):
        await one.answer(START)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("print('sorry')", "could not start"),
        ("pass", "has ended"),
        ("input(); input()", "does not answer"),
        ("print('x' * 9999)", "could not start"),
    ],
    ids=["sorry", "nothing", "silence", "an endless line"],
)
async def test_a_program_that_does_not_speak_it_is_an_error_with_asyncio_too(program: str, said: str) -> None:
    with pytest.raises(UbgiError, match=said):
        async with AsyncUbgiPlayer([sys.executable, "-c", program], wait_s=1.5):
            pass


def test_a_program_that_ends_at_once_is_an_error_of_the_engine() -> None:
    with pytest.raises(UbgiError, match="the engine has ended"):
        UbgiPlayer([sys.executable, "-c", "raise SystemExit(3)"])


@pytest.mark.parametrize("player", [UbgiPlayer, AsyncUbgiPlayer])
@pytest.mark.parametrize("command", ["barpoint", [], 3])
def test_a_command_comes_in_its_parts(player: Callable[[Any], object], command: object) -> None:
    with pytest.raises(ArgumentError, match="allowed: a program and its arguments, such as"):
        player(command)
