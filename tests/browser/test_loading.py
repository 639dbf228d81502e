"""A page names all scripts that it needs in its head, so that a browser asks for them at once."""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.site import Site, open_site

__all__ = ["open_site"]

NAMED = """[...document.querySelectorAll("link[rel=modulepreload], script[src]")]
    .map((one) => new URL(one.href ?? one.src, location).pathname)"""


def test_the_head_of_a_page_names_the_scripts_that_it_fetches_and_no_others(open_site: Callable[..., Site]) -> None:
    site = open_site()
    person = site.person()
    fetched: set[str] = set()
    person.page.on(
        "request",
        lambda request: (
            fetched.add(request.url.removeprefix(site.served.address)) if request.url.endswith(".js") else None
        ),
    )
    person.challenge(length=1)
    for path in ("/", "/lobby", "/analysis", "/review", "/learn/first-game", "/rules/tabula", person.path):
        fetched.clear()
        person.go(path)
        person.page.wait_for_load_state("networkidle")
        assert set(person.page.evaluate(NAMED)) == fetched, path
