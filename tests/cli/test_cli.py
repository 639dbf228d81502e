"""The command line: what it prints, and that no traceback reaches a user."""

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import barpoint as bp
from barpoint import parse_id
from barpoint.analysis import Report, Study
from barpoint.analysis.many import summaries
from barpoint.cli import main as run_main
from barpoint.cli import stats
from barpoint.cli.program import COMPLETION, ENGLISH
from barpoint.error import BarpointError
from barpoint.language import in_language, language
from barpoint.record import read_match, read_matches
from barpoint.train import Recipe
from tests.record.test_mat import MATCH
from tests.support.machine import PATIENCE_S


class Ran:
    """What a run of the command gave."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def barpoint(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    def run(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["barpoint", *arguments])
        with pytest.raises(SystemExit) as left:
            run_main()
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return Ran(int(left.value.code or 0), out, err)

    return run


def test_the_help_names_every_command(barpoint) -> None:
    ran = barpoint("--help")
    assert ran.status == 0
    for name in ("play", "serve", "engine", "variants", "eval", "convert"):
        assert f" {name} " in ran.out


def test_the_version_is_shown(barpoint) -> None:
    assert barpoint("--version").out.startswith("barpoint ")


def test_whoever_reads_no_further_makes_no_failure() -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", "from barpoint.cli import main; main()", "variants"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, timeout=PATIENCE_S)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_shell_completes_commands_and_options(barpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    def completed(*words: str) -> list[str]:
        monkeypatch.setenv("COMP_WORDS", " ".join(("barpoint", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        return barpoint().out.split()

    monkeypatch.setenv(COMPLETION, "source_bash")
    assert f"{COMPLETION}=complete_bash" in barpoint().out
    monkeypatch.setenv(COMPLETION, "complete_bash")
    assert completed("ev") == ["eval"]
    assert completed("admin", "re") == ["reset-password", "rename", "reports"]
    assert completed("serve", "--wo") == ["--workers"]


def test_an_error_is_said_in_the_language_of_the_terminal(barpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    ran = barpoint("eval", "XGID=-")
    assert (ran.status, ran.out) == (2, "")
    monkeypatch.setenv("LC_ALL", "C")
    english = barpoint("eval", "XGID=-")
    assert english.err != ran.err
    with pytest.raises(BarpointError) as refused:
        parse_id("XGID=-")
    with in_language("de"):
        assert ran.err == f"barpoint: {refused.value.translated()}\n"
    assert english.err == f"barpoint: {refused.value}\n"
    assert language() == "en"


@pytest.mark.parametrize("command", ["serve", "engine", "schema", "build", "admin"])
def test_what_programs_read_is_english_in_every_terminal(
    barpoint, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    assert command in ENGLISH
    held = []
    monkeypatch.setattr(sys.modules["barpoint.cli.program"], "app", lambda **_: held.append(language()) or sys.exit(0))
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    barpoint(command)
    barpoint("variants")
    assert held == ["en", "de"]


def test_variants_lists_the_catalogue(barpoint) -> None:
    ran = barpoint("variants")
    assert "roll-over" in ran.out
    assert "include_3_3=false|true" in ran.out
    assert {entry["name"] for entry in json.loads(barpoint("variants", "--json").out)} >= {"backgammon", "fevga"}


def test_variants_shows_a_composition_under_its_one_name(barpoint) -> None:
    ran = barpoint("variants", "nack + RollOver")
    assert ran.out.startswith("roll-over+nackgammon\n")
    assert "position 4Dl4ADbgOXgANg" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("variants", "chess"), "no variant is called 'chess'"),
        (("variants", "roll-over+cancelgammon"), "differently"),
        (("eval", "nonsense"), "a position ID has 14"),
        (("eval", "4HPwATDgc/ABMA", "-r", "71"), "'71' is no roll of these dice; a roll is written as in 63"),
        (("eval", "4HPwATDgc/ABMA", "-v", "duodecagammon+fevga"), "no net has learned"),
        (("eval", "AAAAAAAAAAAAAA"), "borne off"),
        (("convert", "nothing-here.mat", "x.json"), "No such file"),
        (("convert", "x.docx", "y.json"), "x.docx: No such file"),
        (("convert", "4HPwATDgc/ABMA", "x.gif"), "can be written as .svg or .png"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(barpoint, arguments: tuple[str, ...], said: str) -> None:
    ran = barpoint(*arguments)
    assert ran.status == 2
    assert said in ran.err
    assert ran.err.startswith("barpoint: ")


def test_a_fault_of_ours_is_owned_up_to(barpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr("barpoint.cli.variants.variants", fail)
    ran = barpoint("variants")
    assert ran.status == 70
    assert "ZeroDivisionError: by nought" in ran.err


def test_eval_ranks_the_plays_of_a_roll(barpoint) -> None:
    ran = barpoint("eval", "4HPwATDgc/ABMA", "-r", "31", "-p", "0")
    first = next(line for line in ran.out.splitlines() if line.startswith("  1 "))
    assert "8/5 6/5" in first  # the one opening play nobody disputes (rulings 9.4)


def test_eval_says_how_deep_it_came_in_a_time(barpoint) -> None:
    ran = barpoint("eval", "4HPwATDgc/ABMA", "-r", "31", "-p", "0", "--time", "0.001")
    assert "searched 0 plies deep" in ran.out
    assert "searched 1 ply deep" in barpoint("eval", "4HPwATDgc/ABMA", "--time", "0.001").out
    assert "searched" not in barpoint("eval", "4HPwATDgc/ABMA", "-p", "0").out


def test_eval_rolls_out_close_plays_with_their_errors(barpoint) -> None:
    ran = barpoint("eval", "4HPwATDgc/ABMA", "-r", "21", "--rollout")
    lines = {
        line[:4].strip(): "rolled out, ± 0.00" in line for line in ran.out.splitlines() if line[:3].strip().isdigit()
    }
    assert (lines["1"], lines["2"], lines["9"]) == (True, True, False)


def test_an_analysis_says_that_close_decisions_were_rolled_out(barpoint, tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(MATCH)
    assert "-ply by net" in barpoint("analyse", str(tmp_path / "a.mat"), "--plies", "0").out
    ran = barpoint("analyse", str(tmp_path / "a.mat"), "--rollout")
    assert "analysed at 2-ply by net" in ran.out
    assert ", and rolled out where close" in ran.out
    assert json.loads(barpoint("analyse", str(tmp_path / "a.mat"), "--rollout", "--json").out)["rollout"] is True


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--deeper-games", "100"), "--deeper-games is given without --deeper"),
        (("--deeper-plies", "3"), "--deeper-plies is given without --deeper"),
        (
            ("--deeper", "error", "--deeper-plies", "3", "--deeper-truncate", "0"),
            "--deeper-truncate is given beside --deeper-plies",
        ),
        (("--deeper", "error", "--deeper-truncate", "1000000"), "--deeper-truncate"),
    ],
)
def test_options_of_a_second_look_that_would_do_nothing_are_refused(barpoint, options, says) -> None:
    ran = barpoint("analyse", "not-read.mat", *options)
    assert ran.status != 0
    assert says in ran.err


def test_the_blunders_of_a_match_are_looked_at_deeper_and_the_report_says_so(barpoint, tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(MATCH)
    arguments = "analyse", str(tmp_path / "a.mat"), "--plies", "0", "--deeper", "blunder"
    searched = json.loads(barpoint(*arguments, "--deeper-plies", "1", "--json").out)["decisions"]
    deeper = [one["kind"] for one in searched if one.get("plies") == 1]
    assert "double" in deeper
    ran = barpoint(*arguments)
    assert ran.status == 0
    assert f"; {len(deeper)} decisions were analysed more deeply." in ran.out


def test_every_line_of_json_names_its_file_and_match(barpoint, tmp_path: Path) -> None:
    for name in ("a.mat", "b.mat"):
        (tmp_path / name).write_text(MATCH)
    lines = barpoint("analyse", str(tmp_path), "--plies", "0", "--json").out.splitlines()
    assert [(json.loads(line)["file"], json.loads(line)["match"]) for line in lines] == [
        (str(tmp_path / "a.mat"), 1),
        (str(tmp_path / "b.mat"), 1),
    ]
    assert msgspec.json.decode(lines[0], type=Report) == bp.analyse(read_match(tmp_path / "a.mat"), plies=0)


def test_a_file_whose_name_is_no_unicode_is_analysed_for_programs_too(barpoint, tmp_path: Path) -> None:
    named = tmp_path / os.fsdecode(b"b\xffad.mat")
    named.write_text(MATCH)
    said = json.loads(barpoint("analyse", str(named), "--plies", "0", "--json").out)
    assert said["file"] == str(tmp_path / "b\N{REPLACEMENT CHARACTER}ad.mat")
    assert barpoint("analyse", str(named), "--plies", "0", "--csv", str(tmp_path / "out.csv")).status == 0
    assert "b\N{REPLACEMENT CHARACTER}ad.mat" in (tmp_path / "out.csv").read_text(encoding="utf-8")


def test_a_period_that_ends_before_it_begins_is_refused(barpoint, tmp_path: Path) -> None:
    ran = barpoint("stats", str(tmp_path), "--since", "2030-01-01", "--until", "2020-12-31")
    assert ran.status == 2
    assert "--since 2030-01-01 is after --until 2020-12-31" in ran.err


def test_the_decisions_of_all_matches_are_written_as_a_table(barpoint, tmp_path: Path) -> None:
    for name in ("a.mat", "b.mat"):
        (tmp_path / name).write_text(MATCH)
    ran = barpoint("analyse", str(tmp_path), "--plies", "0", "--csv", str(tmp_path / "out.csv"))
    assert f"table written to {tmp_path / 'out.csv'}" in ran.err
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    book = read_match(tmp_path / "a.mat")
    decisions = bp.analyse(book, plies=0).decisions
    assert [row["file"] for row in rows] == [str(tmp_path / name) for name in ("a.mat", "b.mat") for _ in decisions]
    for row, decision in zip(rows, decisions, strict=False):
        assert (int(row["event"]), row["kind"], row["mark"]) == (decision.event, decision.kind, decision.mark)
        assert row["name"] == book.players[decision.player]
        assert float(row["loss"]) == decision.loss
        before = [match for match, _ in book.match.history()][decision.event - 1]
        assert bp.parse_id(row["position"]).position == before.game.seen_by(decision.player)
        assert row["made"] == decision.options[decision.chosen].text


def test_a_match_is_analysed_with_a_net_of_ones_own(barpoint, tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(MATCH)
    net = tmp_path / "fresh.net"
    net.write_bytes(Recipe.small("backgammon", hidden=16).fresh_net().bytes())
    ran = barpoint("analyse", str(tmp_path / "a.mat"), "--plies", "0", "--json", "--net", str(net))
    engine = bp.Engine(net=net)
    found = bp.analyse(read_match(tmp_path / "a.mat"), engine=engine)
    assert msgspec.json.decode(ran.out, type=Report) == found


def test_eval_refuses_an_impossible_time(barpoint) -> None:
    ran = barpoint("eval", "4HPwATDgc/ABMA", "--time", "0")
    assert ran.status != 0
    assert "0.0 milliseconds; more than 0 and at most 3600000 are offered" in ran.err
    assert barpoint("engine", "--time", "-5").status != 0


def test_eval_reads_the_match_of_an_id(barpoint) -> None:
    ran = barpoint("eval", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:5:10", "-p", "0")
    assert "mwc" in ran.out


def test_convert_shows_an_id_in_other_spellings(barpoint) -> None:
    assert barpoint("convert", "4HPwATDgc/ABMA:cAkAAAAAAAAA").out.splitlines() == [
        "4HPwATDgc/ABMA:cAkAAAAAAAAA",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10",
        "OGID=11ccccchhhjjjjj:66666888dddddoo:N0N::W::0:0:0:0",
    ]


def test_convert_writes_an_id_to_standard_output(barpoint) -> None:
    given = "convert", "4HPwATDgc/ABMA:cAkAAAAAAAAA"
    assert barpoint(*given, "-").out == barpoint(*given).out
    assert barpoint(*given, "-", "--to", "svg").out.startswith("<svg")


def test_convert_draws_a_position(barpoint, tmp_path: Path) -> None:
    barpoint("convert", "4HPwATDgc/ABMA", str(tmp_path / "start.svg"))
    assert (tmp_path / "start.svg").read_text(encoding="utf-8").startswith("<svg ")
    barpoint("convert", "4HPwATDgc/ABMA", str(tmp_path / "start.png"))
    assert (tmp_path / "start.png").read_bytes().startswith(b"\x89PNG")


def test_convert_and_analyse_take_folders_and_say_what_is_odd_and_what_is_refused(barpoint, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.mat").write_text(MATCH.replace("8/5 6/5", "8/5 8/6"))
    (tmp_path / "in" / "a.txt").write_text(MATCH)
    ran = barpoint("convert", str(tmp_path / "in"), str(tmp_path / "out"), "--to", "json")
    assert "2 matches written" in ran.out
    assert "kept as an illegal play" in ran.err
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["a-2.json", "a.json"]
    assert read_match(tmp_path / "out" / "a.json").match.score == (1, 0)
    (tmp_path / "in" / "b.txt").write_text("no match")
    ran = barpoint("convert", str(tmp_path / "in"), str(tmp_path / "out"), "--strict")
    assert ran.status == 1
    assert ran.err.count("refused") == 2
    ran = barpoint("analyse", str(tmp_path / "in"), "--plies", "0")
    assert ran.status == 1
    assert ran.out.count("== ") == 2
    assert ran.err.count("refused") == 1


def test_analyse_refuses_a_file_of_no_known_format_by_its_name(barpoint, tmp_path: Path) -> None:
    junk = tmp_path / "junk.dat"
    junk.write_bytes(b"xxx")
    ran = barpoint("analyse", str(junk))
    assert ran.status == 2
    assert f"{str(junk)!r} ends with '.dat'; known: .json, " in ran.err


def test_convert_writes_several_matches_into_one_file_of_a_format_that_holds_them(barpoint, tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(MATCH)
    (tmp_path / "b.txt").write_text(MATCH.replace("8/5 6/5", "8/5 8/6") + MATCH)
    for target in ("all.sgf", "all.mat", "all.txt"):
        all_of_them = tmp_path / target
        ran = barpoint("convert", str(tmp_path / "a.mat"), str(tmp_path / "b.txt"), str(all_of_them))
        assert ran.status == 0
        assert f"3 matches written to {all_of_them}, 1 of them with something odd; 0 files refused" in ran.out
        assert len(read_matches(all_of_them, strict=True)) == 3
        all_of_them.unlink()
    assert barpoint("convert", str(tmp_path / "b.txt"), str(tmp_path / "b.sgf")).status == 0
    assert len(read_matches(tmp_path / "b.sgf")) == 2
    ran = barpoint("convert", str(tmp_path / "b.txt"), str(tmp_path / "b.json"))
    assert ran.status == 2
    assert "2 matches, and .json holds one; allowed: .mat, .txt, .sgf, or a folder" in ran.err
    ran = barpoint("convert", str(tmp_path / "a.mat"), str(tmp_path / "b.txt"), str(tmp_path / "all.docx"))
    assert ran.status == 2
    assert "'.docx' cannot be written; known: .json, " in ran.err
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.mat", "b.sgf", "b.txt"]


def test_convert_goes_on_after_a_file_that_it_refuses_and_leaves_out_its_own_target(barpoint, tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(MATCH)
    (tmp_path / "b.mat").write_text("no match")
    for _again in range(2):
        ran = barpoint("convert", str(tmp_path), str(tmp_path / "all.sgf"))
        assert ran.status == 1
        assert "b.mat: refused" in ran.err
        assert ran.out.startswith("1 match written to ")
        assert len(read_matches(tmp_path / "all.sgf")) == 1
    (tmp_path / "a.mat").unlink()
    (tmp_path / "all.sgf").unlink()
    (tmp_path / "c.mat").write_text("no match either")
    ran = barpoint("convert", str(tmp_path), str(tmp_path / "all.sgf"))
    assert ran.status == 2
    assert "none of the files holds a match that can be converted" in ran.err
    assert not (tmp_path / "all.sgf").exists()


def test_convert_says_that_the_target_is_missing_and_writes_over_no_source(barpoint, tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("a.txt", "b.txt", "c.txt")]
    for name in names:
        Path(name).write_text(MATCH)
    for given in (names, names[:2]):
        ran = barpoint("convert", *given)
        assert ran.status == 2
        assert f"the file or folder to write is missing: {given[-1]} is there already" in ran.err
    assert [Path(name).read_text() for name in names] == [MATCH] * 3
    assert barpoint("convert", names[0], str(tmp_path / "a.sgf")).status == 0
    assert barpoint("convert", names[1], str(tmp_path / "a.sgf")).status == 0, "another format may be written over"
    assert "the file or folder to write is missing, such as" in barpoint("convert", names[0]).err


def test_convert_takes_a_folder_with_a_dot_in_its_name(barpoint, tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(MATCH)
    assert barpoint("convert", str(tmp_path / "a.mat"), f"{tmp_path}/season.26/").status == 0
    assert barpoint("convert", str(tmp_path / "a.mat"), f"{tmp_path}/season.26", "--to", "sgf").status == 0
    assert sorted(one.name for one in (tmp_path / "season.26").iterdir()) == ["a.mat", "a.sgf"]


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Puts this on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_convert_and_analyse_read_standard_input(barpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, MATCH.encode())
    assert barpoint("convert", "-", str(tmp_path / "a.sgf")).status == 0
    typed(monkeypatch, (tmp_path / "a.sgf").read_bytes())
    assert barpoint("convert", "-", f"{tmp_path}/out/").status == 0
    assert read_match(tmp_path / "out" / "match.mat").match.score == (1, 0)
    typed(monkeypatch, (tmp_path / "a.sgf").read_bytes())
    ran = barpoint("analyse", "-", "--plies", "0")
    assert (ran.status, "analysed at 0-ply" in ran.out or "-ply by net" in ran.out) == (0, True)
    typed(monkeypatch, b"Dear Anna")
    ran = barpoint("analyse", "-")
    assert ran.status == 2
    assert "content without a suffix to say its format; known: .json" in ran.err
    typed(monkeypatch, b"4HPwATDgc/ABMA:cAkAAAAAAAAA\n")
    assert "XGID=-b----E-C---eE---c-e----B-" in barpoint("convert", "-").out


@pytest.mark.parametrize("command", ["analyse", "stats"])
def test_a_folder_without_a_match_is_said_to_hold_none(barpoint, tmp_path: Path, command: str) -> None:
    (tmp_path / "read me.pdf").write_bytes(b"%PDF")
    ran = barpoint(command, str(tmp_path))
    assert (ran.status, ran.out) == (2, "")
    assert f"no match in {tmp_path}; known: .json, " in ran.err
    assert barpoint("convert", str(tmp_path), str(tmp_path / "out")).status == 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("options", "suffix"), [((), "mat"), (("--to", "sgf"), "sgf"), (("--to", ".JSON"), "json")])
def test_convert_writes_one_match_and_nothing_else_to_standard_output(
    barpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], suffix: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text(MATCH)
    barpoint("convert", "a.txt", f"b.{suffix}")
    written, before = Path(f"b.{suffix}").read_text(), sorted(tmp_path.iterdir())
    ran = barpoint("convert", "a.txt", "-", *options)
    assert (ran.status, ran.out, ran.err) == (0, written, "")
    typed(monkeypatch, MATCH.encode())
    assert barpoint("convert", "-", "-", *options).out == written
    assert sorted(tmp_path.iterdir()) == before


def test_convert_writes_bytes_to_standard_output_and_what_they_lack_to_standard_error(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(f'; [Transcriber "Kim"]\n{MATCH}')

    def ran(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "barpoint", "convert", "a.mat", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)

    ran("a.xg")
    found = ran("-", "--to", "xg")
    assert found.stdout == (tmp_path / "a.xg").read_bytes()
    assert found.stderr.startswith(b"a.mat: left out in .xg: ")


def test_convert_writes_several_matches_to_no_standard_output(barpoint, tmp_path: Path) -> None:
    for name in ("a.mat", "b.mat"):
        (tmp_path / name).write_text(MATCH)
    ran = barpoint("convert", str(tmp_path), "-")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "barpoint: 2 matches; standard output takes one: write into a file or folder\n"
    ran = barpoint("convert", str(tmp_path / "a.mat"), "-", "--to", "docx")
    assert (ran.status, ran.out, "'.docx' cannot be written" in ran.err) == (2, "", True)


def test_convert_says_what_has_no_place_in_xg(barpoint, tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(MATCH)
    ran = barpoint("convert", str(tmp_path / "a.mat"), str(tmp_path / "a.xg"))
    assert (ran.status, ran.err) == (0, "")
    (tmp_path / "b.mat").write_text(f'; [Transcriber "Kim"]\n{MATCH}')
    said = f"{tmp_path / 'b.mat'}: left out in .xg: facts other than event, place, round and date\n"
    assert barpoint("convert", str(tmp_path / "b.mat"), str(tmp_path / "b.xg")).err == said
    assert barpoint("convert", str(tmp_path / "b.mat"), f"{tmp_path}/out/", "--to", "xg").err == said
    assert barpoint("convert", str(tmp_path / "b.mat"), str(tmp_path / "b.sgf")).err == ""


def test_convert_rewrites_a_match(barpoint, tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(MATCH, encoding="utf-8")
    ran = barpoint("convert", str(tmp_path / "a.mat"), str(tmp_path / "b.json"))
    assert ran.out.startswith("1 game, ")
    assert read_match(tmp_path / "b.json").match.score == (1, 0)


def test_stats_says_how_many_matches_are_unfinished(barpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    won = " 1 point match\n\n Game 1\n Anna : 0    Ben : 0\n  1) 31: 8/5 6/5    64: 24/14\n      Wins 1 point and the match\n"
    (tmp_path / "a.mat").write_text(won)
    assert "unfinished" not in barpoint("stats", str(tmp_path / "a.mat"), "--processes", "1").out
    (tmp_path / "b.mat").write_text(" 5 point match\n\n Game 1\n Anna : 0    Ben : 0\n  1) 31: 8/5 6/5\n")
    ran = barpoint("stats", str(tmp_path), "--processes", "1", "--player", "Anna")
    assert ran.out.endswith("\n1 match is unfinished or ended even\n")
    assert "unfinished" not in barpoint("stats", str(tmp_path), "--json", "--player", "Anna").out


def test_stats_of_files_that_hold_no_match_says_so(barpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "a.mat").write_text("no match")
    ran = barpoint("stats", str(tmp_path))
    assert ran.status == 2
    assert "none of the files holds a match that can be analysed" in ran.err
    assert "nobody called" not in ran.err


def stopping(*_: object) -> Iterator[int]:
    """Work that Ctrl-C stops after its first piece."""
    yield 1
    raise KeyboardInterrupt


def test_a_stopped_analysis_prints_the_result_so_far(barpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.mat").write_text(MATCH, encoding="utf-8")
    monkeypatch.setattr(Study, "__iter__", stopping)
    ran = barpoint("analyse", str(tmp_path / "a.mat"), "--plies", "0")
    assert ran.status == 130
    assert "stopped; the result so far:" in ran.err
    assert "Anna" in ran.out


def test_stopped_statistics_print_the_result_so_far(barpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "a.mat").write_text(MATCH, encoding="utf-8")

    def one(*arguments: object) -> Iterator[object]:
        yield next(iter(summaries(*arguments)))
        raise KeyboardInterrupt

    monkeypatch.setattr(stats, "summaries", one)
    ran = barpoint("stats", str(tmp_path), "--processes", "1")
    assert ran.status == 130
    assert "stopped; the result so far:" in ran.err
    assert "Anna" in ran.out


@pytest.mark.parametrize("command", ["analyse", "stats", "convert"])
@pytest.mark.parametrize("data", [b"", b" \n"])
def test_an_empty_input_is_said_to_be_empty(
    barpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, data: bytes
) -> None:
    typed(monkeypatch, data)
    ran = barpoint(command, "-", *((str(tmp_path / "a.mat"),) if command == "convert" else ()))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "barpoint: standard input is empty; a match is read from it\n"


def test_the_package_runs_as_the_command_line() -> None:
    done = subprocess.run([sys.executable, "-m", "barpoint", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("barpoint ")
