"""Chouettes on the server: stored before they are shown, reloaded for new viewers, and nobody acts for another."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from barpoint.chouette import BOX, TEAM, Act, Ask, Chouette, ChouetteTerms, Leave, Order, Propose, Waive, Withdraw
from barpoint.error import IllegalEvent, IllegalMove
from barpoint.game import Accept, Double, Next, Pass, PlayMade, Resign, Roll, Settle, Take
from barpoint.moves import legal_plays
from barpoint.server.domain.chouettes import OwnChouette, seeds_of
from barpoint.server.domain.guests import Guest
from barpoint.server.live.bots import BotRunner
from barpoint.server.live.chouettes import FORGOTTEN_MS, ChouetteRefused, Chouettes, Proposed, UnknownChouette
from barpoint.server.live.event_log import ForeignSeat, StaleCommand, UsedId
from barpoint.server.live.live_chouette import LiveChouette
from barpoint.server.live.pubsub import PubSub
from barpoint.server.storage import chouettes as chouette_storage
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage.chouettes import ChouetteStanding, cache
from barpoint.server.storage.store import Store
from barpoint.variants import variant
from tests.support import databases
from tests.support.live_server import Clock
from tests.support.scripted_bots import ChanceBots, ScriptedDice

PEOPLE = tuple(Guest(f"person{index}", name) for index, name in enumerate(("Anna", "Ben", "Kim", "Lea")))
ORDER = [(6, 1), (5, 1), (4, 1), (3, 1)]
"""The first dice keep the order of joining."""


@asynccontextmanager
async def opened(
    folder: Path, clock: Clock | None = None, dice: ScriptedDice | None = None
) -> AsyncIterator[Chouettes]:
    """Live chouettes on the database of a folder."""
    store = await Store.open(databases.address(folder))
    try:
        for guest in PEOPLE:
            if await store.read(lambda connection, guest=guest: guest_storage.get_guest(connection, guest.id)) is None:
                await store.write(lambda connection, guest=guest: guest_storage.put_guest(connection, guest, 0))
        chouettes = Chouettes(store, PubSub(), dice or ScriptedDice([*ORDER, (6, 5)]), clock or Clock())
        yield chouettes
    finally:
        await store.close()


async def four(chouettes: Chouettes, rules: str = "backgammon", **terms: object) -> str:
    """A chouette of Anna, Ben, Kim and Lea before the first order; Kim and Lea need not be asked."""
    chouette_id = await chouettes.open(PEOPLE[0], Proposed(variant(rules), ChouetteTerms(**terms)))  # type: ignore[arg-type]
    for person in PEOPLE[1:]:
        await chouettes.join(chouette_id, person)
    for player in (2, 3):
        await do(chouettes, chouette_id, player, Ask(player, on=False))
    return chouette_id


async def begun(chouettes: Chouettes) -> str:
    """A chouette whose box, Anna, has rolled 6-5 and plays first."""
    chouette_id = await four(chouettes)
    await do(chouettes, chouette_id, 0, Order(()))
    return chouette_id


async def do(chouettes: Chouettes, chouette_id: str, player: int | None, event: object, seq: int | None = None) -> int:
    live_chouette = await chouettes.live_chouette(chouette_id)
    seq = live_chouette.seq if seq is None else seq
    return await chouettes.act(chouette_id, player, f"c{live_chouette.seq}-{player}", seq, event)  # type: ignore[arg-type]


async def play(chouettes: Chouettes, chouette_id: str) -> None:
    """Plays the current roll."""
    chouette = (await chouettes.live_chouette(chouette_id)).chouette
    game = chouette.board
    moves = legal_plays(game.rules, game.position, game.faces)[0].moves
    by = chouette.line[0] if game.player == BOX else chouette.captain
    await do(chouettes, chouette_id, by, Act(PlayMade(game.player, moves), by))


async def check(store: Store, chouette_id: str) -> Chouette:
    """The fold of the log, after checking that the cached state agrees."""
    events = await store.read(lambda connection: log_storage.get_events(connection, log_storage.CHOUETTES, chouette_id))
    found = await store.read(lambda connection: chouette_storage.get_header(connection, chouette_id))
    kept = await store.read(lambda connection: chouette_storage.get_cache(connection, chouette_id))
    assert found is not None
    assert kept is not None
    live_chouette = LiveChouette(found[0], ())
    live_chouette.read(events)
    chouette = live_chouette.chouette
    assert kept == cache(chouette, events[-1].at, kept.deadline_at)
    assert Chouette.fold(chouette.rules, chouette.terms, chouette.events, audit=True) == chouette
    return chouette


@pytest.mark.usefixtures("each_database")
async def test_a_chouette_is_read_again_as_it_was_written(tmp_path: Path) -> None:
    async with opened(tmp_path) as chouettes:
        chouette_id = await begun(chouettes)
        await play(chouettes, chouette_id)
        await do(chouettes, chouette_id, 2, Act(Double(TEAM), 2))
        before = (await chouettes.live_chouette(chouette_id)).chouette
        assert before.line == (0, 1, 2, 3)
        assert await check(chouettes.store, chouette_id) == before
    async with opened(tmp_path) as chouettes:  # as after kill -9
        live_chouette = await chouettes.live_chouette(chouette_id)
        assert live_chouette.chouette == before
        assert [place.name for place in live_chouette.places] == ["Anna", "Ben", "Kim", "Lea"]
        await do(chouettes, chouette_id, 0, Act(Take(BOX), 0, (2,)))
        assert live_chouette.chouette.in_game(2)


@pytest.mark.usefixtures("each_database")
async def test_two_processes_never_both_win_the_same_event(tmp_path: Path) -> None:
    async with opened(tmp_path) as here, opened(tmp_path) as there:
        chouette_id = await begun(here)
        await play(here, chouette_id)
        await there.live_chouette(chouette_id)
        await do(here, chouette_id, 2, Act(Double(TEAM), 2))
        seq = (await there.live_chouette(chouette_id)).seq
        await there.act(chouette_id, 3, "mine", seq, Act(Double(TEAM), 3))  # it has not heard of the first double
        chouette = (await there.live_chouette(chouette_id)).chouette
        assert {pair.player for pair in chouette.running if pair.game.cube.offered} == {2, 3}
        with pytest.raises(StaleCommand):  # the box has not seen the second double
            await here.act(chouette_id, 0, "blind", seq + 1, Act(Take(BOX), 0))
        await check(here.store, chouette_id)


async def test_a_command_that_is_repeated_is_done_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as chouettes:
        chouette_id = await begun(chouettes)
        seq = (await chouettes.live_chouette(chouette_id)).seq
        game = (await chouettes.live_chouette(chouette_id)).chouette.board
        event = Act(PlayMade(BOX, legal_plays(game.rules, game.position, game.faces)[0].moves), 0)
        assert [await chouettes.act(chouette_id, 0, "same", seq, event) for _ in range(3)] == [seq + 1] * 3
        with pytest.raises(UsedId, match="belongs to another command"):
            await chouettes.act(chouette_id, 0, "same", seq + 1, Act(Double(BOX), 0))


async def test_nobody_acts_for_another(tmp_path: Path) -> None:
    async with opened(tmp_path) as chouettes:
        chouette_id = await begun(chouettes)
        with pytest.raises(ForeignSeat):
            await do(chouettes, chouette_id, None, Act(Roll(BOX), 0))
        with pytest.raises(IllegalEvent, match="nobody else"):
            await do(chouettes, chouette_id, 3, Act(Roll(TEAM), 3))
        with pytest.raises(IllegalMove):
            await chouettes.try_moves(chouette_id, 1, (await chouettes.live_chouette(chouette_id)).roll_seq, 1, ())
        with pytest.raises(UnknownChouette):
            await chouettes.live_chouette("nowhere")


async def test_what_depends_on_nothing_that_has_happened_since_is_not_stale(tmp_path: Path) -> None:
    async with opened(tmp_path) as chouettes:
        chouette_id = await begun(chouettes)
        await play(chouettes, chouette_id)
        seq = (await chouettes.live_chouette(chouette_id)).seq
        for player in (2, 3):  # at the same time
            await do(chouettes, chouette_id, player, Act(Double(TEAM), player), seq)
        await do(chouettes, chouette_id, 0, Act(Pass(BOX), 0, (2,)))
        with pytest.raises(StaleCommand):  # Kim's game has changed
            await do(chouettes, chouette_id, 2, Act(Resign(TEAM, 1), 2), seq)


async def test_a_settlement_is_offered_and_accepted_in_one_position(tmp_path: Path) -> None:
    async with opened(tmp_path) as chouettes:
        chouette_id = await begun(chouettes)
        before = (await chouettes.live_chouette(chouette_id)).seq
        await do(chouettes, chouette_id, 2, Propose(2, 2, -1))
        await play(chouettes, chouette_id)
        with pytest.raises(IllegalEvent, match="held until the next roll, play or cube action"):
            await do(chouettes, chouette_id, 0, Act(Settle(-1), 0, (2,)))
        with pytest.raises(StaleCommand):  # Kim has not seen the play
            await do(chouettes, chouette_id, 2, Propose(2, 2, -1), before)
        await do(chouettes, chouette_id, 2, Propose(2, 2, -1))
        await do(chouettes, chouette_id, 2, Withdraw(2, 2))
        with pytest.raises(IllegalEvent, match="an offer of the other side"):
            await do(chouettes, chouette_id, 0, Act(Settle(-1), 0, (2,)))
        await do(chouettes, chouette_id, 2, Propose(2, 2, -0.5))
        await do(chouettes, chouette_id, 0, Act(Settle(-0.5), 0, (2,)))
        assert (await check(chouettes.store, chouette_id)).ledger == (-0.5, 0, 0.5, 0)


async def test_only_the_server_rolls(tmp_path: Path) -> None:
    async with opened(tmp_path) as chouettes:
        chouette_id = await four(chouettes)
        await do(chouettes, chouette_id, 3, Order(((1,), (2,), (3,), (6,))))
        chouette = (await chouettes.live_chouette(chouette_id)).chouette
        assert chouette.line == (0, 1, 2, 3)
        await play(chouettes, chouette_id)
        await do(chouettes, chouette_id, 1, Act(Roll(TEAM, (6, 6)), 1))
        again = Chouettes(chouettes.store, PubSub(), ScriptedDice(), Clock())
        faces = ScriptedDice().roll((await again.live_chouette(chouette_id)).seeds, 1, 2, chouette.rules.dice.rows)
        assert (await chouettes.live_chouette(chouette_id)).chouette.board.faces == faces


async def test_who_ties_for_the_order_rolls_again(tmp_path: Path) -> None:
    dice = ScriptedDice([(6, 1), (5, 1), (6, 1), (3, 1), (2, 1), (4, 1), (4, 4), (1, 2)])
    async with opened(tmp_path, dice=dice) as chouettes:
        chouette_id = await begun(chouettes)
        chouette = (await chouettes.live_chouette(chouette_id)).chouette
        assert chouette.line == (2, 0, 1, 3)
        assert [type(event).__name__ for event in chouette.events[-3:]] == [
            "Order",
            "Act",
            "Act",
        ]  # a tie on the opening roll


async def test_somebody_joins_once_comes_back_to_their_points_and_finds_no_ninth_place(tmp_path: Path) -> None:
    async with opened(tmp_path) as chouettes:
        chouette_id = await four(chouettes)
        assert await chouettes.join(chouette_id, PEOPLE[3]) == 3
        await do(chouettes, chouette_id, 3, Leave(3))
        assert await chouettes.join(chouette_id, PEOPLE[3]) == 3
        others = [Guest(f"other{index}", f"Other {index}") for index in range(5)]
        for guest in others:
            await chouettes.store.write(lambda connection, guest=guest: guest_storage.put_guest(connection, guest, 0))
        for guest in others[:4]:
            await chouettes.join(chouette_id, guest)
        with pytest.raises(ChouetteRefused, match="full"):
            await chouettes.join(chouette_id, others[4])


async def test_who_is_out_of_time_loses_what_waits_for_him_and_leaves_after_the_game(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock) as chouettes:
        chouette_id = await begun(chouettes)
        await play(chouettes, chouette_id)
        await do(chouettes, chouette_id, 2, Act(Double(TEAM), 2))
        clock.now += 179_000
        await chouettes.expire(chouette_id)
        assert (await chouettes.live_chouette(chouette_id)).chouette.must_answer == (0,)
        clock.now += 1_000
        await chouettes.expire(chouette_id)
        chouette = (await chouettes.live_chouette(chouette_id)).chouette
        assert not chouette.still_in(2)
        assert chouette.leaving == (0,)
        assert chouette.playing
        assert sum((await check(chouettes.store, chouette_id)).ledger) == 0


async def test_who_only_has_to_say_whether_they_double_loses_nothing_by_time(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock) as chouettes:
        chouette_id = await begun(chouettes)
        await do(chouettes, chouette_id, 3, Ask(3, on=True))
        await play(chouettes, chouette_id)
        clock.now += 180_000
        await chouettes.expire(chouette_id)
        chouette = (await chouettes.live_chouette(chouette_id)).chouette
        assert isinstance(chouette.events[-2], Waive)
        assert chouette.still_in(3)
        assert chouette.waits_for == (1,)


async def test_a_deadline_holds_while_others_do_something_that_changes_nothing(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock) as chouettes:
        chouette_id = await begun(chouettes)
        before = (await chouettes.live_chouette(chouette_id)).deadline_at
        clock.now += 60_000
        await do(chouettes, chouette_id, 3, Ask(3, on=True))
        assert (await chouettes.live_chouette(chouette_id)).deadline_at == before


async def test_a_chouette_is_closed_when_only_bots_are_left_and_its_seed_is_told(tmp_path: Path) -> None:
    async with opened(tmp_path) as chouettes:
        runner = BotRunner([chouettes], ChanceBots(), 0)
        chouette_id = await chouettes.open(
            PEOPLE[0], Proposed(variant(), ChouetteTerms(), bots=(("easy", "Bot 1"), ("easy", "Bot 2")))
        )
        assert len(await chouettes.listed()) == 1
        await do(chouettes, chouette_id, 0, Leave(0))
        assert await chouettes.closes(chouette_id)
        assert (await chouettes.live_chouette(chouette_id)).chouette.over
        assert await chouettes.listed() == []
        await runner.stop()


async def test_a_chouette_in_which_nothing_happens_for_days_is_closed_between_two_games(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock) as chouettes:
        chouette_id, playing = await four(chouettes), await begun(chouettes)
        clock.now += FORGOTTEN_MS - 1
        assert not await chouettes.closes(chouette_id)
        clock.now += 1
        assert await chouettes.store.read(lambda c: chouette_storage.forgotten(c, clock.now - FORGOTTEN_MS)) == [
            chouette_id
        ]
        assert await chouettes.closes(chouette_id)
        assert not await chouettes.closes(playing)  # there, a player's time has run out


async def test_a_seed_is_kept_in_the_log_and_goes_into_the_dice_of_the_next_game(tmp_path: Path) -> None:
    async with opened(tmp_path, dice=ScriptedDice()) as chouettes:
        chouette_id = await four(chouettes)
        await chouettes.give_seed(chouette_id, 1, "of Ben")
        await chouettes.give_seed(chouette_id, 1, "of Ben")
        before = (await chouettes.live_chouette(chouette_id)).seeds
        await do(chouettes, chouette_id, 0, Order(()))
        with pytest.raises(IllegalEvent, match="gives one seed"):
            await chouettes.give_seed(chouette_id, 1, "of Ben, again")
        with pytest.raises(ForeignSeat):
            await chouettes.give_seed(chouette_id, None, "of nobody")
        await chouettes.give_seed(chouette_id, 2, "of Kim")
    async with opened(tmp_path) as chouettes:
        live_chouette = await chouettes.live_chouette(chouette_id)
        assert live_chouette.seeds.clients == before.clients
        assert live_chouette.seeds.clients[2:] == ("of Ben",)
        assert seeds_of(live_chouette.header, live_chouette.chouette, 2).clients[2:] == ("of Ben", "of Kim")
        await check(chouettes.store, chouette_id)


async def test_bots_play_a_whole_chouette_by_themselves_when_somebody_begins_each_game(tmp_path: Path) -> None:
    async with opened(tmp_path, dice=ScriptedDice()) as chouettes:
        bots = tuple(("easy", f"Bot {number}") for number in (1, 2, 3))
        runner = BotRunner([chouettes], ChanceBots(), 0)
        chouette_id = await chouettes.open(
            PEOPLE[0], Proposed(variant("hypergammon"), ChouetteTerms(beavers=3), bots=bots)
        )
        await do(chouettes, chouette_id, 0, Order(()))
        for _ in range(3000):
            live_chouette = await chouettes.live_chouette(chouette_id)
            chouette = live_chouette.chouette
            if len(chouette.finished) == 2:
                break
            if not chouette.playing:
                await do(chouettes, chouette_id, 0, Act(Next()))
            elif 0 in chouette.waits_for:
                await act_as_a_bot(chouettes, chouette_id, 0)
            elif not await runner.step(chouettes, chouette_id):
                break
        await runner.stop()
        chouette = await check(chouettes.store, chouette_id)
        assert len(chouette.finished) == 2
        assert sum(chouette.ledger) == 0


async def act_as_a_bot(chouettes: Chouettes, chouette_id: str, player: int) -> None:
    """A player with random legal actions."""
    from barpoint.chouette.agent import decide
    from tests.support.scripted_bots import ChanceBot

    live_chouette = await chouettes.live_chouette(chouette_id)
    await do(chouettes, chouette_id, player, decide(live_chouette.chouette, player, ChanceBot(live_chouette.seq)))


async def test_lists_say_who_plays_where(tmp_path: Path) -> None:
    async with opened(tmp_path) as chouettes:
        chouette_id = await begun(chouettes)
        (one,) = await chouettes.listed()
        assert (one.id, one.names, one.playing, one.games) == (chouette_id, ("Anna", "Ben", "Kim", "Lea"), True, 0)
        kept = await chouettes.store.read(lambda connection: chouette_storage.get_cache(connection, chouette_id))
        assert kept is not None
        assert msgspec.json.decode(kept.state, type=ChouetteStanding).line == (0, 1, 2, 3)
        hidden = await chouettes.open(PEOPLE[1], Proposed(variant(), ChouetteTerms(), listed=False))
        assert [found.id for found in await chouettes.listed()] == [chouette_id]
        assert hidden != chouette_id


async def test_who_has_played_finds_the_chouette_and_their_points_also_after_it_is_closed(tmp_path: Path) -> None:
    async with opened(tmp_path) as chouettes:
        chouette_id = await begun(chouettes)
        for player in (1, 2, 3):
            await do(chouettes, chouette_id, player, Act(Resign(TEAM, 1), player))
        await do(chouettes, chouette_id, 0, Act(Accept(BOX), 0))
        empty = await four(chouettes)
        for chouette in (chouette_id, empty):
            for player in range(4):
                await do(chouettes, chouette, player, Leave(player))

        async def own(person: int) -> list[OwnChouette]:
            return await chouettes.store.read(chouette_storage.chouettes_of, PEOPLE[person].id, 9)

        (anna,), (lea,) = await own(0), await own(3)  # not the one that was closed before a game ended
        assert (anna.id, anna.points, anna.games, anna.over) == (chouette_id, 3, 1, True)
        assert ([other.name for other in anna.others], lea.points) == (["Ben", "Kim", "Lea"], -1)
        assert await chouettes.store.read(chouette_storage.chouettes_of, "nobody", 9) == []
