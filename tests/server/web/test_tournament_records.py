"""The standings of a tournament as a file: every form has the result and the opponent of each round."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from barpoint.server.domain import tournament_matches
from barpoint.server.domain.tournament_events import Form, Plan
from barpoint.server.domain.tournament_matches import games
from barpoint.server.live.match_transactions import void_match
from barpoint.server.live.tournament_step import name_of
from barpoint.server.storage.tournaments import log_of
from barpoint.server.web.tournament_boxes import offered_score
from barpoint.server.web.tournament_records import log_entries, standings_csv
from tests.support.tournaments import Club, club


async def decide(here: Club, tournament_id: str, count: int) -> None:
    """The first player of the first open matches wins."""
    for _ in range(count):
        game = next(game for game in games((await here.known(tournament_id)).now) if game.playable)
        await here.services.tournaments.decide(tournament_id, here.members[0], game.number, game.players[0])


async def table(here: Club, tournament_id: str) -> tuple[list[str], dict[str, dict[str, str]]]:
    """The columns, and each player's row."""
    lines = csv.DictReader(standings_csv(await here.known(tournament_id)).splitlines())
    rows = {line["player"]: line for line in lines}
    return list(lines.fieldnames or ()), rows


async def test_a_knock_out_has_its_matches_and_nobody_has_a_rank_who_can_still_win(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        found = await here.announce(Plan("Cup", lengths=(1,), max_players=3), 3)
        columns, rows = await table(here, found)
        assert columns == ["rank", "player", "won", "prize", "left", "round_1", "opponent_1", "round_2", "opponent_2"]
        assert {row["rank"] for row in rows.values()} == {""}
        await decide(here, found, 1)
        _columns, rows = await table(here, found)
        assert sorted((row["rank"], row["won"], row["round_1"]) for row in rows.values()) == [
            ("", "0", "bye"),
            ("", "1", "1"),
            ("3", "0", "0"),
        ]
        await decide(here, found, 1)
        _columns, rows = await table(here, found)
        best = next(row for row in rows.values() if row["rank"] == "1")
        assert best["round_2"] == "1"
        assert rows[best["opponent_2"]]["round_2"] == "0"
        assert rows[best["opponent_2"]]["opponent_2"] == best["player"]


async def test_a_double_elimination_has_the_rounds_of_both_its_parts_and_the_final(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        found = await here.announce(Plan("Two lives", form=Form.DOUBLE, lengths=(1,), max_players=4), 4)
        columns, _rows = await table(here, found)
        rounds = ["main_1", "main_2", "second_1", "second_2", "final_1", "final_2"]
        assert columns[5:] == [name for one in rounds for name in (one, f"opponent_{one}")]
        await decide(here, found, 3)
        _columns, rows = await table(here, found)
        assert sum(row["main_1"] == "1" for row in rows.values()) == 2
        lost = next(row for row in rows.values() if row["main_1"] == "0" and row["second_1"] == "")
        assert lost["opponent_second_1"] == "" or rows[lost["opponent_second_1"]]["second_1"] == ""


async def test_a_consolation_has_rounds_of_its_own_and_who_still_plays_has_no_rank(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        found = await here.announce(Plan("Cup", lengths=(1,), max_players=4, consolation=1), 4)
        columns, _rows = await table(here, found)
        rounds = ["round_1", "round_2", "consolation_1"]
        opponents = ["opponent_1", "opponent_2", "opponent_consolation_1"]
        assert columns[5:] == [name for both in zip(rounds, opponents, strict=True) for name in both]
        await decide(here, found, 2)
        _columns, rows = await table(here, found)
        assert {row["rank"] for row in rows.values()} == {""}
        await decide(here, found, 1)
        _columns, rows = await table(here, found)
        ranked = {row["rank"]: row for row in rows.values() if row["rank"]}
        assert ranked.keys() == {"1", "2"}, "the final is over, the consolation is not"
        assert ranked["1"]["opponent_2"] == ranked["2"]["player"]
        await decide(here, found, 1)
        _columns, rows = await table(here, found)
        assert [row["rank"] for row in rows.values()] == ["1", "2", "3", "4"]
        assert rows[next(name for name, row in rows.items() if row["rank"] == "3")]["consolation_1"] == "1"


async def test_groups_have_their_rounds_and_those_of_the_knock_out(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        plan = Plan("Groups", form=Form.GROUPS, lengths=(1,), max_players=6, groups=2, advance=1)
        found = await here.announce(plan, 6)
        await decide(here, found, 7)
        columns, rows = await table(here, found)
        assert columns[:7] == ["rank", "player", "group", "points", "beaten", "prize", "left"]
        assert columns[7:] == [
            *("round_1", "opponent_1", "round_2", "opponent_2", "round_3", "opponent_3"),
            *("knockout_1", "opponent_knockout_1"),
        ]
        final = {row["player"]: row for row in rows.values() if row["knockout_1"]}
        assert sorted(row["knockout_1"] for row in final.values()) == ["0", "1"]
        assert {row["opponent_knockout_1"] for row in final.values()} == set(final)
        assert sum(row["round_1"] == "bye 0" for row in rows.values()) == 2, "a bye counts nothing there"


async def test_a_match_that_was_made_anew_has_the_score_of_its_last_attempt(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        found = await here.announce(Plan("Evening", form=Form.ROBIN, lengths=(1,), max_players=4), 4)
        first, second = await here.open_bouts(found)
        await here.arrive(first)
        await here.services.store.write(lambda connection: void_match(connection, first.match_id, here.clock.now))
        await here.services.tournaments.look()
        again = next(bout for bout in await here.open_bouts(found) if bout.game == first.game)
        assert again.match_id != first.match_id
        await here.resign(again, 1)
        await here.services.tournaments.look()
        columns, _rows = await table(here, found)
        assert "score" not in " ".join(columns), "nobody has entered one"
        players = games((await here.known(found)).now)[second.game].players
        await here.services.tournaments.decide(found, here.members[0], second.game, players[0], score=(5, 0))
        _columns, rows = await table(here, found)
        assert sorted(row["score_1"] for row in rows.values()) == ["0:3", "0:5", "3:0", "5:0"]
        known = await here.known(found)
        bouts = {bout.game: bout for bout in known.bouts}

        def offered(number: int) -> list[str]:
            """The score that a correction offers for each player."""
            game = games(known.now)[number]
            return [offered_score(known, game, bouts.get(number), player or "") for player in game.players]

        assert offered(first.game) == ["3 : 0", ""], "what was played here is not that of the other"
        assert offered(second.game) == ["5 : 0", "5 : 0"], "what was typed may be"
        assert all((row["round_1"] == "1") == (row["score_1"] > row["score_1"][::-1]) for row in rows.values())


async def test_a_log_is_told_without_making_all_matches_again_for_each_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club(tmp_path) as here:
        for form in (Form.ROBIN, Form.DOUBLE):
            found = await here.announce(Plan("Evening", form=form, lengths=(1,), max_players=4), 4)
            for game in [game for game in games((await here.known(found)).now) if game.playable]:
                await here.services.tournaments.decide(found, here.members[-4], game.number, game.players[0])
            known = await here.known(found)
            written = await here.services.store.read(log_of, found)
            made = list[object]()
            with monkeypatch.context() as patched:
                for name in ("_round_games", "_bracket_games"):
                    patched.setattr(tournament_matches, name, made.append)
                entries = log_entries(known, written)
            assert made == []
            results = [entry.text.partition(" (")[0] for entry in entries if " won against " in entry.text]
            played = [game.players for game in games(known.now) if game.how]
            said = [tuple(name_of(known, player or "") for player in both) for both in played]
            assert results == [f"{one} won against {other}" for one, other in said[::-1]]


async def test_a_bye_says_what_it_counts_and_tie_breaks_are_written_alike(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        plan = Plan("Swiss", form=Form.SWISS, lengths=(1,), max_players=6, rounds=2)
        members = await here.enroll(6)
        found = await here.services.tournaments.announce(members[0], plan)
        for person in members:
            await here.services.tournaments.join(found, person)
        await decide(here, found, 2)
        await here.services.tournaments.give_bye(found, members[0], members[1].id, given=True)
        await decide(here, found, 1)
        columns, rows = await table(here, found)
        assert columns[:5] == ["rank", "player", "points", "median", "buchholz"]
        byes = sorted(row["round_2"] for row in rows.values() if row["round_2"].startswith("bye"))
        assert byes == ["bye 0", "bye 1"], "one asked for it, the other was left over"
        assert not any(row[name].endswith(".0") for row in rows.values() for name in ("median", "buchholz"))
