"""`barpoint engine` under any input: every line is answered by one line of JSON, and the next one still is."""

import io
import json

from hypothesis import given
from hypothesis import strategies as st

from barpoint.cli.engine import serve_lines
from barpoint.cli.protocol import DOES
from tests.fuzz.test_id import POSITION_TEXT

CODES = {
    "bad_request",
    "bad_position",
    "bad_roll",
    "unknown_variant",
    "variants_clash",
    "unsupported_rules",
    "cancelled",
}
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
NAMES = st.sampled_from(
    ("backgammon", "roll-over", "hypergammon", "acey-deucey", "plakoto", "roll-over+nack", "a+b", "")
)
STAKES = st.fixed_dictionaries(
    {},
    optional={
        "length": st.integers(-1, 9),
        "away": st.lists(st.integers(-1, 9), min_size=1, max_size=3),
        "crawford": st.booleans(),
        "cube": st.integers(-1, 9),
        "owner": st.sampled_from(("us", "them", None, "me")),
        "jacoby": st.booleans(),
        "beavers": st.integers(-1, 2),
    },
)
POSITIONS = st.sampled_from(("4HPwATDgc/ABMA", "sGfwATDgc/ABMA", "AACgAgAAKgAAAA", "~AAAA/v8AAAD4/wM")) | POSITION_TEXT
FIELDS = {
    "id": st.integers(-5, 5) | ANYTHING,
    "do": st.sampled_from(DOES) | ANYTHING,
    "position": POSITIONS | ANYTHING,
    "positions": st.lists(POSITIONS, max_size=3) | ANYTHING,
    "roll": st.lists(st.integers(0, 7), max_size=3) | ANYTHING,
    "variant": NAMES | ANYTHING,
    "tokens": st.lists(st.integers(-1, 2), max_size=3) | ANYTHING,
    "stakes": STAKES | ANYTHING,
    "plies": st.just(0) | ANYTHING.filter(lambda plies: plies not in (1, 2, 3, 4)),  # those are only slow
    "caller": st.sampled_from(("us", "them")) | ANYTHING,
    "played": POSITIONS | ANYTHING,
    "request": ANYTHING,
}
REQUESTS = st.fixed_dictionaries({}, optional=FIELDS)
LIKELY = st.fixed_dictionaries(
    {"id": st.just(1), "do": st.sampled_from(DOES)},
    optional={name: values for name, values in FIELDS.items() if name not in ("id", "do")},
)


def check(line: bytes) -> None:
    sink = io.BytesIO()
    serve_lines(io.BytesIO(line.replace(b"\n", b" ") + b'\n{"id":"last","do":"cancel","request":1}\n'), sink)
    found = [json.loads(answer) for answer in sink.getvalue().splitlines()]
    assert len(found) == (2 if line.strip() else 1)
    assert found[-1]["id"] == "last"
    if "error" in found[0]:
        assert found[0]["error"]["code"] in CODES
        assert "an error in this program" not in found[0]["error"]["message"]


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(line: bytes) -> None:
    check(line)


@given(ANYTHING.map(json.dumps))
def test_any_json_is_answered(line: str) -> None:
    check(line.encode("utf-8", "surrogatepass"))


@given(REQUESTS.map(json.dumps))
def test_any_object_is_answered(line: str) -> None:
    check(line.encode("utf-8", "surrogatepass"))


@given(LIKELY.map(json.dumps))
def test_requests_that_are_nearly_right_are_answered(line: str) -> None:
    check(line.encode("utf-8", "surrogatepass"))
