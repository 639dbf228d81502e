"""A chouette over the API for bots: a program opens a chouette, plays a whole game and leaves."""

from __future__ import annotations

import time
from typing import Any

import pytest

from barpoint.server.api.messages import CHOUETTE_KINDS
from tests.support.programs import Bot, lines
from tests.support.scripted_bots import ScriptedDice
from tests.support.serving import Served

TOO_FAST = 429


SERVED = {"dice": ScriptedDice()}


class Program(Bot):
    """Takes, does not double, and plays the first of the legal plays."""

    def opens(self, **body: Any) -> str:
        made = self.post("/api/chouette", variant="hypergammon", **body)
        assert (made.status_code, made.json()["player"]) == (201, 0)
        return str(made.json()["id"])

    def does(self, chouette: str, kind: str, **body: Any) -> Any:
        """The response, after waiting out any rate limit."""
        while (answer := self.post(f"/api/bot/chouette/{chouette}/{kind}", **body)).status_code == TOO_FAST:
            time.sleep(0.2)
        return answer

    def plays_on(self, chouette: str, state: Any) -> None:
        """Takes the action the chouette waits for, if it waits for this player."""
        if state["player"] not in state["waits_for"]:
            return
        kinds = {may["kind"] for may in (*state["view"]["allowed"], *state["may"])}
        kind = next((kind for kind in ("waive", "take", "reject", "keep", "roll") if kind in kinds), "play")
        body: dict[str, Any] = {"id": f"at-{state['seq']}", "seq": state["seq"]}
        if kind == "play":
            while "plays" not in (found := self.get(f"/api/bot/chouette/{chouette}/plays")):
                time.sleep(0.2)
            body["play"] = found["plays"][0]["text"]
        answer = self.does(chouette, kind, **body)
        assert answer.status_code in (200, 409), answer.text  # 409: another event came first; it is the next line


def test_a_program_plays_a_whole_chouette_with_two_bots_and_leaves(served: Served) -> None:
    program = Program(served, "Robot")
    chouette = program.opens(bots=2, level="easy")
    (listed,) = [one for one in program.get("/api/chouette")["chouettes"] if one["id"] == chouette]
    assert (listed["players"][0], listed["free_seats"], listed["playing"]) == ("Robot", 5, False)
    program.does(chouette, "order")
    gone = False
    with program.client.stream("GET", f"/api/bot/chouette/stream/{chouette}") as response:
        for state in lines(response):
            assert state["places"] == [] or any(place["bot"] for place in state["places"])
            if state["playing"]:
                program.plays_on(chouette, state)
            elif state["games"] == 1 and not gone:
                gone = True
                assert program.does(chouette, "leave").status_code == 200
        assert state["over"], "the stream ends with the chouette"
    assert state["games"] == 1
    assert program.get(f"/api/bot/chouette/{chouette}")["over"]


def test_another_program_sits_down_and_is_marked_as_one(served: Served) -> None:
    first, second, watching = Program(served, "One"), Program(served, "Two"), Program(served, "Three")
    chouette = first.opens(listed=False)
    for _ in range(2):
        assert second.post(f"/api/chouette/{chouette}/join").json() == {"id": chouette, "player": 1}
    shown = watching.get(f"/api/bot/chouette/{chouette}")
    assert [(place["name"], place["bot"]) for place in shown["places"]] == [("One", True), ("Two", True)]
    assert shown["player"] is None
    assert watching.does(chouette, "order").json()["error"]["code"] == "seat"
    assert chouette not in {one["id"] for one in watching.get("/api/chouette")["chouettes"]}
    asked = first.does(chouette, "ask", on=False, id="same")
    assert asked.json() == first.does(chouette, "ask", on=False, id="same").json()
    assert not first.get(f"/api/bot/chouette/{chouette}")["places"][0]["asks"]
    other = first.does(chouette, "leave", id="same")
    assert other.status_code == 409
    assert "the id 'same' belongs to another command" in other.json()["error"]["message"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/chouette", {"variant": "chess"}, 422),
        ("/api/chouette", {"cubes": "many"}, 400),
        ("/api/chouette", {"bots": 9}, 400),
        ("/api/chouette/nowhere/join", {}, 404),
        ("/api/bot/chouette/nowhere/roll", {}, 404),
    ],
)
def test_what_cannot_be_done_is_said_as_json(served: Served, path: str, body: dict[str, Any], status: int) -> None:
    answer = Program(served, "Robot").post(path, **body)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]


def test_only_events_of_a_chouette_are_done(served: Served) -> None:
    program = Program(served, "Robot")
    chouette = program.opens()
    assert set(CHOUETTE_KINDS) > {"order", "settle", "roll"}
    for kind, body, status in (
        ("abort", {}, 404),
        ("order", {}, 422),
        ("roll", {}, 422),
        ("play", {"play": "8/5"}, 422),
        ("settle", {"member": 3, "points": 1}, 422),
        ("propose", {"points": 1e19}, 400),
        ("roll", {"faces": [6, 6]}, 400),
    ):
        assert (kind, program.does(chouette, kind, **body).status_code) == (kind, status)
