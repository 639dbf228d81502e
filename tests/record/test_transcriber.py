"""Files that do not follow the rules or the format: read all the same, with what was odd; refused by a strict reading."""

import msgspec
import pytest

from barpoint.error import FormatError
from barpoint.game import Phase, PlayMade, Settle
from barpoint.match import Match, read_log, write_log
from barpoint.record import Book, format_mat, format_sgf, parse_mat, parse_sgf, read_match
from tests.record.test_mat import MATCH


def only_oddity(text: str) -> tuple[Book, str]:
    """The book, and its one oddity; a strict reading refuses the same text."""
    book = parse_mat(text)
    assert len(book.oddities) == 1, [str(one) for one in book.oddities]
    with pytest.raises(FormatError):
        parse_mat(text, strict=True)
    return book, str(book.oddities[0])


def test_a_file_without_faults_has_no_oddities_and_is_no_transcript() -> None:
    book = parse_mat(MATCH)
    assert book.oddities == ()
    assert not book.match.terms.transcript
    assert parse_mat(MATCH, strict=True) == book


def test_an_illegal_play_stands_and_the_match_goes_on_from_it() -> None:
    book, said = only_oddity(MATCH.replace("8/5 6/5", "8/5 8/6"))
    assert said == "line 7, column 6: 8/5 8/6 is no legal play of 3-1; kept as an illegal play"
    play = book.match.events[1]
    assert isinstance(play, PlayMade)
    assert play.illegal
    assert book.match.score == (1, 0)
    assert not any(item.kind == "object" for item in book.match.legal_events())


def test_of_plays_that_a_text_leaves_open_the_direct_one_stands() -> None:
    """24/14 hits on the way whichever number is played first; the text names no hit."""
    book, said = only_oddity(MATCH.replace("8/5 6/5", "8/5 8/7"))
    assert "24/14 means plays that differ" in said
    assert book.match.terms.transcript


def test_a_play_that_stops_early_is_an_illegal_play() -> None:
    book, said = only_oddity(MATCH.replace("8/5 6/5", "8/5"))
    assert "kept as an illegal play" in said
    assert book.match.score == (1, 0)


def test_a_checker_that_was_carried_backwards_is_an_illegal_play() -> None:
    book, said = only_oddity(MATCH.replace("8/5 6/5", "24/23 6/8"))
    assert said == "line 7, column 6: '6/8' does not move towards off; kept as an illegal play"
    play = book.match.events[1]
    assert isinstance(play, PlayMade)
    assert play.moves == ((24, 23, 1), (6, 8, 1))
    assert book.match.score == (1, 0)


def test_a_roll_that_was_passed_over_is_an_illegal_play_at_its_own_place() -> None:
    book, said = only_oddity(MATCH.replace("8/5 6/5", "       "))
    assert said.startswith("line 7, column 6: the roll 3-1 was not played")
    assert book.match.score == (1, 0)


def test_a_play_that_no_hand_can_make_ends_the_reading_of_its_game() -> None:
    book = parse_mat(MATCH.replace("8/5 6/5", "10/7 6/5"))
    assert [one.place.line for one in book.oddities] == [7, 9]
    assert book.match.score == (1, 0)
    assert book.match.game.phase is Phase.TO_ROLL


@pytest.mark.parametrize("write", [format_mat, format_sgf])
def test_a_transcript_is_written_and_read_again(write) -> None:  # type: ignore[no-untyped-def]
    book = parse_mat(
        MATCH.replace("8/5 6/5", "8/5 8/6").replace("Wins 1 point", "Wins 2 points").replace("Anna : 1", "Anna : 2")
    )
    read = parse_mat if write is format_mat else parse_sgf
    assert read(write(book)).match == book.match


def test_a_transcript_is_the_same_from_its_log_even_when_audited() -> None:
    match = parse_mat(MATCH.replace("8/5 6/5", "8/5 8/6")).match
    assert read_log(write_log(match), audit=True) == match


def test_a_game_pays_what_the_file_says() -> None:
    book, said = only_oddity(MATCH.replace("Wins 1 point", "Wins 2 points").replace("Anna : 1", "Anna : 2"))
    assert "player 1 wins 2 points; by the moves it is player 1 by 1" in said
    assert book.match.score == (2, 0)


def test_a_resignation_pays_what_a_match_still_needs() -> None:
    text = " 3 point match\n\n Game 1\n A : 0    B : 0\n 1) 31: 8/5 6/5   64: 24/14\n 2)  Doubles => 2   Takes\n 3) 11:\n     Wins 3 points\n"
    book = parse_mat(text, strict=True)
    assert (book.match.winner, book.match.game.result.level) == (0, 2)  # type: ignore[union-attr]


def test_a_match_may_begin_at_another_score() -> None:
    book, said = only_oddity(" 5 point match\n\n Game 1\n A : 4    B : 3\n 1) 31: 8/5 6/5   64: 24/14\n")
    assert "score 4-3" in said
    assert (book.match.score, book.match.crawford, book.match.away(1)) == ((4, 3), True, 2)
    assert parse_mat(format_mat(book), strict=True).match == book.match
    assert parse_sgf(format_sgf(book), strict=True).match == book.match


def test_a_record_that_begins_after_the_crawford_game_keeps_its_doubles() -> None:
    book, _ = only_oddity(
        " 5 point match\n\n Game 1\n A : 4    B : 3\n 1) 31: 8/5 6/5    Doubles => 2\n 2)  Takes      64: 24/14\n"
    )
    match = book.match
    assert (match.score, match.crawford, match.after_crawford) == ((4, 3), False, True)
    assert (match.game.cube.value, match.game.cube.owner) == (2, 0)
    assert parse_mat(format_mat(book), strict=True).match == match


def test_a_score_that_does_not_follow_leaves_the_games_as_they_are() -> None:
    book, said = only_oddity(MATCH.replace("Anna : 1", "Anna : 2"))
    assert "score 2-0; the games before make it 1-0; the games before are believed" in said
    assert book.match.score == (1, 0)


def test_a_game_without_a_result_pays_what_the_next_score_shows() -> None:
    text = MATCH.replace("  2)  Doubles => 2                Drops\n      Wins 1 point\n", "").replace(
        "Anna : 1", "Anna : 2"
    )
    book, said = only_oddity(text)
    assert "it pays what the next score shows" in said
    assert book.match.score == (2, 0)
    assert Settle(2) in book.match.events


def test_a_game_won_before_anything_was_rolled_is_won() -> None:
    book, _ = only_oddity(
        " 3 point match\n\n Game 1\n A : 0    B : 0\n 1)              Losses 3 point\n\n   Wins 3 point and the match\n"
    )
    assert (book.match.score, book.match.winner) == ((3, 0), 0)


@pytest.mark.parametrize("word", ["Concedes", "Resigns"])
def test_words_for_a_resignation_lose_a_single_game(word: str) -> None:
    book, said = only_oddity(
        MATCH.replace(" Doubles => 2                Drops\n      Wins 1 point", f" 11: 8/7 8/7 6/5 6/5       {word}")
    )
    assert "read as a resignation" in said
    assert (book.match.score, book.match.finished[0].result.how) == ((1, 0), "resign")


def test_a_double_without_an_answer_was_taken() -> None:
    book, said = only_oddity(
        MATCH.replace("Drops\n      Wins 1 point", "\n  3) 11: 8/7 8/7 6/5 6/5\n      Wins 2 points").replace(
            "Anna : 1", "Anna : 2"
        )
    )
    assert "taken, because the game goes on" in said
    assert book.match.score == (2, 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("62: 24/18 13/11", "62: 24/18 13/11\n  2) 00: ????"),
        ("62: 24/18 13/11", "62: 24/18 13/11  1)"),
        ("Game 2", "Game 2\nplayed at night"),
        ("62: 24/18 13/11", "62: 24/18 13/11 !?"),
        (" 3 point match", "Club night\n 3 point match"),
        (" Game 2", "written by hand\n Game 2"),
        ("62: 24/18 13/11", "62: 24/18 13/11\n 3 point match"),
    ],
)
def test_what_is_not_in_the_format_is_left_out(old: str, new: str) -> None:
    book, said = only_oddity(MATCH.replace(old, new))
    assert book.match == parse_mat(MATCH).match, said


def test_tabs_a_missing_last_newline_and_the_middle_of_a_game_are_not_odd() -> None:
    text = MATCH.replace("  1) 31: 8/5 6/5                 64: 24/14", "  1) 31: 8/5 6/5\t\t64: 24/14").rstrip()
    assert parse_mat(text, strict=True).match == parse_mat(MATCH).match


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be"])
def test_files_of_every_common_encoding_are_read(encoding: str) -> None:
    book = read_match(MATCH.replace("Anna", "Zoë").encode(encoding), suffix=".mat", strict=True)
    assert book.players == ("Zoë", "Ben")


SGF = "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RE[W+1R]\n;W[31hefe]\n;B[64aggk])"


@pytest.mark.parametrize(
    ("name", "said", "encoding"),
    [
        ("Иван", "windows-1251", "cp1251"),
        ("Νίκος", "ISO-8859-7", "iso8859-7"),
        ("太郎", "Shift_JIS", "shift_jis"),
        ("Zoë", "hex", "cp1252"),
        ("Zoë", "ISO-8859-12", "cp1252"),
    ],
)
def test_a_tree_is_read_in_the_encoding_that_it_names(name: str, said: str, encoding: str) -> None:
    tree = SGF.replace("MI[", f"CA[{said}]MI[").replace("PW[A]", f"PW[{name}]")
    assert read_match(tree.encode(encoding), suffix=".sgf").players == (name, "B")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("W[31hefe]", "W[31hehf]", "line 2, column 1: 8/5 8/6 is no legal play"),
        ("B[64aggk])", "B[64aggk]", "the file ends in a game"),
        (";B[64aggk]", ";QQ;B[64aggk]", "the property QQ has no value"),
        ("(;FF", "hello (;FF", "a game begins with"),
        (";B[64aggk]", ";B[hello];B[64aggk]", "a play is two digits"),
        ("RE[W+1R]", "RE[W+5R]", "player 1 wins 5 points"),
        ("64aggk])", "64aggk])(;GM[6]MI[length:5][game:0];W[31hefe])", "another match begins"),
    ],
)
def test_what_is_odd_in_a_tree_is_noted(old: str, new: str, said: str) -> None:
    text = SGF.replace(old, new, 1)
    (oddity,) = parse_sgf(text).oddities
    assert said in str(oddity)
    with pytest.raises(FormatError):
        parse_sgf(text, strict=True)
    assert parse_sgf(text).match.game.over


def test_unknown_properties_are_skipped() -> None:
    text = SGF.replace("W[31hefe]", "W[31hefe]ZZ[what][ever]C[a \\] comment]")
    assert parse_sgf(text, strict=True).match == parse_sgf(SGF).match


def test_a_transcript_refuses_no_points_after_the_end_and_others_do() -> None:
    match = parse_mat(MATCH).match
    terms = msgspec.structs.replace(match.terms, transcript=True)
    over = Match.fold(match.rules, terms, match.events[: match.first - 1])
    assert over.apply(Settle(-4)).score == (0, 4)
    assert over.apply(Settle(-4)).winner == 1
    assert over.apply(Settle(0)).score == (0, 0)
