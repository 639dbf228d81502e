"""`barpoint eval`: the answer to a double, the board with its cube and score, and all plays of a roll."""

import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import barpoint as bp
from barpoint.engine import CubeState, Engine
from barpoint.engine.limits import MAX_PLIES
from barpoint.record import format_gnuid, format_position, format_xgid, parse_id, parse_position, read_position
from barpoint.train import Recipe
from barpoint.variants import variant
from tests.cli.test_cli import barpoint  # noqa: F401  the fixture
from tests.record.test_mat import MATCH
from tests.record.test_text_annotations import CUBE, LANGUAGES, PLAYS, ROLLED, TO_DOUBLE
from tests.record.test_xgp import LATER, analysed, of, to_play
from tests.support.machine import PATIENCE_S

START = "4HPwATDgc/ABMA"
START_BOARD = "-b----E-C---eE---c-e----B-"
LAST_ROLL = "--A--A------------------a-"
"""The bottom player bears off 5 and 2 with 19 of 36 rolls; otherwise the other side bears off its last checker."""

SURE = "-B----------------------a-"
LIKELY_LOST = "-A----A-----------------a-"
"""15 of 36 rolls bear off 6 and 1."""


def last_lines(out: str, count: int) -> list[list[str]]:
    """The last lines as words."""
    return [line.split() for line in out.splitlines()[-count:]]


def test_a_doubled_position_says_take_with_equities_of_the_side_that_decides(barpoint) -> None:  # noqa: F811
    ran = barpoint("eval", f"XGID={LAST_ROLL}:0:0:1:D:0:0:0:0:10")
    assert last_lines(ran.out, 3) == [["take", "-0.111"], ["pass", "-1.000"], ["right:", "take"]]
    assert "win 47.2%" in ran.out
    assert "double" not in ran.out


def test_a_double_that_is_too_strong_is_passed(barpoint) -> None:  # noqa: F811
    ran = barpoint("eval", f"XGID={SURE}:0:0:1:D:0:0:0:0:10")
    assert last_lines(ran.out, 3) == [["take", "-2.000"], ["pass", "-1.000"], ["right:", "pass"]]


def test_a_wrong_double_is_beavered_where_beavers_are_in_force_only(barpoint) -> None:  # noqa: F811
    allowed = barpoint("eval", f"XGID={LIKELY_LOST}:0:0:1:D:0:0:2:0:10")
    assert last_lines(allowed.out, 4) == [
        ["take", "+0.333"],
        ["pass", "-1.000"],
        ["beaver", "+0.667"],
        ["right:", "beaver"],
    ]
    barred = barpoint("eval", f"XGID={LIKELY_LOST}:0:0:1:D:0:0:0:0:10")
    assert last_lines(barred.out, 3) == [["take", "+0.333"], ["pass", "-1.000"], ["right:", "take"]]
    high = barpoint("eval", f"XGID={LIKELY_LOST}:0:0:1:D:0:0:2:0:1")
    assert last_lines(high.out, 1) == [["right:", "take"]]


def test_a_beaver_is_answered_by_the_side_that_doubled(barpoint) -> None:  # noqa: F811
    ran = barpoint("eval", f"XGID={LIKELY_LOST}:0:0:1:B:0:0:2:0:10")
    assert "win 41.7%" in ran.out
    assert "cube offered at 4" in ran.out.splitlines()[1]
    assert last_lines(ran.out, 3) == [["take", "-0.667"], ["pass", "-2.000"], ["right:", "take"]]


def test_the_answer_in_a_match_has_match_winning_chances_of_the_side_that_decides(barpoint) -> None:  # noqa: F811
    ran = barpoint("eval", f"XGID={LAST_ROLL}:0:0:1:D:4:3:0:5:10")
    taken, passed, right = last_lines(ran.out, 3)
    assert (taken[0], taken[2:]) == ("take", ["mwc", "47.22%"])
    assert passed == ["pass", "-1.000", "mwc", "0.00%"]
    assert right == ["right:", "take"]


def test_a_gnu_id_of_a_doubled_position_is_answered_as_its_xgid(barpoint) -> None:  # noqa: F811
    xgid = f"XGID={LAST_ROLL}:0:0:1:D:4:3:0:5:10"
    assert barpoint("eval", format_gnuid(parse_id(xgid))).out == barpoint("eval", xgid).out


def test_a_roll_of_a_doubled_position_is_played(barpoint) -> None:  # noqa: F811
    assert "right:" not in barpoint("eval", f"XGID={LAST_ROLL}:0:0:1:D:0:0:0:0:10", "-r", "31").out


@pytest.mark.parametrize("fields", ["1:-1:1:D:0:0:0:0", "0:0:1:D:2:4:1:5"])
def test_a_double_that_was_not_allowed_is_refused(barpoint, fields: str) -> None:  # noqa: F811
    ran = barpoint("eval", f"XGID={LAST_ROLL}:{fields}:10")
    assert (ran.status, ran.out) == (2, "")
    assert "the side that made it may not double" in ran.err


def test_the_board_has_the_cube_at_its_owner_and_the_score_at_each_side(barpoint) -> None:  # noqa: F811
    lines = barpoint("eval", f"XGID={LAST_ROLL}:2:-1:1:00:2:4:0:7:10", "-p", "0").out.splitlines()[:13]
    assert lines[0].endswith("+  O  4 of 7, pips 1")
    assert lines[1].endswith("|  cube 4")
    assert lines[12].endswith("+  X  2 of 7, pips 7")
    own = barpoint("eval", f"XGID={LAST_ROLL}:2:1:1:00:2:4:0:7:10", "-p", "0").out.splitlines()[:13]
    assert own[11].endswith("|  cube 4")
    assert "cube" not in own[1]


def test_the_player_to_act_is_at_the_bottom_with_their_score_and_cube(barpoint) -> None:  # noqa: F811
    lines = barpoint("eval", f"XGID={LAST_ROLL}:1:-1:-1:00:2:4:0:7:10", "-p", "0").out.splitlines()[:13]
    assert lines[12].endswith("X  4 of 7, pips 1")
    assert lines[11].endswith("cube 2")
    doubled = barpoint("eval", f"XGID={LAST_ROLL}:0:0:1:D:2:4:0:7:10").out.splitlines()[:13]
    assert doubled[12].endswith("X  4 of 7, pips 1")
    assert doubled[1].endswith("cube offered at 2")


def test_the_board_says_that_this_is_the_crawford_game_and_shows_no_cube(barpoint) -> None:  # noqa: F811
    board = barpoint("eval", f"XGID={LAST_ROLL}:0:0:1:00:2:4:1:5:10", "-p", "0").out.splitlines()[:13]
    assert board[6].endswith("Crawford game")
    assert not any("cube" in line for line in board)


def test_the_board_of_a_position_alone_has_a_centred_cube_in_games_with_one(barpoint) -> None:  # noqa: F811
    assert barpoint("eval", START, "-p", "0").out.splitlines()[6].endswith("cube 1")
    plakoto = barpoint("eval", format_position(variant("plakoto").start), "-v", "plakoto", "-p", "0").out
    assert not any("cube" in line for line in plakoto.splitlines()[:13])


def test_the_plays_of_a_position_alone_are_ranked_with_a_centred_cube(barpoint) -> None:  # noqa: F811
    def plays(text: str) -> list[str]:
        return str(barpoint("eval", text, "-r", "31", "-p", "0").out).splitlines()[14:]

    assert plays(START) == plays(f"{START}:MAAAAAAAAAAE")
    engine, start = Engine("backgammon", plies=0), variant("backgammon").start
    with_cube, cubeless = (engine.rank(start, (3, 1), cube=cube)[0].equity for cube in (CubeState(), None))
    assert abs(with_cube - cubeless) > 0.01
    assert f"{with_cube:+.3f}" in plays(START)[2].split()


def test_one_line_below_the_board_says_who_is_to_act(barpoint) -> None:  # noqa: F811
    for command in (("eval", "-p", "0"), ("eval", "-p", "0", "-r", "31"), ("rollout", "-n", "36", "--truncate", "4")):
        lines = barpoint(*command, START).out.splitlines()
        assert lines[13:15] == ["X is to act", ""]


@pytest.mark.parametrize(("fields", "turned"), [("1:00", False), ("-1:00", True), ("1:D", True), ("-1:D", False)])
def test_a_board_on_which_the_colours_of_the_id_are_swapped_says_so(barpoint, fields: str, turned: bool) -> None:  # noqa: F811
    board = barpoint("eval", f"XGID={LAST_ROLL}:0:0:{fields}:0:0:0:0:10", "-p", "0").out
    assert ("the board is turned: in the ID this side is O, at the top" in board) == turned
    assert "\nX is to act" in board


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ("1:1:-1:00:3:4:0:7:10", "the other side owns the cube"),
        ("0:0:1:00:2:4:1:5:10", "nobody may double in the Crawford game"),
    ],
)
def test_where_the_side_to_act_may_not_double_the_reason_stands_instead_of_what_a_double_brings(
    barpoint,  # noqa: F811
    fields: str,
    reason: str,
) -> None:
    said = barpoint("eval", f"XGID={START_BOARD}:{fields}", "-p", "0").out
    found = json.loads(barpoint("eval", f"XGID={START_BOARD}:{fields}", "-p", "0", "--json").out)["cube"]
    row, last = said.splitlines()[-2:]
    assert row.split() == [
        "no",
        "double",
        f"{found['no_double']:+.3f}",
        "mwc",
        f"{100 * found['mwc']['no_double']:.2f}%",
    ]
    assert (last, found["reason"]) == (reason, reason)
    assert ("double," in said, "right:" in said) == (False, False)


def test_cube_actions_at_a_match_score_have_match_winning_chances(barpoint) -> None:  # noqa: F811
    xgid = f"XGID={START_BOARD}:0:0:1:00:3:4:0:5:10"
    chances = json.loads(barpoint("eval", xgid, "-p", "0", "--json").out)["cube"]["mwc"]
    rows = last_lines(barpoint("eval", xgid, "-p", "0").out, 4)[:3]
    assert [row[-2:] for row in rows] == [["mwc", f"{100 * one:.2f}%"] for one in chances.values()]
    assert "mwc" not in barpoint("eval", START, "-p", "0").out


@pytest.mark.parametrize("score", ["0:497:0:500", "497:0:0:500", "0:32766:0:32767", "32765:0:0:32767"])
@pytest.mark.parametrize("dice", ["00", "31", "D"])
def test_scores_of_the_longest_matches_are_evaluated(barpoint, score: str, dice: str) -> None:  # noqa: F811
    ran = barpoint("eval", f"XGID={START_BOARD}:0:0:1:{dice}:{score}:10", "-p", "0")
    assert (ran.status, ran.err) == (0, "")


def test_columns_after_plays_begin_below_one_another_however_long_a_play_is(barpoint) -> None:  # noqa: F811
    ran = barpoint("eval", format_position(variant("acey-deucey").start), "-v", "acey-deucey", "-r", "21", "-p", "0")
    rows = [line for line in ran.out.splitlines() if " win " in line]
    assert len(rows) == 10
    assert len({line.index("  win ") for line in rows}) == 1
    assert max(len(line[18 : line.index("  win ")].rstrip()) for line in rows) > 24


def test_plays_beyond_the_tenth_are_counted_or_listed(barpoint) -> None:  # noqa: F811
    short = barpoint("eval", START, "-r", "31", "-p", "0").out
    assert "16 plays of 3-1" in short
    assert short.splitlines()[-1] == "6 more plays; --all lists them"
    whole = barpoint("eval", START, "-r", "31", "-p", "0", "--all").out
    assert whole.splitlines()[-1].startswith(" 16  ")
    assert whole.splitlines()[:-6] == short.splitlines()[:-1]


def test_nothing_is_said_of_more_plays_where_all_are_listed(barpoint) -> None:  # noqa: F811
    assert "more play" not in barpoint("eval", f"XGID={LAST_ROLL}:0:0:1:31:0:0:0:0:10", "-p", "0").out


def test_an_id_is_read_from_standard_input(barpoint, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    direct = barpoint("eval", START, "-p", "0").out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"\ufeffPosition ID: {START}\n".encode())))
    assert barpoint("eval", "-", "-p", "0").out == direct


@pytest.mark.parametrize("given", [b"", b"\xff\xfe\x00", b"\n"])
def test_standard_input_without_an_id_is_refused(
    barpoint,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    given: bytes,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    ran = barpoint("eval", "-")
    assert ran.status == 2
    assert "allowed: a GNU ID" in ran.err


def piped(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


XGID = f"XGID={START_BOARD}:0:0:1:31:0:0:0:7:10"


def test_every_id_of_standard_input_has_its_answer(barpoint, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    piped(monkeypatch, f"{XGID}\n\n{START}\n")
    answers = [json.loads(line) for line in barpoint("eval", "-", "-p", "0", "--json").out.splitlines()]
    assert [answer.pop("line") for answer in answers] == [1, 3]
    assert answers == [json.loads(barpoint("eval", one, "-p", "0", "--json").out) for one in (XGID, START)]
    piped(monkeypatch, f"{XGID}\n{START}\n")
    found = barpoint("eval", "-", "-p", "0").out
    assert found.startswith("== line 1\n")
    assert barpoint("eval", START, "-p", "0").out in found


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [((XGID, "rubbish", START), 2), ((START, "x"), 2), (("x", START, START), 1), ((START, START, "a b"), 3)],
)
def test_a_line_without_an_id_is_an_error_with_its_number(
    barpoint,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    lines: tuple[str, ...],
    wrong: int,
) -> None:
    piped(monkeypatch, "\n".join(lines))
    ran = barpoint("eval", "-", "-p", "0", "--json")
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.status == 1
    assert [answer["line"] for answer in answers] == list(range(1, len(lines) + 1))
    assert [answer["line"] for answer in answers if "error" in answer] == [wrong]
    assert ran.err.startswith(f"line {wrong}: ")


def test_a_text_around_one_id_is_one_position(barpoint, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    piped(monkeypatch, f"{XGID}\n\nX:Anna   O:Ben\nScore is X:0 O:0 7 pt.(s) match.\n")
    assert barpoint("eval", "-", "-p", "0").out == barpoint("eval", XGID, "-p", "0").out


def test_a_net_of_ones_own_evaluates_and_rolls_out(barpoint, tmp_path: Path) -> None:  # noqa: F811
    net = tmp_path / "fresh.net"
    net.write_bytes(Recipe.small("backgammon", hidden=16).fresh_net().bytes())
    found = json.loads(barpoint("eval", START, "-p", "0", "--json", "--net", str(net)).out)
    chances = bp.Engine(net=net).evaluate(bp.variant().start)
    assert found["win"] == pytest.approx(chances.win)
    rolled = json.loads(barpoint("rollout", START, "-n", "36", "--truncate", "1", "--json", "--net", str(net)).out)
    assert (
        rolled["mean"]["win"]
        != json.loads(barpoint("rollout", START, "-n", "36", "--truncate", "1", "--json").out)["mean"]["win"]
    )
    ran = barpoint("eval", START, "--net", str(tmp_path / "missing.net"))
    assert ran.status != 0
    assert "missing.net: " in ran.err


def test_tokens_change_the_equity_and_belong_to_the_side_to_act_first(barpoint) -> None:  # noqa: F811
    def equity(*arguments: str) -> float:
        line = barpoint("eval", *arguments, "-v", "roll-over", "-p", "0").out.splitlines()[15]
        return float(line.split()[3])

    assert equity(START, "--tokens", "1", "0") > equity(START) > equity(START, "--tokens", "0", "1")
    assert equity(START, "--tokens", "1", "1") == equity(START)
    doubled = f"XGID={START_BOARD}:0:0:1:D:0:0:0:0:10"
    assert equity(doubled, "--tokens", "1", "0") > equity(doubled, "--tokens", "0", "1")


def test_tokens_are_given_as_the_help_shows_them_and_the_usage_stands_above_an_error(barpoint) -> None:  # noqa: F811
    assert " --tokens           <int> <int> " in barpoint("eval", "--help").out
    ran = barpoint("eval", START, "--tokens", "1")
    assert ran.status == 2
    assert ran.err.startswith("Usage: barpoint eval ")
    assert "The option --tokens needs 2 values" in ran.err


@pytest.mark.parametrize("tokens", [("2", "0"), ("-2", "0")])
def test_tokens_that_a_side_cannot_have_are_refused_before_the_board(barpoint, tokens: tuple[str, str]) -> None:  # noqa: F811
    ran = barpoint("eval", START, "-v", "roll-over", "--tokens", *tokens)
    assert (ran.status, ran.out) == (2, "")
    assert "a side has 0 to 1" in ran.err


def test_plays_that_fell_behind_say_how_deep_they_were_searched(barpoint) -> None:  # noqa: F811
    lines = barpoint("eval", START, "-r", "21", "-p", "3", "--all").out.splitlines()
    depths = {line.split("%")[-1].strip() for line in lines if " win " in line}
    assert depths == {"", "2 plies", "1 ply", "no search"}


@pytest.mark.parametrize(("name", "count"), [("backgammon", 0), ("cancelgammon", 1), ("roll-over", 2)])
def test_a_roll_that_may_be_rerolled_says_by_whom_it_should_be(barpoint, name: str, count: int) -> None:  # noqa: F811
    """Roll-Over's tokens are for any roll, CancelGammon's for the other side's (rulings S0-12)."""
    said = [line for line in barpoint("eval", START, "-v", name, "-r", "21").out.splitlines() if "Roll-over of" in line]
    assert len(said) == count
    assert all("keep (keep" in line for line in said)
    assert [line.startswith("the other side") for line in said] == [False, True][2 - count :]


def test_programs_read_plays_cube_and_rerolls_as_json(barpoint) -> None:  # noqa: F811
    plays = json.loads(barpoint("eval", START, "-r", "31", "-p", "0", "--json").out)
    assert (plays["variant"], plays["position"], plays["roll"]) == ("backgammon", START, [3, 1])
    assert [len(plays["plays"]), plays["plays"][0]["play"], plays["plays"][0]["loss"]] == [16, "8/5 6/5", 0]
    assert "reroll" not in plays
    engine = Engine("backgammon", plies=0)
    cube = json.loads(barpoint("eval", START, "-p", "0", "--json").out)
    assert cube["win"] == engine.evaluate(engine.rules.start).win
    assert cube["cube"]["action"] == "no double"
    rerolled = json.loads(barpoint("eval", START, "-v", "roll-over", "-r", "21", "-p", "0", "--json").out)
    assert [found["action"] for found in rerolled["reroll"].values()] == ["keep", "keep"]
    assert list(rerolled["reroll"]) == ["us", "them"]


def test_the_answer_to_a_double_as_json_is_seen_by_the_side_that_decides(barpoint) -> None:  # noqa: F811
    found = json.loads(barpoint("eval", f"XGID={LAST_ROLL}:0:0:1:D:4:3:0:5:10", "--json").out)
    assert found["right"] == "take"
    assert [one["answer"] for one in found["answers"]] == ["take", "pass"]
    assert [round(one["mwc"], 4) for one in found["answers"]] == [0.4722, 0]
    assert parse_position(found["position"], 15).us.points[1] == 1


def test_json_says_why_nobody_may_double(barpoint) -> None:  # noqa: F811
    found = json.loads(barpoint("eval", f"XGID={LAST_ROLL}:0:0:1:00:2:4:1:5:10", "-p", "0", "--json").out)
    assert found["cube"]["reason"] == "nobody may double in the Crawford game"
    assert found["cube"]["double_take"] is None


def test_a_position_is_read_from_a_file(barpoint, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "a.txt").write_text(
        f"\ufeffFrom the club night:\nXGID={LAST_ROLL}:0:0:1:52:0:0:0:0:10\n", encoding="utf-8"
    )
    direct = barpoint("eval", f"XGID={LAST_ROLL}:0:0:1:52:0:0:0:0:10", "-p", "0").out
    assert barpoint("eval", str(tmp_path / "a.txt"), "-p", "0").out == direct
    (tmp_path / "b.xgp").write_bytes(of(to_play(LATER, (2, 5), -1)))
    played = barpoint("eval", format_xgid(read_position(tmp_path / "b.xgp")), "-p", "0").out
    assert barpoint("eval", str(tmp_path / "b.xgp"), "-p", "0").out == played
    assert "1 of 3" in played


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_an_id_is_read_as_powershell_writes_it(
    barpoint,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    order: str,
) -> None:
    direct = barpoint("eval", XGID, "-p", "0", "--json").out
    (tmp_path / "a.txt").write_bytes(f"\ufeffFrom the club night:\r\n{XGID}\r\n".encode(order))
    assert barpoint("eval", str(tmp_path / "a.txt"), "-p", "0", "--json").out == direct
    for text in (f"\ufeff{XGID}\r\n", f"\ufeff{XGID}\r\n{START}\r\n"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode(order))))
        found = [json.loads(line) for line in barpoint("eval", "-", "-p", "0", "--json").out.splitlines()]
        assert found[0] | {"line": 0} == json.loads(direct) | {"line": 0}
        assert len(found) == len(text.splitlines())


def test_a_position_in_a_file_has_the_checkers_of_the_game(barpoint, tmp_path: Path) -> None:  # noqa: F811
    start = format_position(variant("hypergammon").start)
    (tmp_path / "a.txt").write_text(start)
    direct = barpoint("eval", start, "-v", "hypergammon", "-p", "0")
    assert direct.status == 0
    assert barpoint("eval", str(tmp_path / "a.txt"), "-v", "hypergammon", "-p", "0").out == direct.out


@pytest.mark.parametrize("command", ["eval", "rollout"])
def test_a_folder_or_a_match_in_place_of_a_position_is_called_what_it_is(
    barpoint,  # noqa: F811
    tmp_path: Path,
    command: str,
) -> None:
    folder, match, other = str(tmp_path), str(tmp_path / "a.mat"), str(tmp_path / "a")
    for name in (match, other):
        Path(name).write_text(MATCH, encoding="utf-8")
    assert barpoint(command, folder).err == (
        f"barpoint: '{folder}' is a folder; barpoint analyse reads the matches in it\n"
    )
    for name in (match, other):
        assert barpoint(command, name).err == (
            f"barpoint: '{name}' is a file, but not of a position; those end with .xgp, .txt; barpoint analyse reads matches\n"
        )


def test_a_file_without_a_position_is_refused(barpoint, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "a.txt").write_text("Dear Anna", encoding="utf-8")
    assert "allowed: a GNU ID" in barpoint("eval", str(tmp_path / "a.txt")).err
    for suffix in (".xgp", ".txt"):
        ran = barpoint("eval", str(tmp_path / f"none{suffix}"))
        assert (ran.status, ran.err) == (2, f"barpoint: {tmp_path}/none{suffix}: No such file or directory\n")


def test_ctrl_c_waits_for_no_search() -> None:
    heard = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # where tests run without a terminal
    )
    program = f"{heard}; from barpoint.cli import main; main()"
    command = [sys.executable, "-c", program, "eval", START, "--plies", str(MAX_PLIES)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        board = list(iter(lambda: process.stdout.readline().strip(), ""))
        assert len(board) > 2, "the board stands before the search"
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode in (-signal.SIGINT, 130)
    assert "equity" not in said
    assert "Traceback" not in errors


def test_what_another_program_found_stands_below_what_is_found(barpoint, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "a.txt").write_text(PLAYS.format(xgid=ROLLED, **LANGUAGES[0]), encoding="utf-8")
    shown = barpoint("eval", str(tmp_path / "a.txt"), "-p", "0").out
    assert shown.splitlines()[-2:] == [
        "eXtreme Gammon, XG Roller++: 8/5 6/5",
        "8/5 6/5 +0.159; bar/22 13/11 13/11 -0.010, 3-ply; 24/20 20/16 13/off -0.100, rollout",
    ]
    other = json.loads(barpoint("eval", str(tmp_path / "a.txt"), "-p", "0", "--json").out)["other"]
    assert (other["program"], other["options"][0]) == (
        "eXtreme Gammon",
        {"text": "8/5 6/5", "equity": 0.159, "level": "XG Roller++"},
    )
    assert "eXtreme Gammon" not in barpoint("eval", str(tmp_path / "a.txt"), "-p", "0", "-r", "42").out
    (tmp_path / "b.xgp").write_bytes(of(analysed(to_play(LATER, (2, 5), -1))))
    assert "eXtreme Gammon, 4-ply: 13/8 6/4\n" in barpoint("eval", str(tmp_path / "b.xgp"), "-p", "0").out
    commented = of(analysed(to_play(LATER, (2, 5), -1)), comments=b"{\\rtf1 Not XGID=1}\r\n")
    (tmp_path / "b.xgp").write_bytes(commented)
    assert "From the file: Not XGID=1\n" in barpoint("eval", str(tmp_path / "b.xgp"), "-p", "0").out
    said = json.loads(barpoint("eval", str(tmp_path / "b.xgp"), "-p", "0", "--json").out)
    assert (said["comment"], "other" in said) == ("Not XGID=1", True)


def test_the_equities_of_a_double_of_another_program_stand_below_ours(barpoint) -> None:  # noqa: F811
    text = CUBE.format(xgid=TO_DOUBLE, names="abc")
    shown = barpoint("eval", text, "-p", "0").out
    assert shown.splitlines()[-2:] == [
        "eXtreme Gammon, XG Roller++: No double, take",
        "no double +0.485, take -0.511, pass +1.000",
    ]
    assert json.loads(barpoint("eval", text, "-p", "0", "--json").out)["other"]["cube"] == [0.485, -0.511, 1.0]
