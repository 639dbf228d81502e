"""What is written to a file reads back as the same match, whatever it holds and whatever its format."""

import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from msgspec import structs

from barpoint import dice
from barpoint.driver import play_match
from barpoint.error import ArgumentError, FormatError
from barpoint.game import (
    Accept,
    Claim,
    Double,
    Event,
    Next,
    Opening,
    Phase,
    PlayMade,
    Reject,
    Resign,
    Roll,
    Settle,
    Take,
    Timeout,
)
from barpoint.match import Match
from barpoint.record import Book, format_book, parse_book, parse_books, read_match, read_matches, write_match
from barpoint.record.file import shown_format
from barpoint.record.kept_log import same_match
from tests.record.test_mat import MATCH
from tests.support.games import AnythingAllowed, session_with_highest_cube

FORMATS = [".json", ".mat", ".sgf"]


def comes_back(match: Match, suffix: str) -> None:
    back = parse_book(format_book(Book(match, ("Anna", "Ben"), {"Event": "Club night"}), suffix), suffix, strict=True)
    assert same_match(back.match, match)
    assert (back.players, back.facts) == (("Anna", "Ben"), {"Event": "Club night"})
    assert (back.match.score, back.match.finished) == (match.score, match.finished)
    assert back.match.game.position == match.game.position
    assert back.oddities == ()


COMPOSITIONS = [
    "backgammon",
    "nackgammon",
    "hypergammon",
    "longgammon",
    "duodecagammon",
    "roll-over",
    "cancelgammon",
    "roll-over+duodecagammon",
    "roll-over+nackgammon",
    "acey-deucey",
    "european-acey-deucey",
    "tabula",
    "dutch",
    "plakoto",
    "fevga",
    "narde",
    "gul-bara",
    "roll-over+gioul",
    "moultezim",
    "portes",
    "tapa",
    "misere",
]


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("name", COMPOSITIONS)
@pytest.mark.parametrize(
    ("length", "options"),
    [(3, {}), (0, {"jacoby": True, "beavers": 2, "automatic_doubles": 1}), (5, {"manual": True, "holland": True})],
)
def test_random_matches_come_back(name: str, length: int, options: dict[str, int], suffix: str) -> None:
    if length == 0 and name in (
        "plakoto",
        "fevga",
        "narde",
        "gul-bara",
        "roll-over+gioul",
        "moultezim",
        "portes",
        "tapa",
        "acey-deucey",
    ):
        options = {}
    players = AnythingAllowed(1), AnythingAllowed(2)
    match = Match.start(length=length, rules=name, **options)
    comes_back(list(islice(play_match(match, *players, dice=dice.seeded(5)), 90))[-1], suffix)


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_match_whose_games_take_turns_comes_back_whole(suffix: str) -> None:
    *_, match = play_match(Match.start(3, "tavli"), AnythingAllowed(3), AnythingAllowed(4), dice=dice.seeded(6))
    assert len(match.finished) > 1
    comes_back(match, suffix)


PLAYED: list[Event] = [Opening((3, 1)), PlayMade(0, ((8, 5, 3), (6, 5, 1)))]
MONEY = {"length": 0, "jacoby": True, "stake": 25, "cube_limit": 64}
MATCHES: dict[str, tuple[dict[str, int], list[Event]]] = {
    "no beavers": ({"length": 0}, PLAYED),
    "settled at nothing": (MONEY, [*PLAYED, Settle(0)]),
    "settled at one half": (MONEY, [*PLAYED, Settle(-0.5)]),
    "a claim": ({"length": 3}, [*PLAYED, Claim(0)]),
    "a claim for money": (MONEY, [*PLAYED, Claim(0)]),
    "a gammon resigned under Jacoby": (MONEY, [*PLAYED, Resign(1, 2), Accept(0)]),
    "a resignation that was rejected": ({"length": 3}, [*PLAYED, Resign(1, 1), Reject(0), Roll(1, (6, 4))]),
    "time-out on a rolled turn": ({"length": 3}, [*PLAYED, Roll(1, (6, 4)), Timeout(1)]),
    "Holland rule": ({"length": 3, "holland": True}, PLAYED),
    "a cube limit": ({"length": 3, "cube_limit": 2}, [*PLAYED, Double(1), Take(0)]),
    "an illegal play on a real board": (
        {"length": 3, "manual": True},
        [PLAYED[0], PlayMade(0, ((8, 5, 3), (8, 2, 6))), Roll(1, (6, 4))],
    ),
    "resigned before the first play": ({"length": 3}, [Opening((3, 1)), Resign(1, 1), Accept(0)]),
}


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("name", MATCHES)
def test_what_other_programs_have_no_word_for_comes_back(name: str, suffix: str) -> None:
    options, events = MATCHES[name]
    match = Match.start(**options)  # type: ignore[arg-type]
    for event in events:
        match = match.apply(event)
    comes_back(match, suffix)


@pytest.mark.parametrize("suffix", FORMATS)
def test_resigning_before_the_first_roll_comes_back(suffix: str) -> None:
    match = Match.start(3, "acey-deucey").apply(Opening((3, 1)))
    assert match.game.phase is Phase.TO_ROLL
    comes_back(match.apply(Resign(1, 1)).apply(Accept(0)), suffix)


def held(suffix: str) -> str:
    match = Match.start(0, stake=25).apply(PLAYED[0]).apply(PLAYED[1])
    return format_book(Book(match), suffix).decode()


@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
def test_a_text_that_was_changed_is_read_without_its_log(suffix: str) -> None:
    text = held(suffix).replace("Player 1", "Anna")
    book = parse_book(text.encode(), suffix)
    assert (book.match.terms.stake, len(book.match.events)) == (1, 2)
    assert "belongs to another text" in str(book.oddities[0])
    with pytest.raises(FormatError, match="belongs to another text"):
        parse_book(text.encode(), suffix, strict=True)


@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
def test_other_line_ends_change_nothing(suffix: str) -> None:
    assert parse_book(held(suffix).replace("\n", "\r\n").encode(), suffix).match.terms.stake == 25


@pytest.mark.parametrize("suffix", [".mat", ".sgf", ".json"])
def test_the_highest_cube_comes_back(suffix: str) -> None:
    match = session_with_highest_cube().apply(Resign(1, 3)).apply(Accept(0))
    back = parse_book(format_book(Book(match), suffix), suffix, strict=True).match
    assert same_match(back, match)
    assert back.score == (3 * 2**62, 0)


def several(suffix: str) -> tuple[list[Match], bytes]:
    """Three matches, one of which needs its log, and their texts one after the other."""
    first = Match.start(3).apply(PLAYED[0]).apply(PLAYED[1])
    matches = [first, Match.start(0, stake=25).apply(PLAYED[0]), Match.start(5, "nackgammon").apply(Opening((6, 5)))]
    texts = (format_book(Book(one, ("Anna", "Ben"), {"Event": f"No. {one.length}"}), suffix) for one in matches)
    return matches, b"".join(texts)


@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
def test_all_matches_of_a_file_are_read(suffix: str, tmp_path: Path) -> None:
    matches, data = several(suffix)
    path = tmp_path / f"season{suffix}"
    path.write_bytes(data)
    books = read_matches(path, strict=True)
    assert all(same_match(book.match, match) for book, match in zip(books, matches, strict=True))
    assert [book.facts["Event"] for book in books] == ["No. 3", "No. 0", "No. 5"]
    assert read_matches(data.replace(b"\n", b"\r\n"), suffix=suffix)[1].match.terms.stake == 25


@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
def test_of_several_matches_the_first_is_read_and_the_others_are_said_to_be_odd(suffix: str) -> None:
    matches, data = several(suffix)
    book = parse_book(data, suffix)
    assert same_match(book.match, matches[0])
    assert [str(one) for one in book.oddities] == ["2 more matches follow; only the first one is read here"]
    with pytest.raises(FormatError, match="2 more matches follow"):
        parse_book(data, suffix, strict=True)


def test_files_that_begin_with_a_mark_and_are_put_together_are_read_like_others() -> None:
    """`cat *.mat > season.mat` of files that an editor of Windows has saved."""
    marked = MATCH.encode("utf-8-sig")
    books = read_matches(marked * 3, suffix=".mat", strict=True)
    assert [book.match for book in books] == [read_matches(MATCH.encode(), suffix=".mat")[0].match] * 3


def test_what_is_odd_about_a_later_match_is_told_with_its_line() -> None:
    text = " 1 point match\n\n Game 1\n A : 0    B : 0\n  1) 31: 8/5 6/5\n\n"
    later = parse_books((text + text.replace("6/5", "6/4")).encode(), ".mat")[1]
    assert (later.oddities[0].place.line, str(later.oddities[0].found)) == (11, "8/5 6/4 is no legal play of 3-1")
    with pytest.raises(FormatError, match="line 11"):
        parse_books((text + text.replace("6/5", "6/4")).encode(), ".mat", strict=True)


@pytest.mark.parametrize("written", [".json", ".mat", ".sgf", ".xg"])
@pytest.mark.parametrize("suffix", ["", ".dat", ".txt", ".sgf", ".JSON", ".xg"])
def test_a_file_is_read_as_what_its_first_bytes_show_whatever_its_suffix(
    written: str, suffix: str, tmp_path: Path
) -> None:
    book = Book(Match.start(3).apply(PLAYED[0]).apply(PLAYED[1]), ("Anna", "Ben"))
    data = format_book(book, written)
    (tmp_path / f"match{suffix}").write_bytes(data)
    for back in (read_match(tmp_path / f"match{suffix}", strict=True), *read_matches(data, suffix=suffix)):
        assert same_match(back.match, book.match)
        assert back.players == book.players


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"\xef\xbb\xbf\n (;FF[4]GM[6]", ".sgf"),
        ("\ufeff(;FF[4]GM[6]".encode("utf-16-le"), ".sgf"),
        (b'; [Event "(;"]\n\n 7 point match\n', ""),
        (b'; [Event "Club"]\r\n\r\n 7 point match\r\n', ".mat"),
        (b'{"version":"1.0"}\n\x1f\x8b\x08', ".bgf"),
        (b'{"version":"1.0"}\n:)\n\x03', ".bgf"),
        (b'{ "format" : "barpoint-match"', ".json"),
        (b'{"events": 7', ""),
        (b"OGXM\x01", ".ogxm"),
        (b"RGMH\x01", ".xg"),
        (b"Dear Anna, it was a 7 point match", ""),
        (b"", ""),
    ],
)
def test_the_first_bytes_show_a_format_or_none(data: bytes, shown: str) -> None:
    assert shown_format(data) == shown


def test_an_unknown_suffix_is_refused_under_the_name_that_was_given(tmp_path: Path) -> None:
    (tmp_path / "junk.dat").write_bytes(b"xxx")
    (tmp_path / "junk").write_bytes(b"xxx")
    for source, options, said in (
        (tmp_path / "junk.dat", {}, r"^'junk.dat' ends with '.dat'; known: .json, "),
        (tmp_path / "junk", {}, "^'junk' has no suffix; known: .json, "),
        (b"xxx", {}, "^content without a suffix to say its format; known: .json, "),
        (b"xxx", {"suffix": ".dat"}, "^content with the suffix '.dat'; known: .json, "),
    ):
        for read in (read_match, read_matches):
            with pytest.raises(FormatError, match=said):
                read(source, **options)  # type: ignore[arg-type]
    with pytest.raises(FormatError, match=r"^'a/junk.dat' ends with '.dat'"):
        read_matches(b"xxx", suffix=".dat", name="a/junk.dat")


def test_a_file_that_cannot_be_written_is_named_as_it_was_given(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere" / "zz.sgf", tmp_path / "folder.sgf"):
        (tmp_path / "folder.sgf").mkdir(exist_ok=True)
        with pytest.raises(OSError, match=re.escape(path.name)) as refused:
            write_match(Match.start(3), path)
        assert refused.value.filename == str(path)
        assert str(refused.value).endswith(f": '{path}'"), "one name"
        assert [one.name for one in tmp_path.iterdir()] == ["folder.sgf"], "nothing is left behind"


def test_a_book_is_shown_in_one_line() -> None:
    match = Match.start(3).apply(PLAYED[0]).apply(PLAYED[1])
    assert repr(Book(match, ("Anna", "B\n"))) == r"<Book 'Anna' - 'B\n', 3 points, score 0-0, 1 game>"
    won = match.apply(Resign(1, 1)).apply(Accept(0)).apply(Next())
    assert repr(Book(won)) == "<Book 'Player 1' - 'Player 2', 3 points, score 1-0, 2 games>"
    money = Match.start(0, "plakoto").apply(Opening((3, 1))).apply(Settle(-0.5))
    assert repr(Book(money)) == "<Book 'Player 1' - 'Player 2', plakoto, money, score 0-0.5, 1 game>"


def test_an_ordinary_match_carries_no_log() -> None:
    match = Match.start(3).apply(PLAYED[0]).apply(PLAYED[1])
    assert "Log" not in format_book(Book(match), ".mat").decode()
    assert "XL" not in format_book(Book(match), ".sgf").decode()


@pytest.mark.parametrize("suffix", FORMATS)
def test_rules_without_a_name_are_refused_at_writing(suffix: str) -> None:
    match = Match.start(3)
    with pytest.raises(FormatError, match="have no name"):
        format_book(Book(structs.replace(match, rules=replace(match.rules, cube=False))), suffix)


@pytest.mark.parametrize("players", [("A",), ("A", "B", "C"), ("A", 1), "AB", None])
def test_a_match_has_two_names(tmp_path: Path, players: object) -> None:
    with pytest.raises(ArgumentError, match="players"):
        write_match(Match.start(length=1), tmp_path / "match.mat", players)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("read", [read_match, read_matches])
def test_the_text_of_a_match_is_no_path_and_is_asked_for_as_bytes(read) -> None:
    with pytest.raises(ArgumentError, match=r"^source is a text of 9 lines; .* is given as bytes: text\.encode\(\)$"):
        read(MATCH[MATCH.index(" 3 point") :].partition("\n Game 2")[0] + "\n" * 2, suffix=".mat")
    assert read(MATCH.encode(), suffix=".mat")


def test_a_path_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.mat"):
        read_match(str(tmp_path / "none.mat"))


def test_a_suffix_is_of_a_content_and_not_of_a_path(tmp_path):
    for read in (read_match, read_matches):
        with pytest.raises(ArgumentError, match=r"suffix '\.sgf' besides a path; it says of what format a content is"):
            read(tmp_path / "m.mat", suffix=".sgf")


def test_a_path_to_write_to_is_a_path():
    with pytest.raises(ArgumentError, match=r"path is None \(NoneType\); allowed: str, PathLike"):
        write_match(Match.start(3), None)
