"""`barpoint play`: whole matches typed at a terminal, kept in a file, with real dice, and left in the middle."""

import re
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from barpoint.cli import main as run_main
from barpoint.cli.screen import Screen
from barpoint.cli.typed import read_command, read_moves
from barpoint.error import FormatError, RollError
from barpoint.game import Accept, Opening, Phase, Resign
from barpoint.match import Match, read_log
from barpoint.moves import parse_faces
from barpoint.record import Book, format_book, read_match
from barpoint.record.file import shown_format
from barpoint.server.protocol.match_text import Names
from barpoint.variants import variant

Typist = Callable[[str, str], str]
"""What is typed at a prompt, given the prompt and everything printed since the last one."""


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Runs the command with somebody who types; gives everything printed, and the exit status."""

    def run(typist: Typist, *arguments: str) -> tuple[str, int]:
        printed: list[str] = []

        def ask(_: Screen, prompt: str) -> str:
            new = capsys.readouterr().out
            printed.extend((new, prompt, "\n"))
            assert max(map(len, new.splitlines()), default=0) <= 80 or "pips" not in new
            return typist(prompt, new)

        monkeypatch.setattr(Screen, "ask", ask)
        monkeypatch.setattr(sys, "argv", ["barpoint", "play", *arguments])
        with pytest.raises(SystemExit) as left:
            run_main()
        last = capsys.readouterr()
        text = "".join(printed) + last.out + last.err
        assert "Traceback" not in text
        return text, int(left.value.code or 0)

    return run


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Works in an empty folder: the name of a file there is short, and fits into a line."""
    monkeypatch.chdir(tmp_path)


class Anybody:
    """Lists the plays and takes one of them; else does one of the things the prompt offers."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.asked = False

    def __call__(self, prompt: str, printed: str) -> str:
        if self.asked:
            self.asked = False
            plays = [line.strip() for line in printed.splitlines() if line.startswith("  ") and "/" in line]
            return self.random.choice(plays) if plays else ""
        if prompt.endswith("?"):
            offers = [offer.split()[0] for offer in prompt[:-1].split(": ", 1)[1].split(", ")]
            calm = [offer for offer in offers if offer not in ("double", "pass", "roll-over")] or offers
            return self.random.choice(offers if self.random.random() < 0.1 else calm).replace("Enter", "")
        if "game" in prompt or "no legal play" in prompt:
            return ""
        self.asked = True
        return "plays"


def lines(*typed: str) -> Typist:
    """Types these lines, then goes away."""
    left: Iterator[str] = iter(typed)

    def typist(_prompt: str, _printed: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return typist


@pytest.mark.parametrize(
    "name",
    [
        "backgammon",
        "roll-over+hypergammon",
        "duodecagammon+hypergammon",
        "cancelgammon+hypergammon",
        "plakoto",
        "tavli",
    ],
)
def test_two_people_play_a_match_to_its_end(play, tmp_path: Path, name: str) -> None:
    kept = tmp_path / "match.json"
    text, status = play(Anybody(1), "--two", "-v", name, "-n", "2", "--seed", "3", "--save", str(kept))
    assert status == 0
    match = read_log(kept.read_bytes(), audit=True)
    assert match.over
    assert "the match." in text


@pytest.mark.parametrize("level", ["beginner", "strong"])
def test_a_person_plays_the_bot_to_the_end(play, tmp_path: Path, level: str) -> None:
    kept = tmp_path / "match.json"
    text, status = play(Anybody(2), "-n", "1", "-l", level, "--seed", "4", "--save", str(kept))
    assert status == 0
    assert read_log(kept.read_bytes()).over
    assert "You win the match." in text or "Barpoint wins the match." in text


def test_a_match_goes_on_where_it_was_left(play, in_folder: None) -> None:
    kept = Path("match.json")
    arguments = ("--two", "-n", "3", "--seed", "5", "--save", str(kept))
    text, status = play(lines("plays", "quit"), *arguments)
    assert status == 0
    assert f"saved in {kept}" in text
    before = read_log(kept.read_bytes())
    text, _ = play(lines("quit"), *arguments)
    assert "Continuing" in text
    assert read_log(kept.read_bytes()) == before
    assert before.game.phase is Phase.TO_PLAY


@pytest.mark.parametrize("suffix", [".json", ".mat", ".txt", ".sgf", ".SGF"])
def test_a_match_is_kept_with_its_names_in_the_format_of_the_suffix_and_goes_on(
    play, in_folder: None, suffix: str
) -> None:
    kept = Path(f"match{suffix}")
    play(manual("24/14", "quit"), "--two", "--manual", "-n", "3", "--names", "Anna,Ben", "--save", str(kept))
    assert shown_format(kept.read_bytes()) == suffix.lower().replace(".txt", ".mat")
    book = read_match(kept, strict=True)
    assert (book.players, len(book.match.events), book.match.terms.manual) == (("Anna", "Ben"), 4, True)
    text, status = play(lines("roll", "52", "13/8 13/11", "quit"), "--two", "--save", str(kept))
    assert status == 0
    assert "Anna 5-2: 13/11* 13/8" in text
    after = read_match(kept, strict=True)
    assert (after.players, len(after.match.events)) == (("Anna", "Ben"), 6)
    play(lines("roll", "31", "quit"), "--two", "--names", "Anne", "--save", str(kept))
    assert read_match(kept).players == ("Anne", "Ben")


def test_a_match_goes_on_from_another_format_than_the_suffix_says(play, in_folder: None) -> None:
    kept = Path("match.json")
    kept.write_bytes(
        format_book(Book(Match.start(3).apply(Opening((3, 1))), ("Anna", "Ben"), {"Event": "Club"}), ".xg")
    )
    text, _ = play(lines("8/5 6/5", "quit"), "--two", "--save", str(kept))
    assert "Anna 3-1: 8/5 6/5" in text
    book = read_match(kept)
    assert (shown_format(kept.read_bytes()), book.players, book.facts) == (".json", ("Anna", "Ben"), {"Event": "Club"})


def test_who_is_not_named_is_not_named_in_the_file(play, in_folder: None) -> None:
    kept = Path("match.json")
    play(lines("quit"), "-n", "1", "-l", "beginner", "--save", str(kept))
    assert read_match(kept).players == ("Player 1", "Barpoint")
    text, _ = play(lines("score", "quit"), "-l", "beginner", "--save", str(kept))
    assert "You" in text
    assert "Player 1" not in text


@pytest.mark.parametrize("name", ["match.xg", "match.bgf", "match.docx", "match"])
def test_a_file_that_cannot_keep_a_match_is_refused_before_it_begins(play, in_folder: None, name: str) -> None:
    text, status = play(lines(), "--save", name)
    assert status == 2
    assert f"{name!r} cannot keep a match while it is played; allowed: .json, .mat, .txt, .sgf" in text
    assert not Path(name).exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-n", "5"), "--length 5: "),
        (("-v", "nackgammon", "-n", "0"), "--variant nackgammon: "),
        (("--beavers", "0"), "--beavers 0: "),
        (("-n", "7", "--manual"), "--length 7 --manual: "),
    ],
)
def test_options_that_contradict_the_file_are_refused_with_what_it_holds(
    play, in_folder: None, options: tuple[str, ...], said: str
) -> None:
    kept = Path("match.mat")
    money = ("--two", "-n", "0", "--jacoby", "--beavers", "2", "--save", str(kept))
    play(lines("quit"), *money)
    before = kept.read_bytes()
    text, status = play(lines(), "--save", str(kept), *options)
    assert status == 2
    assert f"{said}the match in {kept} has --variant backgammon --length 0 --jacoby --beavers 2; " in text
    assert kept.read_bytes() == before
    assert play(lines("quit"), *money, "-v", "backgammon")[1] == 0


def test_a_file_of_several_matches_is_refused_and_left_alone(play, in_folder: None) -> None:
    kept = Path("season.mat")
    kept.write_bytes(2 * format_book(Book(Match.start(3)), ".mat"))
    text, status = play(lines(), "--save", str(kept))
    assert status == 2
    assert "holds 2 matches; only a single one can go on" in text


def test_the_end_of_the_input_ends_the_match_politely(play) -> None:
    text, status = play(lines(), "--two", "-n", "1")
    assert status == 0
    assert "Goodbye." in text


def test_a_damaged_file_is_refused_and_left_alone(play, tmp_path: Path) -> None:
    kept = tmp_path / "match.json"
    kept.write_text('{"events": 7', encoding="utf-8")
    text, status = play(lines(), "--save", str(kept))
    assert status == 2
    assert "no log of a match" in text
    assert kept.read_text(encoding="utf-8") == '{"events": 7'


def manual(*typed: str) -> Typist:
    return lines("31", "8/5 6/5", "64", *typed)


def test_real_dice_are_typed_in(play) -> None:
    text, _ = play(manual("24/14", "quit"), "--two", "--manual", "-n", "3", "--names", "Anna,Ben")
    assert "Anna 3-1: 8/5 6/5" in text
    assert "Ben 6-4: 24/14" in text


def test_an_illegal_play_stands_until_it_is_objected_to(play) -> None:
    text, _ = play(
        manual("8/3 6/5", "y", "object", "24/14", "quit"), "--two", "--manual", "-n", "3", "--names", "Anna,Ben"
    )
    assert "Ben 6-4: 8/3 6/5  (not legal)" in text
    assert "Anna objects." in text
    assert "Ben 6-4: 24/14" in text


def test_an_illegal_play_is_accepted_by_the_next_roll(play) -> None:
    text, _ = play(
        manual("8/3 6/5", "y", "21", "13/11 6/5", "quit"), "--two", "--manual", "-n", "3", "--names", "Anna,Ben"
    )
    assert "Anna 2-1: 13/11 6/5" in text


def test_with_dice_of_the_program_nothing_illegal_can_be_played(play) -> None:
    text, _ = play(lines("24/3", "quit"), "--two", "-n", "3", "--seed", "1")
    assert "against the rules" not in text
    assert "may not be played here" in text


def test_a_void_roll_is_made_again(play) -> None:
    text, _ = play(manual("void", "52", "13/8 13/11", "quit"), "--two", "--manual", "-n", "3", "--names", "Anna,Ben")
    assert "Ben calls the roll void." in text
    assert "Ben 5-2: 13/11 13/8" in text


def test_moves_are_tried_and_taken_back(play) -> None:
    typed = ("31", "8/5", "undo", "6/5", "8/5", "done", "quit")
    text, _ = play(lines(*typed), "--two", "--manual", "-n", "3", "--names", "Anna,Ben")
    assert "Anna 3-1: 8/5 (go on, undo):" in text
    assert "Anna 3-1: 6/5 8/5 (Enter to finish, undo):" in text
    assert "Anna 3-1: 8/5 6/5\n" in text


def test_an_unfinished_play_cannot_be_ended(play) -> None:
    text, _ = play(lines("31", "8/5", "done", "quit"), "--two", "--manual", "-n", "3")
    assert "Not finished: a 1 can still be played." in text


def test_a_resignation_is_confirmed_and_answered(play) -> None:
    typed = ("31", "resign gammon", "n", "resign", "y", "y", "quit")
    text, _ = play(lines(*typed), "--two", "--manual", "-n", "3", "--names", "Anna,Ben")
    assert "Anna offers to resign a single game." in text
    assert "Ben wins: 1 point" in text


@pytest.mark.parametrize("word", ["help", "score", "record", "board", "hint", "plays"])
def test_questions_change_nothing(play, tmp_path: Path, word: str) -> None:
    kept = tmp_path / "match.json"
    play(lines("31", word, "quit"), "--two", "--manual", "-n", "3", "--save", str(kept))
    assert len(read_log(kept.read_bytes()).events) == 1


def test_what_is_not_understood_is_said(play) -> None:
    text, _ = play(lines("99", "31", "jump", "take", "quit"), "--two", "--manual", "-n", "3")
    assert "two numbers from 1 to 6" in text
    assert "'jump' is neither a command nor a move; type help" in text
    assert "You cannot take now." in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-v", "chess"), "no variant is called"),
        (("-n", "1000"), "at most 99"),
        (("-n", "-2"), "length -2"),
        (("-n", "-1"), "length -1"),
        (("-l", "grandmaster"), "no level is called"),
        (("-n", "3", "--jacoby"), "money play only"),
        (("--save", "/nonexistent/match.json"), "cannot be saved"),
        (("--names", "Anna,Ben,Carl"), "3 names; a match has two players"),
        (("-n", "0", "--beavers", "9"), "allowed is 3 at most"),
        (("-n", "0", "--beavers", "-1"), "allowed is 0 at least"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(play, arguments: tuple[str, ...], said: str) -> None:
    text, status = play(lines(), *arguments)
    assert status == 2
    assert said in text


def test_every_spelling_of_a_command_is_read() -> None:
    assert read_command("Roll-Over") == ("rollover", "")
    assert read_command("resign gammon") == ("resign", "gammon")
    assert read_command("") == ("done", "")
    assert read_command("premature") == ("void", "premature")
    assert read_command("8/5 6/5") is None


def test_moves_are_read_in_every_spelling() -> None:
    assert read_moves("24/18*/13, 6/off(2) bar/20") == [(24, 18), (18, 13), (6, 0), (6, 0), (25, 20)]
    with pytest.raises(FormatError):
        read_moves("8-5")


@pytest.mark.parametrize("text", ["63", "6-3", "3 6", "6, 3"])
def test_faces_are_read_in_every_spelling(text: str) -> None:
    assert parse_faces(variant("backgammon").dice.rows, text) == (6, 3)


def test_faces_of_the_twelve_sided_die_have_two_digits() -> None:
    rows = variant("duodecagammon").dice.rows
    assert parse_faces(rows, "11") == (11,)
    with pytest.raises(RollError, match="a roll is written as in 12"):
        parse_faces(rows, "13")


def test_on_a_terminal_the_board_has_drawn_lines_and_colours() -> None:
    file = StringIO()
    console = Console(file=file, force_terminal=True, width=80, color_system="standard", legacy_windows=False)
    Screen(console, Names(("Anna", "Ben"))).draw(Match.start(length=3), 0)
    text = file.getvalue()
    assert "\x1b[" in text
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()
    assert plain[1].startswith(" ┌─13──14─")
    assert plain[1].endswith("─24─┐  ○ Ben")
    assert plain[2] == " │ ●               ○      │    │ ○                   ●  │  0 of 3   pips 167"
    assert max(map(len, plain)) <= 80


def test_what_is_no_terminal_is_given_plain_letters() -> None:
    file = StringIO()
    Screen(Console(file=file, width=80), Names(("Anna", "Ben"))).draw(Match.start(length=3), 0)
    assert file.getvalue().isascii()


def test_a_game_is_played_in_the_language_of_the_terminal(play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    typed = iter(("score", "quit"))
    text, status = play(lambda _prompt, _new: next(typed), "--two", "--length", "3", "--seed", "4")
    assert status == 0
    assert "Stand: First 0, Second 0, Match bis 3" in text
    assert "Auf Wiedersehen." in text
    assert "Score" not in text


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch):
    """A terminal whose person gives these answers before the match begins; an exception among them is raised."""

    def answer(*answers: str | type[BaseException]) -> None:
        left = iter(answers)

        def ask(_: Console, _prompt: str, **_options: object) -> str:
            found = next(left)
            if isinstance(found, str):
                return found
            raise found

        monkeypatch.setattr(Console, "input", ask)
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True)

    return answer


@pytest.mark.parametrize("leaves", [KeyboardInterrupt, EOFError, "quit", " Q ", "exit"])
@pytest.mark.parametrize("before", [(), ("1",), ("1", "3")])
def test_who_leaves_at_the_questions_before_a_match_is_not_told_that_it_is_saved(
    play, asked, in_folder: None, before: tuple[str, ...], leaves: str | type[BaseException]
) -> None:
    """They are the game, the points and how well the bot plays."""
    asked(*before, leaves)
    text, status = play(lines(), "--save", "g.mat", "--names", "Anna")
    assert status == 0
    assert text.endswith("Goodbye.\n")
    assert "saved" not in text
    assert not Path("g.mat").exists()


def test_who_leaves_at_the_questions_of_a_match_in_a_file_is_told_that_it_is_saved(
    play, asked, in_folder: None
) -> None:
    play(lines("quit"), "-n", "3", "-l", "beginner", "--save", "g.mat")
    asked("quit")
    text, _ = play(lines(), "--save", "g.mat")
    assert text.endswith("The match is saved in g.mat.\n")


def test_a_match_that_is_over_is_said_to_be_over(play, in_folder: None) -> None:
    over = Match.start(1).apply(Opening((3, 1))).apply(Resign(0, 1)).apply(Accept(1))
    Path("g.json").write_bytes(before := format_book(Book(over), ".json"))
    text, status = play(lines(), "--save", "g.json")
    assert over.over
    assert (status, text) == (0, "The match in g.json is over, 0 to 1. Give another file to play a new one.\n")
    assert Path("g.json").read_bytes() == before
