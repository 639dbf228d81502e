"""What an account may download: read a little at a time, so that others are not kept waiting."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.limits import Allowance
from barpoint.server.live.accounts import Accounts
from barpoint.server.storage import personal_data
from barpoint.variants import variant
from tests.support.live_server import ANNA, guest_seats, opened


def files(packed: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(packed)) as pack:
        return {name: pack.read(name) for name in pack.namelist()}


async def test_own_data_are_read_a_few_matches_at_a_time_for_one_person_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal_data, "AT_ONCE", 2)
    async with opened(tmp_path) as matches:
        for _ in range(5):
            await matches.make(Agreement(variant(), MatchTerms(length=1)), guest_seats())
        whole = await matches.store.read(personal_data.own_data, ANNA.id)
        reads, real = list[tuple[Any, ...]](), matches.store.read

        async def noted(work: Callable[..., Any], *arguments: Any) -> Any:
            reads.append(arguments)
            return await real(work, *arguments)

        monkeypatch.setattr(matches.store, "read", noted)
        accounts = Accounts(matches.store, matches, Allowance())
        packed = await asyncio.gather(accounts.own_data(ANNA.id), accounts.own_data(ANNA.id))
    assert [files(one) for one in packed] == [files(whole)] * 2
    assert len([name for name in files(whole) if name.startswith("match/")]) == 5
    first = [(ANNA.id,), 2, 2, 1]
    assert [given if given == (ANNA.id,) else len(given[0]) for given in reads] == first * 2
