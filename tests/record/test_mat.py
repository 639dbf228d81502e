"""Match text: what is written is read back, and what other programs write is read (rulings 7.4, 7.7)."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.error import FormatError
from barpoint.game import Abort, Correct, Double, Object, Opening, Pass, Phase, PlayMade
from barpoint.match import Match
from barpoint.record import Book, format_mat, parse_mat, read_match, write_match
from tests.support.recorded import comes_back, played
from tests.support.samples import needs_samples, sample_files


@pytest.mark.parametrize(
    ("name", "length"),
    [
        ("backgammon", 5),
        ("backgammon", 1),
        ("nackgammon", 3),
        ("hypergammon", 3),
        ("duodecagammon", 3),
        ("roll-over", 3),
        ("cancelgammon", 3),
        ("roll-over+duodecagammon", 3),
        ("acey-deucey", 5),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_written_is_read_back(name: str, length: int, seed: int) -> None:
    match = played(name, length, seed, events=600)
    comes_back(Book(match, ("Anna", "Ben : 3"), {"Event": "Club night"}), format_mat, parse_mat)


def test_a_turn_of_several_rolls_is_written_and_read_back() -> None:
    match = played("acey-deucey", 5, seed=3, events=40)
    back = parse_mat(format_mat(Book(match)))
    assert back.match.game.seen_by(0) == match.game.seen_by(0)


@pytest.mark.parametrize("seed", range(3))
def test_a_money_session_keeps_its_options(seed: int) -> None:
    match = played("backgammon", 0, seed, events=300, jacoby=True, beavers=2, automatic_doubles=1)
    back = parse_mat(format_mat(Book(match)))
    assert back.match.terms == match.terms
    assert (back.match.score, back.match.game.cube.value) == (match.score, match.game.cube.value)


def test_a_roll_over_stands_in_a_comment_that_other_programs_skip() -> None:
    match = played("roll-over", 3, seed=2, events=600)
    text = format_mat(Book(match))
    calls = [line for line in text.splitlines() if "RollOver" in line]
    assert calls
    assert all(line.startswith(";") for line in calls)


MATCH = """\
; [Event "Test"]

 3 point match

 Game 1
 Anna : 0                        Ben : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Anna : 1                        Ben : 0
  1)                             62: 24/18 13/11
"""


def test_columns_names_and_scores_are_read() -> None:
    book = parse_mat(MATCH)
    assert book.players == ("Anna", "Ben")
    assert book.facts == {"Event": "Test"}
    assert book.match.score == (1, 0)
    assert book.match.game.phase is Phase.TO_ROLL
    assert book.match.game.player == 0


@pytest.mark.parametrize("spelling", ["25/20 6/5", "bar/20, 6/5*", "Bar/20 6/5", "6/5 BAR/20"])
def test_other_spellings_of_a_play_are_read(spelling: str) -> None:
    text = MATCH.replace("62: 24/18 13/11", f"62: 24/18 13/11\n  2) 61: 13/7* 8/7                51: {spelling}")
    assert parse_mat(text).match.game.turn_number == 4


BEAVERS = """\
 0 point match

 Game 1
 Anna : 0                        Ben : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Beavers => 4
  3)  Takes
  4) 62: 24/18 24/22
"""


@pytest.mark.parametrize(
    ("text", "cube"),
    [
        (BEAVERS, 4),
        (BEAVERS.replace("Takes", "Raccoons => 8               Takes"), 8),
        (BEAVERS.replace(" 0 point", '; [Jacoby "On"]\n\n 0 point'), 4),
        (BEAVERS.replace("0 point match", "Unlimited match"), 4),
    ],
    ids=["beaver", "raccoon", "with another fact", "unlimited"],
)
def test_a_money_session_with_a_beaver_in_it_is_played_with_beavers(text: str, cube: int) -> None:
    match = parse_mat(text, strict=True).match
    assert (match.game.cube.value, match.game.cube.owner, match.terms.beavers) == (cube, 1, 2)


def test_beavers_and_raccoons_as_gnubg_writes_them_are_read() -> None:
    """GNU Backgammon 1.07 calls a raccoon a beaver too, and leaves out who takes it."""
    begun = " 0 point match\n\n Game 1\n gnubg : 0    root : 0\n  1) 31: 8/5 6/5                  Doubles => 2\n"
    beaver = begun + "  2)  Beavers => 4               64: 24/18 18/14 \n"
    raccoon = (
        begun + "  2)  Beavers => 4                Beavers => 8\n  3)                             64: 24/18 18/14\n"
    )
    for text, cube, owner in ((beaver, 4, 0), (raccoon, 8, 0)):
        game = parse_mat(text).match.game
        assert (game.cube.value, game.cube.owner, game.player, game.phase) == (cube, owner, 0, Phase.TO_ROLL)


@pytest.mark.parametrize(
    ("fact", "name"),
    [
        ("NackGammon", "nackgammon"),
        ("HyperGammon (3)", "hypergammon"),
        ("HyperGammon (1)", "hypergammon(checkers=1)"),
    ],
)
def test_variants_are_known_by_the_names_that_gnubg_writes(fact: str, name: str) -> None:
    text = f'; [Variation "{fact}"]\n\n 3 point match\n\n Game 1\n gnubg : 0    root : 0\n  1) 21:\n'
    assert parse_mat(text).match.rules.name == name


def test_a_session_without_a_beaver_or_with_a_fact_that_forbids_them_has_none() -> None:
    assert parse_mat(BEAVERS.partition("  2)")[0]).match.terms.beavers == 0
    assert parse_mat(BEAVERS.replace("Anna", "Beaver").partition("  2)")[0]).match.terms.beavers == 0
    forbidden = parse_mat('; [Beavers "0"]\n\n' + BEAVERS)
    assert (forbidden.match.terms.beavers, forbidden.oddities[0].place.line) == (0, 8)


@pytest.mark.parametrize(
    ("facts", "beavers"),
    [
        ('; [Beaver "On"]', 2),
        ('; [Beaver "on"]', 2),
        ('; [Beaver "Off"]', 0),
        ('; [Beaver "Off"]\n; [Beavers "3"]', 3),
        ('; [Beaver "On"]\n; [Beavers "0"]', 0),
        ('; [Beaver "?"]', 0),
        ("", 0),
    ],
)
def test_whether_beavers_are_allowed_is_read_as_xg_writes_it_and_barpoint_says_how_many(
    facts: str, beavers: int
) -> None:
    """XG and XG Mobile: `; [Jacoby "On"]`, `; [Beaver "On"]`."""
    book = parse_mat(f"{facts}\n\n" + BEAVERS.partition("  2)")[0], strict=True)
    assert (book.match.terms.beavers, book.facts) == (beavers, {})
    assert parse_mat('; [Beaver "On"]\n\n' + MATCH).match.terms.beavers == 0, "beavers are for money"


def test_xg_is_told_of_money_alone_whether_beavers_are_allowed() -> None:
    for beavers, said in ((0, "Off"), (1, "On"), (2, "On")):
        assert f'; [Beaver "{said}"]\n' in format_mat(Book(played("backgammon", 0, 1, events=9, beavers=beavers)))
    assert "Beaver" not in format_mat(Book(played("backgammon", 3, 1, events=9)))


@pytest.mark.parametrize("length", ["Unlimited match", "Money game", "money session", " Money Match "])
def test_a_length_in_words_begins_a_money_session(length: str, tmp_path: Path) -> None:
    file = tmp_path / "session.unknown.txt"
    file.write_text(MATCH.replace(" 3 point match", length))
    book = read_match(file, strict=True)
    assert (book.match.length, book.match.score) == (0, (1, 0))
    assert read_match(file.read_bytes()).match == book.match


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("31:", "3-1:"),
        ("Drops", "Rejects"),
        ("Drops", "Refuses"),
        ("Drops", "refuse"),
    ],
)
def test_other_words_and_rolls_with_a_dash_are_read(old: str, new: str) -> None:
    assert parse_mat(MATCH.replace(old, new), strict=True) == parse_mat(MATCH)


def test_accepts_takes_a_double() -> None:
    match = parse_mat(BEAVERS.replace("Beavers => 4", "Accepts").replace("  3)  Takes\n", ""), strict=True).match
    assert (match.game.cube.value, match.game.cube.owner, match.terms.beavers) == (2, 1, 0)


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("8/5 6/5", "8/5 7/6", 7, "no legal play"),
        ("31:", "38:", 7, "each shows 1 to 6"),
        ("=> 2", "=> 4", 8, "it would be 2"),
        ("Wins 1 point", "Wins 2 points", 9, "by 1"),
        ("Wins 1 point", "Gains 1 point", 9, "neither"),
        ("Anna : 1", "Anna : 2", 12, "the games before make it 1-0"),
        ("      Wins 1 point\n", "", 0, ""),
        (" 3 point match", " three point match", 3, "before the length"),
        (" 3 point match\n", "", 4, "before the length"),
        ("64: 24/14", "64: 24/14 gammon 3", 7, "gammon"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(old: str, new: str, line: int, said: str) -> None:
    text = MATCH.replace(old, new)
    if not said:
        assert parse_mat(text).match.score == (1, 0)  # a drop ends the game, whoever writes what it pays
        return
    with pytest.raises(FormatError, match=said) as caught:
        parse_mat(text, strict=True)
    assert caught.value.line == line


@pytest.mark.parametrize("text", ["", "\n\n", '; [Event "x"]\n', "\x00", " 3 point match\n\n Game 1\nAnna\n"])
def test_what_is_no_match_is_refused(text: str) -> None:
    if text.startswith(" 3 point match"):
        with pytest.raises(FormatError, match="the names with the score"):
            parse_mat(text, strict=True)
    else:
        with pytest.raises(FormatError):
            parse_mat(text, strict=True)


@pytest.mark.parametrize("suffix", [".json", ".mat", ".txt"])
def test_a_file_is_written_and_read_by_its_suffix(tmp_path: Path, suffix: str) -> None:
    match = played("backgammon", 3, seed=5, events=100)
    path = tmp_path / f"match{suffix}"
    write_match(match, path)
    assert read_match(path).match.game.seen_by(1) == match.game.seen_by(1)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_other_suffixes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "match.docx").write_bytes(b"PK\x03\x04")
    with pytest.raises(FormatError, match=r"known: \.json, \.mat, \.txt, \.sgf"):
        read_match(tmp_path / "match.docx")


@needs_samples
def test_matches_of_other_programs_are_read_to_their_end() -> None:
    for path in sample_files("mat/*"):
        book = read_match(path)
        assert book.match.over, path.name
        assert parse_mat(format_mat(book)).match.score == book.match.score


def test_a_session_that_was_ended_between_games_is_written():
    match = Match.start(0).apply(Opening((3, 1))).apply(PlayMade(0, ((8, 5, 3), (6, 5, 1))))
    match = match.apply(Double(1)).apply(Pass(0)).apply(Abort())
    assert parse_mat(format_mat(Book(match))).match.score == (0, 1)


def test_a_play_that_was_objected_to_leaves_its_place_to_the_correction():
    """S2-25."""
    match = Match.start(1, manual=True).apply(Opening((3, 1))).apply(PlayMade(0, ((8, 5, 3), (8, 2, 6))))
    match = match.apply(Object(1)).apply(Correct(0, ((8, 5, 3), (6, 5, 1))))
    assert "  1) 31: 8/5 6/5" in format_mat(Book(match))
    assert "; 1 left: Objected" in format_mat(Book(match))
    assert parse_mat(format_mat(Book(match))).match.game.position == match.game.position


def test_a_file_of_one_position_is_told_from_a_match() -> None:
    with pytest.raises(FormatError, match=r"one position, not a match; `bp.read_position` and `barpoint eval` read it"):
        parse_mat("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n\nX:Anna   O:Ben\n")


@pytest.mark.parametrize(
    ("name", "back"), [("Anna: 3", "Anna: 3"), ("A\nB : 3", "A B : 3"), (": 7", ": 7"), ("a : b : 0", "a : b : 0")]
)
@pytest.mark.parametrize("suffix", [".mat", ".txt"])
def test_a_name_with_a_colon_or_a_line_break_comes_back(tmp_path: Path, name: str, back: str, suffix: str) -> None:
    match = played("backgammon", 3, seed=1, events=200)
    for players, expected in (((name, "Ben"), (back, "Ben")), (("Ben", name), ("Ben", back))):
        write_match(match, tmp_path / f"n{suffix}", players)
        book = read_match(tmp_path / f"n{suffix}", strict=True)
        assert book.players == expected
        assert (book.match.score, book.oddities) == (match.score, ())


@pytest.mark.parametrize(
    "name",
    [
        'Anna "Ace" B',
        '"Anna"',
        'Anna"',
        "Anna  B ",
        " Anna",
        "  ",
        "",
        'a"] ; [Player 2 "b',
        "Anna 's",
        'a" : 3  b : 0',
    ],
)
def test_quotes_and_blanks_of_a_name_come_back(name: str) -> None:
    match = played("backgammon", 3, seed=1, events=60)
    for players in ((name, "Ben"), ("Ben", name), (name, name)):
        book = parse_mat(format_mat(Book(match, players, {"Event": name})), strict=True)
        assert (book.players, book.facts) == (players, {"Event": name})


@given(st.text(max_size=20), st.text(max_size=20))
def test_names_come_back_with_blanks_for_tabs_and_line_breaks(first: str, second: str) -> None:
    match = Match.start(3).apply(Opening((3, 1)))
    book = parse_mat(format_mat(Book(match, (first, second))))
    assert book.players == tuple(" ".join(name.replace("\t", " ").splitlines()) for name in (first, second))


def test_a_name_that_was_written_without_its_quotes_is_read_as_it_stands() -> None:
    facts = '"Test"]\n; [Player 1 "Anna \'Ace\' B"]\n; [Player 2 "Ben"]'
    text = MATCH.replace("Anna : ", "Anna 'Ace' B : ").replace('"Test"]', facts)
    assert parse_mat(text, strict=True).players == ("Anna 'Ace' B", "Ben")


def test_names_with_colons_beside_the_score_are_those_of_the_facts() -> None:
    text = MATCH.replace("Anna : ", "Anna: 3 : ").replace(
        '"Test"]', '"Test"]\n; [Player 1 "Anna: 3"]\n; [Player 2 "Ben"]'
    )
    assert parse_mat(text, strict=True).players == ("Anna: 3", "Ben")


def test_a_name_beside_the_score_counts_before_another_one_in_the_facts() -> None:
    text = MATCH.replace('"Test"]', '"Test"]\n; [Player 1 "Cleo: 3"]\n; [Player 2 "Ben"]')
    assert parse_mat(text).players == ("Anna", "Ben")


RATED = " 3 point match\n\n Game 1\n Blue Note,1780 : 1       O'Neil, Kim, 1830 : 0\n  1) 31: 8/5 6/5\n"


def test_ratings_behind_both_names_are_taken_off_and_kept_as_facts() -> None:
    book = parse_mat(RATED)
    assert (book.players, book.match.score) == (("Blue Note", "O'Neil, Kim"), (1, 0))
    assert book.facts == {"Player 1 Elo": "1780", "Player 2 Elo": "1830"}
    said = parse_mat('; [Player 1 Elo "1600.00/0"]\n' + RATED)
    assert said.facts == {"Player 1 Elo": "1600.00/0", "Player 2 Elo": "1830"}


@pytest.mark.parametrize(
    ("first", "second"), [("Smith, John", "Ben,1830"), ("Anna,12", "Ben,34"), ("Anna,1780", "Ben"), ("Anna,", "1830")]
)
def test_commas_that_belong_to_the_names_stay(first: str, second: str) -> None:
    book = parse_mat(RATED.replace("Blue Note,1780", first).replace("O'Neil, Kim, 1830", second))
    assert (book.players, book.facts) == ((first, second), {})


def test_names_that_end_like_ratings_come_back_by_their_facts() -> None:
    comes_back(Book(played("backgammon", 3, 1, events=60), ("Anna,1780", "Ben,1650")), format_mat, parse_mat)


RIGHT_BEGINS = """\
 3 point match

 Game 1
 Anna : 0                            Ben : 0
  1)                                 64: 24/18 13/9
  2) 31: 8/5 6/5                     Doubles => 2
  3)  Drops
                                     Wins 1 point

 Game 2
 Anna : 0                            Ben : 1
  1) 31: 8/5 6/5                     42: 8/4 6/4
  2)  Doubles => 2                    Drops
      Wins 1 point

 Game 3
 Anna : 1                            Ben : 1
  1)                                 64: 24/18 13/9
  2) 31: 8/5 6/5                     Doubles => 2
  3)  Drops                           Wins 1 point
"""
"""Game 2 is the left player's, games 1 and 3 are the right player's, who begins them."""


@pytest.mark.parametrize("gap", [" ", "  ", "\t", "\N{NO-BREAK SPACE}"])
def test_a_match_whose_runs_of_spaces_a_page_has_made_short_is_the_same_match(gap: str) -> None:
    """Ruling 7.4: without columns, a first row of one action is the right player's, and points go to who did not give up."""
    short = parse_mat("\n".join(re.sub(" {2,}", gap, line) for line in RIGHT_BEGINS.split("\n")), strict=True)
    assert short.match.events == parse_mat(RIGHT_BEGINS, strict=True).match.events
    assert [game.result.winner for game in short.match.finished] == [1, 0, 1]


def test_points_of_a_match_without_columns_go_to_whose_score_they_raise() -> None:
    """The right player gives up after their own play, which without columns looks as if they had won."""
    whole = """ 2 point match

 Game 1
 Anna : 0                            Ben : 0
  1) 31: 8/5 6/5                     42: 8/4 6/4
      Wins 1 point

 Game 2
 Anna : 1                            Ben : 0
  1) 31: 8/5 6/5                     42: 8/4 6/4
      Wins 1 point and the match
"""
    short = parse_mat(re.sub(" {2,}", " ", whole))
    assert [game.result.winner for game in short.match.finished] == [0, 0]
    assert short.match.events == parse_mat(whole).match.events


@pytest.mark.parametrize("space", ["\N{NO-BREAK SPACE}", "\N{FIGURE SPACE}", "\N{IDEOGRAPHIC SPACE}"])
def test_a_match_copied_from_a_page_with_other_spaces_is_the_same_match(space: str) -> None:
    plain = parse_mat(RIGHT_BEGINS, strict=True)
    other = parse_mat(RIGHT_BEGINS.replace(" ", space), strict=True)
    assert (other.match.events, other.players) == (plain.match.events, plain.players)
