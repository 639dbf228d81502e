"""The page that imports match files: what it says of a file that holds a position instead of a match."""

from __future__ import annotations

import html
import json
import re

import httpx

from barpoint.server.web.reviews import LINES, MAX_POSITION_BYTES

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
POSITION = f"""{XGID}

X:Anna   O:Bruno
Score is X:0 O:0. Unlimited Game
 +13-14-15-16-17-18------19-20-21-22-23-24-+
X to play 31
"""


def board_of(page: str) -> str:
    """The address of the analysis board that a page offers."""
    found = re.search(r'<a href="(/analysis[^"]*)">Open this position on the analysis board</a>', page)
    assert found, page
    return html.unescape(found[1])


def test_a_file_of_one_position_leads_to_the_analysis_board(http: httpx.Client) -> None:
    answer = http.post("/review", files={"file": ("position.txt", POSITION)})
    assert answer.status_code == 422
    assert "This file holds one position, not a match." in answer.text
    assert "read_position" not in answer.text
    address = board_of(answer.text)
    assert "roll=31" in address
    assert http.get(address).status_code == 200


def test_the_script_of_the_page_is_given_the_link_too(http: httpx.Client) -> None:
    files = [("file", ("broken.mat", "nothing")), ("file", ("position.txt", POSITION))]
    answer = http.post("/review", files=files, headers={"accept": LINES})
    broken, position = (json.loads(line)["html"] for line in answer.text.splitlines())
    assert "/analysis" not in broken
    assert "roll=31" in board_of(position)


def test_a_file_without_one_position_is_refused_as_before(http: httpx.Client) -> None:
    for text in (
        "no match at all",
        f"{XGID}\nXGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10",
        POSITION + " " * MAX_POSITION_BYTES,
    ):
        answer = http.post("/review", files={"file": ("position.txt", text)})
        assert answer.status_code == 422
        assert "on the analysis board</a>" not in answer.text
