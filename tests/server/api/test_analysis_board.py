"""The analysis of positions over HTTP: what the engine says, the board, edits, plays, IDs, rollouts."""

from __future__ import annotations

import json
import re
import time
from hashlib import sha256
from urllib.parse import parse_qsl

import httpx
import msgspec
import pytest

import barpoint as bp
from barpoint.analysis.inquiry import Inquiry
from barpoint.analysis.position import MAX_PLAYS, PositionAnswer, answer_position
from barpoint.analysis.position_rollout import RolloutAnswer, RolloutMethod
from barpoint.analysis.reference import reference_collection
from barpoint.analysis.roll_table import RollTable, answer_rolls
from barpoint.analysis.score_matrix import ScoreMatrix, answer_matrix
from barpoint.game import PlayMade
from barpoint.match.met import Met
from barpoint.match.take_points import gammon_value, take_point
from barpoint.record import format_position
from barpoint.server.storage.position_answers import AnswerKey
from barpoint.server.study import rollouts
from barpoint.server.study.nets import net_of
from barpoint.server.study.rollouts import RolloutAsker, RolloutState
from barpoint.variants import variant
from tests.support.machine import PATIENCE_S
from tests.support.played import play_match
from tests.support.serving import Served, serve

START = "4HPwATDgc/ABMA"


def test_the_answers_are_those_of_the_engine_without_an_account(http: httpx.Client) -> None:
    fields = {"turn": "far", "roll": "31", "length": "7", "score": "2-5", "cube": "2", "owner": "far"}
    inquiry = Inquiry("backgammon", START, (3, 1), cube=2, owner="us", away=(2, 5))
    found = http.get("/api/analysis", params=fields | {"plies": "1"})
    assert msgspec.json.decode(found.content, type=PositionAnswer) == answer_position(inquiry, 1)
    table = http.get("/api/analysis/rolls", params=fields)
    assert msgspec.json.decode(table.content, type=RollTable) == answer_rolls(inquiry, 0)
    matrix = http.get("/api/analysis/matrix", params=fields | {"plies": "0"})
    assert msgspec.json.decode(matrix.content, type=ScoreMatrix) == answer_matrix(inquiry, 0)


def test_reference_positions_near_a_position_say_what_is_right_in_them(http: httpx.Client) -> None:
    one = next(known for known in reference_collection().positions if known.faces)
    position = format_position(one.position)
    found = http.get("/api/analysis/similar", params={"position": position, "count": 3}).json()
    assert found["settings"]["games"] == reference_collection().settings.games
    assert len(found["decisions"]) == 3
    first = found["decisions"][0]
    assert (first["position"], first["best"], first["equity"], first["pips"]) == (position, one.best, one.equity, 0)
    assert [(choice["text"], choice["equity"], choice["error"]) for choice in first["choices"]] == list(
        map(tuple, one.choices)
    )
    turned = {"position": format_position(one.position.flip()), "turn": "far", "count": 3}
    assert http.get("/api/analysis/similar", params=turned).json() == found, "the position counts for the side to act"
    assert http.get(first["board"]).status_code == 200
    assert http.get("/api/analysis/similar?variant=hypergammon").json()["decisions"] == []
    assert http.get("/api/analysis/similar?count=99").status_code == 400
    page = http.get("/library/similar", params={"position": position}).text
    assert page.count('<li class="card">') == 12
    assert one.best in page
    assert "0 pips away" in page


def test_an_answer_is_computed_once(served: Served, http: httpx.Client) -> None:
    fields = {"roll": "64", "plies": "2"}
    first = http.get("/api/analysis", params=fields).content
    served.services.advisers._processes[True].close()
    starts = served.services.advisers._processes[True].starts
    assert http.get("/api/analysis", params=fields).content == first
    assert http.get("/api/analysis", params=fields | {"position": START}).content == first, "by any other link"
    assert served.services.advisers._processes[True].starts == starts, "nobody was asked"


def test_dear_answers_survive_a_restart(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("kept")
    fields = {"roll": "11", "plies": "2", "variant": "hypergammon"}
    before = serve(folder)
    first = httpx.get(f"{before.address}/api/analysis/rolls", params=fields, timeout=PATIENCE_S).content
    before.stop()
    after = serve(folder)
    assert httpx.get(f"{after.address}/api/analysis/rolls", params=fields, timeout=PATIENCE_S).content == first
    assert all(process.starts == 0 for process in after.services.advisers._processes.values())
    after.stop()


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"plies": "4"}, 422, "0 to 3"),
        ({"plies": "-1"}, 400, ">= 0"),
        ({"variant": "roll-over+plakoto"}, 409, "no net"),
        ({"position": "AAAAAAAAAAAAAA"}, 422, "borne off"),
        ({"position": "x"}, 400, "characters"),
        ({"colour": "red"}, 400, "colour"),
        ({"roll": "99"}, 422, "no roll"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_the_reason(
    http: httpx.Client, fields: dict[str, str], status: int, said: str
) -> None:
    found = http.get("/api/analysis", params=fields)
    assert found.status_code == status
    assert said in found.json()["error"]["message"]


def test_the_board_comes_with_its_link_ids_and_legal_moves(http: httpx.Client) -> None:
    board = http.get("/api/analysis/board", params={"roll": "31", "turn": "far"}).json()
    assert board["path"] == "/analysis?turn=far&roll=31"
    assert board["view"]["to_act"] == "far"
    assert len(board["view"]["turn"]["nodes"]) > 10
    ids = {one["name"]: one["text"] for one in board["ids"]}
    for text in (ids["XGID"], ids["GNU Backgammon ID"], ids["OGID"]):
        again = http.post("/api/analysis/read", json={"text": text}).json()
        assert again["address"].get("roll") == "31"
        assert again["view"]["near"] == board["view"]["near"]
    assert http.post("/api/analysis/read", json={"text": "hello"}).status_code == 400


def test_edits_and_plays_lead_to_another_link(http: httpx.Client) -> None:
    added = http.get("/api/analysis/board", params={"edit": "move", "place": "24", "to": "18"}).json()
    assert added["view"]["near"]["points"][18] == 1
    refused = http.get("/api/analysis/board", params={"edit": "add", "place": "5"}).json()
    assert "all 15 checkers" in refused["said"]
    assert refused["path"] == "/analysis"
    played = http.get("/api/analysis/board", params={"roll": "31", "play": "1", "moves": "[[8,5,3],[6,5,1]]"}).json()
    assert played["played"]["text"] == "8/5 6/5"
    assert played["address"]["turn"] == "far"
    answer = http.get("/api/analysis", params={"roll": "31"}).json()
    assert answer["plays"][0]["id"] == played["played"]["id"], "so that a page can tell what the play was worth"
    illegal = http.get("/api/analysis/board", params={"roll": "31", "play": "1", "moves": "[[8,4,3],[6,5,1]]"})
    assert illegal.status_code == 422


def test_a_position_without_checkers_has_a_board_and_a_reason(http: httpx.Client) -> None:
    board = http.get("/api/analysis/board", params={"edit": "clear"}).json()
    assert board["problem"]
    assert board["view"]["to_act"] is None
    assert board["view"]["turn"] is None


def test_a_rollout_is_queued_told_stopped_and_goes_on(
    served: Served, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollouts, "TRIALS", 24)
    monkeypatch.setattr(rollouts, "MAX_TRIALS", 48)
    position = bp.format_gnuid(bp.Position(bp.Side.of({0: 9, 1: 2, 2: 2, 3: 2}), bp.Side.of({0: 9, 1: 2, 3: 2, 4: 2})))
    fields = {"position": position, "cube": "0"}
    assert http.get("/api/analysis/rollout", params=fields).json() == {"state": "none", "more": 24}
    http.post("/api/analysis/rollout", params=fields)
    first = _ended(http, fields)
    assert first.answer is not None
    assert (first.answer.done, first.more, first.answer.kind) == (24, 24, "position")
    assert first.answer.choices[0].error is not None
    http.post("/api/analysis/rollout", params=fields)
    second = _ended(http, fields)
    assert second.answer is not None
    assert (second.answer.done, second.more) == (48, 0)
    expected = bp.Engine().rollout(bp.parse_gnuid(position).position, trials=48, threads=1)
    assert second.answer.choices[0].equity == pytest.approx(expected.equity.mean, abs=1e-6), (
        "as if it had never stopped"
    )
    assert http.post("/api/analysis/rollout", params=fields).status_code == 409

    monkeypatch.setattr(rollouts, "TRIALS", 1_000_000)
    monkeypatch.setattr(rollouts, "MAX_TRIALS", 1_000_000)
    long = fields | {"roll": "21"}
    http.post("/api/analysis/rollout", params=long)
    with httpx.Client(base_url=served.address, headers={"cookie": "x=1"}) as other:
        assert other.get("/api/analysis/rollout", params=long).json()["state"] in ("waiting", "running")
    http.post("/api/analysis/rollout/stop", params=long)
    assert _ended(http, long).state in ("none", "done")


def test_a_play_that_was_made_is_rolled_out_beside_the_best_ones(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollouts, "TRIALS", 6)
    race = bp.Position(bp.Side.of({6: 2, 5: 2, 1: 2, 0: 9}), bp.Side.of({1: 2, 0: 13}))
    fields = {"position": bp.format_gnuid(race).partition(":")[0], "cube": "0", "roll": "21"}
    plays = [play["text"] for play in http.get("/api/analysis", params=fields).json()["plays"]]
    asked = fields | {"also": plays[-1]}
    http.post("/api/analysis/rollout", params=asked)
    found = _ended(http, asked).answer
    assert found is not None
    assert plays[-1] in [choice.text for choice in found.choices]
    assert http.get("/api/analysis/rollout", params=fields).json()["state"] == "none", "another rollout"
    for also, status in (("6/1", 422), ("nonsense", 400)):
        assert http.get("/api/analysis/rollout", params=fields | {"also": also}).status_code == status


def test_a_rollout_with_settings_of_its_own_is_made_and_found_by_them(
    served: Served, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollouts, "MIN_TRIALS", 6)
    race = bp.Position(bp.Side.of({6: 2, 5: 2, 1: 2, 0: 9}), bp.Side.of({1: 2, 0: 13}))
    fields = {"position": bp.format_gnuid(race).partition(":")[0], "cube": "0", "roll": "21"}
    plays = [play["text"] for play in http.get("/api/analysis", params=fields).json()["plays"]][-2:]
    method = {"plies": "1", "cube_plies": "2", "truncate": "3", "seed": "7", "plays": ";".join(plays)}
    asked = fields | method | {"games": "12"}
    http.post("/api/analysis/rollout", params=asked)
    found = _ended(http, asked).answer
    assert found is not None
    assert found.method == RolloutMethod(1, 2, 3, 7, tuple(sorted(plays)))
    assert (found.done, found.plies) == (12, 1)
    assert sorted(choice.text for choice in found.choices) == sorted(plays), "no others"
    engine, position = bp.Engine(), bp.parse_gnuid(fields["position"]).position
    candidates = [bp.parse_play(bp.Rules(), position, (2, 1), text) for text in plays]
    settings = {"plies": 1, "cube_plies": 2, "truncate": 3, "seed": 7}
    expected = engine.rollout_plays(position, (2, 1), candidates=candidates, trials=12, threads=1, **settings)
    assert found.choices[0].equity == pytest.approx(expected[0].rollout.equity.mean, abs=1e-6)
    known = http.get("/api/analysis/rollout", params=asked | {"plays": ";".join(reversed(plays)), "games": "24"}).json()
    assert (known["state"], known["more"], known["answer"]["done"]) == ("done", 12, 12), "games are not a part of it"
    for name in method:
        other = http.get("/api/analysis/rollout", params={key: asked[key] for key in asked if key != name}).json()
        assert other["state"] == "none", name


def test_a_kept_rollout_without_settings_is_found_by_the_key_it_always_had() -> None:
    inquiry = Inquiry("backgammon", START, (3, 1))
    net = net_of(variant("backgammon"))
    assert net is not None
    assert rollouts._key(inquiry, RolloutMethod()) == AnswerKey(inquiry.digest, "rollout", net, 0)
    also = sha256(f"{inquiry.digest} 13/9".encode()).hexdigest()
    assert rollouts._key(inquiry, RolloutMethod(also="13/9")) == AnswerKey(also, "rollout", net, 0)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"plies": "3"}, "plies 3 of a rollout; 0 to 2 are allowed"),
        ({"cube_plies": "-1"}, "cube_plies -1 of a rollout; 0 to 2 are allowed"),
        ({"truncate": "5001"}, "truncate 5001 of a rollout; 0 to 5000 are allowed"),
        ({"seed": "-1"}, "seed -1 of a rollout; 0 to 18446744073709551615 are allowed"),
        ({"games": "2593"}, "games 2593 of a rollout; 36 to 2592 are allowed"),
        ({"games": "649", "plies": "1"}, "games 649 of a rollout; 36 to 648 are allowed"),
        ({"games": "73", "cube_plies": "2"}, "games 73 of a rollout; 36 to 72 are allowed"),
        ({"games": "35"}, "games 35 of a rollout; 36 to 2592 are allowed"),
        ({"plays": "8/5 6/5"}, "plays 1 of a rollout; 2 to 6 are allowed"),
        ({"plays": "8/5 6/5;6/1"}, "6/1"),
    ],
)
def test_settings_of_a_rollout_that_are_not_allowed_are_refused_with_those_that_are(
    http: httpx.Client, settings: dict[str, str], said: str
) -> None:
    for ask in (http.get, http.post):
        refused = ask("/api/analysis/rollout", params={"roll": "31"} | settings)
        assert refused.status_code in (400, 422)
        assert said in refused.json()["error"]["message"]


def test_a_board_at_a_score_says_what_the_score_makes_of_the_game(http: httpx.Client) -> None:
    met = Met.load()
    score = http.get("/api/analysis/board", params={"length": "7", "score": "2-3", "cube": "2", "owner": "far"}).json()[
        "score"
    ]
    assert score["near"] == {
        "win": met.win(3, 4),
        "lose": met.win(5, 2),
        "gammon": gammon_value(met, 5, 4, 2),
        "take_dead": take_point(met, 5, 4, 2),
        "take_live": take_point(met, 5, 4, 2, live=True),
    }
    assert score["far"]["win"] == pytest.approx(1 - score["near"]["lose"])
    assert "take_dead" not in score["far"], "they own the cube"
    page = http.get(score["path"]).text
    assert page.count('aria-current="true"') == 3
    crawford = http.get("/api/analysis/board", params={"length": "7", "score": "6-3", "crawford": "1"}).json()["score"]
    assert set(crawford["near"]) == {"win", "lose"}, "nobody doubles, and a plain win is enough"
    assert crawford["near"]["lose"] == met.win(1, 3, after_crawford=True)
    assert http.get(crawford["path"]).text.count('aria-current="true"') == 1, "the chances alone"
    assert "score" not in http.get("/api/analysis/board").json(), "money"


def test_a_rolled_out_cube_has_its_actions_in_their_usual_order(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollouts, "TRIALS", 6)
    race = bp.Position(bp.Side.of({6: 2, 5: 2, 0: 11}), bp.Side.of({6: 2, 5: 2, 0: 11}))
    fields = {"position": bp.format_gnuid(race).partition(":")[0]}
    http.post("/api/analysis/rollout", params=fields)
    found = _ended(http, fields).answer
    assert found is not None
    assert [choice.text for choice in found.choices] == ["No double", "Double, take", "Double, pass"]
    assert found.action == "double/take"
    assert found.choices[1].equity is not None
    assert found.choices[1].equity < 1, "passing gives more than the best action"


@pytest.mark.parametrize(
    ("done", "registered", "total"),
    [
        (1, False, 648),
        (324, False, 648),
        (325, False, 1296),
        (648, False, 1296),
        (2592, False, 2592),
        (648, True, 1296),
    ],
)
def test_a_rollout_that_was_stopped_goes_on_to_a_whole_number_of_requests(
    done: int, registered: bool, total: int
) -> None:
    answer = RolloutAnswer("net", 0, "play", done, 648, (), over=True)
    assert done + rollouts._more(answer, RolloutAsker("anna", registered)) == total


def _ended(http: httpx.Client, fields: dict[str, str]) -> RolloutState:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        found = msgspec.json.decode(http.get("/api/analysis/rollout", params=fields).content, type=RolloutState)
        if found.state in ("none", "done"):
            return found
        time.sleep(0.1)
    raise AssertionError("the rollout goes on")


def test_pictures_and_text_are_of_the_same_position(http: httpx.Client) -> None:
    drawn = http.get("/analysis/picture.svg", params={"roll": "31"})
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    text = http.get("/analysis/board.txt", params={"roll": "31", "length": "5"}).text
    assert "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10" in text
    assert http.get("/analysis/picture.svg", params={"roll": "99"}).status_code == 404


def test_a_position_with_its_answer_is_told_as_text(http: httpx.Client) -> None:
    fields = {"roll": "31", "length": "5", "depth": "1"}
    answer = answer_position(Inquiry("backgammon", START, (3, 1), away=(5, 5)), 1)
    text = http.get("/api/analysis/text", params=fields | {"made": "24/23 13/10"}).json()["text"]
    assert "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10" in text
    best, made = answer.plays[0], next(one for one in answer.plays if one.text == "24/23 13/10")
    assert f" 1. {best.text} " in text
    told = rf"^\* +{answer.plays.index(made) + 1}\. {re.escape(made.text)} +{re.escape(f'{made.equity:+.3f}')} "
    assert re.search(told, text, re.MULTILINE)
    offered = http.get("/api/analysis/text", params={"turn": "far", "depth": "0", "made": "Take"}).json()["text"]
    assert "X is offered the cube at 2." in offered
    assert http.get("/api/analysis/text", params=fields | {"made": "24/1"}).status_code == 422
    assert http.get("/api/analysis/text", params={"depth": "0", "made": "Castle"}).status_code == 422
    assert http.get("/api/analysis/text", params=fields | {"depth": "4"}).status_code == 422, "for accounts alone"


def test_the_page_says_how_deep_it_may_look(http: httpx.Client) -> None:
    page = http.get("/analysis")
    assert page.status_code == 200
    assert 'data-deepest="3"' in page.text


def test_a_moment_of_a_finished_match_opens_on_the_board(served: Served, http: httpx.Client) -> None:
    match_id = served.call(play_match(served.services, "backgammon"))
    match = served.call(served.services.matches.live_match(match_id)).match
    number = next(index for index, event in enumerate(match.events, start=1) if isinstance(event, PlayMade))
    play = match.events[number - 1]
    assert isinstance(play, PlayMade)
    found = http.get(f"/match/{match_id}/analysis-board", params={"before": str(number), "player": str(play.player)})
    assert found.status_code == 303
    query, origin = found.headers["location"].partition("?")[2].split("#")
    assert origin == f"match/{match_id}/{number}/{play.player}"
    board = http.get(f"/api/analysis/board?{query}").json()
    assert board["view"]["to_act"] == "near"
    without = http.get(f"/match/{match_id}/analysis-board", params={"before": str(number)})
    assert without.headers["location"] == found.headers["location"], "who is to act is at the bottom"
    moves = msgspec.json.encode(play.moves).decode()
    fields = dict(parse_qsl(query))
    assert http.get("/api/analysis/board", params=fields | {"play": "1", "moves": moves}).status_code == 200
    after = http.get(f"/match/{match_id}/analysis-board", params={"after": str(number)})
    assert "roll=" not in after.headers["location"]
    for wrong in ({"after": "100000"}, {"after": "x"}, {}):
        assert http.get(f"/match/{match_id}/analysis-board", params=wrong).status_code == 404


def test_a_match_in_progress_does_not_open_on_the_board(served: Served, http: httpx.Client) -> None:
    match_id = served.call(play_match(served.services, "backgammon", events=5))
    assert http.get(f"/match/{match_id}/analysis-board", params={"after": "3"}).status_code == 404


@pytest.mark.parametrize(
    ("path", "params", "english", "german"),
    [
        ("/board", {"edit": "clear"}, "both sides have borne off every checker", "beide Seiten haben alle Steine"),
        ("", {"plies": "9"}, "the query", "die Anfrage"),
        ("", {"plies": "4"}, "4 plies; allowed here: 0 to 3", "4 Ply; hier erlaubt: 0 bis 3"),
        ("", {"position": "AAAAAAAAAAAAAA"}, "both sides have borne off", "beide Seiten haben"),
    ],
)
def test_what_is_refused_is_said_in_the_language_of_the_browser_and_in_english_to_programs(
    http: httpx.Client, path: str, params: dict[str, str], english: str, german: str
) -> None:
    assert english in http.get(f"/api/analysis{path}", params=params).text
    assert german in http.get(f"/api/analysis{path}", params=params, headers={"accept-language": "de"}).text


def test_what_somebody_has_had_found_out_is_there_for_everybody(http: httpx.Client) -> None:
    """Nothing is computed by asking what is known."""
    fields = {"roll": "62", "turn": "far"}
    empty = http.get("/api/analysis/known", params=fields).json()
    assert empty["answer"] is None
    assert empty["rollout"]["state"] == "none"
    deep = http.get("/api/analysis", params=fields | {"plies": "3"}).json()
    assert http.get("/api/analysis/known", params=fields).json()["answer"] == deep
    assert http.get("/api/analysis/known", params=fields | {"roll": "61"}).json()["answer"] is None


def test_a_decision_of_a_match_has_an_address_here(served: Served, http: httpx.Client) -> None:
    match_id = served.call(play_match(served.services, "backgammon"))
    match = served.call(served.services.matches.live_match(match_id)).match
    for number, play in enumerate(match.events, start=1):
        if number > 4 and isinstance(play, PlayMade):
            params = {"before": str(number), "player": str(play.player)}
            said = http.get(f"/match/{match_id}/decision.json", params=params).json()
            query = said["query"]
            plays = http.get(f"/api/analysis?{query}").json()["plays"]
            if len(plays) < MAX_PLAYS:  # else the one that was made may be left out
                break
    made = json.loads(msgspec.json.encode(play.position))
    assert [one["text"] for one in plays if one["position"] == made] == [said["also"]]
    assert http.get(f"/match/{match_id}/decision.json", params={"before": "0"}).status_code == 404
