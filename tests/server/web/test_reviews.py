"""The page that imports match files: what it says of a file that holds a position instead of a match."""

from __future__ import annotations

import html
import json
import re

import httpx

from barpoint.server.study.uploads import MAX_POSITION_BYTES
from barpoint.server.web.reviews import LINES
from tests.record.test_mat import MATCH

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


def test_the_pasted_text_of_a_match_is_imported_as_a_file_would_be(http: httpx.Client) -> None:
    for text in (MATCH, MATCH[MATCH.index(" Game 1") :], f"{MATCH[MATCH.index('  1)') :]}"):
        answer = http.post("/review", data={"text": text})
        assert (answer.status_code, answer.headers["location"][:8]) == (303, "/review/")
        assert http.get(answer.headers["location"]).status_code == 200
    assert "pasted text.mat" in http.get("/review").text


def test_a_pasted_id_leads_to_the_analysis_board(http: httpx.Client) -> None:
    answer = http.post("/review", data={"text": f"{XGID}\n"})
    assert answer.status_code == 303
    assert http.get(answer.headers["location"]).status_code == 200
    (line,) = http.post("/review", data={"text": XGID}, headers={"accept": LINES}).text.splitlines()
    assert json.loads(line)["to"] == answer.headers["location"]
    assert "roll=31" in answer.headers["location"]


def test_another_pasted_text_is_refused_with_what_is_allowed(http: httpx.Client) -> None:
    for text, said in (
        ("nothing <b>", "“nothing &lt;b&gt;” is neither a match nor a position; allowed: the text of a match"),
        ("  7) 31: 8/5 6/5", "A line of a match says nothing about the position before it; paste the match"),
        (" ", "No file was chosen"),
    ):
        answer = http.post("/review", data={"text": text})
        assert (answer.status_code, said in answer.text) == (422, True), answer.text
