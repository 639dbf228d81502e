"""Texts that people write, with addresses as links and nothing else as markup."""

from __future__ import annotations

import pytest

from barpoint.server.web.rendering import linked


def anchor(address: str) -> str:
    return f'<a href="{address}" rel="nofollow noopener ugc">{address}</a>'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see https://example.org/a?b=1&c=2.", f"see {anchor('https://example.org/a?b=1&amp;c=2')}."),
        ("(https://example.org)", f"({anchor('https://example.org')})"),
        ("https://a.org/x_(y), https://b.org!", f"{anchor('https://a.org/x_(y)')}, {anchor('https://b.org')}!"),
        ('https://a.org/"><script>', f"{anchor('https://a.org/')}&#34;&gt;&lt;script&gt;"),
        ("https://a.org/'x", f"{anchor('https://a.org/')}&#39;x"),
    ],
)
def test_https_addresses_become_links_without_what_ends_the_sentence(text: str, shown: str) -> None:
    assert str(linked(text)) == shown


@pytest.mark.parametrize("text", ["https://", "http://example.org", "javascript:alert(1)", "https://...", "www.a.org"])
def test_nothing_else_becomes_a_link(text: str) -> None:
    assert "<a" not in linked(text)
