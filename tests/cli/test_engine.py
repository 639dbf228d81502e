"""`barpoint engine`: one JSON object a line in, one out, in order."""

import io
import json
import math
import subprocess
import sys
from typing import Any

import pytest

from barpoint.board import Position, Side
from barpoint.cli.engine import serve_lines
from barpoint.cli.protocol import MAX_BYTES
from barpoint.record import format_position, parse_position, parse_xgid
from barpoint.variants import variant
from tests.cli.test_cli import barpoint  # noqa: F401
from tests.support.machine import PATIENCE_S

START = "4HPwATDgc/ABMA"
AFTER_31 = "sGfwATDgc/ABMA"


def answers(*lines: object) -> list[dict[str, Any]]:
    """What a session answers to these lines; anything but bytes is written as JSON."""
    source = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    sink = io.BytesIO()
    serve_lines(io.BytesIO(source), sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def answer(**request: object) -> dict[str, Any]:
    """What one request is answered, after lines of progress."""
    *progress, found = answers({"id": 1, **request})
    assert all("progress" in line for line in progress)
    assert found["id"] == 1
    return found


def code(**request: object) -> str:
    """The code of the error that one request is answered with."""
    error = answer(**request)["error"]
    assert error["message"]
    return str(error["code"])


def test_the_version_names_the_nets_and_the_instruction_set() -> None:
    found = answer(do="version")
    assert set(found) == {"id", "version", "nets", "isa"}
    assert "standard" in found["nets"]


def test_plays_has_one_entry_for_each_result_seen_by_the_opponent() -> None:
    plays = answer(do="plays", position=START, roll=[3, 1])["plays"]
    assert len(plays) == 16  # rulings 9.2
    assert {"play": "8/5 6/5", "position": AFTER_31} in plays
    assert len({play["position"] for play in plays}) == 16


def test_the_order_of_the_dice_does_not_matter() -> None:
    assert answer(do="plays", position=START, roll=[1, 3]) == answer(do="plays", position=START, roll=[3, 1])


def test_where_nothing_can_be_played_there_is_one_empty_play() -> None:
    dance = "XGID=-b----E-C---eE-----b----bA"  # T14 of rulings 6.5, its other side completed
    position = parse_xgid(f"{dance}:0:0:1:66:0:0:0:0:10").position
    plays = answer(do="plays", position=format_position(position), roll=[6, 6])["plays"]
    assert plays == [{"play": "", "position": format_position(position.flip())}]


def test_at_the_end_of_the_game_the_position_is_seen_by_the_loser() -> None:
    last = Position(Side.of({1: 1, 0: 14}), Side.of({1: 2, 0: 13}))
    (play,) = answer(do="plays", position=format_position(last), roll=[6, 5])["plays"]
    seen = parse_position(play["position"])
    assert (seen.us.points[0], seen.them.points[0]) == (13, 15)


def test_the_position_is_seen_by_the_roller_after_an_extra_roll() -> None:
    """Acey-Deucey 2-1 with its double played completely (rulings 4.2)."""
    rules = variant("acey-deucey")
    plays = answer(do="plays", variant="acey-deucey", position=format_position(rules.start), roll=[2, 1])["plays"]
    for play in plays:
        seen = parse_position(play["position"], 15)
        assert seen.us.hand < 15
        assert seen.them.hand == 15


def test_a_twelve_sided_die_has_one_face() -> None:
    assert len(answer(do="plays", variant="duodecagammon", position=START, roll=[9])["plays"]) == 39  # rulings 3.2
    assert code(do="plays", variant="duodecagammon", position=START, roll=[6, 3]) == "bad_roll"


def test_evaluate_gives_five_chances_and_the_equity() -> None:
    found = answer(do="evaluate", position=START, plies=0)
    assert set(found) == {
        "id",
        "win",
        "win_gammon",
        "win_backgammon",
        "lose_gammon",
        "lose_backgammon",
        "equity",
    }
    points = 2 * found["win"] - 1 + found["win_gammon"] + found["win_backgammon"]
    assert math.isclose(found["equity"], points - found["lose_gammon"] - found["lose_backgammon"], abs_tol=1e-6)


def test_many_positions_are_evaluated_in_order() -> None:
    many = answer(do="evaluate", positions=[START, AFTER_31, START])["evaluations"]
    one = answer(do="evaluate", position=AFTER_31)
    assert many[0] == many[2]
    assert many[1] == {key: figure for key, figure in one.items() if key != "id"}
    assert answer(do="evaluate", positions=[])["evaluations"] == []


def test_a_match_adds_the_chance_to_win_it() -> None:
    stakes = {"length": 7, "away": [3, 5], "cube": 2, "owner": "us"}
    found = answer(do="evaluate", position=START, stakes=stakes)
    assert 0 < found["mwc"] < 1


def test_rank_gives_the_plays_best_first() -> None:
    plays = answer(do="rank", position=START, roll=[3, 1], plies=0)["plays"]
    assert plays[0]["play"] == "8/5 6/5"
    assert plays[0]["position"] == AFTER_31
    assert plays[0]["loss"] == 0
    losses = [play["loss"] for play in plays]
    assert losses == sorted(losses)
    assert all(math.isclose(plays[0]["equity"] - play["equity"], play["loss"], abs_tol=1e-9) for play in plays)


def test_a_budget_of_time_is_answered_with_the_depth_it_reached() -> None:
    assert answer(do="rank", position=START, roll=[3, 1], time_ms=0.001)["plies"] == 0
    assert answer(do="cube", position=START, plies=1, time_ms=0.001)["plies"] == 1
    assert "plies" not in answer(do="rank", position=START, roll=[3, 1])
    assert code(do="rank", position=START, roll=[3, 1], time_ms=0) == "bad_request"
    assert code(do="rank", position=START, roll=[3, 1], time_ms=5, rollout=True) == "bad_request"


def test_the_budget_of_the_command_is_for_requests_without_one() -> None:
    source = b"\n".join(
        json.dumps({"id": 1, "do": "rank", "position": START, "roll": [3, 1], **given}).encode()
        for given in ({}, {"time_ms": 20_000}, {"rollout": True})
    )
    sink = io.BytesIO()
    serve_lines(io.BytesIO(source), sink, 0.001)
    usual, own, rolled = (json.loads(line) for line in sink.getvalue().splitlines())
    assert usual["plies"] == 0
    assert own["plies"] > 0
    assert "plies" not in rolled


def test_what_is_close_is_rolled_out_with_its_error() -> None:
    plays = answer(do="rank", position=START, roll=[2, 1], rollout=True)["plays"]
    assert plays[0]["standard_error"] < 0.01
    assert "standard_error" not in plays[-1]
    found = answer(do="cube", position="37eAABDPbgMAAA", rollout=True)
    assert set(found["standard_error"]) == {"no_double", "double_take"}


def test_rank_knows_the_match() -> None:
    stakes = {"length": 7, "away": [3, 5], "crawford": False, "cube": 2, "owner": "us", "jacoby": False, "beavers": 0}
    plays = answer(do="rank", position=START, roll=[3, 1], stakes=stakes)["plays"]
    assert all(0 < play["mwc"] < 1 for play in plays)


def test_cube_says_what_to_do() -> None:
    found = answer(do="cube", position=START)
    assert {"no_double", "double_take", "double_pass", "action"} <= set(found)
    assert found["double_pass"] == 1
    assert found["action"] == "no double"
    match = answer(do="cube", position=START, stakes={"length": 5, "away": [5, 5]})
    assert set(match["mwc"]) == {"no_double", "double_take", "double_pass"}


@pytest.mark.parametrize(
    ("stakes", "reason"),
    [
        ({"length": 3, "away": [1, 3], "crawford": True}, "nobody may double in the Crawford game"),
        ({"length": 3, "away": [3, 1], "crawford": True}, "nobody may double in the Crawford game"),
        ({"length": 5, "away": [4, 4], "cube": 2, "owner": "them"}, "the other side owns the cube"),
        ({"cube": 2, "owner": "them"}, "the other side owns the cube"),
    ],
)
def test_where_no_double_is_allowed_the_position_is_valued_and_the_reason_given(
    stakes: dict[str, object], reason: str
) -> None:
    """Rulings 5.1, S2-22."""
    found = answer(do="cube", position=START, stakes=stakes)
    assert (found["action"], found["reason"]) == ("no double", reason)
    assert (found["double_take"], found["double_pass"], found["window"]) == (None, None, None)
    stands = answer(do="evaluate", position=START, stakes=stakes)
    assert math.isclose(found["no_double"], stands["equity"], abs_tol=1e-6)
    if "length" in stakes:
        assert found["mwc"] == {"no_double": stands["mwc"], "double_take": None, "double_pass": None}


def test_after_the_crawford_game_the_cube_is_there_again() -> None:
    found = answer(do="cube", position=START, stakes={"length": 3, "away": [2, 1]})
    assert "reason" not in found
    assert found["action"].startswith("double/")


def test_rollover_is_answered_for_the_roller_and_for_the_other_player() -> None:
    roller = answer(do="rollover", position=START, roll=[2, 1], tokens=[1, 0], caller="us")
    assert roller["action"] == ("call" if roller["call"] > roller["keep"] else "keep")
    other = answer(do="rollover", position=START, roll=[3, 1], tokens=[0, 1], caller="them", played=AFTER_31)
    assert set(other) == {"id", "keep", "call", "action"}


@pytest.mark.parametrize(
    ("request_fields", "expected"),
    [
        ({"do": "plays", "position": "nonsense", "roll": [3, 1]}, "bad_position"),
        ({"do": "plays", "position": "AAAAAAAAAAAAAA", "roll": [3, 1]}, "bad_position"),
        ({"do": "plays", "position": START, "roll": [3, 1], "variant": "hypergammon"}, "bad_position"),
        ({"do": "plays", "position": START, "roll": [7, 1]}, "bad_roll"),
        ({"do": "plays", "position": START, "roll": []}, "bad_roll"),
        ({"do": "plays", "position": START, "roll": [3, 1, 1]}, "bad_roll"),
        ({"do": "plays", "position": START, "roll": [3, 1], "variant": "chess"}, "unknown_variant"),
        ({"do": "plays", "position": START, "roll": [3, 1], "variant": "hyper(checkers=9)"}, "unknown_variant"),
        ({"do": "plays", "position": START, "roll": [3, 1], "variant": "nack+long"}, "variants_clash"),
        ({"do": "evaluate", "position": START, "variant": "roll-over+plakoto"}, "unsupported_rules"),
        ({"do": "evaluate"}, "bad_request"),
        ({"do": "evaluate", "position": START, "positions": [START]}, "bad_request"),
        ({"do": "evaluate", "position": START, "tokens": [1, 1]}, "bad_request"),
        ({"do": "evaluate", "position": START, "tokens": [1]}, "bad_request"),
        ({"do": "plays", "position": START}, "bad_roll"),
        ({"do": "plays", "position": START, "roll": ["3", 1]}, "bad_request"),
        ({"do": "plays", "position": START, "roll": [3, 1], "rolls": 1}, "bad_request"),
        ({"do": "rank", "position": START, "roll": [3, 1], "plies": 99}, "bad_request"),
        ({"do": "cube", "position": START, "stakes": {"cube": 3}}, "bad_request"),
        ({"do": "cube", "position": START, "stakes": {"length": 3, "away": [4, 1]}}, "bad_request"),
        ({"do": "cube", "position": START, "stakes": {"away": [4, 1]}}, "bad_request"),
        ({"do": "cube", "position": START, "stakes": {"length": 3, "away": [2, 2], "crawford": True}}, "bad_request"),
        ({"do": "rollover", "position": START, "roll": [2, 1], "tokens": [0, 1], "caller": "us"}, "bad_request"),
        ({"do": "rollover", "position": START, "roll": [2, 1], "caller": "nobody"}, "bad_request"),
        ({"do": "rollover", "position": START, "roll": [2, 1], "caller": "us", "played": AFTER_31}, "bad_request"),
        ({"do": "rollover", "position": START, "roll": [2, 1], "caller": "them", "played": AFTER_31}, "bad_position"),
        ({"do": "rollout", "position": START, "trials": 0}, "bad_request"),
        ({"do": "rollout", "position": START, "roll": [3, 1], "decision": "cube"}, "bad_request"),
        ({"do": "rollout", "position": START, "roll": [7, 1]}, "bad_roll"),
        ({"do": "rollout", "position": "nonsense"}, "bad_position"),
        ({"do": "rollout", "position": START, "variant": "roll-over+plakoto"}, "unsupported_rules"),
        ({"do": "cancel"}, "bad_request"),
        ({"do": "dance"}, "bad_request"),
        ({"do": ["plays"]}, "bad_request"),
        ({}, "bad_request"),
    ],
)
def test_every_refusal_has_its_code(request_fields: dict[str, object], expected: str) -> None:
    assert code(**request_fields) == expected


XGID = "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:4:0:7:10"
"""Player 1 has a 31 to play, owns the cube at 2, and leads 2-4 in a match to 7."""


def test_an_id_with_cube_score_and_roll_says_them_itself() -> None:
    stakes = {"length": 7, "away": [5, 3], "cube": 2, "owner": "us"}
    for do in ("plays", "rank"):
        more = {"stakes": stakes} if do == "rank" else {}
        said = answer(do=do, position=START, roll=[3, 1], **more)["plays"]
        assert answer(do=do, position=XGID)["plays"] == said
        assert answer(do=do, position=XGID, roll=[3, 1])["plays"] == said
        assert answer(do=do, position=XGID, roll=[6, 5])["plays"] != said
    assert answer(do="cube", position=XGID)["mwc"] == answer(do="cube", position=START, stakes=stakes)["mwc"]
    assert answer(do="evaluate", position=XGID) == answer(do="evaluate", position=START, stakes=stakes)


def test_stakes_are_said_once() -> None:
    found = answer(do="rank", position=XGID, stakes={"length": 7})["error"]
    assert found["code"] == "bad_request"
    assert found["message"].startswith("stakes: the ID in position says them itself")


@pytest.mark.parametrize(
    "line",
    [b"nonsense", b"[]", b"7", b'"x"', b"{", b"\xff\xfe", b'{"id":{}}', b'{"id":true,"do":"version"}', b"[" * 100_000],
)
def test_a_line_that_is_no_request_is_answered_without_id(line: bytes) -> None:
    (found,) = answers(line)
    assert found["id"] is None
    assert found["error"]["code"] == "bad_request"


def test_garbage_does_not_end_the_session() -> None:
    found = answers(b"{", {"id": 2, "do": "version"}, b"", b"x" * (MAX_BYTES + 10), {"id": "three", "do": "version"})
    assert [each["id"] for each in found] == [None, 2, None, "three"]
    assert "longer than" in found[2]["error"]["message"]


def test_a_last_line_without_an_end_is_answered() -> None:
    assert answers(b'{"id":1,"do":"version"}')[0]["id"] == 1


SHORT = {"do": "rollout", "position": START, "trials": 36, "truncate": 4, "threads": 1}


def test_a_rollout_gives_means_standard_errors_and_trials() -> None:
    found = answer(**SHORT)
    assert found["trials"] == 36
    assert found["mean"].keys() == found["standard_error"].keys()
    assert found["mean"]["equity"] == pytest.approx(found["mean"]["cubeless"], abs=1e-6)
    assert 0 < found["standard_error"]["equity"] < 0.1
    assert answer(**SHORT, seed=2)["mean"] != found["mean"]
    match = answer(**SHORT, stakes={"length": 5, "away": [3, 5]})
    assert 0.5 < match["mean"]["mwc"] < 0.8


def test_a_rollout_of_a_roll_ranks_its_plays_and_one_of_the_cube_decides() -> None:
    plays = answer(**SHORT, roll=[1, 3], candidates=2)["plays"]
    assert plays[0]["play"] == "8/5 6/5"
    assert plays[0]["loss"] == {"mean": 0.0, "error": 0.0}
    assert plays[1]["loss"]["mean"] > 0
    cube = answer(**SHORT, decision="cube")
    assert (cube["action"], cube["double_pass"]) == ("no double", 1.0)
    assert cube["gain"]["mean"] < 0


def test_a_rollout_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("barpoint.cli.engine.PROGRESS_SECONDS", 0)
    *progress, last = answers({"id": "a", **SHORT, "trials": 150})
    assert last["trials"] == 150
    assert {each["id"] for each in progress} == {"a"}
    assert progress[-1]["progress"]["done"] == 150
    assert len(progress[-1]["progress"]["equities"]) == 1


def test_a_rollout_under_way_can_be_cancelled_and_so_can_what_waits() -> None:
    command = [sys.executable, "-c", "from barpoint.cli import main; main()", "engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def send(**request: object) -> None:
            assert process.stdin is not None
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()

        send(id=1, do="rollout", position=START, trials=10_000_000)
        assert "progress" in json.loads(process.stdout.readline())
        send(id=2, do="version")
        send(id=3, do="version")
        send(id=4, do="cancel", request=1)
        send(id=5, do="cancel", request=2)
        send(id=6, do="cancel", request="never asked")
        process.stdin.close()
        found = [each for each in map(json.loads, process.stdout) if "progress" not in each]
        assert [each["id"] for each in found] == [1, 2, 3, 4, 5, 6]
        assert found[0]["error"]["code"] == "cancelled"
        assert "version" in found[2]
        assert [each.get("cancelled") for each in (found[3], found[5])] == [True, False]
        assert process.wait(PATIENCE_S) == 0


def test_a_fault_of_ours_does_not_end_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr("barpoint.cli.engine.answer", fail)
    found = answers({"id": 1, "do": "version"}, {"id": 2, "do": "version"})
    assert [each["id"] for each in found] == [1, 2]
    assert "ZeroDivisionError" in found[0]["error"]["message"]


def test_the_command_answers_a_line_at_once_and_leaves_at_the_end() -> None:
    command = [sys.executable, "-c", "from barpoint.cli import main; main()", "engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(
                json.dumps({"id": number, "do": "plays", "position": START, "roll": [6, 5]}).encode() + b"\n"
            )
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0


def test_a_match_without_away_is_at_its_beginning() -> None:
    for do in ("cube", "evaluate"):
        left_out = answer(do=do, position=START, stakes={"length": 7})
        assert left_out == answer(do=do, position=START, stakes={"length": 7, "away": [7, 7]})
    assert code(do="cube", position=START, stakes={"length": 7, "crawford": True}) == "bad_request"
    assert answer(do="cube", position=START, stakes={"length": 1})["action"] == "no double"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"id":2.5,"do":"version"}', "id is 2.5; allowed: a number without a fraction (64 bits) or a text"),
        (b'{"id":null,"do":"version"}', "id is None; allowed: a number"),
        (b'{"id":99999999999999999999,"do":"version"}', "id is 99999999999999999999; allowed: a number"),
        (b'{"do":"version"}', "id is missing; a number without a fraction (64 bits) or a text"),
    ],
)
def test_an_id_that_cannot_be_echoed_is_shown(line: bytes, said: str) -> None:
    (found,) = answers(line)
    assert found["id"] is None
    assert found["error"]["message"].startswith(said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--level", "foo"), "no level is called 'foo'; known: beginner"),
        (("--ubgi", "--level", "foo"), "no level is called 'foo'; known: beginner"),
        (("--external", ""), "no address; HOST:PORT or the path of a socket is wanted"),
        (("--external", "127.0.0.1:0", "--ubgi"), "--external and --ubgi exclude each other"),
    ],
)
def test_options_that_make_no_sense_are_refused_before_anything_is_read(
    barpoint,  # noqa: F811
    arguments: tuple[str, ...],
    said: str,
) -> None:
    ran = barpoint("engine", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize("do", ["cube", "rank", "rollout"])
@pytest.mark.parametrize("away", [[500, 3], [3, 500]])
def test_a_score_far_apart_in_a_long_match_is_answered(do: str, away: list[int]) -> None:
    stakes = {"length": 500, "away": away, "cube": 1}
    more = {"rank": {"roll": [3, 1]}, "rollout": {"trials": 36, "truncate": 2}}.get(do, {})
    found = answer(do=do, position=START, stakes=stakes, **more)
    assert "error" not in found
    assert math.isfinite(found["no_double"] if do == "cube" else (found.get("mean") or found["plays"][0])["equity"])
