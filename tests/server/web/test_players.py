"""Players are found by name and ranked by game; friends and blocked people are one's own; tickets are listed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from barpoint.game import Accept, Resign
from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.live.matches import seat_for
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import players as player_storage
from barpoint.server.web.tickets import address_of_line
from barpoint.variants import variant
from tests.support.accounts import anna, browser_of, serving
from tests.support.serving import Served

__all__ = ["anna"]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as running:
        yield running


@pytest.fixture
def others(served: Served) -> list[Guest]:
    """Ben and Hannah, who have accounts."""
    found = []
    for name in ("Ben", "Hannah"):
        with browser_of(served, name):
            found.append(person(served, name))
    return found


def person(served: Served, name: str) -> Guest:
    one = served.call(served.services.store.read(guest_storage.find_person, name))
    assert one is not None
    return one


def play(served: Served, winner: Guest, loser: Guest, fee: int = 0) -> str:
    """A rated match that somebody wins."""
    matches = served.services.matches

    async def work() -> str:
        agreement = Agreement(variant("nackgammon"), MatchTerms(length=1), rated=True, fee=fee)
        header = await matches.make(agreement, (seat_for(winner), seat_for(loser)))
        for event in (Resign(1, 1), Accept(0)):
            live = await matches.live_match(header.id)
            await matches.act(header.id, event.player, f"c{live.seq}", live.seq, event)
        return header.id

    return served.call(work())


def test_players_are_found_by_a_part_of_their_name_and_no_sign_is_a_wildcard(
    served: Served, anna: httpx.Client, others: list[Guest]
) -> None:
    store = served.services.store
    found = [one.name for one in served.call(store.read(player_storage.players_named, "ANNA", 9))]
    assert found == ["Anna", "Hannah"], "whose name begins with it comes first"
    for text in ("%", "_", "\\", "  ", "nobody"):
        assert served.call(store.read(player_storage.players_named, text, 9)) == []
    page = anna.get("/players?name=hann").text
    assert 'href="/player/Hannah"' in page
    assert 'href="/player/Ben"' not in page


def test_every_game_has_its_rating_list(served: Served, anna: httpx.Client, others: list[Guest]) -> None:
    assert "No rated match yet" in anna.get("/players").text
    play(served, others[1], others[0])
    page = anna.get("/players?game=nackgammon").text
    assert page.index('href="/player/Hannah"') < page.index('href="/player/Ben"')
    assert "Nackgammon (2)" in page
    assert anna.get("/players?game=nothing&page=99999999").status_code == 200


def test_a_friend_is_marked_while_on_line_and_who_is_blocked_is_none(
    served: Served, anna: httpx.Client, others: list[Guest]
) -> None:
    assert anna.post("/player/Ben/friend", data={"x": ""}).status_code == 303
    assert "Remove friend" in anna.get("/player/Ben").text
    friends = anna.get("/players").text
    assert 'id="friend-1"' in friends
    services = served.services
    served.call(services.store.write(lobby_storage.note_presence, guests={others[0].id}, now=services.matches.clock()))
    assert "online" in anna.get("/players").text
    assert anna.post("/player/Ben/block", data={"x": ""}).status_code == 303
    page = anna.get("/players").text
    assert 'id="friend-1"' not in page
    assert 'id="blocked-1"' in page
    assert 'href="/challenge' not in anna.get("/player/Ben").text
    own = person(served, "Anna").id
    assert served.call(services.store.read(lobby_storage.kept_apart, own)) == {others[0].id}
    anna.post("/player/Ben/unblock", data={"x": ""})
    assert served.call(services.store.read(lobby_storage.kept_apart, own)) == frozenset()


def test_nobody_befriends_themselves_or_without_being_known(
    served: Served, anna: httpx.Client, others: list[Guest]
) -> None:
    assert anna.post("/player/Anna/friend", data={"x": ""}).status_code == 403
    assert anna.post("/player/Nobody/friend", data={"x": ""}).status_code == 404
    assert anna.post("/player/Ben/marry", data={"x": ""}).status_code == 404
    assert httpx.post(f"{served.address}/player/Ben/friend", data={"x": ""}).status_code == 403


def test_tickets_are_listed_with_the_match_they_moved_for(
    served: Served, anna: httpx.Client, others: list[Guest]
) -> None:
    match_id = play(served, person(served, "Anna"), others[0], fee=50)
    page = anna.get("/tickets").text
    assert "You have 1050 tickets" in page
    for line in ("+1000", "-50", "+100"):
        assert f"<td>{line}</td>" in page
    assert page.count(f'href="/match/{match_id}"') == 2
    assert httpx.get(f"{served.address}/tickets").status_code == 303
    assert address_of_line("enter:abc:7") == "/tournament/abc"
    assert address_of_line("grant:welcome:u1") == ""


def test_friends_on_line_and_their_challenges_come_first_in_the_lobby(
    served: Served, anna: httpx.Client, others: list[Guest]
) -> None:
    ben, hannah = others
    services = served.services
    agreement = Agreement(variant("backgammon"), MatchTerms(length=3))
    for one in (ben, hannah):
        services.presence.seen(one.id)
        served.call(services.presence.note())
        served.call(services.lobby.challenge(one, agreement))
    assert "Friends online" not in anna.get("/lobby").text
    anna.post("/player/Hannah/friend", data={"x": ""})
    page = anna.get("/lobby").text
    friends, _title, people = page.partition('id="friends-title"')[2].partition('id="people-title"')
    assert "/player/Hannah" in friends
    assert "/challenge?name=Hannah" in friends
    assert "/player/Hannah" not in people, "a friend is listed once"
    assert "/player/Ben" in people
    waiting = page.partition('id="open-title"')[2].partition("</section>")[0]
    assert waiting.index("Hannah") < waiting.index("Ben"), "Ben came first, but is no friend"
    assert waiting.count(">friend<") == 1
    anna.post("/player/Hannah/unfriend", data={"x": ""})
    assert "Friends online" not in anna.get("/lobby").text
