"""Every change of a match is validated, written, and only then published (rulings 2.3)."""

import asyncio
from pathlib import Path

import pytest

from barpoint.error import IllegalEvent, IllegalMove
from barpoint.game import Accept, Double, Keep, Next, Pass, Phase, PlayMade, Reject, Resign, Roll, Rollover, Take
from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.live.discards import decline_rematch
from barpoint.server.live.event_log import ForeignSeat, StaleCommand, UsedId
from barpoint.server.live.matches import UnknownMatch, seat_for
from barpoint.server.storage import deadlines as deadline_storage
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.variants import variant
from tests.support.live_server import ANNA, BEN, DrivenMatch, fold_equals_snapshot, guest_seats, opened, seated
from tests.support.scripted_bots import ScriptedDice

pytestmark = pytest.mark.usefixtures("each_database")

OPENING = [(6, 5)]
RACE = "roll-over+hypergammon(checkers=1)"


async def due(driven: DrivenMatch, now: int) -> list[str]:
    return await driven.matches.store.write(lambda connection: deadline_storage.claim_due(connection, now, now))


async def test_a_match_begins_with_the_opening_roll_that_the_server_makes(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice([(3, 3), (2, 5)])) as driven:
        match = await driven.match()
        assert [event.faces for event in match.events] == [(3, 3), (2, 5)]  # a tie is rolled again (S4-1)
        assert match.game.player == 1
        assert match.game.faces == (5, 2)


async def test_what_is_acknowledged_is_in_the_log(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        await driven.turn()
        seq = await driven.do(Roll(1))
        assert driven.news, "listeners are told"
        logged = await driven.matches.store.read(
            lambda connection: log_storage.get_events(connection, log_storage.MATCHES, driven.id)
        )
        assert [header.kind for header in logged] == ["opening", "play", "roll"]
        assert logged[-1].seq == seq == 3
        assert logged[-1].actor == "1"
        await fold_equals_snapshot(driven.matches.store, driven.id)


async def test_a_repeated_command_is_done_once(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        await driven.turn()
        live_match = await driven.live_match()
        first = await driven.matches.act(driven.id, 1, "same", live_match.seq, Roll(1))
        again = await driven.matches.act(driven.id, 1, "same", 2, Roll(1))
        assert first == again == live_match.seq == 3


async def test_the_id_of_a_command_is_refused_for_another_command(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        await driven.turn()
        live_match = await driven.matches.live_match(driven.id)
        first = await driven.matches.act(driven.id, 1, "same", live_match.seq, Roll(1))
        for other in (Double(1), Resign(1, 1)):
            with pytest.raises(UsedId, match=f"the id 'same' belongs to another command, which made event {first};"):
                await driven.matches.act(driven.id, 1, "same", first, other)
        assert live_match.seq == first
        assert await driven.matches.act(driven.id, 1, "same", 2, Roll(1)) == first, "sent again, it is the same"


async def test_a_repeated_command_is_known_after_a_restart(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        await driven.turn()
        first = await driven.do(Roll(1), command_id="same")
    async with opened(tmp_path) as matches:
        assert await matches.act(driven.id, 1, "same", 2, Roll(1)) == first
        assert (await matches.live_match(driven.id)).seq == first


async def test_a_stale_command_changes_nothing(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        await driven.turn()
        await driven.turn()
        before = await driven.match()
        with pytest.raises(StaleCommand, match="has gone on"):
            await driven.matches.act(driven.id, 0, "late", 2, Roll(0))
        assert await driven.match() is before


async def test_a_spectator_has_no_rights(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        before = await driven.match()
        with pytest.raises(ForeignSeat, match="you may watch"):
            await driven.matches.act(driven.id, None, "x", before.game.roll_id, Roll(0))
        with pytest.raises(ForeignSeat):
            await driven.matches.try_moves(driven.id, None, 1, 1, ())
        assert await driven.match() is before


async def test_a_player_cannot_act_for_the_other(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        before = await driven.match()
        with pytest.raises(IllegalEvent, match="allowed now: play"):
            await driven.do(Roll(1), seat=1)
        with pytest.raises(ForeignSeat):
            await driven.matches.try_moves(driven.id, 1, 1, 1, ((24, 18, 6),))
        assert await driven.match() is before


async def test_an_illegal_play_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        before = await driven.match()
        with pytest.raises(IllegalEvent, match="allowed"):
            await driven.do(PlayMade(0, ((24, 20, 4),)))
        assert await driven.match() is before
        await fold_equals_snapshot(driven.matches.store, driven.id)


async def test_an_unknown_match_is_said_to_be_one(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        with pytest.raises(UnknownMatch):
            await matches.live_match("nowhere")


async def test_two_commands_at_once_never_both_win(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        await driven.turn()
        results = await asyncio.gather(
            *(driven.matches.act(driven.id, 1, f"tab{tab}", 2, Roll(1)) for tab in range(8)), return_exceptions=True
        )
        assert sum(result == 3 for result in results) == 1
        assert sum(isinstance(result, StaleCommand) for result in results) == 7


async def test_two_processes_racing_for_a_match_never_both_win(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven, opened(tmp_path) as other:
        await driven.turn()
        await other.live_match(driven.id)  # both hold a copy of the match now
        results = await asyncio.gather(
            driven.matches.act(driven.id, 1, "here", 2, Roll(1)),
            other.act(driven.id, 1, "there", 2, Roll(1)),
            return_exceptions=True,
        )
        assert sum(result == 3 for result in results) == 1
        assert sum(isinstance(result, StaleCommand) for result in results) == 1
        await fold_equals_snapshot(driven.matches.store, driven.id)


async def test_tried_moves_survive_a_restart(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        await driven.matches.try_moves(driven.id, 0, 1, 1, ((24, 18, 6),))
        await driven.matches.try_moves(driven.id, 0, 1, 2, ((24, 18, 6), (18, 13, 5)))
    async with opened(tmp_path) as matches:
        live_match = await matches.live_match(driven.id)
        assert live_match.made == ((24, 18, 6), (18, 13, 5))
        assert live_match.version == 2
        assert live_match.view(0).turn is not None
        assert live_match.view(0).turn.made == live_match.made  # type: ignore[union-attr]
        assert live_match.seq == 1, "trying never touches the log"


async def test_moves_tried_in_two_tabs_do_not_overwrite_each_other(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        await driven.matches.try_moves(driven.id, 0, 1, 1, ((24, 18, 6),))
        with pytest.raises(StaleCommand):
            await driven.matches.try_moves(driven.id, 0, 1, 1, ((13, 7, 6),))
        with pytest.raises(StaleCommand):
            await driven.matches.try_moves(driven.id, 0, 0, 2, ((13, 7, 6),))
        assert (await driven.live_match()).made == ((24, 18, 6),)


async def test_moves_that_are_not_legal_cannot_be_tried(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        with pytest.raises(IllegalMove):
            await driven.matches.try_moves(driven.id, 0, 1, 1, ((24, 20, 4),))
        assert (await driven.live_match()).version == 0


async def test_tried_moves_outlive_a_rejected_resignation_and_no_commit(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice(OPENING)) as driven:
        await driven.matches.try_moves(driven.id, 0, 1, 1, ((24, 18, 6),))
        await driven.do(Resign(0, 1))
        assert (await driven.live_match()).made == ((24, 18, 6),)
        await driven.do(Reject(1))
        assert (await driven.live_match()).made == ((24, 18, 6),)
        await driven.turn()
        assert (await driven.live_match()).made == ()


async def test_moves_tried_with_a_double_are_gone_when_the_next_one_follows(tmp_path: Path) -> None:
    """Rulings 4.10: it lies on the board without being rolled."""
    dice = ScriptedDice(OPENING, [(2, 1)] * 6 + [(5, 5)])
    async with seated(tmp_path, "gul-bara", dice) as driven:
        for _ in range(6):
            await driven.turn()
        await driven.do(Roll(0))
        rolled = (await driven.live_match()).roll_seq
        await driven.matches.try_moves(driven.id, 0, rolled, 1, ((24, 19, 5),))
        await driven.play_first()
        live_match = await driven.live_match()
        assert (live_match.match.game.faces, live_match.made, live_match.version) == ((6, 6), (), 0)
        assert live_match.roll_seq == live_match.seq == rolled + 1
        shown = live_match.view(0)
        assert shown.dice is not None
        assert (shown.to_act, shown.dice.faces, shown.dice.follows) == ("near", (6, 6), True)
        with pytest.raises(StaleCommand):
            await driven.matches.try_moves(driven.id, 0, rolled, 2, ((24, 18, 6),))
        await driven.play_first()
        assert (await fold_equals_snapshot(driven.matches.store, driven.id)).game.player == 1


async def test_a_call_is_judged_by_its_roll_and_not_by_the_last_event(tmp_path: Path) -> None:
    """Rulings 2.3: the opponent may reroll while the roller commits; the first command processed wins."""
    async with seated(tmp_path, "roll-over", ScriptedDice(OPENING, [(2, 1)])) as driven:
        roll = (await driven.match()).game.roll_id
        await driven.turn()  # Anna's play is event 2, of which Ben does not know yet
        await driven.matches.act(driven.id, 1, "call", 1, Rollover(1, roll))
        match = await driven.match()
        assert match.game.phase is Phase.MUST_REROLL
        assert match.game.player == 0
        with pytest.raises(IllegalEvent):
            await driven.do(Rollover(0, roll))  # a roll that is gone spends no token
        assert (await driven.match()).game.tokens == (1, 0)
        await driven.do(Roll(0))
        assert (await driven.match()).game.faces == (2, 1)


async def test_the_winning_roll_stands_when_the_deadline_passes(tmp_path: Path) -> None:
    """Rulings 2.3, state E: accepted by its own deadline when there is no clock."""
    dice = ScriptedDice(OPENING, [(2, 1), (6, 6)])
    async with seated(tmp_path, RACE, dice, length=1) as driven:
        for _ in range(3):
            await driven.turn()
        live_match = await driven.live_match()
        assert live_match.match.game.phase is Phase.PROVISIONAL_END
        assert live_match.deadline_at == driven.clock.now + 60_000
        await driven.matches.expire(driven.id)
        assert not (await driven.match()).over, "it is not due yet"
        driven.clock.now += 60_000
        assert await due(driven, driven.clock.now) == [driven.id]
        await driven.matches.expire(driven.id)
        assert (await driven.match()).winner == 0
        assert await due(driven, driven.clock.now + 10**9) == []
        await fold_equals_snapshot(driven.matches.store, driven.id)


async def test_the_loser_may_call_off_the_winning_roll(tmp_path: Path) -> None:
    """RC-10, RC-17."""
    dice = ScriptedDice(OPENING, [(2, 1), (6, 6), (2, 1)])
    async with seated(tmp_path, RACE, dice, length=1) as driven:
        for _ in range(3):
            await driven.turn()
        game = (await driven.match()).game
        await driven.do(Rollover(1, game.roll_id))
        game = (await driven.match()).game
        assert game.phase is Phase.MUST_REROLL
        assert game.side(0).points[0] == 0, "the checker borne off has come back"
        assert (await driven.live_match()).deadline_at is None
        await driven.turn()
        assert (await driven.match()).game.phase is Phase.TO_ROLL


async def test_time_in_which_nobody_could_act_is_given_back(tmp_path: Path) -> None:
    dice = ScriptedDice(OPENING, [(2, 1), (6, 6)])
    async with seated(tmp_path, RACE, dice, length=1) as driven:
        for _ in range(3):
            await driven.turn()
        store, now = driven.matches.store, driven.clock.now
        await store.write(lambda connection: deadline_storage.beat(connection, now))
        downtime = await store.write(lambda connection: deadline_storage.add_downtime(connection, now + 5000, 0))
        assert downtime == 5000
        cached = await store.read(lambda connection: match_storage.get_snapshot(connection, driven.id))
        assert cached is not None
        assert cached.deadline_at == now + 65_000


async def test_the_next_game_begins_with_its_own_opening_roll(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice([(6, 5), (2, 4)])) as driven:
        await driven.turn()
        await driven.do(Resign(1, 1))
        await driven.do(Accept(0))
        match = await driven.match()
        assert match.score == (1, 0)
        await driven.do(Next(), seat=1)
        match = await driven.match()
        assert [type(event).__name__ for event in match.events[-2:]] == ["Next", "Opening"]
        assert match.game.player == 1
        with pytest.raises(StaleCommand):
            await driven.matches.act(driven.id, 0, "both", len(match.events) - 2, Next())


async def test_cube_and_match_run_to_the_end(tmp_path: Path) -> None:
    async with seated(tmp_path, dice=ScriptedDice([(6, 5), (6, 5)]), length=3) as driven:
        await driven.turn()
        await driven.turn()
        await driven.do(Double(0))
        await driven.do(Pass(1))
        await driven.do(Next(), seat=0)
        await driven.turn()
        await driven.turn()
        await driven.do(Double(0))
        await driven.do(Take(1))
        await driven.do(Resign(1, 1))
        await driven.do(Accept(0))
        match = await fold_equals_snapshot(driven.matches.store, driven.id)
        assert match.over
        assert match.score == (3, 0)
        with pytest.raises(IllegalEvent, match="over"):
            await driven.do(Next(), seat=0)


async def test_an_invitation_seats_the_first_who_comes(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        header = await matches.make(
            Agreement(variant(), MatchTerms(length=1)), (seat_for(ANNA), seat_for(None, name="?", invitation="secret"))
        )
        assert (await matches.live_match(header.id)).match.events == ()
        assert await matches.join("secret", BEN) == header.id
        assert (await matches.live_match(header.id)).match.game.phase is Phase.TO_PLAY
        with pytest.raises(Conflict, match="taken"):
            await matches.join("secret", ANNA)
        with pytest.raises(Conflict, match="no match"):
            await matches.join("wrong", ANNA)


async def test_who_has_taken_a_seat_in_a_process_that_was_killed_before_it_told_is_seated_in_the_others(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as matches, opened(tmp_path) as others:  # which hear nothing of each other
        invited = seat_for(ANNA), seat_for(None, name="?", invitation="secret")
        header = await matches.make(Agreement(variant(), MatchTerms(length=1)), invited)
        assert (await others.live_match(header.id)).header.seat_of(BEN.id) is None
        await matches.join("secret", BEN)
        assert (await others.live_match(header.id)).header.seat_of(BEN.id) is None, "nobody has told"
        assert (await others.seated(header.id)).header.seat_of(BEN.id) == 1


async def test_an_opening_roll_that_a_killed_server_owes_is_made_later(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        header = await matches.make(
            Agreement(variant(), MatchTerms(length=1)), (seat_for(ANNA), seat_for(None, name="?", invitation="secret"))
        )
        await matches.store.write(
            lambda connection: match_storage.take_seat(connection, "secret", BEN)
        )  # and crashed there
    async with opened(tmp_path) as matches:
        await matches.begin(header.id)
        assert (await matches.live_match(header.id)).seq >= 1
        seq = (await matches.live_match(header.id)).seq
        await matches.begin(header.id)
        assert (await matches.live_match(header.id)).seq == seq


async def test_a_rematch_is_one_match_with_changed_seats(tmp_path: Path) -> None:
    async with seated(tmp_path, length=1) as driven:
        await driven.turn()
        await driven.do(Resign(0, 1), seat=0)
        await driven.do(Accept(1))
        made = await asyncio.gather(*(driven.matches.rematch(driven.id, guest) for guest in (ANNA, BEN)))
        assert len(set(made)) == 1
        again = (await driven.matches.live_match(made[0])).header
        assert [seat.guest for seat in again.seats] == ["ben", "anna"]
        assert again.server_seed != driven.header.server_seed
        with pytest.raises(ForeignSeat):
            await driven.matches.rematch(driven.id, match_storage.Guest("carl", "Carl"))


async def test_a_rematch_that_is_declined_ends_before_it_begins_and_may_be_asked_for_again(tmp_path: Path) -> None:
    async with seated(tmp_path, length=1) as driven:
        await driven.turn()
        await driven.do(Resign(0, 1), seat=0)
        await driven.do(Accept(1))
        rematch = await driven.matches.rematch(driven.id, ANNA, players_seed=True)
        await decline_rematch(driven.matches, driven.id, match_storage.Guest("carl", "Carl"))
        assert not (await driven.matches.live_match(rematch)).match.over
        await decline_rematch(driven.matches, driven.id, BEN)
        ended = await driven.matches.live_match(rematch)
        result = ended.view(ended.header.seat_of(ANNA.id)).result
        assert result is not None
        assert result.how == "Ben does not want a rematch"
        assert (await driven.live_match()).header.rematch is None
        finished = await driven.matches.store.read(lobby_storage.matches_finished, ANNA.id, 9)
        assert [one.id for one in finished] == [driven.id]
        assert await driven.matches.rematch(driven.id, BEN, players_seed=True) != rematch


async def test_there_is_no_rematch_of_two_who_do_not_play_each_other(tmp_path: Path) -> None:
    async with seated(tmp_path, length=1) as driven:
        await driven.turn()
        await driven.do(Resign(0, 1), seat=0)
        await driven.do(Accept(1))
        await driven.matches.store.write(lobby_storage.put_block, BEN.id, ANNA.id, driven.clock.now)
        for guest in (ANNA, BEN):
            with pytest.raises(ForeignSeat, match="do not play each other"):
                await driven.matches.rematch(driven.id, guest)
        assert (await driven.live_match()).header.rematch is None


async def test_matches_beyond_those_kept_in_memory_are_read_again(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as matches:
        matches.log.max_sessions = 2
        entries = [await matches.make(Agreement(variant(), MatchTerms(length=1)), guest_seats()) for _ in range(5)]
        for header in entries:
            live_match = await matches.live_match(header.id)
            assert live_match.header.id == header.id
            assert live_match.seq >= 1


async def test_keeping_is_the_losers_answer_alone(tmp_path: Path) -> None:
    dice = ScriptedDice(OPENING, [(2, 1), (6, 6)])
    async with seated(tmp_path, RACE, dice, length=1) as driven:
        for _ in range(3):
            await driven.turn()
        with pytest.raises(IllegalEvent):
            await driven.do(Keep(0))
        await driven.do(Keep(1))
        assert (await driven.match()).winner == 0
