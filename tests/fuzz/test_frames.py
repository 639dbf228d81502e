"""Damaged streams of frames: read as an independent implementation reads them, or refused where it refuses."""

from __future__ import annotations

import os
import time
from random import Random

import pytest
from websockets.exceptions import ProtocolError
from websockets.frames import Close, CloseCode, Frame, Opcode
from websockets.protocol import Protocol, Side

from barpoint.server.frames import CLOSE, FrameError, FrameReader, Heard, close_code

MAX_SIZE = 20_000  # websockets also counts control frames between the parts of a message
STREAMS = 3000
SECONDS = float(os.environ.get("BARPOINT_FUZZ_S", "0"))


def stream(random: Random) -> bytes:
    """Frames of a client, some of them against the rules, some damaged."""
    data = b""
    for _ in range(random.randint(1, 6)):
        kind = random.choice((Opcode.TEXT, Opcode.TEXT, Opcode.BINARY, Opcode.CONT, Opcode.PING, Opcode.PONG))
        payload = random.choice(
            ("bär".encode() * random.randint(0, 50), random.randbytes(random.choice((0, 3, 125, 126))))
        )
        if random.random() < 0.1:
            kind, payload = (
                Opcode.CLOSE,
                random.choice((b"", Close(CloseCode.GOING_AWAY, "x").serialize(), payload[:9])),
            )
        if kind in (Opcode.PING, Opcode.PONG, Opcode.CLOSE):
            payload = payload[:125]
        final = kind not in (Opcode.TEXT, Opcode.CONT) or random.random() < 0.7
        data += Frame(kind, payload, fin=final).serialize(mask=True)
    damaged = bytearray(data)
    if random.random() < 0.5:
        for _ in range(random.randint(1, 3)):
            damaged[random.randrange(len(damaged))] = random.randrange(256)
    return bytes(damaged)


def ours(data: bytes, random: Random) -> tuple[list[Heard], int | None]:
    """What our reader makes of a stream that comes in pieces, up to a farewell; the code if it refuses."""
    reader, found = FrameReader(MAX_SIZE), list[Heard]()
    try:
        while data:
            size = random.randint(1, len(data))
            for kind, payload in reader.feed(data[:size]):
                if kind == CLOSE:
                    assert isinstance(payload, bytes)
                    close_code(payload)
                    return found, None
                found.append((kind, payload))
            data = data[size:]
    except FrameError as error:
        return found, error.code
    return found, None


def theirs(data: bytes) -> tuple[list[Heard], int | None]:
    """The same by websockets, whose messages are put together here."""
    protocol, found, parts, kind = Protocol(Side.SERVER, max_size=MAX_SIZE), list[Heard](), b"", Opcode.CONT
    protocol.receive_data(data)
    for event in protocol.events_received():
        assert isinstance(event, Frame)
        if event.opcode is Opcode.CLOSE:
            break
        if event.opcode in (Opcode.PING, Opcode.PONG):
            found.append((int(event.opcode), bytes(event.data)))
            continue
        if event.opcode is not Opcode.CONT:
            kind = event.opcode
        parts += event.data
        if event.fin:
            whole, parts = parts, b""
            if kind is Opcode.TEXT:
                try:
                    found.append((int(kind), whole.decode()))
                except UnicodeDecodeError:
                    return found, CloseCode.INVALID_DATA
            else:
                found.append((int(kind), whole))
    failed = protocol.parser_exc
    if failed is None or "incomplete fragmented message" in str(
        failed
    ):  # a farewell in a message, which RFC 6455 allows
        return found, None
    assert protocol.close_sent is not None or isinstance(failed, ProtocolError | UnicodeDecodeError | EOFError)
    return found, protocol.close_sent.code if protocol.close_sent is not None else CloseCode.PROTOCOL_ERROR


@pytest.mark.parametrize("seed", range(4))
def test_damaged_streams_are_read_or_refused_as_another_implementation_does(seed: int) -> None:
    random, until, count = Random(seed), time.monotonic() + SECONDS / 4, 0
    while count < STREAMS or time.monotonic() < until:
        data, count = stream(random), count + 1
        (found, code), (as_theirs, their_code) = ours(data, random), theirs(data)
        assert found == as_theirs, data.hex()
        assert code is not None or their_code is None, data.hex()  # ours refuses a frame before it has come in full


def test_noise_never_leads_to_another_error() -> None:
    random = Random(7)
    for _ in range(STREAMS):
        ours(random.randbytes(random.randint(1, 400)), random)
