"""The members of a club and their results of a season, as a file."""

from __future__ import annotations

from datetime import UTC, datetime

from barpoint.server.domain.clubs import (
    Admission,
    Club,
    ClubMember,
    ClubRecord,
    ClubRole,
    Season,
    SeasonCount,
    season_table,
)
from barpoint.server.domain.guests import Guest
from barpoint.server.web.club_records import COLUMNS, _rows
from tests.server.web.test_clubs import do, founded
from tests.support.accounts import browser_of
from tests.support.serving import Served


def test_everybody_reads_members_and_results_of_a_season_as_a_file(served: Served) -> None:
    with browser_of(served, "Anna") as anna, browser_of(served, "Benedict") as ben, browser_of(served) as stranger:
        path = founded(anna)
        do(ben, path, "join")
        do(anna, path, "season", name="second")
        assert f'href="{path}/season.csv?season=2"' in stranger.get(path).text
        answer = stranger.get(f"{path}/season.csv?season=1")
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        club = path.removeprefix("/clubs/")
        assert answer.headers["content-disposition"] == f'attachment; filename="club-{club}-season-1.csv"'
        today = datetime.fromtimestamp(served.services.matches.clock() / 1000, UTC).strftime("%Y-%m-%d")
        assert answer.text.splitlines() == [
            ",".join(COLUMNS),
            f",Anna,owner,{today},0,0,0,0",
            f",Benedict,member,{today},0,0,0,0",
        ]
        assert stranger.get("/clubs/nothing/season.csv").status_code == 404


def test_the_table_comes_first_then_members_without_results_and_nobody_who_asks() -> None:
    ann, ben, cem, dan = (Guest(name, name, registered=True) for name in ("Ann", "Ben", "Cem", "Dan"))
    people = (
        ClubMember(ann, ClubRole.OWNER, 0),
        ClubMember(ben, ClubRole.MEMBER, 86_400_000),
        ClubMember(dan, ClubRole.ASKED, 0),
    )
    known = ClubRecord(Club("c", "Club", "", Admission.OPEN, "x", 0), people, (Season(1, "2026", 0),))
    table = season_table([SeasonCount(ben, 2, 1, 0), SeasonCount(cem, 0, 1, 2)])
    assert list(_rows(known, table)) == [
        (1, "Ben", "member", "1970-01-02", 7, 2, 1, 0),
        (2, "Cem", "", "", 1, 0, 1, 2),
        ("", "Ann", "owner", "1970-01-01", 0, 0, 0, 0),
    ], "who is no member any more keeps the results"
