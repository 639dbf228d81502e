"""The page about engine use: figures, the matches behind them, and for whom it is."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator

import httpx
import pytest

from barpoint.analysis import analyse
from barpoint.analysis import engine_use as compared
from barpoint.engine import Bot, Engine
from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.live.administration import Admin
from barpoint.server.live.matches import seat_for
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage.analyses import Key
from barpoint.variants import variant
from tests.support.accounts import hasten, login, register
from tests.support.played import play_match, play_on
from tests.support.scripted_bots import RepeatedDice
from tests.support.serving import Served, serve

HINT = "This is a hint and no proof."
FAR_MORE = "far more often than people of this rating do"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Ada plays like the engine alone, Ben like people of PR 15; both have analysed matches, Carl has none."""
    running = hasten(serve(tmp_path_factory.mktemp("served"), dice=RepeatedDice()))
    for name in ("Ada", "Benedict", "Carl"):
        with httpx.Client(base_url=running.address, timeout=60) as http:
            register(http, name)
    running.call(Admin("", 0, running.services.store).make_administrator("Carl", True))
    for number in range(3):
        running.call(_play(running, number))
    yield running
    running.stop()


async def _play(served: Served, number: int) -> None:
    services = served.services
    people = []
    for name in ("Ada", "Benedict"):
        account = await services.store.read(account_storage.find_account, name)
        assert account is not None
        person = await services.store.read(guest_storage.get_guest, account.id)
        assert person is not None
        people.append(person)
    agreement = Agreement(variant(), MatchTerms(length=1))
    header = await services.matches.make(agreement, (seat_for(people[0]), seat_for(people[1])))
    engine = Bot("backgammon", "strong", evaluator=Engine("backgammon"))  # without the opening book
    await play_on(services, header.id, (engine, Bot("backgammon", "pr-15", number)))
    match = (await services.matches.live_match(header.id)).match
    found = analyse(match, plies=0)
    packed = gzip.compress(found.json())
    key = Key(header.id, found.net, found.plies, "match")
    await services.store.write(analysis_storage.put, key, packed, found.events, 1)


@pytest.fixture
def http(served: Served) -> Iterator[httpx.Client]:
    """The browser of Carl, an administrator."""
    with httpx.Client(base_url=served.address, timeout=60) as client:
        login(client, "Carl")
        yield client


def shares(page: str) -> dict[str, tuple[int, int]]:
    """Plays, and best ones, of each line of the table of agreement."""
    found = re.findall(r'<th scope="row" class="name">(All|Difficult) plays</th><td>(\d+)</td><td>(\d+) \(', page)
    return {which: (int(plays), int(best)) for which, plays, best in found}


def test_a_player_who_makes_every_best_play_stands_out_and_their_opponent_does_not(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compared, "ENOUGH", 8)
    monkeypatch.setattr(compared, "STRIKING", 2.5)
    ada, ben = (http.get("/admin/engine-use", params={"name": name}).text for name in ("Ada", "Benedict"))
    assert FAR_MORE in ada
    assert "about as often as people of this rating do" in ben
    for page in (ada, ben):
        assert HINT in page
        assert len(re.findall(r'<a href="/match/\w+/replay">', page)) == 3
        assert "Half of the easy plays took less than" in page
    assert shares(ada)["All"][0] == shares(ada)["All"][1] > shares(ada)["Difficult"][0] >= 8
    assert shares(ben)["Difficult"][1] < shares(ben)["Difficult"][0]


def test_few_plays_say_nothing_and_a_period_can_be_chosen(served: Served, http: httpx.Client) -> None:
    assert "Too few difficult plays to say anything" in http.get("/admin/engine-use?name=Ada").text
    later = http.get("/admin/engine-use?name=Carl&days=30").text
    assert "No analysed match of backgammon in this period." in later
    assert '<option value="30" selected>' in later
    assert HINT in later


def test_matches_of_other_games_do_not_count(served: Served, http: httpx.Client) -> None:
    match_id = served.call(play_match(served.services, "roll-over"))
    assert match_id not in http.get("/admin/engine-use?name=Ada&days=0").text


def test_the_page_is_for_administrators_and_reached_from_that_of_the_account(
    served: Served, http: httpx.Client
) -> None:
    assert "/admin/engine-use?name=Ada" in http.get("/admin/account?name=Ada").text
    assert http.get("/admin/engine-use?name=Nobody").status_code == 404
    assert httpx.get(f"{served.address}/admin/engine-use?name=Ada").status_code == 404
    with httpx.Client(base_url=served.address, timeout=60) as other:
        login(other, "Benedict")
        assert other.get("/admin/engine-use?name=Ada").status_code == 404
