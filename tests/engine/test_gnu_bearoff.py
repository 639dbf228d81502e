"""GNU Backgammon's bear-off databases: what they say is what ours say, and damaged ones are refused."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import barpoint as bp
from barpoint.board import Position, Side
from barpoint.engine import bearoff
from barpoint.engine.gnu_bearoff import (
    MAX_TURNS,
    GnuOneSided,
    GnuTwoSided,
    parse_gnu_bearoff,
    read_gnu_bearoff,
)
from barpoint.error import TableError

RULES = bp.variant("backgammon")
OURS = bearoff.OneSided.of(RULES)
DEBIAN = (Path("/usr/share/gnubg/gnubg_os0.bd"), Path("/var/lib/gnubg/gnubg_ts0.bd"))


def sides(points: int, checkers: int) -> Iterator[Side]:
    """All sides in the order of the databases: by checkers, then by those above point 1, above point 2, and so on."""
    for count in range(checkers + 1):
        found = combinations_with_replacement(range(1, points + 1), count)
        for chosen in sorted(found, key=lambda chosen: [sum(one > low for one in chosen) for low in range(1, points)]):
            yield Side.of({point: chosen.count(point) for point in chosen})


def header(text: str) -> bytes:
    return text.encode().ljust(39, b"x") + b"\n"


def words(side: Side, part: int) -> list[int]:
    chances = (OURS.turns(side), OURS.first(side))[part]
    found = [round(float(chance) * 65_535) for chance in chances][:MAX_TURNS]
    return found if any(found) else [65_535]


def packed(points: int, checkers: int) -> bytes:
    """A database of one side, packed."""
    index, body = b"", []
    for side in sides(points, checkers):
        shapes, at = [], len(body)
        for part in (0, 1):
            row = words(side, part)
            used = [turn for turn, word in enumerate(row) if word]
            body += row[used[0] : used[-1] + 1]
            shapes += [used[-1] + 1 - used[0], used[0]]
        index += struct.pack("<I4B", at, *shapes)
    return header(f"gnubg-OS-{points:02}-{checkers:02}-1-1-0") + index + struct.pack(f"<{len(body)}H", *body)


def plain(points: int, checkers: int) -> bytes:
    """The same without gammons, unpacked."""
    rows = [(words(side, 0) + [0] * MAX_TURNS)[:MAX_TURNS] for side in sides(points, checkers)]
    body = [word for row in rows for word in row]
    return header(f"gnubg-OS-{points:02}-{checkers:02}-0-0-0") + struct.pack(f"<{len(body)}H", *body)


def two_sided(points: int, checkers: int) -> bytes:
    """A database of two sides, with values that tell which position and cube they are of."""
    many = len(list(sides(points, checkers)))
    body = [(us * many + them) * 4 + part for us in range(many) for them in range(many) for part in range(4)]
    return header(f"gnubg-TS-{points:02}-{checkers:02}-1") + struct.pack(f"<{len(body)}H", *body)


@pytest.mark.parametrize("write", [packed, plain])
def test_turns_of_a_side_are_read(write: object) -> None:
    table = parse_gnu_bearoff((packed if write is packed else plain)(3, 4))
    assert isinstance(table, GnuOneSided)
    assert not table.covers(Side.of({4: 1}))
    assert not table.covers(Side.of({1: 5}))
    for side in list(sides(3, 4))[1:]:
        assert table.mean(side) == pytest.approx(OURS.mean(side), abs=1e-3)
        if write is packed:
            first = OURS.first(side)
            assert table.first(side)[: len(first)] == pytest.approx(first, abs=1e-4)
    with pytest.raises(TableError, match="at most 4 checkers on 3 points"):
        table.turns(Side.of({4: 1}))


def test_races_of_two_sides_are_read() -> None:
    table = parse_gnu_bearoff(two_sided(2, 2))
    assert isinstance(table, GnuTwoSided)
    order = list(sides(2, 2))
    for us, side in enumerate(order):
        for them, other in enumerate(order):
            place = (us * len(order) + them) * 4
            position = Position(side, other)
            found = (table.equity(position), *table.cubeful(position))
            assert [round((value + 1) * 65_535 / 2) for value in found] == [place, place + 1, place + 2, place + 3]
    assert not table.covers(RULES.start)
    with pytest.raises(TableError, match="no equities with a cube"):
        parse_gnu_bearoff(header("gnubg-TS-01-01-0") + bytes(8)).cubeful(RULES.start)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no bear-off database"),
        (header("gnubg-OS-06-15"), "no bear-off database"),
        (header("gnubg-TS-30-06-1"), "allowed: 24 and 15"),
        (header("gnubg-TS-06-06-1"), "0 bytes after the header; its numbers need 6830208"),
        (header("gnubg-OS-06-15-1-1-0"), "its numbers need 434112"),
        (header("gnubg-OS-06-15-1-1-1"), "means and deviations"),
    ],
)
def test_what_is_no_database_is_refused_with_the_reason(data: bytes, said: str) -> None:
    with pytest.raises(TableError, match=said):
        parse_gnu_bearoff(data)


SMALL = packed(2, 2)


@given(st.integers(0, len(SMALL) - 1), st.binary(min_size=1, max_size=8))
def test_a_damaged_database_is_read_or_refused(at: int, put: bytes) -> None:
    try:
        table = parse_gnu_bearoff((SMALL[:at] + put + SMALL[at + len(put) :])[: len(SMALL)])
        assert isinstance(table, GnuOneSided | GnuTwoSided)
        if isinstance(table, GnuOneSided):
            assert table.turns(Side.of({1: 1})).shape == (MAX_TURNS,)
    except TableError:
        pass


@pytest.mark.deep
def test_what_gnubg_ships_says_what_we_say() -> None:
    one, two = (read_gnu_bearoff(path) for path in DEBIAN)
    assert isinstance(one, GnuOneSided)
    assert isinstance(two, GnuTwoSided)
    ours = bearoff.build(RULES, 6)
    six = list(sides(6, 6))[1:]
    assert len(six) == 923
    for side in sides(6, 15):
        if any(side.points):
            assert one.mean(side) == pytest.approx(OURS.mean(side), abs=3e-4)
    for number, side in enumerate(six):
        position = Position(side, six[number * 37 % 923])
        race = ours.race(position)
        assert two.equity(position) == pytest.approx(race.cubeless, abs=1e-4)
        assert two.cubeful(position) == pytest.approx((race.roll_owned, race.roll_centred, race.theirs), abs=3e-4)
