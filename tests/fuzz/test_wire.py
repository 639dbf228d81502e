"""The WebSocket's messages: whatever is sent is a request or is refused with a reason."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.chouette import kind_of as chouette_kind_of
from barpoint.error import FormatError
from barpoint.game import kind_of
from barpoint.server.protocol.chouettes import ChouetteActRequest, chouette_event_of, read_chouette_request
from barpoint.server.protocol.matches import ActRequest, EnterRequest, event_of, read_request

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 30) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
KINDS = st.sampled_from(["roll", "play", "rollover", "resign", "keep", "double", "void", "object", "opening", "next"])
EVENTS = st.fixed_dictionaries(
    {"kind": KINDS},
    optional={"moves": VALUES, "roll": VALUES, "level": VALUES, "player": VALUES, "faces": VALUES, "reason": VALUES},
)
MESSAGES = st.fixed_dictionaries(
    {"do": st.sampled_from(["join", "act", "enter", "try", "ping"])},
    optional={"id": VALUES, "seq": VALUES, "event": EVENTS, "version": VALUES, "moves": VALUES, "protocol": VALUES},
)


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_any_text_is_refused_with_a_reason(frame: str | bytes) -> None:
    for read in (read_request, read_chouette_request):
        with pytest.raises(FormatError) as refused:
            read(frame)
        assert str(refused.value)


@given(MESSAGES)
def test_what_is_nearly_a_message_is_one_or_is_refused(message: dict[str, object]) -> None:
    with suppress(FormatError):
        request = read_request(json.dumps(message))
        if isinstance(request, ActRequest):
            assert kind_of(event_of(request.event, 1)) == message["event"]["kind"]  # type: ignore[index]
        if isinstance(request, EnterRequest):
            assert kind_of(request.event) == message["event"]["kind"]  # type: ignore[index]


CHOUETTE_KINDS = st.sampled_from(
    ["roll", "double", "take", "order", "leave", "waive", "ask", "propose", "withdraw", "settle", "next"]
)
CHOUETTE_EVENTS = st.fixed_dictionaries(
    {"kind": CHOUETTE_KINDS}, optional={"on": VALUES, "member": VALUES, "points": VALUES, "player": VALUES}
)
CHOUETTE_MESSAGES = st.fixed_dictionaries(
    {"do": st.sampled_from(["join", "act", "try", "ping", "say"])},
    optional={"id": VALUES, "seq": VALUES, "event": CHOUETTE_EVENTS, "to": VALUES, "protocol": VALUES, "text": VALUES},
)


@given(CHOUETTE_MESSAGES)
def test_what_is_nearly_a_message_to_a_chouette_is_one_or_is_refused(message: dict[str, object]) -> None:
    with suppress(FormatError):
        request = read_chouette_request(json.dumps(message))
        if isinstance(request, ChouetteActRequest):
            assert chouette_kind_of(chouette_event_of(request, 1, 0)) == message["event"]["kind"]  # type: ignore[index]
