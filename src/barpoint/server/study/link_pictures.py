"""Pictures of boards for the programs in which links are pasted: PNG as wide as those show them, drawn one at a time in a subprocess."""

from __future__ import annotations

import asyncio
from functools import cache, partial
from importlib.util import find_spec
from typing import Final

from barpoint.draw import svg
from barpoint.draw.palette import PAGE
from barpoint.server.child_process import run
from barpoint.server.domain.analysis_board import BoardSetup, query_of
from barpoint.server.domain.limits import Credits
from barpoint.server.study.costly_pages import CostlyPages

SIZE_PX: Final = (1200, 630)
"""Width and height; programs that show links cut others."""

_MARGIN_PX: Final = 12

_WORKER: Final = "barpoint.draw.worker"
_PATIENCE_S: Final = 20.0


@cache
def drawable() -> bool:
    """Whether the library that makes PNG is installed (the extra `png`)."""
    return find_spec("resvg_py") is not None


class LinkPictures:
    """Draws the pictures, and keeps those asked for last. allowance: of addresses, for pictures that are not kept."""

    def __init__(self, allowance: Credits) -> None:
        self._pages = CostlyPages(allowance)

    async def png(self, setup: BoardSetup, address: str) -> bytes:
        """The board as PNG, without words, so that it is the same in every language; TooManyPages, JobFailed."""
        return await self._pages.kept(query_of(setup.address), address, partial(_drawn, setup))


async def _drawn(setup: BoardSetup) -> bytes:
    shown = await asyncio.to_thread(framed, setup)
    return await run(_WORKER, str(SIZE_PX[0]), data=shown.encode(), patience_s=_PATIENCE_S)


def framed(setup: BoardSetup) -> str:
    """The board as SVG, in the middle of a picture of this size."""
    width, height = SIZE_PX
    board = svg(
        setup.of_actor,
        meeting=setup.rules.movement.meeting,
        near_to_act=setup.turn == "near",
        dice=setup.faces,
        cube=setup.cube or None,
        cube_near=None if not setup.owner else setup.owner == "near",
        tokens=setup.tokens if setup.rules.rerolls.tokens else None,
        theme="walnut",
    )
    inner = board[board.index(" viewBox=") :]  # a place of its own instead of the size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<rect width="{width}" height="{height}" fill="{PAGE["page"]}"/>'
        f'<svg x="0" y="{_MARGIN_PX}" width="{width}" height="{height - 2 * _MARGIN_PX}"{inner}</svg>'
    )
