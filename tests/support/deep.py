"""Whether the long runs are wanted."""

from __future__ import annotations

import os
from typing import Final

DEEP: Final = bool(os.environ.get("BARPOINT_DEEP"))
"""Whether this is `make check-deep`: tests take their sizes from it."""
