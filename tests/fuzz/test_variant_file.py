"""Variants in files: whatever a file says, it is refused with what is allowed, or a game can be played by it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import barpoint as bp
from barpoint.dice import seeded
from barpoint.error import BarpointError, FormatError
from barpoint.variants import CATALOGUE
from barpoint.variants.variant_file import format_variant, parse_variant
from tests.support.games import AnythingAllowed

FILES = tuple(format_variant(replace(entry, name="mine", aliases=())) for entry in CATALOGUE)
NUMBERS = st.one_of(st.integers(-2, 16), st.sampled_from((24, 25, 127, 128, 32_768, 3 * 10**9, 10**30)))
VALUES = st.one_of(
    NUMBERS.map(str),
    st.sampled_from(('"none"', '"pin"', "true", "1.5", "nan", "{}", "[]", '["two dice"]', "1979-05-27", '"exact"')),
    st.lists(NUMBERS, max_size=5).map(str),
    st.lists(st.lists(NUMBERS, max_size=5), max_size=3).map(str),
    st.lists(st.lists(st.lists(NUMBERS, max_size=3), max_size=2), max_size=9).map(str),
)
KEYS = st.sampled_from(
    (
        "block",
        "capture",
        "runner",
        "leave",
        "leave_two",
        "quarter_limits",
        "lowest_while_entering",
        "hit_and_run",
        "start_pin_loses",
        "tokens",
        "gammon",
        "backgammon",
        "hand",
        "points",
        "plain_rolls",
        "once",
        "rolls",
        "table",
        "doubles",
        'weights."6-6"',
        'plays."6-5"',
        "again",
        "base",
        "cube",
        "name",
    )
)
AXES = st.sampled_from(
    ("movement", "ending", "rerolls", "scoring", "setup", "follow_ups", "dice", "opening", "sequence")
)


@st.composite
def changed(draw: st.DrawFn) -> str:
    """The file of a game of the catalogue with other values, or with fields in addition."""
    lines = draw(st.sampled_from(FILES)).splitlines()
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(lines) - 1))
        key, equals, _value = lines[at].partition(" = ")
        if equals and draw(st.booleans()):
            lines[at] = f"{key} = {draw(VALUES)}"
        else:
            lines.insert(at, draw(st.one_of(st.builds("{} = {}".format, KEYS, VALUES), AXES.map("[{}]".format))))
    return "\n".join(lines)


@contextmanager
def nothing_registered() -> Iterator[None]:
    catalogue = sys.modules["barpoint.variants"]  # bp.variants is the function
    catalogue._registered.clear()  # type: ignore[attr-defined]
    catalogue._rules.cache_clear()  # type: ignore[attr-defined]
    yield
    catalogue._registered.clear()  # type: ignore[attr-defined]
    catalogue._rules.cache_clear()  # type: ignore[attr-defined]


@given(st.one_of(changed(), st.builds("[{}]\n{} = {}".format, AXES, KEYS, VALUES)), st.integers(0, 99))
def test_any_file_is_refused_or_is_played(text: str, seed: int) -> None:
    with nothing_registered():
        try:
            entry = parse_variant(text, "mine")
            rules = bp.register(entry)
        except BarpointError:
            return
        random = Random(seed)
        players = AnythingAllowed(random.randrange(99)), AnythingAllowed(random.randrange(99))
        for state in bp.play_match(bp.Match.start(1, rules), *players, dice=seeded(seed)):
            if len(state.events) > 12:
                break
        again = parse_variant(format_variant(entry))
        assert again.axes == entry.axes


@given(st.text(max_size=80))
def test_any_text_is_a_variant_or_is_refused(text: str) -> None:
    try:
        entry = parse_variant(text, "mine")
    except BarpointError:
        return
    assert parse_variant(format_variant(entry)).axes == entry.axes


def test_dots_in_texts_and_comments_are_no_parts_of_keys() -> None:
    dots = "a.b.c.d.e.f.g.h.i.j"
    text = f"""name = "dotted" # {dots}\nline = "see, \\" {dots} # {dots}"\nsource = '{dots}'"""
    assert parse_variant(text).line == f'see, " {dots} # {dots}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = " + "[" * 3000, "lists or tables are nested too deeply; a variant needs four levels at most"),
        ("x = " + "9" * 5000, "a number has too many digits"),
        ("cube = 0x" + "f" * 5000, "cube is a very large int; allowed: true, false"),
        ("[movement]\nblock = 0x" + "f" * 5000, "block is a very large int; allowed: a smaller number"),
        ("cube" + ".a" * 7 + " = 1", "cube is .*; allowed: true, false"),
        ("cube" + ".a" * 8 + " = 1", "a key has more than 8 parts"),
        ("a." * 49_000 + "a = 1", "a key has more than 8 parts"),
        ("[" + "'a' . " * 15_000 + "a]", "a key has more than 8 parts"),
        ("cube = {" + "a." * 15_000 + "a = 1}", "a key has more than 8 parts"),
        (r'"\"".' * 8_000 + "a = 1", "a key has more than 8 parts"),
    ],
)
def test_what_is_too_much_is_refused(text: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        parse_variant(text, "mine")
