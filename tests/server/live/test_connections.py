"""A connection ends with the first of its works."""

from __future__ import annotations

import asyncio

import pytest

from barpoint.server.live.connections import until_first


class Gone(Exception):
    """What a work raises."""


async def ends() -> None:
    await asyncio.sleep(0)


async def fails() -> None:
    await asyncio.sleep(0)
    raise Gone


async def goes_on(ended: list[str], name: str = "work") -> None:
    try:
        await asyncio.Event().wait()
    finally:
        ended.append(name)


async def test_the_others_end_with_the_first_work() -> None:
    ended: list[str] = []
    await until_first(ends(), goes_on(ended, "one"), goes_on(ended, "two"))
    assert sorted(ended) == ["one", "two"]


async def test_the_first_work_ends_with_any_other() -> None:
    ended: list[str] = []
    await until_first(goes_on(ended, "main"), goes_on(ended, "one"), ends())
    assert sorted(ended) == ["main", "one"]


async def test_what_a_work_raises_is_raised_whichever_it_is() -> None:
    ended: list[str] = []
    with pytest.raises(Gone):
        await until_first(fails(), goes_on(ended))
    with pytest.raises(Gone):
        await until_first(goes_on(ended), fails())
    assert len(ended) == 2


async def test_a_time_limit_around_it_and_one_within_it_hold() -> None:
    ended: list[str] = []

    async def impatient() -> None:
        async with asyncio.timeout(0):
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await until_first(impatient(), goes_on(ended))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await until_first(goes_on(ended, "main"), goes_on(ended))
    assert sorted(ended) == ["main", "work", "work"]
