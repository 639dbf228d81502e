"""Answers that a browser keeps as files."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

CSV: Final = "text/csv; charset=utf-8"


def attachment(name: str, media_type: str, body: str | bytes) -> Response:
    """An answer to be kept as a file of this name."""
    return Response(body, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})
