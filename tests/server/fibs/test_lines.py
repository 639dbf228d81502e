"""Units of the FIBS code without a connection: lines, words, names, moves, boards."""

from __future__ import annotations

import pytest

from barpoint.game import Double, Game, Opening, PlayMade, Roll, Take
from barpoint.match import Match
from barpoint.record.fibs_board import format_board, parse_board
from barpoint.rules import Rules
from barpoint.server.domain.guests import Guest
from barpoint.server.fibs.automatic import automatic_event, request
from barpoint.server.fibs.board import Viewer, board_lines, board_of
from barpoint.server.fibs.commands import resolve
from barpoint.server.fibs.lines import MAX_LINE, Lines
from barpoint.server.fibs.match_text import event_lines
from barpoint.server.fibs.move_list import transcript
from barpoint.server.fibs.names import alias, bot_alias
from barpoint.server.fibs.notation import MoveRefused, moves_text, read_moves, typed_play
from barpoint.server.fibs.preferences import Preferences, read_preferences, write_preferences

NAMES = ("Anna", "Ben")


def test_telnets_own_bytes_are_no_text() -> None:
    assert Lines().feed(b"\xff\xfb\x01ro\xff\xfd\x03ll\r\n\xff\xfa\x18\x00xterm\xff\xf0bye\r\0\n") == ["roll", "bye"]


def test_a_line_may_come_in_pieces_and_end_the_wrong_way_round() -> None:
    lines = Lines()
    assert lines.feed(b"invite B") == []
    assert lines.feed(b"en 5\n\rroll") == ["invite Ben 5"]
    assert lines.feed(b"\r\n") == ["roll"]


def test_a_line_that_is_too_long_is_none_and_the_next_is_read() -> None:
    assert Lines().feed(b"x" * (MAX_LINE + 1) + b"\nroll\n" + b"y" * MAX_LINE + b"\n") == [None, "roll", "y" * MAX_LINE]


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("b", "board"),
        ("m", "move"),
        ("r", "roll"),
        ("t", "tell"),
        ("to", "toggle"),
        ("w", "who"),
        ("wh", "whisper"),
        ("whoi", "whois"),
        ("res", "resign"),
        ("rej", "reject"),
        ("ROLL", "roll"),
        ("qui", "quit"),
        ("by", None),
        ("e", "erase"),
        ("ex", None),
        ("fizzbuzz", None),
        ("", None),
    ],
)
def test_a_beginning_of_a_command_means_it(word: str, name: str | None) -> None:
    assert resolve(word) == name


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Anna", "Anna"), ("Anna B", "Anna_B"), ("Jean-Luc", "Jean_Luc"), ("big_dog", "big_dog"), ("A.B", "A_B")],
)
def test_a_name_that_fibs_can_say_stays(name: str, shown: str) -> None:
    assert alias(Guest("id", name, True)) == shown


@pytest.mark.parametrize(("name", "start"), [("Anna2", "Anna_"), ("Zoë", "Zoe_"), ("Борис", "Player_")])
def test_another_name_gets_letters_of_its_own(name: str, start: str) -> None:
    first, second = alias(Guest("one", name, True)), alias(Guest("two", name, True))
    assert first.startswith(start)
    assert first != second
    assert first.replace("_", "").isalpha()
    assert first.isascii()


def test_a_guest_is_never_taken_for_an_account() -> None:
    assert alias(Guest("id", "Anna")) != alias(Guest("other", "Anna", True))
    assert alias(Guest("id", "Anna")).startswith("Anna_")


def test_bots_of_two_depths_have_two_names() -> None:
    assert bot_alias("Barpoint Expert") == "Barpoint_Expert"
    assert bot_alias("GNU Backgammon 2-ply") == "GNU_Backgammon_two_ply"


def opening(seat: int) -> Game:
    return Game.start(Rules()).apply(Opening((3, 1) if seat == 0 else (1, 3)))


@pytest.mark.parametrize("text", ["8-5 6-5", "8 5 6 5", "8/5,6/5", "6-5, 8-5", "8:5;6:5"])
def test_anything_may_stand_between_the_points(text: str) -> None:
    assert str(typed_play(opening(0), 0, text)) == "8/5 6/5"


def test_x_moves_the_other_way() -> None:
    play = typed_play(opening(1), 1, "17-20 19-20")
    assert str(play) == "8/5 6/5"
    assert moves_text(play.moves, 1) == "17-20 19-20"
    assert read_moves("bar-3 22-off 0-4 25-21", 1) == [(25, 22), (3, 0), (25, 21), (0, 4)]
    assert read_moves("bar-22 3 home 25 21 b o", 0) == [(25, 22), (3, 0), (25, 21), (25, 0)]


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("8-5", "** You must give 2 moves."),
        ("", "** You must give 2 moves."),
        ("8-5 6-5 6-5", "** Please don't give more than 2 moves."),
        ("8-5 7-6", "** You can't move from 7 in your second move."),
        ("8-4 6-5", "** You can't move 4 points in your first move."),
        ("13-12 13-10", "** You can't move to 12 in your first move."),
        ("6-off 8-5", "** You can't remove this piece in your first move."),
        ("6-8 8-5", "** You can't move 6-home in your first move."),
        ("8-x 6-5", "** first move: legal words are 'bar', 'home', 'off', 'b', 'h' and 'o'."),
        ("000888-5 6-5", "** first move: legal words are 'bar', 'home', 'off', 'b', 'h' and 'o'."),
        ("8-5 6", "** Please give two points, from and to, for each move."),
    ],
)
def test_what_is_no_play_is_refused_in_the_words_of_fibs(text: str, refusal: str) -> None:
    with pytest.raises(MoveRefused) as refused:
        typed_play(opening(0), 0, text)
    assert str(refused.value) == refusal


def test_the_board_of_the_specification_comes_out() -> None:
    """The example of the specification, "Board State": O has rolled 6-2 at the start of a 3-point match."""
    match = Match.start(3).apply(Opening((6, 2)))
    expected = (
        "board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:"
        "0:0:0:0:2:0:0:0"
    )
    assert board_lines(match, Viewer(0, True, ("Anna", "someplayer"))) == [expected]
    watched = parse_board(board_lines(match, Viewer(1, False, ("Anna", "Ben")))[0])
    assert (watched.names, watched.colour, watched.yours) == (("Ben", "Anna"), -1, False)
    assert watched.position.us == watched.position.them
    assert format_board(watched).split(":")[32:37] == ["1", "0", "0", "6", "2"]


def test_a_person_gets_a_drawing() -> None:
    lines = board_lines(Match.start(3).apply(Opening((6, 2))), Viewer(0, True, NAMES, style=1))
    assert len(lines) > 13
    assert any("3 point match" in line for line in lines)
    drawings = [
        board_lines(Match.start(3).apply(Opening((6, 2))), Viewer(seat, True, NAMES, style=1)) for seat in (0, 1)
    ]
    assert drawings[0][1:] != drawings[1][1:]
    assert drawings[0][3] == drawings[1][3], "both see O at the bottom, whose points both type"
    assert (drawings[0][-2], drawings[1][-2]) == (" O You: 0", " O Anna: 0")


def test_while_a_double_waits_the_flags_say_whose_answer() -> None:
    match = Match.start(3).apply(Opening((3, 1))).apply(PlayMade(0, ((8, 5, 3), (6, 5, 1)))).apply(Double(1))
    doubler, doubled = (board_of(match, Viewer(seat, True, NAMES)) for seat in (1, 0))
    assert (doubler.may_double, doubler.doubled, doubler.yours) == ((False, False), False, True)
    assert (doubled.may_double, doubled.doubled, doubled.yours) == ((True, True), True, False)
    after = match.apply(Take(0))
    assert board_of(after, Viewer(0, True, NAMES)).may_double == (True, False)
    assert isinstance(automatic_event(after, 1, Preferences()), Roll), "who does not own the cube is not asked"


def test_what_is_done_for_a_player_follows_their_settings() -> None:
    match = Match.start(3).apply(Opening((3, 1))).apply(PlayMade(0, ((8, 5, 3), (6, 5, 1))))
    asked, quick = Preferences(), Preferences(double=False)
    assert automatic_event(match, 1, asked) is None
    assert request(match, 1, asked) == ["It's your turn. Please roll or double"]
    assert isinstance(automatic_event(match, 1, quick), Roll)
    assert automatic_event(match, 0, quick) is None


def test_players_and_watchers_are_told_the_same_in_their_own_words() -> None:
    before = Match.start(3).apply(Opening((3, 1))).apply(PlayMade(0, ((8, 5, 3), (6, 5, 1))))
    event, told = Double(1), []
    for viewer in (Viewer(1, True, NAMES), Viewer(0, True, NAMES), Viewer(0, False, NAMES)):
        told += event_lines(before, event, before.apply(event), viewer, Preferences())
    assert told == [
        "You double. Please wait for Anna to accept or reject.",
        "Ben doubles. Type 'accept' or 'reject'.",
        "Ben doubles.",
    ]


def test_a_transcript_lists_every_move() -> None:
    match = Match.start(3).apply(Opening((3, 1))).apply(PlayMade(0, ((8, 5, 3), (6, 5, 1)))).apply(Double(1))
    assert transcript(match.apply(Take(0)), Viewer(0, True, NAMES)) == [
        "Score is 0-0 in a 3 point match.",
        "Ben is X - Anna is O",
        "O: (3 1) 8-5 6-5",
        "X: doubles",
        "O: accepts",
    ]


def test_preferences_are_kept_but_for_what_is_for_one_game() -> None:
    kept = write_preferences(Preferences(bell=True, greedy=True, double=False, redoubles="3", gagged=("x",)))
    assert read_preferences(kept) == Preferences(bell=True, redoubles="3", gagged=("x",))
    assert read_preferences(None) == Preferences()
