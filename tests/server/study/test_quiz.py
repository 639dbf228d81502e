"""A decision as a quiz: the board before it, every legal play on it, and the loss of an answer."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any

import httpx
import msgspec
import pytest

from barpoint.analysis import Decision, Report
from barpoint.analysis.answer import before, choices_of, chosen, judged, with_choice
from barpoint.error import IllegalMove
from barpoint.game import Opening, PlayMade, Roll
from barpoint.game.event import MoveMade
from barpoint.match import Match
from barpoint.moves import legal_plays
from barpoint.moves.turn import LATER
from barpoint.record import Book
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.study import quiz
from barpoint.server.study.quiz import MAX_WAITING, moment
from barpoint.server.study.recordings import of_book
from barpoint.variants import variant
from tests.server.protocol.test_match_view import told
from tests.support.machine import PATIENCE_S
from tests.support.played import play_match
from tests.support.serving import Served


@pytest.fixture(scope="module")
def live_match(served: Served) -> LiveMatch:
    match_id = served.call(play_match(served.services, "roll-over", length=2))
    return served.call(served.services.matches.live_match(match_id))


@pytest.fixture(scope="module")
def report(served: Served, live_match: LiveMatch) -> Report:
    """An analysis of the match by the net alone."""
    analyst = served.services.analyses
    key = analyst.key(live_match.header.id, live_match.match.rules, 0)

    async def done() -> bytes:
        await analyst.ask(key, live_match.match, "anybody")
        while (await analyst.state(key)).state != "done":
            await asyncio.sleep(0.02)
        packed = await analyst.report(key)
        assert packed is not None
        return packed

    packed = asyncio.run_coroutine_threadsafe(done(), served._server.loop).result(PATIENCE_S)
    return msgspec.json.decode(gzip.decompress(packed), type=Report)


def wide(live_match: LiveMatch, report: Report) -> tuple[Decision, list[list[list[int]]]]:
    """A play decision with more plays than the report keeps, and the moves of those it leaves out."""
    for decision in report.decisions:
        if decision.kind != "play":
            continue
        game = before_of(live_match, decision)
        kept = {option.moves for option in decision.options}
        others = [play.moves for play in legal_plays(game.rules, game.position, game.faces) if play.moves not in kept]
        if others:
            return decision, [[list(move) for move in moves] for moves in others]
    raise AssertionError("some roll can be played in more than six ways")


def before_of(live_match: LiveMatch, decision: Decision) -> Any:
    return before(live_match.match, decision.event).game


def ask(http: httpx.Client, live_match: LiveMatch, **fields: Any) -> httpx.Response:
    return http.post(f"/match/{live_match.header.id}/quiz", data={"plies": "0", **fields})


def test_the_board_before_a_play_has_the_roll_and_every_way_to_play_it(
    live_match: LiveMatch, report: Report, http: httpx.Client
) -> None:
    decision = next(one for one in report.decisions if one.kind == "play" and one.player == 1)
    address = f"/match/{live_match.header.id}/quiz.json?event={decision.event}&player=1"
    shown = http.get(f"{address}&moves=[]").json()
    game = before_of(live_match, decision)
    assert shown["near"]["points"] == list(game.position.us.points), "the side that decides is below"
    assert shown["labels"]["near"] == "You"
    assert shown["dice"]["faces"] == list(decision.faces)
    assert shown["allowed"] == [{"kind": "play"}]
    assert any(commit for commit, _ in shown["turn"]["nodes"])
    first = shown["turn"]["nodes"][0][1][0][:3] if shown["turn"]["nodes"][0][1] else None
    if first:
        assert http.get(f"{address}&moves={json.dumps([first])}").json()["turn"]["made"] == [first]


def test_the_board_before_any_other_decision_can_only_be_looked_at(
    live_match: LiveMatch, report: Report, http: httpx.Client
) -> None:
    decision = next(one for one in report.decisions if one.kind != "play")
    shown = http.get(f"/match/{live_match.header.id}/quiz.json?event={decision.event}&player={decision.player}").json()
    assert (shown["allowed"], shown["turn"]) == ([], None)


def test_an_answer_that_the_report_has_ranked_has_its_figures_and_a_lesson(
    live_match: LiveMatch, report: Report, http: httpx.Client
) -> None:
    decision = max((one for one in report.decisions if one.kind == "play"), key=lambda one: one.loss)
    best = ask(http, live_match, event=decision.event, moves=json.dumps(decision.options[0].moves)).json()
    assert (best["text"], best["loss"], best["ranked"]) == (decision.best.text, 0.0, True)
    worse = decision.options[-1]
    said = ask(http, live_match, event=decision.event, moves=json.dumps(worse.moves)).json()
    assert (said["text"], said["loss"]) == (worse.text, worse.loss)
    assert said["lesson"].startswith(f"{decision.best.text} instead of {worse.text}")


def test_the_order_of_the_moves_does_not_matter(live_match: LiveMatch, report: Report) -> None:
    for decision in report.decisions:
        moves = decision.options[0].moves
        if decision.kind != "play" or len(moves) < 2:
            continue
        try:
            found = chosen(live_match.match, decision, tuple(reversed(moves)))
        except IllegalMove:
            continue
        assert found is not None
        assert found.chosen == 0
        return
    raise AssertionError("some play can be made in another order")


def test_an_answer_that_the_report_has_not_ranked_is_judged_anew(
    live_match: LiveMatch, report: Report, http: httpx.Client
) -> None:
    decision, others = wide(live_match, report)
    said = ask(http, live_match, event=decision.event, moves=json.dumps(others[-1])).json()
    assert (said["ranked"], said["plies"]) == (False, 0)
    alone = judged(live_match.match, decision.event, tuple((a, b, c) for a, b, c in others[-1]), 0)
    assert (said["text"], said["loss"]) == (alone.made.text, alone.loss)
    assert said["loss"] >= 0


def test_a_choice_has_its_loss_and_the_best_answer(live_match: LiveMatch, report: Report, http: httpx.Client) -> None:
    decision = next(one for one in report.decisions if one.kind != "play" and len(one.options) > 1)
    for choice in choices_of(decision):
        said = ask(http, live_match, event=decision.event, kind=decision.kind, choice=choice).json()
        other, best = with_choice(decision, choice)
        assert (said["text"], said["done"], said["best"]) == (choice, other.made.text, best)
        assert (said["loss"], said["cost"], said["mark"]) == (other.loss, other.cost, other.mark)
        assert (said["ranked"], said["plies"]) == (True, 0)
    answer = ask(http, live_match, event=decision.event, kind=decision.kind, choice="Castle")
    allowed = ", ".join(choices_of(decision))
    assert (answer.status_code, answer.json()["message"]) == (422, f"the choice Castle; allowed here: {allowed}")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"choice": "Take", "kind": "play"}, 422),
        ({"choice": "Take"}, 422),
        ({"moves": "[[24, 1, 23]]"}, 422),
        ({"moves": "[[1]]"}, 422),
        ({"moves": "no JSON"}, 422),
        ({"moves": json.dumps([[24, 23, 1]] * 65)}, 422),
        ({"moves": "[]", "plies": "1"}, 409),
        ({"moves": "[]", "plies": "9"}, 422),
        ({"moves": "[]", "event": "0"}, 404),
        ({"moves": "[]", "event": "99999"}, 404),
        ({"moves": "[]", "event": "²"}, 404),
        ({"moves": "[]", "event": ""}, 404),
    ],
)
def test_what_is_no_answer_is_refused(
    live_match: LiveMatch, report: Report, http: httpx.Client, fields: dict[str, str], status: int
) -> None:
    event = next(one for one in report.decisions if one.kind == "play" and len(one.options) > 1).event
    assert ask(http, live_match, **{"event": event, **fields}).status_code == status


def test_answers_to_every_decision_have_a_rating_beside_that_of_the_match(
    live_match: LiveMatch, report: Report, http: httpx.Client
) -> None:
    """Whoever plays as the players did has their rating; perfect answers have none to lose."""
    counted = [one for one in report.decisions if one.counted]

    def scored(losses: list[float]) -> list[dict[str, Any]]:
        given = [(one.event, one.kind, loss) for one, loss in zip(counted, losses, strict=True)]
        answer = http.post(f"/match/{live_match.header.id}/quiz/score?plies=0", content=json.dumps(given))
        assert answer.status_code == 200, answer.text
        return list(answer.json())

    both, *each = scored([one.loss for one in counted])
    assert (both["player"], both["decisions"], both["own"]) == (None, len(counted), both["theirs"])
    assert [(one["player"], one["theirs"]) for one in each] == [
        (player, pytest.approx(report.players[player].rating, abs=1e-3)) for player in (0, 1)
    ]
    assert f"these {len(counted)} decisions of both sides" in both["text"]
    perfect, *_ = scored([0.0] * len(counted))
    assert (perfect["own"], perfect["theirs"]) == (0.0, both["theirs"])
    forced = next(one for one in report.decisions if not one.counted)
    unrated = http.post(
        f"/match/{live_match.header.id}/quiz/score?plies=0", content=json.dumps([(forced.event, forced.kind, 0.5)])
    )
    assert unrated.json() == []
    for nonsense in ("", '[[1, "play", -1]]', '[["play"]]'):
        refused = http.post(f"/match/{live_match.header.id}/quiz/score?plies=0", content=nonsense)
        assert refused.status_code == 422


@pytest.mark.parametrize("query", ["event=1", "event=1&player=2", "event=0&player=0", "event=x&player=0", "player=0"])
def test_a_moment_that_never_was_is_not_found(live_match: LiveMatch, http: httpx.Client, query: str) -> None:
    assert http.get(f"/match/{live_match.header.id}/quiz.json?{query}").status_code == 404
    assert http.get(f"/match/{live_match.header.id}/quiz.json?event=1&player=0&moves=[]").status_code == 404, "no play"


def test_of_a_match_that_is_being_played_nothing_is_told(served: Served, http: httpx.Client) -> None:
    match_id = served.call(play_match(served.services, "backgammon", events=8))
    assert http.get(f"/match/{match_id}/quiz.json?event=1&player=0").status_code == 404
    assert http.post(f"/match/{match_id}/quiz", data={"event": "2", "plies": "0", "moves": "[]"}).status_code == 404


def test_too_many_answers_at_once_are_refused_and_none_is_lost(
    served: Served, live_match: LiveMatch, report: Report, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    decision, others = wide(live_match, report)
    with monkeypatch.context() as patch:
        patch.setattr(quiz, "MAX_WAITING", 0)
        assert ask(http, live_match, event=decision.event, moves=json.dumps(others[0])).status_code == 429
    assert MAX_WAITING > 0
    assert ask(http, live_match, event=decision.event, moves=json.dumps(others[0])).status_code == 200


def test_a_process_that_fails_is_said_in_a_sentence(
    live_match: LiveMatch, report: Report, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    decision, others = wide(live_match, report)
    monkeypatch.setattr("barpoint.server.child_process.sys.executable", "/bin/false")
    answer = ask(http, live_match, event=decision.event, moves=json.dumps(others[0]))
    assert (answer.status_code, answer.json()["message"]) == (503, "this play cannot be judged now")


def test_a_roll_that_is_played_in_stages_is_told_stage_by_stage() -> None:
    """Acey-Deucey's 2-1 includes a double of choice: the board requests more at the end of its graph."""
    match = Match.start(1, rules=variant("acey-deucey")).apply(Opening((2, 1))).apply(Roll(0, (2, 1)))
    game = match.game
    match = match.apply(PlayMade(0, legal_plays(game.rules, game.position, game.faces)[0].moves))
    recording, event = of_book("any", Book(match), 0), len(match.events)
    shown = moment(recording, event, 0, ()).turn
    assert shown is not None
    moves, node = list[MoveMade](), 0
    while node != LATER:
        edge = told(shown)[node][1][0]
        moves, node = [*moves, edge[:3]], edge[4]
    deeper = moment(recording, event, 0, tuple(moves)).turn
    assert deeper is not None
    node = 0
    for move in moves:
        node = next(edge[4] for edge in told(deeper)[node][1] if edge[:3] == move)
    assert node != LATER
    assert deeper.made == tuple(moves)
