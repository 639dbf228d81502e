"""Names of accounts: none looks like another, like the server, or like markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.server.domain.limits import MAX_NAME
from barpoint.server.domain.names import NameRefused, checked_name, folded, look


@pytest.mark.parametrize(
    "name", ["Anna", "Jean-Luc", "R2 D2", "Müller", "Анна", "五郎", "ひらカタ漢字", "a.b_c", "Zoë 99"]
)
def test_ordinary_names_of_any_alphabet_are_kept_as_they_are(name: str) -> None:
    assert checked_name(f"  {name} ") == name


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("A", "allowed: 2 to 20"),
        ("x" * 21, "allowed: 2 to 20"),
        ("", "allowed: 2 to 20"),
        ("1Anna", "begins with a letter"),
        ("-Anna", "begins with a letter"),
        ("Anna--B", "single spaces"),
        ("Anna. B", "single spaces"),
        ("Anna-", "ends with a letter"),
        ("<b>Anna</b>", "begins with a letter"),
        ("Anna<i>", "allowed: letters"),
        ("Anna'--", "allowed: letters"),
        ('An"na', "allowed: letters"),
        ("An&na", "allowed: letters"),
        ("An\u202ena", "allowed: letters"),
        ("An\u200bna", "allowed: letters"),
        ("An\nna", "allowed: letters"),
        ("Anna😀", "allowed: letters"),
        ("A\u0300\u0301\u0302nna", "mixes alphabets"),
        ("Аnna", "mixes alphabets"),  # a Cyrillic capital first
        ("Annα", "mixes alphabets"),
        ("Admin", "kept for the server"),
        ("a.d.m.i.n", "kept for the server"),
        ("Adm1n", "kept for the server"),
        ("Barpoint Master", "kept for the server"),
        ("GNU Backgammon", "kept for the server"),
        ("Guest 1234", "kept for the server"),
        ("You", "kept for the server"),
        ("Former player", "kept for the server"),
    ],
)  # fmt: skip
def test_any_other_name_is_refused_with_what_is_allowed(typed: str, said: str) -> None:
    with pytest.raises(NameRefused, match=said):
        checked_name(typed)


@pytest.mark.parametrize(("one", "other"), [("Anna", "ANNA"), ("Straße", "STRASSE"), ("Ａnna", "anna")])
def test_capitals_and_ways_of_writing_make_no_other_name(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize(("one", "other"), [("Alice", "AIice"), ("Bob", "B0b"), ("ann.a", "anna"), ("сосо", "coco")])
def test_names_that_look_the_same_have_one_look(one: str, other: str) -> None:
    assert folded(one) != folded(other)
    assert look(one) == look(other)


def test_different_names_look_different() -> None:
    assert len({look(name) for name in ("Anna", "Änna", "Hanna", "Anne", "Ben", "Bent")}) == 6


@given(st.text(max_size=40))
def test_whatever_is_typed_is_a_plain_name_or_refused(typed: str) -> None:
    try:
        name = checked_name(typed)
    except NameRefused:
        return
    assert checked_name(name) == name
    assert len(name) <= MAX_NAME
    assert name.isprintable()
    assert not set(name) & set("<>&\"'`/\\%;")
    assert len(folded(name)) <= 80
    assert len(look(name)) <= 80
