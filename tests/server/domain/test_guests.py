"""Guests: their cookie proves their identity, and their names are safe to show."""

import pytest

from barpoint.server.domain import guests

KEY = bytes.fromhex(guests.new_key())


def test_a_signed_cookie_names_its_guest() -> None:
    anna = guests.new_guest()
    assert guests.read(KEY, guests.sign(KEY, anna.id)) == anna.id


@pytest.mark.parametrize("forged", [None, "", ".", "anna", "anna.", "anna.00", ".00", "anna.é", "a.b.c"])
def test_anything_else_names_nobody(forged: str | None) -> None:
    assert guests.read(KEY, forged) is None


def test_a_cookie_signed_with_another_key_names_nobody() -> None:
    other = bytes.fromhex(guests.new_key())
    assert guests.read(KEY, guests.sign(other, "anna")) is None
    assert guests.read(KEY, guests.sign(KEY, "anna").replace("anna", "bena")) is None


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Anna  ", "Anna"),
        ("Anna\n\tBell", "AnnaBell"),
        ("A   B", "A B"),
        ("x" * 99, "x" * 24),
        ("\u202eevil", "evil"),
        ("\x00\x1b[1m", "[1m"),
        ("   ", None),
        ("\u200b", None),
        ("Ängström 象", "Ängström 象"),
        ("\U0001f469\U0001f3fd\u200d\U0001f680 Zoë", "\U0001f469\U0001f3fd\u200d\U0001f680 Zoë"),
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),
        ("An\u200dna\u200d", "Anna"),
        ("\u200d\U0001f680\u200d", "\U0001f680"),
        ("x" * 22 + "\U0001f469\u200d\U0001f680", "x" * 22 + "\U0001f469"),
    ],
)
def test_names_are_one_short_printable_line(typed: str, shown: str | None) -> None:
    assert guests.clean_name(typed) == shown
