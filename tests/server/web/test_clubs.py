"""Clubs over HTTP: founding, joining, roles, private events, the season table, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest
from sqlalchemy import update

from barpoint.game.event import Claim
from barpoint.server.storage.schema.tournaments import TOURNAMENT as TOURNAMENTS
from tests.support.accounts import browser_of
from tests.support.serving import Served

FORM = {"name": "Tuesday club", "text": "We meet\nin town.", "joining": "open", "season": "2026"}
TOURNAMENT = {"name": "Club night", "form": "knockout", "variant": "backgammon", "length": "1", "max_players": "2"}


SERVED = {"scheduler_ms": 20}


@pytest.fixture(scope="module")
def people(served: Served) -> Iterator[dict[str, httpx.Client]]:
    with ExitStack() as stack:
        found = {name: stack.enter_context(browser_of(served, name)) for name in ("Anna", "Benedict", "Karla")}
        yield {**found, "": stack.enter_context(browser_of(served))}


def founded(http: httpx.Client, **fields: str) -> str:
    """The path of a new club."""
    answer = http.post("/clubs/new", data={**FORM, **fields})
    assert answer.status_code == 303, re.findall(r'role="alert">([^<]*)', answer.text)
    return answer.headers["location"]


def do(http: httpx.Client, path: str, action: str, **fields: str) -> httpx.Response:
    return http.post(f"{path}/{action}", data={"sure": "1", **fields})


def person_id(http: httpx.Client, path: str, name: str) -> str:
    """The id of a member or an applicant, as the desk of the club has it."""
    page = http.get(path).text
    found = re.search(
        rf'value="([^"]+)"><button [^>]*>[^<]*</button></form>|<option value="([^"]+)">{name}</option>', page
    )
    assert found
    return found[1] or found[2]


def test_a_club_is_founded_joined_left_and_closed(people: dict[str, httpx.Client]) -> None:
    anna, ben, stranger = people["Anna"], people["Benedict"], people[""]
    path = founded(anna)
    assert path in stranger.get("/clubs").text
    page = stranger.get(path).text
    assert "Tuesday club" in page
    assert "We meet\nin town." in page
    assert "Log in to join" in page
    assert "You run this club" not in page
    assert do(ben, path, "join").status_code == 303
    assert "2 members" in stranger.get(path).text
    assert "You are here as member" in ben.get(path).text
    assert do(ben, path, "leave").status_code == 303
    assert "only owner" in do(anna, path, "leave").text
    assert do(anna, path, "close").status_code == 303
    assert path not in stranger.get("/clubs").text
    assert "closed" in do(ben, path, "join").text


def test_who_asks_to_join_is_admitted_or_refused_by_a_director(people: dict[str, httpx.Client]) -> None:
    anna, ben, karla = people["Anna"], people["Benedict"], people["Karla"]
    path = founded(anna, joining="request")
    do(ben, path, "join")
    assert "You have asked to join" in ben.get(path).text
    assert "1 member" in ben.get(path).text
    asking = f'href="{path}#asking" id="news-1">Asking to join your club: Benedict'
    assert asking in anna.get("/rules").text, "who directs reads it on every page"
    assert asking in (page := anna.get(path).text), "also on the page of the club, above what it leads to"
    assert page.count('id="asking"') == 1
    assert "Asking to join" not in ben.get("/rules").text
    bens = person_id(anna, path, "Benedict")
    assert do(karla, path, "admit", person=bens).status_code == 403
    assert do(anna, path, "admit", person=bens).status_code == 303
    assert asking not in anna.get("/rules").text
    assert do(anna, path, "admit", person=bens).status_code == 409
    assert do(ben, path, "season", name="2").status_code == 403
    assert do(anna, path, "role", person=bens, role="director").status_code == 303
    do(karla, path, "join")
    karlas = person_id(ben, path, "Karla")
    assert do(ben, path, "refuse", person=karlas).status_code == 303, "a director answers requests too"
    assert do(ben, path, "role", person=bens, role="owner").status_code == 403
    assert do(anna, path, "role", person=bens, role="king").status_code == 409
    assert do(anna, path, "role", person=bens, role="").status_code == 303
    assert "1 member" in anna.get(path).text


def test_what_cannot_be_undone_in_a_club_is_asked_first(people: dict[str, httpx.Client]) -> None:
    anna, ben = people["Anna"], people["Benedict"]
    path = founded(anna)
    do(ben, path, "join")
    member = person_id(anna, path, "Benedict")
    link = anna.get(path).text.partition('id="club-link"')[0].rpartition('value="')[2]
    asked = {
        "season": ({"name": "2027"}, "begin a new one?"),
        "link": ({"x": ""}, "The old one stops working"),
        "role": ({"person": member, "role": ""}, "Remove the member?"),
        "close": ({"x": ""}, "Close the club?"),
        "leave": ({"x": ""}, "Leave the club?"),
    }
    for action, (fields, question) in asked.items():
        http = ben if action == "leave" else anna
        page = http.post(f"{path}/{action}", data=fields)
        assert page.status_code == 200
        assert question in page.text
        assert ("cannot be undone" in page.text) is (action in ("season", "link", "close"))
    page = anna.get(path).text
    assert "2 members" in page
    assert "Season 2026" in page
    assert link in page
    assert "closed" not in page
    assert anna.post(f"{path}/role", data={"person": member, "role": "director"}).status_code == 303, "can be undone"
    do(anna, path, "close")


def test_a_club_by_invitation_is_joined_by_its_link_until_that_is_renewed(people: dict[str, httpx.Client]) -> None:
    anna, ben, karla = people["Anna"], people["Benedict"], people["Karla"]
    path = founded(anna, joining="invitation")
    assert "by its link only" in do(ben, path, "join").text
    link = re.search(r"/clubs/invitation/[\w-]+", anna.get(path).text)
    assert link
    assert link[0] not in ben.get(path).text
    assert "invites you" in ben.get(link[0]).text
    assert f'href="/register?back={link[0]}">Register<' in people[""].get(link[0]).text
    assert ben.post(link[0]).headers["location"] == path
    assert do(anna, path, "link").status_code == 303
    assert karla.post(link[0]).status_code == 404
    assert people[""].get("/clubs/invitation/nothing").status_code == 404


def test_a_club_is_passed_on_by_its_link_with_a_qr_code(served: Served, people: dict[str, httpx.Client]) -> None:
    path = founded(people["Anna"])
    page = people["Anna"].get(path).text
    link = re.search(rf'value="{served.address}(/clubs/invitation/[\w-]+)"', page)
    assert link
    assert 'data-copy="club-link"' in page
    assert 'data-share="club-link"' in page
    assert people[""].get(f"{link[1]}/qr.svg").headers["content-type"] == "image/svg+xml"
    assert people[""].get("/clubs/invitation/nothing/qr.svg").status_code == 404
    do(people["Anna"], path, "close")


def test_who_registers_for_the_link_of_a_club_is_in_it(served: Served, people: dict[str, httpx.Client]) -> None:
    path = founded(people["Anna"], joining="invitation")
    link = re.search(r"/clubs/invitation/[\w-]+", people["Anna"].get(path).text)
    assert link
    with browser_of(served) as newcomer:
        form = {"name": "Emil", "password": "correct horse", "back": link[0]}
        page = newcomer.post("/register", data=form).text
        assert "You are a member of the club Tuesday club now." in page
        assert f'href="{path}">To the club' in page
        assert "You are here as member" in newcomer.get(path).text
    with browser_of(served) as stranger:
        page = stranger.post("/register", data={**form, "name": "Fritz", "back": "/clubs/invitation/nothing"}).text
        assert "You are a member" not in page
    do(people["Anna"], path, "close")


def test_a_member_who_is_kept_out_joins_neither_by_the_page_nor_by_the_link_until_let_in(
    people: dict[str, httpx.Client],
) -> None:
    anna, ben, karla = people["Anna"], people["Benedict"], people["Karla"]
    path = founded(anna)
    link = re.search(r"/clubs/invitation/[\w-]+", anna.get(path).text)
    assert link
    do(ben, path, "join")
    bens, annas = person_id(anna, path, "Benedict"), person_id(anna, path, "Anna")
    asked = anna.post(f"{path}/role", data={"person": bens, "role": "out"}).text
    assert "Remove the member and keep them out?" in asked
    assert "Benedict" in asked
    assert do(karla, path, "keep-out", person=bens).status_code == 403
    assert "an owner is not kept out" in do(anna, path, "role", person=annas, role="out").text.lower()
    assert do(anna, path, "role", person=bens, role="out").status_code == 303
    page = ben.get(path).text
    assert "You were removed from this club" in page
    assert 'id="join"' not in page
    assert do(ben, path, "join").status_code == 409
    answer = ben.post(link[0])
    assert answer.status_code == 409
    assert "You were removed from this club and cannot join again" in answer.text
    assert "Let Benedict in again" in anna.get(path).text
    assert "Kept out" not in ben.get(path).text, "only the owner reads who is"
    assert do(karla, path, "let-in", person=bens).status_code == 403
    assert do(anna, path, "let-in", person=bens).status_code == 303
    assert "Kept out" not in anna.get(path).text
    assert do(ben, path, "join").status_code == 303
    assert "2 members" in anna.get(path).text
    do(anna, path, "close")


def test_private_events_are_seen_and_joined_by_members_only(served: Served, people: dict[str, httpx.Client]) -> None:
    anna, ben, karla, stranger = people["Anna"], people["Benedict"], people["Karla"], people[""]
    path = founded(anna)
    do(ben, path, "join")
    club = path.removeprefix("/clubs/")
    announcing = f"/tournaments/new?club={club}"
    assert "for members of the club" in ben.post(announcing, data=TOURNAMENT).text, "directors announce tournaments"
    assert "For members of the club only" in anna.get(announcing).text
    tournament = anna.post(announcing, data={**TOURNAMENT, "private": "1"}).headers["location"]
    chouette = ben.post(f"/chouette?club={club}", data={"cubes": "each", "listed": "1", "private": "1"}).headers[
        "location"
    ]
    match = ben.post(f"{path}/match", data={"variant": "backgammon", "length": "1", "time_control": "Normal"}).headers[
        "location"
    ]
    assert "Members of the club with this link may watch" in ben.get(match).text
    assert "Members of the club with this link may watch, and sit down" in ben.get(chouette).text
    for event in (tournament, chouette, match):
        assert f'for members of a club: <a href="/login?back={event}">' in stranger.get(event).text
        assert "for members of a club" not in karla.get(event).text, "who is logged in gains nothing by it"
        for other in (karla, stranger):
            assert other.get(event).status_code == 404, event
            assert event not in other.get(path).text
        assert anna.get(event).status_code == 200, event
        assert event in anna.get(path).text
    for member in (anna, ben):
        assert tournament in member.get("/tournaments").text, "members find it where they look for tournaments"
        assert tournament in member.get("/lobby").text
    assert do(karla, tournament, "join").status_code == 404
    assert karla.post(f"{chouette}/join").status_code == 404
    assert karla.get(f"{match}/dice.json").status_code == 404
    assert chouette not in karla.get("/chouettes").text
    for page in ("/tournaments", "/lobby"):
        assert tournament not in karla.get(page).text
        assert tournament not in stranger.get(page).text
    match_id = match.removeprefix("/match/")
    page = ben.get(match).text
    assert f'Members of <a href="{path}">Tuesday club</a> see this match' in page
    assert "/join/" not in page
    invitation = served.call(served.services.matches.live_match(match_id)).header.seats[1].invitation
    for other in (karla, stranger):
        assert other.get(f"/join/{invitation}").status_code == 404
        assert other.post(f"/join/{invitation}", data={"x": ""}).status_code == 404
    assert anna.get(f"/join/{invitation}").status_code == 200
    assert do(karla, path, "sit", match=match_id).status_code == 403
    assert do(anna, path, "sit", match=match_id).headers["location"] == match
    assert "taken this seat" in do(anna, path, "sit", match=match_id).text
    assert match not in karla.get("/watch").text
    last = served.call(served.services.matches.live_match(match_id)).seq  # equal dice open more than once
    served.call(served.services.matches.decide(match_id, last, Claim(0)))
    rematch = anna.post(f"{match}/rematch").headers["location"].partition("?")[0]
    assert rematch != match
    assert ben.get(rematch).status_code == 200
    assert rematch in anna.get(path).text
    for other in (karla, stranger):
        assert other.get(rematch).status_code == 404, "the rematch is for members too"
    moment = {"source": "match", "match": match_id, "event": last + 1, "player": 0}
    for other, status in ((karla, 404), (ben, 201)):
        answer = other.post("/api/practice/moment", json=moment)
        assert answer.status_code == status, "its decisions become cards of those who see it"
    do(ben, path, "leave")
    assert ben.get(match).status_code == 200, "who plays a match sees it, member or not"
    assert ben.get(tournament).status_code == 404


def test_the_season_table_counts_the_tournaments_of_the_club(people: dict[str, httpx.Client]) -> None:
    anna, ben, stranger = people["Anna"], people["Benedict"], people[""]
    path = founded(ben, name="Season club")
    announcing = f"/tournaments/new?club={path.removeprefix('/clubs/')}"
    tournament = ben.post(announcing, data=TOURNAMENT).headers["location"]
    assert tournament in stranger.get("/tournaments").text, "an event of a club is public unless it is made private"
    assert "Season club" in stranger.get(tournament).text
    do(anna, tournament, "join")
    do(ben, tournament, "join")
    winner = re.search(r'value="(0 [^"]+)">Benedict wins', ben.get(tournament).text)
    assert winner
    do(ben, tournament, "decide", result=winner[1], sure="1")
    table = re.findall(
        r'id="s-\d">(\w+)</a></th><td><b>(\d+)</b></td><td>(\d+)</td><td>(\d+)</td>', stranger.get(path).text
    )
    assert table == [("Benedict", "3", "1", "0"), ("Anna", "1", "0", "1")]
    line = stranger.get(path).text.partition(f'href="{tournament}"')[2].partition("</a>")[0]
    assert "2 players" in line
    assert "<em>Benedict won</em>" in line
    assert do(ben, path, "season", name="<b>2027</b>").status_code == 303
    page = stranger.get(path).text
    assert "No match of a player with an account is over in this season yet" in page
    assert "&lt;b&gt;2027" in page
    assert "Benedict</a></th>" in stranger.get(f"{path}?season=1").text, "earlier seasons stay"


def test_everybody_reads_private_tournaments_that_are_over_if_the_owner_chooses_so(
    served: Served, people: dict[str, httpx.Client]
) -> None:
    ben, karla, stranger = people["Benedict"], people["Karla"], people[""]
    path = founded(ben, joining="invitation")
    assert f'value="{served.address}{path}"' in ben.get(path).text, "the address to hand out"
    announcing = f"/tournaments/new?club={path.removeprefix('/clubs/')}"
    over, waiting = (ben.post(announcing, data={**TOURNAMENT, "private": "1"}).headers["location"] for _ in range(2))
    ended = update(TOURNAMENTS).where(TOURNAMENTS.c.id == over.removeprefix("/tournament/")).values(stage="over")
    served.call(served.services.store.write(lambda connection: connection.execute(ended) and None))
    for chosen, status in (({}, 404), ({"results_shown": "1"}, 200), ({}, 404)):
        do(ben, path, "edit", **FORM, **chosen)
        assert ('name="results_shown" value="1" checked' in ben.get(path).text) == bool(chosen)
        for other in (karla, stranger):
            assert other.get(over).status_code == status
            assert (over in other.get(path).text) == bool(chosen)
            assert other.get(waiting).status_code == 404, "it is not over"
            assert waiting not in other.get(path).text


def test_who_reads_a_private_tournament_that_is_over_gets_no_links_to_its_matches(
    people: dict[str, httpx.Client],
) -> None:
    anna, ben, karla, stranger = people["Anna"], people["Benedict"], people["Karla"], people[""]
    path = founded(ben)
    for person in (anna, karla):
        do(person, path, "join")
    announcing = f"/tournaments/new?club={path.removeprefix('/clubs/')}"
    over = ben.post(announcing, data={**TOURNAMENT, "form": "robin", "private": "1"}).headers["location"]
    for person in (ben, karla):
        do(person, over, "join")
    result = re.search(r'<option value="(0 [^"]+)"', ben.get(over).text)
    assert result
    do(ben, over, "decide", result=result[1])
    do(ben, path, "edit", **FORM, results_shown="1")
    do(karla, path, "leave")
    (match,) = set(re.findall(r'href="(/match/[^"]+)"', anna.get(over).text))
    for person, status in ((anna, 200), (ben, 200), (karla, 200), (stranger, 404)):
        page = person.get(over)
        assert page.status_code == 200
        assert person.get(match).status_code == status
        assert page.text.count(f'href="{match}"') == (3 if status == 200 else 0), "in a box and in two lines"
    do(ben, path, "close")


def test_guests_stand_in_no_season_table(people: dict[str, httpx.Client]) -> None:
    ben, stranger = people["Benedict"], people[""]
    path = founded(ben, name="Open evening")
    announcing = f"/tournaments/new?club={path.removeprefix('/clubs/')}"
    tournament = ben.post(announcing, data=TOURNAMENT).headers["location"]
    for http in (ben, stranger):
        do(http, tournament, "join")
    winner = re.search(r'value="(0 [^"]+)">Benedict wins', ben.get(tournament).text)
    assert winner
    do(ben, tournament, "decide", result=winner[1], sure="1")
    table = stranger.get(path).text.partition("<tbody>")[2].partition("</tbody>")[0]
    assert re.findall(r'scope="row" class="name">(?:<a [^>]*>)?([^<]*)', table) == ["Benedict"]


def test_what_a_club_does_not_allow_is_said(people: dict[str, httpx.Client]) -> None:
    anna, karla, stranger = people["Anna"], people["Karla"], people[""]
    assert stranger.post("/clubs/new", data=FORM).headers["location"].startswith("/login")
    page = stranger.get("/clubs/new").text
    assert 'href="/login?back=/clubs/new"' in page
    assert 'class="plan"' not in page, "no form that would not be taken"
    assert karla.post("/clubs/new", data={**FORM, "name": "x"}).status_code == 422
    assert karla.post("/clubs/new", data={**FORM, "joining": "never"}).status_code == 422
    assert stranger.get("/clubs/nothing").status_code == 404
    path = founded(karla, name="Karla's")
    assert do(stranger, path, "join").headers["location"].startswith("/login")
    assert do(anna, path, "edit", name="Mine now", joining="open").status_code == 403
    assert do(anna, path, "fly").status_code == 404
    assert do(anna, path, "match", variant="backgammon", length="1").status_code == 409
    assert do(karla, path, "edit", name="Renamed", text="", joining="request").status_code == 303
    assert "Renamed" in anna.get(path).text


def test_a_ladder_is_opened_joined_and_climbed(people: dict[str, httpx.Client]) -> None:
    ben, karla, stranger = people["Benedict"], people["Karla"], people[""]
    path = founded(karla, name="Climbers")
    fields = {
        "name": "Ladder",
        "variant": "backgammon",
        "length": "1",
        "time_control": "Normal",
        "reach": "1",
        "days": "7",
    }
    assert do(ben, path, "ladder", **fields).status_code == 403
    assert do(karla, path, "ladder", **{**fields, "reach": "99"}).status_code == 422
    assert do(karla, path, "ladder", **{**fields, "length": "0"}).status_code == 422
    ladder = do(karla, path, "ladder", **fields).headers["location"]
    assert ladder in stranger.get(path).text
    assert "for members of its club" in do(ben, ladder, "join").text
    do(ben, path, "join")
    for http in (karla, ben):
        assert do(http, ladder, "join").status_code == 303
    assert "Challenge Benedict" not in karla.get(ladder).text
    assert 'aria-label="Challenge Karla"' in ben.get(ladder).text
    karlas = re.search(r'name="person" value="([^"]+)"', ben.get(ladder).text)
    assert karlas
    assert do(stranger, ladder, "challenge", person=karlas[1]).headers["location"].startswith("/login")
    match = do(ben, ladder, "challenge", person=karlas[1]).headers["location"]
    assert match.startswith("/match/")
    board = ben.get(match).text
    assert f'A match of <a href="{ladder}">Ladder</a>' in board
    assert re.search(r'Begin it before <time data-at="\d+">[^<]+ UTC</time>\.', board), "in the time of the reader"
    for http in (ben, karla):
        first = http.get("/").text
        line = first.partition(f'id="match-{match.removeprefix("/match/")}"')[2].partition("</a>")[0]
        assert "waits for its players" in line
        assert "Ladder" in line
        assert "0 : 0" not in line
        assert f'href="{match}" id="go-on"' not in first, "nobody can go on with what has not begun"
    assert "Back to the ladder" in board
    page = stranger.get(ladder).text
    assert match in page
    assert "Benedict challenges Karla" in page
    assert do(ben, ladder, "challenge", person=karlas[1]).status_code == 409
    assert "real board</summary>" not in page
    (offered,) = re.findall(r'name="winner" value="[^"]+">([^<]+)', ben.get(ladder).text)
    assert offered == "Karla won", "who has lost enters it"
    winners = re.findall(r'name="winner" value="([^"]+)">(\w+) won', karla.get(ladder).text)
    assert [name for _id, name in winners] == ["Benedict", "Karla"], "who runs the club enters either"
    result = {"match": match.removeprefix("/match/"), "winner": winners[0][0]}
    assert do(ben, ladder, "result", **result).status_code == 409
    question = karla.post(f"{ladder}/result", data=result).text
    assert "Enter the result?" in question
    assert "Benedict against Karla: Benedict wins" in question
    assert "took the place" not in stranger.get(ladder).text, "nothing has happened yet"
    other = {**result, "winner": "nobody"}
    assert karla.post(f"{ladder}/result", data=other).status_code == 409, "what is refused is not asked"
    assert do(karla, ladder, "result", **result).status_code == 303
    assert "took the place" in stranger.get(ladder).text
    assert "real board</summary>" not in karla.get(ladder).text
    for sent in ({"sure": "1"}, {"x": ""}):
        assert ben.post(f"{ladder}/close", data=sent).status_code == 403
    asked = karla.post(f"{ladder}/leave", data={"x": ""})
    assert "Leave the ladder?" in asked.text
    assert "2</span></h2>" in karla.get(ladder).text, "nothing has happened yet"
    assert "A ladder is for members of its club." in stranger.get(ladder).text
    assert "Close the ladder?" in karla.post(f"{ladder}/close", data={"x": ""}).text
    assert "This ladder is closed." not in karla.get(ladder).text, "nothing has happened yet"
    assert do(ben, ladder, "leave").status_code == 303
    assert do(karla, ladder, "close").status_code == 303
    for http in (ben, stranger):
        page = http.get(ladder).text
        assert "This ladder is closed." in page
        assert "for members of its club" not in page
        assert 'id="join"' not in page
    assert do(karla, ladder, "fly").status_code == 404
    assert stranger.get("/ladder/nothing").status_code == 404
