"""Replay of a finished match: every event, rerolled rolls too, as each viewer may see it."""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path
from typing import Any

import httpx
import pytest

from barpoint.game.event import kind_of
from barpoint.record import read_match
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.protocol.match_text import Names
from barpoint.server.study.replay import Reel, contents, frames, spectator
from tests.support.played import play_match
from tests.support.serving import Served


@pytest.fixture(scope="module")
def live_match(served: Served) -> LiveMatch:
    match_id = served.call(play_match(served.services, "roll-over", length=3))
    return served.call(served.services.matches.live_match(match_id))


def reel_of(live_match: LiveMatch) -> Reel:
    return Reel(live_match.match, tuple(live_match.told))


def test_there_is_a_board_for_every_event_and_one_before_any(live_match: LiveMatch) -> None:
    reel = reel_of(live_match)
    found = contents(reel, Names(("Anna", "Ben")))
    boards = [frames(reel, Names(("Anna", "Ben")), chapter.game) for chapter in found.chapters]
    assert sum(map(len, boards)) == len(live_match.match.events) + 1
    assert [chapter.first for chapter in found.chapters[1:]] == [chapter.last + 1 for chapter in found.chapters[:-1]]
    assert found.chapters[-1].last == len(found.lines) == len(live_match.match.events)
    assert [len(views) for views in boards] == [chapter.last - chapter.first + 1 for chapter in found.chapters]


def test_where_games_take_turns_each_has_its_title_and_its_own_board(served: Served) -> None:
    match_id = served.call(play_match(served.services, "tavli", length=4))
    reel = reel_of(served.call(served.services.matches.live_match(match_id)))
    titles = [chapter.title for chapter in contents(reel, Names(("Anna", "Ben"))).chapters]
    assert titles == list(islice(cycle(["Portes", "Plakoto", "Fevga"]), len(titles)))
    assert len(titles) > 1
    boards = frames(reel, Names(("Anna", "Ben")), 2)
    assert boards[0].score.game == "Plakoto"
    assert boards[0].near.points[24] == 15


def test_the_last_board_is_the_one_that_the_match_ended_with(live_match: LiveMatch) -> None:
    reel = reel_of(live_match)
    last = frames(reel, Names(("Anna", "Ben")), reel.games)[-1]
    seen = live_match.view(None)
    assert (last.near, last.far, last.score, last.cube) == (seen.near, seen.far, seen.score, seen.cube)
    assert last.allowed == ()
    assert last.result is not None


def test_a_rerolled_roll_stays_in_the_replay_and_the_board_goes_back_to_before_it(live_match: LiveMatch) -> None:
    """Rulings 2.3: the roll stays in the record."""
    reel = reel_of(live_match)
    kinds = [kind_of(event) for event in live_match.match.events]
    assert "rollover" in kinds, "the bots of this test call rolls off"
    views = [view for game in range(1, reel.games + 1) for view in frames(reel, Names(("Anna", "Ben")), game)]
    for index in (index for index, kind in enumerate(kinds) if kind == "rollover"):
        rolled = max(at for at in range(index) if kinds[at] in ("roll", "opening"))
        rerolled = views[index + 1]
        assert (rerolled.near, rerolled.far) == (views[rolled].near, views[rolled].far)
        assert rerolled.last is not None
        assert rerolled.last.faces == reel.told[index].faces


def test_a_player_sees_their_own_side_below_and_a_spectator_the_first_player(live_match: LiveMatch) -> None:
    reel = reel_of(live_match)
    names = [seat.name for seat in live_match.header.seats]
    below = [frames(reel, spectator(names, seat), 1)[-1].labels for seat in (None, 0, 1)]
    assert [(labels.near, labels.far) for labels in below] == [
        (names[0], names[1]),
        ("You", names[1]),
        ("You", names[0]),
    ]
    assert contents(reel, spectator(names, 1)).near == 1


def test_everybody_may_read_a_replay_over_the_wire(live_match: LiveMatch, http: httpx.Client) -> None:
    address = f"/match/{live_match.header.id}/replay"
    assert "Replay" in http.get(address).text
    found: dict[str, Any] = http.get(f"{address}.json").json()
    assert found["over"] is True
    assert len(found["lines"]) == len(live_match.match.events)
    views = http.get(f"{address}.json?game=1").json()
    assert len(views) == found["chapters"][0]["last"] + 1
    assert views[0]["phase"] == "opening"


@pytest.mark.parametrize("query", ["game=0", "game=99", "game=-1", "game=x", "game=1e9", "game=99999999999999"])
def test_a_game_that_was_never_played_is_not_found(live_match: LiveMatch, http: httpx.Client, query: str) -> None:
    assert http.get(f"/match/{live_match.header.id}/replay.json?{query}").status_code == 404
    assert http.get(f"/match/nosuchmatch/replay.json?{query}").status_code == 404
    assert http.get("/match/nosuchmatch/replay").status_code == 404


@pytest.mark.parametrize("suffix", ["mat", "sgf", "json"])
def test_a_match_is_taken_away_in_every_format_and_reads_back(
    live_match: LiveMatch, http: httpx.Client, tmp_path: Path, suffix: str
) -> None:
    answer = http.get(f"/match/{live_match.header.id}/export.{suffix}")
    assert answer.headers["content-disposition"] == f'attachment; filename="{live_match.header.id}.{suffix}"'
    file = tmp_path / f"match.{suffix}"
    file.write_bytes(answer.content)
    assert read_match(file).match.score == live_match.match.score
    assert http.get(f"/match/{live_match.header.id}/export.docx").status_code == 404


def test_a_running_match_is_shown_up_to_its_last_event_and_no_tried_move_is(served: Served, http: httpx.Client) -> None:
    match_id = served.call(play_match(served.services, "backgammon", events=8))
    live_match = served.call(served.services.matches.live_match(match_id))
    address = f"/match/{match_id}/replay.json"
    assert http.get(address).json()["over"] is False
    views = http.get(f"{address}?game=1").json()
    assert len(views) == len(live_match.match.events) + 1
    assert all(view["turn"] is None or view["turn"]["made"] == [] for view in views)


def test_the_board_can_be_seen_from_either_side(live_match: LiveMatch) -> None:
    """Points have the numbers of whoever is below, and each name stands at its own side."""
    reel, names = reel_of(live_match), Names(("Anna", "Ben"))
    for first, second in zip(frames(reel, names, 1, 0), frames(reel, names, 1, 1), strict=True):
        assert (first.near, first.far) == (second.far, second.near)
        assert (first.labels.near, second.labels.near) == ("Anna", "Ben")
        assert {first.to_act, second.to_act} in ({"near", "far"}, {None})
    assert frames(reel, names, 1) == frames(reel, names, 1, 0)


def test_a_side_that_there_is_not_is_refused(http: httpx.Client, live_match: LiveMatch) -> None:
    path = f"/match/{live_match.header.id}/replay.json?game=1"
    assert http.get(f"{path}&near=2").status_code == 404
    assert http.get(f"{path}&near=1").json()[0]["labels"]["near"] == live_match.header.seats[1].name
