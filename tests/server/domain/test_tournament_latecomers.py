"""Latecomers: in the byes of a knock-out's first round, and by late entries that change while a Swiss tournament runs."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from barpoint.server.domain.tournament_boards import board_numbers
from barpoint.server.domain.tournament_events import (
    Changed,
    Decided,
    Form,
    Joined,
    Renamed,
    Reported,
    TournamentError,
    TournamentEvent,
    TournamentStage,
)
from barpoint.server.domain.tournament_latecomers import first_byes
from barpoint.server.domain.tournament_matches import games
from barpoint.server.domain.tournament_pairing import with_rounds
from barpoint.server.domain.tournament_standings import standings
from barpoint.server.domain.tournaments import replay
from tests.server.domain.test_tournaments import begun, fold, open_games, play_on


def test_a_latecomer_plays_who_had_the_bye_and_nobody_else_is_moved() -> None:
    now, _ = begun(Form.KNOCKOUT, 6)
    byes = first_byes(now)
    assert [game.players for game in byes] == [("p0", ""), ("p1", "")]
    chosen = byes[1]
    after = now.apply(Joined("late", game=chosen.number))
    found, before = games(after), games(now)
    assert set(found[chosen.number].players) == {"late", *chosen.players} - {""}
    assert found[chosen.number].playable
    first_round = [game for game in before if game.round == 1 and game.number != chosen.number]
    assert all(found[game.number].players == game.players for game in first_round)
    boards = board_numbers(after)
    assert all(boards[number] == board for number, board in board_numbers(now).items()), "no number changes"
    assert len({boards[game.number] for game in found if game.round == 1 and game.playable}) == 3
    assert first_byes(after) == (byes[0],)
    last = after.apply(Joined("later", game=byes[0].number))
    assert first_byes(last) == ()
    assert len(last.entrants) == 8


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([Form.KNOCKOUT, Form.DOUBLE]), st.integers(3, 13), st.integers(), st.sampled_from([0, 3]))
def test_a_knock_out_with_latecomers_comes_to_an_end_and_its_log_says_everything(
    form: Form, players: int, seed: int, consolation: int
) -> None:
    random = Random(seed)
    now, happened = begun(form, players, consolation=consolation if form.single else 0)
    for number in range(20):
        if now.stage is not TournamentStage.RUNNING:
            break
        byes = first_byes(now)
        event: object = Decided((game := random.choice(open_games(now))).number, random.choice(game.players))
        if byes and random.random() < 0.6:
            event = Joined(f"late {number}", game=random.choice(byes).number)
        with suppress(TournamentError):  # the next match of who has the bye has begun
            now = now.apply(event)  # type: ignore[arg-type]
            happened.append(event)
    now = play_on(now, happened, random)
    assert fold(now.plan, happened) == now == replay(now.plan, happened)  # type: ignore[arg-type]
    assert sorted(line.player for line in standings(now)) == sorted(now.entrants)


def test_a_bye_is_taken_only_before_the_next_match_and_while_places_are_free() -> None:
    now, happened = begun(Form.KNOCKOUT, 3, boards=True)
    (bye,) = first_byes(now)
    taken = Joined("late", game=bye.number)
    with pytest.raises(TournamentError, match="has no bye; allowed: the byes of the first round"):
        now.apply(Joined("late", game=1 - bye.number))
    with pytest.raises(TournamentError, match="entered already"):
        now.apply(Joined("p0", game=bye.number))
    full = replace(now.plan, max_players=3)
    with pytest.raises(TournamentError, match="all 3 places are taken"):
        fold(full, happened).apply(taken)  # type: ignore[arg-type]
    decided = now.apply(Decided(1 - bye.number, games(now)[1 - bye.number].players[0]))
    assert decided.apply(taken).results == decided.results, "the final has not begun"
    final = games(decided)[2]
    said = decided.apply(Reported(2, str(final.players[0]), ""))
    with pytest.raises(TournamentError, match="allowed: byes whose next match has not begun"):
        said.apply(taken)
    swiss, _ = begun(Form.SWISS, 3)
    with pytest.raises(TournamentError, match="has no bye"):
        swiss.apply(Joined("late", game=0))
    with pytest.raises(TournamentError, match="is over"):
        decided.apply(Decided(2, final.players[0])).apply(taken)


def test_late_entries_of_a_running_swiss_tournament_are_opened_and_closed() -> None:
    now, happened = begun(Form.SWISS, 4)
    with pytest.raises(TournamentError, match="has begun"):
        now.apply(Joined("late"))
    opened = Changed(replace(now.plan, late=2), now.plan)
    after = now.apply(opened)
    assert after.apply(Joined("late")).order[-1] == "late"
    closed = after.apply(Changed(now.plan, after.plan))
    assert not closed.late
    log = [*happened, opened]
    assert replay(after.plan, log) == fold(now.plan, log) == after  # type: ignore[arg-type]
    for plan in (now.plan, replace(now.plan, name="Other", late=1)):
        with pytest.raises(TournamentError, match="allowed: to change the late entries of a Swiss"):
            now.apply(Changed(plan, now.plan))
    robin, _ = begun(Form.ROBIN, 4)
    with pytest.raises(TournamentError, match="allowed: to change the late entries of a Swiss"):
        robin.apply(Changed(replace(robin.plan, late=1), robin.plan))


def test_two_who_begin_a_swiss_tournament_are_joined_by_a_third_who_makes_it_longer() -> None:
    now, _ = begun(Form.SWISS, 2, late=2)
    assert (now.rounds, now.late) == (1, True)
    event = with_rounds(now, Joined("late"))
    after = now.apply(event)
    assert (after.rounds, after.order) == (2, ("p0", "p1", "late"))
    over = now.apply(Decided(0, "p0"))
    assert (over.stage, over.late) == (TournamentStage.OVER, False)


def test_only_players_without_an_account_are_renamed() -> None:
    now, happened = begun(Form.KNOCKOUT, 3)
    (bye,) = first_byes(now)
    log = [*happened, Joined("walk-in:1", "Zo", bye.number), Renamed("walk-in:1", "Zoe", "Zo")]
    after = fold(now.plan, log)  # type: ignore[arg-type]
    assert after.given_names == {"walk-in:1": "Zoe"}
    assert replay(now.plan, log) == after  # type: ignore[arg-type]
    for player in ("p0", "walk-in:2"):
        with pytest.raises(TournamentError, match="only players without an account"):
            after.apply(Renamed(player, "Zoe", "Zo"))


def test_logs_without_latecomers_are_read_as_before() -> None:
    read = msgspec.json.Decoder(TournamentEvent)
    assert read.decode(b'{"kind":"join","player":"a"}') == Joined("a")
    assert read.decode(b'{"kind":"join","player":"walk-in:1","name":"Zoe"}') == Joined("walk-in:1", "Zoe")
    assert msgspec.json.encode(Joined("a")) == b'{"kind":"join","player":"a"}'
