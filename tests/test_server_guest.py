"""Guests are who their cookie proves them to be, and are called what can be shown."""

import pytest

from barpoint.server import guest

KEY = bytes.fromhex(guest.new_key())


def test_a_signed_cookie_names_its_guest() -> None:
    anna = guest.new_guest()
    assert guest.read(KEY, guest.sign(KEY, anna.id)) == anna.id


@pytest.mark.parametrize("forged", [None, "", ".", "anna", "anna.", "anna.00", ".00", "anna.é", "a.b.c"])
def test_anything_else_names_nobody(forged: str | None) -> None:
    assert guest.read(KEY, forged) is None


def test_a_cookie_signed_with_another_key_names_nobody() -> None:
    other = bytes.fromhex(guest.new_key())
    assert guest.read(KEY, guest.sign(other, "anna")) is None
    assert guest.read(KEY, guest.sign(KEY, "anna").replace("anna", "bena")) is None


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
    ],
)
def test_names_are_one_short_printable_line(typed: str, shown: str | None) -> None:
    assert guest.clean_name(typed) == shown
