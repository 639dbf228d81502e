"""Variants in files: what a file may say, what is refused, and that every variant of the catalogue can be written as one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import barpoint as bp
from barpoint.dice import TWO_DICE
from barpoint.error import ArgumentError, FormatError, PositionError, UnknownVariant
from barpoint.rules import BearOff, Capture, Obligation, Variant, compose
from barpoint.variants import CATALOGUE
from barpoint.variants.variant_file import MAX_FILE_BYTES, format_variant, parse_variant, read_variant
from tests.support.own_variants import SHORT_FILE, forgetting


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from forgetting(monkeypatch)


def rules_of_text(text: str) -> bp.Rules:
    return compose([(parse_variant(text, "mine"), {})])


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_every_variant_is_written_and_read_again(entry: Variant) -> None:
    again = parse_variant(format_variant(entry))
    assert compose([(again, {})]) == compose([(entry, {})])
    assert (again.name, again.title, again.line, again.source, again.aliases) == (
        *(entry.name, entry.title, entry.line, entry.source, entry.aliases),
    )
    assert format_variant(again) == format_variant(entry)


def test_a_file_is_registered_under_its_names(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text(SHORT_FILE, encoding="utf-8")
    rules = bp.read_variant(file)
    assert (rules.name, rules.checkers, rules.scoring.payments) == ("short-game", 10, (4, 6))
    assert bp.variant("short") == bp.variant("short-game") == rules
    assert str(bp.legal_plays(rules, rules.start, (6, 6))[0]).count("/") <= 2, "a double is played twice"
    assert bp.read_variant(str(file)) == rules


def test_a_file_that_has_changed_takes_the_place_of_what_it_was(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text(SHORT_FILE, encoding="utf-8")
    before = bp.read_variant(file)
    file.write_text(SHORT_FILE.replace("gammon = 4", "gammon = 5"), encoding="utf-8")
    after = bp.read_variant(file)
    assert (before.scoring.gammon, after.scoring.gammon, bp.variant("short").scoring.gammon) == (4, 5, 5)
    assert [entry.name for entry in bp.variants()].count("short-game") == 1
    file.write_text('name = "plakoto"', encoding="utf-8")
    with pytest.raises(FormatError, match=r"short\.toml: 'plakoto' is taken by Plakoto"):
        bp.read_variant(file)


def test_a_file_without_a_name_has_that_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "no-cube.toml"
    file.write_text("cube = false", encoding="utf-8")
    assert (bp.read_variant(file).name, bp.variant("no-cube").cube) == ("no-cube", False)
    with pytest.raises(FormatError, match="a name is missing"):
        parse_variant("cube = false")


def test_a_base_has_all_that_the_file_does_not_say() -> None:
    rules = rules_of_text('base = "plakoto"\n[movement]\nbear_off = "exact"')
    plakoto = bp.variant("plakoto")
    assert (rules.setup, rules.cube, rules.scoring) == (plakoto.setup, plakoto.cube, plakoto.scoring)
    assert (rules.movement.capture, rules.movement.bear_off) == (Capture.PIN, BearOff.EXACT)
    both = rules_of_text('base = "roll-over(tokens=2)+nackgammon"')
    assert (both.rerolls.tokens, both.setup) == (2, bp.variant("nackgammon").setup)
    with pytest.raises(UnknownVariant, match="no variant is called 'plakot'; did you mean plakoto"):
        parse_variant('base = "plakot"', "mine")


def test_rolls_can_be_played_as_one_likes() -> None:
    rules = rules_of_text(
        """
        [dice]
        doubles = 1
        obligation = "per_option"
        again = ["6-6"]
        [dice.plays]
        "1-2" = [[2, 1], [1, 1, 1]]
        "6-5" = [[[6, 5]], [[1], [2]]]
        [dice.weights]
        "6-6" = 3
        """
    )
    rows = {row.faces: row for row in rules.dice.rows}
    assert len(rows) == len(TWO_DICE)
    assert rows[3, 3].stages == (((3,),),)
    assert rows[2, 1].stages == (((2, 1), (1, 1, 1)),)
    assert rows[6, 5].stages == (((6, 5),), ((1,), (2,)))
    assert (rows[6, 6].weight, rows[6, 6].again, rows[5, 5].again) == (3, True, False)
    assert rules.dice.obligation is Obligation.PER_OPTION
    assert rules_of_text(format_variant(Variant("mine", "", "", "", {"dice": rules.dice}))).dice == rules.dice


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x =\ny = 1", r"no TOML: Invalid value \(at line 1"),
        ('nam = "x"', "nam is not known; did you mean name?"),
        ("name = 3", "name is 3; allowed: a text in quotation marks"),
        ("cube = 1", "cube is 1; allowed: true, false"),
        ("setup = 3", r"\[setup\] is 3; allowed: a table"),
        ('[movement]\ncapture = "hitt"', r"\[movement\] capture is 'hitt'; allowed: hit, pin, none"),
        ('[movement]\ncaptur = "hit"', r"\[movement\] captur is not known; did you mean capture"),
        ("[movement]\nblock = true", r"\[movement\] block is True; allowed: a whole number"),
        ("[movement]\nquarter_limits = [[1, 2]]", "allowed: three numbers: lowest point"),
        ("[setup]\npoints = { x = 2 }", r"\[setup\] points: 'x' names no point; allowed: 1 to 24, as in \{ 24 = 2"),
        ("[setup]\npoints = { 25 = 2 }", r"\[setup\] points: '25' names no point"),
        ("[setup]\npoints = { 24 = 2.5 }", r"\[setup\] points is 2\.5; allowed: a whole number"),
        ('[dice]\ntable = "d8"', "table is 'd8'; allowed: two dice, three dice, twelve sides"),
        ("[dice]\ndoubles = 5", "doubles is 5; allowed: 1 to 4 times"),
        ('[dice]\ntable = "twelve sides"\ndoubles = 2', "doubles are those of two dice; write the others under plays"),
        ('[dice]\nplays."9-9" = [1]', "plays 9-9 is '9-9'; allowed: a roll of these dice, 1-1 to 6-6"),
        ('[dice]\nplays."2-1" = 2', r"plays 2-1 is 2; allowed: numbers such as \[6, 6\]"),
        ('[dice]\ntable = ["two dice"]', r"table is \['two dice'\]; allowed: two dice, three dice, twelve sides"),
        ('[dice]\nplays."2-1" = []', r"plays 2-1 is \[\]; allowed: 1 to 4 numbers from 1 to 6"),
        ('[dice]\nplays."2-1" = [[]]', r"plays 2-1 is \[\]; allowed: 1 to 4 numbers from 1 to 6"),
        ('[dice]\nplays."2-1" = [0]', r"plays 2-1 is \[0\]; allowed: 1 to 4 numbers from 1 to 6"),
        (
            '[dice]\nplays."2-1" = [1, 1, 1, 1, 1]',
            r"plays 2-1 is \[1, 1, 1, 1, 1\]; allowed: 1 to 4 numbers from 1 to 6",
        ),
        ('[dice]\nplays."2-1" = [[[1]], []]', r"plays 2-1 is .*; allowed: one alternative or more in each part"),
        ("[movement]\nleave = 3000000000", r"leave is 3000000000; allowed: a smaller number"),
        ('[dice]\nplays."2-1" = [[2], 1]', r"plays 2-1 is 1; allowed: a list"),
        ('[dice]\nplays."2-1" = [[[[1]]]]', "plays 2-1 is .*; allowed: numbers"),
        ('[dice]\nagain = "2-1"', r"again is '2-1'; allowed: a list"),
        ('[dice]\nagain = ["21"]', r"again is '21'; allowed: a roll of these dice"),
        ('[follow_ups]\nrolls = { "x" = "2-2" }', "rolls is 'x'; allowed: numbers joined by hyphens"),
        ("[sequence]\ngames = [3]", r"\[sequence\] games is 3; allowed: texts in quotation marks"),
    ],
)
def test_what_a_file_may_not_say_is_refused_with_its_place_and_what_is_allowed(text: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        parse_variant(text, "mine")


@pytest.mark.parametrize("path", [None, 3, b"short.toml"])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(ArgumentError, match=r"path is .*; allowed: str, PathLike"):
        read_variant(path)


def test_an_error_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    for content, said in (
        (b"[setup]\npoints = { 24 = 2, 1 = 3 }", "bad.toml: both sides stand on our point 1"),
        (b"[scoring]\ngammon = 0", "bad.toml: a gammon pays 0, a backgammon 3"),
        (b"\xff", "bad.toml is no text in UTF-8"),
        (b"#" * (MAX_FILE_BYTES + 1), f"bad.toml is longer than {MAX_FILE_BYTES} bytes"),
    ):
        file.write_bytes(content)
        with pytest.raises(FormatError, match=said):
            read_variant(file)
    with pytest.raises(FileNotFoundError):
        read_variant(tmp_path / "none.toml")
    assert not bp.variants()[len(CATALOGUE) :]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[movement]\nblock = 0", r"\[movement\] block is 0; allowed: 1 or 2"),
        ("[movement]\nblock = 1", r'block is 1; allowed: 2 with capture = "hit"'),
        ('[movement]\ncapture = "none"', r'block is 2; allowed: 1 with capture = "none"'),
        (
            '[movement]\ncapture = "pin"\nhit_and_run = false',
            r'hit_and_run is False; allowed: true with capture = "pin"',
        ),
        ("[movement]\nrunner = -1", r"\[movement\] runner is -1; allowed: 0 to 23"),
        (
            'base = "nackgammon"\n[setup]\npoints = { 13 = 9 }\n[movement]\nrunner = 13',
            "runner is 13; allowed: 0 to 12, below",
        ),
        ("[setup]\npoints = {}\nhand = 9\n[movement]\nrunner = 5", "runner is 5; allowed: 0 where all checkers enter"),
        ("[movement]\nleave = 16", r"\[movement\] leave is 16; allowed: 0 to 15"),
        ("[setup]\npoints = {}\nhand = 9\n[movement]\nleave = 1", "leave is 1; allowed: 0 where all checkers enter"),
        ("[movement]\nleave_two = [-1]", r"\[movement\] leave_two is -1; allowed: numbers from 1 to 6"),
        ("[movement]\nlowest_while_entering = 25", "lowest_while_entering is 25; allowed: 0 to 24"),
        (
            "[movement]\nquarter_limits = [[-1, 1, 1]]",
            r"quarter_limits is \(-1, 1, 1\); allowed: lowest and highest point, 1 to 24",
        ),
        (
            "[ending]\nstart_pin_loses = true",
            r'\[ending\] start_pin_loses is True; allowed: false with capture = "hit"',
        ),
        ("[rerolls]\ntokens = -1", r"\[rerolls\] tokens is -1; allowed: 0 to 127"),
        ('[dice]\nweights."6-6" = 0', r"\[dice\] weights 6-6 is 0; allowed: 1 to 1048576"),
        ('[dice]\nweights."6-6" = 1048576', r"\[dice\] weights, all together, is 1048611; allowed: 1 to 1048576"),
        (f'[dice]\nplays."6-6" = {[[[1]]] * 9}', r"\[dice\] plays 6-6 is .*; allowed: 1 to 8 parts"),
        ("[follow_ups]\nplain_rolls = 4", "4 plain rolls; allowed: 0 to 3"),
        ("[follow_ups]\nplain_rolls = 1", "plain_rolls is 1; allowed: 0 where no roll follows another"),
        (
            '[follow_ups]\nrolls = { "6-6-6-6" = "6-6" }',
            "after 6-6 they follow each other without end; that needs once = true",
        ),
        (
            "[scoring]\ngammon = 40000\nbackgammon = 40000",
            "a gammon pays 40000, a backgammon 40000; allowed: 1 to 32767",
        ),
    ],
)
def test_values_that_cannot_be_played_are_refused_with_their_file_and_key(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=rf"odd\.toml: .*{said}"):
        read_variant(file)
    assert not bp.variants()[len(CATALOGUE) :]


def test_a_name_of_another_file_is_taken_until_that_file_is_gone(tmp_path: Path) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    one.write_text('name = "mine"\ncube = false', encoding="utf-8")
    read_variant(one)
    other.write_text('name = "mine"\ncube = false', encoding="utf-8")
    assert not read_variant(other).cube, "they say the same"
    read_variant(one)
    other.write_text('name = "mine"', encoding="utf-8")
    with pytest.raises(FormatError, match=r"other\.toml: 'mine' is the name of the variant in .*one\.toml"):
        read_variant(other)
    assert not bp.variant("mine").cube
    one.unlink()
    assert read_variant(other).cube


def test_a_variant_that_has_changed_keeps_its_place_before_those_that_name_it() -> None:
    bp.register(parse_variant("cube = false", "mine"))
    bp.register(parse_variant('[sequence]\ngames = ["mine", "backgammon"]', "both"))
    bp.register(parse_variant("[scoring]\ngammon = 3", "mine"), overwrite=True)
    assert [entry.name for entry in bp.variants()[len(CATALOGUE) :]] == ["mine", "both"]
    assert bp.variant("both").scoring.gammon == 3


def test_every_character_of_a_title_is_written_so_that_it_is_read_again() -> None:
    for first in range(0, 0x100, 32):
        title = "x" + "".join(map(chr, range(first, first + 32)))
        assert parse_variant(format_variant(Variant("mine", title, "", ""))).title == title


def test_a_start_that_the_rules_forbid_is_refused_when_it_is_registered() -> None:
    entry = parse_variant("[setup]\npoints = { 24 = 2, 1 = 3 }", "mine")
    with pytest.raises(PositionError, match="both sides stand on our point 1"):
        bp.register(entry)


def test_a_title_is_never_blank_and_texts_have_an_end() -> None:
    assert parse_variant('title = " "', "mine").title == "mine"
    for key, most in (("title", 60), ("line", 300)):
        assert parse_variant(f'{key} = "{"x" * most}"', "mine")
        with pytest.raises(FormatError, match=f"{key} is .*; allowed: at most {most} characters"):
            parse_variant(f'{key} = "{"x" * (most + 1)}"', "mine")
