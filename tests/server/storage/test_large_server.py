"""What a server with years of data reads: rows of the person or the time asked about, by an index, never all of a table.

The plans are those of SQLite, which knows nothing of how much a table holds; the rows are right on every database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, StaticPool, create_engine, event, insert

from barpoint.match import MatchTerms
from barpoint.server.domain.accounts import Account
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.live.matches import seat_for
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import appointments as appointment_storage
from barpoint.server.storage import deadlines as deadline_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import notifications as notification_storage
from barpoint.server.storage import players as player_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage import reviews as review_storage
from barpoint.server.storage import statistics as statistics_storage
from barpoint.server.storage.schema.matches import EVENT
from barpoint.server.storage.schema.shapes import METADATA
from barpoint.variants import variant
from tests.support.live_server import ANNA, BEN, Clock, opened

NOW = 1_700_000_000_000


@contextmanager
def planned() -> Iterator[tuple[Connection, list[str]]]:
    """Empty tables, and the steps in which SQLite carries out the statements that follow."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    METADATA.create_all(engine)
    steps: list[str] = []

    @event.listens_for(engine, "before_cursor_execute")
    def explain(connection: Connection, cursor: Any, statement: str, parameters: Any, *_: object) -> None:
        if not statement.startswith("INSERT"):
            cursor.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            steps.extend(row[3] for row in cursor.fetchall())

    with engine.begin() as connection:
        yield connection, steps
    engine.dispose()


@pytest.mark.parametrize(
    ("read", "index"),
    [
        (lambda one: lobby_storage.matches_finished(one, "anna", 9), "seat_by_guest (guest_id=?)"),
        (lambda one: lobby_storage.matches_finished(one, "anna", 9, 9, public=True), "seat_by_guest (guest_id=?)"),
        (lambda one: lobby_storage.matches_unfinished(one, "anna", 9), "seat_by_guest (guest_id=?)"),
        (lambda one: lobby_storage.boards_waiting(one, "anna"), "seat_by_guest (guest_id=?)"),
        (lambda one: lobby_storage.next_board(one, "anna"), "seat_by_guest (guest_id=?)"),
        (lambda one: lobby_storage.matches_between(one, "anna", "ben", 9), "seat_by_guest (guest_id=?)"),
        (lambda one: lobby_storage.kept_apart(one, "anna"), "block_by_other (other_id=?)"),
        (lambda one: lobby_storage.matches_running(one, NOW, 9), "match_by_act (over=? AND acted_at>?)"),
        (lambda one: deadline_storage.waiting_for_bots(one, NOW), "match_by_act (over=? AND acted_at<?)"),
        (lambda one: match_storage.forgotten(one, NOW), "match_by_act (over=? AND acted_at<?)"),
        (lambda one: deadline_storage.unjoined(one, NOW), "match_by_act"),
        (lambda one: guest_storage.find_person(one, "Anna"), "(name_key=?)"),
        (lambda one: guest_storage.find_challenged(one, "Anna"), "(name_key=?)"),
        (lambda one: result_storage.roll_counts(one, "anna", 9), "seat_by_guest (guest_id=?)"),
        (lambda one: statistics_storage.not_analysed(one, "anna"), "seat_by_guest (guest_id=?)"),
        (lambda one: account_storage.put_session(one, "anna", "secret", NOW, ""), "session_by_expiry (expires_at<?)"),
        (lambda one: notification_storage.times_waiting(one, NOW, NOW), "appointment_untold (told_at=? AND last_at>?)"),
        (lambda one: notification_storage.times_waiting(one, NOW, NOW), "appointment_by_time (agreed_at>? AND"),
        (lambda one: appointment_storage.agreed_between(one, NOW, NOW), "appointment_by_time (agreed_at>? AND"),
        (lambda one: review_storage.old_of_guests(one, NOW), "review_by_time (created_at<?)"),
    ],
)
def test_nothing_looks_through_all_matches_people_or_sessions(read: Callable[[Connection], Any], index: str) -> None:
    with planned() as (connection, steps):
        read(connection)
    assert any(index in step for step in steps), steps
    whole = [step for step in steps if step.startswith("SCAN") and "anon" not in step]
    assert whole == []
    assert not any("match_by_act" in step for step in steps if "seat_by_guest" in index), steps


def test_players_are_searched_by_name_among_accounts_not_among_all_who_were_ever_here() -> None:
    with planned() as (connection, steps):
        assert player_storage.players_named(connection, "an", 9) == []
    assert [step for step in steps if step.startswith("SCAN")] == ["SCAN account"]


@pytest.mark.usefixtures("each_database")
async def test_lists_of_matches_are_those_of_the_people_asked_about(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as matches:
        carl = Guest("carl", "Carl")
        await matches.store.write(guest_storage.put_guest, carl, NOW)

        async def played(first: Guest, second: Guest) -> str:
            clock.now += 1_000
            seats = seat_for(first), seat_for(second)
            header = await matches.make(Agreement(variant(), MatchTerms(length=1)), seats)
            return header.id

        made = [await played(*pair) for pair in ((ANNA, BEN), (BEN, carl), (carl, ANNA), (ANNA, ANNA))]
        read = matches.store.read
        for person, own in (("anna", (0, 2, 3)), ("ben", (0, 1)), ("carl", (1, 2))):
            going = await read(lobby_storage.matches_unfinished, person, 9)
            assert sorted(one.id for one in going) == sorted(made[number] for number in own), "each of theirs, once"
        assert await read(lobby_storage.matches_finished, "anna", 9) == []


@pytest.mark.usefixtures("each_database")
async def test_the_dice_of_the_latest_matches_count(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock=clock) as matches:
        for number, faces in enumerate(("[1,1]", "[2,3]", "[6,6]")):
            clock.now += 1_000
            header = await matches.make(Agreement(variant(), MatchTerms(length=1)), (seat_for(ANNA), seat_for(BEN)))
            rolled = {"seq": 90 + number, "actor": "0", "kind": "roll", "payload": f'{{"faces":{faces}}}', "at": NOW}
            await matches.store.write(
                lambda one, row: one.execute(insert(EVENT).values(row)), {"match_id": header.id, **rolled}
            )
        counted = [await matches.store.read(result_storage.roll_counts, "anna", most) for most in (1, 2, 9)]
        assert counted == [{(6, 6): 1}, {(6, 6): 1, (3, 2): 1}, {(6, 6): 1, (3, 2): 1, (1, 1): 1}]
        assert await matches.store.read(result_storage.roll_counts, "ben", 9) == {}


@pytest.mark.usefixtures("each_database")
async def test_people_are_found_by_id_and_by_any_way_to_write_their_name(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        account = Account("zoe", "Zoë", "hash", None, False, False, False, NOW)
        await matches.store.write(guest_storage.put_guest, Guest("zoe", "Zoë"), NOW)
        await matches.store.write(account_storage.put_account, account, ())
        for name in ("zoe", "Zoë", "ZOË"):
            found = await matches.store.read(guest_storage.find_person, name)
            assert found is not None, name
            assert found.id == "zoe"
        assert await matches.store.read(guest_storage.find_person, "Zo") is None
        assert [one.id for one in await matches.store.read(player_storage.players_named, "zo", 9)] == ["zoe"]
