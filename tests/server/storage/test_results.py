"""Effects of results: ratings from the match alone, entry fees in double entry, each once (S4-15, S4-17)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import Connection, Engine, StaticPool, create_engine, delete, func, insert, select, update

from barpoint.error import IllegalEvent
from barpoint.game import Accept, Double, Next, Pass, Resign
from barpoint.match import Match, MatchTerms
from barpoint.rules import RULES_VERSION
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ledger import LedgerError
from barpoint.server.domain.matches import MatchHeader
from barpoint.server.domain.ratings import Glicko, Rating
from barpoint.server.live.event_log import StaleCommand
from barpoint.server.live.match_transactions import void_match
from barpoint.server.live.matches import seat_for
from barpoint.server.storage import audit
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.results import WELCOME, RatingStanding
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.matches import EVENT
from barpoint.server.storage.schema.results import BALANCE, LEDGER_LINE, RATING, RATING_CHANGE, TRANSFER
from barpoint.server.storage.schema.shapes import METADATA
from barpoint.variants import variant
from tests.support import ledger
from tests.support.live_server import ANNA, BEN, Clock, DrivenMatch, fold_equals_snapshot, guest_seats, opened
from tests.support.scripted_bots import ScriptedDice

PEOPLE = ("anna", "ben", "carl")
NOW = 1_700_000_000_000


@contextmanager
def tables() -> Iterator[Connection]:
    """An empty database in memory, for functions of an open connection."""
    with memory().begin() as connection:
        yield connection
        for table in (RATING, RATING_CHANGE, TRANSFER, LEDGER_LINE, BALANCE):
            connection.execute(delete(table))


@cache
def memory() -> Engine:
    """One database for all tests; creating its tables takes longest."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    METADATA.create_all(engine)
    return engine


def entry_of(
    match_id: str, first: str, second: str, *, fee: int = 0, rated: bool = False, length: int = 3
) -> MatchHeader:
    seats = seat_for(Guest(first, first)), seat_for(Guest(second, second))
    rules = variant("backgammon")
    return MatchHeader(
        match_id, rules, MatchTerms(length=length), RULES_VERSION, bytes(32), seats, NOW, rated=rated, fee=fee
    )


def ended(winner: int | None, length: int = 3) -> Match:
    return replace(Match.start(length), over=True, winner=winner)


def balances(connection: Connection) -> dict[str, int]:
    return {row.account: row.amount for row in connection.execute(select(BALANCE.c.account, BALANCE.c.amount))}


@asynccontextmanager
async def staked(
    folder: Path, fee: int = 100, length: int = 3, dice: ScriptedDice | None = None
) -> AsyncIterator[DrivenMatch]:
    """A rated match of Anna and Ben with an entry fee, after its start."""
    clock = Clock()
    async with opened(folder, dice or ScriptedDice([(6, 5)] * 9), clock) as matches:
        header = await matches.make(Agreement(variant(), MatchTerms(length=length), rated=True, fee=fee), guest_seats())
        yield DrivenMatch(matches, header, clock)


async def tickets(driven: DrivenMatch) -> tuple[int, int]:
    def work(connection: Connection) -> tuple[int, int]:
        return result_storage.tickets_of(connection, ANNA.id), result_storage.tickets_of(connection, BEN.id)

    return await driven.matches.store.read(work)


async def nothing_differs(driven: DrivenMatch) -> None:
    assert await driven.matches.store.read(audit.differences) == []


async def resign(driven: DrivenMatch, seat: int) -> None:
    await driven.do(Resign(seat, 3))
    await driven.do(Accept(1 - seat))


async def test_the_golden_vector_of_the_formula_is_what_a_match_writes() -> None:
    """Rulings 8: D = 155.634835, n = 3, experience after it 2761 and 187, the favourite wins."""
    with tables() as connection:
        low, high = 1500.0, 1655.634835
        for guest_id, value, experience in (("anna", high, 2758), ("ben", low, 184)):
            place = {"guest_id": guest_id, "pool": "backgammon", "value": value, "experience": experience}
            connection.execute(insert(RATING).values(**place, glicko=1500, deviation=80, volatility=0.06, matches=9))
        result_storage.conclude(connection, entry_of("m", "anna", "ben", rated=True), ended(0), NOW)
        assert result_storage.standing(connection, "anna", "backgammon").rating.value - high == pytest.approx(
            2.930831, abs=1e-6
        )
        assert result_storage.standing(connection, "ben", "backgammon").rating.value - low == pytest.approx(
            -9.173502, abs=1e-6
        )
        change = result_storage.change_of(connection, "m", "ben")
        assert change is not None
        assert (change.experience, change.length, change.won, change.other_id) == (187, 3, False, "anna")


@pytest.mark.usefixtures("each_database")
async def test_a_rated_match_with_a_fee_is_settled_when_it_ends(tmp_path: Path) -> None:
    async with staked(tmp_path) as driven:
        assert await tickets(driven) == (WELCOME - 100, WELCOME - 100), "in escrow from the first roll on"
        await nothing_differs(driven)
        await resign(driven, 0)
        live_match = await driven.live_match()
        assert live_match.match.winner == 1
        assert await tickets(driven) == (WELCOME - 100, WELCOME + 100)
        assert live_match.outcome.standings is not None
        assert [round(place.rating.value, 3) for place in live_match.outcome.standings] == [1482.783, 1517.217]
        assert [change and round(change.after - change.before, 3) for change in live_match.outcome.changes] == [
            -17.217,
            17.217,
        ]
        await nothing_differs(driven)
        await fold_equals_snapshot(driven.matches.store, driven.id)
    async with opened(tmp_path) as matches:
        assert (await matches.live_match(driven.id)).outcome == live_match.outcome, "and so it is told after a restart"


async def test_neither_fee_nor_rating_goes_by_gammons_cubes_or_games(tmp_path: Path) -> None:
    """S4-15 to S4-17."""
    async with staked(tmp_path) as driven:
        await driven.turn()
        await driven.turn()
        await driven.do(Double(0))
        await driven.do(Pass(1))
        assert await tickets(driven) == (WELCOME - 100, WELCOME - 100)
        live_match = await driven.live_match()
        assert live_match.outcome.standings is not None
        assert live_match.outcome.standings[0].rating == Rating()
        await driven.do(Next(), seat=0)
        await resign(driven, 1)
        assert live_match.match.winner == 0
        assert await tickets(driven) == (WELCOME + 100, WELCOME - 100)
        assert live_match.outcome.standings[0].rating.value == pytest.approx(1517.217, abs=1e-3)


async def test_nothing_moves_before_the_first_roll(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        seats = (seat_for(ANNA), seat_for(None, name="?", invitation="secret"))
        await matches.make(Agreement(variant(), MatchTerms(length=1), fee=100), seats)
        assert await matches.store.read(balances) == {}
        with pytest.raises(Conflict, match="players with an account"):
            await matches.join("secret", BEN)


async def test_who_cannot_pay_cannot_take_the_seat(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        account = {"name": "Ben", "name_key": "ben", "look": "ben", "password": "", "created_at": 0}
        flags = dict.fromkeys(("email_confirmed", "notices", "administrator"), False)
        await matches.store.write(
            lambda connection: connection.execute(insert(ACCOUNT).values(id=BEN.id, **account, **flags))
        )
        for fee, token in ((WELCOME + 1, "dear"), (WELCOME, "fair")):
            seats = (seat_for(ANNA), seat_for(None, name="?", invitation=token))
            await matches.make(Agreement(variant(), MatchTerms(length=1), fee=fee), seats)
        with pytest.raises(Conflict, match="you have 1000"):
            await matches.join("dear", BEN)
        match_id = await matches.join("fair", BEN)
        assert (await matches.live_match(match_id)).seq >= 1


async def test_who_cannot_pay_does_not_play(tmp_path: Path) -> None:
    async with staked(tmp_path, fee=WELCOME + 1) as driven:
        match = await driven.match()
        assert match.over
        assert match.winner is None
        assert (await driven.live_match()).outcome.standings is not None
        assert await tickets(driven) == (WELCOME, WELCOME)
        await nothing_differs(driven)


async def test_a_session_and_a_match_against_a_bot_are_never_rated(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        seats = (seat_for(ANNA), seat_for(None, name="Bot", level="easy"))
        header = await matches.make(Agreement(variant(), MatchTerms(length=1), rated=True, fee=5), seats)
        driven = DrivenMatch(matches, header, Clock())
        seat = (await driven.match()).game.actor
        assert seat is not None
        await resign(driven, seat)
        assert (
            await matches.store.read(
                lambda connection: connection.scalar(select(func.count()).select_from(RATING_CHANGE))
            )
            == 0
        )
        assert await matches.store.read(balances) == {}


def test_the_end_of_a_match_counts_once_however_often_it_is_written() -> None:
    with tables() as connection:
        header = entry_of("m", "anna", "ben", fee=10, rated=True)
        result_storage.begin(connection, header, NOW)
        for winner in (0, 0, 1, None):
            result_storage.begin(connection, header, NOW)
            result_storage.conclude(connection, header, ended(winner), NOW)
        assert balances(connection) == {
            "tickets": -2 * WELCOME, "escrow:m": 0, "user:anna": WELCOME + 10, "user:ben": WELCOME - 10
        }  # fmt: skip
        assert result_storage.standing(connection, "anna", "backgammon").matches == 1


STEPS = st.tuples(st.integers(0, 5), st.sampled_from(["begin", "end", "void"]), st.sampled_from([0, 1, None]))


@settings(max_examples=30, deadline=None)
@given(fees=st.lists(st.integers(1, 700), min_size=6, max_size=6), steps=st.lists(STEPS, max_size=25))
def test_the_ledger_sums_to_zero_and_nobody_owes_whatever_happens(
    fees: list[int], steps: list[tuple[int, str, int | None]]
) -> None:
    pairs = [("anna", "ben"), ("ben", "carl"), ("carl", "anna")] * 2
    with tables() as connection:
        entries = [entry_of(f"m{index}", *pair, fee=fees[index]) for index, pair in enumerate(pairs)]
        for index, step, winner in steps:
            with suppress(LedgerError):  # a player who cannot pay gets an error before anything is written
                if step == "begin":
                    result_storage.begin(connection, entries[index], NOW)
                elif step == "end":
                    result_storage.conclude(connection, entries[index], ended(winner), NOW)
                else:
                    result_storage.conclude(connection, entries[index], ended(None), NOW)
            found = balances(connection)
            assert sum(found.values()) == 0
            assert all(amount >= 0 for account, amount in found.items() if account != "tickets")
        assert audit.ledger_differences(connection) == []
        ledger.balances(result_storage.transfers(connection))


RESULTS = st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(PEOPLE), st.integers(1, 15)), max_size=20)


@settings(max_examples=25, deadline=None)
@given(results=RESULTS)
def test_experience_is_the_lengths_of_all_rated_matches_and_every_change_starts_where_the_last_one_ended(
    results: list[tuple[str, str, int]],
) -> None:
    with tables() as connection:
        played = dict.fromkeys(PEOPLE, 0)
        for index, (winner, loser, length) in enumerate(results):
            if winner == loser:
                continue
            header = entry_of(f"m{index}", winner, loser, rated=True, length=length)
            result_storage.conclude(connection, header, ended(0, length), NOW)
            result_storage.conclude(connection, header, ended(0, length), NOW)
            played[winner] += length
            played[loser] += length
        for person in PEOPLE:
            place = result_storage.standing(connection, person, "backgammon")
            history = result_storage.changes(connection, person, "backgammon")
            assert place.rating.experience == played[person]
            assert place.matches == len(history)
            values = [1500.0, *(change.after for change in history)]
            assert [change.before for change in history] == values[:-1]
            assert place.rating.value == values[-1]
            assert all((change.after > change.before) == change.won for change in history)


@pytest.mark.usefixtures("each_database")
async def test_a_voided_match_gives_everything_back_and_is_over_for_good(tmp_path: Path) -> None:
    async with staked(tmp_path) as driven:
        await driven.turn()
        await driven.matches.store.write(lambda connection: void_match(connection, driven.id, driven.clock.now))
        with pytest.raises(StaleCommand):  # a server that had it in memory reads it again
            await driven.turn()
        with pytest.raises(IllegalEvent, match="over"):
            await driven.turn()
        match = await fold_equals_snapshot(driven.matches.store, driven.id)
        assert (match.over, match.winner) == (True, None)
        assert await tickets(driven) == (WELCOME, WELCOME)
        await nothing_differs(driven)


@pytest.mark.usefixtures("each_database")
async def test_matches_that_end_at_once_in_two_processes_are_counted_one_after_the_other(tmp_path: Path) -> None:
    """Ratings recomputed from the log equal those stored, and the ledger sums to zero."""
    async with staked(tmp_path) as driven, opened(tmp_path, clock=driven.clock) as other:
        halls = (driven.matches, other)
        agreement = Agreement(variant(), MatchTerms(length=1), rated=True, fee=7)
        entries = await asyncio.gather(*(halls[index % 2].make(agreement, guest_seats()) for index in range(6)))
        tables = [DrivenMatch(halls[index % 2], header, driven.clock) for index, header in enumerate(entries)]
        await asyncio.gather(*(resign(one, index % 2) for index, one in enumerate(tables)))
        await nothing_differs(driven)
        counted = await driven.matches.store.read(
            lambda connection: result_storage.changes(connection, ANNA.id, "backgammon")
        )
        assert len(counted) == 6


@pytest.mark.usefixtures("each_database")
async def test_an_audit_finds_what_was_changed_by_hand(tmp_path: Path) -> None:
    async with staked(tmp_path) as driven:
        await resign(driven, 0)
        await nothing_differs(driven)
        write, read = driven.matches.store.write, driven.matches.store.read
        await write(lambda connection: connection.execute(update(RATING).values(value=RATING.c.value + 1)))
        await write(
            lambda connection: connection.execute(
                update(BALANCE).where(BALANCE.c.account == "user:ben").values(amount=0)
            )
        )
        found = await read(audit.differences)
        assert len(found) == 3
        assert found[0].startswith("anna in backgammon: stored")
        assert found[2] == "user:ben: the balance is 0, its lines sum to 1100"
        await write(lambda connection: connection.execute(EVENT.delete().where(EVENT.c.kind == "accept")))
        assert any("row says" in line for line in await read(audit.differences))


def test_somebody_new_starts_where_everybody_does() -> None:
    with tables() as connection:
        assert result_storage.standing(connection, "nobody", "backgammon") == RatingStanding(Rating(), Glicko(), 0)
        assert result_storage.standings(connection, "nobody") == {}
        assert result_storage.tickets_of(connection, "nobody") == WELCOME
