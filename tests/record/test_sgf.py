"""SGF: what is written is read back, and what GNU Backgammon writes is read and the other way round (rulings 7.5)."""

import re
import subprocess
from itertools import islice
from pathlib import Path

import pytest

from barpoint import dice
from barpoint.driver import play_match
from barpoint.error import FormatError
from barpoint.game import Beaver, Double, Opening, PlayMade, Roll, Take
from barpoint.match import Match
from barpoint.record import Book, format_sgf, parse_sgf, read_match, write_match
from barpoint.record.sgf_tree import format_tree, parse_trees
from tests.cli.test_external import gnubg
from tests.support.games import AnythingAllowed
from tests.support.machine import PATIENCE_S
from tests.support.recorded import comes_back, played
from tests.support.samples import SAMPLES, needs_samples, sample_files


@pytest.mark.parametrize(
    ("name", "length"),
    [
        ("backgammon", 5),
        ("backgammon", 1),
        ("nackgammon", 3),
        ("hypergammon", 3),
        ("hypergammon(checkers=4)", 3),
        ("duodecagammon", 3),
        ("roll-over", 3),
        ("cancelgammon", 3),
        ("roll-over+duodecagammon", 3),
        ("acey-deucey", 5),
        ("plakoto", 3),
        ("fevga", 3),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_written_is_read_back(name: str, length: int, seed: int) -> None:
    match = played(name, length, seed, events=300)
    comes_back(Book(match, ("Anna", "Ben ]: \\3"), {"Event": "Club [night]"}), format_sgf, parse_sgf)


@pytest.mark.parametrize("seed", range(3))
def test_a_money_session_keeps_its_options(seed: int) -> None:
    match = played("backgammon", 0, seed, events=300, jacoby=True, beavers=2, automatic_doubles=1)
    back = parse_sgf(format_sgf(Book(match)))
    assert back.match.terms == match.terms
    assert (back.match.score, back.match.game.cube.value) == (match.score, match.game.cube.value)


def test_a_play_is_two_dice_and_letters_in_the_numbering_of_white() -> None:
    """Rulings 7.5: a to x are White's points 1 to 24, y the bar, z off; W is player 0."""
    match = Match.start(3).apply(Opening((1, 3))).apply(PlayMade(1, ((8, 5, 3), (6, 5, 1))))
    match = match.apply(Roll(0, (5, 3))).apply(PlayMade(0, ((8, 3, 5), (6, 3, 3))))
    text = format_sgf(Book(match))
    assert text.startswith(
        "(;FF[4]GM[6]CA[UTF-8]AP[Barpoint:1]MI[length:3][game:0][ws:0][bs:0]PW[Player 1]PB[Player 2]"
    )
    assert "RU[Crawford]\n;B[31qtst]\n;W[53hcfc])" in text


def test_a_beaver_is_a_double_by_the_one_who_was_doubled() -> None:
    match = Match.start(0, beavers=2).apply(Opening((3, 1))).apply(PlayMade(0, ((8, 5, 3), (6, 5, 1))))
    match = match.apply(Double(1)).apply(Beaver(0)).apply(Take(1))
    text = format_sgf(Book(match))
    assert ";B[double]\n;W[double]\n;B[take])" in text
    assert parse_sgf(text).match == match


def test_a_call_stands_in_a_property_that_other_programs_pass_over() -> None:
    """D-12: what other formats have no word for does not spoil the rest."""
    match = played("roll-over", 3, seed=2, events=600)
    text = format_sgf(Book(match))
    assert re.search(r"^;XR\[[WB]:(own|opp):\d\d\]$", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "no game"),
        ("hello", 1, "begins with"),
        ("(;FF[4]GM[1])", 1, "backgammon is 6"),
        ("(;GM[6]MI[length:3]", 1, "ends in a game"),
        ("(;GM[6]MI[length:3]\n;W[31hefe]\n;B[99abcd])", 3, "no roll"),
        ("(;GM[6]MI[length:3]\n;W[31aabb])", 2, "does not move towards off"),
        ("(;GM[6]MI[length:3]\n;W[nonsense])", 2, "a play is two digits"),
        ("(;GM[6]MI[length:3]\n;W[take])", 2, "take"),
        ("(;GM[6]MI[length:3][ws:1])", 1, "score 1-0"),
        ("(;GM[6]MI[length:3]\n;W[31hefe])\n(;GM[6]MI[length:3])", 3, "nobody has won"),
        ("(;GM[6]MI[length:3]RE[B+7]\n;W[31hefe])", 1, "by the moves it is not over"),
        ("(;GM[6]XV[nosuchgammon])", 1, "no variant"),
        ("(;GM[6];W)", 1, "no value"),
        ("(" * 300, 1, "variations"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(FormatError, match=re.escape(said)) as caught:
        parse_sgf(text, strict=True)
    assert caught.value.line == line


def test_of_variations_the_first_is_the_match() -> None:
    (nodes,) = parse_trees("(;GM[6];A[1](;B[2];C[3](;D[4])(;E[5]))(;F[6]))")
    assert [list(node.properties) for node in nodes] == [["GM"], ["A"], ["B"], ["C"], ["D"]]


@pytest.mark.parametrize("value", ["", "]", "\\", "a\\]b", "[x]", "line\nbreak", "é"])
def test_values_are_escaped_and_read_back(value: str) -> None:
    ((node,),) = parse_trees(format_tree([{"C": [value, "x"]}]))
    assert node.properties == {"C": (value, "x")}


def test_a_file_is_written_and_read_by_its_suffix(tmp_path: Path) -> None:
    match = played("backgammon", 3, seed=5, events=100)
    write_match(match, tmp_path / "match.sgf")
    assert read_match(tmp_path / "match.sgf").match.game.seen_by(1) == match.game.seen_by(1)


@needs_samples
def test_matches_that_gnubg_wrote_are_read_as_their_match_text_is() -> None:
    for path in sample_files("sgf/*"):
        book = read_match(path)
        assert book.match.over, path.name
        assert parse_sgf(format_sgf(book)).match.score == book.match.score
    same = "kevung__charlot1-charlot2_7p_2025-11-08-2305"
    other = read_match(SAMPLES / "mat" / f"{same}.mat").match
    assert [game.result for game in read_match(SAMPLES / "sgf" / f"{same}.sgf").match.finished] == [
        game.result for game in other.finished
    ]


def run_gnubg(commands: str) -> str:
    done = subprocess.run(
        [gnubg(), "-t", "-q", "-r"], input=commands, capture_output=True, text=True, timeout=PATIENCE_S * 4, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize(("name", "length", "seed"), [("backgammon", 3, 1), ("nackgammon", 3, 2), ("backgammon", 0, 3)])
def test_gnubg_reads_what_is_written_and_writes_what_is_read(tmp_path: Path, name: str, length: int, seed: int) -> None:
    """The real program loads our file, saves it as SGF and as match text, and both are our match again."""
    players = AnythingAllowed(seed), AnythingAllowed(seed + 10)
    match = list(islice(play_match(Match.start(length, name), *players, dice=dice.seeded(seed)), 150))[-1]
    while not match.game.over or (not length and len(match.finished) < 2):
        match = next(play_match(match, *players, dice=dice.seeded(len(match.events))))
    ours, theirs, text = (tmp_path / file for file in ("ours.sgf", "theirs.sgf", "theirs.mat"))
    write_match(match, ours, ("Anna", "Ben"))
    said = run_gnubg(f"load match {ours}\nsave match {theirs}\nexport match mat {text}\n")
    assert theirs.exists(), said
    back = read_match(theirs)
    assert back.players == ("Anna", "Ben")
    assert (back.match.score, len(back.match.finished)) == (match.score, len(match.finished))
    assert plays(back.match) == plays(match)


def plays(match: Match) -> list[object]:
    """Every position after a play."""
    return [event.position for event in match.events if isinstance(event, PlayMade)]
