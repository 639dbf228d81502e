"""Passwords, addresses and codes."""

import pytest
from argon2 import PasswordHasher

from barpoint.server.domain.accounts import (
    AccountRefused,
    Passwords,
    checked_email,
    checked_password,
    digest,
    new_codes,
    typed_code,
)

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


async def test_a_password_fits_its_hash_and_no_other() -> None:
    passwords = Passwords(QUICK)
    kept = await passwords.hash("correct horse")
    assert kept.startswith("$argon2id$")
    assert await passwords.fits(kept, "correct horse")
    assert not await passwords.fits(kept, "correct house")
    assert not await passwords.fits("no hash at all", "correct horse")


async def test_an_account_that_is_not_there_is_refused_after_the_same_work() -> None:
    tried: list[str] = []

    class Counting(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> bool:  # type: ignore[override]
            tried.append(str(hash))
            return super().verify(hash, password)  # type: ignore[return-value]

    assert not await Passwords(Counting(time_cost=1, memory_cost=8, parallelism=1)).fits(None, "correct horse")
    assert len(tried) == 1


@pytest.mark.parametrize(
    "password", ["short", "x" * 201, "password", "PassW0rd", "aaaaaaaaaaaa", "anna1234", "backgammon"]
)
def test_passwords_that_anybody_tries_first_are_refused(password: str) -> None:
    with pytest.raises(AccountRefused):
        checked_password(password, "Anna")


def test_any_long_enough_password_will_do() -> None:
    for password in ("correct horse", "пароль-мой", "'; DROP TABLE--", "  spaces kept  "):
        assert checked_password(password, "Anna") == password


@pytest.mark.parametrize(
    "typed", ["anna", "anna@", "@b.org", "a b@c.org", "a@b.org\nBcc: c@d.org", "a@b..org", "x" * 250 + "@b.org"]
)
def test_addresses_that_no_letter_could_reach_are_refused(typed: str) -> None:
    with pytest.raises(AccountRefused):
        checked_email(typed)


def test_an_address_may_be_left_out() -> None:
    assert checked_email("  ") is None
    assert checked_email(" anna@example.org ") == "anna@example.org"


def test_recovery_codes_are_many_different_and_forgiving_to_type() -> None:
    codes = new_codes()
    assert len(set(codes)) == 8
    for code in codes:
        assert typed_code(code.upper().replace("-", " ")) == code
        assert digest(code) != code
