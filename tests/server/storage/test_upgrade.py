"""A database of version 1 opens, is upgraded with all its data, and goes on.

tests/data/before_0012.sqlite.xz was written by that version. It holds, of five people with accounts: a running match
with rerolled rolls and a roll to play, a rated match with its analysis (recomputed on request), an adjourned match, a
match that waits behind a link, an open and a direct challenge, a chouette, a running tournament, chat, an access token
and the FIBS settings of one of them.
"""

from __future__ import annotations

import lzma
import sqlite3
from pathlib import Path
from random import Random

import httpx
import msgspec
import pytest
from alembic import command
from sqlalchemy import Boolean, Connection, MetaData, func, insert, select, text

from barpoint.game import Phase, PlayMade, Rollover
from barpoint.moves import legal_plays
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import SeatKind
from barpoint.server.domain.tournament_events import TournamentStage
from barpoint.server.storage import access_tokens, audit, fibs, lobby, messages, migration, personal_data
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.database import close, count, open_database
from barpoint.server.storage.schema.chouettes import CHOUETTE, CHOUETTE_CHAT
from barpoint.server.storage.schema.fibs import FIBS_MESSAGE
from barpoint.server.storage.schema.lobby import CHAT
from barpoint.server.storage.schema.matches import MATCH
from barpoint.server.storage.schema.study import ANALYSIS
from barpoint.server.storage.store import Store
from tests.support.databases import BACKEND, address
from tests.support.live_server import Clock, fold_equals_snapshot
from tests.support.scripted_bots import ChanceBot
from tests.support.serving import serve
from tests.support.tournaments import club

FIXTURE = Path(__file__).parents[2] / "data" / "before_0012.sqlite.xz"
BEFORE = "0011"
RUNNING, RATED, ADJOURNED, OPEN = "4f33fb8xy6rp", "ymstmgqusrxh", "ujqxzabk62kd", "aaqztwey7baa"
CHOUETTE_ID, TOURNAMENT_ID = "w77nf4wyd33f", "mpbev6hjhrp2"


@pytest.fixture
def before(tmp_path: Path, each_database: None, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of such a database."""
    return earlier_database(tmp_path, monkeypatch)


def earlier_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *changes: str) -> str:
    """The URL of such a database, after SQL statements that change its rows."""
    file = tmp_path / "test.sqlite3"
    file.write_bytes(lzma.decompress(FIXTURE.read_bytes()))
    with sqlite3.connect(file) as connection:
        for change in changes:
            connection.execute(change)
    connection.close()
    if BACKEND.name == "postgresql":
        copy_rows(file, address(tmp_path), monkeypatch)
    return address(tmp_path)


def copy_rows(file: Path, to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rows in PostgreSQL tables that the migrations up to that version created."""

    def upgrade(connection: Connection) -> None:
        command.upgrade(migration.configuration(connection), BEFORE)

    with monkeypatch.context() as earlier:
        earlier.setattr(migration, "upgrade", upgrade)
        writer, reader = open_database(to)
    source = sqlite3.connect(file)
    source.row_factory = sqlite3.Row
    with writer.begin() as connection:
        found = MetaData()
        found.reflect(connection)
        for table in found.sorted_tables:
            rows = [dict(row) for row in source.execute(f'SELECT * FROM "{table.name}"')]
            flags = [column.name for column in table.c if isinstance(column.type, Boolean)]
            if rows and table.name != "alembic_version":
                connection.execute(insert(table), [row | {name: bool(row[name]) for name in flags} for row in rows])
            for column in table.c:
                if column.server_default is not None and "nextval" in str(getattr(column.server_default, "arg", "")):
                    last = f'(SELECT COALESCE(MAX("{column.name}"), 0) + 1 FROM "{table.name}")'
                    connection.execute(
                        text(f"SELECT setval(pg_get_serial_sequence('{table.name}', '{column.name}'), {last}, false)")
                    )
    source.close()
    close(writer, reader)


async def test_every_log_folds_to_what_the_tables_say(before: str) -> None:
    store = await Store.open(before)
    try:
        matches = await store.read(lambda connection: list(connection.scalars(select(MATCH.c.id))))
        assert len(matches) == 7
        for match_id in matches:
            await fold_equals_snapshot(store, match_id)
        assert await store.read(audit.differences) == []
        assert await store.read(lambda connection: connection.scalar(select(CHOUETTE.c.id))) == CHOUETTE_ID
        match = await fold_equals_snapshot(store, RUNNING)
        assert sum(isinstance(event, Rollover) for event in match.events) == 2
        assert match.game.phase is Phase.TO_PLAY
    finally:
        await store.close()


@pytest.mark.usefixtures("each_database")
async def test_messages_that_clients_have_left_wait_for_their_readers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = "INSERT INTO fibs_message (guest_id, other_id, text, at) VALUES ('m0', 'm3', 'See you', 5)"
    store = await Store.open(earlier_database(tmp_path, monkeypatch, left))
    try:
        [found] = await store.read(messages.conversations_of, "m3", 9)
        assert (found.other.id, found.last.text, found.last.at, found.unread) == ("m0", "See you", 5, 1)
        assert await store.read(lambda connection: count(connection, FIBS_MESSAGE)) == 0
    finally:
        await store.close()


async def test_what_was_said_set_and_agreed_is_still_there(before: str) -> None:
    store = await Store.open(before)
    try:
        said = await store.read(lambda connection: list(connection.scalars(select(CHAT.c.text).order_by(CHAT.c.id))))
        assert said == ["Good luck", "You too"]
        assert await store.read(lambda connection: connection.scalar(select(CHOUETTE_CHAT.c.text))) == "Hello"
        visit = await store.read(lambda connection: fibs.last_visit(connection, "m0"))
        assert msgspec.json.decode(visit.preferences)["boardstyle"] == 2
        (challenge,) = await store.read(lambda connection: lobby.challenges_of(connection, "m3"))
        assert (challenge.agreement.rules.name, challenge.agreement.time_control) == ("hypergammon", "Correspondence 3")
        found = await store.read(lambda connection: access_tokens.find_token(connection, "bp_secret"))
        assert found is not None
        assert (found[0].id, found[1]) == ("m0", {"play", "challenge"})
        (direct,) = await store.read(lambda connection: access_tokens.direct_challenges_of(connection, "m3"))
        assert direct.guest.id == "m2"
        assert await store.read(lambda connection: connection.scalar(select(func.count()).select_from(ANALYSIS))) == 0
        assert await store.read(lambda connection: personal_data.own_data(connection, "m0"))
        record = await store.read(lambda connection: tournament_storage.get_tournament(connection, TOURNAMENT_ID))
        assert record is not None
        assert (record.now.plan.name, record.now.plan.time_control) == ("Winter cup", "Normal")
    finally:
        await store.close()


@pytest.mark.usefixtures("each_database")
async def test_real_boards_and_sizes_of_tournaments_are_read_under_their_new_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_board = f"UPDATE seat SET kind = 'table' WHERE match_id = '{OPEN}' AND kind = 'guest'"
    size = """UPDATE tournament SET plan = replace(plan, '"most":4', '"least":3,"most":4')"""
    store = await Store.open(earlier_database(tmp_path, monkeypatch, real_board, size))
    try:
        header = await store.read(lambda connection: match_storage.get_header(connection, OPEN))
        assert header is not None
        assert [seat.kind for seat in header.seats] == [SeatKind.REAL_BOARD, SeatKind.OPEN]
        record = await store.read(lambda connection: tournament_storage.get_tournament(connection, TOURNAMENT_ID))
        assert record is not None
        assert (record.now.plan.min_players, record.now.plan.max_players) == (3, 4)
    finally:
        await store.close()


@pytest.mark.usefixtures("before")
async def test_matches_and_tournaments_go_on(tmp_path: Path) -> None:
    async with club(tmp_path, Clock()) as here:
        matches = here.services.matches
        live_match = await matches.live_match(RUNNING)
        game = live_match.match.game
        assert live_match.made == legal_plays(game.rules, game.position, game.faces)[0].moves[:1]
        play = PlayMade(game.player, legal_plays(game.rules, game.position, game.faces)[0].moves)
        await matches.act(RUNNING, game.player, "first", live_match.seq, play)
        bot = ChanceBot(7)
        while not live_match.match.over:
            seat = live_match.match.game.actor or 0
            event = bot.event(live_match.match, seat)
            await matches.act(RUNNING, seat, f"c{live_match.seq}", live_match.seq, event)
        for seat in (0, 1):
            await here.services.adjournments.ask(ADJOURNED, seat, "resume")
        assert (await matches.live_match(ADJOURNED)).header.adjournment.adjourned_at is None
        assert await matches.join("letmein", Guest("m4", "Member ae", registered=True)) == OPEN
        known = await here.finish(TOURNAMENT_ID, Random(1))
        assert known.now.stage is TournamentStage.OVER
        await here.check()


@pytest.mark.usefixtures("each_database")
def test_every_page_about_them_answers(tmp_path: Path, before: str) -> None:
    served = serve(tmp_path, database=before, clock=Clock())
    try:
        with httpx.Client(base_url=served.address, follow_redirects=True) as http:
            for path in (
                *(f"/match/{match_id}" for match_id in (RUNNING, RATED, ADJOURNED)),
                *(f"/match/{RATED}/{page}" for page in ("dice.json", "replay", "replay.json", "export.mat")),
                "/join/letmein",
                f"/chouette/{CHOUETTE_ID}",
                f"/tournament/{TOURNAMENT_ID}",
                *("/tournaments", "/chouettes", "/lobby", "/watch", "/player/Member aa"),
            ):
                answer = http.get(path)
                assert answer.status_code == 200, (path, answer.text[:300])
            assert http.get(f"/match/{RATED}/analysis.json?plies=0").json()["state"] == "none"
    finally:
        served.stop()
