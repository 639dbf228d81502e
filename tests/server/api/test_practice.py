"""Practice over HTTP: cards from positions, moments and mistakes, sessions, answers, grades and decks."""

from __future__ import annotations

import gzip
import io
import re
import zipfile
from collections.abc import Iterator

import httpx
import pytest

from barpoint.analysis import analyse
from barpoint.record import parse_mat
from barpoint.server.domain.practice import MAX_CARDS_OF_GUEST
from barpoint.server.services import wall_clock
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage.analyses import Key
from barpoint.server.storage.database import count
from barpoint.server.storage.schema.practice import CARD, CARD_REVIEW, DECK
from tests.analysis.test_statistics import MATCH
from tests.record.test_mat import BEAVERS
from tests.support.accounts import PASSWORD, hasten, register
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served, serve

REPORT = analyse(parse_mat(MATCH), plies=0)
DAY_MS = 24 * 3600 * 1000
LATER = [0]
"""Time that has passed beyond the real one, in ms."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = hasten(serve(tmp_path_factory.mktemp("served"), clock=lambda: wall_clock() + LATER[0]))
    running.services.allowance.answers._burst = 10_000
    yield running
    running.stop()


@pytest.fixture
def http(served: Served) -> Iterator[httpx.Client]:
    """The browser of a new guest."""
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as client:
        assert client.post("/match", data={"opponent": "board", "length": "1"}).status_code == 303
        yield client


def card_of(http: httpx.Client, **address: object) -> str:
    made = http.post("/api/practice/position", json={"address": address})
    assert made.status_code == 201, made.text
    return str(made.json()["cards"][0])


def played(http: httpx.Client, card: str, *moves: list[int]) -> dict[str, object]:
    answer = http.post(f"/api/practice/card/{card}/answer", json={"moves": moves})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def imported(served: Served, http: httpx.Client) -> str:
    """The id of an imported match with its analysis, whose first player is called Anna."""
    answer = http.post("/review", files={"file": ("a.mat", MATCH.encode())})
    found = re.search(r"/review/([^/]+)/replay", answer.headers.get("location", answer.text))
    assert found, answer.text
    packed = gzip.compress(REPORT.json())
    key = Key(found[1], REPORT.net, 0, "review")
    served.call(served.services.store.write(analysis_storage.put, key, packed, REPORT.events, 1))
    return found[1]


def test_a_position_becomes_a_card_that_is_asked_judged_and_asked_again_later(http: httpx.Client) -> None:
    card = card_of(http, roll="31")
    (asked,) = http.get("/api/practice/session").json()["cards"]
    assert (asked["id"], asked["asked"], asked["faces"], asked["fresh"]) == (card, "play", [3, 1], True)
    board = http.get(f"/api/practice/card/{card}", params={"moves": "[[8,5,3]]"}).json()
    assert board["turn"]["made"] == [[8, 5, 3]]

    found = played(http, card, [8, 5, 3], [6, 5, 1])
    assert found["grade"] == "good"
    assert found["decision"]["options"][0]["text"] == "8/5 6/5"  # type: ignore[index]
    assert found["days"] == {"again": 1, "hard": 1, "good": 2, "easy": 8}
    assert http.get("/api/practice/session").json()["cards"] == [], "it is not due for two days"
    LATER[0] += 2 * DAY_MS
    assert [one["id"] for one in http.get("/api/practice/session").json()["cards"]] == [card]

    worse = played(http, card, [24, 21, 3], [24, 23, 1])
    decision = worse["decision"]
    assert worse["grade"] == "again"
    assert decision["mark"] == "blunder"  # type: ignore[index]
    assert decision["lesson"]  # type: ignore[index]
    assert [one["name"] for one in decision["themes"]]  # type: ignore[index]
    days = http.get("/api/practice").json()["days"]
    assert sum(one["answers"] for one in days) == 2
    assert sum(one["right"] for one in days) == 1


def test_a_grade_can_be_changed_until_the_card_is_answered_again(http: httpx.Client) -> None:
    card = card_of(http, roll="42")
    first = played(http, card, [8, 4, 4], [6, 4, 2])
    changed = http.post(f"/api/practice/answer/{first['review']}/grade", json={"grade": "easy"}).json()
    again = http.post(f"/api/practice/answer/{first['review']}/grade", json={"grade": "easy"}).json()
    assert changed == again, "from what was known before the answer"
    second = played(http, card, [8, 4, 4], [6, 4, 2])
    assert second["review"] != first["review"]
    assert http.post(f"/api/practice/answer/{first['review']}/grade", json={"grade": "hard"}).status_code == 404


def test_an_answer_whose_verdict_got_lost_is_counted_once(http: httpx.Client) -> None:
    card = card_of(http)

    def answered(choice: str, reviews: int) -> dict[str, object]:
        body = {"choice": choice, "reviews": reviews}
        return dict(http.post(f"/api/practice/card/{card}/answer", json=body).json())

    first = answered("No double", 0)
    assert answered("No double", 0) == first
    other = answered("Double", 0)  # as what was said of the first was never seen
    assert (other["review"], other["days"]) == (first["review"], first["days"])
    (day,) = http.get("/api/practice").json()["days"]
    assert (day["answers"], day["right"]) == (1, 0)
    assert answered("No double", 1)["review"] != first["review"]
    (day,) = http.get("/api/practice").json()["days"]
    assert (day["answers"], day["right"]) == (2, 1)


def test_cube_cards_are_answered_by_a_choice(http: httpx.Client) -> None:
    take = card_of(http, turn="far")
    double = card_of(http)
    asked = {one["id"]: one["asked"] for one in http.get("/api/practice/session").json()["cards"]}
    assert asked == {take: "take", double: "double"}
    assert http.get(f"/api/practice/card/{take}").json()["cube"]["offered"] == {"by": "far", "value": 2}
    passed = http.post(f"/api/practice/card/{take}/answer", json={"choice": "Pass"}).json()
    assert passed["grade"] == "again"
    assert passed["decision"]["options"][0]["text"] == "Take"
    kept = http.post(f"/api/practice/card/{double}/answer", json={"choice": "No double"}).json()
    assert (kept["grade"], kept["decision"]["loss"]) == ("good", 0)
    refused = http.post(f"/api/practice/card/{double}/answer", json={"choice": "Take"})
    assert refused.status_code == 422
    assert "Double" in refused.json()["error"]["message"]


def test_the_same_position_is_one_card_whoever_is_at_the_bottom(http: httpx.Client) -> None:
    card_of(http, roll="31")
    again = http.post("/api/practice/position", json={"address": {"roll": "31", "turn": "far"}}).json()
    assert again == {"cards": [], "known": 1}


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ({"length": 3, "score": "2-0", "crawford": True}, "nobody may double"),
        ({"variant": "roll-over+plakoto", "roll": "31"}, "no net"),
        ({"position": "AAAAAAAAAAAAAA", "roll": "31"}, ""),
    ],
)
def test_where_nothing_is_to_be_decided_there_is_no_card(
    http: httpx.Client, address: dict[str, object], said: str
) -> None:
    refused = http.post("/api/practice/position", json={"address": address})
    assert refused.status_code == 422
    assert said in refused.json()["error"]["message"]


def test_mistakes_of_all_matches_become_cards_once_the_costliest_first(served: Served, http: httpx.Client) -> None:
    register(http, "Anna")
    review = imported(served, http)
    worst = [one for one in REPORT.worst(player=0) if one.kind in ("play", "double", "no double", "take", "pass")]
    dear = [one for one in worst if one.loss >= 0.08]
    made = http.post("/api/practice/mistakes", json={"least": 0.08}).json()
    assert len(made["cards"]) == len(dear) > 0
    assert http.post("/api/practice/mistakes", json={"least": 0.08}).json() == {"cards": [], "known": len(dear)}
    cards = http.get("/api/practice/session", params={"count": "50"}).json()["cards"]
    assert [one["loss"] for one in cards] == sorted((one.loss for one in dear), reverse=True)
    assert cards[0]["source"] == f"/review/{review}/replay#{dear[0].event - 1}"
    assert cards[0]["theme"] == (dear[0].themes[0].name if dear[0].themes else "")


def test_a_decision_of_a_review_becomes_a_card_and_one_that_is_none_is_refused(
    served: Served, http: httpx.Client
) -> None:
    review = imported(served, http)
    one = next(one for one in REPORT.decisions if one.kind == "play" and one.mark)
    body = {"source": "review", "match": review, "event": one.event, "player": one.player}
    made = http.post("/api/practice/moment", json=body).json()
    (asked,) = http.get("/api/practice/session").json()["cards"]
    assert [asked["id"]] == made["cards"]
    assert (asked["made"], asked["loss"]) == (one.made.text, one.loss)
    assert http.post("/api/practice/moment", json=body | {"event": 999_999}).status_code == 404
    assert http.post("/api/practice/moment", json=body | {"match": "nothing"}).status_code == 404


def test_the_answer_to_a_beaver_is_no_card(http: httpx.Client) -> None:
    """The board of a card cannot say that a beaver waits; it would ask whether to double."""
    answer = http.post("/review", files={"file": ("beavers.mat", BEAVERS.encode())})
    review = answer.headers["location"].split("/")[2]
    doubled, beavered = (
        http.post("/api/practice/moment", json={"source": "review", "match": review, "event": event, "player": player})
        for event, player in ((6, 1), (7, 0))
    )
    assert doubled.status_code == 201
    assert [one["asked"] for one in http.get("/api/practice/session").json()["cards"]] == ["take"]
    assert beavered.status_code == 422
    assert "nothing is decided there" in beavered.json()["error"]["message"]


def test_a_shared_deck_is_copied_and_one_that_is_not_stays_hidden(served: Served, http: httpx.Client) -> None:
    deck = http.post("/api/practice/deck", json={"name": "  Opening   plays "}).json()
    assert deck["name"] == "Opening plays"
    http.post("/api/practice/position", json={"address": {"roll": "31"}, "deck": deck["id"]})
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as other:
        other.post("/match", data={"opponent": "board", "length": "1"})
        assert other.get(f"/api/practice/deck/{deck['id']}").status_code == 404
        assert other.post(f"/api/practice/deck/{deck['id']}/share").status_code == 404, "it is not theirs"
        http.post(f"/api/practice/deck/{deck['id']}/share")
        assert len(other.get(f"/api/practice/deck/{deck['id']}").json()["cards"]) == 1
        assert other.post(f"/api/practice/deck/{deck['id']}/copy").status_code == 200
        shown = other.get("/api/practice").json()
        assert [(one["name"], one["total"], one["shared"]) for one in shown["decks"]] == [("Opening plays", 1, False)]
    http.post(f"/api/practice/deck/{deck['id']}/remove")
    left = http.get("/api/practice").json()
    assert (left["decks"], left["total"]) == ([], 1), "the card stays"


def test_cards_are_private_bounded_and_belong_to_somebody(served: Served, http: httpx.Client) -> None:
    card = card_of(http, roll="31")
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as stranger:
        assert stranger.get("/api/practice").status_code == 401
        made = stranger.post("/api/guest", json={}).json()
        token = {"Authorization": f"Bearer {made['token']}"}
        assert stranger.get("/api/practice", headers=token).json()["total"] == 0
        assert stranger.get(f"/api/practice/card/{card}", headers=token).status_code == 404
        answered = stranger.post(f"/api/practice/card/{card}/answer", headers=token, json={"moves": []})
        assert answered.status_code == 404

    async def fill() -> None:
        rows = await served.services.store.read(lambda c: c.execute(CARD.select().where(CARD.c.id == card)).one())
        many = [{**rows._mapping, "id": f"n{i}", "digest": str(i)} for i in range(MAX_CARDS_OF_GUEST)]
        await served.services.store.write(lambda c: c.execute(CARD.insert(), many))

    served.call(fill())
    full = http.post("/api/practice/position", json={"address": {"roll": "65"}})
    assert full.status_code == 409
    assert "200 cards" in full.json()["error"]["message"]


def test_cards_go_with_the_account(served: Served, http: httpx.Client) -> None:
    register(http, "Berta")
    deck = http.post("/api/practice/deck", json={"name": "Mine"}).json()
    made = http.post("/api/practice/position", json={"address": {"roll": "31"}, "deck": deck["id"]}).json()
    played(http, made["cards"][0], [8, 5, 3], [6, 5, 1])
    with zipfile.ZipFile(io.BytesIO(http.get("/account/barpoint.zip").content)) as pack:
        assert {"deck.json", "card.json", "card_review.json"} <= {*pack.namelist()}
    assert http.post("/account/delete", data={"password": PASSWORD}).status_code == 303

    async def rows() -> list[int]:
        read, card = served.services.store.read, made["cards"][0]
        return [
            await read(count, DECK, DECK.c.id == deck["id"]),
            await read(count, CARD, CARD.c.id == card),
            await read(count, CARD_REVIEW, CARD_REVIEW.c.card_id == card),
        ]

    assert served.call(rows()) == [0, 0, 0]
