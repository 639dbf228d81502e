"""The guarantees of an event log, the same for matches, chouettes and tournaments."""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from barpoint.chouette import BOX, Act
from barpoint.error import BarpointError, StoreError
from barpoint.game import Event, PlayMade, Roll
from barpoint.match import MatchTerms
from barpoint.moves import legal_plays
from barpoint.server import storage
from barpoint.server.domain.accounts import Account
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.tournament_events import Plan
from barpoint.server.live.chouettes import Chouettes
from barpoint.server.live.event_log import EventLog
from barpoint.server.live.matches import Matches
from barpoint.server.live.pubsub import chouette_of, tournament_named
from barpoint.server.live.tournament_step import SentCommand
from barpoint.server.live.tournaments import Tournaments
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage.event_log import Logged
from barpoint.server.storage.store import CommitUnknown
from barpoint.variants import variant
from tests.server.live import test_chouettes
from tests.support.live_server import guest_seats, opened
from tests.support.machine import PATIENCE_S
from tests.support.scripted_bots import ChanceBots, ScriptedDice


class Process(ABC):
    """One kind of log in one process."""

    log: EventLog[Any]
    stored: log_storage.Log

    @abstractmethod
    async def new(self) -> str:
        """The id of a log in which somebody has to act."""

    @abstractmethod
    async def next(self, session_id: str) -> Any:
        """A command of a player who has to act, based on the state that this process knows."""

    @abstractmethod
    async def send(self, session_id: str, command_id: str, command: Any) -> int:
        """The number of the event that a command becomes."""

    def topic(self, session_id: str) -> str:
        """The name that listeners use for it."""
        return session_id

    async def logged(self, session_id: str) -> list[Logged]:
        """Its events in the database."""
        return await self.log.store.read(lambda connection: log_storage.get_events(connection, self.stored, session_id))


def played(board: Any) -> Event:
    """The first legal play of the current roll, or a roll."""
    if not board.faces:
        return Roll(board.player)
    return PlayMade(board.player, legal_plays(board.rules, board.position, board.faces)[0].moves)


class MatchProcess(Process):
    """Matches."""

    stored = log_storage.MATCHES

    def __init__(self, matches: Matches) -> None:
        self.matches, self.log = matches, matches.log

    async def new(self) -> str:
        return (await self.matches.make(Agreement(variant(), MatchTerms(length=3)), guest_seats())).id

    async def next(self, session_id: str) -> tuple[int, int, Event]:
        live_match = await self.matches.live_match(session_id)
        event = played(live_match.board)
        return live_match.board.player, live_match.seq, event

    async def send(self, session_id: str, command_id: str, command: Any) -> int:
        player, seq, event = command
        return await self.matches.act(session_id, player, command_id, seq, event)


class ChouetteProcess(Process):
    """Chouettes."""

    stored = log_storage.CHOUETTES

    def __init__(self, chouettes: Chouettes) -> None:
        self.chouettes, self.log = chouettes, chouettes.log

    async def new(self) -> str:
        return await test_chouettes.begun(self.chouettes)

    async def next(self, session_id: str) -> tuple[int, int, Act]:
        live_chouette = await self.chouettes.live_chouette(session_id)
        chouette = live_chouette.chouette
        by = chouette.line[0] if chouette.board.player == BOX else chouette.captain
        return by, live_chouette.seq, Act(played(chouette.board), by)

    async def send(self, session_id: str, command_id: str, command: Any) -> int:
        player, seq, event = command
        return await self.chouettes.act(session_id, player, command_id, seq, event)

    def topic(self, session_id: str) -> str:
        return chouette_of(session_id)


class TournamentProcess(Process):
    """Tournaments."""

    stored = log_storage.TOURNAMENTS

    def __init__(self, tournaments: Tournaments, members: list[Guest]) -> None:
        self.tournaments, self.log, self.members = tournaments, tournaments.log, members
        self.made = 0

    async def new(self) -> str:
        self.made += 1  # nobody directs many at a time
        by = self.members[self.made % len(self.members)]
        tournament_id = await self.tournaments.announce(by, Plan("Club", lengths=(1,), max_players=8))
        await self.tournaments.join(tournament_id, self.members[0])
        return tournament_id

    async def next(self, session_id: str) -> Guest:
        return self.members[len((await self.tournaments.known(session_id)).now.entrants)]

    async def send(self, session_id: str, command_id: str, command: Any) -> int:
        return await self.tournaments.join(session_id, command, sent=SentCommand(command_id))

    def topic(self, session_id: str) -> str:
        return tournament_named(session_id)


@asynccontextmanager
async def match_process(folder: Path) -> AsyncIterator[Process]:
    async with opened(folder, ScriptedDice([(6, 5)] * 9)) as matches:
        yield MatchProcess(matches)


@asynccontextmanager
async def chouette_process(folder: Path) -> AsyncIterator[Process]:
    async with test_chouettes.opened(folder) as chouettes:
        yield ChouetteProcess(chouettes)


@asynccontextmanager
async def tournament_process(folder: Path) -> AsyncIterator[Process]:
    members = [Guest(f"member{number}", f"Member {'abcdefgh'[number]}", registered=True) for number in range(8)]
    async with opened(folder) as matches:
        for one in members:
            if await matches.store.read(lambda c, one=one: guest_storage.get_guest(c, one.id)) is None:
                await matches.store.write(lambda c, one=one: guest_storage.put_guest(c, one, 0))
                account = Account(one.id, one.name, "x")
                await matches.store.write(lambda c, account=account: account_storage.put_account(c, account, []))
        yield TournamentProcess(Tournaments(matches, ChanceBots()), members)


Start = Callable[[Path], AbstractAsyncContextManager[Process]]

PROCESSES: dict[str, Start] = {
    "match": match_process,
    "chouette": chouette_process,
    "tournament": tournament_process,
}


@pytest.fixture(params=list(PROCESSES))
def start(request: pytest.FixtureRequest, each_database: None) -> Start:
    """Starts a process of one kind on the database of a folder."""
    return PROCESSES[request.param]


async def test_a_repeated_command_changes_nothing_and_has_the_same_number(tmp_path: Path, start: Start) -> None:
    async with start(tmp_path) as one:
        session_id = await one.new()
        command = await one.next(session_id)
        first = await one.send(session_id, "same", command)
        events = await one.logged(session_id)
        assert events[first - 1].command_id == "same"
        assert await one.send(session_id, "same", command) == first
        await one.send(session_id, "another", await one.next(session_id))
        assert await one.send(session_id, "same", command) == first
        events = await one.logged(session_id)
    async with start(tmp_path) as again:  # a process that has read the log
        assert await again.send(session_id, "same", command) == first
        assert await again.logged(session_id) == events


async def test_a_repeated_command_is_known_to_a_process_that_did_not_do_it(tmp_path: Path, start: Start) -> None:
    async with start(tmp_path) as one, start(tmp_path) as other:
        session_id = await one.new()
        command = await other.next(session_id)
        done = await asyncio.gather(*(process.send(session_id, "same", command) for process in (one, other)))
        assert done[0] == done[1]
        assert [event.command_id for event in await one.logged(session_id)].count("same") == 1


async def test_of_two_processes_that_race_one_wins_and_the_other_catches_up(tmp_path: Path, start: Start) -> None:
    async with start(tmp_path) as one, start(tmp_path) as other:
        session_id = await one.new()
        for turn in range(4):
            command = await one.next(session_id)
            assert (await other.log.fresh(session_id)).seq == (await one.log.get(session_id)).seq
            answers = await asyncio.gather(
                one.send(session_id, f"one {turn}", command),
                other.send(session_id, f"other {turn}", command),
                return_exceptions=True,
            )
            won = [answer for answer in answers if isinstance(answer, int)]
            lost = [answer for answer in answers if isinstance(answer, BarpointError)]
            assert (len(won), len(lost)) == (1, 1), answers
            assert not isinstance(lost[0], StoreError), "the loser is told what has happened meanwhile"
            seqs = {(await process.log.get(session_id)).seq for process in (one, other)}
            assert seqs == {len(await one.logged(session_id))}
        assert [event.seq for event in await one.logged(session_id)] == list(range(1, seqs.pop() + 1))


async def test_nobody_is_told_of_an_event_before_it_is_committed(tmp_path: Path, start: Start) -> None:
    async with start(tmp_path) as one:
        session_id, told = await one.new(), list[tuple[int, int]]()
        session = await one.log.get(session_id)
        command = await one.next(session_id)
        before = session.seq

        def listener(_: str) -> None:
            with one.log.store._reader.connect() as connection:
                told.append((len(log_storage.get_events(connection, one.stored, session_id)), session.seq))

        with one.log.pubsub.listening(one.topic(session_id), listener):
            await one.send(session_id, "c", command)
        assert told
        assert all(written == shown > before for written, shown in told)


async def test_a_commit_that_fails_changes_nothing_in_memory_and_nobody_is_told(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start(tmp_path) as one:
        session_id, told = await one.new(), list[str]()
        command, session = await one.next(session_id), await one.log.get(session_id)
        before, events, write = session.seq, await one.logged(session_id), one.log.store.write

        async def fails(work: Callable[[Any], Any]) -> Any:
            def undone(connection: Any) -> None:
                work(connection)
                raise StoreError("the disk is gone")

            return await write(undone)

        with one.log.pubsub.listening(one.topic(session_id), told.append):
            monkeypatch.setattr(one.log.store, "write", fails)
            with pytest.raises(StoreError, match="the disk is gone"):
                await one.send(session_id, "c", command)
            monkeypatch.undo()
            assert (session.seq, told) == (before, [])
            assert await one.logged(session_id) == events
            assert await one.send(session_id, "c", command) == before + 1
            assert told


async def test_a_command_whose_sender_leaves_during_the_commit_is_seen_by_everybody_else(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start(tmp_path) as one:
        session_id, told = await one.new(), asyncio.Event()
        command, session = await one.next(session_id), await one.log.get(session_id)
        before, write, begun = session.seq, one.log.store.write, asyncio.Event()

        async def slow(work: Callable[[Any], Any]) -> Any:
            begun.set()
            return await write(work)

        with one.log.pubsub.listening(one.topic(session_id), lambda _: told.set()):
            monkeypatch.setattr(one.log.store, "write", slow)
            sending = asyncio.create_task(one.send(session_id, "c", command))
            await begun.wait()
            monkeypatch.undo()
            sending.cancel()
            with pytest.raises(asyncio.CancelledError):
                await sending
            async with asyncio.timeout(PATIENCE_S):
                await told.wait()
        assert session.seq == len(await one.logged(session_id)) > before
        assert await one.send(session_id, "c", command) == before + 1


async def test_a_commit_that_the_database_has_made_but_not_answered_is_seen_by_everybody_else(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start(tmp_path) as one:
        session_id, told = await one.new(), asyncio.Event()
        command, session = await one.next(session_id), await one.log.get(session_id)
        before, write = session.seq, one.log.store.write

        async def unanswered(work: Callable[[Any], Any]) -> Any:
            await write(work)
            raise CommitUnknown("the line is dead")

        with one.log.pubsub.listening(one.topic(session_id), lambda _: told.set()):
            monkeypatch.setattr(one.log.store, "write", unanswered)
            with pytest.raises(StoreError, match="the line is dead"):
                await one.send(session_id, "c", command)
            monkeypatch.undo()
            async with asyncio.timeout(PATIENCE_S):
                await told.wait()
        assert session.seq == len(await one.logged(session_id)) > before
        assert await one.send(session_id, "c", command) == before + 1


async def test_what_another_process_has_written_is_read_when_it_is_needed(tmp_path: Path, start: Start) -> None:
    async with start(tmp_path) as one, start(tmp_path) as other:
        session_id = await one.new()
        session = await other.log.get(session_id)
        await one.send(session_id, "c1", await one.next(session_id))
        assert session.seq < (await one.log.get(session_id)).seq
        assert await other.log.fresh(session_id) is session
        assert session.seq == (await one.log.get(session_id)).seq
        await one.send(session_id, "c2", await one.next(session_id))
        command = await one.next(session_id)  # based on a state that the other process has not seen
        assert await other.send(session_id, "c3", command) == session.seq == len(await one.logged(session_id))


async def test_what_another_process_has_announced_is_read_at_once_where_somebody_listens(
    tmp_path: Path, start: Start
) -> None:
    async with start(tmp_path) as one, start(tmp_path) as other:
        listened, unheard = await one.new(), await one.new()
        sessions = [await other.log.get(session_id) for session_id in (listened, unheard)]
        seen: list[int] = []
        with other.log.pubsub.listening(other.topic(listened), lambda _: seen.append(sessions[0].seq)):
            for session_id in (listened, unheard):
                await one.send(session_id, "c", await one.next(session_id))
                await other.log.pubsub.changed_elsewhere(other.topic(session_id))
            assert seen[-1] == len(await one.logged(listened))
            assert sessions[1].seq < len(await one.logged(unheard))
        assert (await other.log.get(unheard)).seq == len(await one.logged(unheard))


async def test_memory_is_bounded_and_keeps_what_somebody_listens_to(tmp_path: Path, start: Start) -> None:
    async with start(tmp_path) as one:
        first = await one.new()
        session = await one.log.get(first)
        one.log.max_sessions = 2
        with one.log.pubsub.listening(one.topic(first), lambda _: None):
            others = [await one.new() for _ in range(4)]
            for session_id in others:
                assert (await one.log.get(session_id)).id == session_id
                assert len(one.log) <= 2
            assert await one.log.get(first) is session
        for session_id in others:
            assert (await one.log.get(session_id)).seq == len(await one.logged(session_id))
        assert await one.log.get(first) is not session


def test_no_statement_changes_a_row_of_a_log_but_those_of_the_event_log() -> None:
    root = Path(storage.__file__).parents[1]
    around = re.compile(
        r"\bupdate\(\s*(MATCH|CHOUETTE|TOURNAMENT)\s*\)|\b(EVENT|CHOUETTE_EVENT|TOURNAMENT_EVENT)\)\.values"
    )
    found = {file.relative_to(root).as_posix() for file in root.rglob("*.py") if around.search(file.read_text())}
    assert found <= {"storage/event_log.py"}
