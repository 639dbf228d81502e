"""Tournaments over HTTP: who may announce, enter, leave and direct them, what is sent at once, and what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from barpoint.error import BarpointError, FormatError
from barpoint.game import Timeout
from barpoint.language import date
from barpoint.server.domain.time_control import MINUTE
from barpoint.server.domain.tournament_events import Form, Plan
from barpoint.server.domain.tournament_plans import MAX_PLAYERS, describe_plan
from barpoint.server.protocol.matches import PROTOCOL
from barpoint.server.storage.results import WELCOME
from barpoint.server.web.tournament_form import read_plan
from tests.support.accounts import anna, browser_of, serving
from tests.support.serving import Served

__all__ = ["anna"]

FORM = {
    "name": "Club night",
    "form": "knockout",
    "variant": "backgammon",
    "length": "3",
    "max_players": "4",
    "cube": "1",
}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, scheduler_ms=20) as running:
        yield running


@pytest.fixture
def ben(served: Served) -> Iterator[httpx.Client]:
    with browser_of(served, "Benedict") as client:
        yield client


@pytest.fixture
def stranger(http: httpx.Client) -> httpx.Client:
    return http


def announce(http: httpx.Client, **fields: str) -> str:
    """The path of a new tournament."""
    answer = http.post("/tournaments/new", data={**FORM, **fields})
    assert answer.status_code == 303, re.findall(r'role="alert">([^<]*)', answer.text)
    return answer.headers["location"]


def do(http: httpx.Client, path: str, action: str, **fields: str) -> httpx.Response:
    return http.post(f"{path}/{action}", data={"sure": "1", **fields})


@contextmanager
def listening(served: Served, http: httpx.Client, path: str) -> Iterator[ClientConnection]:
    cookies = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    with connect(f"{served.address.replace('http', 'ws')}/ws{path}", additional_headers={"Cookie": cookies}) as link:
        yield link


def hear(link: ClientConnection, say: str, *texts: str) -> dict[str, str]:
    """The first message of that kind that has all these texts."""
    while True:
        message: dict[str, str] = json.loads(link.recv(timeout=60))
        if message["say"] == say and all(text in message.get("html", "") for text in texts):
            return message


def test_a_tournament_is_announced_entered_played_and_told_at_once(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    path = announce(anna, max_players="2", fee="30", rated="1")
    assert path in anna.get("/tournaments").text
    assert path in ben.get("/lobby").text
    with listening(served, anna, path) as hers, listening(served, ben, path) as their:
        hear(their, "part", "0 of 2 places taken", "Enter for 30 tickets")
        assert do(anna, path, "join").status_code == 303
        hear(their, "part", "1 of 2 places taken", "Anna")
        do(ben, path, "join")
        where = {hear(link, "go")["to"] for link in (hers, their)}
        assert len(where) == 1, "both go to their match"
        hear(their, "part", "Your match against <b>Anna</b> is ready", "In the pot: 60 tickets")
    match = where.pop()
    assert "A match of" in ben.get(match).text
    assert "Club night" in ben.get(match).text
    assert match in ben.get("/lobby").text, "who looks at the lobby is told that their match is ready"
    assert path in ben.get("/player/Anna").text
    do(anna, path, "decide", result=f"0 {player_id(served, 'Benedict')}")
    page = ben.get(path).text
    assert "<b>Benedict</b> won" in page
    assert "<td>60</td>" in page
    assert f"of your {WELCOME + 30} tickets" in ben.get("/").text
    assert path in ben.get("/tournaments").text
    tickets = ben.get("/tickets").text
    assert f'<a href="{path}" id="line-1">Prize of a tournament: Club night</a>' in tickets
    assert f'<a href="{path}" id="line-2">Entry fee of a tournament: Club night</a>' in tickets


def test_a_match_lost_on_time_says_so_and_a_tournament_that_is_over_says_when_it_ended(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    path = announce(anna, max_players="2")
    announce(anna, name="The next one")
    do(anna, path, "join")
    match = do(ben, path, "join").headers["location"].removeprefix("/match/")
    days = {date(served.services.matches.clock())}
    assert not _days_named(anna.get("/tournaments").text, days)
    live = served.call(served.services.matches.live_match(match))
    with listening(served, anna, path) as link:
        served.call(served.services.matches.decide(match, live.seq, Timeout(live.match.game.actor or 0)))
        hear(link, "part", "0 to 0, decided on time")
    assert re.search(r"\w+ won against \w+ \(decided on time\)", anna.get(f"{path}/log").text)
    days.add(date(served.services.matches.clock()))  # it may be midnight
    assert _days_named(anna.get("/tournaments").text, days) == 1
    assert _days_named(ben.get("/player/Anna").text, days)


def _days_named(page: str, days: set[str]) -> int:
    return sum(page.count(day) for day in days)


def test_a_match_that_is_ready_is_told_on_every_page_and_in_lists_with_the_time_to_be_there(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    path = announce(anna, max_players="2", round="1440")
    do(anna, path, "join")
    match = do(ben, path, "join").headers["location"]
    told = re.search(
        r"Your match in Club night is ready\. Be at the board by <time data-at=\"(\d+)\">", anna.get("/rules").text
    )
    assert told
    assert "is ready. Be at the board" not in anna.get("/lobby").text, "the lobby calls by itself"
    for page in ("/", "/matches", "/lobby"):
        summary = anna.get(page).text.partition(f'id="match-{match.removeprefix("/match/")}"')[2].partition("</a>")[0]
        assert "Club night" in summary
        assert f'at the board by <time data-at="{told[1]}">' in summary
        assert "next game" not in summary
        assert "0 : 0" not in summary
    do(anna, path, "extend", round="60")
    later = f'<time data-at="{int(told[1]) + 60 * MINUTE}">'
    for page in ("/rules", "/matches", path):
        assert later in anna.get(page).text


def test_who_comes_too_late_to_be_told_of_their_match_is_sent_there_all_the_same(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    path = announce(anna, max_players="2")
    page = anna.get(path).text
    assert f'data-live="/ws{path}?called="' in page
    do(anna, path, "join")
    match = do(ben, path, "join").headers["location"]
    assert match.startswith("/match/"), "whoever takes the last place goes to the board at once"
    with listening(served, anna, f"{path}?called=") as link:
        assert hear(link, "go")["to"] == match
    assert f'?called={match.removeprefix("/match/")}"' in anna.get(path).text
    with listening(served, anna, f"{path}?called={match.removeprefix('/match/')}") as link:
        assert "is ready" in json.loads(link.recv(timeout=60))["html"], "the page that names the match is left alone"


def test_a_real_board_is_named_and_its_dispute_shown_to_both_players_and_decided_by_the_director(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    path = announce(anna, max_players="2", boards="1")
    do(anna, path, "join")
    assert do(ben, path, "join").headers["location"] == path, "they may want a real board"
    own, other = player_id(served, "Anna"), player_id(served, "Benedict")
    assert "Be at the board by" in ben.get(path).text
    assert do(ben, path, "report", result="0 ").status_code == 303
    for http in (anna, ben):
        page = http.get(path).text
        assert "at a real board" in page
        assert "Be at the board by" not in page
        assert "nobody has to come to the board here" in page
    assert "Benedict plays at a real board" in anna.get(f"{path}/log").text
    do(ben, path, "report", result=f"0 {other}")
    assert "Benedict has reported that they won" in anna.get(path).text
    do(anna, path, "report", result=f"0 {own}")
    for http in (anna, ben):
        assert "have reported different results" in http.get(path).text
        assert "the reports differ" in http.get(path).text
    decide = f'<button class="button" type="submit" name="result" value="0 {other}">Benedict wins'
    assert decide in anna.get(path).text
    assert decide not in ben.get(path).text, "who plays does not decide"
    assert "Decide the match?" in anna.post(f"{path}/decide", data={"result": f"0 {other}"}).text
    assert do(anna, path, "decide", result=f"0 {other}").status_code == 303
    page = anna.get(path).text
    assert "<b>Benedict</b> won" in page
    assert "0 to 0" not in page, "it was not played here"


def player_id(served: Served, name: str) -> str:
    from barpoint.server.storage import accounts as account_storage

    found = served.call(served.services.store.read(lambda connection: account_storage.find_account(connection, name)))
    assert found is not None
    return found.id


def test_who_may_not_do_something_is_told_so_and_nothing_happens(
    served: Served, anna: httpx.Client, ben: httpx.Client, stranger: httpx.Client
) -> None:
    path = announce(anna, fee=str(WELCOME + 1))
    assert "you have 1000" in do(ben, path, "join").text
    assert do(ben, path, "join").status_code == 409
    assert "Log in to enter" in stranger.get(path).text
    assert do(stranger, path, "join").status_code == 409
    assert do(stranger, path, "leave").status_code == 409
    for action in ("begin", "cancel", "remove", "seat", "decide"):
        assert do(ben, path, action, player="x", level="easy", result="0 x").status_code == 403, action
        assert "You direct this tournament" not in ben.get(path).text
    assert do(anna, path, "decide", result="0 x").status_code == 409
    assert do(anna, path, "decide", result="nonsense").status_code == 409
    assert do(anna, path, "begin").status_code == 409
    assert do(anna, path, "fly").status_code == 404
    assert do(anna, "/tournament/nothing", "join").status_code == 404
    assert anna.get("/tournament/nothing").status_code == 404
    free = announce(anna)
    assert do(ben, free, "join").status_code == 303
    assert "entered already" in do(ben, free, "join").text
    assert do(anna, free, "cancel", reason="<b>storm</b>").status_code == 303
    assert "cancelled: &lt;b&gt;storm" in ben.get(free).text
    assert "was cancelled" in do(ben, free, "leave").text
    assert stranger.post("/tournaments/new", data=FORM).headers["location"].startswith("/login")
    page = stranger.get("/tournaments/new").text
    assert 'href="/login?back=/tournaments/new"' in page
    assert 'class="plan"' not in page, "no form that would not be taken"


def test_guests_enter_what_is_casual_and_bots_what_is_open_to_them(
    served: Served, anna: httpx.Client, stranger: httpx.Client
) -> None:
    path = announce(anna, bots="1", variant="hypergammon", length="1", max_players="3", form="swiss")
    assert 'id="guest-name"' in stranger.get(path).text
    assert 'id="guest-name"' not in anna.get(path).text
    assert do(stranger, path, "join", name="Gustav").status_code == 303
    for _ in range(2):
        assert do(anna, path, "seat", level="easy").status_code == 303
    page = stranger.get(path).text
    assert '<span class="bot">bot</span> Easy 2<' in page
    drawn = re.findall(r'class="who-plays">(<span class="bot">bot</span> )?([^<]*)</span>', page)
    assert ("", "Gustav") in drawn
    with httpx.Client(base_url=served.address, headers={"Accept-Language": "de"}) as nameless:
        other = announce(anna)
        assert do(nameless, other, "join").status_code == 303
        assert re.search(r"<li class=\"own\">Gast \d{4}</li>", nameless.get(other).text)
    assert all(bool(mark) is name.startswith("Easy") for mark, name in drawn), "the mark says whose name it is"
    assert "Round 1 of 2" in page
    closed = announce(anna)
    assert "Bots may not enter" in do(anna, closed, "seat", level="easy").text
    assert "Level:" in do(anna, announce(anna, bots="1"), "seat", level="<b>").text


def test_names_in_a_tournament_are_text(served: Served, anna: httpx.Client, stranger: httpx.Client) -> None:
    path = announce(anna, name="<script>alert(1)</script>'\"")
    stranger.post("/name", data={"name": "<i>Otto</i>"})
    do(stranger, path, "join")
    for page in (anna.get(path), anna.get("/tournaments"), stranger.get("/lobby")):
        assert "<script>alert" not in page.text
        assert "&lt;script&gt;alert" in page.text
        assert "<i>Otto" not in page.text


def test_who_deletes_their_account_leaves_their_tournaments(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    path = announce(anna, fee="10")
    do(ben, path, "join")
    assert "Benedict" in anna.get(path).text
    ben.post("/account/delete", data={"password": "correct horse"})
    assert "Nobody yet" in anna.get(path).text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": " \n "}, "3 to 60 characters"),
        ({"form": "ladder"}, "allowed: knockout, double, swiss, robin, league"),
        ({"form": "league", "patience": "10"}, "allowed in a league: a day or longer"),
        ({"form": "robin", "max_players": "32"}, "allowed where everybody meets everybody: 24"),
        ({"variant": "chess"}, "chess"),
        ({"other": "nackgammon+hypergammon"}, "differently"),
        ({"length": "16"}, "allowed: 1 to 15"),
        ({"length": "0"}, "allowed: 1 to 15"),
        ({"final": "x"}, "allowed: 1 to 15"),
        ({"time_control": "None"}, "on the clock"),
        ({"time_control": "Slow"}, "allowed: Federation"),
        ({"fee": "-1"}, "allowed: 0 to 10000"),
        ({"prizes": "60,60"}, "sum to 100"),
        ({"prizes": "100,0"}, "sum to 100"),
        ({"prizes": ""}, "sum to 100"),
        ({"max_players": "129"}, f"allowed: 2 to {MAX_PLAYERS}"),
        ({"min_players": "6", "max_players": "4"}, "may not be more"),
        ({"starts": "soon"}, "allowed: 1 to"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused_with_what_is_allowed(fields: dict[str, str], said: str) -> None:
    with pytest.raises(BarpointError, match=re.escape(said)):
        read_plan({**FORM, **fields}, 0)


def test_a_form_becomes_a_plan_with_all_it_said() -> None:
    fields = {
        "form": "swiss",
        "other": "rollover + nack",
        "length": "5",
        "final": "9",
        "time_control": "Fast",
        "rated": "1",
    }
    more = {
        "fee": "20",
        "prizes": "50,30,20",
        "starts": "60",
        "rounds": "4",
        "patience": "5",
        "by_lot": "1",
        "min_players": "3",
    }
    plan = read_plan({**FORM, **fields, **more}, 1000)
    assert plan == Plan(
        "Club night", Form.SWISS, "roll-over+nackgammon", (5, 5, 9), True, "Fast", True, 20, (50, 30, 20), 3, 4,
        1000 + 60 * MINUTE, 4, 5 * MINUTE, True, False, 1440 * MINUTE,
    )  # fmt: skip
    assert read_plan({**FORM, "round": "60"}, 1000).round_ms == 60 * MINUTE
    with pytest.raises(FormatError, match="round: 10 minutes, and matches wait for their players for 30 minutes"):
        read_plan({**FORM, "patience": "30", "round": "10"}, 1000)
    assert describe_plan(plan) == (
        "Swiss, 4 rounds, 5 points, cube, Crawford rule, Fast clock, rated, entry fee 20 tickets, 9 in the last round, "
        "prizes 50% / 30% / 20%"
    )


def test_a_match_of_a_league_begins_only_while_both_players_are_at_the_board(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    path = announce(anna, form="league", max_players="2", patience="20160")
    do(anna, path, "join")
    do(ben, path, "join")
    page = anna.get(path).text
    found = re.search(r'href="(/match/\w+)" id="play-', page)
    assert found
    assert "Yours to play" in page
    assert 'class="match-ready"' not in ben.get("/lobby").text, "a league does not call its players to the board"
    with listening(served, anna, found[1]) as hers:
        assert joined(hers)["seq"] == 0
        with listening(served, ben, found[1]) as bens:
            joined(bens)
            while not hear(hers, "state")["seq"]:
                pass  # both are there: the opening roll is made


def joined(link: ClientConnection) -> dict[str, Any]:
    """The first state of a match, for whoever joins without a seed."""
    link.send(json.dumps({"do": "join", "protocol": PROTOCOL}))
    while (message := json.loads(link.recv(timeout=60)))["say"] != "state":
        pass
    found: dict[str, Any] = message
    return found


def test_what_cannot_be_undone_is_asked_first(served: Served, anna: httpx.Client, ben: httpx.Client) -> None:
    path = announce(anna, max_players="2")
    do(anna, path, "join")
    asked = anna.post(f"{path}/cancel", data={"reason": "<b>storm"})
    assert asked.status_code == 200
    assert "Cancel the tournament?" in asked.text
    assert 'value="&lt;b&gt;storm"' in asked.text
    assert "1 of 2 places taken" in ben.get(path).text, "nothing has happened yet"
    assert ben.post(f"{path}/cancel", data={"x": ""}).status_code == 403, "who may not is not asked"
    do(ben, path, "join")
    winner = f"0 {player_id(served, 'Benedict')}"
    asked = anna.post(f"{path}/decide", data={"result": winner})
    assert "Anna against Benedict: Benedict wins" in asked.text.replace(
        "Benedict against Anna", "Anna against Benedict"
    )
    assert "cannot be undone" not in asked.text, "it can be corrected"
    assert "cannot be undone" in ben.post(f"{path}/leave", data={"x": ""}).text
    assert "being played" in ben.get(path).text


def test_the_log_the_standings_and_the_screen_show_what_happened(
    served: Served, anna: httpx.Client, ben: httpx.Client, stranger: httpx.Client
) -> None:
    path = announce(anna, max_players="4", form="swiss", length="1", late="1")
    assert "Nothing yet" in stranger.get(f"{path}/log").text
    do(anna, path, "join")
    stranger.post("/name", data={"name": "=1+1"})
    do(stranger, path, "join")
    with browser_of(served, "Karla") as karla:
        do(karla, path, "join")
    do(anna, path, "begin")
    assert 'id="enter"' in ben.get(path).text, "who is late may still enter"
    do(ben, path, "join")
    winner = re.search(r'value="(0 [^"]+)">(\S+) wins', anna.get(path).text)
    assert winner
    do(anna, path, "decide", result=winner[1])
    assert do(ben, path, "join").status_code == 409
    log = re.findall(
        r"</time> <span>([^<]*)</span>(?: <span class=\"quiet\">by (\w+))?", stranger.get(f"{path}/log").text
    )
    assert ("Anna entered", "") in log
    assert ("It began with 3 players", "Anna") in log
    assert any("won against" in text and "entered by the director" in text and by == "Anna" for text, by in log)
    table = stranger.get(f"{path}/standings.csv")
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    lines = table.text.splitlines()
    assert lines[0] == "rank,player,points,median,buchholz,prize,left,round_1,opponent_1,round_2,opponent_2"
    assert lines[1].startswith("1,")
    assert lines[1].split(",")[7] in ("1", "bye 1")
    assert len(lines) == 5
    met = {line.split(",")[1]: line.split(",")[7:9] for line in lines[1:]}
    assert all(met[other] == [str(1 - int(won)), name] for name, (won, other) in met.items() if other)
    assert sorted(won for won, other in met.values() if not other) == ["", "bye 1"], "who was late met nobody"
    assert any(line.split(",")[1] == "'=1+1" for line in lines), "a spreadsheet shows the name and computes nothing"
    screen = stranger.get(f"{path}/screen").text
    assert "Club night" in screen
    assert "Anna" in screen
    with listening(served, stranger, f"{path}/screen") as link:
        assert "Anna" in hear(link, "part")["html"]
    assert stranger.get("/tournament/nothing/screen").status_code == 404


def test_a_director_corrects_a_result_after_a_question_and_everybody_reads_so(
    served: Served, anna: httpx.Client, ben: httpx.Client, stranger: httpx.Client
) -> None:
    path = announce(anna, max_players="4", form="robin", length="1")
    do(anna, path, "join")
    do(ben, path, "join")
    do(stranger, path, "join")
    do(anna, path, "begin")
    assert "Correct a result" not in anna.get(path).text, "nothing is decided yet"
    chosen = re.search(r'value="(\d+ [^"]+)">([^<]+) wins against ([^<]+)<', anna.get(path).text)
    assert chosen
    do(anna, path, "decide", result=chosen[1])
    page = anna.get(path).text
    assert page.count("Correct a result") == 1
    _before, _label, form = page.partition("Correct a result")
    offered = re.findall(r'(value="(\d+ [^"]+)">([^<]+) wins against ([^<]+)<)', form.partition("</form>")[0])
    assert {one[1] for one in offered} > {chosen[1]}, "also the same winner, for a score"
    other = next(one for one in offered if one[1] != chosen[1])
    assert (other[2], other[3]) == (chosen[3], chosen[2])
    assert "Correct a result" not in ben.get(path).text
    asked = anna.post(f"{path}/correct", data={"result": other[1]})
    assert "Correct the result?" in asked.text
    assert f"{other[2]} wins" in asked.text
    assert do(ben, path, "correct", result=other[1]).status_code == 403
    assert do(anna, path, "correct", result=other[1]).status_code == 303
    assert "corrected by the director" in stranger.get(path).text
    assert f"The result was corrected: {other[2]} won against {other[3]}" in stranger.get(f"{path}/log").text
    assert "its result already" in do(anna, path, "correct", result=other[1]).text


def test_a_tournament_begins_on_a_day_at_a_time(anna: httpx.Client) -> None:
    now = 1_700_000_000_000
    plan = read_plan({**FORM, "date": "2023-11-20T19:30"}, now)
    assert plan.starts_at == 1_700_508_600_000
    berlin = read_plan({**FORM, "date": "2023-11-20T19:30", "zone": "Europe/Berlin"}, now)
    assert berlin.starts_at == plan.starts_at - 3_600_000
    for zone in ("Europe/Nowhere", "../../etc/passwd", "\0"):
        with pytest.raises(FormatError, match="allowed: such as Europe/Berlin"):
            read_plan({**FORM, "date": "2023-11-20T19:30", "zone": zone}, now)
    for day in ("2023-11-01T10:00", "2025-01-01T10:00", "tomorrow", "9999999-01-01"):
        with pytest.raises(FormatError, match="within a year"):
            read_plan({**FORM, "date": day}, now)


def test_who_has_left_a_swiss_is_not_offered_to_enter_again(
    anna: httpx.Client, ben: httpx.Client, stranger: httpx.Client
) -> None:
    path = announce(anna, form="swiss", rounds="3", late="2")
    for http in (anna, ben, stranger):
        do(http, path, "join")
    do(anna, path, "begin")
    assert do(ben, path, "leave").status_code == 303
    page = ben.get(path).text
    assert "You have left this tournament." in page
    assert 'id="enter"' not in page


def test_the_log_shows_until_when_rounds_were_extended_in_the_time_of_the_reader(
    anna: httpx.Client, ben: httpx.Client
) -> None:
    path = announce(anna, max_players="2")
    for http in (anna, ben):
        do(http, path, "join")
    assert do(anna, path, "extend", round="60").status_code == 303
    assert re.search(r'extended until <time data-at="\d+">[^<]* UTC</time></span>', anna.get(f"{path}/log").text)


def test_a_form_that_was_refused_can_be_opened_again_by_its_address(anna: httpx.Client, ben: httpx.Client) -> None:
    path = announce(anna)
    for address, page in (
        (f"{path}/join", path),
        ("/clubs/abc/sit", "/clubs/abc"),
        ("/ladder/abc/challenge", "/ladder/abc"),
        ("/chouette?club=abc", "/chouettes?club=abc"),
        ("/chouette/abc/join", "/chouette/abc"),
        ("/match", "/"),
    ):
        answer = ben.get(address)
        assert (answer.status_code, answer.headers.get("location")) == (303, page)
    assert ben.put(path, data={"x": ""}).status_code == 405, "nothing but a page is opened again"
