"""Frames of WebSockets: messages in one piece and in several, control frames, and what breaks RFC 6455."""

from __future__ import annotations

import pytest

from barpoint.server.frames import (
    BINARY,
    CLOSE,
    CONTINUED,
    NO_CODE,
    PING,
    PONG,
    TEXT,
    FrameError,
    FrameReader,
    Heard,
    close_code,
    close_frame,
    frame,
)

MAX_SIZE = 70_000


def sent(kind: int, payload: bytes = b"", *, final: bool = True, mask: bytes = b"\x11\x22\x33\x44") -> bytes:
    """A frame of a client."""
    size = len(payload)
    long = b"" if size < 126 else size.to_bytes(2) if size < 1 << 16 else size.to_bytes(8)
    second = 0x80 | {0: size, 2: 126, 8: 127}[len(long)]
    masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    return bytes(((0x80 if final else 0) | kind, second)) + long + mask + masked


def heard(*parts: bytes) -> list[Heard]:
    """What a reader makes of these bytes, as they come."""
    reader = FrameReader(MAX_SIZE)
    return [one for part in parts for one in reader.feed(part)]


@pytest.mark.parametrize("size", [0, 1, 3, 125, 126, 127, 65_535, 65_536, MAX_SIZE])
def test_a_message_of_any_allowed_length_is_read_wherever_it_is_cut(size: int) -> None:
    data = sent(TEXT, b"x" * size)
    assert heard(data) == [(TEXT, "x" * size)]
    for cut in range(min(len(data), 20)):
        assert heard(data[:cut], data[cut:]) == [(TEXT, "x" * size)]


def test_bytes_that_come_one_by_one_are_put_together() -> None:
    stream = sent(TEXT, "é".encode()) + sent(PING, b"p") + sent(BINARY, b"\0\xff")
    assert heard(*(bytes([byte]) for byte in stream)) == [(TEXT, "é"), (PING, b"p"), (BINARY, b"\0\xff")]


def test_a_message_in_parts_is_one_and_control_frames_may_stand_between_them() -> None:
    letter = "\N{BLACK CHESS PAWN}".encode()
    parts = [
        sent(TEXT, letter[:1], final=False),
        sent(PING, b"now"),
        sent(CONTINUED, b"", final=False),
        sent(PONG),
        sent(CONTINUED, letter[1:]),
        sent(TEXT, b"next"),
    ]
    assert heard(b"".join(parts)) == [(PING, b"now"), (PONG, b""), (TEXT, letter.decode()), (TEXT, "next")]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (sent(CONTINUED, b"x"), 1002),
        (sent(TEXT, b"x", final=False) + sent(TEXT, b"y"), 1002),
        (sent(3), 1002),
        (sent(7), 1002),
        (sent(11), 1002),
        (sent(15), 1002),
        (bytes((0x80 | 0x40 | TEXT, 0x80)) + b"\0\0\0\0", 1002),
        (bytes((0x80 | 0x10 | TEXT, 0x80)) + b"\0\0\0\0", 1002),
        (frame(TEXT, b"without a mask"), 1002),
        (sent(PING, b"x", final=False), 1002),
        (sent(CLOSE, b"x" * 126), 1002),
        (sent(PING, b"x" * 65_536), 1002),
        (sent(TEXT, b"\xff"), 1007),
        (sent(TEXT, b"\xed\xa0\x80"), 1007),
        (sent(TEXT, b"\xc3"), 1007),
        (sent(TEXT, b"x" * (MAX_SIZE + 1)), 1009),
        (sent(TEXT, b"x" * MAX_SIZE, final=False) + sent(CONTINUED, b"x"), 1009),
        (bytes((0x80 | TEXT, 0xFF)) + b"\xff" * 8, 1009),
    ],
)
def test_what_breaks_the_protocol_is_refused_with_its_code(data: bytes, code: int) -> None:
    with pytest.raises(FrameError) as refused:
        heard(data)
    assert refused.value.code == code


def test_a_long_message_is_refused_before_it_has_come() -> None:
    with pytest.raises(FrameError):
        heard(sent(TEXT, b"x" * (MAX_SIZE + 1))[:10])


def test_messages_before_a_broken_frame_are_read() -> None:
    found = FrameReader(MAX_SIZE).feed(sent(TEXT, b"one") + sent(CONTINUED))
    assert next(found) == (TEXT, "one")
    with pytest.raises(FrameError):
        next(found)


@pytest.mark.parametrize("code", [1000, 1001, 1003, 1007, 1011, 1012, 1014, 3000, 4999])
def test_codes_of_farewells_are_read(code: int) -> None:
    assert close_code(code.to_bytes(2) + "adiós".encode()) == code
    assert close_frame(code, "x")[2:4] == code.to_bytes(2)


def test_a_farewell_may_be_empty() -> None:
    assert close_code(b"") == NO_CODE
    assert close_frame(NO_CODE) == bytes((0x80 | CLOSE, 0))


@pytest.mark.parametrize("payload", [b"\x03", *(n.to_bytes(2) for n in (0, 999, 1004, 1005, 1006, 1015, 2999, 5000))])
def test_codes_that_nobody_may_send_are_refused(payload: bytes) -> None:
    with pytest.raises(FrameError):
        close_code(payload)


def test_a_farewell_that_is_not_text_is_refused() -> None:
    with pytest.raises(FrameError) as refused:
        close_code((1000).to_bytes(2) + b"\xff")
    assert refused.value.code == 1007


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_frames_of_the_server_say_their_length(size: int) -> None:
    written = frame(TEXT, b"x" * size)
    assert written[0] == 0x81
    assert len(written) == size + (2 if size < 126 else 4 if size < 1 << 16 else 10)
    assert not written[1] & 0x80, "servers do not mask"


def test_a_long_reason_is_cut_between_letters() -> None:
    assert close_frame(1008, "é" * 100)[4:].decode() == "é" * 61
