"""Variants in files: what a file may say, what is refused, and that every variant of the catalogue can be written as one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import barpoint as bp
from barpoint.dice import TWO_DICE
from barpoint.error import FormatError, PositionError, UnknownVariant
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
        ("[setup]\npoints = { x = 2 }", r"\[setup\] points is 'x'; allowed: points from 1 to 24"),
        ("[setup]\npoints = { 24 = 2.5 }", r"\[setup\] points is 2\.5; allowed: a whole number"),
        ('[dice]\ntable = "d8"', "table is 'd8'; allowed: two dice, three dice, twelve sides"),
        ("[dice]\ndoubles = 5", "doubles is 5; allowed: 1 to 4 times"),
        ('[dice]\ntable = "twelve sides"\ndoubles = 2', "doubles are those of two dice; write the others under plays"),
        ('[dice]\nplays."9-9" = [1]', "plays 9-9 is '9-9'; allowed: a roll of these dice, 1-1 to 6-6"),
        ('[dice]\nplays."2-1" = 2', r"plays 2-1 is 2; allowed: numbers such as \[6, 6\]"),
        ('[dice]\nplays."2-1" = []', r"plays 2-1 is \[\]; allowed: numbers"),
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


def test_a_start_that_the_rules_forbid_is_refused_when_it_is_registered() -> None:
    entry = parse_variant("[setup]\npoints = { 24 = 2, 1 = 3 }", "mine")
    with pytest.raises(PositionError, match="both sides stand on our point 1"):
        bp.register(entry)
