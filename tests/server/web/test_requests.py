"""What is read from addresses: the page of a list."""

import pytest

from barpoint.server.web.requests import MAX_PAGE, page_in


@pytest.mark.parametrize(
    ("fields", "page"),
    [
        ({}, 1),
        ({"page": "3"}, 3),
        ({"page": "0"}, 1),
        ({"page": "-2"}, 1),
        ({"page": "two"}, 1),
        ({"page": str(MAX_PAGE)}, MAX_PAGE),
        ({"page": str(MAX_PAGE + 1)}, MAX_PAGE),
        ({"page": "9" * 5_000}, 1),
    ],
)
def test_a_page_is_one_of_those_that_can_be_asked_for(fields: dict[str, str], page: int) -> None:
    assert page_in(fields) == page
