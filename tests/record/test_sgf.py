"""SGF: what is written is read back, and what GNU Backgammon writes is read and the other way round (rulings 7.5)."""

import re
import subprocess
from itertools import islice
from pathlib import Path

import pytest

from barpoint import dice
from barpoint.driver import play_match
from barpoint.error import FormatError, IllegalEvent
from barpoint.game import (
    Abort,
    Accept,
    Beaver,
    Double,
    Event,
    Next,
    Opening,
    PlayMade,
    Reject,
    Resign,
    Roll,
    Take,
    Timeout,
)
from barpoint.match import Match
from barpoint.record import Book, format_book, format_sgf, parse_book, parse_sgf, read_match, write_match
from barpoint.record.annotation import Annotation
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


HEAD = "(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:7][game:0][ws:6][bs:3]PW[gnubg]PB[root]RU[Crawford]"


@pytest.mark.parametrize(("words", "crawford"), [("Crawford", False), ("Crawford:CrawfordGame", True)])
def test_a_file_says_whether_its_first_game_is_the_crawford_game(words: str, crawford: bool) -> None:
    match = parse_sgf(f"{HEAD.replace('Crawford', words)}\n;W[31hefe])").match
    assert (match.score, match.crawford, match.after_crawford) == ((6, 3), crawford, not crawford)


@pytest.mark.parametrize("first", ["", "CV[2]"])
def test_automatic_doubles_of_every_game_of_gnubg_are_read(first: str) -> None:
    """The cube after them stands at the beginning of a game; how many are allowed is said nowhere."""
    head = "GM[6]AP[GNU Backgammon:1.07.001]MI[length:0]"
    match = parse_sgf(
        f"(;{head}[game:0][ws:0][bs:0]{first}RE[W+{2 if first else 1}R]\n;W[31hefe])\n"
        f"(;{head}[game:1][ws:{2 if first else 1}][bs:0]CV[4]\n;B[31qtst]\n;W[double]\n;B[take])",
        strict=True,
    ).match
    assert (match.terms.automatic_doubles, match.game.cube.value, match.game.cube.owner) == (2, 8, 1)


SET_UP = (
    "(;GM[6]AP[GNU Backgammon:1.07.001]MI[length:7][game:0][ws:0][bs:0]RU[Crawford]\n;PL[W]DI[31]\n"
    ";PL[W]AE[a:y]AW[a][a][b][y]AB[x][w][w]C[From a book]\n;CV[2]\n;CP[b]\n;PL[B]DI[61]\n"
)


def test_a_position_that_was_set_up_in_gnubg_is_where_the_match_begins() -> None:
    book = parse_sgf(f"{SET_UP};B[61wzxz])", strict=True)
    begun = Match.start(rules=book.match.rules, terms=book.match.terms).game
    us, them = begun.position.us.points, begun.position.them.points
    assert (begun.player, begun.faces, begun.cube.value, begun.cube.owner) == (1, (6, 1), 2, 1)
    assert ({1: us[1], 2: us[2], 0: us[0]}, {1: them[1], 2: them[2], 25: them[25], 0: them[0]}) == (
        {1: 1, 2: 2, 0: 12},
        {1: 2, 2: 1, 25: 1, 0: 11},
    )
    assert [type(event) for event in book.match.events] == [PlayMade]
    assert book.annotations[1].comment == "From a book"
    assert parse_sgf(SET_UP + ")", strict=True).match.game.faces == (6, 1)


def test_a_match_that_begins_in_a_position_is_written_for_gnubg_too(tmp_path: Path) -> None:
    match = parse_sgf(f"{SET_UP};B[61wzxz])").match
    text = format_sgf(Book(match))
    assert parse_sgf(text, strict=True).match == match
    ours, theirs = tmp_path / "ours.sgf", tmp_path / "theirs.sgf"
    ours.write_text(text)
    said = run_gnubg(f"load match {ours}\nsave match {theirs}\n")
    assert theirs.exists(), said
    back = read_match(theirs).match
    assert (back.terms.begins_at, plays(back)) == (match.terms.begins_at, plays(match))


def test_a_position_that_is_set_up_in_a_later_game_ends_its_reading() -> None:
    head = "GM[6]MI[length:7]"
    text = f"(;{head}[game:0][ws:0][bs:0]RE[W+1R]\n;W[31hefe])\n(;{head}[game:1][ws:1][bs:0]RE[B+1]\n;PL[W]AE[a:y]AW[a]AB[x]\n;W[61az])"
    book = parse_sgf(text)
    assert "somebody has set up; the rest of this game is left out" in str(book.oddities[0])
    assert book.match.score == (1, 1)
    for wrong in ("AW" + "[a]" * 16, "AB[x]CV[3]"):
        with pytest.raises(FormatError):
            parse_sgf(f"(;{head}\n;{wrong})")


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


@pytest.mark.parametrize(
    ("name", "length", "seed"),
    [("backgammon", 3, 1), ("nackgammon", 3, 2), ("backgammon", 0, 3), ("hypergammon(checkers=2)", 3, 4)],
)
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


def test_gnubg_reads_a_take_that_is_alone_in_its_row_of_match_text(tmp_path: Path) -> None:
    match = Match.start(0, beavers=1).apply(Opening((1, 3))).apply(PlayMade(1, ((8, 5, 3), (6, 5, 1))))
    for event in (Double(0), Beaver(1), Take(0), Roll(0, (6, 4))):
        match = match.apply(event)
    ours, theirs = tmp_path / "ours.mat", tmp_path / "theirs.sgf"
    write_match(match, ours)
    run_gnubg(f"import mat {ours}\nsave match {theirs}\n")
    assert re.findall(r";[WB]\[(\w+)\]", theirs.read_text()) == ["31qtst", "double", "double", "take"]


def plays(match: Match) -> list[object]:
    """Every position after a play."""
    return [event.position for event in match.events if isinstance(event, PlayMade)]


def commented(match: Match) -> Book:
    """A match with a comment on each event."""
    return Book(match, annotations={at: Annotation(f"<{at}>") for at in range(1, len(match.events) + 1)})


def comments(book: Book) -> list[str]:
    found = "\n".join(one.comment for _, one in sorted(book.annotations.items()))
    return re.findall("<[0-9]+>", found)


@pytest.mark.parametrize(
    "end",
    [
        (),
        (Resign(0, 1),),
        (Resign(1, 1), Accept(0)),
        (Resign(0, 1), Reject(1)),
        (Timeout(0),),
        (Timeout(1),),
        (Abort(),),
    ],
)
@pytest.mark.parametrize("begin", [(Opening((6, 1)),), (Opening((3, 3)), Opening((1, 6)))])
@pytest.mark.parametrize("more", [(), (Next(), Opening((5, 2)))])
def test_a_comment_before_the_first_play_is_kept_however_the_game_ends(
    begin: tuple[Event, ...], end: tuple[Event, ...], more: tuple[Event, ...]
) -> None:
    match = Match.start(3)
    for event in (*begin, *end, *more):
        try:
            match = match.apply(event)
        except IllegalEvent:
            break
    book = commented(match)
    back = parse_book(format_book(book, ".sgf"), ".sgf", strict=True)
    assert sorted(comments(back)) == comments(book)
    assert max(back.annotations) <= len(back.match.events)


def test_a_comment_at_a_loss_on_time_stands_there() -> None:
    match = Match.start(3).apply(Opening((6, 1))).apply(Timeout(0))
    found = parse_book(format_book(Book(match, annotations={2: Annotation("Asleep")}), ".sgf"), ".sgf", strict=True)
    assert found.annotations == {2: Annotation("Asleep")}


@pytest.mark.parametrize("name", ["backgammon", "roll-over", "cancelgammon", "acey-deucey", "plakoto"])
def test_no_comment_of_a_match_is_lost_wherever_it_is_cut_off(name: str) -> None:
    players = AnythingAllowed(3), AnythingAllowed(4)
    for match in islice(play_match(Match.start(3, name), *players, dice=dice.seeded(5)), 3, 60, 3):
        back = parse_book(format_book(commented(match), ".sgf"), ".sgf", strict=True)
        assert sorted(comments(back)) == sorted(comments(commented(match)))


def test_every_fact_is_written_and_read_back() -> None:
    """Ruling 7.5: `WR` and `BR` are the ratings; what SGF has no name for stands in `XI`."""
    facts = {"Event": "Club night", "Player 1 Elo": "1780", "Player 2 Elo": "1650", "Match ID": "[17]", "Note": "a\\b"}
    text = format_sgf(Book(Match.start(3), ("Anna", "Ben"), facts))
    assert "WR[1780]BR[1650]" in text
    assert parse_sgf(text, strict=True).facts == facts


def test_a_fact_without_its_text_is_left_out() -> None:
    assert parse_sgf("(;GM[6]MI[length:3]XI[Match ID][17][Note])").facts == {"Match ID": "17"}
