"""The tutor: judges before the player acts, in unrated matches against a bot and nowhere else."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from barpoint.game import Phase, Roll
from barpoint.match import MatchTerms
from barpoint.moves import legal_plays
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.live.matches import real_board_seats, seat_for
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served


def made(served: Served, anna: Guest, other: object = None, **agreed: Any) -> str:
    """The id of a match between Anna and another seat, by default a bot."""
    bot = seat_for(None, name="Bot", level="easy")
    agreement = Agreement(terms=MatchTerms(length=3), **agreed)
    header = served.call(served.services.matches.make(agreement, (seat_for(anna), other or bot)))  # type: ignore[arg-type]
    return header.id


def to_play(served: Served, match_id: str) -> LiveMatch:
    """The match when Anna has a roll to play."""

    async def wait() -> LiveMatch:
        for _attempt in range(600):
            live = await served.services.matches.live_match(match_id)
            game = live.match.game
            if game.player == 0 and game.phase is Phase.TO_ROLL:
                await served.services.matches.act(match_id, 0, f"r{live.seq}", live.seq, Roll(0))
            elif game.player == 0 and game.phase is Phase.TO_PLAY:
                return live
            await asyncio.sleep(0.05)
        raise AssertionError("Anna never had to play")

    return served.call(wait())


def said(browser: httpx.Client, match_id: str, **question: object) -> dict[str, Any]:
    answer = browser.post(f"/match/{match_id}/tutor", json=question)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_blunder_is_told_by_its_size_and_the_better_play_only_when_asked(
    served: Served, anna: Guest, browser: httpx.Client
) -> None:
    match_id = made(served, anna)
    live = to_play(served, match_id)
    game = live.match.game
    plays = legal_plays(game.rules, game.position, game.faces)
    found = {str(play): said(browser, match_id, seq=live.seq, kind="play", moves=play.moves) for play in plays}
    worst = min((text for text in found if found[text]["mark"] == "blunder"), key=lambda text: found[text]["loss"])
    best = {text for text in found if found[text]["loss"] == 0}  # as it is told: the dice may make two plays level
    assert {found[text]["mark"] for text in best} == {""}
    assert found[worst]["loss"] >= 0.08
    assert (found[worst]["best"], found[worst]["moves"], found[worst]["lesson"]) == ("", [], "")
    moves = next(play.moves for play in plays if str(play) == worst)
    asked = said(browser, match_id, seq=live.seq, kind="play", moves=moves, better=True)
    assert asked["best"] in best
    assert asked["lesson"]
    assert said(browser, match_id, seq=live.seq)["best"] == asked["best"], "a hint"


def test_what_is_no_decision_or_no_play_is_not_judged(served: Served, anna: Guest, browser: httpx.Client) -> None:
    match_id = made(served, anna)
    live = to_play(served, match_id)
    assert said(browser, match_id, seq=live.seq, kind="take")["loss"] == 0
    for question, status in (
        ({"seq": live.seq - 1, "kind": "play"}, 409),
        ({"seq": live.seq, "kind": "play", "moves": [[24, 1, 6]]}, 422),
        ({"seq": live.seq, "kind": "resign"}, 400),
        ({"seq": "now"}, 400),
    ):
        assert browser.post(f"/match/{match_id}/tutor", json=question).status_code == status


def test_there_is_no_tutor_in_rated_matches_for_tickets_or_against_people(
    served: Served, anna: Guest, browser: httpx.Client
) -> None:
    ben = served.call(served.services.accounts.new_guest())
    program = Guest(ben.id, "Program", bot=True)
    against = {
        "rated": made(served, anna, rated=True),
        "a person": made(served, anna, seat_for(ben)),
        "a person's program": made(served, anna, seat_for(program)),
        "an open seat": made(served, anna, seat_for(None, name="A friend", invitation="i" * 16)),
    }
    first, second = real_board_seats(anna, ("One", "Two"))
    board = Agreement(terms=MatchTerms(length=1, manual=True))
    against["a real board"] = served.call(served.services.matches.make(board, (first, second))).id
    for what, match_id in against.items():
        refused = browser.post(f"/match/{match_id}/tutor", json={"seq": 0})
        assert refused.status_code == 403, what
        assert 'id="tutor"' not in browser.get(f"/match/{match_id}").text, what
    tutored = made(served, anna)
    assert 'id="tutor"' in browser.get(f"/match/{tutored}").text
    with httpx.Client(base_url=served.address, timeout=PATIENCE_S) as watcher:
        assert watcher.post(f"/match/{tutored}/tutor", json={"seq": 0}).status_code == 403
        assert 'id="tutor"' not in watcher.get(f"/match/{tutored}").text


def test_the_choice_to_have_a_tutor_counts_against_a_bot_alone(browser: httpx.Client) -> None:
    against_bot = browser.post("/match", data={"opponent": "bot", "length": "3", "tutor": "1"})
    path = against_bot.headers["location"]
    assert "data-tutored" in browser.get(path).text
    assert 'name="tutor" value="1" checked' in browser.get("/").text, "it is kept for the next time"
    friend = browser.post("/match", data={"opponent": "friend", "length": "3", "tutor": "1"})
    assert "data-tutored" not in browser.get(friend.headers["location"]).text
    assert browser.post(f"{path}/tutored").status_code == 204
    assert "data-tutored" not in browser.get(path).text
    assert browser.post(f"{path}/tutored", data={"on": "1"}).status_code == 204
    assert "data-tutored" in browser.get(path).text, "on every device"
    assert browser.post(f"{friend.headers['location']}/tutored", data={"on": "1"}).status_code == 403
