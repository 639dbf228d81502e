"""The opening book: its lines, what it finds, and that it agrees with what everybody knows."""

import pytest

from barpoint.engine import CubeInfo, CubeState, DecisionPoint, Score
from barpoint.engine.opening_book import (
    STAKES,
    BookLine,
    BookSettings,
    NoSuchBook,
    OpeningBook,
    book_names,
    book_play,
    format_book_line,
    opening_book,
    opening_rolls,
    parse_book_line,
)
from barpoint.error import FormatError
from barpoint.game import Stakes
from barpoint.moves import legal_plays, parse_play
from barpoint.variants import variant

JACOBY = Stakes(jacoby=True)
CLEAR = {(3, 1): "8/5 6/5", (4, 2): "8/4 6/4", (5, 3): "8/3 6/3", (6, 1): "13/7 8/7", (6, 5): "24/13"}
"""Opening rolls with a single best play for money."""

LINES = (
    BookLine((), (3, 1), (("8/5 6/5", 0.2459, 0.002), ("24/23 13/10", -0.0136, 0.0042))),
    BookLine(("3-1 8/5 6/5",), (6, 4), (("24/14", -0.2, 0.003),)),
)


@pytest.mark.parametrize("line", LINES)
def test_a_line_reads_back_as_it_was_written(line: BookLine) -> None:
    assert parse_book_line(format_book_line(line)) == line


@pytest.mark.parametrize(
    "text",
    [
        "", "3-1\t8/5 6/5", "3-1\t8/5 6/5=1", "3-x\t8/5=1,2", "3-1\t8/5=0.1,0.2", "3-? 8/5 6/5; 6-4\t24/14=1,2",
        pytest.param(f"3-1\t8/5 6/5={'9' * 400},2", id="a number of 400 digits"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_line_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="no line of an opening book"):
        parse_book_line(text)


def test_a_book_finds_first_plays_and_replies_whatever_the_order_of_the_dice() -> None:
    book = OpeningBook(BookSettings("backgammon", "money", "", 1296, 8), LINES)
    best, second = book.find(book.rules.start, (1, 3))
    assert (str(best.play), best.equity, best.error, best.loss) == ("8/5 6/5", 0.2459, 0.002, 0.0)
    assert second.loss == pytest.approx(0.2595)
    after = best.play.result.flip()
    assert book.rolls(after) == ((6, 4),)
    assert [str(item.play) for item in book.find(after, (6, 4))] == ["24/14"]
    assert book.find(after, (6, 5)) == ()
    assert book.find(second.play.result.flip(), (6, 4)) == () == book.rolls(second.play.result.flip())


@pytest.mark.parametrize(("name", "stake"), book_names())
def test_every_line_of_every_book_holds_legal_plays_in_the_order_of_their_equity(name: str, stake: str) -> None:
    book = opening_book(name, stake)
    assert stake in STAKES
    first = book.rolls(book.rules.start)
    assert len(first) == len(set(first))
    for faces in first:
        found = book.find(book.rules.start, faces)
        legal = {play.result for play in legal_plays(book.rules, book.rules.start, faces)}
        assert {item.play.result for item in found} <= legal
        assert [item.loss for item in found] == sorted(item.loss for item in found)
        assert found[0].loss == 0
        assert (found[0].error == 0) if book.settings.net == "" else (0 < found[0].error < 0.02), "a table has no error"


def test_the_standard_book_holds_every_first_roll_and_the_clear_plays() -> None:
    rules, book = variant(), opening_book()
    assert len(book.rolls(rules.start)) == 15
    for faces, text in CLEAR.items():
        assert book.find(rules.start, faces)[0].play.result == parse_play(rules, rules.start, faces, text).result


@pytest.mark.parametrize(("name", "stake"), book_names())
def test_where_a_book_holds_replies_it_holds_those_to_every_roll(name: str, stake: str) -> None:
    book = opening_book(name, stake)
    assert book.rolls(book.rules.start)
    for faces in book.rolls(book.rules.start):
        for item in book.find(book.rules.start, faces):
            assert len(book.rolls(item.play.result.flip())) in (0, len(book.rules.dice.rows)), (faces, str(item.play))


def test_a_book_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(NoSuchBook, match=r"nackgammon \(dmp\); there are .*backgammon \(money\)"):
        opening_book("nackgammon", "dmp")


def test_every_roll_that_opens_a_game_is_in_each_book() -> None:
    for name, stake in book_names():
        book = opening_book(name, stake)
        assert sorted(book.rolls(book.rules.start)) == sorted(opening_rolls(book.rules)), (name, stake)


def test_the_best_play_of_the_book_is_known_where_the_same_is_at_stake() -> None:
    rules = variant()
    start = rules.start
    money, match_point = STAKES["money"], CubeInfo(CubeState(), Score(1, 1))
    assert str(book_play(rules, DecisionPoint(start, money, None, (1, 3)))) == "8/5 6/5"
    assert str(book_play(rules, DecisionPoint(start, match_point, None, (3, 1)))) == "8/5 6/5"
    after = parse_play(rules, start, (3, 1), "8/5 6/5").next
    best = opening_book().find(after, (6, 6))[0].play
    assert book_play(rules, DecisionPoint(after, money.flip(), None, (6, 6))) == best
    for other in (
        CubeInfo(CubeState(2, "us")),
        CubeInfo(CubeState(), Score(7, 7)),
        CubeInfo(CubeState(), None, JACOBY),
    ):
        assert book_play(rules, DecisionPoint(start, other, None, (3, 1))) is None
    assert book_play(rules, DecisionPoint(best.next, money, None, (6, 6))) is None
    tokens = variant("roll-over")
    assert book_play(tokens, DecisionPoint(tokens.start, money, None, (3, 1))) is not None
    assert book_play(tokens, DecisionPoint(tokens.start, money, (0, 1), (3, 1))) is None


def test_a_roll_without_plays_holds_none() -> None:
    book = OpeningBook(BookSettings("backgammon", "money", "", 0, 0), [parse_book_line("3-1")])
    assert book.find(variant("backgammon").start, (3, 1)) == ()
