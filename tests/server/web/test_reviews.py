"""The page that imports match files: what it says of a file that holds a position instead of a match."""

from __future__ import annotations

import html
import io
import json
import re
import struct
import zipfile
from urllib.parse import parse_qs, urlsplit

import httpx

from barpoint.server.study.analysis_board import MAX_PATH
from barpoint.server.study.uploads import ReadUpload
from barpoint.server.web.reviews import LINES, _read_files
from barpoint.variants import variant
from tests.record.test_mat import MATCH
from tests.record.test_xgp import of, to_play
from tests.support.accounts import register

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
POSITION = f"""{XGID}

X:Anna   O:Bruno
Score is X:0 O:0. Unlimited Game
 +13-14-15-16-17-18------19-20-21-22-23-24-+
X to play 31
"""


ANALYSED = f"""{POSITION}
    1. XG Roller++ 8/5 6/5                      eq:+0.159
      Player:   55.10% (G:16.90% B:1.30%)
      Opponent: 44.90% (G:12.40% B:0.50%)

    2. 3-ply       24/23 13/10                  eq:-0.010 (-0.169)
      Player:   49.40% (G:14.00% B:0.80%)
      Opponent: 50.60% (G:13.40% B:0.50%)

eXtreme Gammon Version: 2.10, MET: Kazaross XG2
"""
SAID = "eXtreme Gammon, XG Roller++: 8/5 6/5"


def board_of(page: str) -> str:
    """The address of the analysis board that a page leads to by the name of the file."""
    found = re.search(r'<a href="(/analysis[^"]*)">position', page)
    assert found, page
    return html.unescape(found[1])


def archive_of_31() -> bytes:
    """A position of eXtreme Gammon with an analysis of two plays."""
    record = bytearray(to_play(variant("backgammon").start, (3, 1), 0))
    struct.pack_into("<i", record, 188, 2)
    for index, (moves, equity) in enumerate((((7, 4, 5, 4), 0.159), ((23, 22, 12, 9), -0.01))):
        struct.pack_into("<8b", record, 1024 + 8 * index, *moves, -1, -1, -1, -1)
        struct.pack_into("<h", record, 1280 + 4 * index, 1002)
        struct.pack_into("<7f", record, 1408 + 28 * index, 0.005, 0.124, 0.449, 0.551, 0.169, 0.013, equity)
    return of(bytes(record))


def test_a_file_of_one_position_opens_on_the_analysis_board(http: httpx.Client) -> None:
    answer = http.post("/review", files={"file": ("position.txt", POSITION)})
    assert answer.status_code == 303
    assert "roll=31" in answer.headers["location"]
    assert http.get(answer.headers["location"]).status_code == 200


def test_positions_beside_other_files_are_listed_with_what_their_files_say(http: httpx.Client) -> None:
    files = [
        ("file", ("broken.mat", "nothing")),
        ("file", ("position.txt", POSITION)),
        ("file", ("position 2.xgp", archive_of_31())),
    ]
    answer = http.post("/review", files=files, headers={"accept": LINES})
    broken, position, archive = (json.loads(line)["html"] for line in answer.text.splitlines())
    assert "/analysis" not in broken
    assert "roll=31" in board_of(position)
    assert SAID in archive
    page = http.post("/review", files=files).text
    assert "2 positions" in page
    assert page.count('name="position"') == 2
    assert http.get(board_of(archive)).status_code == 200


def test_positions_in_a_zip_are_read_and_damaged_ones_are_named(http: httpx.Client) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as pack:
        for name, content in (("a/one.xgp", archive_of_31()), ("two.txt", ANALYSED.encode()), ("bad.xgp", b"RGMH")):
            pack.writestr(name, content)
    page = http.post("/review", files={"file": ("all.zip", packed.getvalue())}).text
    assert "2 positions" in page
    assert page.count(SAID) == 2
    cut_off = "a file of eXtreme Gammon that ends within its header: 4 bytes of 8232"
    assert f"bad.xgp</b>: This is no match that can be read: {cut_off}" in page


def test_the_board_of_a_position_with_an_analysis_says_what_the_other_program_found(http: httpx.Client) -> None:
    for files in ({"file": ("a.xgp", archive_of_31())}, {"file": ("a.txt", ANALYSED)}):
        address = http.post("/review", files=files).headers["location"]
        (text,) = parse_qs(urlsplit(address).query)["id"]
        assert len(text) < 1000
        page = http.get(address)
        assert page.status_code == 200
        assert "data-reads" in page.text
        found = http.post("/api/analysis/read", json={"text": text}).json()
        other = found["other"]
        assert (other["program"], other["lines"][0]) == ("eXtreme Gammon", SAID)
        assert other["lines"][1].startswith("8/5 6/5 +0.159; 24/23 13/10 -0.010")
        assert [(one["text"], one["equity"]) for one in other["options"]] == [
            ("8/5 6/5", 0.159),
            ("24/23 13/10", -0.01),
        ]
        assert "roll=31" in found["path"]


def test_a_pasted_position_with_an_analysis_keeps_it_on_the_way_to_the_board(http: httpx.Client) -> None:
    answer = http.post("/review", data={"text": ANALYSED})
    assert answer.status_code == 303
    assert "data-reads" in http.get(answer.headers["location"]).text


def test_positions_become_a_study_with_what_their_files_say(http: httpx.Client) -> None:
    assert http.post("/review/positions/study", data={"position": f"first\n{XGID}"}).status_code == 403
    register(http, "collector")
    data = {"title": "My best", "position": [f"first\n{ANALYSED}", f"second\n{XGID}"]}
    answer = http.post("/review/positions/study", data=data)
    assert answer.status_code == 303
    study = http.get("/api" + answer.headers["location"]).json()
    assert (study["title"], [one["name"] for one in study["nodes"]]) == ("My best", ["first", "second"])
    assert study["nodes"][0]["comment"].startswith(SAID)
    assert "comment" not in study["nodes"][1]
    http.post("/review", files=[("file", (name, POSITION)) for name in ("one.txt", "two.txt")])
    with zipfile.ZipFile(io.BytesIO(http.get("/account/barpoint.zip").content)) as pack:
        brought = json.loads(pack.read("position.json"))
    assert [one["file"] for one in brought] == ["one.txt", "two.txt"], "and a download of own data holds them"
    for data in ({"position": []}, {"position": "no\nposition"}):
        assert http.post("/review/positions/study", data=data).status_code == 422


def full_text(number: int) -> str:
    """A position with as many evaluated plays as programs export, each with its chances, and a score of its own."""
    chances = "      Player:   55.10% (G:16.90% B:1.30%)\n      Opponent: 44.90% (G:12.40% B:0.50%)\n"
    one = "XG Roller++ 24/23 13/11 6/5"
    plays = (f"   {rank}. {one}     eq:{-rank / 100:+.3f}\n{chances}" for rank in range(1, 33))
    at = XGID.replace(":0:0:0:0:10", f":{number % 20}:{number // 20}:0:25:10")
    return f"{at}\neXtreme Gammon\n{''.join(plays)}"


def test_as_many_full_positions_as_a_study_holds_are_sent_and_kept(http: httpx.Client) -> None:
    register(http, "hoarder")
    found = [_read_files(ReadUpload(f"position {number}.txt", position=full_text(number)))[0] for number in range(500)]
    assert "G:" not in found[0].position
    data = {"position": [f"{one.stem}\n{one.position}" for one in found]}
    answer = http.post("/review/positions/study", data=data)
    assert answer.status_code == 303, answer.text
    nodes = http.get("/api" + answer.headers["location"]).json()["nodes"]
    assert len(nodes) == 500
    assert nodes[-1]["comment"].count("24/23") >= 5


def test_positions_of_the_last_upload_are_still_listed_when_the_page_is_opened_again(http: httpx.Client) -> None:
    files = [
        ("file", ("broken.mat", "nothing")),
        ("file", ("folder/one.txt", ANALYSED)),
        ("file", ("two.xgp", archive_of_31())),
    ]
    http.post("/review", files=files, headers={"accept": LINES})
    page = http.get("/review").text
    assert "2 positions" in page
    assert page.count(SAID) == 2
    assert page.count('name="position"') == 2
    assert "1 file of the last upload was not taken" in page
    assert "broken.mat" in page
    http.post("/review", files={"file": ("match.mat", MATCH)})
    page = http.get("/review").text
    assert 'name="position"' not in page
    assert "of the last upload" not in page


def test_the_address_of_a_board_has_room_for_what_is_shown_and_the_beginning_of_a_comment(http: httpx.Client) -> None:
    comment = "Почему не 13/8? " * 200
    for files in (
        {"file": ("a.txt", f"{full_text(1)}Comment {json.dumps(comment)}\n")},
        {"file": ("a.txt", full_text(2))},
    ):
        address = http.post("/review", files=files).headers["location"]
        assert len(address) <= MAX_PATH
        (text,) = parse_qs(urlsplit(address).query)["id"]
        assert text.count(" eq: ") == 5
        assert "G:" not in text
        lines = http.post("/api/analysis/read", json={"text": text}).json()["other"]["lines"]
        assert any("XG Roller++" in line for line in lines)
        assert ("Comment" not in text) == (files["file"][1] == full_text(2))
    first = http.post("/review", files={"file": ("a.txt", f"{XGID}\nComment {json.dumps(comment)}\n")})
    (text,) = parse_qs(urlsplit(first.headers["location"]).query)["id"]
    said = http.post("/api/analysis/read", json={"text": text}).json()["other"]["lines"]
    assert said[0].startswith("From the file: Почему не 13/8?")
    assert said[0].endswith("…")


def test_a_file_without_one_position_is_refused_as_before(http: httpx.Client) -> None:
    for text in (
        "no match at all",
        f"{XGID}\nXGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10",
        POSITION + " " * 100_000,
    ):
        answer = http.post("/review", files={"file": ("position.txt", text)})
        assert answer.status_code == 422
        assert "/analysis?" not in answer.text


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
