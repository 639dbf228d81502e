"""Tables of performance ratings: of the members of a club, and of somebody and their friends."""

from __future__ import annotations

import gzip
import re
import time

import httpx
import pytest
from sqlalchemy import update

from barpoint.analysis import analyse
from barpoint.record import parse_mat
from barpoint.server.domain.clubs import EventKind
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import DAY
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage.analyses import Key
from barpoint.server.storage.schema.matches import MATCH as MATCHES
from barpoint.server.study import statistics
from tests.analysis.test_statistics import MATCH
from tests.support.accounts import browser_of
from tests.support.played import play_match
from tests.support.serving import Served

REPORT = analyse(parse_mat(MATCH), plies=0)
CLUB = {"name": "Tuesday club", "text": "", "joining": "open", "season": "2026"}


def person(served: Served, name: str) -> Guest:
    account = served.call(served.services.store.read(account_storage.find_account, name))
    assert account
    return Guest(account.id, account.name, registered=True)


def analysed(served: Served, *names: str) -> str:
    """The id of a match between two people that is over and analysed."""
    first, second = (person(served, name) for name in names)
    match_id = served.call(play_match(served.services, "backgammon", people=(first, second)))
    key, packed = Key(match_id, REPORT.net, 0), gzip.compress(REPORT.json())
    served.call(served.services.store.write(analysis_storage.put, key, packed, REPORT.events, 1))
    return match_id


def lines(http: httpx.Client, path: str) -> list[tuple[str, str, str, str, str]]:
    """Name, rating, ratings of plays and cube, and matches of each line."""
    page = http.get(path).text
    rows = re.findall(r'id="r-\d+">([^<]*)</a></th>(.*?)</tr>', page)
    cells = [(name, re.findall(r"<td>(?:<b>)?([^ <]*)", row)) for name, row in rows]
    return [(name, rating, plays, cube, count) for name, (rating, plays, cube, _all, count) in cells]


def rating(player: int, group: str = "") -> str:
    """The rating of a player of the report, of everything or of one group of decisions."""
    found = REPORT.players[player].groups.get(group) if group else REPORT.players[player].total
    return f"{found.rating:.2f}" if found else "–"


def test_members_see_who_plays_how_well_among_them(served: Served) -> None:
    with browser_of(served, "Anna") as anna, browser_of(served, "Ben") as ben, browser_of(served, "Cleo") as cleo:
        path = anna.post("/clubs/new", data=CLUB).headers["location"]
        ben.post(f"{path}/join", data={"x": ""})
        analysed(served, "Anna", "Ben")
        analysed(served, "Anna", "Cleo")
        assert cleo.get(f"{path}/ratings").status_code == 404, "she is no member"
        assert f'href="{path}/ratings"' not in cleo.get(path).text
        assert f'href="{path}/ratings"' in anna.get(path).text
        expected = [
            (name, rating(player), rating(player, "plays"), rating(player, "cube"), "1")
            for player, name in enumerate(("Anna", "Ben"))
        ]
        assert sorted(lines(anna, f"{path}/ratings")) == expected, "her match against a stranger does not count"

        late = analysed(served, "Ben", "Anna")
        old = update(MATCHES).where(MATCHES.c.id == late).values(created_at=int(time.time() * 1000) - 100 * DAY)
        served.call(served.services.store.write(lambda db: db.execute(old) and None))
        assert {one[4] for one in lines(anna, f"{path}/ratings")} == {"2"}
        assert {one[4] for one in lines(anna, f"{path}/ratings?period=months")} == {"1"}
        assert {one[4] for one in lines(anna, f"{path}/ratings?period=1")} == {"1"}, "the season began later"
        by_name = [one[0] for one in lines(anna, f"{path}/ratings?by=player")]
        by_rating = [float(one[1]) for one in lines(anna, f"{path}/ratings")]
        assert by_name == ["Anna", "Ben"]
        assert by_rating == sorted(by_rating)

        hidden = ben.post("/account/rating", data={"shown": "0", "back": f"{path}/ratings"})
        assert hidden.headers["location"] == f"{path}/ratings"
        assert [one[0] for one in lines(anna, f"{path}/ratings")] == ["Anna"]
        assert "Show me" in ben.get(f"{path}/ratings").text
        ben.post("/account/rating", data={"shown": "1"})
        assert len(lines(anna, f"{path}/ratings")) == 2


def test_one_page_makes_only_so_many_summaries_and_leaves_out_what_is_gone(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "MADE_AT_ONCE", 1)
    with browser_of(served, "Gerd") as gerd, browser_of(served, "Hans") as hans:
        path = gerd.post("/clubs/new", data=CLUB).headers["location"]
        hans.post(f"{path}/join", data={"x": ""})
        for _match in range(2):
            analysed(served, "Gerd", "Hans")
        assert [{one[4] for one in lines(gerd, f"{path}/ratings")} for _look in range(2)] == [{"1"}, {"2"}]
        gone = Key("gone", REPORT.net, 0)
        assert served.call(served.services.analysed_matches.losses([gone])) == {}


def test_friends_are_compared_over_matches_that_the_reader_may_see(served: Served) -> None:
    with browser_of(served, "Dora") as dora, browser_of(served, "Emil") as emil, browser_of(served, "Finn") as finn:
        assert dora.get("/players/ratings").status_code == 200
        for name in ("Emil", "Finn"):
            dora.post(f"/player/{name}/friend", data={"x": ""})
        path = emil.post("/clubs/new", data=CLUB).headers["location"]
        finn.post(f"{path}/join", data={"x": ""})
        match_id, now = analysed(served, "Emil", "Finn"), int(time.time() * 1000)
        assert [one[0] for one in lines(dora, "/players/ratings?by=player")] == ["Emil", "Finn"]
        private = (path.rpartition("/")[2], match_id, EventKind.MATCH, True, now)
        served.call(served.services.store.write(club_storage.put_event, *private))
        assert lines(dora, "/players/ratings") == []
        assert lines(emil, "/players/ratings") == [], "she is their friend, not the other way round"
        assert len(lines(finn, f"{path}/ratings")) == 2

        analysed(served, "Emil", "Finn")
        assert len(lines(dora, "/players/ratings")) == 2
        emil.post("/player/Dora/block", data={"x": ""})
        assert lines(dora, "/players/ratings") == []
