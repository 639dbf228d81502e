"""Everything that comes by a form, an address or a cookie: read, or refused with a reason; never a fault."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.error import BarpointError
from barpoint.server.domain import guests
from barpoint.server.domain.accounts import checked_email, typed_code
from barpoint.server.domain.agreement_form import read_agreement
from barpoint.server.domain.agreements import time_control_named
from barpoint.server.domain.dice_report import read_report
from barpoint.server.domain.limits import MAX_CHAT_TEXT, MAX_GUEST_NAME, MAX_POINTS
from barpoint.server.domain.names import checked_name
from barpoint.server.live.chat import clean_report, clean_text
from barpoint.server.live.mail import parse_mail_server
from barpoint.server.web.requests import back_from
from barpoint.server.web.variants import name_from
from barpoint.variants import variant

NAMES = (
    "variant",
    "length",
    "cube",
    "crawford",
    "jacoby",
    "beavers",
    "automatic_doubles",
    "time_control",
    "rated",
    "fee",
)
VALUES = st.text(max_size=30) | st.sampled_from(
    ["backgammon", "roll-over", "duodecagammon", "0", "15", "16", "-1", "1e9", "٣", "Fast", "Correspondence 31"]
)


@given(st.lists(st.tuples(st.sampled_from(NAMES) | st.text(max_size=12), VALUES), max_size=12), st.booleans())
def test_any_form_is_an_offer_or_is_refused(fields: list[tuple[str, str]], registered: bool) -> None:
    with suppress(BarpointError):
        agreement = read_agreement({**dict(fields), "variant": name_from(fields)}, registered)
        assert 0 <= agreement.terms.length <= MAX_POINTS
        assert registered or not agreement.needs_account


@pytest.mark.parametrize(
    "read", [checked_name, checked_email, typed_code, parse_mail_server, time_control_named, variant]
)
@given(st.text(max_size=300))
def test_any_text_is_accepted_or_refused(read: object, text: str) -> None:
    with suppress(BarpointError):
        read(text)  # type: ignore[operator]


@given(st.text(max_size=200))
def test_no_cookie_is_a_guest_without_the_key(cookie: str) -> None:
    assert guests.read(b"key", cookie) is None


@given(st.text(max_size=100))
def test_the_way_back_stays_here(text: str) -> None:
    back = back_from(text)
    assert back.startswith("/")
    assert not back.startswith(("//", "/\\"))


@given(st.text(max_size=3000))
def test_words_names_and_reports_are_bounded_and_printable(text: str) -> None:
    assert len(words := clean_text(text)) <= MAX_CHAT_TEXT
    assert words.isprintable()
    name = guests.clean_name(text)
    assert name is None or (name.isprintable() and 0 < len(name) <= MAX_GUEST_NAME)
    assert all(line.isprintable() for line in clean_report(text).split("\n"))


REPORT_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@given(st.binary(max_size=300) | REPORT_VALUES.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_a_report_of_dice_or_are_refused(data: bytes) -> None:
    with suppress(BarpointError):
        read_report(data)
